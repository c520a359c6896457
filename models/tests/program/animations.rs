//! Reports animate the models of a package, whose texts need not ask for it.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use fmu_builder::models::{ModelCode, Scene, Variant};
use fmu_builder::{build, report};
use models::MODELS;

use crate::fixture::succeed;

/// Whether a report has an animation.
#[track_caller]
fn is_animated(page: &Path) -> bool {
    let text = fs::read_to_string(page).unwrap();
    let parts = [true, false]
        .map(|there| text.matches(if there { "\"scene\":{" } else { "\"scene\":null" }).count());
    assert!(parts == [1, 0] || parts == [0, 1], "{parts:?}");
    parts[0] == 1
}

#[test]
fn a_report_changes_no_bit_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let table = |file: &str, more: &[&str]| {
        let run = ["run", "fourbar2", "--interpreted", "--no-plot", "--output", file];
        let printed = succeed(folder, &[&run[..], more].concat());
        assert!(!printed.contains("note:"), "{printed}");
        fs::read(folder.join(file)).unwrap()
    };
    let plain = table("plain.csv", &[]);
    assert_eq!(plain, table("drawn.csv", &["--report", "drawn.html"]));
    assert!(is_animated(&folder.join("drawn.html")));
}

#[test]
fn a_report_of_a_model_leaves_its_fmu_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(folder, &["build", "fourbar2"]);
    let shipped = fs::read(folder.join("Fourbar2.fmu")).unwrap();
    succeed(folder, &["report", "fourbar2", "--stop", "0.1"]);
    assert!(is_animated(&folder.join("Fourbar2.html")));
    assert_eq!(fs::read(folder.join("Fourbar2.fmu")).unwrap(), shipped);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["Fourbar2.fmu", "Fourbar2.html"]);
    // The report of a file shows what the file has.
    succeed(folder, &["report", "Fourbar2.fmu", "--stop", "0.1"]);
    assert!(!is_animated(&folder.join("Fourbar2.html")));
}

#[test]
fn a_report_of_a_model_without_shapes_has_no_animation_and_no_remark() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let printed = succeed(folder, &["report", "coupled_clutches", "--interpreted"]);
    assert_eq!(printed, "CoupledClutches.html\n");
    let page = folder.join("CoupledClutches.html");
    assert!(!is_animated(&page));
    assert!(fs::read_to_string(page).unwrap().contains("\"remarks\":[]"));
}

#[test]
fn every_name_in_the_scene_of_a_model_is_a_variable() {
    let (mut animated, mut lost) = (0, Vec::new());
    for model in MODELS.models {
        let traced = MODELS
            .trace_as(model, Variant { scene: Scene::IfPossible, ..Variant::default() })
            .unwrap();
        if !matches!(&traced.code, ModelCode::Program(program) if program.resources().len() == 1) {
            continue;
        }
        let fmu = build::played(&traced).unwrap();
        let appearance = report::appearance(&fmu);
        assert_eq!(appearance.remarks, [""; 0], "{}", model.name);
        let scene = appearance.scene.unwrap_or_else(|| panic!("{} has a scene", model.name));
        for name in scene.variables() {
            if fmu.description.variable(name).is_none() {
                lost.push(format!("{}: {name}", model.name));
            }
        }
        animated += 1;
    }
    assert!(lost.is_empty(), "{lost:#?}");
    assert!(animated > 20, "{animated} models are animated");
}

#[test]
fn an_fmu_contains_its_report_if_asked_and_a_damaged_diagram_is_a_remark() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let build = ["build", "brake", "--interpreted", "--with-report"];
    succeed(folder, &build);
    let file = folder.join("Brake.fmu");
    let read = |path: &str| {
        let mut archive = zip::ZipArchive::new(fs::File::open(&file).unwrap()).unwrap();
        let mut text = String::new();
        archive.by_name(path).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    let index = read("documentation/index.html");
    assert!(index.contains("href=\"report.html\"") && index.contains("<svg"), "{index}");
    assert!(read("documentation/report.html").contains("\"title\":\"Brake\""));
    assert!(succeed(folder, &["check", "Brake.fmu"]).contains("no problems"));
    // A second build has the same bytes.
    let first = fs::read(&file).unwrap();
    succeed(folder, &build);
    assert!(fs::read(&file).unwrap() == first);

    let mut archive = zip::ZipArchive::new(fs::File::open(&file).unwrap()).unwrap();
    let damaged = folder.join("damaged.fmu");
    let mut writer = zip::ZipWriter::new(fs::File::create(&damaged).unwrap());
    for i in 0..archive.len() {
        let mut entry = archive.by_index(i).unwrap();
        let name = entry.name().unwrap().into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        if name == "documentation/diagram.json" {
            bytes = b"{\"components\":[<script>".to_vec();
        }
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(&bytes).unwrap();
    }
    writer.finish().unwrap();
    succeed(folder, &["report", "damaged.fmu", "--output", "damaged.html"]);
    let page = fs::read_to_string(folder.join("damaged.html")).unwrap();
    assert!(page.contains("no diagram: documentation/diagram.json"));
    assert!(!page.contains("[<script>") && !page.contains("<svg"));
}
