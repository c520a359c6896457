//! Models in files: `fmu export` writes them, and other commands accept them in place of names.

use std::fs;
use std::path::Path;

use crate::fixture::{fmu_in, names, succeed};

/// The lines that a command that must fail prints, in a folder.
fn refused(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let output = fmu_in(folder, arguments);
    assert!(!output.status.success(), "{arguments:?}");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    errors.lines().map(str::to_owned).collect()
}

#[test]
fn a_model_in_a_file_has_the_results_of_its_text() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let written = succeed(folder, &["export", "test_bench", "-o", "bench.json"]);
    let files = ["bench.json", "resources/test_bench/cycle.csv", "resources/test_bench/fan.csv"];
    assert_eq!(written.lines().collect::<Vec<_>>(), files);
    let run = |model: &str, output: &str| {
        let options = ["--interpreted", "--no-plot", "--stop", "1", "--output", output];
        succeed(folder, &[&["run", model][..], &options].concat());
        fs::read_to_string(folder.join(output)).unwrap()
    };
    assert_eq!(run("bench.json", "of_file.csv"), run("test_bench", "of_text.csv"));
    let inspected = succeed(folder, &["inspect", "bench.json"]);
    assert!(inspected.starts_with("TestBench  "), "{inspected}");
    assert!(inspected.contains("  file          bench.json, "), "{inspected}");
    let compared =
        succeed(folder, &["compare", "bench.json", "of_text.csv", "--no-plot", "--limit", "0"]);
    assert!(compared.contains("of_text.csv"), "{compared}");
    succeed(folder, &["report", "bench.json", "--stop", "0.1", "--output", "bench.html"]);
    assert!(names(folder).contains(&"bench.html".to_owned()));
}

/// A text in Modelica with several classes.
const DRIVE: &str = "package P
  block Lag \"Delay of first order\"
    Modelica.Blocks.Interfaces.RealInput u(unit = \"N\");
    Modelica.Blocks.Interfaces.RealOutput y(start = 0, fixed = true);
  equation
    der(y) = u - y;
  end Lag;
  partial model Base
    Modelica.Mechanics.Rotational.Components.Inertia wheel(J = 2, phi(fixed = true));
  end Base;
  model Drive
    extends Base(wheel(w(start = 3, fixed = true)));
    Lag lag(u = wheel.w);
    output Real fast = if wheel.w > 1 then 1 else 0;
  end Drive;
  package Tests
    model Broken
      extends Base;
      Real x = y;
    equation
      wheel.tau = 0;
    end Broken;
  end Tests;
end P;
";

#[test]
fn a_model_in_modelica_is_exported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("drive.mo"), DRIVE).unwrap();
    let arguments = ["export", "drive.mo", "--class", "P.Drive", "-o", "drive.json"];
    assert_eq!(succeed(folder, &arguments), "drive.json\n");
    let guid = |arguments: &[&str]| {
        let inspected = succeed(folder, &[&["inspect"], arguments].concat());
        let (_, guid) = inspected.split_once("GUID ").expect("it has a GUID");
        guid.lines().next().unwrap().to_owned()
    };
    assert_eq!(guid(&["drive.json"]), guid(&["drive.mo", "--class", "P.Drive"]));
    let again = ["export", "drive.json", "-o", "again.json"];
    succeed(folder, &again);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("again.json"), read("drive.json"));
}

#[test]
fn the_classes_of_a_file_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("drive.mo"), DRIVE).unwrap();
    let lines = "P.Lag  Delay of first order
  inputs        u in N
  outputs       y
P.Base
  cannot be built
    drive.mo:8:17: a partial model
P.Drive
  inputs        none
  outputs       fast
P.Tests.Broken
  cannot be built
    drive.mo:19:16: there is nothing with the name y
    drive.mo:21:13: Modelica.Mechanics.Rotational.Components.Inertia has no element tau
drive.mo: 2 of 4 classes can be built
";
    assert_eq!(succeed(folder, &["inspect", "drive.mo"]), lines);
    let drive = succeed(folder, &["inspect", "drive.mo", "--class", "P.Drive"]);
    assert!(drive.starts_with("Drive\n"), "{drive}");
}

#[test]
fn a_model_in_a_file_is_compiled_if_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("drive.mo"), DRIVE).unwrap();
    let class = ["--class", "P.Drive"];
    succeed(folder, &[&["build", "drive.mo", "--compiled", "--out", "."], &class[..]].concat());
    let run = |model: &[&str], output: &str| {
        let options = ["--no-plot", "--output", output];
        succeed(folder, &[&["run"], model, &options].concat());
        fs::read_to_string(folder.join(output)).unwrap()
    };
    let of_text = run(&["drive.mo", "--class", "P.Drive"], "of_text.csv");
    assert_eq!(run(&["Drive.fmu"], "of_fmu.csv"), of_text);
}

#[test]
fn all_mistakes_of_a_file_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(folder, &["export", "first", "-o", "first.json"]);
    let path = folder.join("first.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"J\"", "\"inertia\"").replace(".flange_a\"", ".flange_c\""))
        .unwrap();
    let lines = refused(folder, &["run", "first.json"]);
    assert!(lines.len() > 2, "{lines:?}");
    assert!(lines.iter().all(|line| line.starts_with("fmu: first.json: ")), "{lines:?}");
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    let lines = refused(folder, &["build", "first.json"]);
    assert!(lines[0].starts_with("fmu: first.json:") && lines[0].contains("EOF"), "{lines:?}");
    fs::write(&path, "{}").unwrap();
    assert_eq!(
        refused(folder, &["inspect", "first.json"]),
        ["fmu: first.json:1:2: missing field `format`"]
    );
}

#[test]
fn files_that_no_front_end_can_write_or_read_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (arguments, sentence) in [
        (
            &["export", "bouncing_ball", "-o", "ball.json"][..],
            "fmu: bouncing_ball consists of equations, which no file *.json can hold",
        ),
        (&["export", "first", "-o", "first.txt"], "fmu: first.txt: a model is written to *.json"),
        (&["run", "first.json"], "fmu: first.json: it cannot be read: there is no such file"),
        (&["inspect", "first.mo"], "fmu: first.mo: it cannot be read: there is no such file"),
        (
            &["run", "first", "--class", "First"],
            "fmu: --class is for files: first is the name of a model",
        ),
        (
            &["run", "first.json", "--class", "First"],
            "fmu: first.json: a netlist describes one model, so it has no classes",
        ),
    ] {
        assert_eq!(refused(folder, arguments), [sentence]);
    }
    assert!(names(folder).is_empty());
}
