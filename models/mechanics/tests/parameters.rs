//! Wrong parameters: what is refused, and in which words.

mod common;

use common::interpret;
use mechanics::prelude::*;
use mechanics::{rotational as r, translational as t};

/// A component that is added as `x`, and how the refusal begins.
type Refused = (fn(&mut Assembly), &'static str);

macro_rules! refused {
    ($($component:expr => $sentence:literal,)*) => {
        &[$((|m| { m.add("x", $component); }, $sentence),)*]
    };
}

const REFUSED: &[Refused] = refused! {
    r::Fixed::phi0(f64::NAN) => "x.phi0: NaN rad is not a possible value",
    r::Inertia::J(-0.5) => "x.J: -0.5 kg.m2 is not a possible value",
    r::Disc::delta_phi(f64::INFINITY) => "x.deltaPhi: inf rad is not a possible value",
    r::Spring::c(-1.0) => "x.c: -1 N.m/rad is not a possible value",
    r::Spring::c(1.0).phi_rel0(f64::NAN) => "x.phi_rel0: NaN rad is not a possible value",
    r::Damper::d(-2.0) => "x.d: -2 N.m.s/rad is not a possible value",
    r::SpringDamper::c_d(-1.0, 0.0) => "x.c: -1 N.m/rad is not a possible value",
    r::SpringDamper::c_d(1.0, -3.0) => "x.d: -3 N.m.s/rad is not a possible value",
    r::ElastoBacklash::c_d(0.0, 1.0) => "x.c: 0 N.m/rad is not a possible value",
    r::ElastoBacklash::c_d(1.0, 1.0).b(-0.1) => "x.b: -0.1 rad is not a possible value",
    r::ElastoBacklash2::c_d(1.0, -1.0) => "x.d: -1 N.m.s/rad is not a possible value",
    r::IdealGear::ratio(0.0) => "x.ratio: 0 (no unit) is not a possible value",
    r::IdealPlanetary::ratio(-1.0) => "x.ratio: -1 (no unit) is not a possible value",
    r::IdealGearR2T::ratio(0.0) => "x.ratio: 0 rad/m is not a possible value",
    r::IdealRollingWheel::radius(0.0) => "x.radius: 0 m is not a possible value",
    t::Fixed::s0(f64::NAN) => "x.s0: NaN m is not a possible value",
    t::Mass::m(-1.0) => "x.m: -1 kg is not a possible value",
    t::Mass::m(1.0).L(f64::NAN) => "x.L: NaN m is not a possible value",
    t::Rod::L(f64::NAN) => "x.L: NaN m is not a possible value",
    t::Spring::c(-1.0) => "x.c: -1 N/m is not a possible value",
    t::Damper::d(-1.0) => "x.d: -1 N.s/m is not a possible value",
    t::SpringDamper::c_d(-1.0, 1.0) => "x.c: -1 N/m is not a possible value",
    t::ElastoGap::c_d(-1.0, 1.0) => "x.c: -1 N/m is not a possible value",
    t::ElastoGap::c_d(1.0, 1.0).n(0.5) => "x.n: 0.5 (no unit) is not a possible value",
    t::ElastoGap::c_d(1.0, 1.0).s_ref(0.0) => "x.s_ref: 0 m is not a possible value",
};

#[test]
fn wrong_parameters_are_refused_with_instance_value_and_unit() {
    for (text, sentence) in REFUSED {
        let message = interpret(|m| {
            m.add("idle", r::Inertia::J(1.0));
            text(m);
        });
        let message = message.err().unwrap_or_else(|| format!("accepted, not: {sentence}"));
        assert!(message.starts_with(sentence), "{message}");
    }
}
