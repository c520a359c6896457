//! What users read about mistakes in their files, word for word.

use coupler::ModelicaTexts;
use fmu_builder::models::Variant;
use fmu_builder::models::front_end::{FrontEnd, ModelFile};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A folder with these files.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a folder in it");
        fs::write(path, content).expect("it can be written");
    }
    folder
}

/// The notes on a model of a folder, or the lines about its mistakes without the folder's path.
fn read(folder: &Path, name: &str, class: Option<&str>) -> Result<Vec<String>, String> {
    let path = folder.join(name);
    let model = ModelicaTexts.read(&ModelFile::new(&path, class));
    let traced = model.and_then(|model| model.trace_as(Variant::default()));
    let within = format!("{}/", folder.display());
    let plain = |lines: &[String]| lines.join("\n").replace(&within, "");
    let traced = traced.map_err(|lines| plain(&lines))?;
    Ok(traced.code.notes().iter().map(|note| note.replace(&within, "")).collect())
}

/// The lines about the mistakes of a file `Test.mo`.
fn mistakes(text: &str) -> String {
    let folder = folder(&[("Test.mo", text.as_bytes())]);
    read(folder.path(), "Test.mo", None).expect_err(text)
}

/// A model with a motor, and further lines.
fn drive(declarations: &str, equations: &str) -> String {
    format!(
        "model Drive
  import Modelica.Mechanics.Rotational.Components.*;
  import Modelica.Mechanics.Rotational.Sources.*;
  Torque torque;
  Inertia motor(J = 1);
  {declarations}
equation
  connect(torque.flange, motor.flange_a);
  {equations}
end Drive;
"
    )
}

#[test]
fn mistakes_that_equations_show_are_at_the_declaration_of_a_component() {
    let wheel = "Inertia wheel(J = 1, phi(start = 0, fixed = true));\n  \
                 Inertia rim(J = 2, phi(start = 1, fixed = true));";
    let joined = drive(wheel, "torque.tau = 1; connect(wheel.flange_b, rim.flange_a);");
    assert_eq!(
        mistakes(&joined),
        "Test.mo:7:11: rim.phi: its fixed start value 1 rad cannot be: with the fixed start values \
         of wheel.phi it is 0 rad
      Inertia rim(J = 2, phi(start = 1, fixed = true));
              ^^^
Test.mo: one mistake"
    );
    assert_eq!(
        mistakes(&drive("", "")),
        "Test.mo:4:10: torque.tau: the input is not connected
      Torque torque;
             ^^^^^^
Test.mo: one mistake"
    );
    let nested = "
model Pair
  model Part
    Modelica.Mechanics.Rotational.Components.Inertia wheel[2](J = {1, 0});
  end Part;
  Part part[2];
end Pair;";
    assert_eq!(
        mistakes(nested),
        "Test.mo:4:54: part[1].wheel[2].J = 0 kg.m2: nothing with inertia moves with \
         part[1].wheel[2].flange_a, part[1].wheel[2].flange_b
        Modelica.Mechanics.Rotational.Components.Inertia wheel[2](J = {1, 0});
                                                         ^^^^^
Test.mo: one mistake"
    );
}

#[test]
fn a_loop_that_cannot_be_closed_is_at_its_joint() {
    let text = "
model Loop
  import Modelica.Mechanics.MultiBody.*;
  inner World world;
  Joints.Revolute r1(n = {0, 0, 1}), r2(n = {0, 0, 1});
  Parts.BodyBox b1(r = {1, 0, 0}), b2(r = {3, 0, 0});
equation
  connect(world.frame_b, r1.frame_a);
  connect(r1.frame_b, b1.frame_a);
  connect(b1.frame_b, r2.frame_a);
  connect(r2.frame_b, b2.frame_a);
  connect(b2.frame_b, world.frame_b);
end Loop;";
    let lines = mistakes(text);
    let start = "Test.mo:5:38: r2: the loop cannot be closed from the start values: a gap of 2 m";
    assert!(lines.starts_with(start), "{lines}");
    assert!(lines.contains("\n                                         ^^\n"), "{lines}");
}

#[test]
fn two_sources_of_an_input_are_named_with_their_places() {
    let refused = |declarations: &str, equations: &str| {
        let lines = mistakes(&drive(declarations, equations));
        lines.lines().next().expect("a line").to_owned()
    };
    let constant = "Modelica.Blocks.Sources.Constant a(k = 1), b(k = 2);";
    let both = "connect(a.y, torque.tau);\n  connect(b.y, torque.tau);";
    assert_eq!(
        refused(constant, both),
        "Test.mo:10:3: torque.tau has two sources: b.y, and a.y, which is connected at \
         Test.mo:9:3"
    );
    let input =
        "Modelica.Blocks.Sources.Constant a(k = 1); Modelica.Blocks.Interfaces.RealInput b;";
    assert_eq!(
        refused(input, &both.replace("b.y", "b")),
        "Test.mo:10:3: torque.tau has two sources: b, and a.y, which is connected at Test.mo:9:3"
    );
    let own = "block Own Modelica.Blocks.Interfaces.RealOutput y = time; end Own; Own a, b;";
    assert_eq!(
        refused(own, both),
        "Test.mo:10:3: torque.tau has two sources: b.y, and a.y, which is connected at \
         Test.mo:9:3"
    );
    assert_eq!(
        refused(constant, "connect(a.y, torque.tau);\n  torque.tau = 3;"),
        "Test.mo:10:3: torque.tau is connected with a source, so no equation can determine it"
    );
    // An output of a composite has one source, which is inside of it.
    let inner = "block Outer Modelica.Blocks.Interfaces.RealOutput y; Modelica.Blocks.Sources.Constant \
                 c(k = 1); equation connect(c.y, y); end Outer; Outer a;";
    let folder = folder(&[("Test.mo", drive(inner, "connect(a.y, torque.tau);").as_bytes())]);
    read(folder.path(), "Test.mo", None).unwrap();
}

#[test]
fn misspelt_names_are_followed_by_similar_ones() {
    let refused = |declarations: &str, equations: &str| {
        let lines = mistakes(&drive(declarations, equations));
        lines.lines().next().expect("a line").to_owned()
    };
    let library = "Modelica.Mechanics.Rotational.Components";
    let inertia = format!("{library}.Inertia");
    for (declarations, equations, expected) in [
        ("Inertai wheel;", "", "6:3: there is no class Inertai; is it Inertia?".to_owned()),
        ("Reel y;", "", "6:3: there is no class Reel; is it Real?".to_owned()),
        (
            &format!("{library}.Spirng spring(c = 1);"),
            "",
            format!("6:44: there is no class Spirng in {library}; is it Spring?"),
        ),
        ("Inertia wheel(j = 1, J = 2);", "", format!("6:17: {inertia} has no element j; is it J?")),
        (
            "parameter Real ratio = 2; Inertia wheel(J = raito);",
            "",
            "6:47: there is nothing with the name raito; is it ratio?".to_owned(),
        ),
        (
            "type Kind = enumeration(slow, fast); Inertia wheel(J = if Kind.fast == Kind.slwo then 1 \
             else 2);",
            "",
            "6:79: Drive.Kind has no element slwo; is it slow?".to_owned(),
        ),
        ("Real y = sqr(2);", "", "6:12: there is no function sqr; is it sqrt?".to_owned()),
        (
            "Real y(strat = 1);",
            "",
            "6:10: a variable has no attribute strat; is it start?".to_owned(),
        ),
        (
            "Real y;",
            "y = motr.phi;",
            "9:7: there is nothing with the name motr; is it motor?".to_owned(),
        ),
        ("Real y;", "y = motor.phii;", format!("9:13: {inertia} has no element phii; is it phi?")),
        (
            "",
            "connect(motor.flange, motro.flange_b);",
            format!("9:17: {inertia} has no element flange; is it flange_a?"),
        ),
        (
            "",
            "connect(motro.flange_b, motor.flange_a);",
            "9:11: Drive has no element motro; is it motor?".to_owned(),
        ),
        (
            "record Data Real mass; end Data; function f input Real x; output Data d; algorithm \
             d.mass := x; end f; parameter Data data = f(1); Inertia wheel(J = data.mas);",
            "",
            "6:152: a record has no element mas; is it mass?".to_owned(),
        ),
        (
            "function f input Real first = 1; output Real y; algorithm y := first; end f; \
             Inertia wheel(J = f(fisrt = 2));",
            "",
            "6:98: Drive.f has no input fisrt; is it first?".to_owned(),
        ),
    ] {
        let expected = format!("Test.mo:{expected}");
        assert_eq!(refused(declarations, equations), expected, "{declarations} {equations}");
    }
}

const BLOCK: &str = "Modelica.Mechanics.Rotational.Components.Inertia wheel(J = 1, \
                     phi(fixed = true), w(start = 1, fixed = true));";

#[test]
fn a_folder_is_read_as_its_package_file_is() {
    let model = format!("within Drives; model Wheel {BLOCK} end Wheel;");
    let folder = folder(&[
        ("Drives/package.mo", b"package Drives end Drives;"),
        ("Drives/Wheel.mo", model.as_bytes()),
        ("empty/Wheel.mo", model.as_bytes()),
    ]);
    let read = |name: &str, class: Option<&str>| read(folder.path(), name, class);
    read("Drives", Some("Drives.Wheel")).unwrap();
    for name in ["Drives", "Drives/package.mo"] {
        assert_eq!(
            read(name, None).unwrap_err(),
            format!(
                "Drives/package.mo:1:9: Drives is a package; choose one of its models by --class: \
                 Drives.Wheel\n    package Drives end Drives;\n            ^^^^^^\n\
                 {name}: one mistake"
            )
        );
    }
    assert_eq!(
        read("empty", None).unwrap_err(),
        "empty is a folder without a file package.mo, so no package\nempty: one mistake"
    );
    let missing = |class: &str| {
        let lines = read("Drives", Some(class)).unwrap_err();
        lines.lines().next().expect("a line").to_owned()
    };
    assert_eq!(missing("Drives.Wheels"), "there is no class Drives.Wheels; is it Drives.Wheel?");
    assert_eq!(missing("Wheel"), "there is no class Wheel; is it Drives.Wheel?");
}

#[test]
fn what_is_missing_is_told_where_it_belongs() {
    assert_eq!(
        mistakes("model M\n  Real x = 1 // One.\nequation\nend M;"),
        "Test.mo:2:12: expected ';', found 'equation'
      Real x = 1 // One.
               ^
Test.mo: one mistake"
    );
    assert_eq!(
        mistakes("model M\n  Real x = 1;\n\n"),
        "Test.mo:2:13: expected 'end', found the end of the file
      Real x = 1;
                ^
Test.mo: one mistake"
    );
}

#[test]
fn classes_end_with_their_names_and_have_them_alone() {
    assert_eq!(
        mistakes("package P\n  model M\n  end N;\nend Q;"),
        "Test.mo:3:7: the class M ends with the name N
      end N;
          ^
Test.mo:4:5: the class P ends with the name Q
    end Q;
        ^
Test.mo: 2 mistakes"
    );
    assert_eq!(
        mistakes("package P\n  model M\n  end M;\n  block M\n  end M;\nend P;"),
        "Test.mo:4:9: the class M is declared twice; it is also at Test.mo:2:9
      block M
            ^
Test.mo: one mistake"
    );
    assert_eq!(
        mistakes("model M\n  Real x = 1;\n  Real x = 2;\nend M;"),
        "Test.mo:3:8: x is declared twice; it is also at Test.mo:2:8
      Real x = 2;
           ^
Test.mo: one mistake"
    );
    // Inherited classes may have the name of one in another scope.
    let text = format!("package P model M {BLOCK} end M; package Q model M = P.M; end Q; end P;");
    let folder = folder(&[("Test.mo", text.as_bytes())]);
    read(folder.path(), "Test.mo", Some("P.Q.M")).unwrap();
}

#[test]
fn texts_in_windows_1252_are_read_with_a_note() {
    let text = |description: &[u8]| {
        let (begin, end) = (b"model Wheel \"".as_slice(), format!("\" {BLOCK} end Wheel;"));
        [begin, description, end.as_bytes()].concat()
    };
    let folder = folder(&[
        ("latin.mo", &text(b"Stra\xdfe \x80")),
        ("utf8.mo", &[b"\xef\xbb\xbf".as_slice(), &text("Straße €".as_bytes())].concat()),
        ("binary.mo", &text(b"\xff\x00")),
        ("line.mo", b"model M\r\n  Real x = y;\r\nend M;\r\n"),
        ("wrong.mo", b"model M\n  Real \xe4 = 1;\nend M;"),
    ]);
    let notes = |name: &str| read(folder.path(), name, None);
    let of_encoding = |notes: Vec<String>| -> Vec<String> {
        notes.into_iter().filter(|note| note.contains(".mo")).collect()
    };
    assert_eq!(
        of_encoding(notes("latin.mo").unwrap()),
        ["latin.mo is not in UTF-8: it is read as Windows-1252 (Latin-1)"]
    );
    assert!(of_encoding(notes("utf8.mo").unwrap()).is_empty());
    for name in ["latin.mo", "utf8.mo"] {
        let path = folder.path().join(name);
        let model = ModelicaTexts.read(&ModelFile::new(&path, None)).expect(name);
        assert_eq!(model.documentation, "Straße €");
    }
    assert_eq!(
        notes("binary.mo").unwrap_err(),
        "binary.mo cannot be read: it is a text neither in UTF-8 nor in Windows-1252\n\
         binary.mo: one mistake"
    );
    assert_eq!(
        notes("line.mo").unwrap_err(),
        "line.mo:2:12: there is nothing with the name y\n      Real x = y;\n\
         \x20              ^\nline.mo: one mistake"
    );
    let wrong = notes("wrong.mo").unwrap_err();
    assert!(wrong.starts_with("wrong.mo:2:8: "), "{wrong}");
    assert!(wrong.contains("      Real ä = 1;\n"), "{wrong}");
}

#[test]
fn the_file_of_a_class_contains_no_other_one() {
    let wheel = format!("within Drives; model Wheel {BLOCK} end Wheel; model Rim end Rim;");
    let folder = folder(&[
        ("Drives/package.mo", b"package Drives model M Wheel wheel; end M; end Drives;"),
        ("Drives/Wheel.mo", wheel.as_bytes()),
        ("Drives/Gear.mo", b"within Drives; model Gaer end Gaer;"),
    ]);
    let notes = read(folder.path(), "Drives", Some("Drives.M")).unwrap();
    let note = notes.iter().find(|note| note.contains(".mo:")).expect("a note");
    let place = 15 + 12 + BLOCK.len() + 1 + 11 + 6 + 1;
    assert_eq!(
        *note,
        format!(
            "Drives/Wheel.mo:1:{place}: the file of a class contains no other one, so Rim is not \
             found"
        )
    );
    assert_eq!(
        read(folder.path(), "Drives", Some("Drives.Gear")).unwrap_err(),
        "Drives/Gear.mo does not contain Gear; is it Gaer?\nDrives: one mistake"
    );
}

/// The notes on a model, and the first line about its failure at the start.
fn failure(text: &str) -> (Vec<String>, String) {
    let folder = folder(&[("Test.mo", text.as_bytes())]);
    let path = folder.path().join("Test.mo");
    let model = ModelicaTexts.read(&ModelFile::new(&path, None));
    let traced = model.and_then(|model| model.trace_as(Variant::default()));
    let traced = traced.unwrap_or_else(|lines| panic!("{}", lines.join("\n")));
    let notes = traced.code.notes().iter().filter(|note| !note.contains("MODELICAPATH"));
    let notes = notes.cloned().collect();
    let mut simulation = traced.simulation().unwrap_or_else(|error| panic!("{error}"));
    let failed = simulation.start(None).expect_err("an assertion does not hold");
    (notes, failed.to_string())
}

#[test]
fn messages_show_what_is_known_when_the_model_is_built() {
    let text = "
package P
  model Part
    parameter Real m = 3;
    parameter Integer n = 2;
    Modelica.Mechanics.Rotational.Components.Inertia j(J = m, phi(fixed = true), w(fixed = true));
  equation
    assert(j.w < -1, getInstanceName() + \": \" + String(n) + \" times \" + String(j.w)
      + \" with \" + String(m));
  end Part;
  model M
    Part part[2];
  end M;
end P;
model N = P.M;";
    let (notes, failed) = failure(text);
    assert!(failed.ends_with("N.part[1]: 2 times j.w with m"), "{failed}");
    assert_eq!(
        notes,
        [
            "the message \"N.part[1]: 2 times j.w with m\" shows j.w and m without a value",
            "the message \"N.part[2]: 2 times j.w with m\" shows j.w and m without a value"
        ]
    );
    let wrong = text.replace("String(j.w)", "String(j.ww)");
    assert!(mistakes(&wrong).contains("Inertia has no element ww\n"));
}

#[test]
fn what_records_and_outer_components_cannot_be_is_told() {
    let operators = "
package P
  operator record Pair
    Real a;
    Real b;
    operator function '+'
      input Pair x; input Pair y; output Pair z;
    algorithm
      z := Pair(x.a + y.a, x.b + y.b);
    end '+';
  end Pair;
  model M
    parameter Pair pair = Pair(1, 2) + Pair(3, 4);
    Modelica.Mechanics.Rotational.Components.Inertia wheel(J = pair.a);
  end M;
end P;
model N = P.M;";
    assert!(mistakes(operators).starts_with(
        "Test.mo:13:27: operators of records are not supported, also those that an operator record \
         defines\n"
    ));
    let outer = "
model M
  model Part
    outer parameter Real k = 3;
    Real y = k;
  end Part;
  inner parameter Real k = 4;
  Part part;
end M;";
    assert_eq!(
        mistakes(outer),
        "Test.mo:4:30: k is outer, so nothing can modify it here: it is the inner k of a component \
         around
        outer parameter Real k = 3;
                                 ^
Test.mo: one mistake"
    );
}

#[test]
fn a_law_for_a_frame_states_its_force_and_its_torque() {
    let law = |equation: &str| {
        format!(
            "
model Push
  import Modelica.Mechanics.MultiBody.*;
  inner World world;
  model Law
    Interfaces.Frame_a frame_a;
  equation
    {equation};
  end Law;
  Law law;
  Parts.Body body(m = 1, r_CM = {{1, 0, 0}});
equation
  connect(law.frame_a, body.frame_a);
end Push;"
        )
    };
    for (equation, missing) in [("frame_a.f = {1, 0, 0}", "t"), ("frame_a.t = {1, 0, 0}", "f")] {
        assert_eq!(
            mistakes(&law(equation)),
            format!(
                "Test.mo:6:24: no equation determines law.frame_a.{missing}: a law for law.frame_a \
                 states its force and its torque, also where one of them is zero
        Interfaces.Frame_a frame_a;
                           ^^^^^^^
Test.mo: one mistake"
            )
        );
    }
}

#[test]
fn variables_of_connectors_are_published_if_they_are_wanted() {
    let hanging = "
model Hanging
  import Modelica.Mechanics.MultiBody.*;
  inner World world;
  Parts.Fixed fixed;
  Parts.Body body(m = 2, r_CM = {0, 0, 0});
  Modelica.Thermal.HeatTransfer.Components.HeatCapacitor drum(C = 2, T(start = 300, fixed = true));
equation
  connect(fixed.frame_b, body.frame_a);
end Hanging;";
    let folder = folder(&[("Test.mo", hanging.as_bytes())]);
    let path = folder.path().join("Test.mo");
    let variables = ["body.frame_a.f", "fixed.frame_b.R.T[2,2]", "drum.port.T"].map(str::to_owned);
    let file = ModelFile { variables: &variables, ..ModelFile::new(&path, None) };
    let traced = ModelicaTexts.read(&file).and_then(|model| model.trace_as(Variant::default()));
    let mut hanging = traced.expect("it is a model").simulation().expect("it has no tables");
    hanging.start(None).expect("initial values");
    let expected = [
        ("body.frame_a.f[1]", 0.0),
        ("body.frame_a.f[2]", 2.0 * 9.806_65),
        ("fixed.frame_b.R.T[2,2]", 1.0),
        ("drum.port.T", 300.0),
    ];
    for (name, value) in expected {
        let read = hanging.read(name).unwrap_or_else(|error| panic!("{error}"));
        assert!((read - value).abs() < 1e-9, "{name}: {read}");
    }
}

#[test]
fn an_output_without_an_equation_and_a_variable_with_two_are_named() {
    let text = "model M
  block Half
    Modelica.Blocks.Interfaces.RealInput u; Modelica.Blocks.Interfaces.RealOutput y; Real z;
  equation
    z = u / 2;
  end Half;
  Half half; Modelica.Blocks.Sources.Constant one(k = 1); Modelica.Blocks.Math.Gain gain(k = 2);
equation
  connect(one.y, half.u);
  connect(half.y, gain.u);
end M;";
    let told = mistakes(text);
    assert!(told.contains("Test.mo:10:3: no equation determines half.y"), "{told}");
    let twice = "model M Real z; equation\n  z = 2;\n  z = 3;\nend M;";
    assert_eq!(
        mistakes(twice).lines().next(),
        Some("Test.mo:3:3: z has another equation, at Test.mo:2:3")
    );
}

#[test]
fn records_that_nothing_uses_are_checked() {
    let record = "model M\n  record R parameter Real q = 2; end R;\n";
    for (line, expected) in [
        ("parameter R b = R(w = 4);", "Test.mo:3:17: M.R has no input w"),
        ("parameter R c = 3;", "Test.mo:3:17: c is a record, not the Integer 3"),
        ("parameter R d = wrong(q = 3);", "Test.mo:3:17: there is no function wrong"),
    ] {
        let told = mistakes(&format!("{record}{line}\nend M;"));
        assert_eq!(told.lines().next(), Some(expected));
    }
}
