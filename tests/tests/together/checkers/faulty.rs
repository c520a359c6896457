//! Tests that `fmu check` finds each fault of an FMU that is written by hand, and none in legal
//! behaviour.

use coupler_tests::fmu_program::fmu;
use coupler_tests::harness::headers;
use fmu_builder::archive::{self, Entry};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub(super) const DESCRIPTION: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Faulty" guid="{faulty}" numberOfEventIndicators="1">
  <ModelExchange modelIdentifier="Faulty" completedIntegratorStepNotNeeded="true" canNotUseMemoryManagementFunctions="true" canGetAndSetFMUstate="true" canSerializeFMUstate="true" providesDirectionalDerivative="true"/>
  <CoSimulation modelIdentifier="Faulty" canHandleVariableCommunicationStepSize="true" canInterpolateInputs="true" maxOutputDerivativeOrder="2" canNotUseMemoryManagementFunctions="true" canGetAndSetFMUstate="true" canSerializeFMUstate="true" providesDirectionalDerivative="true"/>
  <TypeDefinitions>
    <SimpleType name="Mode">
      <Enumeration><Item name="slow" value="0"/><Item name="fast" value="1"/></Enumeration>
    </SimpleType>
  </TypeDefinitions>
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
    <ScalarVariable name="time" valueReference="4" causality="independent">
      <Real/>
    </ScalarVariable>
    <ScalarVariable name="p" valueReference="5" causality="parameter" variability="fixed">
      <Real start="3"/>
    </ScalarVariable>
    <ScalarVariable name="mode" valueReference="0" causality="output" variability="discrete">
      <Enumeration declaredType="Mode"/>
    </ScalarVariable>
    <ScalarVariable name="on" valueReference="0" causality="parameter" variability="fixed">
      <Boolean start="true"/>
    </ScalarVariable>
    <ScalarVariable name="label" valueReference="0" causality="parameter" variability="fixed">
      <String start="abc"/>
    </ScalarVariable>
    <ScalarVariable name="clock" valueReference="6" causality="output">
      <Real/>
    </ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs>
      <Unknown index="4" dependencies="1"/>
      <Unknown index="7" dependencies=""/>
      <Unknown index="10" dependencies=""/>
    </Outputs>
    <Derivatives>
      <Unknown index="2" dependencies="1 3" dependenciesKind="constant constant"/>
    </Derivatives>
    <InitialUnknowns>
      <Unknown index="2" dependencies="1 3"/>
      <Unknown index="4" dependencies="1"/>
      <Unknown index="7" dependencies=""/>
      <Unknown index="10" dependencies=""/>
    </InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
"#;

/// The library, compiled once in a folder, with a fault.
fn library(folder: &Path, fault: &str) -> Vec<u8> {
    let library = folder.join("faulty.so");
    if !library.exists() {
        let compiled = Command::new("cc")
            .args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I"])
            .arg(headers())
            .arg(coupler_tests::root().join("tests/faulty/faulty.c"))
            .args(["-lm", "-o"])
            .arg(&library)
            .status();
        assert!(compiled.expect("a C compiler `cc` is needed").success());
    }
    let mut bytes = std::fs::read(library).expect("the library");
    let (mark, wanted) = (b"fault: NONE ", format!("fault: {fault} "));
    let place = bytes.windows(mark.len()).position(|w| w == mark).expect("the name of the fault");
    bytes[place..place + wanted.len()].copy_from_slice(wanted.as_bytes());
    bytes
}

/// The FMU with a fault and a description; some faults concern resources.
pub(super) fn faulty(folder: &Path, fault: &str, description: &str) -> PathBuf {
    let library = library(folder, fault);
    let path = folder.join("Faulty.fmu");
    let platform = fmu_builder::platform::Platform::this_machine();
    let binary = format!("binaries/{}/{}", platform.folder(), platform.file("Faulty"));
    let page = "<html></html>";
    let mut entries = vec![
        Entry::new("modelDescription.xml", description),
        Entry::new(binary, library),
        Entry::new("documentation/index.html", page),
        Entry::new("documentation/licenses/license.txt", "MIT"),
    ];
    if fault != "NO_URI" {
        entries.push(Entry::new("resources/data.txt", "1"));
    }
    archive::write(&path, entries).expect("the archive");
    path
}

/// The output of `fmu check` for the FMU with a fault and a description, and whether it finds no
/// error.
fn check(folder: &Path, fault: &str, description: &str) -> (String, bool) {
    let path = faulty(folder, fault, description);
    let output = fmu().arg("check").arg(path).output().expect("the program starts");
    (coupler_tests::python::both(&output), output.status.success())
}

/// Faults of the library, with the findings.
const FAULTS: &[(&str, &str)] = &[
    ("PLATFORM", "error A009"),
    ("VERSION", "error A010"),
    ("ANY_GUID", "error A014"),
    ("START", "error C050"),
    ("SHARED", "error A005"),
    ("RESET", "error A049"),
    ("STATE", "error A072"),
    ("BYTES", "error A076"),
    ("DERIVATIVE", "error A081"),
    ("SEED", "error A081"),
    ("NOT_A_NUMBER", "warning A068"),
    ("NOMINAL", "error A090"),
    ("CATEGORY", "error A031"),
    ("COMPLAINT", "warning A067"),
    ("KICK", "warning B035"),
    ("EVENT_IN_THE_PAST", "error B017"),
    ("ENDLESS_EVENT", "error B012"),
    ("ZERO_INDICATOR", "warning B024"),
    ("REFUSAL", "error A045"),
    ("CRASH", "error A006"),
    ("EXIT", "error A006"),
    ("MANNERS", "error A004"),
    ("FOLDER", "error A004"),
    ("ROUNDING", "error A004"),
    ("PRINTS", "warning A021"),
    ("WRITES", "error D012"),
    ("NULL_FREE", "error A028"),
    ("BLANK_NAME", "warning A013"),
    ("SILENT_NULL", "error A012"),
    ("URI", "error A019"),
    ("NO_URI", "warning A020"),
    ("LATE_RESOURCE", "warning D013"),
    ("KEPT_NAME", "warning A017"),
    ("KEPT_CALLBACKS", "warning A017"),
    ("OTHER_NAME", "error A018"),
    ("NO_ENVIRONMENT", "error A018"),
    ("ALLOCATES", "warning A026"),
    ("LEAKS", "error A029"),
    ("ALWAYS_LOGS", "warning A032"),
    ("LINE_BREAK", "warning A034"),
    ("SILENT_ERROR", "error A036"),
    ("CLOCK", "error A040"),
    ("NO_EMPTY_LIST", "warning A050"),
    ("FIRST_ONLY", "error A051"),
    ("ANY_REFERENCE", "warning A053"),
    ("SEVEN", "error A055"),
    ("NULL_TEXT", "error A056"),
    ("KEPT_TEXT", "error A057"),
    ("DISCARDED", "error A062"),
    ("ITEM", "warning A063"),
    ("UNSETTABLE", "error A058"),
    ("AFTER_END", "note A066"),
    ("NO_REFILL", "error A069"),
    ("ONCE_SET", "error A071"),
    ("NOT_NULLED", "error A073"),
    ("SIZE", "error A075"),
    ("EFFECTIVE", "error A077"),
    ("EARLY_STATE", "error A079"),
    ("NO_INITIAL_DERIVATIVE", "error A082"),
    ("GHOST", "error A083"),
    ("UNWRITTEN_DERIVATIVE", "error A084"),
    ("INPUT_DERIVATIVE", "error A095"),
    ("INPUT_ORDER", "warning A095"),
    ("OUTPUT_DERIVATIVE", "error A096"),
    ("OUTPUT_BEND", "error A096"),
    ("OUTPUT_ORDER", "warning A096"),
    ("BEND", "error C079"),
    ("ANY_LENGTH", "warning A085"),
    ("FEWER_STATES", "error A085"),
    ("MORE_INDICATORS", "error C010"),
    ("OTHER_ORDER", "error A086"),
    ("ONLY_FORWARD", "error A087"),
    ("IMPURE", "error A088"),
    ("INITIAL_STATES", "warning A089"),
    ("NO_TERMINATE", "error A047"),
    ("NO_RESET", "error A048"),
    ("DISCARD", "error A093"),
    ("PENDING", "error A094"),
    ("SPURIOUS", "error B002"),
    ("UNFROZEN", "error B004"),
    ("EVENT_INFO", "error B011"),
    ("NEW_NOMINAL", "error B014"),
    ("UNSAID_JUMP", "error B015"),
    ("ALWAYS_CHANGED", "warning B015"),
    ("JUMP", "error B019"),
    ("DRIFT", "error B021"),
    ("STEP_EVENT", "error B029"),
    ("STEP_ANSWER", "error B030"),
    ("EXACT", "error C054"),
    ("OTHER_ENVIRONMENT", "error A018"),
    ("DEAF", "error A033"),
    ("NO_STATUS", "error A033"),
    ("NEAR_STATE", "error A072"),
    ("HEIR", "error A005"),
    ("STATE_STATUS", "error A069"),
    ("LATE_DISCARD", "error B011"),
];

/// The faults that more than one finding describes, with their number.
const IN_SEVERAL_WAYS: &[(&str, usize)] = &[
    ("DERIVATIVE", 3),
    ("SPURIOUS", 2),
    ("UNSAID_JUMP", 3),
    ("JUMP", 2),
    ("LEAKS", 2),
    ("HEIR", 2),
    ("MANNERS", 3),
];

/// Legal habits of a library, the change of its description, and the warning about it.
const HABITS: &[(&str, (&str, &str), &str)] = &[
    // It accepts only the calls that the table of the standard allows.
    ("STRICT", ("", ""), ""),
    // It must not be evaluated beyond the next event.
    ("SAMPLED", ("", ""), ""),
    // Its directional derivatives are differences.
    ("DIFFERENCES", ("", ""), ""),
    // Its start value was printed with 15 digits.
    ("THIRD", ("start=\"3\"", "start=\"0.333333333333333\""), ""),
    // The same, but the last digit is zero and omitted.
    ("TENTHS", ("start=\"3\"", "start=\"0.3\""), ""),
    // Its iterations begin at other points after a state was restored.
    ("RESTART", ("", ""), "warning A072"),
    // It requires shorter steps.
    ("SHORT_STEPS", ("", ""), ""),
    // It discards every evaluation at points that are not the end of a step.
    ("LOOK_AHEAD", ("", ""), ""),
    // The time of Model Exchange, which the importer sets, does not belong to its state.
    ("IMPORTERS_TIME", ("", ""), ""),
    // All its runs differ.
    ("RANDOM", ("", ""), "warning A005"),
    // Its output `clock` is the time of the machine: always, after each step, or at the end.
    ("CLOCKED", ("", ""), ""),
    ("TIMED_STEPS", ("", ""), "note A005"),
    ("TIMED_END", ("", ""), "note A066"),
    // It has no values after initialization, or none where a long step of Euler's method leads.
    ("UNCOMPUTABLE", ("", ""), "note A068"),
    ("NARROW", ("", ""), "note A068 Co-Simulation"),
    // It fails if there is a second instance.
    (
        "ONLY_ONE",
        ("canGetAnd", "canBeInstantiatedOnlyOncePerProcess=\"true\" canGetAnd"),
        "warning A023",
    ),
];

// fmu check: A004, A005, A006, A009, A010, A012, A013, A014, A017, A018, A019, A020, A021, A026
// fmu check: A028, A029, A031, A032, A034, A036, A040, A045, A047, A048, A049, A050, A051, A053
// fmu check: A055, A056, A057, A058, A062, A063, A066, A067, A068, A069, A071, A072, A073, A075
// fmu check: A076, A077, A079, A081, A082, A083, A084, A085, A086, A087, A088, A089, A090, A093
// fmu check: A094, A095, A096, B002, B004, B011, B012, B014, B015, B017, B019, B021, B024, B029
// fmu check: B030, B035, C010, C050, C054, C079, D012, D013
#[test]
fn each_fault_of_a_library_is_found_by_its_rule() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (text, content) = check(folder.path(), "NONE", DESCRIPTION);
    assert!(content && text.contains("no problems found"), "{text}");
    let mut missed = Vec::new();
    for (fault, finding) in FAULTS {
        let (text, content) = check(folder.path(), fault, DESCRIPTION);
        let found = text.lines().find(|line| line.starts_with(finding));
        let legal = !finding.starts_with("error");
        let count = text.lines().filter(|line| line.contains("; fix: ")).count();
        let expected =
            IN_SEVERAL_WAYS.iter().find(|(name, _)| name == fault).map_or(1, |(_, n)| *n);
        if count != expected {
            missed.push(format!("{fault} is {count} findings, not {expected}:\n{text}"));
        }
        if !found.is_some_and(|line| line.contains("; fix: ")) || content != legal {
            missed.push(format!("{fault} is not {finding}:\n{text}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn legal_habits_are_no_errors() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut blamed = Vec::new();
    for (habit, (from, to), warning) in HABITS {
        let description = DESCRIPTION.replace(from, to);
        let (text, content) = check(folder.path(), habit, &description);
        let warned = text.lines().any(|line| line.starts_with(warning));
        // A habit without a warning causes no finding at all.
        let silent = !warning.is_empty() || text.contains("no problems found");
        if !content || !warned || !silent {
            blamed.push(format!("{habit}:\n{text}"));
        }
    }
    assert!(blamed.is_empty(), "{}", blamed.join("\n"));
}

// fmu check: A033, C050
#[test]
fn an_fmu_that_refuses_to_log_is_tried_nevertheless() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let description = DESCRIPTION.replacen("start=\"0.5\"", "start=\"0.25\"", 1);
    let (text, _) = check(folder.path(), "DEAF", &description);
    assert!(text.contains("error A033") && text.contains("error C050"), "{text}");
    let once = "canBeInstantiatedOnlyOncePerProcess=\"true\" canGetAnd";
    let (text, _) = check(folder.path(), "DEAF_ONE", &DESCRIPTION.replace("canGetAnd", once));
    let errors: Vec<&str> = text.lines().filter(|line| line.starts_with("error")).collect();
    assert!(!errors.is_empty() && errors.iter().all(|e| e.starts_with("error A033")), "{text}");
}

#[test]
fn an_unknown_status_is_reported_once_for_each_function() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (text, _) = check(folder.path(), "STATE_STATUS", DESCRIPTION);
    assert_eq!(text.matches("which is not a status of FMI").count(), 1, "{text}");
}

#[test]
fn states_are_tried_even_if_no_two_runs_are_the_same() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (text, _) = check(folder.path(), "RANDOM_ONCE_SET", DESCRIPTION);
    for finding in ["warning A005 Co-Simulation", "error A071 Model Exchange and Co-Simulation"] {
        assert!(text.contains(finding), "{finding}: {text}");
    }
    assert!(!text.contains("A072"), "{text}");
}

#[test]
fn a_fault_that_only_a_reset_causes_is_reported_about_the_reset() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (text, _) = check(folder.path(), "RESET", DESCRIPTION);
    assert!(text.contains("error A049") && !text.contains(" C0"), "{text}");
}

// fmu check: A012, A015, A023, A096, C010, C016, C050, D009
#[test]
fn promises_of_a_description_that_its_library_does_not_keep_are_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let me = DESCRIPTION.find("  <ModelExchange").expect("an interface");
    let cs = DESCRIPTION.find("  <CoSimulation").expect("an interface");
    let types = DESCRIPTION.find("  <TypeDefinitions").expect("types");
    let without =
        |from: usize, to: usize| format!("{}{}", &DESCRIPTION[..from], &DESCRIPTION[to..]);
    let with = |from: &str, to: &str| DESCRIPTION.replacen(from, to, 1);
    let once = "canBeInstantiatedOnlyOncePerProcess=\"true\" canGetAnd";
    for (finding, description) in [
        ("warning A015", without(me, cs)),
        ("warning A015", without(cs, types)),
        ("warning A023", with("canGetAnd", once)),
        ("error C010", with("numberOfEventIndicators=\"1\"", "")),
        ("error C010", with("numberOfEventIndicators=\"1\"", "numberOfEventIndicators=\"2\"")),
        ("error C050", with("start=\"0.5\"", "start=\"0.25\"")),
        ("error A096", with("maxOutputDerivativeOrder=\"2\"", "maxOutputDerivativeOrder=\"3\"")),
        ("error A012", with("{faulty}", "{other}")),
        ("error D009", with("modelIdentifier=\"Faulty\"", "modelIdentifier=\"Other\"")),
    ] {
        let (text, _) = check(folder.path(), "NONE", &description);
        assert!(text.lines().any(|line| line.starts_with(finding)), "{finding}: {text}");
    }
}

// fmu check: C077
#[test]
fn a_dependency_that_is_not_listed_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let listed = r#"index="2" dependencies="1 3" dependenciesKind="constant constant""#;
    for unlisted in [r#"index="2" dependencies="1""#, r#"index="2" dependencies="3""#] {
        let description = DESCRIPTION.replacen(listed, unlisted, 1);
        let (text, content) = check(folder.path(), "NONE", &description);
        assert!(text.contains("error C077") && text.contains("der(x) depends on"), "{text}");
        assert!(!content);
    }
}

/// A run of the FMU with a fault, with a folder of its own for temporary files.
fn run(folder: &Path, fault: &str) -> Command {
    let place = folder.join("temporary");
    std::fs::create_dir_all(&place).expect("a folder");
    let mut command = fmu();
    command.arg("run").arg(faulty(folder, fault, DESCRIPTION)).arg("--no-plot");
    command.arg("--output").arg(folder.join("table.csv")).env("TMPDIR", place);
    command
}

#[test]
fn a_report_leaves_out_what_the_fmu_does_not_give() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let hidden = |name: &str, reference: u32| {
        format!(
            "<ScalarVariable name=\"{name}\" valueReference=\"{reference}\"><Real/>\
             </ScalarVariable></ModelVariables>"
        )
    };
    let description = DESCRIPTION.replace("</ModelVariables>", &hidden("secret", 77));
    let page = folder.path().join("report.html");
    let report = |description: &str| {
        let mut command = fmu();
        command.arg("report").arg(faulty(folder.path(), "NONE", description));
        let output = command.arg("--output").arg(&page).output().expect("the program starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read_to_string(&page).expect("the report")
    };
    let text = report(&description);
    assert!(text.contains("[\"the FMU does not give the value of secret\"]"));
    assert!(text.contains("\"name\":\"y\"") && !text.contains("\"name\":\"secret\""));
    let text = report(&description.replace("</ModelVariables>", &hidden("other", 78)));
    assert!(text.contains("does not give the value of secret, nor that of 1 other variable\"]"));
    assert!(!report(DESCRIPTION).contains("does not give"));
}

#[test]
fn a_library_that_ends_its_process_ends_a_run_with_a_sentence() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (fault, end) in [("CRASH", "signal: 11"), ("EXIT", "exit status: 0")] {
        let output = run(folder.path(), fault).output().expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        let sentence = format!(".fmu ended its process: {end}");
        assert!(errors.contains("the library of ") && errors.contains(&sentence), "{errors}");
        let left = std::fs::read_dir(folder.path().join("temporary")).expect("the folder").count();
        assert_eq!(left, 0, "{fault}: nothing is left in the folder for temporary files");
    }
}

#[test]
fn a_child_ends_with_its_parent() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut parent = run(folder.path(), "HANG").stderr(Stdio::piped()).spawn().expect("it starts");
    let mut errors = parent.stderr.take().expect("its errors");
    std::thread::sleep(Duration::from_millis(500));
    parent.kill().expect("the parent is killed");
    parent.wait().expect("it has ended");
    // The pipe is open as long as the child runs.
    let begin = Instant::now();
    errors.read_to_end(&mut Vec::new()).expect("the pipe");
    assert!(begin.elapsed() < Duration::from_secs(20), "the child outlives its parent");
}

#[test]
fn a_process_that_a_library_starts_is_not_waited_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let begin = Instant::now();
    check(folder.path(), "FORK", DESCRIPTION);
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

#[test]
fn a_fault_of_the_machine_is_no_finding_and_hidden_characters_are_not_printed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let description = DESCRIPTION.replace("\"Faulty\" guid", "\"Fau&#x202e;lty\" guid");
    let path = faulty(folder.path(), "NONE", &description);
    // A library cannot be unpacked there.
    let missing = folder.path().join("missing");
    let report = folder.path().join("report");
    let mut test = fmu();
    test.arg("try-library").args([&path, &report]).env("TMPDIR", &missing);
    // The process ends with its standard input.
    let mut process = test.stdin(Stdio::piped()).spawn().expect("the program starts");
    let _lifeline = process.stdin.take();
    assert!(process.wait().expect("it ends").success());
    let lines = std::fs::read_to_string(&report).expect("a report");
    assert!(lines.starts_with("fault cannot create ") && !lines.contains("D001"), "{lines}");
    let mut check = fmu();
    check.args(["check", "--format", "json"]).arg(&path).env("TMPDIR", &missing);
    let output = check.output().expect("the program starts");
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let file = &result["files"][0];
    assert_eq!(file["findings"], serde_json::json!([]));
    assert!(file["fault"].as_str().is_some_and(|fault| fault.contains("cannot ")), "{file}");
    assert_eq!(output.status.code(), Some(1));
    let mut inspect = fmu();
    let output = inspect.arg("inspect").arg(&path).output().expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("Fau\u{fffd}lty") && !text.contains('\u{202e}'), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_fmu_whose_name_is_not_utf_8_runs_and_bad_pictures_are_remarks() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let made = faulty(folder.path(), "NONE", DESCRIPTION);
    let bytes = std::fs::read(made).expect("an FMU");
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("an archive");
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).expect("an entry");
        let mut content = Vec::new();
        file.read_to_end(&mut content).expect("its content");
        entries.push(Entry::new(file.name().expect("a name").into_owned(), content));
    }
    for name in ["resources/scene.json", "documentation/diagram.json"] {
        entries.push(Entry::new(name, [b'{', 0xff]));
    }
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"a\xff.fmu"));
    archive::write(&path, entries).expect("it is written");
    let page = folder.path().join("page.html");
    let output = fmu().arg("report").arg(&path).arg("--output").arg(&page).output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("no animation: resources/scene.json: it is not UTF-8"));
    assert!(page.contains("no diagram: documentation/diagram.json: it is not UTF-8"));
}
