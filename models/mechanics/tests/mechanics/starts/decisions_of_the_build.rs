//! What the build concludes from parameters is checked again where an importer sets other values.

use crate::common::{TOLERANCE, interpreter_at, program, run_to, simulation, simulation_of, value};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::{rotational, translational};

/// The sentence with which values are refused, or none.
fn answer(text: fn(&mut Assembly), set: &[(&str, f64)]) -> Option<String> {
    let mut model = simulation(text).expect("the model is sound");
    for &(name, value) in set {
        model.set(name, value).unwrap_or_else(|why| panic!("{why}"));
    }
    model.start(Some(TOLERANCE)).err().map(|error| error.to_string())
}

/// A crank-slider whose parts lie beside each other.
fn crank_slider(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        crank_pin: Revolute::new().n(Z).phi(fixed(0.4)).w(fixed(2)).states(Always),
        crank: FixedTranslation::new().r([0.3, 0.0, 0.04]),
        rod_pin: Revolute::new().n(Z).phi(guess(-0.6)),
        rod: FixedTranslation::new().r([0.9, 0.0, 0.02]),
        piston_pin: Revolute::new().n(Z),
        guide: Prismatic::new().n(X).s(guess(1.1)),
        bearing: FixedTranslation::new().r([0.0, 0.0, 0.06]),
        flywheel: Body::new().m(2).r_cm([0; 3]).inertia([0.1; 3]),
        piston: Body::new().m(1).r_cm([0; 3]).inertia([0.01; 3]),
    }
    m.chain((world.frame_b, crank_pin, crank, rod_pin, rod, piston_pin.frame_a));
    m.chain((world.frame_b, bearing, guide, piston_pin.frame_b));
    m.connect(crank_pin.frame_b, flywheel.frame_a);
    m.connect(guide.frame_b, piston.frame_a);
}

#[test]
fn a_planar_loop_whose_parts_no_longer_lie_in_their_planes_is_refused() {
    let refused = answer(crank_slider, &[("rod.r[3]", 0.05)]).expect("a refusal");
    assert!(refused.contains(".gap = 0.03 m: the loop closed by "), "{refused}");
    assert!(refused.contains("rod.r[3]") && refused.contains("bearing.r[3]"), "{refused}");
    let both = [("rod.r[3]", 0.05), ("bearing.r[3]", 0.09)];
    assert_eq!(answer(crank_slider, &both), None);
    assert_eq!(answer(crank_slider, &[("rod.r[1]", 1.2)]), None, "lengths in the plane are free");
}

/// Three shafts joined by three gears in a ring.
fn ring_of_gears(m: &mut Assembly) {
    use rotational::{ConstantTorque, IdealGear, Inertia};
    add! { m,
        drive: ConstantTorque::new().tau_constant(1),
        a: Inertia::new().J(1).phi(fixed(0)).w(fixed(0)),
        b: Inertia::new().J(1),
        c: Inertia::new().J(1),
        ab: IdealGear::new().ratio(2),
        bc: IdealGear::new().ratio(3),
        ac: IdealGear::new().ratio(6),
    }
    m.connect(drive.flange, a.flange_a);
    m.chain((a.flange_b, ab, b, bc, c.flange_a));
    m.chain((a.flange_b, ac, c.flange_a));
}

#[test]
fn ratios_of_a_ring_must_agree_whatever_they_are() {
    for (set, agrees) in [
        (&[("ac.ratio", 5.0)][..], false),
        (&[("ab.ratio", 2.5)], false),
        (&[("ab.ratio", 3.0), ("bc.ratio", 2.0)], true),
        (&[("bc.ratio", 4.0), ("ac.ratio", 8.0)], true),
        (&[("bc.ratio", -4.0), ("ac.ratio", -8.0)], true),
    ] {
        let refused = answer(ring_of_gears, set);
        assert_eq!(refused.is_none(), agrees, "{set:?}: {refused:?}");
        let named = refused.as_ref().is_none_or(|text| {
            text.contains("ab, ac, b, bc: these transmissions form a ring")
                && text.contains("it follows from ")
        });
        assert!(named, "{set:?}: {refused:?}");
    }
}

/// Two rods in a row beside a third one.
fn rods(m: &mut Assembly) {
    use translational::{Mass, Rod};
    add! { m,
        left: Mass::new().m(1).s(fixed(0)).v(fixed(1)),
        middle: Mass::new().m(1),
        right: Mass::new().m(1),
        first: Rod::new().L(0.4),
        second: Rod::new().L(0.3),
        whole: Rod::new().L(0.7),
    }
    m.chain((left.flange_b, first, middle.flange_a));
    m.chain((middle.flange_a, second, right.flange_a));
    m.chain((left.flange_b, whole, right.flange_a));
}

#[test]
fn lengths_of_a_ring_of_rods_must_agree() {
    let refused = answer(rods, &[("second.L", 0.35)]).expect("a refusal");
    assert!(refused.contains(" = -0.05 m: ") || refused.contains(" = 0.05 m: "), "{refused}");
    assert_eq!(answer(rods, &[("second.L", 0.35), ("whole.L", 0.75)]), None);
}

/// A panel on two hinges, each away from its frames.
fn door(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        below: FixedTranslation::new().r([0.5, 0.0, 0.1]),
        above: FixedTranslation::new().r([0.5, 0.0, 1.1]),
        hinge: Revolute::new().n(Z).phi(fixed(0)).w(fixed(0)).states(Always),
        upper: Revolute::new().n(Z),
        panel: FixedTranslation::new().r([0.2, 0.0, 0.3]),
        back: FixedTranslation::new().r([-0.2, 0.0, 0.7]),
        leaf: Body::new().m(10).r_cm([0.4, 0.0, 0.0]).inertia([1; 3]),
    }
    m.chain((world.frame_b, below, hinge, panel, back, upper.frame_b));
    m.chain((world.frame_b, above, upper.frame_a));
    m.connect(panel.frame_b, leaf.frame_a);
}

#[test]
fn a_door_whose_hinges_are_not_on_one_axis_is_refused_although_it_closes_at_the_start() {
    assert_eq!(answer(door, &[("below.r[1]", 0.6), ("above.r[1]", 0.6)]), None);
    let open = answer(door, &[("above.r[3]", 1.2)]).expect("a gap");
    assert!(open.contains(".gap = 0.1 m: the loop closed by "), "{open}");
    // At the start, the two axes are where they must be; they are parallel, 0.1 m apart.
    let apart = answer(door, &[("above.r[1]", 0.6), ("back.r[1]", -0.1)]).expect("a drift");
    assert!(apart.contains("comes apart when it moves"), "{apart}");
}

/// A frame that two paths of rigid parts hold.
fn frame(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        pivot: Revolute::new().n(Z).phi(fixed(0)).w(fixed(1)),
        up: FixedTranslation::new().r([0.0, 0.6, 0.0]),
        along: FixedTranslation::new().r([0.8, 0.0, 0.0]),
        brace: FixedTranslation::new().r([0.8, 0.6, 0.0]),
        load: Body::new().m(3).r_cm([0.1, 0.0, 0.0]).inertia([0.1; 3]),
    }
    m.chain((world.frame_b, pivot, up, along, load.frame_a));
    m.chain((pivot.frame_b, brace, load.frame_a));
}

#[test]
fn a_second_rigid_path_must_lead_to_the_same_place() {
    let notes = program(frame).expect("the model is sound").notes().join("\n");
    assert!(notes.contains("load.frame_a: rigid parts form a loop here"), "{notes}");
    let refused = answer(frame, &[("along.r[1]", 1.0)]).expect("a refusal");
    assert!(refused.contains(".gap = 0.2 m: rigid parts form a loop"), "{refused}");
    assert_eq!(answer(frame, &[("along.r[1]", 1.0), ("brace.r[1]", 1.0)]), None);
}

/// Bennett's linkage: four skew axes that can turn because sin(alpha)/a = sin(beta)/b.
fn bennett(m: &mut Assembly) {
    let twist = |angle: f64| FixedRotation::new().n([1, 0, 0]).angle(angle);
    add! { m,
        world: World::new(),
        j1: Revolute::new().n(Z).phi(fixed(1)).w(fixed(1)).states(Always),
        a1: FixedTranslation::new().r([1.0, 0.0, 0.0]),
        t1: twist(30.0),
        j2: Revolute::new().n(Z).phi(guess(2.53)),
        b1: FixedTranslation::new().r([2.0, 0.0, 0.0]),
        t2: twist(90.0),
        j3: Revolute::new().n(Z).phi(guess(-1)),
        a2: FixedTranslation::new().r([1.0, 0.0, 0.0]),
        t3: twist(30.0),
        j4: Revolute::new().n(Z).phi(guess(-2.53)),
        b2: FixedTranslation::new().r([2.0, 0.0, 0.0]),
        t4: twist(90.0),
        body: Body::new().m(1).r_cm([0.5, 0.0, 0.0]).inertia([0.1; 3]),
    }
    m.chain((world.frame_b, j1, a1, t1, j2, b1, t2));
    m.chain((t2.frame_b, j3, a2, t3, j4, b2, t4, world.frame_b));
    m.connect(j2.frame_b, body.frame_a);
}

#[test]
fn lengths_of_bennetts_linkage_keep_its_ratio_or_are_refused() {
    let scaled = |factor: f64| {
        [
            ("a1.r[1]", factor),
            ("a2.r[1]", factor),
            ("b1.r[1]", 2.0 * factor),
            ("b2.r[1]", 2.0 * factor),
        ]
    };
    assert_eq!(answer(bennett, &scaled(1.7)), None);
    for wrong in [&[("b1.r[1]", 2.1)][..], &[("b1.r[1]", 2.1), ("b2.r[1]", 2.1)]] {
        let refused = answer(bennett, wrong).expect("a refusal");
        assert!(
            refused.contains(".gap = ") && refused.contains(" m: the loop closed by "),
            "{refused}"
        );
    }
}

#[test]
fn a_gap_that_opens_during_the_motion_ends_the_simulation() {
    let program = program(bennett).expect("the model is sound");
    let mut model = simulation_of(&program);
    model.start(Some(TOLERANCE)).expect("the linkage fits");
    let mut interpreter = interpreter_at(&program, &model);
    interpreter.realize().expect("the linkage fits");
    // Past all checks of parameters, two of the bars become longer.
    let long = |p: &&mut f64| **p == 2.0;
    assert_eq!(interpreter.p.iter_mut().filter(long).map(|p| *p = 2.001).count(), 2);
    let why = interpreter.realize().expect_err("a gap");
    assert!(format!("{why:?}").contains("Gap"), "{why:?}");
    assert!(why.residual > 1e-6 && why.residual < 1e-2, "{why:?}");
}

/// Two inertias on one train whose angles are both given.
fn given_twice(m: &mut Assembly) {
    use rotational::{IdealGear, Inertia};
    add! { m,
        motor: Inertia::new().J(1).phi(fixed(0.6)).w(fixed(3)),
        gear: IdealGear::new().ratio(3),
        load: Inertia::new().J(1).phi(fixed(0.2)).w(fixed(1)),
    }
    m.chain((motor, gear, load));
}

#[test]
fn start_values_that_follow_from_each_other_must_agree() {
    for wrong in [("motor.phi", 0.9), ("motor.w", 2.0), ("gear.ratio", 2.0)] {
        let refused = answer(given_twice, &[wrong]).unwrap_or_else(|| panic!("{wrong:?}"));
        assert!(refused.contains("its fixed start value cannot be"), "{refused}");
    }
}

#[test]
fn nothing_is_checked_where_no_parameter_can_matter() {
    // All offsets from the plane are zero, and zeros are fixed.
    let program = program(|m| {
        add! { m,
            world: World::new(),
            a: Revolute::new().n(Z).phi(fixed(0.5)).w(fixed(1)).states(Always),
            b: Revolute::new().n(Z).phi(guess(-0.5)),
            c: Revolute::new().n(Z),
            d: Revolute::new().n(Z),
            crank: FixedTranslation::new().r([0.2, 0.0, 0.0]),
            rod: FixedTranslation::new().r([0.7, 0.0, 0.0]),
            rocker: FixedTranslation::new().r([0.0, 0.5, 0.0]),
            base: FixedTranslation::new().r([0.7, 0.0, 0.0]),
            body: Body::new().m(1).r_cm([0; 3]).inertia([0.1; 3]),
        }
        m.chain((world.frame_b, a, crank, b, rod, c.frame_b));
        m.chain((world.frame_b, base, d, rocker, c.frame_a));
        m.connect(crank.frame_b, body.frame_a);
    });
    let program = program.expect("the model is sound");
    let checked = |name: &str| name.ends_with(".gap") || name.ends_with(".drift");
    let names = program.description().variables.iter().map(|v| v.name.as_str());
    assert_eq!(names.filter(|name| checked(name)).collect::<Vec<_>>(), [""; 0]);
    let mut model = simulation_of(&program);
    model.start(Some(TOLERANCE)).expect("it starts");
    run_to(&mut model, 0.5);
    assert!(value(&mut model, "loops.residual") < 1e-9);
}
