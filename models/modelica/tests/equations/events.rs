//! Events, initial values and the end of a simulation.

use super::{close, run, simulation};

#[test]
fn assertions_and_terminations_end_a_simulation() {
    let mut m = run(
        "model M
          parameter Real k = 2; Real x(start = 1, fixed = true);
        equation
          der(x) = k;
          assert(k > 1, \"k is too small\");
          when x > 2 then
            terminate(\"it is large\");
          end when;
        end M;",
        0.0,
    );
    m.run_to(1.0).expect_err("it ends before");
    let at_start = "model M Real x(start = 1, fixed = true); equation der(x) = 1; \
        assert(x > 1.5, \"x is too small\"); end M;";
    let refused = simulation(at_start).start(None).expect_err("it cannot start");
    assert!(refused.to_string().contains("x is too small"), "{refused}");
}

#[test]
fn an_algorithm_reads_values_before_the_event() {
    let mut m = run(
        "model M
          discrete Real count(start = 3);
          discrete Real z[2](start = {1, 2});
          Boolean changed(start = false);
        algorithm
          when sample(0, 1) then
            count := pre(count) + 1;
            count := count + pre(count);
            for i in 1:2 loop
              z[i] := pre(z[3 - i]) + i;
            end for;
          end when;
          changed := change(count);
        end M;",
        1.5,
    );
    // 3, then 4 + 3, then 8 + 7.
    for (name, value) in [("count", 15.0), ("z[1]", 1.0 + 1.0 + 2.0), ("z[2]", 2.0 + 2.0 + 1.0)] {
        close(&mut m, name, value);
    }
}

#[test]
fn reinit_gives_speeds_of_components_new_values() {
    let fall = "Modelica.Mechanics.Translational.Components.Mass ball(m = 2, s(start = 1, \
        fixed = true), v(fixed = true)); \
        Modelica.Mechanics.Translational.Sources.ConstantForce weight(f_constant = -16);";
    // It falls for 0.5 s, and rises with half of the speed.
    let text = |more: &str, speed: &str| {
        format!(
            "model M {fall} {more} connect(weight.flange, ball.flange_a); \
             when ball.s < 0 then reinit({speed}, -0.5 * pre({speed})); end when; end M;"
        )
    };
    close(&mut run(&text("equation", "ball.v"), 0.75), "ball.s", 2.0 * 0.25 - 4.0 * 0.0625);
    // The state is the speed of the spring, of which that of the ball is a multiple.
    let spring = "Modelica.Mechanics.Translational.Components.SpringDamper spring(c = 0, d = 0, \
        v_rel(stateSelect = StateSelect.always), s_rel(stateSelect = StateSelect.always)); \
        Modelica.Mechanics.Translational.Components.Fixed fixed; \
        equation connect(fixed.flange, spring.flange_b); connect(spring.flange_a, ball.flange_a);";
    let spring = spring.replace("c = 0", "c = 1e-9");
    close(&mut run(&text(&spring, "ball.v"), 0.75), "ball.s", 2.0 * 0.25 - 4.0 * 0.0625);
    let other = text("equation", "ball.a");
    let failed = std::panic::catch_unwind(|| simulation(&other));
    assert!(failed.is_err(), "an acceleration is no state");
}

#[test]
fn values_before_an_event_are_those_of_smooth_variables_and_of_variables_between_events() {
    let mut m = run(
        "model M
          input Real u(start = 3);
          Real smooth = time ^ 2 + u; Real steps = if time > 1.5 then 1 else 0;
          Real a(start = 0); Real b(start = 0);
        equation
          when sample(1, 1) then
            a = pre(smooth); b = pre(steps) + 10;
          end when;
        end M;",
        1.0,
    );
    close(&mut m, "a", 4.0);
    close(&mut m, "b", 10.0);
    m.run_to(2.0).expect("it runs");
    close(&mut m, "a", 7.0);
    close(&mut m, "b", 11.0);
}

#[test]
fn an_assertion_holds_until_the_event_at_which_it_fails() {
    let text = |assertion: &str| {
        format!("model M Real x(start = 0, fixed = true); equation der(x) = 1; {assertion} end M;")
    };
    for (assertion, told, last) in [
        ("assert(x < 2, \"x is too large\");", "x is too large", 2.0),
        ("assert(x < 2 or x > 3, \"it is between\");", "it is between", 2.0),
        ("when x > 1 then assert(x < 0.5, \"late\"); end when;", "late", 1.0),
    ] {
        let mut m = run(&text(assertion), last - 0.1);
        let failed = m.run_to(4.0).expect_err("the assertion fails");
        assert!(failed.to_string().contains(told), "{failed}");
        assert!((m.time() - last).abs() < 1e-6, "{} s", m.time());
    }
    for assertion in [
        "assert(x < 2, \"x is large\", AssertionLevel.warning);",
        "when x > 1 then assert(x < 1.5, \"late\"); end when;",
    ] {
        let mut m = run(&text(assertion), 4.0);
        close(&mut m, "x", 4.0);
    }
}

#[test]
fn branches_of_if_change_at_events() {
    let mut m = run(
        "model M
          Real x(start = 0, fixed = true); Real y; Boolean late = time >= 1.5;
          parameter Boolean up = true;
        equation
          if time < 1 then
            der(x) = 1;
          elseif up then
            der(x) = -2;
          else
            der(x) = 5;
          end if;
          y = if x > 0.5 then 1 else 0;
        end M;",
        1.1,
    );
    close(&mut m, "x", 0.8);
    close(&mut m, "y", 1.0);
    close(&mut m, "late", 0.0);
    m.run_to(2.0).expect("it runs");
    close(&mut m, "x", -1.0);
    close(&mut m, "late", 1.0);
}

#[test]
fn events_of_when_change_variables_and_states() {
    let mut m = run(
        "model Ball
          Real h(start = 1, fixed = true); Real v(start = 0, fixed = true);
          Integer bounces(start = 0); discrete Real last(start = -1); Boolean high;
          parameter Real e = 0.5;
        equation
          der(h) = v;
          der(v) = -9.81;
          when h <= 0 then
            reinit(v, -e * pre(v));
            bounces = pre(bounces) + 1;
            last = time;
          end when;
          high = bounces >= 1;
        end Ball;",
        0.6,
    );
    let hit = (2.0_f64 / 9.81).sqrt();
    close(&mut m, "bounces", 1.0);
    close(&mut m, "last", hit);
    close(&mut m, "high", 1.0);
    let since = 0.6 - hit;
    close(&mut m, "v", 0.5 * 9.81 * hit - 9.81 * since);
    close(&mut m, "h", 0.5 * 9.81 * hit * since - 0.5 * 9.81 * since * since);
}

#[test]
fn samples_count_from_the_start() {
    let mut m = run(
        "model M
          Integer k(start = 0); discrete Real held(start = 9); Real u = sin(time); Boolean on;
          Boolean rises; Integer rising(start = 0); Boolean large = held > 0.2;
        equation
          when sample(0, 0.25) then
            k = pre(k) + 1;
            held = u;
          end when;
          on = u > 0.5 or pre(on) and u > 0.1;
          rises = edge(on);
          when {on, initial()} then
            rising = pre(rising) + 1;
          end when;
        end M;",
        1.1,
    );
    close(&mut m, "k", 5.0);
    close(&mut m, "held", 1_f64.sin());
    close(&mut m, "on", 1.0);
    close(&mut m, "rising", 2.0);
    close(&mut m, "large", 1.0);
    m.run_to(3.1).expect("it runs");
    close(&mut m, "on", 0.0);
}

#[test]
fn initial_equations_give_values_before_the_first_event() {
    let mut m = run(
        "model M
          parameter Real first = 3; discrete Real y; Integer k; Real u = time + 1; discrete Real held;
        equation
          when sample(0.5, 0.5) then
            y = 2 * pre(y);
            k = pre(k) - 1;
            held = u;
          end when;
        initial equation
          pre(y) = first;
          k = 7;
          held = u;
        end M;",
        0.2,
    );
    for (name, value) in [("y", 3.0), ("k", 7.0), ("held", 1.0)] {
        close(&mut m, name, value);
    }
    m.run_to(1.2).expect("it runs");
    for (name, value) in [("y", 12.0), ("k", 5.0), ("held", 2.0)] {
        close(&mut m, name, value);
    }
}

#[test]
fn whole_parts_change_at_events() {
    let mut m = run(
        "model M
          Real saw = mod(time, 0.3); Real x = 3 * sin(time); Integer n = integer(x); Real r = rem(-x, 2);
          Real area(start = 0, fixed = true);
        equation
          der(area) = floor(4 * time);
        end M;",
        1.0,
    );
    close(&mut m, "saw", 0.1);
    close(&mut m, "n", 2.0);
    close(&mut m, "r", -(3.0 * 1_f64.sin() - 2.0));
    close(&mut m, "area", 0.25 * (1.0 + 2.0 + 3.0));
    m.run_to(4.0).expect("it runs");
    close(&mut m, "n", -3.0);
}

#[test]
fn a_clock_of_a_text_begins_with_the_simulation_and_sample_is_absolute() {
    let text = "model M
          Modelica.Clocked.ClockSignals.Clocks.PeriodicRealClock clock(period = 0.1);
          Modelica.Clocked.RealSignals.Sampler.SampleClocked sample;
          Modelica.Blocks.Sources.ContinuousClock now;
          discrete Real absolute(start = -1, fixed = true);
        equation
          connect(clock.y, sample.clock);
          connect(now.y, sample.u);
          when sample(0, 0.1) then
            absolute = time;
          end when;
        end M;";
    let mut m = simulation(text);
    m.start_at(0.63, None).unwrap();
    close(&mut m, "sample.y", 0.63);
    close(&mut m, "absolute", -1.0);
    m.run_to(0.75).unwrap();
    close(&mut m, "sample.y", 0.73);
    close(&mut m, "absolute", 0.7);
}
