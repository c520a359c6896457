//! Guesses about bodies that loops hold.

use crate::common::linkages::two_bars;
use crate::common::{notes, refusal, start, value, vector};
use libraries::multibody::*;
use libraries::prelude::*;

/// A point on a circle in a horizontal plane; `angle` in deg.
fn at(radius: f64, angle: f64, height: f64) -> [f64; 3] {
    let (sin, cos) = angle.to_radians().sin_cos();
    [radius * cos, height, radius * sin]
}

/// A platform on six legs of fixed length, each between a universal and a spherical joint; it fits
/// at the height 0.8 m, above the ground and below.
fn hexapod(m: &mut Assembly, platform: Body) {
    let world = m.add("world", World::new());
    let platform = m.add("platform", platform);
    for k in 0..6 {
        let n = |local: &str| format!("leg{}.{local}", k + 1);
        let (pair, side) = (f64::from(k / 2), if k % 2 == 0 { -1.0 } else { 1.0 });
        let foot = at(0.9, 120.0 * pair + side * 12.0, 0.0);
        let head = at(0.5, 120.0 * pair + side * 47.0, 0.0);
        let d = [head[0] - foot[0], 0.8, head[2] - foot[2]];
        let length = d.iter().map(|x| x * x).sum::<f64>().sqrt();
        let base = m.add(n("base"), FixedTranslation::new().r(foot));
        let universal = m.add(n("universal"), Universal::new().n_a(X).n_b(Z));
        let rod = BodyShape::new().r([0.0, length, 0.0]).r_cm([0.0, length / 2.0, 0.0]).m(1.0);
        let rod = m.add(n("rod"), rod.inertia([0.05, 0.001, 0.05]));
        let slide = m.add(n("slide"), Prismatic::new().n(Y));
        let hold = m.add(n("hold"), libraries::translational::SpringDamper::new().c(1e5).d(1e3));
        let ball = m.add(n("ball"), Spherical::new());
        let corner = m.add(n("corner"), FixedTranslation::new().r(head));
        m.connect(world.frame_b, base.frame_a);
        m.connect(base.frame_b, universal.frame_a);
        m.connect(universal.frame_b, rod.frame_a);
        m.connect(rod.frame_b, slide.frame_a);
        m.connect(slide.frame_b, ball.frame_a);
        m.connect(slide.support, hold.flange_a);
        m.connect(hold.flange_b, slide.axis);
        m.connect(ball.frame_b, corner.frame_b);
        m.connect(platform.frame_a, corner.frame_a);
    }
}

fn platform() -> Body {
    Body::new().m(15.0).r_cm([0.0; 3]).inertia([0.8, 1.5, 0.8])
}

#[test]
fn a_platform_starts_near_the_guess_about_its_pose() {
    for height in [0.8, -0.8] {
        let pose = [guess(0.0), guess(height), guess(0.0)];
        let body = platform().r_0(pose).angles_start(guess_vector([0.0; 3]));
        let mut model = start(|m| hexapod(m, body));
        let r_0 = vector(&mut model, "platform.r_0");
        assert!((r_0 - nalgebra::Vector3::new(0.0, height, 0.0)).norm() < 1e-6, "{r_0}");
    }
}

#[test]
fn a_guess_about_the_joint_that_closes_a_loop_selects_how_it_is_assembled() {
    // Both bars lie on one line at first, from where neither way leads to the other pivot.
    let turned = 2.0 * 0.6_f64.asin();
    for sign in [1.0, -1.0] {
        let pin = Revolute::new().n(Z).phi(guess(sign * 1.0));
        let mut model =
            start(|m| two_bars(m, [Revolute::new().n(Z), Revolute::new().n(Z), pin], 1.2));
        assert!((value(&mut model, "pin.phi") - sign * turned).abs() < 1e-9);
        assert!(value(&mut model, "loops.residual") < 1e-12);
    }
}

#[test]
fn a_loop_is_closed_from_other_places_than_that_of_the_text_and_this_is_noted() {
    // Both bars lie on one line at first.
    let free = || Revolute::new().n(Z);
    let text = |m: &mut Assembly| two_bars(m, [free(), free(), free()], 1.2);
    let all = notes(text);
    let note = all
        .iter()
        .find(|note| note.starts_with("pin: from its start values the loop does not close"))
        .unwrap();
    for name in ["left.phi = ", "right.phi = ", " rad", "guesses"] {
        assert!(note.contains(name), "{note}");
    }
    let mut model = start(text);
    assert!(value(&mut model, "loops.residual") < 1e-12);
    assert!((value(&mut model, "pin.phi").abs() - 2.0 * 0.6_f64.asin()).abs() < 1e-9);
    let guessed = |m: &mut Assembly| {
        two_bars(m, [free().phi(guess(0.9)), free().phi(guess(2.2)), free()], 1.2);
    };
    assert!(notes(guessed).iter().all(|note| !note.contains("does not close")));
}

#[test]
fn a_loop_that_cannot_be_closed_names_the_start_values_that_would_help() {
    let message = refusal(|m| two_bars(m, [0; 3].map(|_| Revolute::new().n(Z)), 2.2));
    assert!(
        message.starts_with("pin: the loop cannot be closed from the start values"),
        "{message}"
    );
    let help = " m remains, along [1.00, 0.00, 0.00] of the world; check the lengths, or give \
                guesses near the wanted position for the pose of a, the pose of b, left.phi, right.phi";
    assert!(message.ends_with(help), "{message}");

    let given = Revolute::new().n(Z).phi(guess(0.4));
    let message =
        refusal(|m| two_bars(m, [given, Revolute::new().n(Z), Revolute::new().n(Z)], 5.0));
    assert!(message.contains("right.phi") && !message.contains("left.phi"), "{message}");

    let fixed = Revolute::new().n(Z).phi(fixed(0.4));
    let message =
        refusal(|m| two_bars(m, [fixed, Revolute::new().n(Z), Revolute::new().n(Z)], 5.0));
    let sentence = "pin: the loop cannot be closed from the start values, even without the fixed \
                    start value left.phi = 0.4 rad: a gap of ";
    assert!(message.starts_with(sentence), "{message}");
}

#[test]
fn a_start_value_of_zero_is_given_like_any_other() {
    let bars = |left: libraries::impulses::Revolute| {
        refusal(|m| {
            let world = m.add("world", World::new());
            let across = m.add("across", FixedTranslation::new().r([2.2, 0.0, 0.0]));
            let free = libraries::impulses::Revolute::new();
            let [left, right] = [m.add("left", left), m.add("right", free)];
            let bar = || BodyShape::new().r([1.0, 0.0, 0.0]).r_cm([0.5, 0.0, 0.0]).m(1.0);
            let [a, b] = [m.add("a", bar()), m.add("b", bar())];
            let pin = m.add("pin", Revolute::new().n(Z));
            m.connect(world.frame_b, left.frame_a);
            m.connect(world.frame_b, across.frame_a);
            m.connect(across.frame_b, right.frame_a);
            m.connect(left.frame_b, a.frame_a);
            m.connect(right.frame_b, b.frame_a);
            m.connect(a.frame_b, pin.frame_a);
            m.connect(pin.frame_b, b.frame_b);
        })
    };
    let open = bars(Default::default());
    assert!(open.ends_with("left.phi, right.phi"), "{open}");
    let given = bars(libraries::impulses::Revolute::new().phi_start(0.0));
    assert!(given.ends_with("right.phi") && !given.contains("left.phi"), "{given}");
}
