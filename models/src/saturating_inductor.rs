//! Coil whose core saturates, beside one that does not.
//!
//! The system is the example `ShowSaturatingInductor` of Modelica.Electrical.Analog.

use coupler::electrical::*;
use coupler::prelude::*;
use std::f64::consts::{FRAC_PI_2, PI};

/// The model.
pub fn model(m: &mut Assembly) {
    let saturating = SaturatingInductor::new().Lzer(2).Lnom(1).Inom(1).Linf(0.5).i(fixed(0));
    add! { m,
        source "SineVoltage1": SineVoltage::new().V(1.25).phase(FRAC_PI_2).f(0.5 / PI),
        saturating "SaturatingInductance1": saturating,
        linear "Inductance1": Inductor::new().L(1).i(fixed(0)),
        ground "Ground1": Ground::new(),
    }

    m.chain((source.p, saturating, source.n));
    m.chain((source.p, linear, source.n));
    m.connect(source.n, ground.p);

    m.outputs([saturating.i, linear.i]);
    m.stop_time(6.3);
    m.step_size(0.01);
}
