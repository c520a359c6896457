//! Damaged and malicious archives: `fmu` refuses them in one sentence, within limits, and leaves no
//! file behind.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;

use fmu_builder::archive::{Entry, pack};

use crate::fixture::{entries, fmu_in, fmus};
use crate::hostile::Cage;
use crate::raw_archive::{Raw, archive};
use random::Random;

/// The bytes of a sound FMU.
fn sound() -> Vec<u8> {
    fs::read(fmus().join("BouncingBall.fmu")).unwrap()
}

/// The files of the sound FMU.
fn files() -> Vec<Entry> {
    entries("BouncingBall.fmu")
}

/// The sound FMU as entries that tests can damage.
fn raw() -> Vec<Raw> {
    files().into_iter().map(|f| Raw::new(f.path, f.bytes)).collect()
}

/// The sound FMU with other content in one file.
fn with(path: &str, bytes: Vec<u8>) -> Vec<u8> {
    let mut entries = raw();
    let place = entries.iter().position(|e| e.name == path.as_bytes()).unwrap();
    entries[place] = Raw::new(path, bytes);
    archive(&entries)
}

fn description() -> String {
    let file = files().into_iter().find(|f| f.path == "modelDescription.xml").unwrap();
    String::from_utf8(file.bytes).unwrap()
}

/// Asserts that all four commands refuse the file; returns the sentence of the last one, `run`.
fn refused(cage: &Cage, bytes: &[u8]) -> String {
    let verdicts = cage.everything_with(bytes);
    assert!(verdicts.iter().all(|v| !v.success), "{verdicts:?}");
    verdicts[3].sentence.clone()
}

/// Asserts that `check`, without and with the library, reports the fault, and that `run` prints the
/// sentence.
fn faulty(cage: &Cage, bytes: &[u8], finding: &str, sentence: &str) {
    let [static_check, check, _, run] = cage.everything_with(bytes);
    for check in [static_check, check] {
        assert!(!check.success && check.findings.contains(finding), "{finding}: {check:?}");
    }
    assert!(!run.success, "{finding}");
    assert_eq!(run.sentence, sentence);
}

#[test]
fn an_archive_that_is_cut_off_anywhere_is_refused() {
    let (cage, sound) = (Cage::new(), sound());
    assert!(cage.everything_with(&sound).iter().all(|v| v.success));
    assert!(fs::read(cage.work().join("x.fmu")).unwrap() == sound, "the file is unchanged");
    for part in 0..40 {
        refused(&cage, &sound[..sound.len() * part / 40]);
    }
    for missing in [1, 2, 21, 22, 23, 60] {
        refused(&cage, &sound[..sound.len() - missing]);
    }
}

#[test]
fn an_archive_with_changed_bytes_ends_no_process_and_leaves_nothing() {
    let (cage, sound, mut random) = (Cage::new(), sound(), Random(1));
    let directory = sound.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    for i in 0..40 {
        let mut bytes = sound.clone();
        for _ in 0..1 + random.below(4) {
            // Half of the changes are in the directory of the archive.
            let from = if i % 2 == 0 { directory } else { 0 };
            let at = from + random.below(bytes.len() - from);
            bytes[at] ^= 1 << random.below(8);
        }
        cage.check_and_run(&bytes);
    }
}

#[test]
fn a_description_with_changed_bytes_ends_no_process_and_leaves_nothing() {
    let (cage, sound, mut random) = (Cage::new(), description().into_bytes(), Random(2));
    for _ in 0..40 {
        let mut bytes = sound.clone();
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes[at] ^= 1 << random.below(7),
            1 => bytes.truncate(at),
            2 => drop(bytes.drain(at..(at + 1 + random.below(200)).min(sound.len()))),
            _ => {
                let length = random.below(300).min(sound.len() - at);
                let part = sound[at..at + length].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, part);
            }
        }
        cage.check_and_run(&with("modelDescription.xml", bytes));
    }
}

#[test]
fn a_damaged_library_is_a_finding_and_never_the_end_of_the_check() {
    let (cage, mut random) = (Cage::new(), Random(3));
    let library = files().into_iter().find(|f| f.path.starts_with("binaries/")).unwrap();
    for i in 0..16 {
        let mut bytes = library.bytes.clone();
        if i % 4 == 0 {
            bytes.truncate(random.below(bytes.len()));
        } else {
            // Headers, symbols and relocations are damaged; damaged code might run forever.
            for _ in 0..20 {
                let at = random.below(4096);
                bytes[at] = random.below(256) as u8;
            }
        }
        cage.write("x.fmu", &with(&library.path, bytes));
        cage.run(&["check", "x.fmu"]);
    }
}

#[test]
fn a_truncated_library_is_not_loaded() {
    let cage = Cage::new();
    let library = files().into_iter().find(|f| f.path.starts_with("binaries/")).unwrap();
    for part in 0..12 {
        let bytes = library.bytes[..library.bytes.len() * part / 12].to_vec();
        let [check, run] = cage.check_and_run(&with(&library.path, bytes));
        assert!(!check.success && check.findings.lines().count() == 1, "{part}: {check:?}");
        let fix = "; fix: copy or download the file again, or pack it anew\n";
        let of_library = check.findings.starts_with("error D010 binaries/");
        assert!(of_library && check.findings.ends_with(fix), "{part}: {check:?}");
        let reason = "x.fmu: the library cannot be loaded: ";
        assert!(run.sentence.starts_with(reason), "{part}: {run:?}");
    }
}

#[test]
fn a_description_whose_end_is_missing_is_damaged() {
    let (cage, text) = (Cage::new(), description());
    let fix_of = |text: &str| {
        cage.write("x.fmu", &with("modelDescription.xml", text.as_bytes().to_vec()));
        let findings = cage.run(&["check", "x.fmu"]).findings;
        let line = findings.lines().find(|line| line.starts_with("error C001 line "));
        line.unwrap_or_else(|| panic!("{findings}")).split_once("; fix: ").unwrap().1.to_owned()
    };
    for part in 1..8 {
        let fix = fix_of(&text[..text.len() * part / 8]);
        assert!(fix.starts_with("copy or download the file again"), "{fix}");
    }
    let fix = fix_of(&text.replace("</ModelVariables>", ""));
    assert!(fix.starts_with("write UTF-8"), "{fix}");
}

#[test]
fn files_that_are_no_archives_are_refused_by_name() {
    let cage = Cage::new();
    let sentence = "x.fmu: it is not an FMU: it is not a ZIP archive";
    for bytes in [&b""[..], b"PK", b"PK\x05\x06", b"not an archive", &[0; 5000], &[0xff; 5000]] {
        assert_eq!(refused(&cage, bytes), sentence);
    }
    let sound = archive(&raw());
    for length in [100, sound.len() / 2, sound.len() - 22] {
        let sentence = "x.fmu: it is not an FMU: it is a truncated ZIP archive, whose directory at \
                        the end is missing";
        assert_eq!(refused(&cage, &sound[..length]), sentence, "{length}");
    }
    let sentence = "x.fmu: it is not an FMU: it is a damaged ZIP archive, whose directory cannot be \
                    read";
    assert_eq!(refused(&cage, &sound[sound.len() / 2..]), sentence);
    fs::create_dir(cage.work().join("folder.fmu")).unwrap();
    std::os::unix::fs::symlink("missing", cage.work().join("link.fmu")).unwrap();
    for (file, reason) in [
        ("folder.fmu", "folder.fmu: it is not an FMU: it is a folder"),
        ("link.fmu", "cannot read link.fmu: there is no such file"),
        ("/dev/null", "/dev/null: it is not an FMU: it is not a file"),
        ("/dev/zero", "/dev/zero: it is not an FMU: it is not a file"),
    ] {
        for command in ["check", "inspect"] {
            assert_eq!(cage.run(&[command, file]).sentence, reason);
        }
    }
    let path = cage.work().join("x.fmu");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        // The output goes past the capture of the test's output, so that `cargo xtask test` counts
        // it.
        let test = std::thread::current().name().unwrap_or("a test").to_owned();
        let _ = writeln!(std::io::stderr(), "skipped: {test}: this user may read every file");
        return;
    }
    assert_eq!(cage.run(&["check", "x.fmu"]).sentence, "cannot read x.fmu: permission denied");
}

#[test]
fn no_entry_is_written_outside_of_the_folder() {
    let cage = Cage::new();
    let absolute = cage.work().join("absolute").to_string_lossy().into_owned();
    for name in ["../x", "a/../../../../x", "..", &absolute, "C:/x", "C:x", r"..\..\x", r"\x"] {
        let mut entries = raw();
        entries.push(Raw::new(name, "outside"));
        let sentence =
            format!("x.fmu: it cannot be unpacked: {name}: its path leads out of the archive");
        faulty(&cage, &archive(&entries), "error D004", &sentence);
    }
    let mut entries = raw();
    entries.insert(0, Raw { mode: 0o120_777, ..Raw::new("resources", "elsewhere") });
    entries.push(Raw::new("resources/x", "outside"));
    let sentence = "x.fmu: it cannot be unpacked: resources: it is a link";
    faulty(&cage, &archive(&entries), "it is a link", sentence);
    for identifier in ["../../../lib/x", "/lib/x", r"..\x"] {
        let text = description().replace(
            "modelIdentifier=\"BouncingBall\"",
            &format!("modelIdentifier=\"{identifier}\""),
        );
        let sentence =
            format!("x.fmu: its modelIdentifier `{identifier}` is not the name of a file");
        faulty(&cage, &with("modelDescription.xml", text.into_bytes()), "error C014", &sentence);
    }
}

#[test]
fn entries_that_collide_or_cannot_be_read_are_found() {
    let cage = Cage::new();
    let finds = |entries: &[Raw], finding: &str| {
        let [check, ..] = cage.everything_with(&archive(entries));
        assert!(!check.success && check.findings.contains(finding), "{finding}: {check:?}");
    };
    let added = |name: &str| {
        let mut entries = raw();
        entries.push(Raw::new(name, "again"));
        entries
    };
    finds(&added("modelDescription.xml"), "modelDescription.xml: the archive contains it twice");
    finds(&added("modelDescription.xml/x"), "modelDescription.xml is a file");
    finds(&added(""), "it has no name");
    finds(&added("a\0b"), "error D004");
    let first = |change: fn(&mut Raw)| {
        let mut entries = raw();
        change(&mut entries[0]);
        entries
    };
    finds(&first(|e| e.method = 93), "method 93");
    finds(&first(|e| e.flags = 1), "it is encrypted");
    finds(&first(|e| e.checksum ^= 1), "invalid checksum; fix: copy or download the file again");
    finds(&first(|e| e.size += 1), "error D001");
    finds(&first(|e| e.size -= 1), "error D001");
    // A library that cannot be read is not reported as missing.
    let mut entries = raw();
    let library = entries.iter_mut().find(|e| e.name.starts_with(b"binaries/")).unwrap();
    library.checksum ^= 1;
    let [check, ..] = cage.everything_with(&archive(&entries));
    assert!(check.findings.contains("error D001 binaries/"), "{check:?}");
    assert!(!check.findings.contains("D006"), "{check:?}");
    // No rule forbids it, but some systems regard both names as one.
    let [check, ..] = cage.everything_with(&archive(&added("MODELDESCRIPTION.xml")));
    assert!(check.findings.contains("warning D024 MODELDESCRIPTION.xml"), "{check:?}");
}

#[test]
fn an_archive_that_would_fill_the_disk_is_not_unpacked() {
    let cage = Cage::new();
    // A deflated block of 2 MB of zeros.
    let zeros = pack(vec![Entry::new("zeros", vec![0; 2_000_000])]).unwrap();
    let at = 30 + "zeros".len();
    let length = u32::from_le_bytes(zeros[18..22].try_into().unwrap()) as usize;
    let deflated = zeros[at..at + length].to_vec();
    let bomb = |size: u32| {
        let mut entries = raw();
        entries.push(Raw { method: 8, size, ..Raw::new("resources/zeros", deflated.clone()) });
        archive(&entries)
    };
    let sentence = refused(&cage, &bomb(u32::MAX - 1));
    assert!(sentence.starts_with("x.fmu: it is not unpacked: "), "{sentence}");
    let reason = "resources/zeros: file is larger than its declared uncompressed size";
    faulty(&cage, &bomb(9), reason, &format!("x.fmu: it cannot be unpacked: {reason}"));
    // The directory may also list one block many times.
    let many: Vec<Raw> = (0..300)
        .map(|i| Raw { size: 2_000_000, method: 8, ..Raw::new(format!("{i}"), deflated.clone()) })
        .collect();
    let sentence = refused(&cage, &archive(&many));
    assert!(sentence.starts_with("x.fmu: it is not unpacked: "), "{sentence}");
}

#[test]
fn very_many_entries_take_limited_time() {
    let cage = Cage::new();
    let mut entries = raw();
    entries.extend((0..5_000).map(|i| Raw::new(format!("extra/{i}"), "")));
    assert!(cage.everything_with(&archive(&entries)).iter().all(|v| v.success));
}

/// The sentence for the sound FMU with another description, which all commands must refuse.
fn refused_description(cage: &Cage, text: Vec<u8>) -> String {
    refused(cage, &with("modelDescription.xml", text))
}

#[test]
fn a_description_in_another_encoding_is_refused() {
    let (cage, text) = (Cage::new(), description());
    let wide = |to: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to).collect::<Vec<u8>>();
    let latin = text.replace("UTF-8", "ISO-8859-1").replacen("BouncingBall", "B\u{1}ll", 1);
    let latin: Vec<u8> = latin.bytes().map(|b| if b == 1 { 0xe4 } else { b }).collect();
    let marked = [&[0xff, 0xfe][..], &wide(u16::to_le_bytes)].concat();
    for bytes in [latin, marked] {
        let sentence = refused_description(&cage, bytes);
        assert_eq!(sentence, "x.fmu: modelDescription.xml is not UTF-8");
    }
    for bytes in [wide(u16::to_le_bytes), wide(u16::to_be_bytes), Vec::new(), vec![0; 1000]] {
        let sentence = refused_description(&cage, bytes);
        assert!(sentence.starts_with("x.fmu: modelDescription.xml: line 1: "), "{sentence}");
    }
    let marked = format!("\u{feff}{text}").into_bytes();
    let [static_check, _, inspect, run] =
        cage.everything_with(&with("modelDescription.xml", marked));
    assert!(static_check.findings.contains("byte order mark") && static_check.success);
    assert!(
        inspect.success && run.success,
        "the standard does not forbid it, and importers read it"
    );
}

#[test]
fn a_description_cannot_read_files_or_expand_entities() {
    let (cage, text) = (Cage::new(), description());
    let (first, rest) = text.split_once("?>").unwrap();
    let bomb: String = (1..12)
        .map(|i| {
            let inner = format!("&a{};", i - 1).repeat(10);
            format!("<!ENTITY a{i} \"{inner}\">")
        })
        .collect();
    for types in [
        format!("<!DOCTYPE x [<!ENTITY a0 \"boom\">{bomb}]>"),
        "<!DOCTYPE x [<!ENTITY a11 SYSTEM \"file:///etc/passwd\">]>".to_owned(),
    ] {
        let rest = rest.replacen("description=\"", "description=\"&a11; ", 1);
        let sentence = refused_description(&cage, format!("{first}?>{types}{rest}").into_bytes());
        assert!(sentence.ends_with("a document type is not allowed"), "{sentence}");
        let sentence = refused_description(&cage, format!("{first}?>{rest}").into_bytes());
        assert!(sentence.contains("a11"), "{sentence}");
    }
    for (part, control) in [("&#1;", "U+0001"), ("\0", "U+0000"), ("\u{1b}[2J", "U+001B")] {
        let text = text.replacen("description=\"", &format!("description=\"{part}"), 1);
        let sentence = refused_description(&cage, text.into_bytes());
        assert!(sentence.ends_with(&format!("{control} is not allowed")), "{sentence}");
    }
}

#[test]
fn a_description_of_excessive_depth_or_size_is_refused_within_limits() {
    let (cage, text) = (Cage::new(), description());
    let insert = |part: String| text.replacen("</ModelVariables>", &part, 1).into_bytes();
    let sentence = refused_description(&cage, insert("<a>".repeat(100_000)));
    assert!(sentence.ends_with("elements are nested more than 256 levels deep"), "{sentence}");
    let attributes: String = (0..100_000).map(|i| format!(" a{i}=\"\"")).collect();
    let [static_check, ..] = cage.everything_with(&with(
        "modelDescription.xml",
        insert(format!("<Z{attributes}/></ModelVariables>")),
    ));
    assert!(!static_check.success);
    let long = text.replacen(
        "valueReference=\"",
        &format!("valueReference=\"{}", "9".repeat(2_000_000)),
        1,
    );
    let sentence = refused_description(&cage, long.into_bytes());
    assert!(sentence.contains("valueReference=\"999"), "{sentence}");
    let indicators =
        text.replacen("numberOfEventIndicators=\"", "numberOfEventIndicators=\"9999999", 1);
    let sentence = refused_description(&cage, indicators.into_bytes());
    assert!(sentence.contains("numberOfEventIndicators=\"9999999"), "{sentence}");
    let steps = text.replacen("stepSize=\"", "stepSize=\"1e-9\" x=\"", 1);
    cage.write("x.fmu", &with("modelDescription.xml", steps.into_bytes()));
    assert!(cage.run(&["run", "x.fmu"]).sentence.contains("too many steps"));
}

#[test]
fn a_description_of_many_thousand_variables_is_read() {
    let (cage, text) = (Cage::new(), description());
    let variables: String = (0..30_000)
        .map(|i| {
            let attributes = format!("name=\"v{i}\" valueReference=\"{}\"", 10_000 + i);
            format!("<ScalarVariable {attributes}><Real/></ScalarVariable>\n")
        })
        .collect();
    let text = text.replacen("</ModelVariables>", &format!("{variables}</ModelVariables>"), 1);
    let [static_check, check, inspect, run] =
        cage.everything_with(&with("modelDescription.xml", text.into_bytes()));
    assert!(static_check.success && inspect.success && run.success, "{static_check:?} {run:?}");
    // The library does not know these variables.
    assert!(!check.success && check.findings.contains("fmi2GetReal"), "{check:?}");
}

#[test]
fn a_run_that_fails_before_the_first_row_ends_with_a_sentence_and_draws_nothing() {
    let h = "name=\"h\" valueReference=\"3\"";
    let unknown = description().replacen(h, "name=\"h\" valueReference=\"77777\"", 1);
    let folder = tempfile::tempdir().unwrap();
    let bytes = with("modelDescription.xml", unknown.into_bytes());
    fs::write(folder.path().join("x.fmu"), bytes).unwrap();
    for fmu_type in ["--cs", "--me"] {
        let files = ["--output", "x.csv", "--plot", "x.svg"];
        let output = fmu_in(folder.path(), &[&["run", "x.fmu", fmu_type], &files[..]].concat());
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("there is no Real variable with reference 77777"), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    assert!(!folder.path().join("x.svg").exists());
}
