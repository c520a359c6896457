//! Rectifier whose diode becomes warm, which changes its characteristic.
//!
//! The system is the example `HeatingRectifier` of Modelica.Electrical.Analog.

use coupler::electrical::*;
use coupler::prelude::*;
use coupler::thermal::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        source "SineVoltage1": SineVoltage::new().V(1).f(1),
        diode "HeatingDiode1": Diode::new().use_temperature_dependency(true),
        capacitor "Capacitor1": Capacitor::new().C(1).v(fixed(0)),
        load "R": Resistor::new().R(1),
        ground "G": Ground::new(),
        conductor "ThermalConductor1": ThermalConductor::new().G(10),
        heat "HeatCapacitor1": HeatCapacitor::new().C(1).T(fixed(293.15)),
    }

    m.chain((source.p, diode, capacitor, ground.p));
    m.chain((capacitor.p, load, ground.p));
    m.connect(source.n, ground.p);
    m.chain((diode.heat_port, conductor, heat.port));

    m.outputs([capacitor.v, diode.i, heat.T]);
    m.stop_time(5);
    m.step_size(0.01);
}
