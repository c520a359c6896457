//! Balance of energy through impacts: the energy of the mechanism and the energies that impacts and
//! friction took are together the initial energy plus the supplied one.

use crate::common::{energy, rough_mass, run_to, simulate, simulation, start, value};
use libraries::blocks::BooleanStep;
use libraries::impulses::{CollisionSpherePlane, CollisionSphereSphere, EnergyInjection};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::{rotational, translational};

const LOST: &str = "energy.lost_in_impacts";

/// Simulates, and compares the energy after every event and at the end with that of the start;
/// `losses` are integrals of lost power. Returns the energy that impacts took.
fn balance(text: impl FnOnce(&mut Assembly), losses: &[&str], end: f64) -> f64 {
    let mut model = start(text);
    let all = |model: &mut fmu_runtime::Simulation| {
        let losses: f64 = losses.iter().map(|name| value(model, name)).sum();
        energy(model) + losses + value(model, LOST)
    };
    let begin = all(&mut model);
    let mut worst: f64 = 0.0;
    simulate(&mut model, end, |model| worst = worst.max((all(model) - begin).abs()));
    worst = worst.max((all(&mut model) - begin).abs());
    let size = value(&mut model, LOST);
    assert!(worst < 1e-7 * size, "{worst:e} J of {size} J");
    size
}

/// The integral of a power, as `name.y`.
fn sum(m: &mut Assembly, name: &str, power: Quantity) {
    let sum = m.add(name, Integrator::new().k(1.0));
    m.connect(power, sum.u);
}

#[test]
fn a_bouncing_ball_loses_the_energy_of_its_height_in_impacts() {
    let lost = balance(
        |m| {
            let world = m.add("world", World::new().g(10.0));
            let ball = Body::new().m(2.0).r_cm([0.0; 3]).inertia([0.02; 3]);
            let ball = m.add("ball", ball.r_0(fixed_vector([0.0, 1.1, 0.0])));
            let contact = m.add("contact", CollisionSpherePlane::new().ra(0.1).elasticity(0.6));
            m.connect(ball.frame_a, contact.frame_a);
            m.connect(world.frame_b, contact.frame_b);
        },
        &[],
        4.0,
    );
    assert!((lost - 20.0).abs() < 1e-5, "it has come to rest: {lost}");
}

#[test]
fn a_thrown_ball_loses_energy_in_impacts_and_by_sliding() {
    let text = |m: &mut Assembly| {
        let world = m.add("world", World::new());
        let ball = Body::new().m(1.5).r_cm([0.0; 3]).inertia([0.006; 3]);
        let ball = ball.r_0(fixed_vector([0.0, 0.6, 0.0])).v_0(fixed_vector([3.0, 0.0, 0.5]));
        let ball = m.add("ball", ball.w_0_start(fixed_vector([2.0, -3.0, 40.0])));
        let contact = CollisionSpherePlane::new().ra(0.1).elasticity(0.4).mu_r(0.15);
        let contact = m.add("contact", contact);
        m.connect(ball.frame_a, contact.frame_a);
        m.connect(world.frame_b, contact.frame_b);
        sum(m, "slid", contact.loss_power);
    };
    assert!(balance(text, &["slid.y"], 3.0) > 5.0);
}

#[test]
fn a_linkage_that_hits_a_floor_and_balls_that_hit_each_other_keep_the_balance() {
    let text = |m: &mut Assembly| {
        let world = m.add("world", World::new());
        let lengths = [0.5, 0.8, 0.6];
        let bar = |k: usize| {
            let r = [lengths[k], 0.0, 0.0];
            BodyShape::new().r(r).r_cm(r.map(|c| c / 2.0)).m(1.0).inertia([0.02; 3])
        };
        let a = m.add("a", Revolute::new().n(Z).phi(fixed(1.3)).w(fixed(-4.0)).states(Always));
        let b = m.add("b", Revolute::new().n(Z).phi(guess(-1.0)));
        let d = m.add("d", Revolute::new().n(Z).phi(guess(1.3)));
        let c = m.add("c", RevolutePlanarLoopConstraint::new().n(Z));
        let names = ["crank", "coupler", "rocker"];
        let [crank, coupler, rocker] = [0, 1, 2].map(|k| m.add(names[k], bar(k)));
        let ground = m.add("ground", FixedTranslation::new().r([0.9, 0.0, 0.0]));
        m.connect(world.frame_b, a.frame_a);
        m.connect(a.frame_b, crank.frame_a);
        m.connect(crank.frame_b, b.frame_a);
        m.connect(b.frame_b, coupler.frame_a);
        m.connect(world.frame_b, ground.frame_a);
        m.connect(ground.frame_b, d.frame_a);
        m.connect(d.frame_b, rocker.frame_a);
        m.connect(coupler.frame_b, c.frame_a);
        m.connect(rocker.frame_b, c.frame_b);
        let floor = m.add("floor", FixedTranslation::new().r([0.0, 0.2, 0.0]));
        let contact =
            m.add("contact", CollisionSpherePlane::new().ra(0.05).elasticity(0.5).mu_r(0.3));
        m.connect(world.frame_b, floor.frame_a);
        m.connect(coupler.frame_a, contact.frame_a);
        m.connect(floor.frame_b, contact.frame_b);
        sum(m, "slid", contact.loss_power);
        // A ball that falls on the joint of the coupler.
        let ball = Body::new().m(0.7).r_cm([0.0; 3]).inertia([0.002; 3]);
        let ball = m.add("ball", ball.r_0(fixed_vector([0.1, 1.0, 0.0])));
        let between = CollisionSphereSphere::new().ra(0.1).rb(0.05).elasticity(0.8).mu_r(0.2);
        let between = m.add("between", between);
        m.connect(ball.frame_a, between.frame_a);
        m.connect(crank.frame_b, between.frame_b);
        sum(m, "rubbed", between.loss_power);
    };
    balance(text, &["slid.y", "rubbed.y"], 1.0);
}

/// A mass that hits its right stop, with a spring and another mass behind. If `reversed`, the
/// mirror image.
fn train(reversed: bool, rigid: bool) -> impl FnOnce(&mut Assembly) {
    move |m| {
        let way = if reversed { -1.0 } else { 1.0 };
        let left = rough_mass().m(2.0).smax(0.1).smin(-0.1);
        let left = m.add("left", left.s(fixed(0.0)).v(fixed(way * 1.5)));
        let right = m.add("right", translational::Mass::new().m(1.0));
        if rigid {
            m.connect(left.flange_b, right.flange_a);
        } else {
            let spring = translational::SpringDamper::new().c(50.0).d(3.0).s_rel0(way * 0.3);
            let spring = m.add("spring", spring.s_rel(fixed(0.0)).v_rel(fixed(0.0)));
            m.connect(left.flange_b, spring.flange_a);
            m.connect(spring.flange_b, right.flange_a);
            sum(m, "damped", spring.loss_power);
        }
        sum(m, "rubbed", left.loss_power);
    }
}

#[test]
fn a_mass_that_hits_its_stop_loses_its_energy_and_that_of_what_is_rigidly_connected() {
    for reversed in [false, true] {
        let lost = balance(train(reversed, false), &["damped.y", "rubbed.y"], 1.0);
        let both = balance(train(reversed, true), &["rubbed.y"], 1.0);
        assert!(0.1 < lost && lost < 1.0 && both > 1.0, "{lost} {both}");
    }
}

#[test]
fn a_stop_takes_no_speed_from_a_mass_that_another_impact_throws_off() {
    // A wall with rebound touches the body on the same axis when the mass meets its stop.
    let text = |m: &mut Assembly| {
        let world = m.add("world", World::new().g(0.0));
        let slide = m.add("slide", Prismatic::new().n(X));
        let body = m.add("body", Body::new().m(1.0).r_cm([0.0; 3]));
        let mass = rough_mass().smax(0.5).smin(-1.0);
        let mass = mass.f_prop(0.0).f_coulomb(0.0).f_stribeck(0.0);
        let mass = m.add("mass", mass.s(fixed(0.0)).v(fixed(2.0)));
        let wall = m.add("wall", FixedTranslation::new().r([0.6 + 1e-9, 0.0, 0.0]));
        let ball = CollisionSpherePlane::new().ra(0.1).elasticity(0.8).normal([-1.0, 0.0, 0.0]);
        let ball = m.add("ball", ball);
        m.connect(world.frame_b, slide.frame_a);
        m.connect(slide.frame_b, body.frame_a);
        m.connect(slide.axis, mass.flange_a);
        m.connect(world.frame_b, wall.frame_a);
        m.connect(slide.frame_b, ball.frame_a);
        m.connect(wall.frame_b, ball.frame_b);
    };
    let mut model = start(text);
    let mut stopped = Vec::new();
    simulate(&mut model, 0.4, |model| stopped.push(value(model, "mass.stopped")));
    assert!(stopped.contains(&1.0), "the mass meets its stop: {stopped:?}");
    assert!((value(&mut model, "mass.v") + 1.6).abs() < 1e-9, "{}", value(&mut model, "mass.v"));
    assert!((balance(text, &[], 0.4) - 4.0 * (1.0 - 0.64)).abs() < 1e-9);
}

#[test]
fn a_stop_does_not_change_the_speed_of_what_is_behind_a_spring() {
    for reversed in [false, true] {
        let mut model = start(train(reversed, false));
        let mut before = 0.0;
        while value(&mut model, "left.stopped") == 0.0 {
            before = value(&mut model, "right.v");
            let t = model.time();
            run_to(&mut model, t + 1e-5);
        }
        let (after, own) = (value(&mut model, "right.v"), value(&mut model, "left.v"));
        assert!((after - before).abs() < 1e-3 && own == 0.0, "{before} {after} {own}");
    }
}

#[test]
fn no_impulse_of_a_stop_goes_through_a_clutch_that_holds() {
    let text = |m: &mut Assembly| {
        let rack = m.add("rack", rotational::IdealGearR2T::new().ratio(10.0));
        let mass = rough_mass().m(2.0).smax(0.1);
        let mass = m.add("mass", mass.s(fixed(0.0)).v(fixed(1.5)));
        let clutch = m.add("clutch", rotational::Clutch::new().fn_max(100.0).mu_pos(0.5));
        let press = m.add("press", Constant::new().k(1.0));
        let wheel = m.add("wheel", rotational::Inertia::new().J(0.05));
        m.connect(rack.flange_t, mass.flange_a);
        m.connect(clutch.flange_a, rack.flange_r);
        m.connect(wheel.flange_a, clutch.flange_b);
        m.connect(press.y, clutch.f_normalized);
        sum(m, "slid", clutch.loss_power);
        sum(m, "rubbed", mass.loss_power);
    };
    let lost = balance(text, &["slid.y", "rubbed.y"], 1.0);
    assert!(lost < 1.5 * 1.5, "more than the mass had: {lost} J");
}

#[test]
fn injected_energy_is_no_loss() {
    let text = |m: &mut Assembly| {
        let world = m.add("world", World::new().g(0.0));
        let slide =
            m.add("slide", Prismatic::new().n(X).s(fixed(0.0)).v(fixed(1.0)).states(Always));
        let body = m.add("body", Body::new().m(2.0).r_cm([0.0; 3]).inertia([0.0; 3]));
        let blow = m.add("blow", EnergyInjection::new().energy(3.0));
        let ball = m.add(
            "ball",
            CollisionSpherePlane::new().ra(0.1).elasticity(0.5).normal([-1.0, 0.0, 0.0]),
        );
        let wall = m.add("wall", FixedTranslation::new().r([1.0, 0.0, 0.0]));
        m.connect(world.frame_b, slide.frame_a);
        m.connect(slide.frame_b, body.frame_a);
        m.connect(slide.frame_b, blow.frame_a);
        m.connect(world.frame_b, wall.frame_a);
        m.connect(slide.frame_b, ball.frame_a);
        m.connect(wall.frame_b, ball.frame_b);
        let when = m.add("when", BooleanStep::new().start_time(0.5));
        m.connect(when.y, blow.u);
    };
    let mut model = start(text);
    run_to(&mut model, 0.6);
    assert_eq!(value(&mut model, LOST), 0.0);
    let before = energy(&mut model);
    assert!((before - 4.0).abs() < 1e-12);
    run_to(&mut model, 1.5);
    let (after, lost) = (energy(&mut model), value(&mut model, LOST));
    assert!((value(&mut model, "energy.given_in_impacts") - 3.0).abs() < 1e-12);
    assert!((after + lost - before).abs() < 1e-12 && (lost - 3.0).abs() < 1e-12, "{after} {lost}");
}

#[test]
fn a_drive_of_a_hit_part_supplies_the_missing_energy() {
    // A racket on a driven arm, with a rotor behind a spring on it, and a ball above it.
    let text = |m: &mut Assembly| {
        let world = m.add("world", World::new());
        let joint = m.add("joint", Revolute::new().n(Z));
        let arm =
            BodyShape::new().r([0.6, 0.0, 0.0]).r_cm([0.3, 0.0, 0.0]).m(0.8).inertia([0.02; 3]);
        let arm = m.add("arm", arm);
        let wrist = Revolute::new().n(Z).phi(fixed(0.1)).w(fixed(-0.5)).states(Always);
        let wrist = m.add("wrist", wrist);
        let racket =
            BodyShape::new().r([0.3, 0.0, 0.0]).r_cm([0.2, 0.0, 0.0]).m(0.4).inertia([0.01; 3]);
        let racket = m.add("racket", racket);
        let mounting = m.add("mounting", Mounting1D::new().n(Z));
        let spring = m.add("spring", rotational::SpringDamper::new().c(0.5).d(0.0));
        let rotor = m.add("rotor", Rotor1D::new().J(5e-3).n(Z).phi(fixed(1.0)).w(fixed(9.0)));
        let contact = CollisionSpherePlane::new().ra(0.05).elasticity(0.7).mu_r(0.2);
        let contact = m.add("contact", contact);
        let ball = Body::new().m(0.3).r_cm([0.0; 3]).inertia([0.0003; 3]);
        let ball = m.add("ball", ball.r_0(fixed_vector([0.7, 0.4, 0.0])));
        let drive = rotational::ConstantSpeed::new().w_fixed(0.9);
        let drive = m.add("drive", drive.phi(fixed(-0.2)));
        m.connect(drive.flange, joint.axis);
        m.connect(world.frame_b, joint.frame_a);
        m.connect(joint.frame_b, arm.frame_a);
        m.connect(arm.frame_b, wrist.frame_a);
        m.connect(wrist.frame_b, racket.frame_a);
        m.connect(mounting.flange_b, spring.flange_a);
        m.connect(racket.frame_b, rotor.frame_a);
        m.connect(racket.frame_b, mounting.frame_a);
        m.connect(spring.flange_b, rotor.flange_a);
        m.connect(ball.frame_a, contact.frame_a);
        m.connect(racket.frame_a, contact.frame_b);
        let power = m.add("power", Product::new());
        m.connect(drive.tau, power.u1);
        m.connect(drive.w, power.u2);
        sum(m, "work", power.y);
        sum(m, "slid", contact.loss_power);
    };
    let mut model = start(text);
    let all = |model: &mut fmu_runtime::Simulation| {
        let put_in = value(model, "work.y") + value(model, "energy.given_in_impacts");
        energy(model) + value(model, "slid.y") + value(model, LOST) - put_in
    };
    let begin = all(&mut model);
    run_to(&mut model, 0.5);
    let (impacts, given) =
        (value(&mut model, "contact.impacts"), value(&mut model, "energy.given_in_impacts"));
    let end = all(&mut model);
    assert!(impacts >= 1.0 && given.abs() > 0.05, "{impacts} {given}");
    assert!((end - begin).abs() < 1e-7, "{}", end - begin);
}

#[test]
fn a_model_without_impacts_has_no_loss_in_them() {
    let mut model = simulation(|m| {
        m.add("mass", translational::Mass::new().m(1.0));
    })
    .unwrap();
    assert!(model.read(LOST).is_err());
}
