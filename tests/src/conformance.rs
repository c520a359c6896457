//! The tests that prove each requirement of FMI 2.0, read from marks in the tests.
//!
//! A line `// FMI: A005, canGetAndSetFMUstate` directly above `#[test]` names the requirements and
//! the capability flags whose violation by our FMUs the test would detect. A line
//! `// fmu check: A005` names requirements whose violation by any FMU `fmu check` finds, as the
//! test proves. `// FMI: fmu check` stands for all of the latter; it is above the test in which
//! `fmu check` judges our FMUs. The requirements are in
//! `builder/fmus/src/vocabulary/finding/requirements.txt`, one per line: number, level, sentence. A
//! second line with a dash instead of the level gives the reason why a requirement has no test.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use fmu_builder::finding::requirements;

use crate::leniencies::LENIENCIES;
use crate::root;

/// The beginning of a line about our FMUs.
const OURS: &str = "// FMI: ";

/// The beginning of a line about the checker, and the words that stand for all such lines in a line
/// about our FMUs.
const CHECKER: &str = "// fmu check: ";
const WHAT_IT_FINDS: &str = "fmu check";

/// The tests of the workspace, by the requirements and capability flags that they name.
#[derive(Clone, Debug, Default)]
pub struct Proofs {
    /// The tests of our FMUs.
    pub ours: BTreeMap<String, Vec<Proof>>,
    /// The tests of the checker.
    pub checker: BTreeMap<String, Vec<Proof>>,
}

/// A requirement.
#[derive(Clone, Debug, Default)]
pub struct FmiRequirement {
    /// M for an obligation, S for an obligation in the schema too, O for an obligation that follows
    /// from a declared capability, U for a point that the standard leaves open, R for a
    /// recommendation, I for a limit of an importer.
    pub level: String,
    /// The requirement in a sentence.
    pub text: String,
    /// The reason why there is no test, if there is none.
    pub reason: Option<String>,
}

impl Proofs {
    /// Whether something besides our own checker proves a requirement of our FMUs.
    pub fn are_independent(&self, number: &str) -> bool {
        let proofs = self.ours.get(number).into_iter().flatten();
        proofs.into_iter().any(|proof| proof.name != OWN_CHECK)
    }
}

/// A test, by its file and name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Proof {
    /// The file, from the root of the workspace.
    pub file: String,
    /// The name of the function.
    pub name: String,
}

/// The test in which our own checker judges our FMUs, which is not sufficient alone.
const OWN_CHECK: &str = "our_own_check_finds_no_problems";

/// All requirements, by number.
pub fn requirements() -> BTreeMap<String, FmiRequirement> {
    let mut all: BTreeMap<String, FmiRequirement> = BTreeMap::new();
    for line in requirements::LINES.lines() {
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

/// Reads the marks of all tests.
pub fn proofs() -> Proofs {
    let mut all = Proofs::default();
    for folder in ["fmu-runtime", "builder", "models", "tests"] {
        collect(&root().join(folder), &mut all);
    }
    for proof in all.ours.remove(WHAT_IT_FINDS).into_iter().flatten() {
        for number in all.checker.keys() {
            all.ours.entry(number.clone()).or_default().push(proof.clone());
        }
    }
    all.ours.values_mut().chain(all.checker.values_mut()).for_each(|proofs| proofs.sort());
    all
}

fn collect(folder: &Path, all: &mut Proofs) {
    let entries = fs::read_dir(folder).expect("a folder of the workspace");
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source is text");
            let file = path.strip_prefix(root()).expect("a file of the workspace");
            for (names, of, name) in marked(&text, &path) {
                let proof = Proof { file: file.to_string_lossy().into_owned(), name };
                let proofs = if of == OURS { &mut all.ours } else { &mut all.checker };
                for what in names {
                    proofs.entry(what).or_default().push(proof.clone());
                }
            }
        }
    }
}

/// The marks of a source: the names in each, its kind, and the test below it.
fn marked(text: &str, path: &Path) -> Vec<(Vec<String>, &'static str, String)> {
    let mut found = Vec::new();
    let mut marks: Vec<(Vec<String>, &'static str)> = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        let mark = [OURS, CHECKER].into_iter().find_map(|m| Some((line.strip_prefix(m)?, m)));
        if let Some((list, mark)) = mark {
            let names = list.trim_end_matches(',').split(", ").map(str::to_owned);
            marks.push((names.collect(), mark));
        } else if line == "#[test]" {
            is_test = true;
        } else if let Some(rest) = line.strip_prefix("fn ").filter(|_| !marks.is_empty()) {
            let name = rest.split(['(', '<']).next().unwrap_or_default();
            assert!(is_test, "{}: {marks:?} stand above {name}, no test", path.display());
            found.extend(marks.drain(..).map(|(names, mark)| (names, mark, name.to_owned())));
            is_test = false;
        } else if !line.starts_with("#[") && !line.starts_with("//") {
            assert!(marks.is_empty(), "{}: {marks:?} stand above no test", path.display());
            is_test = false;
        }
    }
    found
}

/// The document: every requirement with the tests that prove it, or why there is none.
pub fn document(requirements: &BTreeMap<String, FmiRequirement>, proofs: &Proofs) -> String {
    let links = |proofs: Option<&Vec<Proof>>| -> Vec<String> {
        proofs.into_iter().flatten().map(Proof::link).collect()
    };
    let mut text = String::from(INTRODUCTION);
    for (letter, title) in SECTIONS {
        let _ =
            writeln!(text, "\n## {title}\n\n| | | requirement | tests | found by `fmu check` |");
        text.push_str("|---|---|---|---|---|\n");
        for (number, requirement) in requirements.iter().filter(|(n, _)| n.starts_with(letter)) {
            let FmiRequirement { level, text: what, reason } = requirement;
            let mut tests = links(proofs.ours.get(number));
            tests.extend(reason.clone());
            let (tests, found) = (tests.join(", "), links(proofs.checker.get(number)).join(", "));
            let anchor = number.to_lowercase();
            let number = format!("<a id=\"{anchor}\"></a>{number}");
            let _ = writeln!(text, "| {number} | {level} | {what} | {tests} | {found} |");
        }
    }
    text.push_str("\n## Capability flags\n\n| flag | tests |\n|---|---|\n");
    for (flag, proofs) in proofs.ours.iter().filter(|(name, _)| !requirements.contains_key(*name)) {
        let _ = writeln!(text, "| `{flag}` | {} |", links(Some(proofs)).join(", "));
    }
    text.push_str(BEYOND);
    for leniency in LENIENCIES {
        let functions = leniency.functions.iter().map(|f| format!("`{}`", f.name()));
        let functions = functions.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "| {functions} | {} | {} |", leniency.what, leniency.habit);
    }
    text
}

impl Proof {
    fn link(&self) -> String {
        format!("[{}](../{})", self.name.replace('_', " "), self.file)
    }
}

const SECTIONS: [(char, &str); 6] = [
    ('A', "The C interface"),
    ('B', "Events"),
    ('C', "The model description"),
    ('D', "The archive"),
    ('E', "Limits of OpenModelica"),
    ('F', "Experiments and their results (FMI-LS-REF)"),
];

const INTRODUCTION: &str = "\
# Requirements of FMI 2.0 and their tests

This page lists what FMI 2.0.5 requires of an FMU. The fourth column names the tests that fail if an FMU of
Coupler violates the requirement. The last column names the tests which show that `fmu check` finds the violation in
any FMU, and reports it with the number of the requirement. The page is generated from comments above the tests. It
is an error if a requirement has neither a test nor a reason why there is none, or if its only test is our own check
(`our own check finds no problems`).

Other checkers also judge our FMUs: `fmpy validate` (FMPy, with the official XML schema), `fmutool -check`, and rules
in `tests/python/requirements`. There is one such rule for each requirement of descriptions and archives. These
rules are written from the text of the standard, with lxml and Python's zipfile, and share no code with our own
check. For each rule, a test damages an FMU accordingly, and the rule must find the fault.

The last section is about the files that the layered standard FMI-LS-REF adds to an FMU that has them.

Levels: M is an obligation; S is an obligation that the XML schema enforces too; O is an obligation that follows from
a declared capability; U is left open by the standard (the text states what Coupler does); R is a recommendation; I is a
limit of an importer, about which `fmu check` gives notes.

Numbers are never given to other requirements. Each one is an anchor of this page, such as `conformance.md#a051`.
";

const BEYOND: &str = "
## Beyond the standard

FMUs of Coupler accept some calls although the standard does not require it, because importers rely on them. All
other calls that the standard forbids are refused.

| function | what is accepted | importers that need it |
|---|---|---|
";
