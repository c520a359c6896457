//! The operator `delay` and the block with this equation.

use super::{close, refusal, run, traced_fails};

#[test]
fn a_delay_of_a_state_in_its_derivative_gives_polynomials() {
    let mut m = run(
        "model M
          parameter Real T = 1; Real x(start = 1, fixed = true);
        equation
          der(x) = -delay(x, T);
        end M;",
        2.0,
    );
    // 1 - t, and then 1 - t + (t - 1)^2 / 2.
    close(&mut m, "x", -0.5);
}

#[test]
fn a_variable_may_depend_on_its_own_delayed_value() {
    // An echo: y = time + y(t - 1) / 2, and y is 0 before.
    let mut m = run("model M Real y; equation y = time + 0.5 * delay(y, 1); end M;", 2.5);
    close(&mut m, "y", 2.5 + 0.5 * (1.5 + 0.5 * 0.5));
}

#[test]
fn an_echo_that_grows_begins_where_it_repeats_itself() {
    // y = -0.05 before, because -0.05 = 0.1 - 3 * 0.05.
    let mut m = run("model M Real y; equation y = 0.1 + time + 3 * delay(y, 1); end M;", 1.5);
    close(&mut m, "y", 0.1 + 1.5 + 3.0 * (0.1 + 0.5 - 0.15));
}

#[test]
fn delays_are_nested_and_differentiated() {
    let mut m = run(
        "model M
          parameter Real T = 0.25; Real x = time ^ 3; Real y[2] = delay({x, 2 * x}, T);
          Real z = delay(delay(x, T), 2 * T); Real v = der(y[1]);
        end M;",
        2.0,
    );
    for (name, value) in [
        ("y[1]", 1.75_f64.powi(3)),
        ("y[2]", 2.0 * 1.75_f64.powi(3)),
        ("z", 1.25_f64.powi(3)),
        ("v", 3.0 * 1.75 * 1.75),
    ] {
        close(&mut m, name, value);
    }
}

#[test]
fn the_block_of_the_library_is_the_same() {
    let mut m = run(
        "model M
          Modelica.Blocks.Sources.Step step(startTime = 0.1);
          Modelica.Blocks.Nonlinear.FixedDelay late(delayTime = 0.3);
          Real same = delay(step.y, 0.3);
        equation
          connect(step.y, late.u);
        end M;",
        0.39,
    );
    close(&mut m, "late.y", 0.0);
    close(&mut m, "same", 0.0);
    m.run_to(0.41).unwrap();
    close(&mut m, "late.y", 1.0);
    close(&mut m, "same", 1.0);
}

#[test]
fn delay_times_that_vary_or_are_not_positive_are_refused() {
    let varies = refusal("model M Real x; equation x = delay(time, 1 + time, 9); end M;");
    assert!(varies.contains("a delay time that varies is not supported"), "{varies}");
    let negative = refusal("model M Real x; equation x = delay(time, -2); end M;");
    assert!(negative.contains("the delay time is -2 s, but must be positive"), "{negative}");
    let whole = refusal("model M Integer n = 2; Real x; equation x = delay(n, 1); end M;");
    assert!(whole.contains("only a Real is delayed"), "{whole}");
    let parameter = "model M parameter Real T = 0; Real x; equation x = delay(time, T); end M;";
    let why = traced_fails(parameter).expect_err("T is not positive");
    assert!(why.contains("its delay time must be positive"), "{why}");
}

#[test]
fn a_component_of_a_circuit_delays_its_own_voltage() {
    // A conductance in parallel that follows the voltage of the source 0.2 s later.
    let mut m = run(
        "package P
          model Late
            extends Modelica.Electrical.Analog.Interfaces.OnePort;
          equation
            i = 0.5 * delay(v, 0.2);
          end Late;
          model M
            Modelica.Electrical.Analog.Sources.RampVoltage source(V = 4, duration = 1);
            Modelica.Electrical.Analog.Basic.Ground ground;
            Late late;
          equation
            connect(source.p, late.p);
            connect(late.n, source.n);
            connect(source.n, ground.p);
          end M;
        end P;",
        0.7,
    );
    close(&mut m, "late.i", 0.5 * 4.0 * 0.5);
}

#[test]
fn a_delay_has_room_for_all_ticks_within_its_time() {
    let text = |period: &str| {
        format!(
            "model M
              Real x(start = 0, fixed = true); Real y = delay(x, 5); Integer n(start = 0);
            equation
              der(x) = sin(100 * n);
              when sample(0, {period}) then
                n = pre(n) + 1;
              end when;
            end M;"
        )
    };
    // 25 000 ticks, more than the records of a delay without clocks.
    let mut m = run(&text("2e-4"), 6.0);
    let x = m.read("x").unwrap();
    m.run_to(11.0).unwrap();
    close(&mut m, "y", x);
    // There are limits, and the sentence does not speak of what a text has not.
    let mut m = run(&text("1e-6"), 0.0);
    let error = m.run_to(1.0).expect_err("more points than any history has").to_string();
    assert!(error.contains("needs more than 262144 points of its input within 5 s"), "{error}");
    assert!(error.contains("shorten it") && !error.contains("capacity"), "{error}");
}

#[test]
fn an_echo_of_a_jump_at_the_start_begins_with_the_jump() {
    // The step is in effect from the start on, so what is delayed is its value before, too.
    let mut m = run(
        "model M
          Modelica.Blocks.Sources.BooleanStep step(startTime = 0);
          discrete Real u(start = 0, fixed = true); Real y;
        equation
          when {initial(), step.y} then
            u = 4;
          end when;
          y = u + 0.5 * delay(y, 0.1);
        end M;",
        0.0,
    );
    close(&mut m, "y", 8.0);
    m.run_to(0.55).unwrap();
    close(&mut m, "y", 8.0);
}
