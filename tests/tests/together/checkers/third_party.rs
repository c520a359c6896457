//! Tests of `fmu check` with FMUs of other exporters: exactly their known faults are found.

use std::collections::BTreeSet;
use std::path::Path;

use coupler_tests::Fmu;
use coupler_tests::fmu_program::fmu;
use coupler_tests::python::{packages, script};

/// The numbers of the errors, and those of the warnings, of an FMU.
fn found(path: &Path) -> [String; 2] {
    let mut check = fmu();
    let output = check.args(["check", "--format", "json"]).arg(path).output();
    let output = output.expect("the program starts");
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = result["files"][0]["findings"].as_array().expect("a list of findings");
    ["error", "warning"].map(|severity| {
        let of = findings.iter().filter(|f| f["severity"] == severity);
        let numbers: BTreeSet<&str> = of.filter_map(|f| f["rule"].as_str()).collect();
        numbers.into_iter().collect::<Vec<_>>().join(" ")
    })
}

/// FMUs of OpenModelica 1.20, in the package `gemseo-fmu`, for Linux on x86-64.
///
/// * A028: fmi2FreeInstance(NULL) ends the process. A036: an unknown reference is refused silently.
/// * A096: derivatives of outputs are declared, but the call succeeds and writes nothing.
/// * B011: nominalsOfContinuousStatesChanged is never written.
/// * C050: an output with a start value is 0 after initialization. C064: a name der(der(..)).
/// * B035: Co-Simulation makes one step of Euler's method for each communication step.
const OPEN_MODELICA: &[(&str, &str, &str)] = &[
    ("MassSpringSystem", "A028 A036 A096 B011", "A008 A013 A095 A096"),
    ("Mass_Damper", "A028 A036 A096 B011 C050 C064", "A008 A013 A095 A096 B035"),
    ("add", "A028 A036 A096 B011", "A008 A013 A085 A095 A096"),
    ("ramp", "A028 A036 A096 B011", "A008 A013 A085 A096"),
];

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
// fmu check: A028, A036, A096, B011, B035, C006, C050, C064
#[test]
fn exactly_the_known_faults_of_fmus_of_openmodelica_are_found() {
    let folder = packages().join("gemseo_fmu/problems/fmu_files/linux");
    for (name, errors, warnings) in OPEN_MODELICA {
        let found = found(&folder.join(format!("{name}.fmu")));
        assert_eq!(found, [errors, warnings].map(|s| (*s).to_owned()), "{name}");
    }
    // For another version of the standard, only this is reported.
    assert_eq!(found(&folder.join("FMU3Model.fmu")), ["C006", ""]);
}

/// FMUs made by PythonFMU 0.7.0 and by fmucontainer 2.0.
///
/// * Decay: C072, an output that is calculated is not an initial unknown. D010, D021: the library
///   uses symbols of Python without declaring Python's library, and cannot be tried without Python.
/// * container: A014, the guid is not compared. C072, an output that the FMU does not calculate (a
///   state with its start value) is calculated by the container, but not an initial unknown. An
///   unknown reference is read beyond the end of its table; whether that ends the process (A053)
///   depends on the memory there, so this finding is optional.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
// fmu check: A014, C072
#[test]
fn exactly_the_known_faults_of_fmus_of_pythonfmu_and_fmucontainer_are_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let inner = Fmu::named("CoupledClutches").path;
    let (to, of) = (folder.path().to_string_lossy(), inner.to_string_lossy());
    script("foreign.py", &[&to, &of]);
    for (name, errors, warnings) in
        [("Decay", "C072", "A008 C008 D010 D011 D021"), ("container", "A014 C072", "A008 A013")]
    {
        let mut found = found(&folder.path().join(format!("{name}.fmu")));
        if name == "container" {
            found[1] = found[1].replace(" A053", "");
        }
        assert_eq!(found, [errors, warnings].map(str::to_owned), "{name}");
    }
}
