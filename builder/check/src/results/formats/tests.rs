//! Tests that the results of a check have the formats that other programs read.

use serde::Deserialize;

use super::*;
use crate::results::checked::{CheckedFile, JudgedFinding};
use fmus::finding::Finding;
use fmus::xml::{self, Element};

/// A file of each kind: without findings, with one of each severity and an accepted one, damaged,
/// and one about which nothing can be said.
fn files() -> Vec<CheckedFile> {
    let file = |path: &str, findings: Vec<(Finding, bool)>, fault: Option<&str>| CheckedFile {
        path: path.into(),
        findings: findings
            .into_iter()
            .map(|(finding, accepted)| JudgedFinding { finding, accepted })
            .collect(),
        fault: fault.map(str::to_owned),
        is_unreadable: false,
        platforms: vec!["linux64".to_owned()],
        seconds: 0.25,
    };
    let found = vec![
        (Finding::error("A009", "fmi2GetTypesPlatform returned `<a&b>`"), false),
        (Finding::error("A009", "another one"), true),
        (Finding::warning("A008", "a \u{202e}name"), false),
        (Finding::note("D014", "documentation/index.html is missing"), false),
        (Finding::other_version("3.0"), false),
    ];
    vec![
        file("fmus/Good.fmu", Vec::new(), None),
        file("/a b/P\u{e4}mp.fmu", found, None),
        file("Damaged.fmu", vec![(Finding::damage("it is no archive"), false)], None),
        file("Full.fmu", Vec::new(), Some("cannot write results.csv: the disk is full")),
    ]
}

/// The objects of SARIF 2.1.0 that occur, with their required properties; others are refused.
mod shape {
    use super::Deserialize;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Log {
        #[serde(rename = "$schema")]
        pub _schema: String,
        pub version: String,
        pub runs: Vec<Run>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Run {
        pub tool: Tool,
        pub invocations: Vec<Invocation>,
        pub results: Vec<Outcome>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Tool {
        pub driver: Driver,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct Driver {
        pub name: String,
        pub semantic_version: String,
        pub rules: Vec<Descriptor>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct Descriptor {
        pub id: String,
        pub short_description: Message,
        pub help: Option<Message>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct Invocation {
        pub execution_successful: bool,
        pub tool_execution_notifications: Vec<Notification>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Notification {
        pub level: String,
        pub message: Message,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Message {
        pub text: String,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct Outcome {
        pub rule_id: String,
        pub rule_index: usize,
        pub level: String,
        pub message: Message,
        pub locations: Vec<Location>,
        pub partial_fingerprints: std::collections::BTreeMap<String, String>,
        #[serde(default)]
        pub suppressions: Vec<Suppression>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct Location {
        pub physical_location: PhysicalLocation,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct PhysicalLocation {
        pub artifact_location: ArtifactLocation,
        pub region: Region,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct ArtifactLocation {
        pub uri: String,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct Region {
        pub start_line: u32,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Suppression {
        pub kind: String,
        pub status: String,
    }
}

#[test]
fn sarif_has_the_shape_of_its_schema() {
    let log: shape::Log = serde_json::from_value(sarif(&files())).unwrap();
    let [run] = &log.runs[..] else { panic!("one run") };
    let driver = &run.tool.driver;
    assert_eq!((&*log.version, &*driver.name), ("2.1.0", "fmu check"));
    assert_eq!(driver.semantic_version, VERSION);
    let rules: Vec<&str> = driver.rules.iter().map(|rule| &*rule.id).collect();
    assert_eq!(rules, ["A008", "A009", "C006", "D001", "D014"]);
    assert_eq!(driver.rules[1].short_description.text, "fmi2GetTypesPlatform returns `default`");
    assert_eq!(driver.rules[1].help.as_ref().unwrap().text, "Fix: return `default`.");
    assert!(driver.rules[2].help.is_none(), "there is no fix for another version of FMI");
    let results = run.results.iter();
    let levels: Vec<_> = results.clone().map(|r| (&*r.rule_id, &*r.level)).collect();
    let [e, w, n] = ["error", "warning", "note"];
    let wanted = [("A009", e), ("A009", e), ("A008", w), ("D014", n), ("C006", e), ("D001", e)];
    assert_eq!(levels, wanted);
    for result in results {
        assert_eq!(driver.rules[result.rule_index].id, result.rule_id);
        assert_eq!(result.locations[0].physical_location.region.start_line, 1);
        let known_by = &result.partial_fingerprints["primaryLocationLineHash"];
        let (hash, count) = known_by.split_once(':').expect("a hash and a count");
        assert!(hash.len() == 32 && count.parse::<usize>().is_ok(), "{known_by}");
        assert!(!result.message.text.is_empty());
    }
    let uri = |k: usize| &run.results[k].locations[0].physical_location.artifact_location.uri;
    assert_eq!((&**uri(0), &**uri(5)), ("file:///a%20b/P%C3%A4mp.fmu", "Damaged.fmu"));
    let accepted = run
        .results
        .iter()
        .map(|r| r.suppressions.iter().map(|s| (&*s.kind, &*s.status)).collect::<Vec<_>>());
    let accepted: Vec<_> = accepted.collect();
    assert_eq!(accepted[..2], [vec![], vec![("external", "accepted")]]);
    let [invocation] = &run.invocations[..] else { panic!("one invocation") };
    let notification = &invocation.tool_execution_notifications[0];
    assert!(!invocation.execution_successful && notification.level == "error");
    assert!(notification.message.text.contains("the disk is full"));
}

/// The elements of JUnit XML that Jenkins and GitLab read, with their attributes.
const JUNIT: &[(&str, &[&str])] = &[
    ("testsuites", &["name", "tests", "failures", "errors"]),
    ("testsuite", &["name", "tests", "failures", "errors", "skipped", "time"]),
    ("testcase", &["classname", "name"]),
    ("failure", &["message"]),
    ("error", &["message"]),
    ("skipped", &["message"]),
    ("system-out", &[]),
];

fn check_junit(element: &Element) {
    let attributes = JUNIT.iter().find(|(name, _)| *name == element.name).expect("a known element");
    let found: Vec<&str> = element.attributes.iter().map(|(name, _)| &**name).collect();
    assert_eq!(found, attributes.1, "{}", element.name);
    element.children.iter().for_each(check_junit);
}

#[test]
fn junit_has_the_elements_and_attributes_that_build_servers_read() {
    let text = junit(&files(), false).unwrap();
    assert!(!text.contains('\u{202e}'), "{text}");
    let root = xml::parse(&text).unwrap();
    assert_eq!(root.name, "testsuites");
    check_junit(&root);
    let count = |element: &Element, name| element.attribute(name).unwrap().to_owned();
    assert_eq!(["tests", "failures", "errors"].map(|n| count(&root, n)), ["8", "3", "1"]);
    let ends = |suite: &Element| {
        let ends = suite.children.iter().map(|case| case.children[0].name.clone());
        ends.collect::<Vec<_>>()
    };
    let all: Vec<_> = root.children.iter().map(ends).collect();
    let mixed = ["failure", "skipped", "system-out", "system-out", "failure"];
    assert_eq!(all, [&["system-out"][..], &mixed, &["failure"], &["error"]]);
    let strict = xml::parse(&junit(&files(), true).unwrap()).unwrap();
    assert_eq!(count(&strict, "failures"), "5");
}

#[test]
fn json_says_its_schema_and_what_is_refused_and_accepted() {
    let value = json(&files(), false, &[]);
    assert_eq!((&value["schema"], &value["tool"]), (&1.into(), &"fmu check".into()));
    let file = |k: usize| &value["files"][k];
    let refused: Vec<_> = (0..4).map(|k| file(k)["refused"].as_bool()).collect();
    assert_eq!(refused, [false, true, true, true].map(Some));
    let findings = file(1)["findings"].as_array().unwrap();
    let accepted: Vec<_> = findings.iter().map(|f| f["accepted"].as_bool()).collect();
    assert_eq!(accepted, [false, true, false, false, false].map(Some));
    assert_eq!(findings[0]["fix"], "return `default`");
    assert!(findings[4]["fix"].is_null() && file(0)["fault"].is_null());
    assert_eq!(file(3)["fault"], "cannot write results.csv: the disk is full");
}
