//! Tests that nothing is found in descriptions that are unusual but legal.

use super::{description, sound};
use fmus::finding::Severity;

const FLAT: (&str, &str) = ("Convention=\"structured\"", "Convention=\"flat\"");

/// The unusual property, and the replaced texts of the description.
const LEGAL: &[(&str, &[(&str, &str)])] = &[
    ("flat names", &[FLAT, ("name=\"tau\"", "name=\"the torque \u{3c4} (1)\"")]),
    ("the default convention", &[("variableNamingConvention=\"structured\"", "")]),
    ("names in quotes", &[("name=\"tau\"", "name=\"'tau (1) &amp; [2]'.b\"")]),
    ("an escaped quote", &[("name=\"tau\"", "name=\"'it\\'s'\"")]),
    ("a higher derivative", &[("name=\"w\"", "name=\"der(phi,2)\"")]),
    ("an array with gaps", &[("name=\"body.m\"", "name=\"body.c[0,7]\"")]),
    ("an array of arrays", &[("name=\"tau\"", "name=\"a[1].b[2]\"")]),
    ("another quoting", &[("encoding=\"UTF-8\"", "encoding='utf-8'")]),
    ("a comment before the root", &[("<fmiModelDescription", "<!-- a --><fmiModelDescription")]),
    (
        "a schema",
        &[("modelName=", "xmlns:xsi=\"x\" xsi:noNamespaceSchemaLocation=\"y\" modelName=")],
    ),
    ("blanks around numbers", &[("start=\"0.1\"", "start=\" 0.1 \"")]),
    ("Booleans as numbers", &[("<Boolean start=\"true\"/>", "<Boolean start=\"1\"/>")]),
    ("a date", &[("guid=", "generationDateAndTime=\"2020-02-29T23:59:59Z\" guid=")]),
    ("a guid without braces", &[("{0123}", "any text")]),
    ("two libraries", &[("<CoSimulation modelIdentifier=\"Pendulum\"", OTHER)]),
    ("tools", &[("<ModelVariables>", TOOLS)]),
    ("annotations", &[("<Boolean start=\"true\"/>", ANNOTATED)]),
    ("an alias of a parameter", &[(END, ALIAS)]),
    ("equal constants", &[(END, CONSTANTS)]),
    ("a number shared by types", &[("name=\"count\" valueReference=\"1\"", COUNT)]),
    (
        "the independent variable",
        &[(END, TIME), ("dependencies=\"3 5\"", "dependencies=\"3 5 10\"")],
    ),
    (
        "the derivative of no state",
        &[(
            END,
            "<ScalarVariable name=\"der(w)\" valueReference=\"9\">\
        <Real derivative=\"7\"/></ScalarVariable></ModelVariables>",
        )],
    ),
    (
        "the derivative of an input",
        &[(
            END,
            "<ScalarVariable name=\"der(tau)\" valueReference=\"9\">\
        <Real derivative=\"3\"/></ScalarVariable></ModelVariables>",
        )],
    ),
    ("a calculated parameter", &[(END, CALCULATED), ("</InitialUnknowns>", LAST_UNKNOWN)]),
    (
        "a guess",
        &[(
            END,
            "<ScalarVariable name=\"p\" valueReference=\"9\" initial=\"approx\">\
        <Real start=\"1\"/></ScalarVariable></ModelVariables>",
        )],
    ),
    ("a text", &[(END, TEXT)]),
    ("dependencies absent", &[(" dependencies=\"3 5\"", ""), (" dependencies=\"1 3 5\"", "")]),
    (
        "more dependencies than there are",
        &[("index=\"8\" dependencies=\"\"", "index=\"8\" dependencies=\"3 4 5\"")],
    ),
    (
        "kinds",
        &[("dependencies=\"3 5\"", "dependencies=\"3 5\" dependenciesKind=\"fixed constant\"")],
    ),
    (
        "outputs in another order",
        &[
            ("<Unknown index=\"8\" dependencies=\"\"/>", ""),
            ("<Outputs>", "<Outputs><Unknown index=\"8\"/>"),
        ],
    ),
    (
        "multiple sets",
        &[(
            "valueReference=\"2\"",
            "valueReference=\"2\" canHandleMultipleSetPerTimeInstant=\"false\"",
        )],
    ),
    ("reinit that is false", &[("reinit=\"true\"", "reinit=\"false\"")]),
    ("a unit without base", &[("<BaseUnit kg=\"1\"/>", "")]),
    (
        "a unit of a type",
        &[
            ("<Real unit=\"kg\" min", "<Real declaredType=\"Mass\" min"),
            (
                "<TypeDefinitions>",
                "<TypeDefinitions><SimpleType name=\"Mass\"><Real unit=\"kg\" min=\"0\"/></SimpleType>",
            ),
        ],
    ),
    ("the limit as start", &[("start=\"0.1\"", "start=\"1e-9\"")]),
    ("a negative start time", &[("startTime=\"0.0\"", "startTime=\"-5\"")]),
];

const END: &str = "</ModelVariables>";
const OTHER: &str = "<CoSimulation modelIdentifier=\"Other\"";
const TOOLS: &str = "<VendorAnnotations><Tool name=\"a\"><x y=\"1\">z</x></Tool><Tool name=\"b\"/>\
    </VendorAnnotations><ModelVariables>";
const ANNOTATED: &str = "<Boolean start=\"true\"/><Annotations><Tool name=\"a\"/></Annotations>";
const ALIAS: &str = "<ScalarVariable name=\"c\" valueReference=\"1\" variability=\"tunable\">\
    <Real unit=\"N.m\"/></ScalarVariable></ModelVariables>";
const CONSTANTS: &str = "<ScalarVariable name=\"c\" valueReference=\"9\" variability=\"constant\">\
    <Real start=\"1\"/></ScalarVariable>\
    <ScalarVariable name=\"d\" valueReference=\"9\" variability=\"constant\">\
    <Real start=\"1.0\"/></ScalarVariable></ModelVariables>";
const COUNT: &str = "name=\"count\" valueReference=\"4\"";
const TIME: &str = "<ScalarVariable name=\"time\" valueReference=\"9\" causality=\"independent\">\
    <Real/></ScalarVariable></ModelVariables>";
const CALCULATED: &str = "<ScalarVariable name=\"p\" valueReference=\"9\" \
    causality=\"calculatedParameter\" variability=\"fixed\"><Real/></ScalarVariable></ModelVariables>";
const LAST_UNKNOWN: &str = "<Unknown index=\"10\"/></InitialUnknowns>";
const TEXT: &str = "<ScalarVariable name=\"s\" valueReference=\"0\" causality=\"parameter\" \
    variability=\"fixed\"><String start=\"a&#10;&lt;b\"/></ScalarVariable></ModelVariables>";

fn changed(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(sound(), |text, (from, to)| {
        assert!(text.contains(from), "{from} is not in\n{text}");
        text.replacen(from, to, 1)
    })
}

#[test]
fn what_openmodelica_does_not_import_is_a_note_for_model_exchange_only() {
    let constant = sound().replacen("</ModelVariables>", ONE, 1);
    let rules = |text: &str| -> Vec<(Severity, String)> {
        let found = description(text.as_bytes()).into_iter();
        found.map(|f| (f.severity, f.rule.into_owned())).collect()
    };
    let e001 = (Severity::Note, "E001".to_owned());
    assert_eq!(rules(&constant), [e001]);
    let from = constant.find("<ModelExchange").unwrap();
    let to = constant.find("<CoSimulation").unwrap();
    let for_co_simulation = format!("{}{}", &constant[..from], &constant[to..]);
    assert!(rules(&for_co_simulation).iter().all(|(_, rule)| rule != "E001"));
}

const ONE: &str = "<ScalarVariable name=\"one\" valueReference=\"9\" variability=\"constant\">\
    <Real start=\"1\"/></ScalarVariable></ModelVariables>";

// fmu check: C070
#[test]
fn nothing_is_found_in_legal_descriptions() {
    let mut blamed = Vec::new();
    for (what, changes) in LEGAL {
        let findings = description(changed(changes).as_bytes());
        // What the importers cannot do is no fault.
        let faults = findings.iter().filter(|f| !f.rule.starts_with('E'));
        blamed.extend(faults.map(|f| format!("{what}: {f}")));
    }
    assert!(blamed.is_empty(), "{}", blamed.join("\n"));
}

/// The description without the part from one text to another.
fn without(first: &str, after: &str) -> String {
    let text = sound();
    let from = text.find(first).expect(first);
    let to = from + text[from..].find(after).expect(after);
    format!("{}{}", &text[..from], &text[to..])
}

#[test]
fn parts_may_be_absent() {
    let finds = |text: &str, rules: &[&str]| {
        let findings = description(text.as_bytes());
        let found: Vec<_> = findings.iter().map(|f| &*f.rule).collect();
        assert_eq!(found, rules, "{findings:?}");
    };
    finds(&without("<ModelExchange", "<CoSimulation").replace("reinit=\"true\"", ""), &[]);
    finds(&without("<CoSimulation", "<UnitDefinitions"), &[]);
    finds(&without("<LogCategories", "<DefaultExperiment"), &[]);
    // All four attributes of the experiment are reported as missing, but only as notes.
    let notes = description(without("<DefaultExperiment", "<ModelVariables").as_bytes());
    assert_eq!(notes.len(), 4, "{notes:?}");
    assert!(notes.iter().all(|f| f.severity == Severity::Note && f.rule == "C032"));
}

// fmu check: C071
#[test]
fn one_variable_is_enough() {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
        <fmiModelDescription fmiVersion=\"2.0\" modelName=\"A\" guid=\"b\">\
        <CoSimulation modelIdentifier=\"A\"/>\
        <DefaultExperiment startTime=\"0\" stopTime=\"1\" tolerance=\"1e-4\" stepSize=\"0.1\"/>\
        <ModelVariables><ScalarVariable name=\"t\" valueReference=\"0\" \
        causality=\"independent\"><Real/></ScalarVariable></ModelVariables>\
        <ModelStructure/></fmiModelDescription>";
    assert_eq!(description(text.as_bytes()), []);
}

/// Properties that the standard does not forbid, but that some importer cannot handle.
const ODD: &[(&str, &str, &str)] = &[
    ("C001", "<?xml", "\u{feff}<?xml"),
    ("C020", "<BaseUnit kg=\"1\"/>", "<BaseUnit kg=\"1\" factor=\"0\"/>"),
    ("C021", "factor=\"57.29577951308232\"", "factor=\"0.017453292519943295\""),
    ("C023", "unit=\"kg\"", "unit=\"kg\" displayUnit=\"g\""),
    ("C032", "stopTime=\"2.0\"", "stopTime=\"-2.0\""),
    ("C047", "derivative=\"5\"", "derivative=\"1\""),
    ("C064", "name=\"count\"", "name=\"der(count)\""),
    (
        "C069",
        "variability=\"continuous\" initial=\"calculated\"",
        "variability=\"discrete\" initial=\"calculated\"",
    ),
];

#[test]
fn properties_that_the_standard_does_not_forbid_are_no_errors() {
    for (rule, from, to) in ODD {
        let findings = description(changed(&[(from, to)]).as_bytes());
        let severities: Vec<_> =
            findings.iter().filter(|f| f.rule == *rule).map(|f| f.severity).collect();
        assert_eq!(severities, [Severity::Warning], "{rule}: {from} -> {to}: {findings:?}");
    }
}

#[test]
fn derivatives_that_co_simulation_ignores_break_no_rule() {
    let of_cs = without("<ModelExchange", "<CoSimulation").replace("reinit=\"true\"", "");
    let errors = |text: &str| {
        let findings = description(text.as_bytes());
        let errors = findings.iter().filter(|f| f.severity == Severity::Error);
        errors.map(|f| f.rule.to_string()).collect::<Vec<_>>()
    };
    let state = "<Unknown index=\"6\"";
    let twice = of_cs.replacen("<Derivatives>", "<Derivatives><Unknown index=\"1\"/>", 1);
    assert!(twice.contains(state));
    assert_eq!(errors(&twice), ["C069"]);
    let flag = "providesDirectionalDerivative=\"true\"";
    assert!(of_cs.contains(flag));
    assert_eq!(errors(&twice.replace(flag, "")), [""; 0]);
    // InitialUnknowns is complete without them, although some importers need the derivatives.
    let listed = "<Unknown index=\"6\" dependencies=\"1 3 5\"/>";
    let unlisted = of_cs.replace(listed, "");
    assert!(of_cs.contains(listed));
    assert_eq!(errors(&unlisted), ["C072"]);
    let findings = description(unlisted.replace(flag, "").as_bytes());
    let found: Vec<_> = findings.iter().map(|f| (f.severity, &*f.rule)).collect();
    assert_eq!(found, [(Severity::Warning, "C072")]);
}
