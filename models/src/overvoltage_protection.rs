//! Two Zener diodes in opposite directions that limit a voltage.
//!
//! The system is the example `OvervoltageProtection` of Modelica.Electrical.Analog.

use coupler::electrical::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        source "sineVoltage": SineVoltage::new().V(10).f(5),
        rv "Rv": Resistor::new().R(20),
        diode "zDiode": ZDiode::new(),
        diode1 "zDiode1": ZDiode::new(),
        cl "CL": Capacitor::new().C(1e-7).v(fixed(0)),
        rl "RL": Resistor::new().R(2000),
        ground: Ground::new(),
    }

    m.chain((source.p, rv, diode1.p));
    m.chain((rv.n, cl, ground.p));
    m.chain((rv.n, rl, ground.p));
    m.connect(diode1.n, diode.n);
    m.connect(diode.p, ground.p);
    m.connect(source.n, ground.p);

    m.outputs([cl.v, rv.i, diode.i]);
    m.stop_time(0.4);
    m.step_size(1e-3);
}
