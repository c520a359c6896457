//! Tests that mistakes in systems are named in one sentence.

use std::fs;
use std::path::Path;

use coupler_tests::fmu_program::{fmu, succeeds};
use fmu_builder::archive::{self, Entry};

/// The archive of a cut drive train, with a change of its description.
fn changed(folder: &Path, change: impl Fn(String) -> String) -> String {
    let model = folder.join("drive.json");
    fs::write(&model, DRIVE).expect("a model");
    let out = folder.join("out");
    succeeds(fmu().arg("cut").arg(&model).args(["--at", "shaft", "--out"]).arg(&out));
    let file = fs::File::open(out.join("Drive.ssp")).expect("the archive");
    let mut archive = zip::ZipArchive::new(file).expect("an archive");
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).expect("an entry");
        let mut bytes = Vec::new();
        std::io::copy(&mut entry, &mut bytes).expect("its bytes");
        let path = entry.name().expect("a name").into_owned();
        if path == "SystemStructure.ssd" {
            bytes = change(String::from_utf8(bytes).expect("UTF-8")).into_bytes();
        }
        entries.push(Entry::new(path, bytes));
    }
    let changed = folder.join("changed.ssp");
    archive::write(&changed, entries).expect("an archive");
    changed.display().to_string()
}

/// Two inertias with a spring between them.
pub const DRIVE: &str = r#"{ "format": "coupler-netlist", "version": 1, "name": "drive",
  "components": [
    { "class": "rotational::Inertia", "name": "motor", "settings": { "J": 1, "phi": { "fixed": 0 }, "w": { "fixed": 1 } } },
    { "class": "rotational::SpringDamper", "name": "shaft", "settings": { "c": 100, "d": 1 } },
    { "class": "rotational::Inertia", "name": "load", "settings": { "J": 2, "phi": { "fixed": 0 }, "w": { "fixed": 0 } } } ],
  "connections": [["motor.flange_b", "shaft.flange_a"], ["shaft.flange_b", "load.flange_a"]],
  "outputs": ["motor.w", "load.w"] }"#;

/// What `fmu check` prints about a changed system.
fn checked(change: impl Fn(String) -> String) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = changed(folder.path(), change);
    let output = fmu().args(["check", &path]).output().expect("the program");
    coupler_tests::python::both(&output)
}

#[test]
fn each_mistake_of_a_system_is_one_sentence() {
    let cases: [(&str, &str, &str); 6] = [
        ("endConnector=\"tau", "endConnector=\"tua", "has no variable `tua"),
        (
            "resources/DrivePartA.fmu",
            "resources/Lost.fmu",
            "the archive has no file resources/Lost.fmu",
        ),
        (
            "<ssd:Connector name=\"w\" kind=\"input\">\n            <ssc:Real unit=\"rad/s\"/>",
            "<ssd:Connector name=\"w\" kind=\"input\">\n            <ssc:Real unit=\"rad\"/>",
            "the connector has the unit rad, the variable the unit rad/s",
        ),
        ("startConnector=\"w\"", "startConnector=\"phi\"", "has the unit rad, but"),
        ("startElement=\"part_", "startElement=\"prat_", "there is no component `prat_"),
        ("version=\"1.0\" name", "version=\"1.0\" nome", "has no attribute name"),
    ];
    for (old, new, sentence) in cases {
        let text = checked(|ssd| {
            assert!(ssd.contains(old), "{old}: {ssd}");
            ssd.replace(old, new)
        });
        assert!(text.contains(sentence), "{new}: {text}");
    }
}

#[test]
fn a_system_without_mistakes_has_notes_about_its_steps() {
    let text = checked(|ssd| ssd);
    assert!(text.contains("stable with steps up to"), "{text}");
    assert!(text.contains("2 components, 4 connections, no errors"), "{text}");
}

#[test]
fn a_step_above_the_stability_limit_is_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = changed(folder.path(), |ssd| ssd);
    let csv = folder.path().join("run.csv");
    let run = |step: &str| {
        let mut command = fmu();
        command.args(["run", &path, "--order", "0", "--correct", "false", "--stop", "2"]);
        command.args(["--no-plot", "--step", step, "--output"]).arg(&csv);
        succeeds(&mut command)
    };
    let words = "is above the largest one with which errors do not grow";
    assert!(run("0.1").contains(words));
    assert!(!run("0.001").contains(words));
}

#[test]
fn a_place_that_does_not_divide_a_model_is_named() {
    for (model, at, sentence) in [
        ("drivetrain", "shat", "there is no flange or component `shat`; is it `shaft`?"),
        ("coupled_clutches", "sin1", "sin1 has no flange that is connected"),
        ("fourbar2", "j1", "j1 has no flange that is connected"),
    ] {
        let output = fmu().args(["cut", model, "--at", at]).output().expect("the program");
        let text = coupler_tests::python::both(&output);
        assert!(!output.status.success() && text.contains(sentence), "{model} {at}: {text}");
    }
}
