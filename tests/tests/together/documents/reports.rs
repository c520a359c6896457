//! Tests that reports work in a browser, which a script uses as a reader does.

use std::path::{Path, PathBuf};
use std::process::Command;

use coupler_tests::fmu_program::{fmu, succeeds};
use coupler_tests::{Fmu, own, python, skipped};
use mechanics::Assembly;
use models::MODELS;

/// Writes the report and the table of an FMU.
fn report(path: &Path, folder: &Path) -> [PathBuf; 2] {
    let stem = path.file_stem().unwrap_or_default().display();
    let [page, table] = ["html", "csv"].map(|end| folder.join(format!("{stem}.{end}")));
    let mut run = fmu();
    run.args(["run", "--no-plot"]).arg(path).arg("--report").arg(&page).arg("--output").arg(&table);
    succeeds(&mut run);
    [page, table]
}

/// Writes the table of the variables that move the diagram.
fn moving(path: &Path, folder: &Path) {
    let model = MODELS.model("coupled_clutches").and_then(|model| MODELS.trace(model));
    let diagram = model.ok().and_then(|model| model.code.diagram()).expect("a diagram");
    let names: Vec<&str> = diagram.variables().into_iter().collect();
    let table = folder.join("CoupledClutches.moving.csv");
    let mut run = fmu();
    run.args(["run", "--no-plot"]).arg(path).args(["--variables", &names.join(",")]);
    succeeds(run.arg("--output").arg(&table));
}

/// Opens a report in Chromium, and compares it with the table.
fn in_browser(path: &Path, folder: &Path, animated: bool) {
    let [page, table] = report(path, folder).map(|file| file.display().to_string());
    let kind = if animated { "animated" } else { "still" };
    let mut arguments = vec!["chromium", kind, &page, &table];
    let pictures = std::env::var("COUPLER_PICTURES").ok();
    arguments.extend(pictures.as_deref());
    python::script("report.py", &arguments);
}

/// Whether Chromium is installed.
fn has_chromium() -> bool {
    let is_there = Command::new("chromium").arg("--version").output().is_ok();
    if !is_there {
        skipped("chromium is not installed");
    }
    is_there
}

#[test]
fn the_report_of_a_drive_train_shows_the_values_of_its_table() {
    if has_chromium() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = &Fmu::named("CoupledClutches").path;
        moving(path, folder.path());
        in_browser(path, folder.path(), false);
    }
}

#[test]
fn the_report_of_a_mechanism_shows_its_shapes_where_the_table_says() {
    if has_chromium() {
        let folder = tempfile::tempdir().expect("a folder");
        let traced = own::traced("fourbar_scene", |m: &mut Assembly| {
            models::fourbar2::model(m);
            m.scene();
        });
        in_browser(&own::interpreted(&traced, folder.path()).path, folder.path(), true);
    }
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn the_report_of_an_fmu_of_openmodelica_shows_the_values_of_its_table() {
    if has_chromium() {
        let folder = tempfile::tempdir().expect("a folder");
        let others = python::packages().join("gemseo_fmu/problems/fmu_files/linux");
        in_browser(&others.join("MassSpringSystem.fmu"), folder.path(), false);
    }
}
