//! Tests that `fmu check` finds each fault that is inserted into an FMU of ours, and nothing in the
//! original.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use coupler_tests::Fmu;
use coupler_tests::fmu_program::fmu;
use fmu_builder::archive::{self, Entry};

type Files = BTreeMap<String, Vec<u8>>;

const XML: &str = "modelDescription.xml";

fn files(path: &Path) -> Files {
    let mut zip = zip::ZipArchive::new(File::open(path).expect("the FMU")).expect("an archive");
    let mut files = Files::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).expect("an entry");
        let name = entry.name().expect("its name").into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("its bytes");
        files.insert(name, bytes);
    }
    files
}

/// The files of an FMU of ours where `solver.method` is an enumeration, which FMUs of the
/// repository do not have.
fn with_enumeration(path: &Path) -> Files {
    const TYPES: &str = "<TypeDefinitions><SimpleType name=\"Method\"><Enumeration>\
        <Item name=\"zero\" value=\"0\"/><Item name=\"one\" value=\"1\"/></Enumeration></SimpleType>\
        </TypeDefinitions><LogCategories>";
    let mut files = files(path);
    let text = String::from_utf8(files[XML].clone()).expect("UTF-8");
    let (number, types) = ("<Integer min=\"0\" max=\"5\" start=\"0\"/>", "<LogCategories>");
    assert!(text.contains(number) && text.contains(types), "{text}");
    let choice = "<Enumeration declaredType=\"Method\" start=\"0\"/>";
    let text = text.replacen(number, choice, 1).replacen(types, TYPES, 1);
    files.insert(XML.to_owned(), text.into_bytes());
    files
}

/// The output of `fmu check` for an FMU with the given files.
fn check(folder: &Path, files: &Files) -> String {
    let path = folder.join("Mutant.fmu");
    let entries = files.iter().map(|(path, bytes)| Entry::new(path.as_str(), bytes.clone()));
    archive::write(&path, entries.collect()).expect("the archive");
    let output = fmu().arg("check").arg(path).output().expect("the program starts");
    coupler_tests::python::both(&output)
}

/// The finding, and a fault: a text of the description and its replacement.
const FAULTS: &[(&str, &str, &str)] = &[
    // Faults that some other checkers do not find.
    ("error A012", "guid=\"{", "guid=\"{0"),
    ("error C002", "modelName=", "color=\"red\" modelName="),
    ("error C042", "start=\"9.81\"", ""),
    ("error C034", "name=\"h\"", "name=\"v\""),
    ("error C068", "<Unknown index=\"5\" dependencies=\"5\"/>", ""),
    ("error C072", "<Unknown index=\"7\" dependencies=\"1 2 3 4 5\"/>", "<Unknown index=\"6\"/>"),
    ("error C010", "numberOfEventIndicators=\"2\"", "numberOfEventIndicators=\"3\""),
    ("error C067", "<Unknown index=\"7\"", "<Unknown index=\"97\""),
    ("error C044", "max=\"1.0\" start=\"0.7\"", "max=\"1.0\" start=\"1.7\""),
    ("error C062", "name=\"h\"", "name=\"h(1)\""),
    ("error C022", "<Real unit=\"m\"", "<Real unit=\"furlong\""),
    (
        "error C043",
        "initial=\"exact\">\n      <Real unit=\"m\"",
        "initial=\"calculated\">\n      <Real unit=\"m\"",
    ),
    ("error C058", "</ModelVariables>", CONSTANT),
    // Faults that no other checker finds.
    ("error C007", "guid=\"GUID\"", "guid=\"\""),
    ("error C014", "modelIdentifier=\"BouncingBall\"", "modelIdentifier=\"Bouncing.Ball\""),
    ("error C015", "canGetAndSetFMUstate=\"true\"", "canGetAndSetFMUstate=\"false\""),
    (
        "error C021",
        "<DisplayUnit name=\"mm\"",
        "<DisplayUnit name=\"mm\" factor=\"1000\"/><DisplayUnit name=\"mm\"",
    ),
    ("error C022", "<TypeDefinitions>", LEAGUE),
    ("error C025", "SimpleType name=\"Method\"", "SimpleType name=\"solver.method\""),
    ("error C027", "name=\"one\"", "name=\"zero\""),
    ("error C030", "declaredType=\"Method\" start=\"0\"", "declaredType=\"Method\" start=\"9\""),
    ("error C031", "<Category name=\"logAll\"", "<Category name=\"logEvents\""),
    ("warning C032", "stopTime=\"3.0\"", "stopTime=\"-3.0\""),
    ("warning C032", "tolerance=\"1e-6\"", "tolerance=\"-1e-6\""),
    ("error C045", "</ModelVariables>", TWO_TIMES),
    ("error C044", "start=\"1.0\"", "max=\"0.5\" start=\"1.0\""),
    ("error C028", "max=\"1.0\"", "max=\"-1.0\""),
    ("error C028", "start=\"1.0\"", "nominal=\"0\" start=\"1.0\""),
    ("error C004", "start=\"9.81\"", "start=\"NaN\""),
    ("error C004", "max=\"1.0\"", "max=\"INF\""),
    ("error C004", "start=\"9.81\"", "start=\"-INF\""),
    ("error C059", "</ModelVariables>", OTHER_UNIT),
    ("warning C047", "start=\"0.0\" derivative=\"4\"", "start=\"0.0\" derivative=\"5\""),
    (
        "error C046",
        "causality=\"output\" variability=\"continuous\" initial=\"exact\"",
        "causality=\"input\" variability=\"continuous\"",
    ),
    ("error C068", "<Outputs>", "<Outputs><Unknown index=\"4\"/>"),
    ("error C072", "<InitialUnknowns>", "<InitialUnknowns><Unknown index=\"8\"/>"),
    ("error C073", "<InitialUnknowns>", "<InitialUnknowns><Unknown index=\"7\"/>"),
    ("error C074", "dependencies=\"1 2 3 4 5\"", "dependencies=\"2 1 3 4 5\""),
    (
        "error C075",
        "<Unknown index=\"4\" dependencies=\"4\"/>",
        "<Unknown index=\"4\" dependencies=\"1 4\"/>",
    ),
    ("error C001", "encoding=\"UTF-8\"", "encoding=\"ISO-8859-1\""),
    // Faults that only a run of the library shows.
    ("error C050", "start=\"1.0\"", "start=\"1.5\""),
    ("error C010", "numberOfEventIndicators=\"2\"", "numberOfEventIndicators=\"1\""),
    (
        "error C077",
        "<Derivatives>\n      <Unknown index=\"5\" dependencies=\"5\"/>",
        "<Derivatives>\n      <Unknown index=\"5\" dependencies=\"\"/>",
    ),
];

const CONSTANT: &str = "<ScalarVariable name=\"c\" valueReference=\"0\" variability=\"constant\">\
    <Real unit=\"m/s2\" start=\"9.81\"/></ScalarVariable></ModelVariables>";
const LEAGUE: &str =
    "<TypeDefinitions><SimpleType name=\"Way\"><Real unit=\"league\"/></SimpleType>";
const TWO_TIMES: &str = "<ScalarVariable name=\"s\" valueReference=\"8\" causality=\"independent\">\
    <Real/></ScalarVariable><ScalarVariable name=\"t\" valueReference=\"8\" \
    causality=\"independent\"><Real/></ScalarVariable></ModelVariables>";
const OTHER_UNIT: &str = "<ScalarVariable name=\"w\" valueReference=\"4\"><Real unit=\"m\"/>\
    </ScalarVariable></ModelVariables>";

// fmu check: A012, C001, C002, C004, C007, C010, C014, C015, C021, C022, C025, C027, C028, C030
// fmu check: C031, C032, C034, C042, C043, C044, C045, C046, C047, C050, C058, C059, C062, C067
// fmu check: C068, C072, C073, C074, C075, C077
#[test]
fn each_fault_of_the_description_of_an_fmu_is_found_by_its_rule() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fmu = Fmu::named("BouncingBall");
    let sound = with_enumeration(&fmu.path);
    let clean = check(folder.path(), &sound);
    assert!(clean.contains("no problems found"), "{clean}");
    let text = String::from_utf8(sound[XML].clone()).expect("UTF-8");
    let mut missed = Vec::new();
    for (finding, from, to) in FAULTS {
        let from = from.replace("GUID", &fmu.description.guid);
        assert!(text.contains(&from), "{from} is not in\n{text}");
        let mut mutant = sound.clone();
        mutant.insert(XML.to_owned(), text.replacen(&from, to, 1).into_bytes());
        let message = check(folder.path(), &mutant);
        if !message.contains(&format!("{finding} ")) {
            missed.push(format!("{from} -> {to} is not {finding}:\n{message}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn what_follows_from_an_error_is_no_finding() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sound = files(&Fmu::named("BouncingBall").path);
    let text = String::from_utf8(sound[XML].clone()).expect("UTF-8");
    let guid = format!("guid=\"{}\"", Fmu::named("BouncingBall").description.guid);
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} is not in\n{text}");
        let mut mutant = sound.clone();
        mutant.insert(XML.to_owned(), text.replace(from, to).into_bytes());
        mutant
    };
    let mut outside = sound.clone();
    outside.insert("resources/../a".to_owned(), vec![b'x']);
    for (mutant, error) in [
        (with(&guid, "guid=\"\""), "error C007 guid: it is empty"),
        (with("modelIdentifier=\"B", "modelIdentifier=\"a.B"), "error C014 "),
        (outside, "error D004 resources/../a: its path leads out of the archive"),
    ] {
        let message = check(folder.path(), &mutant);
        let errors: Vec<&str> = message.lines().filter(|l| l.starts_with("error")).collect();
        let same_rule = errors.iter().all(|line| line.starts_with(error));
        assert!(!errors.is_empty() && same_rule, "{error}: {message}");
    }
}

#[test]
fn an_output_that_is_a_state_and_lists_no_dependencies_is_no_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut mutant = files(&Fmu::named("BouncingBall").path);
    let text = String::from_utf8(mutant[XML].clone()).expect("UTF-8");
    let (from, to) = ("index=\"4\" dependencies=\"4\"", "index=\"4\" dependencies=\"\"");
    assert!(text.contains(from), "{from} is not in\n{text}");
    mutant.insert(XML.to_owned(), text.replacen(from, to, 1).into_bytes());
    let message = check(folder.path(), &mutant);
    let warned = message.contains("warning C077 ") && message.contains("h depends on h");
    assert!(warned && !message.contains("error "), "{message}");
}

// fmu check: D006, D008, D009, D010, D015, D016
#[test]
fn each_fault_of_the_files_of_an_fmu_is_found_by_its_rule() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sound = files(&Fmu::named("BouncingBall").path);
    let path = sound.keys().find(|p| p.starts_with("binaries/")).expect("a library").clone();
    let library = &sound[&path];
    let finds = |rule: &str, mutate: &dyn Fn(&mut Files)| {
        let mut mutant = sound.clone();
        mutate(&mut mutant);
        let message = check(folder.path(), &mutant);
        assert!(message.contains(&format!(" {rule} ")), "{rule}: {message}");
    };
    let put = |to: &str| {
        let to = to.to_owned();
        let (path, library) = (path.clone(), library.clone());
        move |files: &mut Files| {
            files.remove(&path);
            files.insert(to.clone(), library.clone());
        }
    };
    finds("D006", &|files| drop(files.remove(&path)));
    finds("D008", &put("binaries/linux64/libBouncingBall.so"));
    finds("D010", &put("binaries/win64/BouncingBall.dll"));
    finds("D010", &put("binaries/linux32/BouncingBall.so"));
    finds("D009", &|files| {
        let text =
            String::from_utf8_lossy(&files[XML]).replacen("\"BouncingBall\" canH", "\"B\" canH", 1);
        files.insert(XML.to_owned(), text.into_bytes());
    });
    finds("D015", &|files| drop(files.remove("documentation/licenses/license.txt")));
    finds("D016", &|files| drop(files.insert("model.png".to_owned(), b"x".to_vec())));
}
