//! Which files are played, and the messages about the others.

use crate::importer::Fmu;
use crate::models;
use fmu_runtime::fmi2::*;
use player::Player;
use program::{Info, Program, checksum};
use std::ffi::CString;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// The URI of a folder.
pub fn uri(folder: &Path) -> CString {
    CString::new(format!("file://{}", folder.display())).expect("no NUL")
}

/// A folder of resources with these files.
pub fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        fs::write(folder.path().join(name), content).expect("a file");
    }
    folder
}

/// An instance of the model that the player finds; its component may be null.
pub fn instance(location: Option<&CString>, fmu_type: fmi2Type, guid: &str) -> Fmu {
    let location = location.map(CString::as_c_str);
    Fmu::instantiate::<Player>(Some(c"a"), fmu_type, Some(guid), location, false)
}

/// The message when no instance is made.
fn refusal(location: Option<&CString>, guid: &str) -> String {
    let fmu = instance(location, fmi2CoSimulation, guid);
    assert!(fmu.c.is_null());
    let messages = fmu.messages();
    let [message] = &messages[..] else { panic!("one message, not {messages:?}") };
    assert_eq!((message.status, &*message.category), (fmi2Error, "logStatusError"));
    message.text.clone()
}

#[test]
fn the_same_program_gives_the_same_bytes_and_comes_back() {
    for program in [models::clutches(), models::fourbar(), models::impacts(), models::unusual()] {
        let bytes = program.to_bytes();
        let back = Program::from_bytes(&bytes).expect("a program");
        assert_eq!(back.tape, program.tape);
        assert_eq!(back.modes_at_start, program.modes_at_start);
        assert_eq!(format!("{:?}", back.info), format!("{:?}", program.info));
        assert_eq!(back.to_bytes(), bytes);
    }
}

#[test]
fn a_program_is_read_once_and_played_in_both_fmu_types() {
    let program = models::clutches();
    let folder = folder(&[("CoupledClutches.tape", &program.to_bytes()), ("other.txt", b"")]);
    let location = uri(folder.path());
    let first = instance(Some(&location), fmi2CoSimulation, program.info.guid);
    let second = instance(Some(&location), fmi2CoSimulation, program.info.guid);
    let exchange = instance(Some(&location), fmi2ModelExchange, program.info.guid);
    let end = |fmu: &Fmu| {
        fmu.initialize(0.0, &[]);
        fmu.steps(0.0, 0.01, 150);
        (0..20).map(|i| fmu.real(i).to_bits()).collect::<Vec<u64>>()
    };
    assert_eq!(end(&first), end(&second));
    exchange.initialize(0.0, &[]);
    exchange.iterate_events();
    assert_eq!(exchange.enter_continuous_time_mode(), fmi2OK);
    assert_eq!(exchange.derivatives(program.info.states.len()).0, fmi2OK);
}

#[test]
fn tables_are_read_from_files_beside_the_tape() {
    let program = models::bench();
    let read = |name: &str| fs::read(Path::new(models::BENCH).join(name)).expect("a table");
    let (tape, cycle, fan) = (program.to_bytes(), read("cycle.csv"), read("fan.csv"));
    let folder = folder(&[("TestBench.tape", &tape), ("cycle.csv", &cycle), ("fan.csv", &fan)]);
    let location = uri(folder.path());
    let fmu = instance(Some(&location), fmi2CoSimulation, program.info.guid);
    fmu.initialize(0.0, &[]);
    fmu.steps(0.0, 0.1, 20);
    fs::remove_file(folder.path().join("fan.csv")).expect("the file is there");
    let answer = refusal(Some(&location), program.info.guid);
    assert!(answer.starts_with("TestBench: fan") && answer.contains("fan.csv: "), "{answer}");
}

#[test]
fn a_state_of_another_program_with_the_same_guid_is_refused() {
    let (small, large) = (models::gear(), models::clutches());
    let info = Box::leak(Box::new(Info { guid: small.info.guid, ..*large.info }));
    let large = Program { info, ..large };
    let folders = [&small, &large].map(|program| folder(&[("a.tape", &program.to_bytes())]));
    let [small, large] = folders
        .each_ref()
        .map(|folder| instance(Some(&uri(folder.path())), fmi2CoSimulation, small.info.guid));
    let mut state = small.get_state();
    assert_eq!(large.set_state(state), fmi2Error);
    assert_eq!(small.set_state(state), fmi2OK);
    assert_eq!(small.free_state(&mut state), fmi2OK);
}

#[test]
fn hosts_in_the_same_process_have_a_table_of_the_functions() {
    let program = models::ball();
    let folder = folder(&[("RestingBall.tape", &program.to_bytes())]);
    let location = uri(folder.path());
    let guid = CString::new(program.info.guid).expect("no NUL");
    let callbacks = fmi2CallbackFunctions {
        logger: None,
        allocateMemory: None,
        freeMemory: None,
        stepFinished: None,
        componentEnvironment: std::ptr::null_mut(),
    };
    let functions = player::functions();
    #[allow(unsafe_code, reason = "it calls the C interface")]
    unsafe {
        let c = (functions.fmi2Instantiate)(
            c"a".as_ptr(),
            fmi2CoSimulation,
            guid.as_ptr(),
            location.as_ptr(),
            &callbacks,
            fmi2False,
            fmi2False,
        );
        assert!(!c.is_null());
        assert_eq!((functions.fmi2SetupExperiment)(c, 0, 0.0, 0.0, 0, 0.0), fmi2OK);
        assert_eq!((functions.fmi2EnterInitializationMode)(c), fmi2OK);
        assert_eq!((functions.fmi2ExitInitializationMode)(c), fmi2OK);
        assert_eq!((functions.fmi2DoStep)(c, 0.0, 0.1, fmi2True), fmi2OK);
        (functions.fmi2FreeInstance)(c);
    }
}

#[test]
fn a_folder_without_exactly_one_tape_is_refused_by_name() {
    let missing = "a tape is needed, but the resource location is missing";
    assert_eq!(refusal(None, "{g}"), missing);
    let web = CString::new("http://a.b/resources").expect("no NUL");
    let answer = refusal(Some(&web), "{g}");
    assert_eq!(answer, "the resource location http://a.b/resources is not a file URI");

    let empty = folder(&[("a.txt", b"")]);
    let at = empty.path().display();
    fs::create_dir(empty.path().join("folder.tape")).expect("a folder");
    assert_eq!(refusal(Some(&uri(empty.path())), "{g}"), format!("{at}: there is no file *.tape"));
    let nowhere = empty.path().join("nowhere");
    let answer = refusal(Some(&uri(&nowhere)), "{g}");
    assert!(answer.starts_with(&format!("{}: ", nowhere.display())), "{answer}");

    let two = folder(&[("b.tape", b""), ("a.tape", b"")]);
    let expected = format!("{}: there are several tapes, a.tape and b.tape", two.path().display());
    assert_eq!(refusal(Some(&uri(two.path())), "{g}"), expected);
}

#[test]
fn a_file_that_is_too_long_is_not_read() {
    let folder = folder(&[("a.tape", b"")]);
    let place = folder.path().join("a.tape");
    let file = fs::File::options().write(true).open(&place).expect("the file is there");
    file.set_len(1 << 40).expect("a file with a hole");
    let answer = refusal(Some(&uri(folder.path())), "{g}");
    let why = "it has 1099511627776 bytes, but at most 33554432 are read";
    assert_eq!(answer, format!("{}: {why}", place.display()));
}

#[test]
fn a_tape_of_another_model_is_refused_by_its_guid() {
    let program = models::ball();
    let folder = folder(&[("Ball.tape", &program.to_bytes())]);
    let place = folder.path().join("Ball.tape");
    let expected = format!(
        "{}: the GUID is {}, but {{other}} was asked for",
        place.display(),
        program.info.guid
    );
    assert_eq!(refusal(Some(&uri(folder.path())), "{other}"), expected);
}

/// The message about a content.
fn sentence(bytes: &[u8]) -> String {
    Program::from_bytes(bytes).expect_err("it is refused").to_string()
}

/// A file with another content and its checksum.
fn with_content(bytes: &[u8], content: &[u8]) -> Vec<u8> {
    let mut new = bytes[..25].to_vec();
    new.extend(checksum(content));
    new.extend((content.len() as u64).to_le_bytes());
    new.extend(content);
    new
}

#[test]
fn a_faulty_file_is_refused_in_a_sentence() {
    let bytes = models::ball().to_bytes();
    let n = bytes.len();
    let content = &bytes[65..];
    assert_eq!(sentence(b""), "it is not the tape of a model");
    assert_eq!(sentence(&bytes[1..]), "it is not the tape of a model");
    let mut other = bytes.clone();
    other[21] = 9;
    assert_eq!(sentence(&other), "it has version 9 of the format, but 5 can be read");
    let shorter = format!("it has {} bytes, not the {n} that it should have", n - 1);
    assert_eq!(sentence(&bytes[..n - 1]), shorter);
    let longer = format!("it has {} bytes, not the {n} that it should have", n + 1);
    assert_eq!(sentence(&[&bytes[..], b"x"].concat()), longer);
    assert_eq!(sentence(&bytes[..40]), "it has 40 bytes, not the 65 that it should have");
    let mut other = bytes.clone();
    other[n / 2] ^= 1;
    assert_eq!(sentence(&other), "it is damaged: its checksum is wrong");
    let answer = sentence(&with_content(&bytes, &[content, b"abc"].concat()));
    assert_eq!(answer, "its content cannot be read: 3 bytes are left over");
    let answer = sentence(&with_content(&bytes, &content[..content.len() - 1]));
    assert!(answer.starts_with("its content cannot be read: "), "{answer}");
    let long = vec![0; program::MAX_FILE as usize + 1];
    let answer = sentence(&long);
    assert_eq!(answer, "it has 33554433 bytes, but at most 33554432 are read");
}

#[test]
fn a_damaged_file_is_refused_by_its_name_again_and_again() {
    let program = models::ball();
    let mut bytes = program.to_bytes();
    let last = bytes.len() - 1;
    bytes[last] ^= 4;
    let folder = folder(&[("Ball.tape", &bytes)]);
    let place = folder.path().join("Ball.tape");
    let expected = format!("{}: it is damaged: its checksum is wrong", place.display());
    for _ in 0..3 {
        assert_eq!(refusal(Some(&uri(folder.path())), program.info.guid), expected);
    }
}
