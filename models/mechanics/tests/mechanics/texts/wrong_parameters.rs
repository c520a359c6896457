//! Wrong parameters: refusals and their words.

use crate::common::{notes, program, rough_mass, simulation_of};
use equations::Program;
use equations::description::VariableType;
use libraries::prelude::*;
use libraries::{impulses, multibody as mb, rotational as r, translational as t};

/// A component that is added as `x`, and how the refusal begins.
type Refused = (fn(&mut Assembly), &'static str);

macro_rules! refused {
    ($($component:expr => $sentence:literal,)*) => {
        &[$((|m| { m.add("x", $component); }, $sentence),)*]
    };
}

/// Losses at speeds that do not increase.
const LOSSES: [[f64; 5]; 3] =
    [[0.0, 0.9, 0.9, 0.0, 0.0], [10.0, 0.9, 0.9, 0.0, 0.0], [5.0, 0.9, 0.9, 0.0, 0.0]];

const REFUSED: &[Refused] = refused! {
    r::Fixed::new().phi0(f64::NAN) => "x.phi0 = NaN rad: must be a finite number",
    r::Inertia::new().J(-0.5) => "x.J = -0.5 kg.m2: must be positive or zero",
    r::Disc::new().delta_phi(f64::INFINITY) => "x.deltaPhi = inf rad: must be a finite number",
    r::Spring::new().c(-1.0) => "x.c = -1 N.m/rad: must be positive or zero",
    r::Spring::new().c(1.0).phi_rel0(f64::NAN) => "x.phi_rel0 = NaN rad: must be a finite number",
    r::Damper::new().d(-2.0) => "x.d = -2 N.m.s/rad: must be positive or zero",
    r::SpringDamper::new().c(-1.0).d(0.0) => "x.c = -1 N.m/rad: must be positive or zero",
    r::SpringDamper::new().c(1.0).d(-3.0) => "x.d = -3 N.m.s/rad: must be positive or zero",
    r::ElastoBacklash::new().c(0.0).d(1.0) => "x.c = 0 N.m/rad: must be positive",
    r::ElastoBacklash::new().c(1.0).d(1.0).b(-0.1) => "x.b = -0.1 rad: must be positive or zero",
    r::ElastoBacklash2::new().c(1.0).d(-1.0) => "x.d = -1 N.m.s/rad: must be positive or zero",
    r::LossyGear::new().ratio(2.0).loss_table(LOSSES) =>
        "x.lossTable[3,1] = 5 rad/s: must be larger than x.lossTable[2,1] = 10 rad/s",
    r::LossyGear::new().ratio(2.0).loss_table([[-1.0, 1.0, 1.0, 0.0, 0.0]]) =>
        "x.lossTable[1,1] = -1 rad/s: must be positive or zero",
    r::BearingFriction::new().tau_pos([[0.0; 2]; 0]) => "x.tau_pos: at least one row is required",
    r::LossyGear::new().ratio(2.0).loss_table([[0.0, 1.0]]) =>
        "x.lossTable: a row has 5 numbers (rad/s, 1, 1, N.m, N.m), but 2 are given",
    r::Rotor1D::new().physics_inertia(1.0).reference_rotation([[1, 0, 0], [0, 1, 0], [0, 0, -1]]) =>
        "x.referenceRotation: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]] is not a rotation",
    r::Rotor1D::new().physics_inertia(1.0).reference_rotation([[1, 0, 0], [0, 1, 0]]) =>
        "x.referenceRotation: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] is not a rotation matrix",
    t::SupportFriction::new().f_pos([[0.0, 1.0], [0.0, 2.0]]) =>
        "x.f_pos[2,1] = 0 m/s: must be larger than x.f_pos[1,1] = 0 m/s",
    r::IdealGear::new().ratio(0.0) => "x.ratio = 0: must not be zero",
    r::IdealPlanetary::new().ratio(-1.0) => "x.ratio = -1: must not be -1, which removes the carrier from the equations",
    r::IdealGearR2T::new().ratio(0.0) => "x.ratio = 0 rad/m: must not be zero",
    r::IdealRollingWheel::new().radius(0.0) => "x.radius = 0 m: must not be zero",
    impulses::CollisionPool::new().spheres(-3) => "x.spheres = -3: must be positive or zero",
    impulses::CollisionSphereCylinder::new().ra(0.1).length(1).rb(-1) =>
        "x.rb = -1 m: must be positive or zero",
    t::Fixed::new().s0(f64::NAN) => "x.s0 = NaN m: must be a finite number",
    t::Mass::new().m(-1.0) => "x.m = -1 kg: must be positive or zero",
    t::Mass::new().m(1.0).L(f64::NAN) => "x.L = NaN m: must be a finite number",
    t::Rod::new().L(f64::NAN) => "x.L = NaN m: must be a finite number",
    t::Spring::new().c(-1.0) => "x.c = -1 N/m: must be positive or zero",
    t::Damper::new().d(-1.0) => "x.d = -1 N.s/m: must be positive or zero",
    t::SpringDamper::new().c(-1.0).d(1.0) => "x.c = -1 N/m: must be positive or zero",
    t::ElastoGap::new().c(-1.0).d(1.0) => "x.c = -1 N/m: must be positive or zero",
    t::ElastoGap::new().c(1.0).d(1.0).n(0.5) => "x.n = 0.5: must be at least 1",
    t::ElastoGap::new().c(1.0).d(1.0).s_ref(0.0) => "x.s_ref = 0 m: must be positive",
};

#[test]
fn wrong_parameters_are_refused_with_instance_value_and_unit() {
    for (text, sentence) in REFUSED {
        let message = program(|m| {
            m.add("idle", r::Inertia::new().J(1.0));
            text(m);
        });
        let message = message.err().unwrap_or_else(|| format!("accepted, not: {sentence}"));
        assert!(message.starts_with(sentence), "{message}");
    }
}

/// The smallest value of a parameter that importers see.
fn smallest(model: &Program, name: &str) -> Option<f64> {
    let variables = &model.description().variables;
    match &variables.iter().find(|v| v.name == name).expect(name).kind {
        VariableType::Real { min, .. } => *min,
        kind => panic!("{name}: {kind:?}"),
    }
}

/// The error message for an importer that sets parameters.
fn told(model: &Program, settings: &[(&str, f64)]) -> Option<String> {
    let mut model = simulation_of(model);
    for (name, value) in settings {
        model.set(name, *value).unwrap();
    }
    model.start(None).err().map(|why| why.to_string())
}

#[test]
fn values_that_a_model_text_may_not_have_cannot_be_set() {
    let model = program(|m| {
        let a = m.add("a", r::Inertia::new().J(1.0));
        let gear = m.add("gear", r::IdealGear::new().ratio(2.0));
        let b = m.add("b", r::Inertia::new().J(1.0));
        let set = m.add("set", r::IdealPlanetary::new().ratio(2.0));
        let ring = m.add("ring", r::Inertia::new().J(1.0));
        m.add("mass", rough_mass().smin(-1.0).smax(1.0).L(0.5));
        m.connect(a.flange_b, gear.flange_a);
        m.connect(gear.flange_b, b.flange_a);
        m.connect(b.flange_b, set.sun);
        m.connect(set.ring, ring.flange_a);
    })
    .unwrap();
    assert_eq!(told(&model, &[]), None);
    for (name, value, sentence) in [
        ("gear.ratio", 0.0, "gear.ratio = 0: must not be zero"),
        (
            "set.ratio",
            -1.0,
            "set.ratio = -1: must not be -1, which removes the carrier from the equations",
        ),
        (
            "mass.smin",
            0.75,
            "mass.smin = 0.75 m, mass.smax = 1 m, mass.L = 0.5 m: the distance of the stops \
             must be larger than the length of the mass",
        ),
    ] {
        assert_eq!(told(&model, &[(name, value)]).as_deref(), Some(sentence));
    }
}

#[test]
fn an_inertia_may_be_zero_where_another_one_moves_with_it() {
    let model = program(|m| {
        let a = m.add("a", r::Inertia::new().J(1.0));
        let gear = m.add("gear", r::IdealGear::new().ratio(2.0));
        let b = m.add("b", r::Inertia::new().J(1.0));
        m.add("alone", t::Mass::new().m(1.0));
        m.connect(a.flange_b, gear.flange_a);
        m.connect(gear.flange_b, b.flange_a);
    })
    .unwrap();
    assert_eq!(smallest(&model, "alone.m"), Some(f64::MIN_POSITIVE));
    assert_eq!(smallest(&model, "a.J"), Some(0.0));
    assert_eq!(told(&model, &[("a.J", 0.0)]), None);
    let sentence = "a.J = 0 kg.m2, b.J = 0 kg.m2: nothing with inertia moves with a.flange_a, \
                    a.flange_b, gear.flange_a, gear.flange_b, b.flange_a, b.flange_b";
    assert_eq!(told(&model, &[("a.J", 0.0), ("b.J", 0.0)]).as_deref(), Some(sentence));
}

#[test]
fn an_inertia_of_zero_is_named_with_its_value_and_what_it_leaves_without_inertia() {
    let text = |m: &mut Assembly, default: f64| {
        let inertia = m.parameter("inertia", default, "kg.m2", "Moment of inertia");
        let wheel = m.add("wheel", r::Inertia::new().J(inertia));
        m.add("other", r::Inertia::new().J(1));
        let spring = m.add("spring", r::Spring::new().c(1));
        m.connect(wheel.flange_b, spring.flange_a);
    };
    let sentence = "inertia = 0 kg.m2: nothing with inertia moves with wheel.flange_a, \
                    wheel.flange_b, spring.flange_a";
    let model = program(|m| text(m, 1.0)).expect("the model is sound");
    assert_eq!(told(&model, &[("inertia", 0.0)]).as_deref(), Some(sentence));
    assert_eq!(program(|m| text(m, 0.0)).unwrap_err().to_string(), sentence);
}

#[test]
fn an_algebraic_loop_cannot_be_given_the_gain_one() {
    let model = program(|m| {
        m.add("idle", r::Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
        let u = m.add("u", Constant::new().k(1.0));
        let sum = m.add("sum", Add::new());
        let gain = m.add("gain", Gain::new().k(0.5));
        m.connect(u.y, sum.u1);
        m.connect(gain.y, sum.u2);
        m.connect(sum.y, gain.u);
        m.output("y", sum.y);
    });
    let model = model.expect("the model is sound");
    assert_eq!(told(&model, &[("gain.k", 0.9)]), None);
    let answer = told(&model, &[("gain.k", 1.0)]).expect("it has no solution");
    assert!(answer.starts_with("algebraic loop through sum.y, gain.y: its gain is 1"), "{answer}");
}

#[test]
fn no_body_has_a_negative_principal_moment_of_inertia() {
    let body = |product: f64| {
        program(move |m| {
            let body = mb::Body::new().m(1).r_cm([0; 3]).inertia([0.1; 3]);
            m.add("space", mb::World::new().g(0));
            m.add("x", body.I_21(product).w_0_start(fixed_vector([0.0, 0.0, 1.0])));
        })
    };
    let wrong = "x.I_11 = 0.1 kg.m2, x.I_22 = 0.1 kg.m2, x.I_33 = 0.1 kg.m2, x.I_21 = 0.5 kg.m2: \
                 no body has this inertia tensor, because a principal moment of inertia is negative";
    assert_eq!(body(0.5).err().as_deref(), Some(wrong));
    let sound = body(0.01).expect("the model is sound");
    let start = |product: f64| {
        let mut model = simulation_of(&sound);
        model.set("x.I_21", product).unwrap();
        model.start(None).map_err(|why| why.to_string())
    };
    assert_eq!(start(0.05), Ok(()));
    let message = start(0.5).unwrap_err();
    assert!(message.contains(wrong), "{message}");
}

#[test]
fn bodies_that_break_the_triangle_inequality_are_noted() {
    let of = |body: fn(mb::Body) -> mb::Body| {
        let all = notes(|m| {
            let body = body(mb::Body::new().m(1).r_cm([0; 3]));
            m.add("space", mb::World::new().g(0));
            let rest = fixed_vector([0; 3]);
            let body = body.r_0(rest).v_0(rest).w_0_start(rest);
            m.add("x", body.angles_start(rest));
        });
        assert!(all.len() < 2, "{all:?}");
        all.into_iter().next().unwrap_or_default()
    };
    assert_eq!(
        of(|b| b.inertia([0.5, 0.02, 0.03])),
        "x.I_11 = 0.5 kg.m2, x.I_22 = 0.02 kg.m2, x.I_33 = 0.03 kg.m2: no rigid body has this \
         inertia tensor, because a principal moment of inertia is larger than the sum of the two \
         others"
    );
    let turned = of(|b| b.inertia([0.265, 0.265, 0.03]).I_21(0.23));
    assert!(turned.starts_with("x.I_11 = 0.265 kg.m2"), "{turned}");
    assert_eq!(of(|b| b.inertia([0.01, 0.02, 0.03])), "");
    // Stated values count, also those of the defaults.
    let stated = of(|b| b.inertia([1e-3, 1e-3, 1.0]));
    assert!(
        stated.starts_with("x.I_11 = 0.001 kg.m2, x.I_22 = 0.001 kg.m2, x.I_33 = 1"),
        "{stated}"
    );
    // A product of inertia is legal, if the principal moments are.
    assert_eq!(of(|b| b.inertia([0.02, 0.02, 0.03]).I_21(0.005)), "");
    // Planar models state one moment only.
    assert_eq!(of(|b| b.I_33(0.5)), "");
    assert_eq!(of(|b| b.I_22(0.5)), "");

    let wheel = notes(|m| {
        m.add("ground", mb::World::new());
        m.add("x", mb::RollingWheel::new().radius(0.3).m(2).I_axis(0.1).I_long(0.04));
    });
    assert!(wheel[0].starts_with("x.I_axis = 0.1 kg.m2, x.I_long = 0.04 kg.m2: no rigid body has"));
}
