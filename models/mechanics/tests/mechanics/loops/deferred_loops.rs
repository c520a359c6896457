//! Loops that neither derivatives nor events need: they are solved where somebody reads them, and
//! followed from step to step.

use crate::common::{run_to, simulation, start, value};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational::{Fixed, Inertia, Position, SpringDamper};
use std::f64::consts::{PI, TAU};

/// A crank of this length, which turns with 1 rad/s, beside an independent oscillator.
fn crank_and_oscillator(m: &mut Assembly, length: f64) -> (Frame, Frame) {
    add! { m,
        world: World::new(),
        angle: Ramp::new().height(40.0).duration(40.0).offset(1.0),
        drive: Position::new().exact(true),
        j1: Revolute::new().n(Z),
        crank: BodyBox::new().r([length, 0.0, 0.0]).width(0.03),
        wall: Fixed::new(),
        spring: SpringDamper::new().c(30.0).d(0.1),
        wheel: Inertia::new().J(0.3).phi(fixed(0.4)).w(fixed(0.0)),
    }
    m.connect(angle.y, drive.phi_ref);
    m.connect(drive.flange, j1.axis);
    m.chain((world.frame_b, j1, crank.frame_a));
    m.chain((wall.flange, spring, wheel.flange_a));
    m.output("swing", wheel.phi);
    (world.frame_b, crank.frame_b)
}

/// A planar four-bar linkage, which is solved in closed form.
fn linkage_and_oscillator(m: &mut Assembly, length: f64) {
    let (world, crank) = crank_and_oscillator(m, length);
    add! { m,
        j2: Revolute::new().n(Z).phi(guess(-0.5)),
        j3: Revolute::new().n(Z).phi(guess(1.9)),
        j4: Spherical::new(),
        rod: BodyBox::new().r([0.9, 0.0, 0.0]).width(0.03),
        rocker: BodyBox::new().r([0.7, 0.0, 0.0]).width(0.03),
        ground: FixedTranslation::new().r([1.0, 0.0, 0.0]),
    }
    m.chain((crank, j2, rod, j4, rocker.frame_b));
    m.chain((world, ground, j3, rocker.frame_a));
    m.output("follower", j3.phi);
}

/// A slider on a line in space, for which Newton's method is needed.
fn slider_and_oscillator(m: &mut Assembly) {
    let (world, crank) = crank_and_oscillator(m, 0.2);
    add! { m,
        ground: FixedTranslation::new().r([0.3, 0.1, 0.2]),
        slide: Prismatic::new().n(X).s(guess(0.6)),
        joint: Universal::new().n_a(Y).n_b(Z),
        rod: BodyBox::new().r([-0.8, 0.0, 0.0]).width(0.03),
        ball: Spherical::new(),
    }
    m.chain((world, ground, slide, joint, rod, ball, crank));
    m.output("follower", slide.s);
}

/// The angle of the rocker for an angle of the crank, both in rad.
fn rocker(crank: f64, phi: f64) -> f64 {
    let (dx, dy) = (crank * phi.cos() - 1.0, crank * phi.sin());
    let reach = dx.hypot(dy);
    let inner = (reach * reach + 0.7 * 0.7 - 0.9 * 0.9) / (2.0 * reach * 0.7);
    dy.atan2(dx) - inner.acos()
}

/// The distance of two angles in rad, whole turns apart.
fn distance(a: f64, b: f64) -> f64 {
    ((a - b + PI).rem_euclid(TAU) - PI).abs()
}

/// The iterations of Newton's method and the steps so far.
fn work(model: &mut Simulation) -> [f64; 3] {
    ["newton_iterations", "steps", "evaluations"]
        .map(|name| value(model, &format!("solver.{name}")))
}

#[test]
fn it_is_solved_once_per_step_and_where_it_is_read() {
    let mut model = start(slider_and_oscillator);
    assert!(model.info().deferred.is_some());
    let [iterations, steps, evaluations] = work(&mut model);
    run_to(&mut model, 1.0);
    let after = work(&mut model);
    let (iterations, steps) = (after[0] - iterations, after[1] - steps);
    assert!(steps > 10.0 && after[2] - evaluations >= 6.0 * steps);
    // In each of the six right-hand sides of a step there would be as many.
    assert!(iterations >= steps && iterations <= 4.0 * steps, "{iterations} in {steps} steps");
    let before = after[0];
    model.derivatives().expect("the oscillator moves");
    assert_eq!(work(&mut model)[0], before, "the oscillator does not need the linkage");
    value(&mut model, "follower");
    assert!(work(&mut model)[0] > before);
}

#[test]
fn it_is_followed_through_whole_turns_whatever_is_read() {
    let mut read_often = start(|m| linkage_and_oscillator(m, 0.3));
    let mut read_at_the_end = start(|m| linkage_and_oscillator(m, 0.3));
    for k in 1..=200 {
        let t = 0.1 * f64::from(k);
        run_to(&mut read_often, t);
        let error = distance(value(&mut read_often, "follower"), rocker(0.3, 1.0 + t));
        assert!(error < 1e-9, "{error} at {t} s");
    }
    run_to(&mut read_at_the_end, 20.0);
    assert_same(&mut read_often, &mut read_at_the_end, &["follower", "j2.w", "drive.tau", "swing"]);
}

#[test]
fn a_loop_that_is_searched_has_the_same_bits_whatever_is_read() {
    let [mut read_often, mut read_at_the_end] = [(); 2].map(|()| start(slider_and_oscillator));
    for k in 1..=200 {
        run_to(&mut read_often, 0.1 * f64::from(k));
        value(&mut read_often, "follower");
    }
    run_to(&mut read_at_the_end, 20.0);
    assert_same(
        &mut read_often,
        &mut read_at_the_end,
        &["follower", "rod.frame_a.r_0[2]", "swing"],
    );
}

/// Asserts that variables have the same bits in both simulations.
fn assert_same(a: &mut Simulation, b: &mut Simulation, names: &[&str]) {
    for name in names {
        let both = [value(a, name), value(b, name)];
        assert_eq!(both[0].to_bits(), both[1].to_bits(), "{name}: {both:?}");
    }
}

#[test]
fn a_restored_state_repeats_it_to_the_bit() {
    let mut model = start(slider_and_oscillator);
    run_to(&mut model, 0.73);
    let kept = model.fmu_state();
    let end = |model: &mut Simulation| {
        run_to(model, 2.1);
        ["follower", "slide.v", "solver.newton_iterations"].map(|name| value(model, name).to_bits())
    };
    let once = end(&mut model);
    model.set_fmu_state(&kept).expect("a state of this model");
    assert_eq!(end(&mut model), once);
}

#[test]
fn a_dead_point_ends_the_simulation_although_no_derivative_needs_the_loop() {
    // The crank reaches over the ground only up to the angle at which rod and rocker are in line.
    let crank: f64 = 0.8;
    let limit = ((crank * crank + 1.0 - 1.6 * 1.6) / (2.0 * crank)).acos();
    let mut model = simulation(|m| linkage_and_oscillator(m, crank)).expect("a sound model");
    model.start(Some(1e-6)).expect("it can be assembled");
    let refused = model.run_to(3.0).expect_err("the loop cannot be closed").to_string();
    assert!(refused.contains("loop"), "{refused}");
    let reached = model.time();
    assert!(reached < limit - 1.0 && reached > limit - 1.0 - 0.05, "{reached} of {}", limit - 1.0);
    assert!(distance(value(&mut model, "follower"), rocker(crank, 1.0 + reached)) < 1e-6);
}
