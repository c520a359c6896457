//! The models of MultiBondLib with impacts: analytic results, energy and momentum.

use crate::common::{energy, run_to, simulate, start, step, value};
use fmu_runtime::Simulation;
use mechanics::Assembly;
use models::{
    bouncing_pendulum, bouncing_spherical, bullet_on_pendulum, cp1, cp2, cue_striking_ball,
    five_ball_cradle, four_bar_loop, impulse_bouncing_ball, mixed_model, newtons_cradle,
    piston_engine, resting_ball,
};

/// The text of a model.
type Text = fn(&mut Assembly);

/// Calls a check of conserved quantities after every event until `end` in s; returns the instants
/// of the events.
fn events(
    text: impl FnOnce(&mut Assembly),
    end: f64,
    mut after: impl FnMut(&mut Simulation),
) -> Vec<f64> {
    let mut model = start(text);
    let mut instants = Vec::new();
    simulate(&mut model, end, |model| {
        instants.push(model.time());
        after(model);
    });
    assert!(!instants.is_empty());
    instants
}

/// The instants at which the first counter in `counters` rises.
fn impacts(text: impl FnOnce(&mut Assembly), end: f64, counter: &str) -> Vec<f64> {
    let (mut count, mut instants) = (0.0, Vec::new());
    events(text, end, |model| {
        let now = value(model, counter);
        if now > count {
            instants.push(model.time());
        }
        count = now;
    });
    instants
}

#[test]
fn elastic_models_keep_their_energy() {
    let all: [(Text, f64); 6] = [
        (mixed_model::model, 5.0),
        (bouncing_pendulum::model, 5.0),
        (bouncing_spherical::model, 2.0),
        (newtons_cradle::model, 1.5),
        (five_ball_cradle::model, 10.0),
        (four_bar_loop::model, 3.0),
    ];
    for (number, (text, end)) in all.into_iter().enumerate() {
        let begin = energy(&mut start(text));
        let count = events(text, end, |model| {
            let gone = energy(model) - begin;
            assert!(gone.abs() < 1e-7, "model {number}: {gone} at {}", model.time());
        });
        assert!(count.len() > 3, "model {number}: {count:?}");
    }
}

#[test]
fn a_pendulum_bounces_with_one_period() {
    let contact = "CollisionSpherePlane1.impacts";
    let t = impacts(bouncing_pendulum::model, 4.0, contact);
    // It falls from rest, and then swings up and down.
    for pair in t.windows(2) {
        assert!((pair[1] - pair[0] - 2.0 * t[0]).abs() < 1e-8, "{t:?}");
    }
    let mut at = start(bouncing_pendulum::model);
    run_to(&mut at, t[0] + 1e-6);
    let sine: f64 = 0.45 / 0.6;
    // The ball falls through 0.45 m; its rod rotates with it.
    let w = -(2.0 * 9.81 * 0.45 / (0.36 + 0.001_f64)).sqrt();
    assert!((value(&mut at, "Revolute1.w") - w).abs() < 2e-5, "{}", value(&mut at, "Revolute1.w"));
    let impulse = 2.0 * 0.361 * w.abs() / (0.6 * (1.0 - sine * sine).sqrt());
    let found = value(&mut at, "CollisionSpherePlane1.impulse");
    assert!((found - impulse).abs() < 1e-7, "{found} {impulse}");
}

#[test]
fn a_bullet_gives_a_pendulum_its_speed() {
    let t = impacts(bullet_on_pendulum::model, 1.0, "CollisionSphereSphere1.impacts");
    assert!(t.len() == 1 && (t[0] - 0.625).abs() < 1e-9, "{t:?}");
    let mut at = start(bullet_on_pendulum::model);
    run_to(&mut at, 1.0);
    let v = value(&mut at, "FreeTranslationalMovement1.v[1]");
    assert!((v + 0.000_499_938).abs() < 1e-9, "{v}");
    let w = value(&mut at, "Revolute2.w");
    assert!((w - 1.999_750_03).abs() < 1e-8, "{w}");
}

#[test]
fn a_row_of_balls_passes_an_impulse_from_end_to_end() {
    let mut hits = 0;
    let w_max = (2.0 * 9.81 * 2.0 * (1.0 - 40_f64.to_radians().cos()) / 4.01).sqrt();
    events(five_ball_cradle::model, 6.0, |model| {
        let count = value(model, "contact1.impacts") as usize;
        if count == hits {
            return;
        }
        hits = count;
        let w: Vec<f64> = (1..=5).map(|k| value(model, &format!("joint{k}.w"))).collect();
        let (moving, sign) = if hits % 2 == 1 { (4, 1.0) } else { (0, -1.0) };
        for (k, w) in w.iter().enumerate() {
            let expected = if k == moving { sign * w_max } else { 0.0 };
            assert!((w - expected).abs() < 1e-6, "hit {hits}, ball {k}: {w} {expected}");
        }
    });
    assert!(hits >= 4, "{hits}");
}

#[test]
fn delayed_friction_is_that_of_multibondlib() {
    let mut at = start(impulse_bouncing_ball::model);
    let mut instants = Vec::new();
    simulate(&mut at, 0.46, |model| instants.push(model.time()));
    let t = (2.0_f64 / 9.81).sqrt();
    assert!((instants[0] - t).abs() < 1e-9, "{instants:?}");
    let (v, slip) = ((2.0_f64 * 9.81).sqrt(), 1440_f64.to_radians() * 0.25);
    assert!((value(&mut at, "CollisionSpherePlane1.impulse") - 2.0 * v).abs() < 1e-8);
    // The normal velocity half a millisecond later contributes to the direction.
    let across = slip / slip.hypot(v - 9.81 * 5e-4);
    let rub = 0.1 * 2.0 * v * across;
    let v_x = value(&mut at, "FreeBodyMovement1.v[1]");
    assert!((v_x - rub).abs() < 1e-7, "{v_x} {rub}");
    let w = value(&mut at, "FreeBodyMovement1.w[3]");
    assert!((w + 1440_f64.to_radians() - 0.25 * rub / 0.04).abs() < 1e-6, "{w}");
}

#[test]
fn a_cue_and_its_ball_keep_their_momenta() {
    // Momentum, and angular momentum about the axis z.
    let momenta = |at: &mut Simulation| {
        let mut sums = [0.0; 3];
        let parts = [("SimpleBody1", 3.0), ("SimpleBody3", 6.0), ("Body1", 4.0)];
        let cue = ["v[1]", "v[2]", "w[3]"].map(|v| value(at, &format!("FreeBodyMovement2.{v}")));
        let origin = [1, 2].map(|k| value(at, &format!("SimpleBody1.frame_a.r_0[{k}]")));
        for (name, m) in parts {
            let r = [1, 2].map(|k| value(at, &format!("{name}.frame_a.r_0[{k}]")));
            let v = if name == "Body1" {
                [1, 2].map(|k| value(at, &format!("Body1.v[{k}]")))
            } else {
                [cue[0] - cue[2] * (r[1] - origin[1]), cue[1] + cue[2] * (r[0] - origin[0])]
            };
            sums[0] += m * v[0];
            sums[1] += m * v[1];
            sums[2] += m * (r[0] * v[1] - r[1] * v[0]);
        }
        sums[2] += (0.02 + 0.2) * cue[2] + 0.02 * value(at, "Body1.w[3]");
        sums
    };
    let before = momenta(&mut start(cue_striking_ball::model));
    let mut count = 0;
    let mut last = f64::INFINITY;
    events(cue_striking_ball::model, 1.0, |model| {
        let now = momenta(model);
        assert!(now.iter().zip(before).all(|(a, b)| (a - b).abs() < 1e-9), "{now:?} {before:?}");
        let energy = energy(model);
        assert!(energy <= last + 1e-12, "{energy} {last}");
        last = energy;
        if count == 0 {
            // The speed after the impact is 0.8 of the approach speed, along the line between the
            // centres.
            let approach = 4.0 * (1.0 - (0.05_f64 / 0.18).powi(2)).sqrt();
            let v_n = value(model, "CollisionSphereSphere1.v_n");
            assert!((v_n - 0.8 * approach).abs() < 1e-7, "{v_n}");
        }
        count += 1;
    });
    assert!(count >= 3 && last < 65.0, "{count} {last}");
}

#[test]
fn bodies_that_attract_and_hit_each_other_keep_momentum_and_energy() {
    let all: [(Text, &str); 2] = [(cp1::model, "FreeTranslationalMovement"), (cp2::model, "Body")];
    for (text, joint) in all {
        let begin = energy(&mut start(text));
        let mut largest: f64 = 0.0;
        let count = events(text, 1.35, |model| {
            for k in 1..=3 {
                let v: Vec<f64> =
                    (1..=5).map(|n| value(model, &format!("{joint}{n}.v[{k}]"))).collect();
                largest = v.iter().fold(largest, |largest, v| largest.max(v.abs()));
                let sum: f64 = v.iter().sum();
                assert!(sum.abs() < 1e-12, "{joint}: {sum} at {}", model.time());
            }
            let lost = energy(model) / begin - 1.0;
            assert!(lost.abs() < 1e-7, "{joint}: {lost} at {}", model.time());
        });
        assert!(count.len() >= 4 && largest > 0.5, "{joint}: {count:?} {largest}");
    }
}

#[test]
fn every_ignition_adds_its_energy() {
    let begin = energy(&mut start(piston_engine::model));
    let mut last = 0.0;
    events(piston_engine::model, 6.0, |model| {
        let now = value(model, "EnergyInjection1.injections");
        let (s, v) = (value(model, "Prismatic1.s"), value(model, "Prismatic1.v"));
        if now > last {
            assert!((s - 0.07).abs() < 1e-9 && v > 0.0, "{s} {v}");
        }
        let gain = energy(model) - begin - 2.0 * now;
        assert!(gain.abs() < 1e-7, "{gain} at {}", model.time());
        last = now;
    });
    assert!(last >= 5.0, "{last}");
}

#[test]
fn a_ball_comes_to_rest_and_rolls() {
    let mut at = start(resting_ball::model);
    let mut last = energy(&mut at);
    let mut rising = (2.0_f64 * 9.81).sqrt();
    let mut count = 0;
    simulate(&mut at, 5.0, |model| {
        let now = energy(model);
        assert!(now <= last + 1e-9, "{now} {last}");
        last = now;
        let hits = value(model, "floor.impacts") as usize;
        if hits > count && hits < 8 {
            rising *= 0.5;
            let v = value(model, "ball.v[2]");
            assert!((v - rising).abs() < 1e-7, "{v} {rising}");
        }
        count = hits;
    });
    assert!(count > 8, "{count}");
    assert_eq!(value(&mut at, "floor.closed"), 1.0);
    assert!((value(&mut at, "floor.f_n") - 9.81).abs() < 1e-7);
    assert!((value(&mut at, "ball.x[2]") - 0.25).abs() < 1e-7);
    // The floor holds the point of contact, which is all that friction takes.
    let v = value(&mut at, "ball.v[1]");
    assert!((v - (1.0 - 1.0 / 3.5)).abs() < 1e-7, "{v}");
    assert!((value(&mut at, "ball.w[3]") + v / 0.25).abs() < 1e-7);
}

#[test]
fn a_loop_is_closed_after_every_impact() {
    let mut at = start(four_bar_loop::model);
    let mut before = f64::NAN;
    for _ in 0..1000 {
        let hits = value(&mut at, "CollisionSpherePlane1.impacts");
        if hits > 0.0 {
            break;
        }
        before = value(&mut at, "Revolute1.w");
        simulate_step(&mut at);
    }
    // One degree of freedom and no loss: the crank turns back as fast as it came.
    let after = value(&mut at, "Revolute1.w");
    assert!((after + before).abs() < 0.05 && before > 1.0, "{before} {after}");
    assert!(value(&mut at, "loops.residual") < 1e-10);
    // The speed of the slider is the derivative of its position.
    let v = value(&mut at, "Prismatic1.v");
    let s = value(&mut at, "Prismatic1.s");
    step(&mut at, 1e-5);
    let moved = (value(&mut at, "Prismatic1.s") - s) / 1e-5;
    assert!((moved - v).abs() < 1e-3 * v.abs() && v.abs() > 0.01, "{moved} {v}");
}

fn simulate_step(at: &mut Simulation) {
    let end = at.time() + 1e-3;
    run_to(at, end);
}
