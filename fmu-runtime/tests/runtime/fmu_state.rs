//! Tests of stored states: continuation with the same bits, serialisation, and invalid handles.

use crate::importer::Fmu;
use crate::systems::*;
use fmu_runtime::fmi2::*;
use std::ptr::{null_mut, without_provenance_mut};

/// Bits of height and speed over some steps.
fn trace(fmu: &Fmu, t: f64, h: f64, count: usize) -> Vec<[u64; 2]> {
    (0..count)
        .map(|i| {
            assert_eq!(fmu.step(t + i as f64 * h, h), fmi2OK);
            [fmu.real(Ball::H).to_bits(), fmu.real(Ball::V).to_bits()]
        })
        .collect()
}

// FMI: A070, A072
#[test]
fn a_restored_state_continues_with_the_same_bits() {
    let fmu = Fmu::cs_from::<Ball>(0.0, &[(Ball::E, 0.9)]);
    for start in 0..40 {
        let t = f64::from(start) * 0.037;
        let state = fmu.get_state();
        let first = trace(&fmu, t, 0.037, 30);
        assert_eq!(fmu.set_state(state), fmi2OK);
        assert_eq!(trace(&fmu, t, 0.037, 30), first);
        // The same with other steps in between.
        assert_eq!(fmu.set_state(state), fmi2OK);
        trace(&fmu, t, 0.001, 17);
        assert_eq!(fmu.set_state(state), fmi2OK);
        assert_eq!(trace(&fmu, t, 0.037, 1)[0], first[0]);
    }
}

// FMI: A075, A076
#[test]
fn bytes_carry_a_state_into_another_instance() {
    let fmu = Fmu::cs_from::<Ball>(0.0, &[(Ball::E, 0.9)]);
    let t = fmu.steps(0.0, 0.1, 7);
    let state = fmu.get_state();
    let (_, size) = fmu.serialized_size(state);
    let (status, bytes) = fmu.serialize(state, size);
    assert_eq!(status, fmi2OK);

    let other = Fmu::cs::<Ball>();
    let (status, copy) = other.deserialize(&bytes);
    assert_eq!(status, fmi2OK);
    assert_eq!(other.set_state(copy), fmi2OK);
    assert_eq!(trace(&other, t, 0.01, 100), trace(&fmu, t, 0.01, 100));
    // A copy of the copy has the same bytes.
    assert_eq!(other.serialize(copy, size), (fmi2OK, bytes));
}

// FMI: A071, A079
#[test]
fn states_of_every_mode_can_be_stored_and_lead_back_to_it() {
    let fmu = Fmu::me::<Ball>();
    fmu.setup(0.0, None);
    let fresh = fmu.get_state();
    fmu.enter_initialization_mode();
    fmu.set_real(&[Ball::H], &[2.0]);
    let initializing = fmu.get_state();
    fmu.exit_initialization_mode();
    let event = fmu.get_state();
    fmu.iterate_events();
    fmu.enter_continuous_time_mode();
    let continuous = fmu.get_state();
    fmu.terminate();
    let ended = fmu.get_state();

    assert_eq!(fmu.set_state(continuous), fmi2OK);
    assert_eq!(fmu.set_time(0.5), fmi2OK);
    assert_eq!(fmu.set_state(event), fmi2OK);
    assert_eq!(fmu.new_discrete_states().0, fmi2OK);
    assert_eq!(fmu.set_state(initializing), fmi2OK);
    assert_eq!(fmu.real(Ball::H), 2.0);
    assert_eq!(fmu.exit_initialization_mode(), fmi2OK);
    assert_eq!(fmu.set_state(fresh), fmi2OK);
    assert_eq!(fmu.real(Ball::H), 1.0);
    assert_eq!(fmu.enter_initialization_mode(), fmi2OK);
    assert_eq!(fmu.set_state(ended), fmi2OK);
    assert_eq!(fmu.real(Ball::H), 2.0);
    assert_eq!(fmu.get_real(99).0, fmi2Error);
    assert_eq!(fmu.set_state(continuous), fmi2OK, "a stored state leads out of an error");
    assert_eq!(fmu.set_time(0.5), fmi2OK);
}

// FMI: A070, A071, B001
#[test]
fn an_event_can_be_repeated_from_before_its_iteration_and_from_a_trial_point() {
    let fmu = Fmu::me_from::<Clock>(0.0, &[]);
    fmu.set_time(0.1);
    fmu.enter_event_mode();
    let before = fmu.get_state();
    let (event, _) = fmu.iterate_events();
    fmu.set_time(0.15);
    let moved = fmu.get_state();
    let derivative = fmu.derivatives(1);
    fmu.enter_event_mode();
    fmu.enter_continuous_time_mode();
    assert_eq!(fmu.set_state(before), fmi2OK);
    assert_eq!(fmu.get_integer(Clock::COUNT).1, 0);
    assert_eq!(fmu.iterate_events().0, event);
    assert_eq!(fmu.set_state(moved), fmi2OK);
    assert_eq!(fmu.derivatives(1), derivative);
    assert_eq!(fmu.set_time(0.14), fmi2OK);
    assert_eq!(fmu.enter_continuous_time_mode(), fmi2OK);
}

// FMI: A069
#[test]
fn getting_into_an_older_copy_overwrites_it() {
    let fmu = Fmu::cs_from::<Ball>(0.0, &[]);
    let mut state = fmu.get_state();
    let handle = state;
    fmu.steps(0.0, 0.1, 3);
    assert_eq!(fmu.get_state_into(&mut state), fmi2OK);
    assert_eq!(state, handle);
    let later = trace(&fmu, 0.30000000000000004, 0.1, 3);
    assert_eq!(fmu.set_state(state), fmi2OK);
    assert_eq!(trace(&fmu, 0.30000000000000004, 0.1, 3), later);
}

// FMI: A073
#[test]
fn freeing_sets_the_handle_to_null_and_nothing_is_freed_twice() {
    let fmu = Fmu::cs_from::<Ball>(0.0, &[]);
    let mut state = fmu.get_state();
    let mut copy = state;
    assert_eq!(fmu.free_state(&mut null_mut()), fmi2OK);
    assert_eq!(fmu.free_state(&mut state), fmi2OK);
    assert!(state.is_null());
    assert_eq!(fmu.free_state(&mut state), fmi2OK);
    assert_eq!(fmu.free_state(&mut copy), fmi2Error);
}

// FMI: A077
#[test]
fn handles_of_no_state_of_the_model_are_errors() {
    let other = Fmu::cs_from::<Clock>(0.0, &[]);
    let model_exchange = Fmu::me_from::<Ball>(0.0, &[]);
    let foreign = [other.get_state(), model_exchange.get_state()];
    for handle in [null_mut(), without_provenance_mut(0xdead_beef)].into_iter().chain(foreign) {
        let fmu = Fmu::cs_from::<Ball>(0.0, &[]);
        assert_eq!(fmu.set_state(handle), fmi2Error);
    }
}

// FMI: A075, A077
#[test]
fn bytes_that_were_damaged_are_refused() {
    let fmu = Fmu::cs_from::<Ball>(0.0, &[]);
    fmu.steps(0.0, 0.1, 3);
    let state = fmu.get_state();
    let (_, size) = fmu.serialized_size(state);
    assert_eq!(fmu.serialize(state, size - 1).0, fmi2Error);
    fmu.set_state(state);
    let (_, bytes) = fmu.serialize(state, size);
    let refused = |bytes: &[u8]| {
        let fmu = Fmu::cs::<Ball>();
        let (status, copy) = fmu.deserialize(bytes);
        status == fmi2Error && copy.is_null() && !fmu.last_text().is_empty()
    };
    assert!(!refused(&bytes));
    for i in 0..size {
        let mut damaged = bytes.clone();
        damaged[i] ^= 1 << (i % 8);
        assert!(refused(&damaged), "byte {i} of {size}");
    }
    for length in 0..size {
        assert!(refused(&bytes[..length]));
    }
    assert!(refused(&[bytes.clone(), vec![0]].concat()));
    let fmu = Fmu::cs::<Clock>();
    assert_eq!(fmu.deserialize(&bytes).0, fmi2Error, "another model");
    assert_eq!(Fmu::me::<Ball>().deserialize(&bytes).0, fmi2Error, "another FMU type");
}

// FMI: A070
#[test]
fn inputs_and_their_derivatives_belong_to_the_state() {
    let fmu = Fmu::cs_from::<Threshold>(0.0, &[]);
    fmu.steps(0.0, 0.1, 3);
    fmu.set_real(&[Threshold::U], &[0.25]);
    fmu.set_slope(Threshold::U, 1, 2.0);
    let state = fmu.get_state();
    let run = || {
        assert_eq!(fmu.step(0.30000000000000004, 0.5), fmi2OK);
        [Threshold::X, Threshold::U, Threshold::SWITCHED].map(|i| fmu.real(i).to_bits())
    };
    let first = run();
    assert_eq!(fmu.set_state(state), fmi2OK);
    assert_eq!(run(), first);
}

// FMI: A070
#[test]
fn a_pending_parameter_belongs_to_the_state() {
    let fmu = Fmu::cs_from::<Threshold>(0.0, &[(Threshold::U, 0.4)]);
    fmu.steps(0.0, 0.5, 1);
    fmu.set_real(&[Threshold::LEVEL], &[0.3]);
    let state = fmu.get_state();
    let (_, size) = fmu.serialized_size(state);
    let (_, bytes) = fmu.serialize(state, size);
    let other = Fmu::cs::<Threshold>();
    let (_, copy) = other.deserialize(&bytes);
    assert_eq!(other.set_state(copy), fmi2OK);
    assert_eq!([Threshold::LEVEL, Threshold::COUNT].map(|i| other.real(i)), [0.3, 0.0]);
    assert_eq!(other.step(0.5, 0.5), fmi2OK);
    assert_eq!(other.real(Threshold::SWITCHED), 0.5);
}

// FMI: A069
#[test]
fn bytes_overwrite_a_copy_of_their_instance_and_no_other() {
    let fmu = Fmu::cs_from::<Ball>(0.0, &[]);
    let mut own = fmu.get_state();
    let (_, size) = fmu.serialized_size(own);
    let (_, start) = fmu.serialize(own, size);
    fmu.steps(0.0, 0.125, 1);
    let handle = own;
    assert_eq!(fmu.get_state_into(&mut own), fmi2OK);
    assert_eq!(fmu.deserialize_into(&start, &mut own), fmi2OK);
    assert_eq!(own, handle);
    assert_eq!(fmu.serialize(own, size), (fmi2OK, start.clone()));

    let sibling = Fmu::cs_from::<Ball>(0.0, &[]);
    sibling.steps(0.0, 0.125, 1);
    let clock = Fmu::cs_from::<Clock>(0.0, &[]);
    let model_exchange = Fmu::me_from::<Ball>(0.0, &[]);
    for other in [&sibling, &clock, &model_exchange] {
        let theirs = other.get_state();
        let (_, length) = other.serialized_size(theirs);
        let before = other.serialize(theirs, length);
        for overwrite in [true, false] {
            let mut state = theirs;
            let status = if overwrite {
                fmu.deserialize_into(&start, &mut state)
            } else {
                fmu.get_state_into(&mut state)
            };
            assert_eq!(status, fmi2OK);
            assert_ne!(state, theirs);
            assert_eq!(fmu.set_state(state), fmi2OK);
        }
        assert_eq!(other.serialize(theirs, length), before);
    }
}
