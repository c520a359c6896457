//! Blocks with the equations of the standard library's blocks.

use super::{close, run};

/// A library of one's own with the name of a block that Coupler declares.
const LIBRARY: &str = "package Modelica
  package Blocks
    package Math
      block Gain
        parameter Real k; parameter Real exponent = 1;
        parameter Boolean use_offset = false;
        input Real u; output Real y;
        input Real offset if use_offset;
      protected
        Real added;
      equation
        if use_offset then added = offset; else added = 0; end if;
        y = k * u ^ exponent + added;
      end Gain;
    end Math;
  end Blocks;
end Modelica;";

#[test]
fn the_text_of_a_block_is_read_if_its_declaration_knows_less() {
    let mut m = run(
        &format!(
            "{LIBRARY}
            model M
              import Modelica.Blocks.Math.Gain;
              block Twice extends Gain(k = 2); Real half = y / 2; end Twice;
              parameter Real k = 3;
              Gain plain(k = k); Gain square(k = k, exponent = 2); Gain moved(k = k, use_offset = true);
              Gain unit(k(unit = \"s\") = k); Twice twice;
            equation
              plain.u = time; square.u = time; unit.u = time; twice.u = time;
              moved.u = time; moved.offset = 10;
            end M;"
        ),
        2.0,
    );
    for (name, value) in [
        ("plain.y", 6.0),
        ("square.y", 12.0),
        ("moved.y", 16.0),
        ("unit.y", 6.0),
        ("twice.half", 2.0),
    ] {
        close(&mut m, name, value);
    }
}

#[test]
fn the_text_of_a_block_is_read_for_parts_that_its_declaration_does_not_have() {
    // An equation determines one variable only, so the text of the part alone gives no value.
    let part = "block Part
         input Real u; output Real y; discrete Real last(start = 0, fixed = true);
       equation
         when time >= 1 then last = 2 * u; end when;
         y = last;
       end Part;
       Part part;
       input Real offset if use_offset;";
    let text = LIBRARY.replace("input Real offset if use_offset;", part);
    let text = text.replace("y = k * u ^ exponent + added;", "part.u = u; y = part.y + added;");
    let model = "model M
         Modelica.Blocks.Math.Gain gain(k = 3); Real read = gain.part.y;
       equation
         gain.u = 5;
       end M;";
    let mut m = run(&format!("{text} {model}"), 2.0);
    close(&mut m, "read", 10.0);
    close(&mut m, "gain.y", 10.0);
}

#[test]
fn a_block_of_the_library_is_a_model_with_inputs() {
    let text = LIBRARY.replace("parameter Real k;", "parameter Real k = 3;");
    let mut m = run(&format!("{text} model M extends Modelica.Blocks.Math.Gain; end M;"), 0.0);
    m.set("u", 5.0).expect("it is an input");
    m.run_to(1.0).expect("it can be simulated");
    close(&mut m, "y", 15.0);
}

#[test]
fn initial_equations_determine_parameters() {
    let mut m = run(
        "package P
          function pair input Real x; output Real a; output Real b;
          algorithm a := x; b := 2 * x; end pair;
          block Mean
            parameter Real f = 2; input Real u; output Real y;
          protected
            parameter Real t0(fixed = false);
            parameter Real period = 1 / f + 0 * t0;
            Real x; discrete Real mean;
          initial equation
            t0 = time; x = 0; mean = -1;
          equation
            der(x) = u;
            when sample(t0 + period, 1 / f) then mean = f * pre(x); reinit(x, 0); end when;
            y = mean;
          end Mean;
          model M
            parameter Real k = 3;
            parameter Real a(fixed = false); parameter Real b(fixed = false);
            parameter Real c[2](each fixed = false); parameter Integer n = 2;
            parameter Real first(fixed = false); parameter Real start[n](each fixed = false);
            Real w(start = 4, fixed = true); Real v = first + time; Real sum = a + b + c[1] + c[2];
            Mean mean(u = time);
          initial equation
            (a, b) = pair(k);
            if n == 2 then c = {k, 4}; else c = {0, 0}; end if;
            first = w + 1;
            for i in 1:n loop start[i] = i * w; end for;
          equation
            der(w) = start[2];
          end M;
        end P;",
        1.2,
    );
    // From 0.5 to 1, the mean of time is 0.75.
    for (name, value) in
        [("sum", 3.0 + 6.0 + 3.0 + 4.0), ("v", 6.2), ("w", 4.0 + 8.0 * 1.2), ("mean.y", 0.75)]
    {
        close(&mut m, name, value);
    }
}

#[test]
fn initial_equations_are_solved_for_states() {
    let mut m = run(
        "model M
          Real x(start = 1); Real v; Real y; Real z(start = 0); output Real out;
        equation
          der(x) = v; der(v) = -4 * x - v; y = 2 * x + v + time; der(z) = y - 3 * z; out = z ^ 2 + 3 * z;
        initial equation
          y = 5; der(v) = -9; out = 10;
        end M;",
        0.0,
    );
    // 2 x + v = 5 and 4 x + v = 9.
    for (name, value) in [("x", 2.0), ("v", 1.0), ("z", 2.0)] {
        close(&mut m, name, value);
    }
    let sentence = "the initial equation";
    let text = "model M Real x(start = 1, fixed = true); Real y; equation der(x) = -x; y = 2 * x; \
        initial equation y = 5; end M;";
    let Err(error) = super::traced_fails(text) else { panic!("nothing is free") };
    assert!(error.contains(sentence), "{error}");
}

#[test]
fn initial_algorithms_give_values_at_the_start() {
    let mut m = run(
        "block Saw
          parameter Real period = 0.5; parameter Real t0 = -1.2;
          parameter Real offset(fixed = false);
          Real begin; Integer count; discrete Real height; output Real y;
        initial algorithm
          count := integer((time - t0) / period);
          begin := t0;
          begin := begin + count * period;
          offset := if count > 1 then 10 else 20;
          height := 1;
        equation
          when time >= (pre(count) + 1) * period + t0 then
            count = pre(count) + 1; begin = time; height = pre(height) * 2;
          end when;
          y = offset + height * (time - begin);
        end Saw;",
        0.4,
    );
    // It begins anew at 0.3, for the first time.
    for (name, value) in [("count", 3.0), ("begin", 0.3), ("y", 10.2)] {
        close(&mut m, name, value);
    }
}

#[test]
fn units_that_are_not_known_are_numbers() {
    let mut m = run(
        "model M parameter Real r(unit = \"dB\") = 3; Real y(unit = \"dB/s\") = 2 * r; end M;",
        0.0,
    );
    close(&mut m, "y", 6.0);
}

#[test]
fn variables_choose_elements_of_arrays() {
    let mut m = run(
        "package P
          block Gain parameter Real k; input Real u; output Real y; equation y = k * u; end Gain;
          model M
            parameter Real table[3, 2] = [0, 1; 1, 3; 2, 7];
            Integer row(start = 1, fixed = true); Real x[3] = {time, 2 * time, 3 * time};
            Gain gains[3](k = {10, 20, 30}, each u = time);
            Real slope; Real chosen; Real of_gain; Real kept[3]; Real squares[2];
          equation
            when time >= table[pre(row) + 1, 1] then row = pre(row) + 1; end when;
            slope = (table[row + 1, 2] - table[row, 2]) / (table[row + 1, 1] - table[row, 1]);
            chosen = x[row];
            of_gain = gains[row].y;
          algorithm
            kept := {0, 0, 0};
            kept[row] := time;
            squares := x[{1, 3}] .^ 2;
          end M;
        end P;",
        1.5,
    );
    for (name, value) in [
        ("row", 2.0),
        ("slope", 4.0),
        ("chosen", 3.0),
        ("of_gain", 30.0),
        ("kept[1]", 0.0),
        ("kept[2]", 1.5),
        ("squares[2]", 20.25),
    ] {
        close(&mut m, name, value);
    }
    let text = "model M Integer i(start = 1, fixed = true); Real x[2] = {time, 1}; Real y = x[i]; \
        equation when time > 0.5 then i = 3; end when; end M;";
    let mut m = super::simulation(text);
    m.start(None).expect("the subscript is 1 at the start");
    let error = m.run_to(1.0).expect_err("there is no third element").to_string();
    assert!(error.contains("the subscript i is not from 1 to 2"), "{error}");
    let sentence = "a subscript must be an Integer";
    let of_real = super::refusal("model M Real x[2] = {time, 1}; Real y = x[time]; end M;");
    assert!(of_real.contains(sentence), "{of_real}");
}

#[test]
fn loops_end_where_variables_say() {
    let mut m = run(
        "package P
          function first input Boolean b[:]; output Integer index;
          algorithm
            index := 0;
            for i in 1:size(b, 1) loop
              if b[i] then index := i; return; end if;
            end for;
            index := -1;
          end first;
          function until input Real x[:]; input Real limit; output Real sum; output Integer n;
          algorithm
            sum := 0; n := 0;
            for i in 1:size(x, 1) loop
              if sum + x[i] > limit then break; end if;
              sum := sum + x[i];
              n := n + 1;
            end for;
            sum := 2 * sum;
          end until;
          model M
            Boolean b[3] = {time > 2, time > 1, time > 0.5}; Integer i = first(b);
            Boolean none[2] = {time > 5, time > 6}; Integer j = first(none);
            Real sum; Integer n; Boolean all_true = min(b); Boolean any_true = max(b);
          equation
            (sum, n) = until({time, 1, time}, 2.6);
          end M;
        end P;",
        1.5,
    );
    for (name, value) in
        [("i", 2.0), ("j", -1.0), ("sum", 5.0), ("n", 2.0), ("all_true", 0.0), ("any_true", 1.0)]
    {
        close(&mut m, name, value);
    }
    let text = "package P function f input Real x; output Real y; algorithm y := x; \
        while y > 1 loop y := y / 2; end while; end f; \
        model M Real y = f(time); end M; end P;";
    let sentence = "the condition of a `while` loop depends on variables";
    assert!(super::refusal(text).contains(sentence));
}

#[test]
fn declarations_give_equations_for_inputs() {
    let mut m = run(
        "model M
          Modelica.Mechanics.Rotational.Components.Inertia j(J = 2, w(start = 3, fixed = true));
          parameter Real d = 4;
          Modelica.Mechanics.Rotational.Sources.Torque brake(tau = -d * j.w);
          input Real given[2] = {j.w, 2}; output Real sum = given[1] + given[2];
        equation
          connect(brake.flange, j.flange_a);
        end M;",
        0.5,
    );
    close(&mut m, "j.w", 3.0 * (-1_f64).exp());
    close(&mut m, "sum", 2.0 + 3.0 * (-1_f64).exp());
}

#[test]
fn derivatives_of_derivatives_are_those_of_expressions() {
    let mut m = run(
        "model M
          parameter Real k = 3; Real a = 2 * k; Real b = a + 1; Real s; Real v; Real w; Real j;
        equation
          s = if time < 1 then a * time ^ 3 else b * time ^ 4 - time;
          v = der(s); w = der(v); j = der(w);
        end M;",
        0.5,
    );
    for (name, value) in [("v", 6.0 * 0.75), ("w", 6.0 * 3.0), ("j", 36.0)] {
        close(&mut m, name, value);
    }
    m.run_to(2.0).expect("it goes on");
    for (name, value) in [("v", 7.0 * 32.0 - 1.0), ("w", 7.0 * 48.0), ("j", 7.0 * 48.0)] {
        close(&mut m, name, value);
    }
    let cycle = "model M Real x(start = 1); Real y; Real z; equation der(x) = der(y) + 1; \
        y = sin(der(x)) + time; z = der(der(y)); end M;";
    assert!(super::refusal(cycle).contains("a third derivative"), "{}", super::refusal(cycle));
}
