//! Tests that every rule about the archive and its files finds violations.

use std::collections::BTreeMap;

use super::*;
use fmus::archive::{Entry, pack};

/// An archive with a description and one more entry.
fn archive_with(name: &str) -> Vec<u8> {
    pack(vec![Entry::new("modelDescription.xml", sound()), Entry::new(name, "x".repeat(100))])
        .unwrap()
}

// fmu check: D001, D002, D003, D004, D005, D024
#[test]
fn faults_of_an_archive_are_found() {
    let sound = archive_with("documentation/a");
    assert_eq!(zip::findings(&sound), []);
    let rules = |bytes: &[u8]| -> Vec<String> {
        let message = |f: &Finding| format!("{} {} {}", f.severity.name(), f.rule, f.text);
        zip::findings(bytes).iter().map(message).collect()
    };
    let check = |name: &str, finding: &str| {
        let wanted = finding.replace("NAME", name);
        assert_eq!(rules(&archive_with(name)), [wanted]);
    };
    check("a\\b", "error D004 NAME: its name contains a backslash");
    check("a/../b", "error D004 NAME: its path leads out of the archive");
    check("/b", "error D004 NAME: its path is absolute");
    check("resources/\u{e4}", "warning D004 NAME: its name is not ASCII");
    check("a\u{202e}b", "warning D004 NAME: its name has a hidden character, U+202E");
    let other_case = "it differs from modelDescription.xml by case only";
    check("ModelDescription.xml", &format!("warning D024 NAME: {other_case}"));
    check("resources/aux.txt", "warning D024 NAME: Windows has no files named `aux.txt`");
    check(&"long/".repeat(41), "warning D024 NAME: its path has 205 characters");

    // In the central directory of the second entry: method, flags, version, mode.
    let central = sound.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap();
    let poke = |field: usize, value: [u8; 2]| {
        let mut bytes = sound.clone();
        bytes[central + field..central + field + 2].copy_from_slice(&value);
        rules(&bytes)
    };
    let link = 0o120_777_u16.to_le_bytes();
    for (field, value, rule, reason) in [
        (10, [12, 0], "D001", "its local header names another method"),
        (6, [45, 3], "D001", "it needs a newer ZIP than 2.0"),
        (8, [1, 0], "D002", "it is encrypted"),
        (34, [1, 0], "D002", "it is on another disk"),
        (40, link, "D002", "it is a link"),
    ] {
        assert_eq!(poke(field, value), [format!("error {rule} documentation/a: {reason}")]);
    }
    // Both headers say that the entry is stored, with a data descriptor.
    let mut stored = sound.clone();
    let local = sound[30..].windows(4).position(|w| w == b"PK\x03\x04").unwrap() + 30;
    stored[central + 8] = 8;
    (stored[central + 10], stored[local + 8]) = (0, 0);
    let descriptor = "error D003 documentation/a: it is stored with a data descriptor";
    assert_eq!(rules(&stored), [descriptor]);
    // The end of the directory refers to a second disk.
    let mut split = sound.clone();
    let end = sound.windows(4).rposition(|w| w == b"PK\x05\x06").unwrap();
    split[end + 4] = 1;
    assert_eq!(rules(&split), ["error D002 the archive is split over several files"]);
    assert_eq!(rules(b"PK"), ["error D001 the archive's directory is damaged"]);
    // Another way of packing is no remedy for damage.
    let fix = |bytes: &[u8]| zip::findings(bytes)[0].fix().unwrap();
    assert!(fix(b"PK").starts_with("copy or download the file again"));
    let mut newer = sound.clone();
    newer[central + 6] = 45;
    assert!(fix(&newer).starts_with("pack with deflate"));
    let moved = pack(vec![Entry::new("a/modelDescription.xml", "")]).unwrap();
    let missing = "error D005 modelDescription.xml is missing; there is a/modelDescription.xml";
    assert_eq!(rules(&moved), [missing]);
}

#[test]
fn entries_with_the_same_fault_are_one_finding() {
    let names: Vec<String> = (1..=5).map(|k| format!("resources/a{k}\\b")).collect();
    let entries = names.iter().map(|name| Entry::new(name.as_str(), "x"));
    let described = Entry::new("modelDescription.xml", sound());
    let packed = pack(std::iter::once(described).chain(entries).collect()).unwrap();
    let findings = zip::findings(&packed);
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    let first = names[..4].join(", ");
    assert_eq!(finding.text, format!("{first} and 1 more: its name contains a backslash"));
    // A name may end as a list that was cut off.
    let entries = ["a\\b", "c\\d, .."].map(|name| Entry::new(name, "x"));
    let described = Entry::new("modelDescription.xml", sound());
    let packed = pack(std::iter::once(described).chain(entries).collect()).unwrap();
    let findings = zip::findings(&packed);
    assert_eq!(findings[0].text, "a\\b, c\\d, ..: its name contains a backslash");
    // All headers name a method that no importer need know.
    let mut packed = archive_with("documentation/a");
    for (mark, field) in [(b"PK\x03\x04", 8), (b"PK\x01\x02", 10)] {
        let places: Vec<usize> =
            (0..packed.len()).filter(|k| packed[*k..].starts_with(mark)).collect();
        places.iter().for_each(|place| packed[place + field] = 12);
    }
    let file = tempfile::Builder::new().suffix(".fmu").tempfile().unwrap();
    fs::write(file.path(), packed).unwrap();
    let findings = super::file(file.path(), None).unwrap();
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    let names = "modelDescription.xml, documentation/a";
    assert_eq!(finding.text, format!("{names}: it is compressed by method 12, not deflate"));
}

/// The description of an FMU with sources only.
fn of_sources() -> String {
    let files = "<SourceFiles><File name=\"all.c\"/></SourceFiles>";
    let mut described = String::new();
    for line in sound().lines() {
        let name = line.trim_start().split(' ').next().unwrap_or_default();
        match name.trim_start_matches('<') {
            element @ ("ModelExchange" | "CoSimulation") => {
                let opened = line.replace("/>", ">");
                described.push_str(&format!("{opened}{files}</{element}>\n"));
            }
            _ => described.push_str(&format!("{line}\n")),
        }
    }
    described
}

const SOURCE: &str = "#define FMI2_FUNCTION_PREFIX Pendulum_\n#include \"fmi2Functions.h\"\n";
const BUILD: &str = "<fmiBuildDescription fmiVersion=\"3.0\"><BuildConfiguration \
     modelIdentifier=\"Pendulum\"><SourceFileSet><SourceFile name=\"all.c\"/></SourceFileSet>\
     </BuildConfiguration></fmiBuildDescription>";
const TERMINALS: &str = "<fmiTerminalsAndIcons fmiVersion=\"3.0\"><Terminals><Terminal name=\"a\">\
     <TerminalMemberVariable variableName=\"tau\"/></Terminal></Terminals></fmiTerminalsAndIcons>";

/// An FMU with sources that breaks no rule and has content in every folder.
fn files_of_sources() -> BTreeMap<String, Vec<u8>> {
    [
        ("modelDescription.xml", of_sources()),
        ("documentation/index.html", "<html/>".to_owned()),
        ("documentation/licenses/license.txt", "MIT".to_owned()),
        ("extra/org.example/notes.txt", "x".to_owned()),
        ("sources/all.c", SOURCE.to_owned()),
        ("sources/buildDescription.xml", BUILD.to_owned()),
        ("terminalsAndIcons/terminalsAndIcons.xml", TERMINALS.to_owned()),
    ]
    .map(|(path, text)| (path.to_owned(), text.into_bytes()))
    .into()
}

/// The rules that an FMU with the given files breaks.
fn rules(files: BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Pendulum.fmu");
    let entries = files.into_iter().map(|(path, bytes)| Entry::new(path, bytes)).collect();
    std::fs::write(&path, pack(entries).unwrap()).unwrap();
    file(&path, None).unwrap().into_iter().map(|f| f.rule.into()).collect()
}

/// A path, a text and its replacement in the file of this path. If both texts are empty, all files
/// with this path are removed; if the first text is empty or there is no such file, the second text
/// becomes the content.
type Change = (&'static str, &'static str, &'static str);

const XML: &str = "modelDescription.xml";
const TOOL: (&str, &str) = ("needsExecutionTool=\"false\"", "needsExecutionTool=\"1\"");

/// The number of a rule, and a violation.
const FAULTS: &[(&str, Change)] = &[
    ("C017", (XML, "all.c", "sub/all.c")),
    ("C017", (XML, "<SourceFiles>", "<SourceFiles><File name=\"all.c\"/>")),
    ("C017", (XML, "all.c", "sub\\all.c")),
    ("C017", (XML, "<File name", "<File path")),
    ("D006", ("sources/", "", "")),
    ("D007", ("binaries/amiga/Pendulum.so", "", "x")),
    ("D008", ("binaries/linux64/Other.so", "", "x")),
    ("D008", ("binaries/linux64/libPendulum.so", "", "x")),
    ("D008", ("binaries/win64/Pendulum.so", "", "x")),
    ("D010", ("binaries/linux64/Pendulum.so", "", "not a library")),
    ("D014", ("documentation/index.html", "", "")),
    ("D015", ("documentation/licenses/license.txt", "", "")),
    ("D016", ("model.png", "", "not a picture")),
    ("D017", ("sources/all.c", "#define FMI2_FUNCTION_PREFIX Pendulum_\n", "")),
    ("D017", ("sources/all.c", "\"fmi2Functions.h\"", "<fmi2Functions.h>")),
    ("D018", ("sources/buildDescription.xml", "all.c", "none.c")),
    ("D018", ("sources/buildDescription.xml", "Pendulum", "Other")),
    ("D018", ("sources/buildDescription.xml", "</BuildConfiguration>", "")),
    ("D019", ("terminalsAndIcons/terminalsAndIcons.xml", "\"tau\"", "\"taw\"")),
    ("D019", ("terminalsAndIcons/terminalsAndIcons.xml", " name=\"a\"", "")),
    ("D019", ("terminalsAndIcons/terminalsAndIcons.xml", "fmiTerminalsAndIcons", "terminals")),
    ("D020", ("extra/notes.txt", "", "x")),
    ("D021", (XML, TOOL.0, TOOL.1)),
    ("D022", ("sources/fmi2Functions.h", "", "x")),
];

fn changed((path, from, to): Change) -> BTreeMap<String, Vec<u8>> {
    let mut files = files_of_sources();
    match files.get(path) {
        _ if from.is_empty() && to.is_empty() => files.retain(|p, _| !p.starts_with(path)),
        Some(bytes) if !from.is_empty() => {
            let text = String::from_utf8(bytes.clone()).unwrap();
            assert!(text.contains(from), "{from} is not in {path}: {text}");
            files.insert(path.to_owned(), text.replace(from, to).into_bytes());
        }
        _ => drop(files.insert(path.to_owned(), to.as_bytes().to_vec())),
    }
    files
}

// fmu check: C017, D006, D007, D008, D010, D014, D015, D016, D017, D018, D019, D020, D021, D022
#[test]
fn each_fault_of_the_files_is_found_by_its_rule() {
    assert_eq!(rules(files_of_sources()), Vec::<String>::new());
    for (rule, change) in FAULTS {
        let rules = rules(changed(*change));
        assert!(rules.iter().any(|r| r == rule), "{rule}: {change:?}: {rules:?}");
    }
}

// fmu check: D017
#[test]
fn sources_that_are_not_listed_are_found() {
    let mut files = files_of_sources();
    files.remove("sources/buildDescription.xml");
    files.insert(XML.to_owned(), sound().into_bytes());
    assert_eq!(rules(files), ["D017", "D017"]);
}

#[test]
fn libraries_to_link_with_need_no_library_to_load() {
    let mut files = files_of_sources();
    files.insert("binaries/linux64/gcc12/libPendulum.a".to_owned(), b"x".to_vec());
    assert_eq!(rules(files), Vec::<String>::new());
}
