//! Two oscillators driven at resonance, one of them damped.
//!
//! Two masses are connected to equal springs and driven by the same force at their natural
//! frequency. The amplitude of the undamped mass grows, and that of the damped one becomes steady.
//!
//! The system is the example `Oscillator` of Modelica.Mechanics.Translational.

use coupler::prelude::*;
use coupler::translational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let mass = || Mass::new().m(1).L(1).s(fixed(-0.5)).v(fixed(0));
    let spring = || Spring::new().c(1e4).s_rel0(1);
    add! { m,
        mass1: mass(),
        mass2: mass(),
        spring1: spring(),
        spring2: spring(),
        damper1: Damper::new().d(10),
        fixed1: Fixed::new().s0(1),
        fixed2: Fixed::new().s0(1),
        force1: Force::new(),
        force2: Force::new(),
        sine "sine1": Sine::new().amplitude(1).f(15.9155),
    }

    m.chain((mass1.flange_b, spring1, fixed1.flange));
    m.chain((mass2.flange_b, spring2, fixed2.flange));
    m.chain((mass2.flange_b, damper1, fixed2.flange));
    m.connect(force1.flange, mass1.flange_a);
    m.connect(force2.flange, mass2.flange_a);
    m.connect(sine.y, force1.f);
    m.connect(sine.y, force2.f);

    m.output("s1", mass1.s);
    m.output("s2", mass2.s);
}
