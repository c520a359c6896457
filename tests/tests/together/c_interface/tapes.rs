//! Tests that an FMU with a tape and a compiled FMU of the same model behave in the same way.

use coupler_tests::harness::{Instantiation, quote, references_text};
use coupler_tests::runs::{Habit, Run};
use coupler_tests::{Fmu, FmuType, Harness};
use fmu_builder::model_description::Base;
use std::fs;
use std::path::Path;

/// The FMUs with tapes, each with the compiled FMU of the same model.
fn pairs() -> Vec<[Fmu; 2]> {
    let with_compiled = |tape: Fmu| [Fmu::named(tape.name()), tape];
    let pairs: Vec<[Fmu; 2]> = Fmu::interpreted().into_iter().map(with_compiled).collect();
    assert!(pairs.len() >= 6, "clutches, losses, tables, loops, impacts are played");
    pairs
}

/// A file in the archive of an FMU.
fn file(fmu: &Fmu, name: &str) -> Vec<u8> {
    let archive = fs::File::open(&fmu.path).expect("the FMU opens");
    let mut archive = zip::ZipArchive::new(archive).expect("an archive");
    let mut entry = archive.by_name(name).unwrap_or_else(|_| panic!("{name} is in the FMU"));
    let mut bytes = Vec::new();
    std::io::copy(&mut entry, &mut bytes).expect("the file unpacks");
    bytes
}

#[test]
fn both_have_the_same_description_and_another_library() {
    for [compiled, tape] in pairs() {
        let description = "modelDescription.xml";
        assert!(file(&compiled, description) == file(&tape, description), "{}", tape.name());
        let library = format!("binaries/linux64/{}.so", tape.name());
        assert!(file(&compiled, &library) != file(&tape, &library), "{}", tape.name());
        file(&tape, &format!("resources/{}.tape", tape.name()));
    }
}

#[test]
fn both_compute_the_same_bits_and_log_the_same_messages() {
    for fmus in pairs() {
        let [ours, theirs] = fmus.each_ref().map(|fmu| {
            let h = fmu.stop_time() / 300.0;
            let run = Run { tolerance: Some(1e-6), starts: fmu.starts(), ..Run::of(fmu, h) };
            let steps = run.co_simulation(fmu).rows;
            let (integrated, events) = run.imitating(fmu, Habit::OpenModelica);
            let bits = |rows: Vec<Vec<f64>>| -> Vec<u64> {
                rows.concat().iter().map(|v| v.to_bits()).collect()
            };
            let [steps, integrated] = [steps, integrated.rows].map(bits);
            let harness = Harness::new(fmu);
            let with = Instantiation { logging: true, ..Instantiation::of(fmu) };
            let instance = harness.try_instantiate(fmu, &with).expect("an instance");
            instance.start(Some(1e-6), fmu.starts());
            let mut outputs = fmu.names(Base::Real, &["output"]);
            outputs.retain(|name| fmu.variable(name).variability == "continuous");
            let outputs = fmu.reals(outputs);
            let orders = vec!["2"; outputs.len()].join(" ");
            let second = format!("{} {orders}", references_text(&outputs));
            let bends = (0..10).map(|i| {
                instance.step(f64::from(i) * h, h);
                instance.ok("get_output_derivatives", &second).reals(0)
            });
            let bends = bits(bends.collect());
            let message: Vec<String> = harness.log().into_iter().map(|m| m.text).collect();
            (steps, integrated, events, bends, message)
        });
        assert!(ours == theirs, "{}", fmus[0].name());
    }
}

/// The values that follow a state which is restored from a file.
fn continued(fmu: &Fmu, state: &Path, h: f64) -> Vec<Vec<u64>> {
    let harness = Harness::new(fmu);
    let instance = harness.instantiate(fmu, FmuType::CoSimulation);
    instance.ok("deserialize", &format!("0 {}", quote(state.to_str())));
    instance.ok("set_state", "0");
    let step = |i: i32| {
        instance.step(f64::from(i) * h, h);
        instance.everything()
    };
    (7..15).map(step).collect()
}

#[test]
fn each_continues_from_the_state_of_the_other() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for fmus in pairs() {
        let h = fmus[0].stop_time() / 100.0;
        let states = fmus.each_ref().map(|fmu| {
            let harness = Harness::new(fmu);
            let instance = harness.instantiate(fmu, FmuType::CoSimulation);
            instance.start(None, fmu.starts());
            (0..7).for_each(|i| instance.step(f64::from(i) * h, h));
            let path = folder.path().join("state");
            instance.ok("get_state", "0");
            instance.ok("serialize", &format!("0 {}", quote(path.to_str())));
            fs::read(&path).expect("the state was written")
        });
        let [ours, theirs] = &states;
        assert!(ours == theirs, "{}: {} and {} bytes", fmus[0].name(), ours.len(), theirs.len());
        let path = folder.path().join("state");
        assert!(continued(&fmus[0], &path, h) == continued(&fmus[1], &path, h));
    }
}
