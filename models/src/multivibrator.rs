//! Amplifier that charges a capacitor to and fro between the limits of its positive feedback.
//!
//! The system is the example `OpAmps.Multivibrator` of Modelica.Electrical.Analog.

use coupler::electrical::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let capacitance = 0.1 / (2.0 * 1000.0 * 3.0_f64.ln());
    let amplifier = OpAmpLimited::new().use_first_order(true).init_op_amp(InitOpAmp::LowerLimit);
    add! { m,
        amplifier "opAmp": amplifier,
        r1: Resistor::new().R(1000),
        r2: Resistor::new().R(1000),
        r: Resistor::new().R(1000),
        c: Capacitor::new().C(capacitance).v(fixed(1)),
        v_out "vOut": VoltageSensor::new(),
        ground: Ground::new(),
    }

    m.chain((amplifier.out, r2, r1, ground.p));
    m.connect(r2.n, amplifier.in_p);
    m.chain((amplifier.out, r, c, ground.p));
    m.connect(r.n, amplifier.in_n);
    m.chain((amplifier.out, v_out, ground.p));

    m.outputs([v_out.v, c.v]);
    m.stop_time(1);
    m.step_size(1e-3);
}
