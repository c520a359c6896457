//! Low-pass filter of the fifth order by Cauer.
//!
//! Two of the five capacitors form loops with others, so that their voltages follow: five states
//! remain.
//!
//! The system is the example `CauerLowPassAnalog` of Modelica.Electrical.Analog.

use coupler::electrical::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let inductances = (1.304, 0.8586);
    let resonant = |w: f64, l: f64| 1.0 / (w * w * l);
    add! { m,
        source "V": StepVoltage::new().V(1).start_time(1),
        r1 "R1": Resistor::new().R(1),
        c1 "C1": Capacitor::new().C(1.072).v(fixed(0)),
        l1 "L1": Inductor::new().L(inductances.0).i(fixed(0)),
        c2 "C2": Capacitor::new().C(resonant(1.704_992, inductances.0)),
        c3 "C3": Capacitor::new().C(1.682).v(fixed(0)),
        l2 "L2": Inductor::new().L(inductances.1).i(fixed(0)),
        c4 "C4": Capacitor::new().C(resonant(1.179_945, inductances.1)),
        c5 "C5": Capacitor::new().C(0.7262).v(fixed(0)),
        r2 "R2": Resistor::new().R(1),
        ground "G": Ground::new(),
    }

    m.chain((source.p, r1, c1, source.n));
    m.chain((c1.p, l1, c3, ground.p));
    m.chain((c1.p, c2, c3.p));
    m.chain((c3.p, l2, c5, ground.p));
    m.chain((c3.p, c4, c5.p));
    m.chain((c5.p, r2, ground.p));
    m.connect(source.n, ground.p);

    m.outputs([c1.v, c3.v, c5.v, l1.i, l2.i]);
    m.stop_time(60);
    m.step_size(0.05);
}
