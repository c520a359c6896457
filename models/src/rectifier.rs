//! Bridge of six diodes that feeds a direct current from three phases.
//!
//! The currents of the phases commutate from one diode to the next one while two diodes conduct,
//! because inductances prevent jumps. The sum of the currents vanishes, so that one of the
//! three inductances has no state of its own.
//!
//! The system is the example `Rectifier` of Modelica.Electrical.Analog.

use coupler::electrical::*;
use coupler::prelude::*;
use std::f64::consts::PI;

/// The model.
pub fn model(m: &mut Assembly) {
    let peak = 400.0 * (2.0_f64 / 3.0).sqrt();
    let half = 400.0 * 2.0_f64.sqrt() / 2.0;
    let phase = |k: f64| SineVoltage::new().V(peak).f(50).phase(-2.0 / 3.0 * PI * k);
    let diode = || IdealDiode::new().Ron(1e-3).Goff(1e-3).Vknee(2);
    add! { m,
        phase1 "SineVoltage1": phase(0.0),
        phase2 "SineVoltage2": phase(1.0),
        phase3 "SineVoltage3": phase(2.0),
        inductor1 "Inductor1": Inductor::new().L(60e-6),
        inductor2 "Inductor2": Inductor::new().L(60e-6).i(fixed(0)),
        inductor3 "Inductor3": Inductor::new().L(60e-6).i(fixed(0)),
        diode1 "IdealDiode1": diode(),
        diode2 "IdealDiode2": diode(),
        diode3 "IdealDiode3": diode(),
    }
    add! { m,
        diode4 "IdealDiode4": diode(),
        diode5 "IdealDiode5": diode(),
        diode6 "IdealDiode6": diode(),
        capacitor1 "Capacitor1": Capacitor::new().C(30e-3).v(fixed(half)),
        capacitor2 "Capacitor2": Capacitor::new().C(30e-3).v(fixed(half)),
        ground "Ground1": Ground::new(),
        load "SignalCurrent1": SignalCurrent::new(),
        current "Constant1": Constant::new().k(500),
    }

    let legs = [
        (phase1, inductor1, diode1, diode4),
        (phase2, inductor2, diode2, diode5),
        (phase3, inductor3, diode3, diode6),
    ];
    for (phase, inductor, upper, lower) in legs {
        m.connect(phase.n, phase1.n);
        m.chain((phase.p, inductor, upper, capacitor1.p));
        m.chain((inductor.n, lower.n));
        m.connect(lower.p, capacitor2.n);
    }
    m.chain((capacitor1, capacitor2, load.n));
    m.connect(load.p, capacitor1.p);
    m.connect(capacitor1.n, ground.p);
    m.connect(current.y, load.i);

    m.outputs([capacitor1.v, capacitor2.v, inductor1.i, inductor2.i, inductor3.i]);
    m.stop_time(0.1);
    m.step_size(1e-4);
}
