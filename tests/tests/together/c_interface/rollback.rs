//! Tests that saving and restoring an FMU's state changes nothing: later values have the same bits.

use coupler_tests::harness::quote;
use coupler_tests::{Fmu, FmuType, Harness, Instance, Status};
use fmu_builder::model_description::Base;

/// The starts that make the model move, and a parameter that is not at its default value.
fn starts(fmu: &Fmu) -> Vec<(&str, f64)> {
    let candidates = fmu.names(Base::Real, &["parameter"]);
    let parameter = candidates.into_iter().find_map(|name| {
        let v = fmu.variable(name);
        let start = v.start_number()?;
        let value = start * 0.97;
        let possible = v.attributes.min.is_none_or(|min| value >= min);
        let changes = start != 0.0 && !name.starts_with("solver.") && v.variability != "constant";
        (changes && possible).then_some((name, value))
    });
    fmu.starts().iter().copied().chain(parameter).collect()
}

/// Makes communication steps from `from` on; returns all values after each.
fn steps(instance: &Instance, from: usize, count: usize, h: f64) -> Vec<Vec<u64>> {
    let step = |i: usize| {
        instance.step((from + i) as f64 * h, h);
        instance.everything()
    };
    (0..count).map(step).collect()
}

// FMI: A070, A072, B040, C016, canGetAndSetFMUstate
#[test]
fn steps_after_restoring_a_state_have_the_same_bits() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
        instance.start(None, &starts(&fmu));
        // The steps are smaller and larger than those of the integrator, so that states are saved
        // within an integrator step.
        for part in [6e-4, 1e-2] {
            let h = part * fmu.stop_time();
            let last = (1.0 / part) as usize - 12;
            instance.then("reset").start(None, &starts(&fmu));
            let mut done = 0;
            for save in (0..last).step_by((last / 12).max(11)) {
                steps(&instance, done, save - done, h);
                instance.ok("get_state", "0");
                let first = steps(&instance, save, 10, h);
                instance.ok("set_state", "0");
                let second = steps(&instance, save, 10, h);
                assert!(first == second, "{}: after {save} steps of {h} s", fmu.name());
                done = save + 10;
            }
        }
    }
}

// FMI: A074, A075, A076, A080, C015, C016, canSerializeFMUstate
#[test]
fn a_state_serialised_to_a_file_continues_in_another_process() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
        instance.start(None, &starts(&fmu));
        let h = 0.007 * (0.1 * fmu.stop_time()).max(1.0);
        let half = (fmu.stop_time() / h / 2.0) as usize;
        steps(&instance, 0, half, h);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = quote(folder.path().join("state").to_str());
        instance.ok("get_state", "0");
        instance.ok("serialize", &format!("0 {file}"));
        let here = steps(&instance, half, 40, h);

        let other_process = Harness::new(&fmu);
        let other = other_process.instantiate(&fmu, FmuType::CoSimulation);
        other.ok("deserialize", &format!("3 {file}"));
        other.ok("set_state", "3");
        let there = steps(&other, half, 40, h);
        assert!(here == there, "{}", fmu.name());
    }
}

/// The modes in which a state can be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mode {
    Instantiated,
    Initialization,
    /// Event Mode, or between two communication steps.
    Initialized,
    ContinuousTime,
    Terminated,
}

/// Brings a new instance into a mode.
fn reach(instance: &Instance, fmu_type: FmuType, mode: Mode, starts: &[(&str, f64)]) {
    instance.setup(None, 0.0, None);
    starts.iter().for_each(|(name, value)| instance.set(name, *value));
    if mode >= Mode::Initialization {
        instance.then("enter_initialization");
    }
    if mode >= Mode::Initialized {
        instance.then("exit_initialization");
    }
    if mode >= Mode::ContinuousTime && fmu_type == FmuType::ModelExchange {
        instance.iterate_events();
        instance.then("enter_continuous");
    }
    if mode == Mode::Terminated {
        instance.then("terminate");
    }
}

/// Continues from a mode for a while; returns all values on the way.
fn continuation(instance: &Instance, fmu_type: FmuType, mode: Mode) -> Vec<Vec<u64>> {
    let mut seen = Vec::new();
    if mode == Mode::Instantiated {
        instance.then("enter_initialization");
    }
    if mode <= Mode::Initialization {
        seen.push(instance.everything());
        instance.then("exit_initialization");
    }
    if mode == Mode::Terminated {
        seen.push(instance.everything());
    } else if fmu_type == FmuType::CoSimulation {
        seen.extend(steps(instance, 0, 5, 0.02));
    } else {
        if mode <= Mode::Initialized {
            instance.iterate_events();
            seen.push(instance.everything());
            instance.then("enter_continuous");
        }
        let n = instance.fmu.states().len();
        let mut x = instance.vector("get_states", n);
        for i in 1..20 {
            instance.set_time(f64::from(i) * 1e-3);
            instance.set_states(&x);
            let derivatives = instance.vector("get_derivatives", n);
            // The change is limited, because this method is not stable for stiff equations.
            let change =
                |x: f64, d: f64| (1e-3 * d).clamp(-0.1 - 0.1 * x.abs(), 0.1 + 0.1 * x.abs());
            x.iter_mut().zip(&derivatives).for_each(|(x, d)| *x += change(*x, *d));
            instance.ok("completed", "");
            seen.push(instance.everything());
        }
    }
    seen
}

// FMI: A071, A079
#[test]
fn a_state_saved_in_any_mode_restores_that_mode_in_any_process() {
    use Mode::{ContinuousTime, Initialization, Initialized, Instantiated, Terminated};
    let modes = [
        (FmuType::ModelExchange, Instantiated),
        (FmuType::ModelExchange, Initialization),
        (FmuType::ModelExchange, Initialized),
        (FmuType::ModelExchange, ContinuousTime),
        (FmuType::ModelExchange, Terminated),
        (FmuType::CoSimulation, Instantiated),
        (FmuType::CoSimulation, Initialization),
        (FmuType::CoSimulation, Initialized),
        (FmuType::CoSimulation, Terminated),
    ];
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = quote(folder.path().join("state").to_str());
    for fmu in Fmu::all() {
        for (fmu_type, mode) in modes {
            let harness = Harness::new(&fmu);
            let instance = harness.instantiate(&fmu, fmu_type);
            reach(&instance, fmu_type, mode, &starts(&fmu));
            instance.ok("get_state", "0");
            instance.ok("serialize", &format!("0 {file}"));
            let first = continuation(&instance, fmu_type, mode);
            instance.ok("set_state", "0");
            let second = continuation(&instance, fmu_type, mode);
            assert!(first == second, "{}: {fmu_type:?} {mode:?}", fmu.name());

            let other_process = Harness::new(&fmu);
            let other = other_process.instantiate(&fmu, fmu_type);
            other.ok("deserialize", &format!("0 {file}"));
            other.ok("set_state", "0");
            let third = continuation(&other, fmu_type, mode);
            assert!(first == third, "{}: {fmu_type:?} {mode:?}, new process", fmu.name());
        }
    }
}

// FMI: A077
#[test]
fn a_state_that_is_damaged_or_foreign_is_refused_and_harms_nothing() {
    let all = Fmu::all();
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (i, fmu) in all.iter().enumerate() {
        let harness = Harness::new(fmu);
        let instance = harness.instantiate(fmu, FmuType::CoSimulation);
        instance.start(None, fmu.starts()).step(0.0, 0.01);
        let path = folder.path().join(format!("{i}"));
        instance.ok("get_state", "0");
        instance.ok("serialize", &format!("0 {}", quote(path.to_str())));
        let good = std::fs::read(&path).expect("the state was written");
        let mut damaged = vec![Vec::new(), good[..good.len() - 1].to_vec(), vec![7; good.len()]];
        for place in [0, 9, good.len() / 2, good.len() - 1] {
            damaged.push(good.clone());
            damaged.last_mut().expect("one")[place] ^= 0x10;
        }
        damaged.push([good.as_slice(), &[0]].concat());
        if i > 0 {
            damaged.push(std::fs::read(folder.path().join(format!("{}", i - 1))).expect("a state"));
        }
        for bytes in damaged {
            let path = folder.path().join("damaged");
            std::fs::write(&path, bytes).expect("a damaged state");
            let victim = harness.instantiate(fmu, FmuType::CoSimulation);
            let answer = victim.call("deserialize", &format!("1 {}", quote(path.to_str())));
            assert_eq!(answer.status(), Status::Error, "{}", fmu.name());
            victim.then("reset").start(None, fmu.starts()).step(0.0, 0.01);
            assert!(victim.everything() == instance.everything(), "{}", fmu.name());
            victim.free();
        }
    }
}

// FMI: A073
#[test]
fn a_freed_state_is_null_and_freeing_null_has_no_effect() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
        instance.start(None, &[]);
        instance.ok("get_state", "0");
        instance.ok("get_state", "0");
        assert_eq!(instance.ok("free_state", "0").integer(0), 1, "{}", fmu.name());
        assert_eq!(instance.ok("free_state", "0").integer(0), 1, "{}", fmu.name());
    }
}
