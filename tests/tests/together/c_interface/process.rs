//! Tests that calls do not change the state of the host's process, and that resources can be in any
//! folder.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use coupler_tests::harness::{Instantiation, bits, headers, references_text};
use coupler_tests::runs::{Habit, Run};
use coupler_tests::{Fmu, FmuType, Harness, Instance, Status};

/// The number of calls since `watch 1`, and what they have changed.
fn changes(harness: &Harness) -> (i64, Vec<String>) {
    let answer = harness.call("changed");
    (answer.integer(0), answer.words()[1..].to_vec())
}

/// Calls of all kinds, some of which fail.
fn tour(instance: &Instance, fmu_type: FmuType) {
    let fmu = instance.fmu;
    instance.start(None, fmu.starts());
    let h = 0.01_f64.min(0.005 * fmu.stop_time());
    let references = references_text(&fmu.reals(fmu.signals()));
    match fmu_type {
        FmuType::CoSimulation => {
            let arguments = format!("{} {} 20 {references}", bits(0.0), bits(h));
            instance.call("simulate_cs", &arguments);
        }
        FmuType::ModelExchange => {
            // For some models these steps are too long, which tests the other branch.
            Habit::FmuCheck.integrate(instance, h, 20, &references);
        }
    }
    instance.ok("get_state", "0");
    instance.ok("set_state", "0");
    instance.ok("free_state", "0");
    assert_eq!(instance.call("get_real", "1 4000000000").status(), Status::Error);
    instance.then("reset");
}

// FMI: A004, A021
#[test]
fn no_call_changes_the_state_of_the_process() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        harness.call("watch 1");
        for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
            let with = Instantiation {
                fmu_type: fmu_type as i32,
                logging: true,
                ..Instantiation::of(&fmu)
            };
            let instance = harness.try_instantiate(&fmu, &with).expect("it starts");
            tour(&instance, fmu_type);
            instance.free();
        }
        let (calls, changed) = changes(&harness);
        assert!(calls > 100 && changed.is_empty(), "{}: {calls} calls, {changed:?}", fmu.name());
    }
}

// FMI: A004
#[test]
fn a_rounding_mode_of_the_host_is_kept_and_does_no_lasting_harm() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
            let instance = harness.instantiate(&fmu, fmu_type);
            instance.start(None, fmu.starts());
            let expected = instance.everything();
            instance.then("reset");
            // Rounding upward, rounding towards zero, and flushing of subnormal numbers to zero.
            for mode in 1..=3 {
                harness.call(&format!("compute {mode}"));
                harness.call("watch 1");
                instance.start(None, fmu.starts());
                instance.everything();
                if fmu_type == FmuType::CoSimulation {
                    instance.call("step", &format!("{} {}", bits(0.0), bits(0.01)));
                }
                instance.then("reset");
                let (calls, changed) = changes(&harness);
                let what = format!("{} {fmu_type:?} {mode}: {changed:?}", fmu.name());
                assert!(calls > 5 && changed.is_empty(), "{what}");
                harness.call("watch 0");
                harness.call("compute 0");
                instance.start(None, fmu.starts());
                assert!(instance.everything() == expected, "{what}");
                instance.then("reset");
            }
        }
    }
}

#[test]
fn a_library_that_changes_the_state_of_the_process_is_detected() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let library = folder.path().join("rude.so");
    let compiled = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Werror", "-shared", "-fPIC", "-DFAULT=MANNERS", "-I"])
        .arg(headers())
        .arg(coupler_tests::root().join("tests/faulty/faulty.c"))
        .args(["-lm", "-o"])
        .arg(&library)
        .status();
    assert!(compiled.expect("a C compiler `cc` is needed").success());
    let harness = Harness::load(&library);
    harness.call("watch 1");
    assert_eq!(harness.call("instantiate 0 1 =a ={faulty} - 2 0 0").status(), Status::Ok);
    assert_eq!(changes(&harness), (1, Vec::new()));
    harness.call(&format!("step 0 {} {}", bits(0.0), bits(0.1)));
    let all = ["folder", "locale", "environment", "signals", "floats", "files", "output", "mask"];
    assert_eq!(changes(&harness), (2, all.map(str::to_owned).to_vec()));
}

/// Copies a folder to another name.
fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("it is read").flatten() {
        if entry.path().is_dir() {
            copied(&entry.path(), &to.join(entry.file_name()));
        } else {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("it is copied");
        }
    }
}

// FMI: A017, A019, D012
#[test]
fn resources_are_found_in_folders_of_any_name_in_every_form_of_their_location() {
    let fmu = Fmu::named("TestBench");
    let run = |uri: &str| {
        let harness = Harness::new(&fmu);
        let with = Instantiation { uri: Some(uri), ..Instantiation::of(&fmu) };
        let instance = harness.try_instantiate(&fmu, &with);
        let instance = instance.unwrap_or_else(|| panic!("{uri}: {:?}", harness.log()));
        let run = Run { stop: 2.0, ..Run::of(&fmu, 0.1) };
        instance.start(run.tolerance, run.starts);
        run.steps_of(&instance).rows
    };
    let expected = run(fmu.resources());
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["a b", "100%", "a%20b", "c#d", "ü€", "?x=1", "a+b&c;d", "'\"", "~$"] {
        let resources = folder.path().join(name).join("resources");
        copied(&fmu.resource_folder(), &resources);
        let read_only = fs::Permissions::from_mode(0o555);
        fs::set_permissions(&resources, read_only).expect("it is read-only");
        let uri = fmu_builder::fmu::uri(&resources);
        let path = uri.strip_prefix("file://").expect("a file URI");
        for form in [
            uri.clone(),
            format!("{uri}/"),
            format!("file:{path}"),
            format!("file://localhost{path}"),
            format!("FILE://LOCALHOST{path}"),
        ] {
            assert!(run(&form) == expected, "{form}");
        }
        let writable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&resources, writable).expect("it can be removed");
    }
}

// FMI: A020
#[test]
fn an_fmu_without_resources_needs_no_location() {
    for fmu in Fmu::all().iter().filter(|fmu| !fmu.resource_folder().is_dir()) {
        let harness = Harness::new(fmu);
        let expected = {
            let instance = harness.instantiate(fmu, FmuType::CoSimulation);
            instance.start(None, fmu.starts());
            instance.everything()
        };
        for uri in [None, Some(""), Some("file:///not/there"), Some("http://a/b"), Some("%zz")] {
            let with = Instantiation { uri, ..Instantiation::of(fmu) };
            let instance = harness.try_instantiate(fmu, &with);
            let instance = instance.unwrap_or_else(|| panic!("{}: {uri:?}", fmu.name()));
            instance.start(None, fmu.starts());
            assert!(instance.everything() == expected, "{}: {uri:?}", fmu.name());
            instance.free();
        }
    }
}
