//! Accelerations as initial conditions: of joints in loops, and of free bodies.

use crate::common::linkages::{assert_closed, bar, move_freely};
use crate::common::{notes, refusal, simulation, start, step, value};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational::{ConstantTorque, Inertia};

/// A four-bar linkage in the plane perpendicular to z; `lever` is its first joint, `rocker` the one
/// on the other pivot, and a spring pulls the rocker.
fn four_bars(m: &mut Assembly, lever: Revolute, rocker: Revolute, spring: Spring) {
    let world = m.add("world", World::new());
    let ground = m.add("ground", FixedTranslation::new().r([1.0, 0.0, 0.0]));
    let lever = m.add("lever", lever);
    let j2 = m.add("j2", Revolute::new().n(Z).phi(guess(-0.5)));
    let rocker = m.add("rocker", rocker);
    let b1 = m.add("b1", bar([0.3, 0.0, 0.0], 1.0));
    let b2 = m.add("b2", bar([0.9, 0.0, 0.0], 2.0));
    let b3 = m.add("b3", bar([0.7, 0.0, 0.0], 1.5));
    let last = m.add("last", RevolutePlanarLoopConstraint::new().n(Z));
    let above = m.add("above", FixedTranslation::new().r([0.2, 1.5, 0.0]));
    let spring = m.add("spring", spring);
    m.connect(world.frame_b, ground.frame_a);
    m.connect(world.frame_b, lever.frame_a);
    m.connect(lever.frame_b, b1.frame_a);
    m.connect(b1.frame_b, j2.frame_a);
    m.connect(j2.frame_b, b2.frame_a);
    m.connect(ground.frame_b, rocker.frame_a);
    m.connect(rocker.frame_b, b3.frame_a);
    m.connect(b2.frame_b, last.frame_a);
    m.connect(b3.frame_b, last.frame_b);
    m.connect(world.frame_b, above.frame_a);
    m.connect(above.frame_b, spring.frame_a);
    m.connect(spring.frame_b, b3.frame_b);
}

fn assert_rest(model: &mut fmu_runtime::Simulation, names: &[&str]) {
    let first: Vec<f64> = names.iter().map(|name| value(model, name)).collect();
    step(model, 0.1);
    for (name, first) in names.iter().zip(first) {
        let now = value(model, name);
        assert!((now - first).abs() < 1e-10, "{name}: {first} {now}");
    }
}

#[test]
fn a_position_of_rest_of_a_linkage_is_found_from_either_pivot() {
    let spring = || Spring::new().c(60.0).s_unstretched(0.3);
    let joint = |phi: f64| Revolute::new().n(Z).phi(guess(phi));
    let rest = |phi: f64| joint(phi).w(fixed(0.0)).a(fixed(0.0));
    let mut found = Vec::new();
    for (lever, rocker) in [
        (rest(1.0).states(Always), joint(2.0)),
        // From 2 rad the search ends where lever and rod are in line: the rocker alone rests there.
        (joint(1.0).states(Always), rest(1.7)),
        (joint(1.0), rest(1.7).states(Always)),
    ] {
        let mut model = start(|m| four_bars(m, lever, rocker, spring()));
        found.push(value(&mut model, "lever.phi"));
        assert_rest(&mut model, &["lever.phi", "rocker.phi", "spring.f"]);
    }
    assert!(found.iter().all(|phi| (phi - found[0]).abs() < 1e-9), "{found:?}");
}

#[test]
fn a_start_that_is_found_fulfils_its_conditions_whatever_the_guess() {
    let spring = || Spring::new().c(60.0).s_unstretched(0.3);
    let joint = |phi: f64| Revolute::new().n(Z).phi(guess(phi));
    let rest = |phi: f64| joint(phi).w(fixed(0.0)).a(fixed(0.0));
    let mut found = 0;
    for k in 0..12 {
        let phi = 0.2 * f64::from(k);
        for (name, lever, rocker) in [
            ("lever", rest(phi).states(Always), joint(2.0)),
            ("rocker", joint(1.0).states(Always), rest(1.0 + phi)),
        ] {
            // A guess may lead to no solution, or to a dead point.
            let Ok(mut model) = simulation(|m| four_bars(m, lever, rocker, spring())) else {
                continue;
            };
            if model.start(Some(1e-8)).is_ok() {
                // Where lever and rod are in line, the acceleration of the rocker has a double
                // root, which is found to half of the digits.
                let in_line = value(&mut model, "j2.phi").sin().abs() < 1e-6;
                let most = if in_line { 1e-5 } else { 1e-9 };
                let [w, a] = ["w", "a"].map(|what| value(&mut model, &format!("{name}.{what}")));
                assert!(w.abs() < 1e-9 && a.abs() < most, "{name} from {phi} rad: {w} {a}");
                assert_closed(&mut model);
                found += 1;
            }
        }
    }
    assert!(found >= 12, "{found}");
}

#[test]
fn a_stiffness_is_found_that_keeps_a_linkage_at_rest() {
    let lever = Revolute::new().n(Z).phi(fixed(1.0)).w(fixed(0.0)).a(fixed(0.0)).states(Always);
    let rocker = Revolute::new().n(Z).phi(guess(2.0));
    let spring = Spring::new().c(unknown(30.0)).s_unstretched(0.3);
    let mut model = start(|m| four_bars(m, lever, rocker, spring));
    assert!(value(&mut model, "spring.c") > 1.0);
    assert_rest(&mut model, &["lever.phi", "rocker.phi"]);
}

#[test]
fn a_speed_is_found_with_which_a_linkage_accelerates_as_wanted() {
    let lever = Revolute::new().n(Z).phi(fixed(1.0)).w(guess(4.0)).a(fixed(20.0)).states(Always);
    let rocker = Revolute::new().n(Z).phi(guess(2.0));
    let mut model = start(|m| four_bars(m, lever, rocker, Spring::new().c(60.0)));
    assert!((value(&mut model, "lever.a") - 20.0).abs() < 1e-9);
    assert!(value(&mut model, "lever.w").abs() > 0.1);
    move_freely(&mut model, 0.1, 2.5e-4, |_| ());
}

const INERTIA: [f64; 3] = [0.3, 0.5, 0.4];

#[test]
fn an_angular_velocity_is_found_from_an_angular_acceleration() {
    // Without torque: I z + w x I w = 0.
    let w = [1.0, -2.0, 1.5];
    let [i, j, k] = INERTIA;
    let z = [(j - k) / i * w[1] * w[2], (k - i) / j * w[2] * w[0], (i - j) / k * w[0] * w[1]];
    for quaternions in [true, false] {
        let mut model = start(|m| {
            m.add("world", World::new());
            let body =
                Body::new().m(2.0).r_cm([0.0; 3]).inertia(INERTIA).use_quaternions(quaternions);
            let body = body.angles_start(fixed_vector([0.0; 3])).z_0_start(fixed_vector(z));
            m.add("body", body.w_0_start(guess_vector([1.2, -1.8, 1.3])));
        });
        for n in 1..=3 {
            let w_a = value(&mut model, &format!("body.w_a[{n}]"));
            assert!((w_a - w[n - 1]).abs() < 1e-9, "{n}: {w_a}");
            let z_a = value(&mut model, &format!("body.z_a[{n}]"));
            assert!((z_a - z[n - 1]).abs() < 1e-9, "{n}: {z_a}");
        }
    }
}

/// A plate on four springs whose ends are not symmetric.
fn plate(m: &mut Assembly, body: Body) {
    let world = m.add("world", World::new().n([0.0, 0.0, -1.0]));
    let body = m.add("body", body);
    for (k, [x, y]) in [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].into_iter().enumerate()
    {
        let top =
            m.add(format!("top{k}"), FixedTranslation::new().r([1.5 * x, 1.2 * y + 0.1 * x, 1.0]));
        let corner =
            m.add(format!("corner{k}"), FixedTranslation::new().r([0.5 * x, 0.4 * y, 0.0]));
        let spring = Spring::new().c(200.0 + 30.0 * k as f64).s_unstretched(0.4);
        let spring = m.add(format!("spring{k}"), spring);
        m.connect(world.frame_b, top.frame_a);
        m.connect(body.frame_a, corner.frame_a);
        m.connect(top.frame_b, spring.frame_a);
        m.connect(corner.frame_b, spring.frame_b);
    }
}

#[test]
fn a_position_and_an_orientation_of_rest_are_found() {
    for quaternions in [true, false] {
        let mut model = start(|m| {
            let zero = fixed_vector([0.0; 3]);
            let body = Body::new().m(2.0).r_cm([0.1, 0.05, -0.1]).inertia(INERTIA);
            let body = body.use_quaternions(quaternions).r_0(guess_vector([0.0, 0.0, 0.2]));
            plate(m, body.v_0(zero).a_0(zero).w_0_start(zero).z_0_start(zero));
        });
        for k in 1..=3 {
            for name in ["a_0", "z_a", "v_0", "w_a"] {
                let left = value(&mut model, &format!("body.{name}[{k}]"));
                assert!(left.abs() < 1e-9, "{name}[{k}]: {left:e}");
            }
        }
        assert_rest(&mut model, &["body.r_0[1]", "body.r_0[2]", "body.r_0[3]", "spring0.f"]);
    }
}

#[test]
fn initial_accelerations_that_determine_nothing_are_refused_by_name() {
    let zero = fixed_vector([0.0; 3]);
    let body = || Body::new().m(2.0).r_cm([0.0; 3]).inertia(INERTIA).z_0_start(zero);
    // Nothing depends on the orientation.
    let free = refusal(|m| {
        m.add("world", World::new());
        m.add("body", body());
    });
    assert!(free.contains("body") && free.contains("initial acceleration"), "{free}");
    // All start values are fixed already.
    let fixed_already = refusal(|m| {
        m.add("world", World::new());
        m.add("body", body().angles_start(zero).w_0_start(zero));
    });
    assert!(fixed_already.contains("body") && fixed_already.contains("one too many"));
    // The body is held by a joint.
    let held = refusal(|m| {
        let world = m.add("world", World::new());
        let joint = m.add("joint", Revolute::new().n(Z));
        let body = m.add("body", body());
        m.connect(world.frame_b, joint.frame_a);
        m.connect(joint.frame_b, body.frame_a);
    });
    assert!(held.contains("body.") && held.contains("other joints hold"), "{held}");
    // A spring whose force does not change along a straight line.
    let pulled = refusal(|m| {
        let world = m.add("world", World::new().n(X));
        let slide = Prismatic::new().n(X).s(guess(1.0)).v(fixed(0.0)).a(fixed(3.0));
        let slide = m.add("slide", slide);
        let mass = m.add("mass", Body::new().m(1.0).r_cm([0.0; 3]));
        m.connect(world.frame_b, slide.frame_a);
        m.connect(slide.frame_b, mass.frame_a);
    });
    assert!(pulled.contains("slide") && pulled.contains("acceleration"), "{pulled}");
    // Both pivots of a linkage with one degree of freedom.
    let joint = |phi: f64| Revolute::new().n(Z).phi(guess(phi)).w(guess(0.0)).a(fixed(0.0));
    let both = refusal(|m| four_bars(m, joint(1.0), joint(2.0), Spring::new().c(60.0)));
    assert!(both.contains("initial accelerations") && both.contains("rocker.phi"), "{both}");
}

/// A body that hangs on a spring at its centre of mass. Its start values are those of the published
/// model ModelicaTest.MultiBody.Joints.FreeMotionScalarInit4.
fn hanging(m: &mut Assembly) {
    let (zero, angle) = (fixed_vector([0.0; 3]), std::f64::consts::FRAC_PI_4);
    let at_rest = FreeMotionScalarInit::new()
        .r_rel_a(guess_vector([0.5, 0.4, 0.0]))
        .v_rel_a(zero)
        .a_rel_a(zero)
        .angle(guess_vector([angle; 3]))
        .angle_d(zero)
        .angle_dd(zero);
    add! { m,
        world: World::new(),
        at_rest: at_rest.r_rel_a_states([Always; 3]).angle_states([Always; 3]),
        body: Body::new().m(1).r_cm([0; 3]),
        spring: Spring::new().c(100),
    }
    m.chain((world.frame_b, at_rest, body.frame_a));
    m.chain((world.frame_b, spring, body.frame_a));
}

#[test]
fn an_initial_acceleration_may_follow_from_what_is_fixed() {
    let mut model = start(hanging);
    for (name, want) in [("r_rel_a_1", 0.0), ("r_rel_a_2", -0.0980665), ("r_rel_a_3", 0.0)] {
        let have = value(&mut model, &format!("at_rest.{name}"));
        assert!((have - want).abs() < 1e-12, "{name}: {have}");
    }
    for k in 1..=3 {
        let angle = value(&mut model, &format!("at_rest.angle_{k}"));
        assert_eq!(angle, std::f64::consts::FRAC_PI_4, "the guess");
    }
    let all = notes(hanging);
    let note =
        "at_rest: the initial acceleration follows from what is fixed, and determines nothing";
    assert!(all.iter().any(|one| one == note), "{all:?}");
}

#[test]
fn an_initial_acceleration_that_follows_is_checked_for_the_values_of_an_importer() {
    let mut model = simulation(|m| {
        add! { m,
            drive: ConstantTorque::new().tau_constant(6),
            wheel: Inertia::new().J(2).phi(fixed(0)).w(fixed(0)).a(fixed(3)),
        }
        m.connect(drive.flange, wheel.flange_a);
    });
    let mut start = |tau: f64| {
        let model = model.as_mut().unwrap();
        model.reset().unwrap();
        model.set("drive.tau_constant", tau).unwrap();
        model.start(None).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(start(6.0), "");
    let message = start(5.0);
    let why = "wheel: the initial acceleration depends on no initial value that is free";
    assert!(message.contains(why), "{message}");
}
