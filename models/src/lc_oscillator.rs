//! Oscillator of a coil and a capacitor, whose loss an amplifier replaces.
//!
//! The gain exceeds by little what keeps the amplitude constant, so that it grows.
//!
//! The system is the example `OpAmps.LCOscillator` of Modelica.Electrical.Analog.

use coupler::electrical::*;
use coupler::prelude::*;
use std::f64::consts::PI;

/// The model.
pub fn model(m: &mut Assembly) {
    let (w, gain) = (2.0 * PI * 1000.0, 1.001);
    add! { m,
        amplifier "opAmp": OpAmpLimited::new(),
        r: Resistor::new().R(1e4),
        r1: Resistor::new().R(1e4),
        r2: Resistor::new().R((gain - 1.0) * 1e4),
        c: Capacitor::new().C(1.0 / (w * w * 1e-3)).v(fixed(10)),
        l: Inductor::new().L(1e-3).i(fixed(0)),
        v_out "vOut": VoltageSensor::new(),
        ground: Ground::new(),
    }

    m.chain((amplifier.out, r2, r1, ground.p));
    m.connect(r2.n, amplifier.in_n);
    m.chain((amplifier.out, r, amplifier.in_p));
    m.chain((r.n, l, ground.p));
    m.chain((r.n, c, ground.p));
    m.chain((r.n, v_out, ground.p));

    m.outputs([v_out.v, l.i]);
    m.stop_time(0.01);
    m.step_size(1e-5);
}
