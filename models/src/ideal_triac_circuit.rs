//! Triac that a periodic signal fires, with a resistor as load.
//!
//! Two thyristors in opposite directions conduct from a firing on, until the current changes its
//! sign.
//!
//! The system is the example `IdealTriacCircuit` of Modelica.Electrical.Analog.

use coupler::blocks::BooleanPulse;
use coupler::electrical::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        source "V": SineVoltage::new().V(5).f(2),
        load "R": Resistor::new().R(20),
        triac "idealTriac": IdealTriac::new(),
        fire "booleanPulse": BooleanPulse::new().width(50).period(0.25).start_time(0.1),
        ground: Ground::new(),
    }

    m.connect(fire.y, triac.fire1);
    m.chain((source.p, load, triac.n));
    m.connect(triac.p, ground.p);
    m.connect(source.n, ground.p);

    m.outputs([load.v, load.i, triac.capacitor.v]);
    m.stop_time(2);
}
