//! Tests of tables in files: they are read from the folder that the importer names, can be
//! replaced, and are refused by name.

use std::fs;

use coupler_tests::harness::{FmuType, Instantiation, Message};
use coupler_tests::runs::Run;
use coupler_tests::{Fmu, Harness};

/// Asserts that no instance is made; returns the logged message.
fn refusal(fmu: &Fmu, uri: Option<&str>) -> Message {
    let harness = Harness::new(fmu);
    for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
        let with = Instantiation { fmu_type: fmu_type as i32, uri, ..Instantiation::of(fmu) };
        assert!(harness.try_instantiate(fmu, &with).is_none(), "{uri:?} is accepted");
        let mut log = harness.log();
        assert_eq!(log.len(), 1, "one sentence: {log:?}");
        let message = log.remove(0);
        assert_eq!((message.status, message.category.as_str()), (3, "logStatusError"));
        if fmu_type == FmuType::CoSimulation {
            return message;
        }
    }
    unreachable!("both FMU types were tried")
}

/// The reference speed at ascending instants, in Co-Simulation.
fn wanted(fmu: &Fmu, instants: &[f64]) -> Vec<f64> {
    let harness = Harness::new(fmu);
    let instance = harness.instantiate(fmu, FmuType::CoSimulation);
    instance.start(None, &[]);
    let mut t = 0.0;
    let values = instants.iter().map(|&next| {
        instance.step(t, next - t);
        t = next;
        instance.get("w_wanted")
    });
    values.collect()
}

// FMI: A019, D012
#[test]
fn an_instance_follows_the_file_in_its_folder() {
    let fmu = Fmu::open(&Fmu::named("TestBench").path);
    assert_eq!(wanted(&fmu, &[0.5, 1.0, 2.4, 2.5, 6.0, 20.0]), [10.0, 20.0, 20.0, 60.0, 37.5, 0.0]);
    // The file has another number of rows, other line ends, and no header.
    let file = fmu.resource_folder().join("cycle.csv");
    fs::write(file, "0,5\r\n2,7\r\n2,-1\r\n").expect("it is written");
    assert_eq!(wanted(&fmu, &[1.0, 2.0, 3.0]), [6.0, -1.0, -1.0]);
}

// FMI: D013
#[test]
fn resources_may_be_gone_once_there_is_an_instance() {
    let run_of = |fmu: &Fmu, kept: bool| {
        let harness = Harness::new(fmu);
        let instance = harness.instantiate(fmu, FmuType::CoSimulation);
        let run = Run { stop: 6.0, ..Run::of(fmu, 0.1) };
        if !kept {
            fs::remove_dir_all(fmu.resource_folder()).expect("it was there");
        }
        instance.start(run.tolerance, run.starts);
        let first = run.steps_of(&instance).rows;
        instance.then("reset").start(run.tolerance, run.starts);
        assert!(run.steps_of(&instance).rows == first, "{}: after fmi2Reset", fmu.name());
        first
    };
    let [compiled, tapes] = [Fmu::compiled(), Fmu::interpreted()];
    let with_resources = compiled.into_iter().chain(tapes).filter(|f| f.resource_folder().is_dir());
    let mut tried = 0;
    for fmu in with_resources {
        let gone = run_of(&Fmu::open(&fmu.path), false);
        assert!(run_of(&fmu, true) == gone, "{}", fmu.name());
        tried += 1;
    }
    assert!(tried >= 2, "only {tried} FMUs have resources");
}

// FMI: A012
#[test]
fn a_file_that_does_not_fit_is_refused_with_name_line_and_value() {
    let fmu = Fmu::open(&Fmu::named("TestBench").path);
    let file = fmu.resource_folder().join("cycle.csv");
    for (text, reason) in [
        ("time,w\n0,1\n1,fast\n", "line 3: \"fast\" is not a number"),
        ("0,1,2\n", "line 1: it has 3 values, not 2"),
        ("0,1\n2,1\n1,1\n", "line 3: 1 must not be below 2 in the row above"),
        ("time,w\n", "there are no rows"),
    ] {
        fs::write(&file, text).expect("it is written");
        let message = refusal(&fmu, Some(fmu.resources()));
        let expected = format!("TestBench: cycle: {}: {reason}", file.display());
        assert_eq!(message.text.trim_end(), expected);
    }
    fs::remove_file(&file).expect("it was there");
    let message = refusal(&fmu, Some(fmu.resources()));
    assert!(message.text.contains("cycle.csv: No such file"), "{message:?}");
}

// FMI: A019
#[test]
fn a_location_that_is_no_folder_is_refused_by_name() {
    let fmu = Fmu::named("TestBench");
    let missing = "TestBench: cycle: cycle.csv is needed, but the resource location is missing";
    assert_eq!(refusal(&fmu, None).text.trim_end(), missing);
    let http = "TestBench: cycle: the resource location http://a/b is not a file URI";
    assert_eq!(refusal(&fmu, Some("http://a/b")).text.trim_end(), http);
    let other = fmu.resources().replacen("file://", "file://localhost", 1);
    let harness = Harness::new(&fmu);
    let with = Instantiation { uri: Some(&other), ..Instantiation::of(&fmu) };
    assert!(harness.try_instantiate(&fmu, &with).is_some(), "{other}");
}

// FMI: B017, B018
#[test]
fn every_row_of_a_table_is_a_time_event_of_model_exchange() {
    let fmu = Fmu::named("TestBench");
    let harness = Harness::new(&fmu);
    let instance = harness.instantiate(&fmu, FmuType::ModelExchange);
    instance.start(None, &[]);
    let mut events = Vec::new();
    while let Some(next) = instance.iterate_events() {
        events.push(next);
        instance.then("enter_continuous");
        instance.set_time(next);
        instance.then("enter_event");
    }
    assert_eq!(events, [1.0, 2.5, 5.0, 7.0, 9.5, 11.0]);
}
