//! `fmu check` finds each fault of an FMU that is written by hand, and none where there is none.

use coupler_tests::harness::headers;
use coupler_tests::program::fmu;
use fmu_builder::archive::{self, Entry};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const DESCRIPTION: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Faulty" guid="{faulty}" numberOfEventIndicators="1">
  <ModelExchange modelIdentifier="Faulty" canNotUseMemoryManagementFunctions="true" canGetAndSetFMUstate="true" canSerializeFMUstate="true" providesDirectionalDerivative="true"/>
  <CoSimulation modelIdentifier="Faulty" canHandleVariableCommunicationStepSize="true" canNotUseMemoryManagementFunctions="true" canGetAndSetFMUstate="true" canSerializeFMUstate="true" providesDirectionalDerivative="true"/>
  <LogCategories>
    <Category name="logAll"/>
  </LogCategories>
  <DefaultExperiment startTime="0" stopTime="1" tolerance="1e-6" stepSize="0.02"/>
  <ModelVariables>
    <ScalarVariable name="x" valueReference="0" initial="exact">
      <Real start="0.5"/>
    </ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="1">
      <Real derivative="1"/>
    </ScalarVariable>
    <ScalarVariable name="u" valueReference="2" causality="input">
      <Real start="1"/>
    </ScalarVariable>
    <ScalarVariable name="y" valueReference="3" causality="output">
      <Real/>
    </ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs>
      <Unknown index="4" dependencies="1"/>
    </Outputs>
    <Derivatives>
      <Unknown index="2" dependencies="1 3"/>
    </Derivatives>
    <InitialUnknowns>
      <Unknown index="2" dependencies="1 3"/>
      <Unknown index="4" dependencies="1"/>
    </InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
"#;

/// The FMU with a fault and a description.
fn faulty(folder: &Path, fault: &str, description: &str) -> PathBuf {
    let library = folder.join(format!("{fault}.so"));
    if !library.exists() {
        let compiled = Command::new("cc")
            .args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I"])
            .arg(headers())
            .arg(format!("-DFAULT={fault}"))
            .arg(coupler_tests::root().join("tests/faulty/faulty.c"))
            .args(["-lm", "-o"])
            .arg(&library)
            .status();
        assert!(compiled.expect("a C compiler `cc` is needed").success(), "{fault}");
    }
    let path = folder.join("Faulty.fmu");
    let (platform, extension) =
        archive::platform(&format!("{}-unknown-linux", std::env::consts::ARCH));
    let library = std::fs::read(library).expect("the library");
    let page = "<html></html>";
    let entries = vec![
        Entry::new("modelDescription.xml", description),
        Entry::new(format!("binaries/{platform}/Faulty.{extension}"), library),
        Entry::new("documentation/index.html", page),
        Entry::new("documentation/licenses/license.txt", "MIT"),
    ];
    archive::write(&path, entries).expect("the archive");
    path
}

/// What `fmu check` prints about the FMU with a fault and a description, and whether it is content.
fn check(folder: &Path, fault: &str, description: &str) -> (String, bool) {
    let path = faulty(folder, fault, description);
    let output = fmu().arg("check").arg(path).output().expect("the program starts");
    (coupler_tests::python::both(&output), output.status.success())
}

#[test]
fn each_fault_of_a_library_is_found_by_its_rule() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (text, content) = check(folder.path(), "NONE", DESCRIPTION);
    assert!(content && text.contains("no problems found"), "{text}");
    let cases = [
        ("PLATFORM", "error A009"),
        ("VERSION", "error A010"),
        ("ANY_GUID", "error A014"),
        ("START", "error X60"),
        ("SHARED", "error A005"),
        ("RESET", "error A049"),
        ("STATE", "error A072"),
        ("BYTES", "error A076"),
        ("DERIVATIVE", "error A081"),
        ("SEED", "error A081"),
        ("NOT_A_NUMBER", "error A068"),
        ("NOMINAL", "error A090"),
        ("CATEGORY", "error A031"),
        ("COMPLAINT", "warning A067"),
        ("KICK", "warning B035"),
        ("EVENT_IN_THE_PAST", "error B017"),
        ("ENDLESS_EVENT", "error B012"),
        ("ZERO_INDICATOR", "warning B024"),
        ("REFUSAL", "error H19"),
        ("CRASH", "error A006"),
        ("EXIT", "error A006"),
    ];
    for (fault, finding) in cases {
        let (text, content) = check(folder.path(), fault, DESCRIPTION);
        let found = text.lines().find(|line| line.starts_with(finding));
        assert!(found.is_some_and(|line| line.contains("; mend: ")), "{fault}: {text}");
        assert_eq!(content, finding.starts_with("warning"), "{fault}: {text}");
    }
}

#[test]
fn a_dependency_that_is_not_listed_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for unlisted in [r#"index="2" dependencies="1""#, r#"index="2" dependencies="3""#] {
        let description = DESCRIPTION.replacen(r#"index="2" dependencies="1 3""#, unlisted, 1);
        let (text, content) = check(folder.path(), "NONE", &description);
        assert!(text.contains("error C077") && text.contains("der(x) depends on"), "{text}");
        assert!(!content);
    }
}

#[test]
fn findings_are_objects_of_json_where_that_is_wanted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = faulty(folder.path(), "VERSION", DESCRIPTION);
    let output = fmu().arg("check").arg("--json").arg(path).output().expect("the program starts");
    assert!(!output.status.success());
    let findings: Vec<BTreeMap<String, String>> =
        serde_json::from_slice(&output.stdout).expect("an array of objects");
    let one = &findings[0];
    assert_eq!((&*one["severity"], &*one["rule"]), ("error", "A010"));
    assert_eq!(one["text"], "Model Exchange: fmi2GetVersion returned `1.0`");
    assert_eq!(one["mend"], "return `2.0`");
}
