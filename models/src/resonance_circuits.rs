//! Parallel and series resonance of a coil and a capacitor, excited at their frequency.

use coupler::electrical::*;
use coupler::prelude::*;
use std::f64::consts::PI;

/// The model.
pub fn model(m: &mut Assembly) {
    let (c, l) = (0.01_f64, 0.01_f64);
    let f = 1.0 / (2.0 * PI * (l * c).sqrt());
    add! { m,
        current1: SineCurrent::new().I(1).f(f),
        inductor1: Inductor::new().L(l).i(fixed(0)),
        conductor1: Conductor::new().G(1),
        capacitor1: Capacitor::new().C(c).v(fixed(0)),
        ground1: Ground::new(),
        voltage2: SineVoltage::new().V(1).f(f),
        inductor2: Inductor::new().L(l).i(fixed(0)),
        resistor2: Resistor::new().R(1),
        capacitor2: Capacitor::new().C(c).v(fixed(0)),
        ground2: Ground::new(),
    }

    m.chain((current1.n, inductor1, ground1.p));
    m.chain((current1.n, conductor1, ground1.p));
    m.chain((current1.n, capacitor1, ground1.p));
    m.connect(current1.p, ground1.p);
    m.chain((voltage2.p, inductor2, resistor2, capacitor2, ground2.p));
    m.connect(voltage2.n, ground2.p);

    m.outputs([capacitor1.v, inductor1.i, capacitor2.v, inductor2.i]);
    m.stop_time(2);
}
