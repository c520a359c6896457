//! Tests of our FMUs with Python's lxml and zipfile, by rules that are written from the text of the
//! standard and share nothing with our own checker.

use std::collections::{BTreeMap, BTreeSet};

use coupler_tests::Fmu;
use coupler_tests::conformance::proofs;
use coupler_tests::python::script;

/// The findings in all FMUs of the rules whose numbers begin with one of some letters.
fn found(letters: &[char]) -> Vec<String> {
    let fmus = Fmu::all();
    let paths: Vec<String> = fmus.iter().map(|fmu| fmu.path.display().to_string()).collect();
    let mut arguments = vec!["judge"];
    arguments.extend(paths.iter().map(String::as_str));
    let text = script("requirements", &arguments);
    assert_eq!(text.lines().count(), fmus.len(), "{text}");
    let problems = |(fmu, line): (&Fmu, &str)| {
        let found: BTreeMap<String, Vec<String>> =
            serde_json::from_str(line).expect("problems by number");
        let name = fmu.name().to_owned();
        let ours = found.into_iter().filter(|(number, _)| number.starts_with(letters));
        ours.map(|(number, texts)| format!("{name}: {number}: {texts:?}")).collect::<Vec<_>>()
    };
    fmus.iter().zip(text.lines()).flat_map(problems).collect()
}

// FMI: A074, C001, C006, C007, C008, C009, C010, C011, C012, C013, C014, C015, C017, C018, C019
// FMI: C020, C021, C022, C023, C025, C026, C027, C028, C029, C030, C032, C033, C034, C035, C036
// FMI: C037, C038, C039, C040, C041, C042, C043, C044, C045, C046, C047, C048, C049, C053, C058
// FMI: C063, C064, C065, C066, C067, C068, C072, C073, C074, C078, C079
#[test]
fn descriptions_that_lxml_reads_keep_each_requirement() {
    let found = found(&['A', 'C']);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

// FMI: D001, D002, D003, D004, D005, D006, D007, D008, D009, D014, D015, D016, D017, D018, D019
// FMI: D020, D022, D024
#[test]
fn archives_that_zipfile_reads_keep_each_requirement() {
    let found = found(&['D']);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn these_rules_notice_damage_of_each_requirement() {
    let path = Fmu::named("TestBench").path.display().to_string();
    assert_eq!(script("requirements", &["damage", &path]).trim(), "[]");
}

#[test]
fn each_mark_above_these_tests_is_a_rule() {
    let numbers = script("requirements", &["numbers"]);
    let rules: BTreeSet<String> = serde_json::from_str(&numbers).expect("a list of numbers");
    let here = file!().trim_start_matches("tests/");
    let proofs = proofs();
    let marked = proofs.ours.iter().filter(|(_, proofs)| {
        proofs.iter().any(|proof| proof.file.ends_with(here) && proof.name.contains("_reads_keep_"))
    });
    let marked: BTreeSet<String> = marked.map(|(number, _)| number.clone()).collect();
    assert_eq!(marked, rules);
}
