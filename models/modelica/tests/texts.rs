//! Models in Modelica and the same models in Rust have the same results, bit for bit, without a
//! text of the Modelica Standard Library.

use coupler::Assembly;
use coupler::prelude::*;
use modelica::library::Library;
use modelica::model::Model as Text;
use std::rc::Rc;

/// The model of the last class of a text.
fn text(text: &str) -> Text {
    let mut library = Library::new(Vec::new());
    let classes = library.open_text("Test.mo", text);
    let classes = classes.unwrap_or_else(|complaints| panic!("{}", complaints[0].describe()));
    let class = Rc::clone(classes.last().expect("there is a class"));
    Text::new(library, &class)
}

/// A simulation of the model of a text.
fn simulation_of(of: &str) -> Simulation {
    let model = text(of);
    let started = coupler::simulation(move |m: &mut Assembly| {
        if let Err(complaints) = model.add_to(m) {
            let sentences: Vec<String> = complaints.iter().map(|c| c.describe()).collect();
            panic!("{}", sentences.join("\n"));
        }
    });
    started.unwrap_or_else(|error| panic!("{error}"))
}

/// What is wrong with a text.
fn refusals(of: &str) -> Vec<String> {
    let mut library = Library::new(Vec::new());
    let classes = match library.open_text("Test.mo", of) {
        Ok(classes) => classes,
        Err(complaints) => return complaints.iter().map(|c| c.describe()).collect(),
    };
    let class = Rc::clone(classes.last().expect("there is a class"));
    let model = Text::new(library, &class);
    let complaints = model.add_to(&mut Assembly::new()).expect_err(of);
    complaints.iter().map(|complaint| complaint.describe()).collect()
}

/// Compares the values of variables at some instants.
fn same(of: &str, rust: fn(&mut Assembly), variables: &[&str]) {
    let mut ours = simulation_of(of);
    let mut theirs = coupler::simulation(rust).unwrap_or_else(|error| panic!("{error}"));
    ours.start(None).unwrap();
    theirs.start(None).unwrap();
    for k in 0..=4 {
        if k > 0 {
            ours.run_to(f64::from(k) * 0.25).unwrap();
            theirs.run_to(f64::from(k) * 0.25).unwrap();
        }
        for variable in variables {
            let [a, b] = [&mut ours, &mut theirs].map(|s| s.read(variable).unwrap());
            assert!(a.to_bits() == b.to_bits(), "{variable}: {a} and {b}");
        }
    }
    let moved = ours.read(variables[0]).unwrap();
    assert!(moved != 0.0, "{} does not move", variables[0]);
}

use coupler::multibody::{self, Body, CutForceAndTorque, Revolute, World};
use coupler::rotational::{ConstantTorque, Fixed, Inertia, Spring, SpringDamper};

fn two_inertias(m: &mut Assembly) {
    let torque = m.add("torque", ConstantTorque::new().tau_constant(2));
    let a = m.add("a", Inertia::new().J(0.5).phi(fixed(0)).w(fixed(1)));
    let spring = m.add("spring", SpringDamper::new().c(100).d(0.5));
    let b = m.add("b", Inertia::new().J(2).phi(fixed(0)).w(fixed(0)));
    m.connect(torque.flange, a.flange_a);
    m.connect(a.flange_b, spring.flange_a);
    m.connect(spring.flange_b, b.flange_a);
}

#[test]
fn components_and_connections() {
    let of = "
        model M
          import Modelica.Mechanics.Rotational.Components.*;
          Modelica.Mechanics.Rotational.Sources.ConstantTorque torque(tau_constant = 2);
          Inertia a(J = 0.5, phi(start = 0, fixed = true), w(start = 1, fixed = true));
          SpringDamper spring(c = 100, d = 0.5);
          Inertia b(J = 2, phi(fixed = true), w(start = 0, fixed = true));
        equation
          connect(torque.flange, a.flange_a);
          connect(a.flange_b, spring.flange_a);
          connect(spring.flange_b, b.flange_a);
        end M;";
    same(of, two_inertias, &["a.phi", "b.w", "spring.tau"]);
}

#[test]
fn names_extends_short_classes_and_local_packages() {
    let of = "
        package P
          import R = Modelica.Mechanics.Rotational;
          package Parts
            import Modelica.Mechanics.Rotational.{Components, Sources};
            model Wheel = Components.Inertia(phi(fixed = true), w(fixed = true));
            partial model Base
              Sources.ConstantTorque torque(tau_constant = 1);
              replaceable Wheel a(J = 1);
            end Base;
          end Parts;
          model M
            extends Parts.Base(torque(tau_constant = 2), a(J = 0.5, w(start = 1)));
            R.Components.SpringDamper spring(c = 100, d = 0.5);
            .P.Parts.Wheel b(J = 2);
          equation
            connect(torque.flange, a.flange_a);
            connect(a.flange_b, spring.flange_a);
            connect(spring.flange_b, b.flange_a);
          end M;
        end P;
        model N = P.M;";
    same(of, two_inertias, &["a.phi", "b.w", "spring.tau"]);
}

#[test]
fn connectors_of_composites() {
    let of = "
        package P
          model Drive
            Modelica.Mechanics.Rotational.Interfaces.Flange_b flange;
            Modelica.Mechanics.Rotational.Sources.ConstantTorque torque(tau_constant = 2);
            Modelica.Mechanics.Rotational.Components.Inertia a(
              J = 0.5, phi(fixed = true), w(start = 1, fixed = true));
          equation
            connect(torque.flange, a.flange_a);
            connect(a.flange_b, flange);
          end Drive;
          model M
            Drive drive;
            Modelica.Mechanics.Rotational.Components.SpringDamper spring(c = 100, d = 0.5);
            Modelica.Mechanics.Rotational.Components.Inertia b(
              J = 2, phi(fixed = true), w(fixed = true));
          equation
            connect(drive.flange, spring.flange_a);
            connect(spring.flange_b, b.flange_a);
          end M;
        end P;
        model N extends P.M; end N;";
    let rust = |m: &mut Assembly| {
        let torque = m.add("drive.torque", ConstantTorque::new().tau_constant(2));
        let a = m.add("drive.a", Inertia::new().J(0.5).phi(fixed(0)).w(fixed(1)));
        let spring = m.add("spring", SpringDamper::new().c(100).d(0.5));
        let b = m.add("b", Inertia::new().J(2).phi(fixed(0)).w(fixed(0)));
        m.connect(torque.flange, a.flange_a);
        m.connect(a.flange_b, spring.flange_a);
        m.connect(spring.flange_b, b.flange_a);
    };
    same(of, rust, &["drive.a.phi", "b.w", "spring.tau"]);
}

/// Three wheels with springs between them.
fn chain(m: &mut Assembly) {
    let wall = m.add("wall", Fixed::new());
    let wheels = [1, 2, 3].map(|k| {
        let wheel = Inertia::new().J(f64::from(k)).phi(fixed(0)).w(fixed(0.5 * f64::from(k)));
        m.add(format!("wheel[{k}]"), wheel)
    });
    let springs =
        [1, 2, 3].map(|k| m.add(format!("spring[{k}]"), Spring::new().c(10.0 * f64::from(k))));
    m.connect(wall.flange, springs[0].flange_a);
    for k in 0..3 {
        m.connect(springs[k].flange_b, wheels[k].flange_a);
    }
    for k in 0..2 {
        m.connect(wheels[k].flange_b, springs[k + 1].flange_a);
    }
}

#[test]
fn arrays_of_components_loops_and_functions() {
    let of = "
        package P
          function weights
            input Integer n;
            output Real J[n];
          protected
            Real sum = 0;
          algorithm
            for i in 1:n loop
              sum := 0;
              while sum < i - 0.5 loop
                sum := sum + 1;
              end while;
              J[i] := if i > n then -1 else sum;
            end for;
          end weights;
          model M
            constant Integer n = 3;
            import R = Modelica.Mechanics.Rotational.Components;
            R.Fixed wall;
            R.Inertia wheel[n](
              J = weights(n), each phi(fixed = true),
              w(start = {0.5 * k for k in 1:n}, each fixed = true));
            R.Spring spring[n](c = linspace(10, 30, n));
          equation
            connect(wall.flange, spring[1].flange_a);
            connect(spring.flange_b, wheel.flange_a);
            for k in 1:n - 1 loop
              connect(wheel[k].flange_b, spring[k + 1].flange_a);
            end for;
          end M;
        end P;
        model N = P.M;";
    same(of, chain, &["wheel[1].phi", "wheel[3].w", "spring[2].tau"]);
}

#[test]
fn conditions_records_and_enumerations() {
    let of = "
        package P
          type Size = enumeration(small \"a\", large \"b\");
          record Data
            Real J = 7;
            Real c;
          end Data;
          model M
            parameter Size size = Size.large;
            parameter Data data(J = 0.5, c = if size == Size.large then 100 else 1);
            parameter Boolean hasSpring = size > Size.small and not data.J > 1;
            import R = Modelica.Mechanics.Rotational;
            R.Sources.ConstantTorque torque(tau_constant = 2);
            R.Components.Inertia a(J = data.J, phi(fixed = true), w(start = 1, fixed = true));
            R.Components.SpringDamper spring(c = data.c, d = 0.5) if hasSpring;
            R.Components.Fixed wall if not hasSpring;
            R.Components.Inertia b(J = 2, phi(fixed = true), w(fixed = true));
          equation
            connect(torque.flange, a.flange_a);
            connect(a.flange_b, spring.flange_a);
            connect(spring.flange_b, b.flange_a);
            connect(wall.flange, b.flange_b);
          end M;
        end P;
        model N = P.M;";
    same(of, two_inertias, &["a.phi", "b.w", "spring.tau"]);
}

fn pendulum(m: &mut Assembly) {
    let world = m.add("world", World::new().g(5).n([0, 0, -1]));
    let joint = m.add("arm.joint", Revolute::new().n([0, 1, 0]).phi(fixed(0.3)).w(fixed(0)));
    let body = m.add("arm.body", Body::new().m(2).r_cm([0.5, 0.0, 0.0]).inertia([0.1; 3]));
    m.connect(world.frame_b, joint.frame_a);
    m.connect(joint.frame_b, body.frame_a);
}

#[test]
fn inner_and_outer() {
    let of = "
        package P
          model Arm
            outer Modelica.Mechanics.MultiBody.World world;
            Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a;
            Modelica.Mechanics.MultiBody.Joints.Revolute joint(
              n = {0, 1, 0}, phi(start = 0.3, fixed = true), w(fixed = true));
            Modelica.Mechanics.MultiBody.Parts.Body body(
              m = 2, r_CM = {0.5, 0, 0}, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1);
          equation
            connect(frame_a, joint.frame_a);
            connect(joint.frame_b, body.frame_a);
          end Arm;
          model M
            inner Modelica.Mechanics.MultiBody.World world(g = 5, n = {0, 0, -1});
            Arm arm;
          equation
            connect(world.frame_b, arm.frame_a);
          end M;
        end P;
        model N = P.M;";
    same(of, pendulum, &["arm.joint.phi", "arm.joint.w"]);
    let _ = multibody::Fixed::new();
}

#[test]
fn parameters_stay_parameters() {
    let of = "
        model M
          parameter Modelica.Units.SI.Inertia J = 0.5 \"Moment of inertia\";
          parameter Real factor(unit = \"1\") = 2;
          final parameter Real J2 = factor * J;
          Modelica.Mechanics.Rotational.Sources.ConstantTorque torque(tau_constant = 3);
          Modelica.Mechanics.Rotational.Components.Inertia a(
            J = J2, phi(fixed = true), w(fixed = true));
        equation
          connect(torque.flange, a.flange_a);
        end M;";
    let mut model = simulation_of(of);
    model.set("J", 3.0).unwrap();
    model.start(None).unwrap();
    model.run_to(2.0).unwrap();
    assert!((model.read("a.w").unwrap() - 1.0).abs() < 1e-12);
    assert!((model.read("a.J").unwrap() - 6.0).abs() < 1e-12);
}

/// Texts whose meaning Coupler could miss are refused where it does not read them.
#[test]
fn what_is_not_read_is_refused() {
    let inertia = "Modelica.Mechanics.Rotational.Components.Inertia";
    for (text, sentence) in [
        (
            format!(
                "model M model Heavy extends {inertia}(J = 1); {inertia} extra(J = 5); end Heavy; \
                 Heavy h; end M;"
            ),
            "so it may only modify it and have parameters",
        ),
        (
            format!("model M {inertia} j(J = 1, flange_a(phi(start = 1, fixed = true))); end M;"),
            "cannot be modified",
        ),
        (format!("model M {inertia} j(J = 1); {inertia} j(J = 2); end M;"), "j is declared twice"),
        ("model M Real x[1000000, 1000000]; end M;".to_owned(), "is too large"),
    ] {
        let found = refusals(&text);
        assert!(found.iter().any(|line| line.contains(sentence)), "{text}\n{found:#?}");
    }
}

#[test]
fn blocks_start_as_their_parameters_say() {
    let block = |given: &str| {
        format!(
            "model M Modelica.Blocks.Sources.Constant one(k = 1); \
             Modelica.Blocks.Continuous.Integrator i(k = 2, {given}); \
             equation connect(one.y, i.u); end M;"
        )
    };
    let init = "initType = Modelica.Blocks.Types.Init.InitialState";
    for (given, start) in [(format!("{init}, y_start = 5"), 5.0), (init.to_owned(), 0.0)] {
        let mut model = simulation_of(&block(&given));
        model.start(None).unwrap();
        assert_eq!(model.read("i.y").unwrap(), start, "{given}");
        model.run_to(1.0).unwrap();
        assert!((model.read("i.y").unwrap() - start - 2.0).abs() < 1e-9, "{given}");
    }
}

#[test]
fn controllers_begin_with_their_outputs() {
    let of = |block: &str, given: &str, connections: &str| {
        format!(
            "model M Modelica.Blocks.Sources.Constant one(k = 1); \
             Modelica.Blocks.Continuous.{block} c({given}, \
             initType = Modelica.Blocks.Types.Init.InitialOutput, y_start = 0.25); \
             equation {connections} end M;"
        )
    };
    let alone = "connect(one.y, c.u);";
    let limited = "connect(one.y, c.u_s); connect(one.y, c.u_m); connect(one.y, c.u_ff);";
    for (block, given, connections, y) in [
        ("PI", "k = 2, T = 0.5", alone, 0.25),
        ("PID", "k = 2, Ti = 0.5, Td = 0.1", alone, 0.25),
        ("TransferFunction", "a = {1, 2, 3}", alone, 0.25),
        ("CriticalDamping", "n = 3, f = 1", alone, 0.25),
        // The signal that is fed forward is added to the start value.
        ("LimPID", "yMax = 5, withFeedForward = true, kFF = 0.5", limited, 0.75),
    ] {
        let mut model = simulation_of(&of(block, given, connections));
        model.start(None).unwrap();
        let found = model.read("c.y").unwrap();
        assert!((found - y).abs() < 1e-9, "{block}: {found}");
    }
}

/// An inertia that begins to turn.
fn turning_inertia(m: &mut Assembly) {
    m.add("a", Inertia::new().J(0.5).phi(fixed(0)).w(fixed(1)));
}

#[test]
fn functions_of_ones_own_and_imported_constants() {
    let of = "
        package P
          function skew input Real x; output Real y; algorithm y := x / 4; end skew;
          model M
            import Modelica.Constants.*;
            Modelica.Mechanics.Rotational.Components.Inertia a(
              J = skew(2) * pi / pi, phi(fixed = true), w(start = 1, fixed = true));
          end M;
        end P;
        model N = P.M;";
    same(of, turning_inertia, &["a.w", "a.phi", "a.J"]);
}

#[test]
fn classes_that_extend_components_have_parameters_of_their_own() {
    let of = "
        package P
          model Wheel
            extends Modelica.Mechanics.Rotational.Components.Inertia(J = m * r ^ 2);
            parameter Real m = 1;
            parameter Real r = 1;
          end Wheel;
          model M
            Wheel a(m = 2, r = 0.5, phi(fixed = true), w(start = 1, fixed = true));
          end M;
        end P;
        model N = P.M;";
    same(of, turning_inertia, &["a.w", "a.phi", "a.J"]);
}

#[test]
fn redeclared_classes_and_empty_ranges() {
    let of = "
        package P
          import Modelica.Mechanics.Rotational.{Components, Sources};
          model A
            replaceable model Load = Components.Inertia(J = 1);
            Load b(phi(fixed = true), w(fixed = true));
          end A;
          model M
            extends A;
            redeclare model Load = Components.Inertia(J = 2 + sum(k for k in 1:2:0));
            Sources.ConstantTorque torque(tau_constant = 2);
            Components.Inertia a(J = 0.5, phi(fixed = true), w(start = 1, fixed = true));
            Components.SpringDamper spring(c = 100, d = 0.5);
          equation
            connect(torque.flange, a.flange_a);
            connect(a.flange_b, spring.flange_a);
            connect(spring.flange_b, b.flange_a);
          end M;
        end P;
        model N = P.M;";
    let rust = |m: &mut Assembly| {
        let b = m.add("b", Inertia::new().J(2).phi(fixed(0)).w(fixed(0)));
        let torque = m.add("torque", ConstantTorque::new().tau_constant(2));
        let a = m.add("a", Inertia::new().J(0.5).phi(fixed(0)).w(fixed(1)));
        let spring = m.add("spring", SpringDamper::new().c(100).d(0.5));
        m.connect(torque.flange, a.flange_a);
        m.connect(a.flange_b, spring.flange_a);
        m.connect(spring.flange_b, b.flange_a);
    };
    same(of, rust, &["a.phi", "b.w", "spring.tau"]);
}

#[test]
fn nothing_is_ignored_in_silence() {
    let inertia = "Modelica.Mechanics.Rotational.Components.Inertia";
    for (text, sentences) in [
        (
            format!("model M {inertia} a(J = 1, K = 2); end M;"),
            vec!["Modelica.Mechanics.Rotational.Components.Inertia has no element K"],
        ),
        (
            format!("model M {inertia} a(J = \"x\"); {inertia} b(J = {{1, 2}}); end M;"),
            vec!["a.J is a Real, not the String \"x\"", "b.J has the sizes [], its value [2]"],
        ),
        (
            format!("model M {inertia} a(J = 1) equation connect(a.flange_c, a.flange_a); end M;"),
            vec!["expected ';', found 'equation'"],
        ),
        (
            format!("model M {inertia} a(J = 1); equation connect(a.flange_c, a.flange_a); end M;"),
            vec!["Modelica.Mechanics.Rotational.Components.Inertia has no element flange_c"],
        ),
        (
            format!("model M {inertia} a(J(unit = \"g.cm2\") = 2, w(unit = \"rpm\")); end M;"),
            vec!["a.J is in kg.m2, not in another unit", "a.w is in rad/s, not in another unit"],
        ),
        (
            "model M Modelica.Foo.Bar x; end M;".to_owned(),
            vec!["there is no class Foo in Modelica; MODELICAPATH leads to no"],
        ),
        (
            "model M parameter Real p = q; parameter Real q = p; Modelica.Mechanics.Rotational.\
             Components.Inertia a(J = p); end M;"
                .to_owned(),
            vec!["p depends on itself"],
        ),
        ("model M M inner1; end M;".to_owned(), vec!["M contains itself"]),
        ("model M extends M; end M;".to_owned(), vec!["M inherits itself"]),
        (
            format!("model M {inertia} a[1000000000](each J = 1); end M;"),
            vec!["a size of 1000000000; at most 1000000 are possible"],
        ),
        (format!("model M {inertia} a(J = f(1)); end M;"), vec!["there is no function f"]),
    ] {
        let found = refusals(&text);
        for sentence in sentences {
            let has = found.iter().any(|line| line.contains(sentence));
            assert!(has, "{text}\n{found:#?}\n{sentence}");
            assert!(found.iter().all(|line| line.starts_with("Test.mo:1:")), "{found:#?}");
        }
    }
}

#[test]
fn names_of_earlier_libraries_are_those_of_version_4() {
    let of = "
        model M
          import SI = Modelica.SIunits;
          parameter SI.Inertia J = 0.5;
          parameter Modelica.SIunits.AngularVelocity w0 = 1;
          Modelica.Blocks.Sources.Sine sine(amplitude = 2, freqHz = 0.5);
          Modelica.Mechanics.Rotational.Sources.Torque torque;
          Modelica.Mechanics.Rotational.Components.Inertia a(
            J = J, phi(fixed = true), w(start = w0, fixed = true));
        equation
          connect(sine.y, torque.tau);
          connect(torque.flange, a.flange_a);
        end M;";
    let present = of.replace("SIunits", "Units.SI").replace("freqHz", "f");
    let mut notes: Vec<Vec<String>> = Vec::new();
    let [former, present] = [of, &*present].map(|of| {
        notes.push(text(of).add_to(&mut Assembly::new()).unwrap().notes);
        let mut model = simulation_of(of);
        model.start(None).unwrap();
        model.run_to(1.0).unwrap();
        [model.read("a.phi").unwrap(), model.read("a.w").unwrap()]
    });
    assert_eq!(former.map(f64::to_bits), present.map(f64::to_bits));
    for name in ["Modelica.SIunits is read as Modelica.Units.SI", "Sine.freqHz is read as f"] {
        assert!(notes[0].iter().any(|note| note.contains(name)), "{:#?}", notes[0]);
        assert!(!notes[1].iter().any(|note| note.contains(name)), "{:#?}", notes[1]);
    }
    let found = refusals("model M Modelica.Mechanics.Rotational.Inertia a(J = 1); end M;");
    assert!(found[0].contains("there is Modelica.Mechanics.Rotational.Components.Inertia"));
}

#[test]
fn annotations_of_classes_may_stand_among_elements_and_equations() {
    let of = "
        package P
          annotation(Documentation(info = \"P\"));
          model M \"Two inertias\" annotation(Icon());
            import Modelica.Mechanics.Rotational.Components.*;
            Modelica.Mechanics.Rotational.Sources.ConstantTorque torque(tau_constant = 2);
            annotation(experiment(StopTime = 7), Diagram());
            Inertia a(J = 0.5, phi(fixed = true), w(start = 1, fixed = true));
            SpringDamper spring(c = 100, d = 0.5);
            Inertia b(J = 2, phi(fixed = true), w(fixed = true)) annotation(Placement());
          equation
            annotation();
            connect(torque.flange, a.flange_a) annotation(Line());
            annotation(Documentation(info = \"end M;\"));
            connect(a.flange_b, spring.flange_a);
            connect(spring.flange_b, b.flange_a);
          end M;
        end P;
        model N = P.M;";
    same(of, two_inertias, &["a.phi", "b.w", "spring.tau"]);
    let only = of.replace("model N = P.M;", "").replace("package P", "model X end X; package P");
    let mut library = Library::new(Vec::new());
    library.open_text("Test.mo", &only).unwrap();
    let class = library.find("P.M").unwrap();
    let model = Text::new(library, &class);
    assert_eq!(model.documentation(), "Two inertias\n\nend M;");
    let found = refusals("model M annotation(Icon()); Real x; equation x = 1; y = 2; end M;");
    assert!(found[0].starts_with("Test.mo:1:53: "), "{found:#?}");
    let found = refusals("model M Real x; equation x = 1 2; end M; model N end N");
    assert!(found[0].starts_with("Test.mo:1:32: expected ';'"), "{found:#?}");
}

/// In Modelica, a gain may convert without saying so.
#[test]
fn signals_in_another_unit_are_noted() {
    let of = "
        model M
          import Modelica.Mechanics.Rotational.*;
          Modelica.Blocks.Math.Gain gain(k = -4);
          Sources.Torque torque;
          Components.Inertia load(J = 1, phi(start = 1, fixed = true), w(fixed = true));
          Sensors.AngleSensor angle;
        equation
          connect(angle.phi, gain.u);
          connect(gain.y, torque.tau);
          connect(torque.flange, load.flange_a);
          connect(load.flange_b, angle.flange);
        end M;";
    let mut m = simulation_of(of);
    m.start(None).unwrap();
    m.run_to(1.0).unwrap();
    assert!((m.read("load.phi").unwrap() - 2_f64.cos()).abs() < 1e-5);
}

#[test]
fn packages_may_extend_classes_in_themselves() {
    let of = "
        package P
          extends P.Icons.Base;
          package Icons
            extends Modelica.Icons.IconsPackage;
            partial class Base end Base;
          end Icons;
          model M
            Modelica.Mechanics.Rotational.Components.Inertia a(
              J = 0.5, phi(fixed = true), w(start = 1, fixed = true));
          end M;
        end P;
        model N = P.M;";
    let rust = |m: &mut Assembly| {
        m.add("a", Inertia::new().J(0.5).phi(fixed(0)).w(fixed(1)));
    };
    same(of, rust, &["a.phi", "a.w"]);
    for of in
        ["package A extends B; end A; package B extends A; end B;", "class B = A; class A = B;"]
    {
        let found = refusals(&format!("{of} model M extends B; end M;"));
        assert!(found[0].contains("inherits itself"), "{found:#?}");
    }
}

/// The folder of a package may have another name: that of a copy of its repository.
#[test]
fn folders_of_packages_may_have_other_names() {
    let folder = std::env::temp_dir().join(format!("Drives-main-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("Parts")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write(
        "package.mo",
        "package Drives model Wheel = Modelica.Mechanics.Rotational.Components.\
                         Inertia(J = 2); end Drives;",
    );
    write("Parts/package.mo", "within Drives; package Parts end Parts;");
    write("Parts/M.mo", "within Drives.Parts; model M Drives.Wheel a(w(start = 3)); end M;");
    let mut library = Library::new(Vec::new());
    let classes = library.open(&folder.join("Parts/M.mo"));
    std::fs::remove_dir_all(&folder).unwrap();
    let class = Rc::clone(&classes.unwrap()[0]);
    assert_eq!(&*class.path, "Drives.Parts.M");
    Text::new(library, &class).add_to(&mut Assembly::new()).unwrap();
}

#[test]
fn components_have_the_places_of_their_annotations() {
    let of = "
        package P
          partial model Base
            Modelica.Mechanics.Rotational.Components.Inertia a(J = 1)
              annotation (Placement(transformation(extent = {{-50, 10}, {-30, 30}})));
          end Base;
          model M
            extends Base;
            Modelica.Mechanics.Rotational.Components.Spring b(c = 1) annotation (Placement(
              visible = true,
              transformation(origin = {0, 5}, extent = {{10, -10}, {-10, 10}}, rotation = -90)));
            Modelica.Mechanics.Rotational.Components.Fixed c annotation (Dialog(tab = \"x\"));
          end M;
        end P;
        model N = P.M;";
    let mut m = Assembly::new();
    text(of).add_to(&mut m).expect("it is a model");
    let places = m.into_netlist().places;
    let places = places.iter().map(|(name, p)| (&**name, [p.x, p.y, p.rotation], p.mirrored));
    let expected = [("a", [-40.0, 20.0, 0.0], false), ("b", [0.0, 5.0, -90.0], true)];
    assert_eq!(places.collect::<Vec<_>>(), expected);
}

/// A pendulum, with a sensor on either side of its joint or without them.
fn measured_pendulum(m: &mut Assembly, has_sensors: bool) {
    let world = m.add("world", World::new());
    let joint = m.add("joint", Revolute::new().n(Z).phi(fixed(0.4)).w(fixed(1.5)));
    let body = m.add("body", Body::new().m(2).r_cm([0.7, 0.0, 0.0]));
    if has_sensors {
        let [first, second] = ["first", "second"].map(|name| m.add(name, CutForceAndTorque::new()));
        m.chain((world.frame_b, first, joint, second, body.frame_a));
    } else {
        m.chain((world.frame_b, joint, body.frame_a));
    }
}

#[test]
fn variables_of_frames_are_those_of_sensors() {
    let mut ours = simulation_of(
        "model M
          inner Modelica.Mechanics.MultiBody.World world;
          Modelica.Mechanics.MultiBody.Joints.Revolute joint(
            n = {0, 0, 1}, phi(start = 0.4, fixed = true), w(start = 1.5, fixed = true));
          Modelica.Mechanics.MultiBody.Parts.Body body(m = 2, r_CM = {0.7, 0, 0});
          Real f[3] = body.frame_a.f;
          Real t[3] = joint.frame_a.t;
          Real sine = body.frame_a.R.T[1, 2];
          Real w = body.frame_a.R.w[3];
          Real v[3] = der(body.frame_a.r_0);
        equation
          connect(world.frame_b, joint.frame_a);
          connect(joint.frame_b, body.frame_a);
        end M;",
    );
    let mut with_sensors =
        coupler::simulation(|m: &mut Assembly| measured_pendulum(m, true)).unwrap();
    let mut plain = coupler::simulation(|m: &mut Assembly| measured_pendulum(m, false)).unwrap();
    let mut simulations = [&mut ours, &mut with_sensors, &mut plain];
    for k in 0..=4 {
        for simulation in &mut simulations {
            match k {
                0 => simulation.start(None).unwrap(),
                _ => simulation.run_to(f64::from(k) * 0.25).unwrap(),
            }
        }
        let [ours, with_sensors, plain] = &mut simulations;
        let same = |[(a, name), (b, other)]: [(&mut Simulation, &str); 2]| {
            let [a, b] = [a.read(name).unwrap(), b.read(other).unwrap()];
            assert!(a.to_bits() == b.to_bits(), "{name}: {a} and {b}");
        };
        for k in 1..=3 {
            let [f, force] = [format!("f[{k}]"), format!("second.force[{k}]")];
            same([(ours, &f), (with_sensors, &force)]);
            same([(ours, &format!("body.frame_a.f[{k}]")), (with_sensors, &force)]);
            let [t, torque] = [format!("t[{k}]"), format!("first.torque[{k}]")];
            same([(ours, &t), (with_sensors, &torque)]);
        }
        for name in ["joint.phi", "joint.w", "joint.a", "body.a_0[2]"] {
            same([(ours, name), (plain, name)]);
        }
        let [phi, w] = ["joint.phi", "joint.w"].map(|name| ours.read(name).unwrap());
        for (name, value) in [("sine", phi.sin()), ("w", w), ("v[1]", 0.0)] {
            let found = ours.read(name).unwrap();
            assert!((found - value).abs() < 1e-12, "{name} = {found}, not {value}");
        }
    }
}

#[test]
fn an_initial_value_beside_prescribed_motions_is_named() {
    let of = "
        model M
          import Modelica.Mechanics.{MultiBody, Translational};
          inner MultiBody.World world;
          MultiBody.Joints.Prismatic x(n = {1, 0, 0}, useAxisFlange = true);
          MultiBody.Joints.Prismatic y(n = {0, 1, 0}, useAxisFlange = true);
          MultiBody.Joints.Prismatic z(n = {0, 0, 1});
          MultiBody.Parts.Body body(m = 1, r_CM = zeros(3), r_0(each start = 0, each fixed = true));
          Translational.Sources.Position moved[2];
          Modelica.Blocks.Sources.Sine sine[2](each f = 1, each amplitude = 1);
        equation
          connect(world.frame_b, x.frame_a);
          connect(x.frame_b, y.frame_a);
          connect(y.frame_b, z.frame_a);
          connect(z.frame_b, body.frame_a);
          connect(moved[1].flange, x.axis);
          connect(moved[2].flange, y.axis);
          connect(sine.y, moved.s_ref);
        end M;";
    let model = text(of);
    let error = coupler::simulation(move |m: &mut Assembly| drop(model.add_to(m).unwrap()));
    let error = error.expect_err("it is refused").to_string();
    assert!(error.contains("body.r_0") && error.contains("one too many"), "{error}");
}
