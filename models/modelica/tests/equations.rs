//! Models with equations, against closed forms.

use coupler::{Assembly, ModelicaTexts, Netlists, Simulation};
use fmu_builder::models::front_end::{FrontEnd, ModelFile};
use fmu_builder::models::{Traced, Variant};
use modelica::library::Library;
use modelica::model::Model;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// The last class of a text, or `M` in it if it is the package `P`, as a model.
fn model(text: &str) -> Model {
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("equations-{}-{number}.mo", std::process::id()));
    std::fs::write(&path, text).expect("a file for the text");
    let mut library = Library::new(Library::folders_of_environment());
    let classes = library.open(&path);
    std::fs::remove_file(&path).expect("it was written just now");
    let classes = classes.unwrap_or_else(|complaints| panic!("{}", complaints[0].describe()));
    let last = classes.last().expect("the text has a class").clone();
    let class = if &*last.path == "P" { library.find("P.M").expect("there is P.M") } else { last };
    Model::new(library, &class)
}

/// The model of a file, and its netlist if a file can hold its equations.
fn traced(front_end: &dyn FrontEnd, path: &Path, class: Option<&str>) -> (Traced, Option<String>) {
    let read = || {
        let model = front_end.read(&ModelFile { path, class });
        model.unwrap_or_else(|lines| panic!("{}", lines.join("\n")))
    };
    let netlist = read().written(&netlists()).map_err(|lines| {
        let is_known = |line: &String| {
            ["no file can hold its equations", "no file can name it"]
                .iter()
                .any(|why| line.contains(why))
        };
        assert!(lines.iter().all(is_known), "{}", lines.join("\n"));
    });
    let traced = read().trace_as(Variant::default()).unwrap_or_else(|error| panic!("{error}"));
    (traced, netlist.ok())
}

fn netlists() -> Netlists {
    Netlists { registry: coupler::libraries::registry() }
}

/// The model of a text, which is the same from its netlist; this is written as it is read. The
/// second result is whether there is a netlist.
fn traced_twice(text: &str) -> (Traced, bool) {
    let folder = tempfile::tempdir().expect("a folder");
    let [of_text, of_netlist] = ["model.mo", "model.json"].map(|name| folder.path().join(name));
    fs::write(&of_text, text).expect("it can be written");
    let class = text.trim_start().starts_with("package P").then_some("P.M");
    let (first, netlist) = traced(&ModelicaTexts, &of_text, class);
    let Some(netlist) = netlist else { return (first, false) };
    fs::write(&of_netlist, &netlist).expect("it can be written");
    let (again, netlist_again) = traced(&netlists(), &of_netlist, None);
    let [guid, of_netlist] = [&first, &again].map(|of| of.code.description().guid.clone());
    assert_eq!(of_netlist, guid, "{netlist}");
    assert_eq!(netlist_again, Some(netlist));
    (first, true)
}

#[test]
fn a_model_with_everything_is_the_same_from_a_netlist() {
    let everything = include_str!("everything.mo");
    assert!(!traced_twice(everything).1, "files cannot hold equations of flanges");
    let without = [
        ("Rotor rotor; Gear gear; Law law; Room room;", ""),
        ("connect(wheel[1].flange_b, law.flange_a); connect(law.flange_b, rotor.flange_a);", ""),
        ("connect(rotor.flange_b, gear.flange_a); connect(law.heat, room.port);", ""),
    ];
    let others = without.iter().fold(everything.to_owned(), |text, (physical, other)| {
        assert!(text.contains(physical), "{physical}");
        text.replace(physical, other)
    });
    assert!(traced_twice(&others).1);
    assert!(traced_twice(include_str!("language.mo")).1);
}

/// A simulation of the last class of a text.
fn simulation(text: &str) -> Simulation {
    traced_twice(text).0.simulation().unwrap_or_else(|error| panic!("{error}"))
}

/// A simulation that has run until `time`.
fn run(text: &str, time: f64) -> Simulation {
    let mut simulation = simulation(text);
    simulation.start(None).unwrap_or_else(|error| panic!("{error}"));
    if time > 0.0 {
        simulation.run_to(time).unwrap_or_else(|error| panic!("{error}"));
    }
    simulation
}

/// The sentences that refuse the last class of a text.
fn refusal(text: &str) -> String {
    let complaints = model(text).add_to(&mut Assembly::new());
    let complaints = complaints.expect_err("the model is refused");
    complaints.iter().map(|one| one.sentence.clone()).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn close(simulation: &mut Simulation, name: &str, expected: f64) {
    let value = simulation.read(name).unwrap_or_else(|error| panic!("{error}"));
    let tolerance = 1e-5 * expected.abs().max(1.0);
    assert!((value - expected).abs() < tolerance, "{name} = {value}, not {expected}");
}

#[test]
fn equations_are_sorted_and_solved() {
    let mut m = run(
        "model M
          parameter Real k = 3;
          Real a; Real b; Real c; Real d = 2 * c;
        equation
          c = a + b;
          2 * a + 1 = time;
          k = b - a;
        end M;",
        2.0,
    );
    for (name, value) in [("a", 0.5), ("b", 3.5), ("c", 4.0), ("d", 8.0)] {
        close(&mut m, name, value);
    }
}

#[test]
fn states_begin_at_start_values_and_initial_equations() {
    let mut m = run(
        "model M
          Real x(start = 1, fixed = true); Real y(start = 3); Real z; Real w(start = 5);
          parameter Real x0 = 7; Real u(start = x0, fixed = true);
        equation
          der(x) = -x;
          der(y) = z - y;
          z = 2;
          w - 1 = der(w);
          der(u) = 0;
        initial equation
          der(y) = 0;
          w = x + 3;
        end M;",
        1.0,
    );
    close(&mut m, "x", (-1.0_f64).exp());
    close(&mut m, "y", 2.0);
    close(&mut m, "w", 1.0 + 3.0 * 1_f64.exp());
    close(&mut m, "u", 7.0);
}

#[test]
fn blocks_are_connected_by_inputs_and_outputs() {
    let mut m = run(
        "package P
          block Lag
            parameter Real T = 1; input Real u; output Real y(start = 0, fixed = true);
          equation
            T * der(y) = u - y;
          end Lag;
          model M
            Lag first(T = 0.5, u = 2);
            Lag second(u = first.y);
            output Real sum = first.y + second.y;
          end M;
        end P;",
        1.0,
    );
    let first = 2.0 * (1.0 - (-2_f64).exp());
    let second = 2.0 * (1.0 - 2.0 * (-1_f64).exp() + (-2_f64).exp());
    close(&mut m, "first.y", first);
    close(&mut m, "second.u", first);
    close(&mut m, "second.y", second);
    close(&mut m, "sum", first + second);
}

#[test]
fn connectors_of_blocks_are_inputs_and_outputs() {
    let mut m = run(
        "package P
          connector Input = input Real; connector Output = output Real;
          block Gain parameter Real k; Input u; Output y; equation y = k * u; end Gain;
          block Twice
            Input u; Output y;
            Gain inner_gain(k = 2);
          equation
            connect(u, inner_gain.u);
            connect(inner_gain.y, y);
          end Twice;
          model M
            Gain a(k = 3); Twice b; Gain c[2](k = {5, 7}); Output y; Output z[2]; Input x(start = 11);
          equation
            a.u = time;
            connect(a.y, b.u);
            connect(b.y, y);
            connect(x, c[1].u);
            connect(b.y, c[2].u);
            connect(c.y, z);
          end M;
        end P;",
        1.0,
    );
    for (name, value) in
        [("a.y", 3.0), ("b.inner_gain.y", 6.0), ("y", 6.0), ("z[1]", 55.0), ("z[2]", 42.0)]
    {
        close(&mut m, name, value);
    }
}

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
fn equations_give_the_values_of_inputs_of_components() {
    let mass = "Modelica.Mechanics.Translational.Components.Mass mass(m = 2, s(start = 1, \
        fixed = true), v(fixed = true)); Modelica.Mechanics.Translational.Sources.Force force;";
    let by_equation = format!(
        "model M {mass} equation force.f = -8 * mass.s; \
         connect(force.flange, mass.flange_a); end M;"
    );
    let mut m = run(&by_equation, 1.0);
    close(&mut m, "mass.s", 2_f64.cos());
    close(&mut m, "force.f", -8.0 * 2_f64.cos());
    let within = format!(
        "model Held {mass} Real f = -8 * mass.s; equation force.f = f; \
         connect(force.flange, mass.flange_a); end Held; model M Held a; end M;"
    );
    close(&mut run(&within, 1.0), "a.mass.s", 2_f64.cos());
    let twice = format!(
        "model M {mass} equation force.f = 1; 2 * force.f = 2; \
         connect(force.flange, mass.flange_a); end M;"
    );
    assert!(refusal(&twice).contains("this equation"));
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
fn what_a_reader_might_pass_over_is_read_or_refused() {
    let twice = "model M Real x(start = 0); equation when time > 1 then x = 1; x = 2; end when; \
        end M;";
    assert!(refusal(twice).contains("determines the variable twice"), "{}", refusal(twice));
    let records = "model M record R Real a; end R; parameter R x(a = 1); parameter R y(a = 2); \
        parameter R z = x + y; Real b = z.a; end M;";
    assert!(refusal(records).contains("number"), "{}", refusal(records));
    let external = "package P package U function max input Real a; input Real b; output Real y; \
        external \"C\" y = weird(b); end max; end U; model M Real x = U.max(1, time); end M; end P;";
    assert!(refusal(external).contains("another language"), "{}", refusal(external));
    let twice_inherited = "package P partial model A Real x; equation x = time; end A; \
        model B extends A; end B; model C extends A; end C; model M extends B; extends C; end M; \
        end P;";
    close(&mut run(twice_inherited, 1.0), "x", 1.0);
    let own = "package P package U function print input Real a; algorithm assert(a < 2, \"no\"); \
        end print; end U; model M Real x = time; equation U.print(3); end M; end P;";
    assert!(refusal(own).contains("no"), "{}", refusal(own));
    let mut m = run(
        "model M Real x[2](start = {5, 6}); Real y; Real z = noEvent(sign(time - 0.5));
        algorithm y := x[1]; x[1] := y + 1; x[2] := 2 * x[2]; end M;",
        0.75,
    );
    for (name, value) in [("x[1]", 6.0), ("x[2]", 12.0), ("y", 5.0), ("z", 1.0)] {
        close(&mut m, name, value);
    }
    close(&mut m, "solver.state_events", 0.0);
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
fn arrays_are_solved_element_by_element() {
    let mut m = run(
        "model M
          parameter Integer n = 3; Real x[n](start = {1, 2, 3}, each fixed = true); Real s;
          Real y[2] = {x[1], s};
        equation
          for i in 1:n loop
            der(x[i]) = -i * x[i];
          end for;
          s = sum(x);
        end M;",
        1.0,
    );
    let x = [1.0, 2.0, 3.0].map(|i: f64| i * (-i).exp());
    close(&mut m, "x[2]", x[1]);
    close(&mut m, "y[1]", x[0]);
    close(&mut m, "y[2]", x.iter().sum());
}

#[test]
fn elements_of_parameters_decide_sizes() {
    let mut m = run(
        "model M
          parameter Real n[2] = {3, 5}; Real x[integer(n[1])] = fill(time, integer(n[1]));
          Real y = sum(x) + n[2];
        end M;",
        2.0,
    );
    close(&mut m, "y", 11.0);
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
fn chains_of_many_variables_are_evaluated() {
    let mut m = run(
        "model M
          Real x[800]; Real y = x[1];
        equation
          for i in 1:799 loop
            x[i] = x[i + 1] + 1;
          end for;
          x[800] = time;
        end M;",
        1.0,
    );
    close(&mut m, "y", 800.0);
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
fn algorithms_assign_variables() {
    let mut m = run(
        "model M
          Real y; Real z[3]; Integer n(start = 0); Real u = sin(time);
          function f input Real x; output Real y; algorithm
            if x > 0.5 then y := 2 * x; else y := x; end if;
          end f;
          Real w = f(u);
        algorithm
          y := 0;
          for i in 1:3 loop
            z[i] := i * u;
            if z[i] > 1 then
              y := y + z[i];
            end if;
          end for;
        algorithm
          when u > 0.9 then
            n := n + 1;
          elsewhen time > 3 then
            n := n + 10;
          end when;
        end M;",
        1.0,
    );
    let u = 1_f64.sin();
    close(&mut m, "y", 5.0 * u);
    close(&mut m, "z[3]", 3.0 * u);
    close(&mut m, "w", 2.0 * u);
    close(&mut m, "n", 0.0);
    m.run_to(2.0).expect("it runs");
    close(&mut m, "n", 1.0);
    m.run_to(3.5).expect("it runs");
    close(&mut m, "n", 11.0);
}

#[test]
fn derivatives_of_known_variables_are_computed() {
    let mut m = run(
        "model M
          Real phi; Real w; Real a; Real x(start = 1, fixed = true); Real y = x * x; Real dy = der(y);
        equation
          phi = sin(2 * time);
          w = der(phi);
          a = der(w);
          der(x) = w;
        end M;",
        0.7,
    );
    close(&mut m, "w", 2.0 * 1.4_f64.cos());
    close(&mut m, "a", -4.0 * 1.4_f64.sin());
    let (x, w) = (1.0 + 1.4_f64.sin(), 2.0 * 1.4_f64.cos());
    close(&mut m, "dy", 2.0 * x * w);
}

#[test]
fn inputs_and_outputs_of_the_model_are_those_of_the_fmu() {
    let text = "model M
          input Real u(start = 2, unit = \"N\"); input Boolean b(start = true); input Integer n(start = 4);
          output Real y; output Boolean c; output Integer k;
        equation
          y = 3 * u; c = not b; k = n + 1;
        end M;";
    let mut m = run(text, 0.1);
    close(&mut m, "y", 6.0);
    close(&mut m, "c", 0.0);
    close(&mut m, "k", 5.0);
}

#[test]
fn what_is_not_supported_is_refused() {
    let refused = |text: &str, part: &str| {
        let sentence = refusal(text);
        assert!(sentence.contains(part), "{sentence}");
    };
    refused("model M Real x; end M;", "no equation determines x");
    refused("model M Real x; equation x = 1; x = 2; end M;", "cannot be solved for x");
    refused("model M Real x; Real y = x; end M;", "no equation determines x");
    refused("model M Real x; equation x * x = time; end M;", "linear");
    refused("model M Real x; equation x = delay(time, 1); end M;", "delay is not supported");
    refused(
        "model M Real x = if time > 1 then time else 0; Real y = pre(x); end M;",
        "before the event",
    );
    refused("model M input Real u; Real y = der(u); end M;", "derivative of u is not known");
}

/// Whether the standard library is there.
fn has_library() -> bool {
    let is_there = std::env::var_os("MODELICAPATH").is_some();
    if !is_there {
        println!("skipped: MODELICAPATH is not set");
    }
    is_there
}

#[test]
fn variables_of_components_are_read() {
    if !has_library() {
        return;
    }
    let mut m = run(
        "model M
          import Modelica.Mechanics.Rotational.*;
          Components.Inertia j(J = 2, phi(start = 0, fixed = true), w(start = 0, fixed = true));
          Sources.Torque torque;
          Modelica.Blocks.Sources.Constant one(k = 1);
          Real phi = j.phi; Real w; Real a = der(j.w); Real tau = torque.tau; Real cut = j.flange_a.tau;
          Real speed = der(j.flange_b.phi);
          output Real power;
        equation
          w = der(phi);
          power = tau * w;
          connect(one.y, torque.tau);
          connect(torque.flange, j.flange_a);
        end M;",
        2.0,
    );
    for (name, value) in [
        ("phi", 1.0),
        ("w", 1.0),
        ("a", 0.5),
        ("tau", 1.0),
        ("cut", 1.0),
        ("speed", 1.0),
        ("power", 1.0),
    ] {
        close(&mut m, name, value);
    }
}

#[test]
fn blocks_of_the_standard_library_move_components() {
    if !has_library() {
        return;
    }
    let mut m = run(
        "package P
          block Controller
            extends Modelica.Blocks.Interfaces.SISO;
            parameter Real k = 4; parameter Real T = 0.5; Real x(start = 0, fixed = true);
          equation
            der(x) = u / T;
            y = if noEvent(k * (x + u) > 100) then 100 else k * (x + u);
          end Controller;
          model M
            Modelica.Mechanics.Translational.Components.Mass mass(
              m = 1, s(start = 1, fixed = true), v(start = 0, fixed = true));
            Modelica.Mechanics.Translational.Sources.Force force;
            Modelica.Mechanics.Translational.Sensors.PositionSensor sensor;
            Controller controller;
            Modelica.Blocks.Interfaces.RealInput wish(start = 1);
            Modelica.Blocks.Interfaces.RealOutput s;
          equation
            controller.u = wish - sensor.s - mass.v;
            connect(controller.y, force.f);
            connect(force.flange, mass.flange_a);
            connect(mass.flange_b, sensor.flange);
            connect(sensor.s, s);
          end M;
        end P;",
        1.0,
    );
    close(&mut m, "s", 1.0);
    close(&mut m, "controller.y", 0.0);
}

#[test]
fn texts_of_components_determine_further_variables() {
    if !has_library() {
        return;
    }
    let mut m = run(
        "model M
          import Modelica.Mechanics.Rotational.*;
          Components.Fixed fixed;
          Components.SpringDamper shaft(c = 3, d = 2);
          Components.Inertia j(J = 1, phi(start = 1, fixed = true), w(start = 4, fixed = true));
          Real sum = shaft.tau_c + shaft.tau_d;
        equation
          connect(fixed.flange, shaft.flange_a);
          connect(shaft.flange_b, j.flange_a);
        end M;",
        0.0,
    );
    for (name, value) in [("sum", 11.0), ("shaft.tau_c", 3.0), ("shaft.tau_d", 8.0)] {
        close(&mut m, name, value);
    }
}

#[test]
fn equations_give_inputs_and_initial_values_of_components() {
    let of = "model M
        Modelica.Mechanics.Translational.Sources.Force force;
        Modelica.Mechanics.Translational.Components.Mass mass(m = 2, v(start = 5));
        parameter Real v0 = 0.5;
      initial equation
        mass.v = v0;
        0 = mass.s;
      equation
        force.f = if time < 1 then 4 else 0;
        connect(force.flange, mass.flange_a);
      end M;";
    let mut simulation = run(of, 2.0);
    close(&mut simulation, "mass.v", 2.5);
    close(&mut simulation, "mass.s", 0.5 + 1.0 + 2.5);
    close(&mut simulation, "force.f", 0.0);
    let twice = of.replace("start = 5", "start = 5, fixed = true");
    assert!(refusal(&twice).contains("has an initial value already"));
    let both = of.replace("equation\n        force.f", "equation force.f = 1;\n force.f");
    assert!(refusal(&both).contains("other equations determine"), "{}", refusal(&both));
}

#[test]
fn functions_of_the_class_of_a_component_are_called() {
    let of = "package P
        model Road
          replaceable function height input Real x; output Real y; algorithm y := 2 * x; end height;
        end Road;
        model Car outer Road road; Real z = road.height(time); end Car;
        model M
          inner Road road(redeclare function height = steep);
          Car car;
          Real low = car.z;
        end M;
        function steep input Real x; output Real y; algorithm y := 3 * x; end steep;
      end P;";
    close(&mut run(of, 2.0), "low", 6.0);
}

#[test]
fn variables_that_no_text_determines_are_refused() {
    if !has_library() {
        return;
    }
    let text = |read: &str| {
        format!(
            "model M
               inner Modelica.Mechanics.MultiBody.World world;
               Modelica.Mechanics.MultiBody.Joints.Prismatic fall(
                 n = {{0, -1, 0}}, s(fixed = true), v(fixed = true));
               Modelica.Mechanics.MultiBody.Parts.Body body(m = 1, r_CM = zeros(3));
               Real g = {read};
             equation
               connect(world.frame_b, fall.frame_a);
               connect(fall.frame_b, body.frame_a);
             end M;"
        )
    };
    close(&mut run(&text("body.g_0[2]"), 0.5), "g", -9.80665);
    let sentence = refusal(&text("body.phi_dd[1]"));
    let expected = "body.phi_dd[1] is no variable that its component publishes";
    assert!(sentence.lines().any(|line| line == expected), "{sentence}");
    assert!(!sentence.contains("frame_a"), "{sentence}");
}

/// A model in which an acceleration determines the stiffness of a spring.
fn found_stiffness(parameter: &str, spring: &str) -> String {
    format!(
        "model M
          import Modelica.Mechanics.Rotational.*;
          {parameter}
          Components.Fixed fixed;
          Components.Spring spring({spring});
          Components.Inertia j(
            J = 2, phi(start = 1, fixed = true), w(fixed = true), a(start = -3, fixed = true));
          Real stiffness = spring.c;
        equation
          connect(fixed.flange, spring.flange_a);
          connect(spring.flange_b, j.flange_a);
        end M;"
    )
}

#[test]
fn parameters_that_initial_conditions_determine_are_read() {
    if !has_library() {
        return;
    }
    let own = found_stiffness("", "c(fixed = false, start = 1)");
    let of_model = found_stiffness("parameter Real c(fixed = false, start = 1);", "c = c");
    for text in [own, of_model] {
        let mut m = run(&text, 0.5);
        close(&mut m, "stiffness", 6.0);
    }
    let read = "parameter Real c(fixed = false, start = 1); Real half = c / 2;";
    close(&mut run(&found_stiffness(read, "c = c"), 0.5), "half", 3.0);
    let twice = "parameter Real c(fixed = false, start = 1); Components.Spring other(c = c);";
    let sentence = refusal(&found_stiffness(twice, "c = c"));
    assert!(sentence.contains("can be the value of one parameter only"), "{sentence}");
}

#[test]
fn records_of_variables_are_determined_as_a_whole() {
    let mut m = run(
        "model M
          record Motion Real x; Real v[2]; end Motion;
          Motion a; Motion b;
          Real sum = a.x + a.v[2];
        equation
          a = b;
          b.x = time;
          b.v = {2, 3} * time;
        end M;",
        2.0,
    );
    close(&mut m, "sum", 8.0);
    close(&mut m, "a.v[1]", 4.0);
}

#[test]
fn sizes_and_colours_of_pictures_have_no_influence() {
    if !has_library() {
        return;
    }
    let of = "model M
        inner Modelica.Mechanics.MultiBody.World world(
          defaultBodyDiameter = 0.02, defaultSpecularCoefficient = 0);
        Modelica.Mechanics.MultiBody.Joints.Prismatic joint(
          n = {0, -1, 0}, s(fixed = true), v(fixed = true));
        Modelica.Mechanics.MultiBody.Parts.Body body(m = 1, r_CM = zeros(3));
      equation
        connect(world.frame_b, joint.frame_a);
        connect(joint.frame_b, body.frame_a);
      end M;";
    close(&mut run(of, 1.0), "joint.v", 9.80665);
}
