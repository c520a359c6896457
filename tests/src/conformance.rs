//! Which test proves which requirement of FMI 2.0: read from the tests themselves.
//!
//! A line `// FMI: A005, canGetAndSetFMUstate` directly above `#[test]` (or above its attributes)
//! names the requirements and the capability flags whose violation the test notices. The
//! requirements are in `tests/conformance/requirements.txt`, one per line: number, level, sentence.
//! A second line with a dash in place of the level says why a requirement has no test.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::root;

/// What begins the line above a test.
const MARK: &str = "// FMI: ";

/// A requirement.
#[derive(Clone, Debug, Default)]
pub struct Requirement {
    /// M obligation, S also of the schema, O of a declared capability, U left open by the
    /// standard, R recommendation.
    pub level: String,
    /// What is required.
    pub text: String,
    /// Why there is no test.
    pub reason: Option<String>,
}

/// A test, by its file and name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Proof {
    /// The file, from the root of the workspace.
    pub file: String,
    /// The name of the function.
    pub name: String,
}

/// All requirements, by number.
pub fn requirements() -> BTreeMap<String, Requirement> {
    let mut all: BTreeMap<String, Requirement> = BTreeMap::new();
    for line in include_str!("../conformance/requirements.txt").lines() {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().unwrap_or_else(|| panic!("an incomplete line: {line}"));
        let (number, level, text) = (word(), word(), word().to_owned());
        let requirement = all.entry(number.to_owned()).or_default();
        if level == "-" {
            requirement.reason = Some(text);
        } else {
            (requirement.level, requirement.text) = (level.to_owned(), text);
        }
    }
    all
}

/// The tests of the workspace by what they name: requirements and capability flags.
pub fn proofs() -> BTreeMap<String, Vec<Proof>> {
    let mut all: BTreeMap<String, Vec<Proof>> = BTreeMap::new();
    for folder in ["fmu-runtime", "builder", "equations", "models", "tests"] {
        collect(&root().join(folder), &mut all);
    }
    all.values_mut().for_each(|proofs| proofs.sort());
    all
}

fn collect(folder: &Path, all: &mut BTreeMap<String, Vec<Proof>>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source is text");
            let file = path.strip_prefix(root()).expect("a file of the workspace");
            for (names, name) in marked(&text, &path) {
                let proof = Proof { file: file.to_string_lossy().into_owned(), name };
                for what in names {
                    all.entry(what).or_default().push(proof.clone());
                }
            }
        }
    }
}

/// The marks of a source: what each names, and the test below it.
fn marked(text: &str, path: &Path) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        if let Some(list) = line.strip_prefix(MARK) {
            let list = list.trim_end_matches(',');
            names.extend(list.split(", ").map(str::to_owned));
        } else if line == "#[test]" {
            is_test = true;
        } else if let Some(rest) = line.strip_prefix("fn ").filter(|_| !names.is_empty()) {
            let name = rest.split(['(', '<']).next().unwrap_or_default();
            assert!(is_test, "{}: {names:?} stand above {name}, no test", path.display());
            found.push((std::mem::take(&mut names), name.to_owned()));
            is_test = false;
        } else if !line.starts_with("#[") && !line.starts_with("//") {
            assert!(names.is_empty(), "{}: {names:?} stand above no test", path.display());
            is_test = false;
        }
    }
    found
}

/// The document: every requirement with the tests that prove it, or why there is none.
pub fn document(
    requirements: &BTreeMap<String, Requirement>,
    proofs: &BTreeMap<String, Vec<Proof>>,
) -> String {
    let mut text = String::from(INTRODUCTION);
    for (letter, title) in SECTIONS {
        let _ = write!(text, "\n## {title}\n\n| | | requirement | tests |\n|---|---|---|---|\n");
        for (number, requirement) in requirements.iter().filter(|(n, _)| n.starts_with(letter)) {
            let Requirement { level, text: what, reason } = requirement;
            let mut cells: Vec<String> =
                proofs.get(number).into_iter().flatten().map(Proof::link).collect();
            cells.extend(reason.clone());
            let _ = writeln!(text, "| {number} | {level} | {what} | {} |", cells.join(", "));
        }
    }
    text.push_str("\n## Capability flags\n\n| flag | tests |\n|---|---|\n");
    for (flag, proofs) in proofs.iter().filter(|(name, _)| !requirements.contains_key(*name)) {
        let cells: Vec<String> = proofs.iter().map(Proof::link).collect();
        let _ = writeln!(text, "| `{flag}` | {} |", cells.join(", "));
    }
    text
}

impl Proof {
    fn link(&self) -> String {
        format!("[{}](../{})", self.name.replace('_', " "), self.file)
    }
}

const SECTIONS: [(char, &str); 4] = [
    ('A', "The C interface"),
    ('B', "Events"),
    ('C', "The model description"),
    ('D', "The archive"),
];

const INTRODUCTION: &str = "\
# Requirements of FMI 2.0 and their tests

What FMI 2.0.5 demands of an FMU, and the tests that would notice if it were not so; `fmu check` names
the same numbers. This page is written by a test from marks above the tests
(`// FMI: A005` above `#[test]`); the test fails if a requirement has neither test nor reason.

Levels: M obligation, S also enforced by the XML schema, O obligation of a declared capability, U left
open by the standard (the sentence is what Coupler does), R recommendation.
";
