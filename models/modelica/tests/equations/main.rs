//! Models with equations, against closed forms.

mod blocks;
mod components;
mod delays;
mod events;
mod second_derivatives;
mod tables;

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
        let model = front_end.read(&ModelFile::new(path, class));
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
    let traced =
        read().trace_as(Variant::default()).unwrap_or_else(|lines| panic!("{}", lines.join("\n")));
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
    let everything = include_str!("../everything.mo");
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
    assert!(traced_twice(include_str!("../language.mo")).1);
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

/// A model, or why it cannot be compiled.
fn traced_fails(text: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model.mo");
    fs::write(&path, text).expect("it can be written");
    let model = ModelicaTexts.read(&ModelFile { path: &path, class: None, variables: &[] });
    let model = model.map_err(|lines| lines.join("\n"))?;
    model.trace_as(Variant::default()).map(|_| ()).map_err(|lines| lines.join("\n"))
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
fn what_a_reader_might_pass_over_is_read_or_refused() {
    let twice = "model M Real x(start = 0); equation when time > 1 then x = 1; x = 2; end when; \
        end M;";
    assert!(refusal(twice).contains("determines the variable twice"), "{}", refusal(twice));
    let records = "model M record R Real a; end R; parameter R x(a = 1); parameter R y(a = 2); \
        parameter R z = x + y; Real b = z.a; end M;";
    assert!(refusal(records).starts_with("operators of records"), "{}", refusal(records));
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
    refused("model M Real x; equation x = 1; x = 2; end M;", "x has another equation, at ");
    refused("model M Real x; Real y = x; end M;", "no equation determines x");
    refused("model M Real x; equation x * x = time; end M;", "linear");
    refused(
        "model M Real x = if time > 1 then time else 0; Real y = pre(x); end M;",
        "before the event",
    );
    refused("model M input Real u; Real y = der(u); end M;", "derivative of u is not known");
}
