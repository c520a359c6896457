//! What texts say that is not read, or that differs from what a reader expects, is named.

use super::*;

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
