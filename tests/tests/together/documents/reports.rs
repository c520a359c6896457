//! Tests that reports work in a browser, which a script uses as a reader does.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use coupler_tests::fmu_program::{fmu, succeeds};
use coupler_tests::{own, python, skipped};
use fmu_builder::models::{Scene, Variant};
use report::{Report, Results, Signal};
use serde_json::{Value, json};

/// Writes the report and the table of a model or of an FMU in a file.
fn report_of(model: &Path, stem: &str, folder: &Path) -> [PathBuf; 2] {
    let [page, table] = ["html", "csv"].map(|end| folder.join(format!("{stem}.{end}")));
    let mut run = fmu();
    run.args(["run", "--no-plot"]).arg(model);
    if !model.is_file() {
        run.arg("--interpreted");
    }
    succeeds(run.arg("--report").arg(&page).arg("--output").arg(&table));
    [page, table]
}

/// Runs a script on a report in Chromium.
fn in_chromium(script: &str, files: &[&Path]) -> String {
    let mut arguments = vec!["chromium".to_owned()];
    arguments.extend(files.iter().map(|file| file.display().to_string()));
    let pictures = std::env::var_os("COUPLER_PICTURES").map(PathBuf::from);
    let pictures = pictures.unwrap_or_else(|| coupler_tests::target().join("pictures"));
    std::fs::create_dir_all(&pictures).expect("a folder for pictures");
    arguments.push(pictures.display().to_string());
    python::script(script, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Opens the report of an FMU of another origin, and compares it with the table.
fn is_right_for_fmu(file: &Path) {
    let folder = tempfile::tempdir().expect("a folder");
    let stem = file.file_stem().unwrap_or_default().display().to_string();
    let [page, table] = report_of(file, &stem, folder.path());
    in_chromium("report.py", &[Path::new("still"), &page, &table, Path::new("-")]);
}

/// Opens the report of a model, and compares it with the table, and what moves with the table of
/// positions, which is that of another FMU of the model.
fn is_right_for_model(name: &str, kind: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let [page, table] = report_of(Path::new(name), name, folder.path());
    let model = models::MODELS.model(name).expect("a model");
    let traced = models::MODELS
        .trace_as(model, Variant { scene: Scene::IfPossible, ..Variant::default() })
        .expect("a model text");
    let drawn = own::interpreted(&traced, folder.path()).path;
    let opened = fmu_builder::fmu::Fmu::open(&drawn).expect("an FMU");
    let appearance = fmu_builder::report::appearance(&opened);
    let known = |name: &&str| opened.description.variable(name).is_some();
    let names: Vec<&str> = appearance.variables().into_iter().filter(known).collect();
    let positions = folder.path().join("positions.csv");
    let mut run = fmu();
    run.args(["run", "--no-plot", "--variables", &names.join(",")]).arg(&drawn);
    succeeds(run.arg("--output").arg(&positions));
    in_chromium("report.py", &[Path::new(kind), &page, &table, &positions]);
}

/// Whether Chromium is installed.
pub fn has_chromium() -> bool {
    let is_there = Command::new("chromium").arg("--version").output().is_ok();
    if !is_there {
        skipped("chromium is not installed");
    }
    is_there
}

#[test]
fn reports_of_drive_trains_show_the_values_of_their_tables() {
    if has_chromium() {
        is_right_for_model("coupled_clutches", "still");
        is_right_for_model("vehicle", "still");
    }
}

#[test]
fn the_report_of_a_linkage_shows_its_shapes_where_the_table_says() {
    if has_chromium() {
        is_right_for_model("fourbar2", "animated");
    }
}

#[test]
fn the_report_of_an_engine_shows_its_shapes_where_the_table_says() {
    if has_chromium() {
        is_right_for_model("engine_v6", "animated");
    }
}

#[test]
fn the_report_of_a_cradle_shows_its_shapes_where_the_table_says() {
    if has_chromium() {
        is_right_for_model("newtons_cradle", "animated");
    }
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn reports_of_foreign_fmus_show_the_values_of_their_tables() {
    if !has_chromium() {
        return;
    }
    let others = python::packages().join("gemseo_fmu/problems/fmu_files/linux");
    is_right_for_fmu(&others.join("MassSpringSystem.fmu"));
    // The Reference FMUs are on no registry of packages.
    if let Some(folder) = std::env::var_os("REFERENCE_FMUS") {
        for name in ["BouncingBall", "Stair", "VanDerPol"] {
            is_right_for_fmu(&Path::new(&folder).join(name).with_extension("fmu"));
        }
    }
}

#[test]
fn a_report_of_a_million_rows_is_small_and_opens_at_once() {
    if !has_chromium() {
        return;
    }
    let (rows, columns) = (1_000_000_usize, 50_u16);
    let time: Vec<f64> = (0..rows).map(|row| row as f64 * 1e-5).collect();
    let value = |t: f64, k: u16| ((f64::from(k) + 1.0) * t).sin() + 1e-3 * (1e3 * t).cos();
    let row = |t: &f64| (0..columns).map(|k| value(*t, k)).collect();
    let results = Results { rows: time.iter().map(row).collect(), time };
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("million.html");
    let begin = Instant::now();
    let mut report = Report { title: "Million".to_owned(), ..Report::default() };
    let signal = |k: u16| Signal { name: format!("x{k}"), shown: k < 10, ..Signal::default() };
    report.add((0..columns).map(signal).collect(), &results);
    let html = report.html();
    std::fs::write(&page, &html).expect("a file");
    println!(
        "written in {:.2} s, {:.1} MB",
        begin.elapsed().as_secs_f64(),
        html.len() as f64 / 1e6
    );
    assert!(html.len() < report::LARGE);
    print!("{}", in_chromium("million.py", &[&page]));
}

/// The page of shapes. Each shape has its own frame, which moves up and down at a place along x,
/// and turns about z.
fn page_of_shapes(shapes: &[Value], folder: &Path) -> PathBuf {
    let mut names = Vec::new();
    let mut frames = Vec::new();
    for k in 0..shapes.len() {
        let r_0 = [1, 2, 3].map(|i| format!("f{k}.r_0[{i}]"));
        let t = [1, 2, 3].map(|i| [1, 2, 3].map(|j| format!("f{k}.R.T[{i},{j}]")));
        frames.push(json!({ "name": format!("f{k}"), "r_0": r_0, "T": t }));
        names.extend(r_0.into_iter().chain(t.into_iter().flatten()));
    }
    names.extend(["force[1]", "force[2]", "force[3]"].map(str::to_owned));
    let row = |t: f64| -> Vec<f64> {
        let frame = |k: usize| {
            let (s, c) = t.sin_cos();
            let place = [2.0 * (k % 20) as f64, 0.5 * t.sin(), -3.0 * (k / 20) as f64];
            place.into_iter().chain([c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0])
        };
        (0..shapes.len()).flat_map(frame).chain([0.0, 100.0 * (1.0 + t), 0.0]).collect()
    };
    let time: Vec<f64> = (0..=100).map(|i| f64::from(i) / 100.0).collect();
    let results = Results { rows: time.iter().map(|t| row(*t)).collect(), time };
    let world = json!({ "axisLength": 0.5, "axisDiameter": 0.01, "color": [0, 0, 0] });
    let scene = json!({ "world": world, "frames": frames, "shapes": shapes });
    let scene = report::Scene::read(&scene.to_string()).expect("a scene");
    let mut report = Report { scene: Some(scene), ..Report::default() };
    let signal = |name: String| Signal { name, ..Signal::default() };
    report.add(names.into_iter().map(signal).collect(), &results);
    let page = folder.join("shapes.html");
    std::fs::write(&page, report.html()).expect("a file");
    page
}

/// A shape of a component `c` and a number, with further keys.
fn shape(k: usize, kind: &str, color: [u8; 3], more: &Value) -> Value {
    let mut shape = json!({
        "component": format!("c{k}"), "frame": format!("f{k}"), "shapeType": kind,
        "r_shape": [0.0, 0.0, 0.0], "width": 0.5, "height": 0.5, "extra": 0.0, "color": color,
    });
    let keys = shape.as_object_mut().expect("an object");
    keys.extend(more.as_object().cloned().expect("an object"));
    shape
}

#[test]
fn each_kind_of_shape_is_drawn_where_it_is() {
    if !has_chromium() {
        return;
    }
    let upwards = json!({
        "length": 1.0, "lengthDirection": [0.0, 1.0, 0.0], "widthDirection": [1.0, 0.0, 0.0]
    });
    let mut wheel = upwards.clone();
    wheel["lengthDirection"] = json!([0.0, 0.0, 1.0]);
    wheel["length"] = json!(0.2);
    let shapes = [
        shape(0, "box", [200, 0, 0], &upwards),
        shape(1, "cylinder", [0, 160, 0], &upwards),
        shape(2, "sphere", [0, 0, 220], &upwards),
        shape(3, "wheel", [160, 0, 160], &wheel),
        shape(4, "plane", [0, 150, 150], &upwards),
        shape(
            5,
            "arrow",
            [150, 150, 0],
            &json!({
                "vector": ["force[1]", "force[2]", "force[3]"], "scale": 0.005, "width": 0.1
            }),
        ),
        shape(6, "spring", [90, 60, 200], &json!({ "to": "f7", "extra": 6.0, "height": 0.04 })),
        shape(7, "damper", [200, 90, 60], &json!({ "to": "f8", "width": 0.2 })),
        shape(
            8,
            "sphere",
            [80, 80, 80],
            &json!({
                "length": 0.1, "width": 0.1, "height": 0.1, "lengthDirection": [0.0, 1.0, 0.0],
                "widthDirection": [1.0, 0.0, 0.0]
            }),
        ),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    print!("{}", in_chromium("shapes.py", &[&page_of_shapes(&shapes, folder.path())]));
}

#[test]
fn a_page_of_thousands_of_shapes_opens_and_its_parts_fail_apart_from_each_other() {
    if !has_chromium() {
        return;
    }
    let upwards = json!({
        "length": 1.0, "lengthDirection": [0.0, 1.0, 0.0], "widthDirection": [1.0, 0.0, 0.0]
    });
    let kind = |k: usize| if k < 500 { "wheel" } else { "box" };
    let shapes: Vec<Value> = (0..3000).map(|k| shape(k, kind(k), [9, 9, 9], &upwards)).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let page = page_of_shapes(&shapes, folder.path());
    in_chromium("apart.py", &[&page]);
}

#[test]
fn two_hundred_shapes_move_within_a_frame() {
    if !has_chromium() {
        return;
    }
    let kinds = ["box", "cylinder", "sphere", "box"];
    let upwards = json!({
        "length": 1.0, "lengthDirection": [0.0, 1.0, 0.0], "widthDirection": [1.0, 0.0, 0.0]
    });
    let shapes: Vec<Value> =
        (0..200).map(|k| shape(k, kinds[k % 4], [200, (k % 100) as u8, 50], &upwards)).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let page = page_of_shapes(&shapes, folder.path());
    print!("{}", in_chromium("frames.py", &[&page]));
}
