//! Controllers: how they begin, and limits of their outputs.

use crate::common::{refusal, run_to, start, value};
use libraries::blocks::*;
use libraries::prelude::*;
use mechanics::add;

const INITS: [Init; 4] = [Init::NoInit, Init::SteadyState, Init::InitialState, Init::InitialOutput];

/// The values of variables of a block `part` with a constant input.
fn begins<const N: usize>(
    u: f64,
    part: impl FnOnce(&mut Assembly) -> Input,
    names: [&str; N],
) -> [f64; N] {
    let mut model = start(|m| {
        let u = m.add("u", Constant::new().k(u));
        let input = part(m);
        m.connect(u.y, input);
    });
    names.map(|name| value(&mut model, &format!("part.{name}")))
}

fn near<const N: usize>(found: [f64; N], wanted: [f64; N]) {
    let error = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error < 1e-9, "{found:?}, not {wanted:?}");
}

#[test]
fn a_derivative_begins_as_its_initial_type_says() {
    let wanted = [0.4, 3.0, 0.4, 3.0 - 0.1 * 0.7 / 2.0];
    for (init, x) in INITS.into_iter().zip(wanted) {
        let part = Derivative::new().k(2).T(0.1).x_start(0.4).y_start(0.7).init_type(init);
        let found = begins(3.0, |m| m.add("part", part).u, ["x", "y"]);
        near(found, [x, 20.0 * (3.0 - x)]);
    }
    // Without a gain, the output cannot be chosen.
    let part = Derivative::new().k(0).T(0.1).y_start(0.7).init_type(Init::InitialOutput);
    near(begins(3.0, |m| m.add("part", part).u, ["x", "y"]), [3.0, 0.0]);
    let part = Derivative::new().k(0).T(0.1).init_type(Init::SteadyState);
    near(begins(3.0, |m| m.add("part", part).u, ["x", "y"]), [3.0, 0.0]);
}

#[test]
fn a_pi_controller_begins_with_its_output() {
    let part = PI::new().k(2).T(0.5).y_start(7).init_type(Init::InitialOutput);
    near(begins(3.0, |m| m.add("part", part).u, ["x", "y"]), [0.5, 7.0]);
    let part = PI::new().k(2).T(0.5).x_start(fixed(4)).init_type(Init::InitialState);
    near(begins(3.0, |m| m.add("part", part).u, ["x", "y"]), [4.0, 14.0]);
}

#[test]
fn first_orders_and_integrators_begin_at_their_start_values_or_in_steady_state() {
    for (init, y) in INITS.into_iter().zip([0.4, 6.0, 0.4, 0.4]) {
        let part = FirstOrder::new().k(2).T(0.1).y_start(guess(0.4)).init_type(init);
        near(begins(3.0, |m| m.add("part", part).u, ["y"]), [y]);
        let part = SecondOrder::new().k(2).w(4).D(0.3).y_start(0.4).yd_start(5).init_type(init);
        let yd = if init == Init::SteadyState { 0.0 } else { 5.0 };
        near(begins(3.0, |m| m.add("part", part).u, ["y", "yd"]), [y, yd]);
    }
}

#[test]
fn a_pid_controller_begins_with_its_output_and_a_derivative_part_at_rest() {
    let part = || PID::new().k(2).Ti(0.5).Td(0.1).xi_start(0.3).xd_start(0.2).y_start(7);
    let names = ["I.y", "D.x", "y"];
    let output = part().init_type(Init::InitialOutput);
    near(begins(3.0, |m| m.add("part", output).u, names), [0.5, 3.0, 7.0]);
    let state = part().init_type(Init::InitialState);
    let derivative = 0.1 / 0.01 * (3.0 - 0.2);
    let y = 2.0 * (3.0 + 0.3 + derivative);
    near(begins(3.0, |m| m.add("part", state).u, names), [0.3, 0.2, y]);
    let without = part().Td(0);
    near(begins(3.0, |m| m.add("part", without).u, ["I.y", "y"]), [0.3, 6.6]);
}

/// A controller of a lag whose input is limited, with the wanted value `w`.
fn loop_with(part: LimPID, w: f64) -> impl FnOnce(&mut Assembly) {
    move |m| {
        let lag = FirstOrder::new().T(1).init_type(Init::SteadyState);
        add! { m, wanted: Constant::new().k(w), part: part, lag: lag }
        m.connect(wanted.y, part.u_s);
        m.connect(part.y, lag.u);
        m.connect(lag.y, part.u_m);
    }
}

#[test]
fn a_limited_controller_is_in_steady_state_within_its_limits_and_at_them() {
    let part = || {
        let part = LimPID::new().controller_type(SimpleController::PI).Ti(1);
        part.y_max(1).y_min(0).init_type(Init::SteadyState)
    };
    // At a limit, `u_s - u_m + (y - v) / (k Ni) = 0`.
    let ni = 0.9;
    for (w, y, integral) in
        [(0.5, 0.5, 0.5), (2.0, 1.0, 1.0 + ni * (2.0 - 1.0) - (2.0 - 1.0)), (-1.0, 0.0, 1.0 - ni)]
    {
        let mut model = start(loop_with(part(), w));
        near(["part.y", "lag.y", "part.I.y"].map(|name| value(&mut model, name)), [y, y, integral]);
        run_to(&mut model, 1.0);
        near(["part.y", "lag.y", "part.I.y"].map(|name| value(&mut model, name)), [y, y, integral]);
    }
}

#[test]
fn a_limited_controller_leaves_saturation_without_wind_up() {
    // The set point is out of reach for ten seconds, then it is within reach.
    let response = |ni: f64| {
        let mut model = start(|m| {
            add! { m,
                wanted: Step::new().offset(3).height(-2.5).start_time(10),
                part: LimPID::new().controller_type(SimpleController::PI).Ti(1).y_max(1).Ni(ni),
                lag: FirstOrder::new().T(1),
            }
            m.connect(wanted.y, part.u_s);
            m.connect(part.y, lag.u);
            m.connect(lag.y, part.u_m);
        });
        run_to(&mut model, 9.99);
        assert_eq!(value(&mut model, "part.y"), 1.0);
        run_to(&mut model, 10.01);
        let soon = value(&mut model, "part.y");
        run_to(&mut model, 20.0);
        (soon, value(&mut model, "lag.y"))
    };
    // With the compensation the output leaves the limit at once, and the lag reaches the set point.
    // Without it, both stay where they are.
    let (soon, then) = response(0.9);
    assert!(soon < 0.6 && (then - 0.5).abs() < 1e-3, "{soon} {then}");
    let (soon, then) = response(1e6);
    assert!(soon == 1.0 && then > 0.99, "{soon} {then}");
}

#[test]
fn the_output_of_a_limited_controller_at_the_start_is_that_without_feed_forward_signal() {
    let mut model = start(|m| {
        let part = LimPID::new().k(2).y_max(5).y_start(1.5).kFF(0.5).wp(0.8);
        add! { m,
            one: Constant::new().k(1), three: Constant::new().k(3),
            part: part.init_type(Init::InitialOutput),
        }
        m.connect(three.y, part.u_s);
        m.connect(one.y, part.u_m);
        m.connect(one.y, part.u_ff);
    });
    let names = ["part.y", "part.I.y", "part.D.x", "part.controlError"];
    near(names.map(|name| value(&mut model, name)), [2.0, 0.75 - 1.4, -1.0, 2.0]);
}

#[test]
fn outputs_that_a_limited_controller_cannot_begin_with_are_refused() {
    let part = LimPID::new().y_max(1).y_start(1.5).init_type(Init::InitialOutput);
    let sentence = refusal(loop_with(part, 0.5));
    let wanted = "part.y_start = 1.5, part.yMin = -1, part.yMax = 1: y_start must be within the \
                  limits";
    assert_eq!(sentence, wanted);
    let part = LimPID::new().controller_type(SimpleController::P).y_max(1);
    let sentence = refusal(loop_with(part.init_type(Init::InitialOutput), 0.5));
    let wanted = "part.initType: InitialOutput needs an integral part, which the output determines";
    assert_eq!(sentence, wanted);
}
