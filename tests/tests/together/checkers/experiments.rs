//! Tests of FMUs that contain their default experiment and its result, by FMI-LS-REF.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use coupler_tests::fmu_program::{fmu, succeeds};
use coupler_tests::python::{both, script};
use fmu_builder::archive::{self, Entry};

const FOLDER: &str = "extra/org.fmi-standard.fmi-ls-ref";

/// A model in Modelica that swings.
const SWING: &str = "model Swing
  import Modelica.Mechanics.Rotational.Components.*;
  Inertia wheel(J = 2, phi(start = 1, fixed = true), w(start = 0, fixed = true));
  Spring spring(c = 50);
  Fixed fixed;
equation
  connect(fixed.flange, spring.flange_a);
  connect(spring.flange_b, wheel.flange_a);
  annotation (experiment(StopTime = 2));
end Swing;
";

/// Builds the FMU of a model with its result in a folder.
fn built(folder: &Path, model: &str, options: &[&str]) -> PathBuf {
    let mut command = fmu();
    command.args(["build", model, "--with-reference", "--out"]).arg(folder).args(options);
    let printed = succeeds(&mut command);
    PathBuf::from(printed.lines().find(|line| line.ends_with(".fmu")).expect("the FMU's path"))
}

fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut zip = zip::ZipArchive::new(File::open(path).expect("the FMU")).expect("an archive");
    let mut files = BTreeMap::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).expect("an entry");
        let name = entry.name().expect("its name").into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("its bytes");
        files.insert(name, bytes);
    }
    files
}

/// The files that belong to the experiment.
fn of_experiment(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(path);
    files.retain(|path, _| path.starts_with(FOLDER) || path.contains("fmi-ls-ref"));
    files
}

/// The output of `fmu check` for an FMU.
fn checked(path: &Path) -> String {
    both(&fmu().arg("check").arg(path).output().expect("the program starts"))
}

// FMI: F001, F002, F003, F004, F006, F007
#[test]
fn fmpy_reproduces_the_results_that_fmus_contain() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let table = folder.path().join("inputs.csv");
    fs::write(&table, "time,w\n0,0\n1,100\n1,50\n5,50\n").expect("it is written");
    let inputs = ["--interpreted", "--reference-input", &table.display().to_string()];
    for (model, options, limit) in [
        ("fourbar2", &["--interpreted"][..], 1e-4),
        ("coupled_clutches", &["--interpreted"], 1e-4),
        ("test_bench", &["--interpreted"], 1e-4),
        // FMPy holds inputs constant within a step.
        ("torque_source", &inputs, 1e-2),
    ] {
        let path = built(folder.path(), model, options);
        let text = script("experiments.py", &[&path.display().to_string()]);
        let (faults, worst): (Vec<String>, f64) = serde_json::from_str(&text).expect("JSON");
        assert_eq!(faults, [""; 0], "{model}");
        assert!(worst < limit, "{model}: {worst}");
        for checker in ["fmpy", "fmutool"] {
            let found = script("validate.py", &[checker, &path.display().to_string()]);
            assert_eq!(found.trim(), "[]", "{model}: {checker}");
        }
        assert!(checked(&path).contains("no problems found"), "{model}: {}", checked(&path));
    }
}

// FMI: D023
#[test]
fn the_same_model_gives_the_same_result_whatever_executes_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [first, second, third] = ["a", "b", "c"].map(|name| folder.path().join(name));
    let tape = built(&first, "oscillator", &["--interpreted"]);
    let again = built(&second, "oscillator", &["--interpreted"]);
    assert!(fs::read(&tape).expect("the FMU") == fs::read(again).expect("the FMU"));
    let compiled = built(&third, "oscillator", &[]);
    assert!(of_experiment(&tape) == of_experiment(&compiled), "the results differ");
    // The model as a file is another model with the same behaviour.
    let netlist = folder.path().join("oscillator.json");
    succeeds(fmu().args(["export", "oscillator", "-o"]).arg(&netlist));
    let of_file = built(&folder.path().join("d"), &netlist.display().to_string(), &[]);
    let table = format!("{FOLDER}/Oscillator_out.csv");
    assert!(of_experiment(&tape)[&table] == of_experiment(&of_file)[&table]);
}

#[test]
fn a_model_in_modelica_has_its_result() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = folder.path().join("Swing.mo");
    fs::write(&text, SWING).expect("it is written");
    let path = built(folder.path(), &text.display().to_string(), &[]);
    assert!(of_experiment(&path).contains_key(&format!("{FOLDER}/Swing_out.csv")));
    assert!(checked(&path).contains("no problems found"), "{}", checked(&path));
}

// fmu check: F001, F002, F003, F004, F006, F007
#[test]
fn each_fault_of_an_experiment_is_found_by_its_rule() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sound = built(folder.path(), "oscillator", &["--interpreted"]);
    let sound = files(&sound);
    let [manifest, experiments, table] =
        ["fmi-ls-manifest.xml", "Oscillator.exp", "Oscillator_out.csv"]
            .map(|name| format!("{FOLDER}/{name}"));
    let check = |file: &str, change: &dyn Fn(&str) -> Option<String>, finding: &str| {
        let mut files = sound.clone();
        let text = String::from_utf8(files.remove(file).expect("the file")).expect("UTF-8");
        if let Some(changed) = change(&text) {
            assert_ne!(changed, text, "{finding}");
            files.insert(file.to_owned(), changed.into_bytes());
        }
        let path = folder.path().join("Changed.fmu");
        let entries = files.into_iter().map(|(path, bytes)| Entry::new(path, bytes));
        archive::write(&path, entries.collect()).expect("the archive");
        let text = checked(&path);
        assert!(text.lines().any(|line| line.starts_with(finding)), "{finding}:\n{text}");
    };
    let replaced =
        |from: &'static str, to: &'static str| move |text: &str| Some(text.replacen(from, to, 1));
    check(&manifest, &|_| None, "warning F001 ");
    check(&manifest, &replaced("</fmiReferences>", ""), "error F001 ");
    check(&manifest, &replaced("role=\"result\"", "role=\"graph\""), "warning F001 ");
    check(&manifest, &replaced("\"Oscillator.exp\"", "\"O.exp\""), "warning F002 ");
    check(&table, &|_| None, "error F002 ");
    check(&experiments, &replaced("<References ", "<Results "), "warning F003 ");
    check(&table, &replaced("s1", "mass1.x"), "error F004 ");
    // The 501st row has another value, 1 % and 30 % of the range away.
    let moved = |part: f64| {
        move |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let fields: Vec<f64> =
                lines[501].split(',').map(|field| field.parse().expect("a number")).collect();
            // The amplitude of s1 grows to about 5 mm.
            lines[501] = format!("{},{},{}", fields[0], fields[1] + part * 0.0096, fields[2]);
            Some(lines.join("\n"))
        }
    };
    check(&table, &moved(0.005), "warning F007 experiment `default`, Oscillator_out.csv: s1 ");
    check(&table, &moved(0.3), "error F007 experiment `default`, Oscillator_out.csv: s1 ");
    // A result without an experiment is only said to be a result.
    let bare = |text: &str| {
        let kept = text.lines().filter(|line| !line.contains("role=\"experiment\""));
        Some(kept.collect::<Vec<_>>().join("\n"))
    };
    let mut files = sound.clone();
    let text = String::from_utf8(files[&manifest].clone()).expect("UTF-8");
    files.insert(manifest.clone(), bare(&text).expect("a manifest").into_bytes());
    let wrong = String::from_utf8(files[&table].clone()).expect("UTF-8");
    files.insert(table.clone(), moved(0.3)(&wrong).expect("a table").into_bytes());
    let path = folder.path().join("Bare.fmu");
    let entries = files.into_iter().map(|(path, bytes)| Entry::new(path, bytes));
    archive::write(&path, entries.collect()).expect("the archive");
    let text = checked(&path);
    assert!(
        text.contains("warning F007 the default experiment, Oscillator_out.csv: s1 "),
        "{text}"
    );
    // A set of parameters with which the model cannot start.
    let set = "<ssv:ParameterSet version=\"1.0\" name=\"s\"><ssv:Parameters><ssv:Parameter \
               name=\"mass1.m\"><ssv:Real value=\"-1\"/></ssv:Parameter></ssv:Parameters>\
               </ssv:ParameterSet>";
    let mut files = sound.clone();
    let text = String::from_utf8(files[&experiments].clone()).expect("UTF-8");
    let with_set =
        text.replace("    <References", "<Parameters source=\"s.ssv\"/>\n    <References");
    files.insert(experiments.clone(), with_set.into_bytes());
    files.insert(format!("{FOLDER}/s.ssv"), set.as_bytes().to_vec());
    let path = folder.path().join("Set.fmu");
    let entries = files.into_iter().map(|(path, bytes)| Entry::new(path, bytes));
    archive::write(&path, entries.collect()).expect("the archive");
    let text = checked(&path);
    assert!(text.contains("error F006 experiment `default` fails: "), "{text}");
}
