//! DC machine with permanent magnets, started by a voltage that rises, and then loaded.
//!
//! The system is the example `DCMachines.DCPM_Start` of Modelica.Electrical.Machines.

use coupler::electrical::*;
use coupler::machines::DC_PermanentMagnet;
use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        ramp: Ramp::new().height(100).duration(0.8).start_time(0.2),
        source "signalVoltage": SignalVoltage::new(),
        machine "dcpm": DC_PermanentMagnet::new(),
        ground: Ground::new(),
        load "loadInertia": Inertia::new().J(0.15).phi(fixed(0)).w(fixed(0)),
        torque "loadTorqueStep": TorqueStep::new().step_torque(-63.66).start_time(1.5),
    }

    m.connect(ramp.y, source.v);
    m.connect(source.p, machine.pin_ap);
    m.connect(machine.pin_an, source.n);
    m.connect(source.n, ground.p);
    m.chain((machine.flange, load, torque.flange));

    m.output("w", load.w);
    m.stop_time(2);
}
