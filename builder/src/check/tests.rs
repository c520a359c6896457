//! Every rule finds the fault it is for, and nothing in a description without faults.

use super::*;
use crate::archive::{Entry, pack};
use crate::{sample, xml};

fn sound() -> String {
    xml::model_description(&sample::pendulum(), &xml::Origin::default()).unwrap()
}

/// The rules that the description breaks in which one text is replaced by another.
fn broken(from: &str, to: &str) -> Vec<String> {
    let text = sound();
    assert!(text.contains(from), "{from} is not in\n{text}");
    let findings = description(text.replacen(from, to, 1).as_bytes());
    assert!(findings.iter().all(|f| f.mend().is_some()), "{findings:?}");
    findings.iter().map(|f| f.rule.to_string()).collect()
}

#[test]
fn each_fault_of_a_description_is_found_by_its_rule() {
    let check = |from: &str, to: &str, rule: &str| {
        let rules = broken(from, to);
        assert!(rules.iter().any(|r| r == rule), "{from} -> {to}: {rules:?} lacks {rule}");
    };
    check("encoding=\"UTF-8\"", "encoding=\"ISO-8859-1\"", "X01");
    check("<?xml", "\u{feff}<?xml", "X01");
    check("fmiVersion=\"2.0\"", "fmiVersion=\"2.1\"", "X02");
    check("modelName=", "modellName=", "X02");
    check("</ModelVariables>", "", "X02");
    check("<UnitDefinitions>", "<UnitDefinitions/><UnitDefinitions>", "X02");
    check("<DefaultExperiment", "<LogCategories/><DefaultExperiment", "X02");
    check("<Boolean start=\"true\"/>", "<Boolean start=\"True\"/>", "X02");
    check("<Boolean start=\"true\"/>", "<Boolean start=\"true\"/>text", "X02");
    check("<Boolean start=\"true\"/>", "", "X02");
    check("valueReference=\"0\"", "valueReference=\"-1\"", "X02");
    check("index=\"7\"", "index=\"seven\"", "X02");
    check("start=\"0.1\"", "start=\"NaN\"", "X03");
    check("min=\"1e-9\"", "max=\"INF\"", "X03");
    check("guid=\"{0123}\"", "guid=\"\"", "X05");
    check("guid=", "generationDateAndTime=\"2020-13-01T00:00:00Z\" guid=", "X06");
    check("guid=", "generationDateAndTime=\"yesterday\" guid=", "X06");
    check("modelIdentifier=\"Pendulum\"", "modelIdentifier=\"a.b\"", "X08");
    check("modelIdentifier=\"Pendulum\"", "modelIdentifier=\"1a\"", "X08");
    check("<Unit name=\"N.m\">", "<Unit name=\"kg\">", "X10");
    check(
        "<DisplayUnit name=\"deg\"",
        "<DisplayUnit name=\"deg\" factor=\"57.29577951308232\"/><DisplayUnit name=\"deg\"",
        "X10",
    );
    check("<BaseUnit kg=\"1\"/>", "<BaseUnit kg=\"1\" factor=\"0\"/>", "X11");
    check("factor=\"57.29577951308232\"", "factor=\"0.017453292519943295\"", "X12");
    check("unit=\"kg\"", "unit=\"lb\"", "X13");
    check("unit=\"kg\"", "displayUnit=\"g\"", "X13");
    let pound = "<SimpleType name=\"Weight\"><Real unit=\"lb\"/></SimpleType>";
    check("<TypeDefinitions>", &format!("<TypeDefinitions>{pound}"), "X13");
    check("unit=\"kg\"", "unit=\"kg\" displayUnit=\"g\"", "X13");
    check("<SimpleType name=\"ModeType\">", "<SimpleType name=\"mode\">", "X14");
    check("canGetAndSetFMUstate=\"true\"", "canGetAndSetFMUstate=\"false\"", "X15");
    check("name=\"Forward\"", "name=\"Stuck\"", "X16");
    check("value=\"1\"", "value=\"0\"", "X16");
    check("start=\"0.1\"", "start=\"-0.1\"", "X17");
    check("min=\"1e-9\"", "min=\"1\" max=\"0\"", "X17");
    check("nominal=\"10.0\"", "nominal=\"0\"", "X17");
    check("declaredType=\"ModeType\"", "declaredType=\"Other\"", "X18");
    check("<Boolean start", "<Boolean declaredType=\"ModeType\" start", "X18");
    let start = "<Enumeration declaredType=\"ModeType\" start=\"7\"/>";
    check("<Enumeration declaredType=\"ModeType\"/>", start, "X19");
    check("name=\"tau\"", "name=\"w\"", "X20");
    check("name=\"tau\"", "name=\"\"", "X20");
    check("name=\"tau\"", "name=\"a&#10;b\"", "X20");
    check("causality=\"parameter\" variability=\"fixed\"", "causality=\"parameter\"", "X21");
    check("causality=\"local\" variability=\"discrete\"", "causality=\"local\"", "X21");
    check(
        "causality=\"input\" variability=\"discrete\"",
        "causality=\"input\" variability=\"discrete\" initial=\"exact\"",
        "X22",
    );
    check("start=\"0.1\"", "", "X23");
    check("<Integer max=\"9\"/>", "<Integer max=\"9\" start=\"1\"/>", "X23");
    let time = |name: &str| {
        format!(
            "<ScalarVariable name=\"{name}\" valueReference=\"9\" causality=\"independent\" \
             variability=\"continuous\"><Real/></ScalarVariable>"
        )
    };
    let two = format!("{}{}</ModelVariables>", time("time"), time("also_time"));
    check("</ModelVariables>", &two, "X24");
    check("derivative=\"5\"", "derivative=\"6\"", "X26");
    check("derivative=\"5\"", "derivative=\"99\"", "X26");
    check("derivative=\"5\"", "derivative=\"3\"", "X25");
    check(
        "initial=\"exact\">",
        "initial=\"exact\" canHandleMultipleSetPerTimeInstant=\"1\">",
        "X27",
    );
    check("name=\"tau\"", "name=\"tau(1)\"", "X29");
    check("name=\"body.c[1,2]\"", "name=\"body.c[1, 2]\"", "X29");
    check("<Unknown index=\"7\"", "<Unknown index=\"0\"", "X31");
    check("<Unknown index=\"7\"", "<Unknown index=\"99\"", "X31");
    check("<Unknown index=\"7\"", "<Unknown index=\"8\"", "X32");
    check("<Unknown index=\"7\"", "<Unknown index=\"1\"", "X32");
    check("<Unknown index=\"7\"", "<Unknown index=\"7\"/><Unknown index=\"7\"", "X32");
    check("derivative=\"5\"", "", "X33");
    check("<InitialUnknowns>", "<InitialUnknowns><Unknown index=\"6\"/>", "X34");
    check("<InitialUnknowns>", "<InitialUnknowns><Unknown index=\"9\"/>", "X34");
    check("<InitialUnknowns>", "<InitialUnknowns><Unknown index=\"8\"/>", "X34");
    check("dependencies=\"3 5\"", "dependencies=\"5 3\"", "X35");
    check("dependencies=\"3 5\"", "dependencies=\"3  5\"", "X35");
    check("dependencies=\"3 5\"", "dependencies=\"3 3\"", "X35");
    check("dependencies=\"3 5\"", "dependencies=\"1 5\"", "X35");
    check("dependencies=\"1 3 5\"", "dependencies=\"1 3 9\"", "X35");
    check("dependencies=\"3 5\"", "dependencies=\"3 5\" dependenciesKind=\"constant\"", "X36");
    check(
        "index=\"8\" dependencies=\"\"",
        "index=\"8\" dependencies=\"3\" dependenciesKind=\"constant\"",
        "X36",
    );
    check("name=\"logAll\"", "name=\"logEvents\"", "X40");
    check("stopTime=\"2.0\"", "stopTime=\"-2.0\"", "X41");
    check("tolerance=\"1e-6\"", "tolerance=\"-1\"", "X41");
    check("tolerance=\"1e-6\"", "", "X41");
    let tools = "<VendorAnnotations><Tool name=\"a\"/><Tool name=\"a\"/></VendorAnnotations>";
    check("<ModelVariables>", &format!("{tools}<ModelVariables>"), "X42");
    check("name=\"tau\" valueReference=\"2\"", "name=\"tau\" valueReference=\"0\"", "X50");
    check("unit=\"rad/s\" derivative", "unit=\"N.m\" derivative", "X50");
    check("start=\"0.1\"", "start=\"0.1\" reinit=\"false\"", "X57");
}

#[test]
fn arrays_out_of_order_are_found() {
    let text = sound().replace("name=\"body.m\"", "name=\"body.c[1,3]\"");
    let rules: Vec<_> = description(text.as_bytes()).into_iter().map(|f| f.rule).collect();
    assert_eq!(rules, ["X30"]);
}

#[test]
fn description_without_an_interface_is_found() {
    let text = sound();
    let from = text.find("<ModelExchange").unwrap();
    let to = text.find("<UnitDefinitions").unwrap();
    let text = format!("{}{}", &text[..from], &text[to..]);
    assert!(description(text.as_bytes()).iter().any(|f| f.rule == "X07"));
}

/// An archive with a description and one more entry.
fn archive_with(name: &str) -> Vec<u8> {
    pack(vec![Entry::new("modelDescription.xml", sound()), Entry::new(name, "x".repeat(100))])
        .unwrap()
}

#[test]
fn faults_of_an_archive_are_found() {
    let sound = archive_with("documentation/a");
    assert_eq!(archive::findings(&sound), []);
    let rules = |bytes: &[u8]| -> Vec<String> {
        let said = |f: &Finding| format!("{} {} {}", f.severity.name(), f.rule, f.text);
        archive::findings(bytes).iter().map(said).collect()
    };
    let check = |name: &str, finding: &str| {
        assert_eq!(rules(&archive_with(name)), [format!("error Z02 {name}: {finding}")]);
    };
    check("a\\b", "its name contains a backslash");
    check("a/../b", "its path leads out of the archive");
    check("ModelDescription.xml", "it differs from modelDescription.xml by case only");

    // In the central directory of the second entry: method, flags, version, mode.
    let central = sound.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap();
    let poke = |field: usize, value: [u8; 2]| {
        let mut bytes = sound.clone();
        bytes[central + field..central + field + 2].copy_from_slice(&value);
        rules(&bytes)
    };
    let link = 0o120_777_u16.to_le_bytes();
    for (field, value, reason) in [
        (10, [12, 0], "its local header names another method"),
        (8, [1, 0], "it is encrypted"),
        (6, [45, 3], "it needs a newer ZIP than 2.0"),
        (34, [1, 0], "it is on another disk"),
        (40, link, "it is a link"),
    ] {
        assert_eq!(poke(field, value), [format!("error Z01 documentation/a: {reason}")]);
    }
    assert_eq!(rules(b"PK"), ["error Z01 the archive's directory is damaged"]);
    let moved = pack(vec![Entry::new("a/modelDescription.xml", "")]).unwrap();
    let missing = "error Z03 modelDescription.xml is missing; there is a/modelDescription.xml";
    assert_eq!(rules(&moved), [missing]);
}

#[test]
fn fmu_without_a_library_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Pendulum.fmu");
    let rules = |entries: Vec<Entry>| -> Vec<String> {
        std::fs::write(&path, pack(entries).unwrap()).unwrap();
        let findings = file(&path, None).unwrap();
        findings
            .into_iter()
            .filter(|f| f.severity == Severity::Error)
            .map(|f| f.rule.into())
            .collect()
    };
    let description = || Entry::new("modelDescription.xml", sound());
    assert_eq!(rules(vec![description()]), ["Z04"]);
    let other = Entry::new("binaries/linux64/Other.so", "");
    assert_eq!(rules(vec![description(), other]), ["Z05"]);
    let text = Entry::new("binaries/linux64/Pendulum.so", "not a library");
    assert_eq!(rules(vec![description(), text]), ["Z05"]);
    let icon = Entry::new("model.png", "not a picture");
    assert_eq!(rules(vec![description(), icon]), ["Z04", "Z08"]);
}
