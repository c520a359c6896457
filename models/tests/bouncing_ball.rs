//! The laws of the bouncing ball, simulated on its tape.

use fmu_runtime::Simulation;
use models::MODELS;
use std::sync::Arc;

/// A ball before its start.
fn ball() -> Simulation {
    let traced = MODELS.model("bouncing_ball").and_then(|model| MODELS.trace(model));
    let tape = Arc::new(
        traced.and_then(|traced| Ok(traced.program()?.taped())).expect("the model is sound"),
    );
    Simulation::of(&tape).expect("no table is in a file")
}

/// A ball with restitution `e` at height `h` with velocity `v`, after the event there.
fn event(ball: &mut Simulation, e: f64, h: f64, v: f64) {
    ball.reset().expect("it may begin again");
    ball.set("e", e).expect("a restitution");
    ball.start(None).expect("initial values");
    ball.move_to(0.0, &[h, v]).expect("any height and velocity");
    ball.run_to(0.0).expect("the event ends");
}

#[test]
fn a_flying_ball_is_in_free_fall() {
    let mut ball = ball();
    event(&mut ball, 0.7, 1.0, 3.0);
    assert_eq!(ball.continuous_states(), [1.0, 3.0]);
    assert_eq!(ball.derivatives().unwrap(), [3.0, -9.81]);
}

#[test]
fn an_impact_reverses_and_reduces_the_velocity() {
    let mut ball = ball();
    event(&mut ball, 0.7, -1e-10, -4.0);
    assert_eq!(ball.continuous_states(), [-1e-10, 0.7 * 4.0]);
    assert_eq!(ball.read("resting"), Ok(0.0));
}

#[test]
fn a_slow_impact_ends_in_rest() {
    let mut ball = ball();
    event(&mut ball, 0.7, -1e-10, -0.01);
    assert_eq!(ball.continuous_states(), [0.0, 0.0]);
    assert_eq!(ball.derivatives().unwrap(), [0.0, 0.0]);
    assert_eq!(ball.read("resting"), Ok(1.0));
    assert_eq!(ball.run_to_event(1e3), Ok(false), "nothing more can happen");
    assert_eq!((ball.time(), ball.continuous_states()), (1e3, &[0.0, 0.0][..]));
}

#[test]
fn a_ball_below_the_floor_never_moves_down_after_an_event() {
    let mut ball = ball();
    for e in [0.0, 0.3, 1.0] {
        for v in [-1e-12, -1e-3, -1.0, -100.0] {
            for h in [-1e-3, -1e-10, -1e-15] {
                event(&mut ball, e, h, v);
                let after = ball.continuous_states()[1];
                assert!(after >= 0.0);
                assert!(after > 0.0 || ball.read("resting") == Ok(1.0));
            }
        }
    }
}
