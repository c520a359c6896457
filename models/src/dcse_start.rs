//! DC machine with series excitation, started over a resistor that decreases.
//!
//! The system is the example `DCMachines.DCSE_Start` of Modelica.Electrical.Machines.

use coupler::electrical::*;
use coupler::machines::DC_SeriesExcited;
use coupler::prelude::*;
use coupler::rotational::*;
use std::f64::consts::PI;

/// The model.
pub fn model(m: &mut Assembly) {
    let load = QuadraticSpeedDependentTorque::new().tau_nominal(-63.66).torque_direction(false);
    add! { m,
        ramp: Ramp::new().height(-1).offset(1).duration(0.9).start_time(0.1),
        source "constantVoltage": ConstantVoltage::new().V(100),
        resistor "variableResistor": VariableResistor::new(),
        machine "dcse": DC_SeriesExcited::new(),
        ground: Ground::new(),
        inertia "loadInertia": Inertia::new().J(0.15).phi(fixed(0)).w(fixed(0)),
        load "quadraticLoadTorque": load.w_nominal(1410.0 * 2.0 * PI / 60.0),
    }

    m.connect(ramp.y, resistor.R);
    m.chain((source.p, resistor, machine.pin_ap));
    m.connect(machine.pin_an, machine.pin_ep);
    m.connect(machine.pin_en, source.n);
    m.connect(source.n, ground.p);
    m.chain((machine.flange, inertia, load.flange));

    m.output("w", inertia.w);
    m.stop_time(2);
}
