//! Tests that every rule about the files of FMI-LS-REF finds violations.

use fmus::model_description::ModelDescription;

use super::*;
use crate::archive::files::Files;
use crate::archive::related_files;

const MANIFEST: &str = r#"<fmiReferences xmlns:fmi-ls="http://fmi-standard.org/fmi-ls-manifest"
    fmi-ls:fmi-ls-name="org.fmi-standard.fmi-ls-ref" fmi-ls:fmi-ls-version="1.0.0-alpha.1"
    fmi-ls:fmi-ls-description="Layered Standard providing information on related files included in an FMU.">
  <Related type="application/x-ma-hs-experiments" source="a.exp" role="experiment"/>
  <Related type="text/csv" source="out.csv" role="result"/>
  <Related source="../../documentation/index.html" role="document"/>
</fmiReferences>
"#;

const EXPERIMENTS: &str = r#"<Experiments name="of the pendulum">
  <Experiment name="swing" startTime="0" stopTime="1" stepSize="0.5" tolerance="1e-6">
    <Parameters source="heavy.ssv"/>
    <Stimuli source="in.csv"/>
    <References source="out.csv"/>
  </Experiment>
</Experiments>
"#;

const PARAMETERS: &str = r#"<ssv:ParameterSet version="1.0" name="heavy"><ssv:Parameters>
  <ssv:Parameter name="body.m"><ssv:Real value="2" unit="kg"/></ssv:Parameter>
</ssv:Parameters></ssv:ParameterSet>
"#;

/// Sound files, by their names.
fn sound_files() -> [(&'static str, String); 6] {
    let file = |name, text: &str| (name, text.to_owned());
    [
        file("fmi-ls-manifest.xml", MANIFEST),
        file("a.exp", EXPERIMENTS),
        file("heavy.ssv", PARAMETERS),
        file("in.csv", "time,tau\n0,1\n1,1\n"),
        file("out.csv", "time,w,phi [rad]\n0,0,1\n0.5,2,1\n1,3,1\n"),
        file("../../documentation/index.html", ""),
    ]
}

/// The findings if a text of a file is replaced; without its text, the file is removed.
fn findings(file: &str, from: &str, to: &str) -> Vec<String> {
    let description = ModelDescription::parse(&sound()).expect("a description");
    let mut files = Files::new();
    let mut changed = false;
    for (name, text) in sound_files() {
        let path = match name.strip_prefix("../../") {
            Some(path) => path.to_owned(),
            None => format!("extra/org.fmi-standard.fmi-ls-ref/{name}"),
        };
        if name != file {
            files.insert(path, text.into_bytes());
        } else if !from.is_empty() {
            assert!(text.contains(from), "{file}: {text}");
            files.insert(path, text.replacen(from, to, 1).into_bytes());
        }
        changed |= name == file;
    }
    assert!(changed || file.is_empty(), "{file}");
    let found = related_files::findings(&files, &description);
    let text = |f: &Finding| {
        let text = f.text.replace("extra/org.fmi-standard.fmi-ls-ref/", "");
        format!("{} {} {text}", f.severity.name(), f.rule)
    };
    found.iter().map(text).collect()
}

#[test]
fn sound_files_give_no_findings() {
    assert_eq!(findings("", "", ""), [""; 0]);
}

// fmu check: F001, F002
#[test]
fn faults_of_a_manifest_are_found() {
    let check = |from: &str, to: &str, finding: &str| {
        assert_eq!(findings("fmi-ls-manifest.xml", from, to), [finding]);
    };
    let lost = "warning F001 fmi-ls-manifest.xml is missing, without which nobody knows the files \
                beside it";
    check("", "", lost);
    check(
        "</fmiReferences>",
        "",
        "error F001 fmi-ls-manifest.xml: line 8: <fmiReferences> does not end",
    );
    let role = "warning F001 fmi-ls-manifest.xml: line 5: there is no role `outcome`";
    check("role=\"result\"", "role=\"outcome\"", role);
    let version = "warning F001 fmi-ls-manifest.xml: line 1: it lacks its fmi-ls-version";
    check("fmi-ls:fmi-ls-version=\"1.0.0-alpha.1\"", "", version);
    let missing = "warning F002 fmi-ls-manifest.xml: line 5: \
                   extra/org.fmi-standard.fmi-ls-ref/result.csv is missing";
    let missing = missing.replace("extra/org.fmi-standard.fmi-ls-ref/", "");
    check("out.csv", "result.csv", &missing);
    let nowhere =
        "warning F002 fmi-ls-manifest.xml: line 6: `../../../a` is no file of the archive";
    check("../../documentation/index.html", "../../../a", nowhere);
    assert_eq!(findings("fmi-ls-manifest.xml", "out.csv", "https://example.org/a.csv"), [""; 0]);
}

// fmu check: F002, F003
#[test]
fn faults_of_experiments_are_found() {
    let check = |from: &str, to: &str, finding: &str| {
        assert_eq!(findings("a.exp", from, to), [finding]);
    };
    let element = "warning F003 a.exp: line 4: <Experiment> has no element <Stimulus>";
    check("<Stimuli ", "<Stimulus ", element);
    check("</Experiments>", "", "error F003 a.exp: line 8: <Experiments> does not end");
    let order =
        "error F003 a.exp: experiment `swing`: stopTime -1 s does not come after startTime 0 s";
    assert_eq!(findings("a.exp", "stopTime=\"1\"", "stopTime=\"-1\"")[0], order);
    let step = "error F003 a.exp: experiment `swing`: stepSize 0 s is not above zero";
    check("stepSize=\"0.5\"", "stepSize=\"0\"", step);
    let tolerance = "error F003 a.exp: experiment `swing`: tolerance 1 is not between 0 and 1";
    check("tolerance=\"1e-6\"", "tolerance=\"1\"", tolerance);
    let outside = "warning F004 out.csv: time 1 s is not within experiment `swing`, 0 s to 0.5 s";
    check("stopTime=\"1\"", "stopTime=\"0.5\"", outside);
    for (file, line) in [("in.csv", 4), ("heavy.ssv", 3)] {
        let missing = format!("error F002 a.exp: line {line}: {file} is missing");
        assert_eq!(findings(file, "", ""), [missing]);
    }
}

// fmu check: F004
#[test]
fn faults_of_tables_are_found() {
    let check = |from: &str, to: &str, finding: &str| {
        assert_eq!(findings("out.csv", from, to), [finding]);
    };
    check("w,", "omega,", "error F004 out.csv: `omega` is no variable of the FMU");
    let unit = "warning F004 out.csv: phi is in deg, but its unit in the FMU is rad";
    check("[rad]", "[deg]", unit);
    let earlier = "error F004 out.csv: line 4: time 0.25 is before 0.5 in the row above";
    check("\n1,", "\n0.25,", earlier);
    check("2,", "two,", "error F004 out.csv: line 3: column w: `two` is not a number");
    check("2,", ",", "warning F004 out.csv: values are missing, and not compared: w");
    check("time,", "time [ms],", "warning F004 out.csv: time is in ms, not in s");
    let output = "error F004 in.csv: w is not an input";
    assert_eq!(findings("in.csv", "tau", "w"), [output]);
}

// fmu check: F005
#[test]
fn faults_of_sets_of_parameters_are_found() {
    let check = |from: &str, to: &str, finding: &str| {
        assert_eq!(findings("heavy.ssv", from, to), [finding]);
    };
    let unknown = "warning F005 heavy.ssv: `body.mass` is no variable of the FMU";
    check("body.m", "body.mass", unknown);
    let unit = "warning F005 heavy.ssv: body.m is in g, but its unit in the FMU is kg";
    check("\"kg\"", "\"g\"", unit);
    let nothing = "error F005 heavy.ssv: line 2: body.m has no value of these kinds: Real, Integer, \
                   Boolean, String, Enumeration";
    check("<ssv:Real value=\"2\" unit=\"kg\"/>", "", nothing);
}

#[test]
fn later_files_are_not_compared_after_an_error() {
    let mut files = Files::new();
    assert!(!related_files::can_be_compared(&files, &[]));
    for (name, text) in sound_files() {
        files.insert(format!("extra/org.fmi-standard.fmi-ls-ref/{name}"), text.into_bytes());
    }
    assert!(related_files::can_be_compared(&files, &[Finding::error("C068", "")]));
    assert!(related_files::can_be_compared(&files, &[Finding::warning("F004", "")]));
    assert!(!related_files::can_be_compared(&files, &[Finding::error("F004", "")]));
}
