//! Tests that nothing grows or drifts with many instances, resets, libraries, threads and hours.

use coupler_tests::harness::{bits, quote, references_text};
use coupler_tests::{Fmu, FmuType, Harness, Status};

/// The numbers of bytes in use on the heap, of resident bytes, of open files and of threads.
fn resources(harness: &Harness) -> [i64; 4] {
    harness.log();
    let answer = harness.call("resources");
    [0, 1, 2, 3].map(|i| answer.integer(i))
}

/// Some FMUs of different kinds that start quickly.
const QUICK: [&str; 4] = ["SpringDamper", "BouncingBall", "TestBench", "FourBarLoop"];

/// Makes and frees instances, and resets one, `count` times; returns the resources of the process
/// before and after.
fn cycles(fmu: &Fmu, count: usize) -> [[i64; 4]; 2] {
    let harness = Harness::new(fmu);
    let (guid, uri) = (quote(Some(&fmu.description.guid)), quote(Some(fmu.resources())));
    let instance = harness.instantiate(fmu, FmuType::CoSimulation);
    let make = |count: usize| {
        for fmu_type in [0, 1] {
            let made = harness.call(&format!("cycles {fmu_type} {guid} {uri} {count}"));
            assert_eq!(made.status(), Status::Ok, "{}: {:?}", fmu.name(), harness.log());
        }
        instance.ok("resets", &count.to_string());
    };
    // Memory that the C library allocates once exists after the first few.
    make(20);
    let before = resources(&harness);
    make(count);
    [before, resources(&harness)]
}

fn assert_flat(fmu: &Fmu, [before, after]: [[i64; 4]; 2]) {
    let name = fmu.name();
    assert_eq!(before[0], after[0], "{name}: bytes on the heap");
    assert!(after[1] - before[1] <= 256 << 10, "{name}: resident {} and {}", before[1], after[1]);
    assert_eq!(before[2..], after[2..], "{name}: files and threads");
}

// FMI: A029, A048
#[test]
fn ten_thousand_instances_and_resets_leave_the_memory_as_it_was() {
    for fmu in QUICK.map(Fmu::named) {
        assert_flat(&fmu, cycles(&fmu, 10_000));
    }
}

// FMI: A029, A030, A048
#[test]
fn instances_and_resets_of_every_fmu_leave_the_memory_as_it_was() {
    for fmu in Fmu::all() {
        assert_flat(&fmu, cycles(&fmu, 60));
    }
}

// FMI: A007
#[test]
fn a_library_loaded_a_hundred_times_leaves_no_memory_file_or_thread() {
    for fmu in QUICK.map(Fmu::named) {
        let harness = Harness::new(&fmu);
        let load = format!("load {}", fmu.library().display());
        let again = |count: usize| {
            for _ in 0..count {
                let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
                instance.start(None, fmu.starts()).step(0.0, 0.01);
                instance.ok("get_state", "0");
                instance.free();
                assert_eq!(harness.call("unload").status(), Status::Ok);
                assert_eq!(harness.call(&load).status(), Status::Ok);
            }
            resources(&harness)
        };
        let before = again(10);
        let after = again(100);
        let name = fmu.name();
        // The harness allocates the name of each instance.
        assert!(after[0] - before[0] <= 100 * 64, "{name}: heap {before:?} {after:?}");
        assert!(after[1] - before[1] <= 256 << 10, "{name}: resident {before:?} {after:?}");
        assert_eq!(before[2..], after[2..], "{name}: files and threads");
    }
}

// FMI: A005, A023
#[test]
fn sixty_four_instances_that_change_threads_after_every_step_give_the_bits_of_one() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let (guid, uri) = (quote(Some(&fmu.description.guid)), quote(Some(fmu.resources())));
        let references = references_text(&fmu.reals(fmu.signals()));
        let h = bits(0.01);
        let moved = format!("moved 8 64 {guid} {uri} {h} 20 {references}");
        assert_eq!(harness.call(&moved).integer(0), 0, "{}", fmu.name());
    }
}

/// Size of a thread's stack in bytes: a quarter of the 128 KiB of musl, which is the smallest usual
/// size.
const STACK: usize = 32 << 10;

#[test]
fn a_thread_with_a_small_stack_is_enough() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let (guid, uri) = (quote(Some(&fmu.description.guid)), quote(Some(fmu.resources())));
        let references = references_text(&fmu.reals(fmu.signals()));
        for fmu_type in [0, 1] {
            let life = format!("on_a_stack {STACK} {fmu_type} {guid} {uri} {references}");
            assert_eq!(harness.call(&life).status(), Status::Ok, "{} {fmu_type}", fmu.name());
        }
    }
}

// FMI: A091, B041
#[test]
fn after_hours_time_is_exact_and_steps_of_any_length_agree() {
    for name in ["SpringDamper", "TorqueSource", "DirectInertia"] {
        let fmu = Fmu::named(name);
        let references = fmu.reals(fmu.signals());
        let end = |h: f64, steps: usize| {
            let harness = Harness::new(&fmu);
            let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
            instance.start(Some(1e-8), fmu.starts());
            let arguments = format!("{} {} {steps} 0", bits(0.0), bits(h));
            instance.ok("simulate_cs", &arguments);
            let status = instance.ok("status", "");
            let time = f64::from_bits(u64::from_str_radix(&status.words()[5], 16).expect("bits"));
            assert_eq!(time, steps as f64 * h, "{name}: steps of {h} s");
            instance.reals(&references)
        };
        let many = end(0.125, 86_400);
        let few = end(36.0, 300);
        for (i, (a, b)) in many.iter().zip(&few).enumerate() {
            let apart = (a - b).abs() / a.abs().max(1.0);
            assert!(apart < 1e-5, "{name}: signal {i} after three hours: {a} and {b}");
        }
    }
}
