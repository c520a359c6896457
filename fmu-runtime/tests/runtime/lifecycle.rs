//! Tests of instantiation, experiment, initialization, reset, and the end of an instance.

use crate::importer::Fmu;
use crate::systems::*;
use fmu_runtime::equations::{LoadedModel, ModelLoader};
use fmu_runtime::fmi2::*;
use fmu_runtime::system::System;
use std::ffi::CStr;

fn created(name: Option<&std::ffi::CStr>, fmu_type: fmi2Type, guid: Option<&str>) -> bool {
    let fmu = Fmu::try_new::<Ball>(name, fmu_type, guid, false);
    assert_eq!(fmu.c.is_null(), fmu.messages().len() == 1, "a refusal is explained");
    !fmu.c.is_null()
}

// FMI: A012, A013, A014, A015
#[test]
fn instances_need_a_name_a_known_type_and_the_guid() {
    let guid = Some(Ball::INFO.guid);
    assert!(created(Some(c"a"), fmi2ModelExchange, guid));
    assert!(created(Some(c"b"), fmi2CoSimulation, guid));
    assert!(!created(None, fmi2CoSimulation, guid));
    assert!(!created(Some(c""), fmi2CoSimulation, guid));
    assert!(!created(Some(c" \t\n"), fmi2CoSimulation, guid));
    assert!(!created(Some(c"a"), 7, guid));
    assert!(!created(Some(c"a"), fmi2CoSimulation, None));
    assert!(!created(Some(c"a"), fmi2CoSimulation, Some("")));
    assert!(!created(Some(c"a"), fmi2CoSimulation, Some("ball")));
    assert!(!created(Some(c"a"), fmi2CoSimulation, Some("{Ball}")));
}

/// A library that panics while it searches for its model.
struct Hasty;

impl ModelLoader for Hasty {
    fn model(_: Option<&CStr>) -> Result<LoadedModel, String> {
        panic!("the author's mistake")
    }
}

#[test]
fn a_panic_while_an_instance_is_made_is_explained() {
    let fmu = Fmu::instantiate::<Hasty>(Some(c"a"), fmi2CoSimulation, None, None, false);
    assert!(fmu.c.is_null());
    let messages = fmu.messages();
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0].status, fmi2Fatal);
    assert_eq!(messages[0].text, "fmi2Instantiate: internal fault: the author's mistake");
}

// FMI: A016, A026, canNotUseMemoryManagementFunctions
#[test]
fn missing_callbacks_are_tolerated() {
    #![allow(unsafe_code, reason = "it calls the C interface")]
    use fmu_runtime::abi;
    use std::ptr::{null, null_mut};
    let silent = fmi2CallbackFunctions {
        logger: None,
        allocateMemory: None,
        freeMemory: None,
        stepFinished: None,
        componentEnvironment: null_mut(),
    };
    unsafe {
        let create = |functions| {
            let (name, guid) = (c"a".as_ptr(), c"{ball}".as_ptr());
            abi::fmi2Instantiate::<Ball>(name, fmi2CoSimulation, guid, null(), functions, 0, 1)
        };
        assert!(create(null()).is_null());
        let c = create(&silent);
        assert!(!c.is_null());
        assert_eq!(abi::fmi2DoStep(c, 0.0, 0.1, 1), fmi2Error);
        abi::fmi2FreeInstance(c);
        abi::fmi2FreeInstance(null_mut());
        assert_eq!(abi::fmi2Reset(null_mut()), fmi2Error);
    }
}

// FMI: A024
#[test]
fn start_values_are_readable_before_initialization() {
    let fmu = Fmu::cs::<Oscillator>();
    assert_eq!(fmu.real(Oscillator::X), 1.0);
    assert_eq!(fmu.real(Oscillator::C), 4.0);
    assert_eq!(fmu.real(Oscillator::GUESS), 7.0);
    assert_eq!(fmu.real(Oscillator::CONSTANT), 42.0);
    assert_eq!(fmu.get_integer(Oscillator::METHOD), (fmi2OK, 0));
    assert_eq!(fmu.get_boolean(Oscillator::BRAKE), (fmi2OK, 0));
}

// FMI: A038
#[test]
fn initialization_needs_an_experiment() {
    let fmu = Fmu::cs::<Oscillator>();
    assert_eq!(fmu.enter_initialization_mode(), fmi2Error);
    assert_eq!(fmu.setup(0.0, None), fmi2OK);
    assert_eq!(fmu.enter_initialization_mode(), fmi2OK);
}

// FMI: A038, A039, A040
#[test]
fn the_last_experiment_counts_and_undefined_numbers_are_ignored() {
    let fmu = Fmu::cs::<Oscillator>();
    assert_eq!(fmu.setup(1.0, Some(2.0)), fmi2OK);
    assert_eq!(fmu.setup_with(None, -5.0, None), fmi2OK);
    fmu.enter_initialization_mode();
    assert_eq!(fmu.real(Oscillator::TIME), -5.0);
    fmu.exit_initialization_mode();
    assert_eq!(fmu.steps(-5.0, 1.0, 20), 15.0);
}

#[test]
fn experiments_that_make_no_sense_are_refused() {
    for (start, stop) in [(f64::NAN, None), (f64::INFINITY, None), (1.0, Some(0.0))] {
        assert_eq!(Fmu::cs::<Oscillator>().setup(start, stop), fmi2Error);
    }
}

// FMI: A042, A061
#[test]
fn values_follow_every_change_in_initialization_mode() {
    let fmu = Fmu::cs::<Oscillator>();
    fmu.setup(0.0, None);
    fmu.enter_initialization_mode();
    for x in [1.0, -2.0, 3.5] {
        assert_eq!(fmu.set_real(&[Oscillator::X, Oscillator::SIZE], &[x, 0.5 + x.abs() / 8.0]), 0);
        assert_eq!(fmu.real(Oscillator::DER_V), -4.0 * x);
        assert_eq!(fmu.real(Oscillator::TWICE), 1.0 + x.abs() / 4.0);
        fmu.set_real(&[Oscillator::U], &[x]);
        assert_eq!(fmu.real(Oscillator::DER_V), x - 4.0 * x);
        fmu.set_real(&[Oscillator::U], &[0.0]);
    }
}

// FMI: A040, A049
#[test]
fn a_run_after_reset_gives_the_same_bits_even_after_an_error() {
    let run = |fmu: &Fmu, start: f64| -> Vec<u64> {
        fmu.initialize(start, &[(Ball::E, 0.8)]);
        (0..200)
            .map(|i| {
                assert_eq!(fmu.step(start + f64::from(i) * 0.01, 0.01), fmi2OK);
                fmu.real(Ball::H).to_bits()
            })
            .collect()
    };
    let fmu = Fmu::cs::<Ball>();
    let first = run(&fmu, 0.0);
    assert_eq!(fmu.reset(), fmi2OK);
    run(&fmu, 17.0);
    assert_eq!(fmu.step(3.0, -1.0), fmi2Error);
    assert_eq!(fmu.step(19.0, 0.1), fmi2Error, "an instance in error waits for a reset");
    assert_eq!(fmu.reset(), fmi2OK);
    assert_eq!(fmu.real(Ball::E), 0.7, "a reset restores start values");
    assert_eq!(run(&fmu, 0.0), first);
}

// FMI: A006
#[test]
fn a_panic_is_fatal_for_its_instance_only() {
    let (bad, good) = (Fmu::cs_from::<Faulty>(0.0, &[]), Fmu::cs_from::<Faulty>(0.0, &[]));
    assert_eq!(bad.set_real(&[1], &[1.0]), fmi2OK);
    assert_eq!(bad.step(0.0, 1.0), fmi2Fatal);
    let message = bad.messages().pop().unwrap();
    assert_eq!((message.status, message.category.as_str()), (fmi2Fatal, "logStatusFatal"));
    assert!(message.text.contains("the author's mistake"), "{}", message.text);
    assert_eq!(bad.get_real(0).0, fmi2Error);
    assert_eq!(bad.reset(), fmi2Error);
    assert_eq!(good.step(0.0, 1.0), fmi2OK);
    assert!((good.real(0) - 1.0).abs() < 1e-12);
}

// FMI: A005
#[test]
fn instances_on_many_threads_give_the_bits_of_one() {
    let run = || -> Vec<u64> {
        let fmu = Fmu::cs_from::<Ball>(0.0, &[]);
        (0..150)
            .map(|i| {
                assert_eq!(fmu.step(f64::from(i) * 0.02, 0.02), fmi2OK);
                fmu.real(Ball::H).to_bits()
            })
            .collect()
    };
    let alone = run();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(run)).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), alone);
        }
    });
}

// FMI: A023
#[test]
fn thousands_of_instances_exist_at_the_same_time() {
    let all: Vec<Fmu> = (0..3000).map(|_| Fmu::cs_from::<Oscillator>(0.0, &[])).collect();
    let components: std::collections::BTreeSet<usize> =
        all.iter().map(|fmu| fmu.c.addr()).collect();
    assert_eq!(components.len(), all.len(), "each has a component of its own");
    assert!(all.iter().all(|fmu| fmu.step(0.0, 0.01) == fmi2OK));
}
