//! The laws of the bouncing ball, on the interpreted equations.

use equations::{Interpreter, compile_named};
use models::bouncing_ball;

/// A ball with restitution `e` at height `h` with velocity `v`.
fn ball(e: f64, h: f64, v: f64) -> Interpreter {
    let program = compile_named("BouncingBall", "A ball.", bouncing_ball::model).unwrap();
    let mut ball = Interpreter::new(program);
    ball.p[1] = e;
    ball.initialize().unwrap();
    ball.initial = false;
    ball.x = vec![h, v];
    ball.climb().unwrap();
    ball
}

/// Event iterations until nothing changes; relations agree with their residuals in each.
fn handle_event(ball: &mut Interpreter) {
    for _ in 0..10 {
        loop {
            ball.climb().unwrap();
            ball.relations().unwrap();
            let implied: Vec<bool> = ball.d.iter().map(|&d| d > 0.0).collect();
            if implied == ball.r {
                break;
            }
            ball.r = implied;
        }
        let next = ball.event().unwrap();
        if (&next.m, &next.x) == (&ball.m, &ball.x) {
            return;
        }
        ball.m = next.m;
        ball.x = next.x;
    }
    panic!("the event does not end");
}

#[test]
fn a_flying_ball_is_in_free_fall() {
    let mut ball = ball(0.7, 1.0, 3.0);
    handle_event(&mut ball);
    assert_eq!((&ball.x[..], &ball.dx[..]), (&[1.0, 3.0][..], &[3.0, -9.81][..]));
}

#[test]
fn an_impact_reverses_the_velocity_and_takes_its_share() {
    let mut ball = ball(0.7, -1e-10, -4.0);
    handle_event(&mut ball);
    assert_eq!(ball.x, [-1e-10, 0.7 * 4.0]);
    assert_eq!(ball.value_of("resting"), Some(0.0));
}

#[test]
fn a_slow_impact_ends_in_rest() {
    let mut ball = ball(0.7, -1e-10, -0.01);
    handle_event(&mut ball);
    assert_eq!(ball.x, [0.0, 0.0]);
    assert_eq!(ball.dx, [0.0, 0.0]);
    assert_eq!(ball.d, [-1.0, -1.0], "nothing more can happen");
    assert_eq!(ball.value_of("resting"), Some(1.0));
}

#[test]
fn a_ball_below_the_floor_never_moves_down_after_an_event() {
    for e in [0.0, 0.3, 1.0] {
        for v in [-1e-12, -1e-3, -1.0, -100.0] {
            for h in [-1e-3, -1e-10, -1e-15] {
                let mut ball = ball(e, h, v);
                handle_event(&mut ball);
                assert!(ball.x[1] >= 0.0);
                assert!(ball.x[1] > 0.0 || ball.value_of("resting") == Some(1.0));
            }
        }
    }
}
