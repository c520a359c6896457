//! Tests of reports in a browser without a window.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fmu_builder::csv::Table;
use serde_json::{Value, json};

use crate::fixture::{fmus, succeed};

/// The browser, if there is one.
fn browser() -> Option<&'static str> {
    ["chromium", "chromium-browser"].into_iter().find(|name| {
        let version = Command::new(name).arg("--version").stdout(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    })
}

/// The answer of the script `browser.js`, appended to a report.
fn answer(browser: &str, folder: &Path, report: &Path, expected: &Value) -> Value {
    let page = fs::read_to_string(report).unwrap();
    // Without a window, the browser draws no frames of its own while it waits for the answer.
    let early = "<script>globalThis.errorsOfThePage = [];\
         globalThis.requestAnimationFrame = (f) => setTimeout(() => f(performance.now()), 16);\
         for (const kind of ['error', 'unhandledrejection']) addEventListener(kind, \
         (e) => errorsOfThePage.push(e.message ?? String(e.reason)));\
         console.error = (...all) => errorsOfThePage.push(all.join(' '));</script>";
    let page = page.replacen("<meta charset", &format!("{early}<meta charset"), 1);
    let script = include_str!("browser.js");
    let mut page = page.replacen("</body>", "", 1).replacen("</html>", "", 1);
    write!(page, "<script type=\"module\">\nconst expected = {expected};\n{script}</script>")
        .unwrap();
    let used = folder.join("used.html");
    fs::write(&used, page).unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--use-angle=swiftshader"])
        .args([
            "--enable-unsafe-swiftshader",
            "--window-size=1200,1600",
            "--force-device-scale-factor=1",
        ])
        .args(["--virtual-time-budget=20000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", used.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let start = dom.find("<pre id=\"answer\">").unwrap_or_else(|| panic!("no answer: {report:?}"));
    let text = dom[start..].split(['>', '<']).nth(2).unwrap();
    let text = decoded(text);
    serde_json::from_slice(&text).unwrap()
}

/// Bytes in base64.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u32> = text.trim_end_matches('=').bytes().map(digit).collect();
    let mut bytes = Vec::new();
    for group in digits.chunks(4) {
        let all = group.iter().fold(0, |sum, d| sum << 6 | d) << (6 * (4 - group.len()));
        bytes.extend_from_slice(&all.to_be_bytes()[1..group.len()]);
    }
    bytes
}

/// Writes a report and the table of a run, and uses the report; the marks are the columns with the
/// position of a sphere's centre.
fn used(model: &str, arguments: &[&str], mark: Option<&str>) {
    let Some(browser) = browser() else {
        eprintln!("skipped: there is no chromium");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let text = |path: PathBuf| path.display().to_string();
    let (html, csv) = (text(at("r.html")), text(at("r.csv")));
    let mut all = vec!["run", model, "--no-plot", "--report", &html, "--output", &csv];
    all.extend(arguments);
    succeed(folder.path(), &all);
    let table = Table::read(Path::new(&csv)).unwrap();
    let rows: Vec<usize> = (1..10).map(|k| k * (table.time.len() - 1) / 10).collect();
    let mut expected = json!({
        "names": table.names,
        "times": rows.iter().map(|i| table.time[*i]).collect::<Vec<_>>(),
        "marks": [],
        "radius": 1.0 / 18.0,
    });
    if let Some(mark) = mark {
        let column = |i: usize| {
            let name = format!("{mark}.r_0[{i}]");
            table.names.iter().position(|n| *n == name).unwrap()
        };
        let marks = [rows[0], rows[4], rows[8]].map(|row| {
            let place = [1, 2, 3].map(|i| table.rows[row][column(i)]);
            json!({ "time": table.time[row], "place": place, "colour": [0, 128, 255] })
        });
        expected["marks"] = json!(marks);
    }
    let a = answer(browser, folder.path(), Path::new(&html), &expected);
    assert_eq!(a["errors"], json!([]), "{model}");
    for (k, name) in table.names.iter().enumerate() {
        for (j, row) in rows.iter().enumerate() {
            let (shown, exact) = (a["values"][name][j].as_f64().unwrap(), table.rows[*row][k]);
            // Between the points that a thinned curve keeps, it is a line.
            let range = table.rows.iter().map(|r| r[k].abs()).fold(0.0, f64::max);
            assert!((shown - exact).abs() <= 1e-3 * range, "{model}: {name}: {shown} {exact}");
        }
    }
    let close = |key: &str, wanted: f64, by: f64| {
        let value = a[key].as_f64().unwrap_or(f64::NAN);
        assert!((value - wanted).abs() <= by, "{model}: {key} is {value}, not {wanted}");
    };
    close("clicked", 0.5, 0.01);
    close(
        "caption",
        a["captionWanted"].as_f64().unwrap(),
        1e-4 + 1e-4 * a["captionWanted"].as_f64().unwrap().abs(),
    );
    close("zoomed", (-0.6_f64).exp(), 0.01);
    close("whole", 1.0, 1e-12);
    close("zoomedByKey", 0.8, 1e-9);
    close("stepped", 0.01, 1e-9);
    close("scrubbed", 0.25, 0.001);
    for key in ["on", "off", "atEvent"] {
        assert_ne!(a[key], json!(false), "{model}: {key}");
    }
    for key in ["played", "paused"] {
        assert_eq!(a[key], json!(true), "{model}: {key}");
    }
    assert_eq!(a["nameless"], json!([]), "{model}");
    assert!(a["contrast"].as_f64().unwrap() >= 4.5, "{model}: contrast {}", a["contrast"]);
    assert!(a["facts"].as_str().unwrap().contains("Co-Simulation"), "{model}: {}", a["facts"]);
    if mark.is_some() {
        assert_eq!(a["views"], json!(4), "{model}");
        for miss in a["misses"].as_array().unwrap() {
            assert!(miss.as_f64().unwrap() <= 2.0, "{model}: {}", a["misses"]);
        }
    }
}

#[test]
fn reports_of_mechanisms_work_in_a_browser() {
    let sphere = "body1.frame_a";
    let columns = [1, 2, 3].map(|i| format!("{sphere}.r_0[{i}]")).join(",");
    used("point_gravity", &["--interpreted", "--variables", &columns], Some(sphere));
    for model in ["fourbar2", "newtons_cradle", "vehicle"] {
        used(model, &["--interpreted"], None);
    }
}

#[test]
fn the_report_of_a_large_mechanism_works_in_a_browser() {
    used("engine_v6", &["--interpreted"], None);
}

#[test]
fn reports_of_drive_trains_and_of_files_work_in_a_browser() {
    used("coupled_clutches", &["--interpreted"], None);
    let file = fmus().join("BouncingBall.fmu");
    used(&file.display().to_string(), &[], None);
}
