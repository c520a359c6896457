//! Tests of getting and setting: what may be set in each state, and the status of refusals.

use crate::importer::Fmu;
use crate::systems::*;
use fmu_runtime::fmi2::*;

/// The Real variables of the oscillator that can be set to another value in a state.
fn settable(prepare: impl Fn() -> Fmu) -> Vec<u32> {
    (0..15).filter(|&reference| prepare().set_real(&[reference], &[0.75]) == fmi2OK).collect()
}

// FMI: A058, C055
#[test]
fn variables_can_be_set_in_the_states_that_the_standard_lists() {
    use Oscillator as O;
    let initializing = || {
        let fmu = Fmu::me::<O>();
        fmu.setup(0.0, None);
        fmu.enter_initialization_mode();
        fmu
    };
    let first_event = || {
        let fmu = Fmu::me::<O>();
        fmu.initialize(0.0, &[]);
        fmu
    };
    let event = || {
        let fmu = first_event();
        fmu.enter_event_mode();
        fmu
    };
    assert_eq!(
        settable(Fmu::me::<O>),
        [O::X, O::V, O::C, O::U, O::SIZE, O::GUESS, O::TOLERANCE, O::MAX_STEP, O::STEP]
    );
    assert_eq!(
        settable(initializing),
        [O::X, O::V, O::C, O::U, O::SIZE, O::TOLERANCE, O::MAX_STEP, O::STEP]
    );
    // Until the first event begins, start values and parameters may still change.
    assert_eq!(
        settable(first_event),
        [O::X, O::V, O::C, O::U, O::SIZE, O::GUESS, O::TOLERANCE, O::MAX_STEP, O::STEP]
    );
    assert_eq!(settable(event), [O::X, O::V, O::C, O::U]);
    assert_eq!(settable(|| Fmu::me_from::<O>(0.0, &[])), [O::X, O::V, O::C, O::U]);
    assert_eq!(settable(|| Fmu::cs_from::<O>(0.0, &[])), [O::C, O::U]);
}

// FMI: A053
#[test]
fn nothing_is_written_when_one_value_of_many_is_refused() {
    let fmu = Fmu::cs::<Oscillator>();
    let c = [Oscillator::C, 99];
    assert_eq!(fmu.set_real(&c, &[5.0, 1.0]), fmi2Error);
    assert_eq!(fmu.last_text(), "there is no Real variable with reference 99");
    assert_eq!(fmu.real(Oscillator::C), 4.0);
    fmu.reset();
    let names = [Oscillator::C, Oscillator::SIZE];
    assert_eq!(fmu.set_real(&names, &[5.0, 3.0]), fmi2Discard);
    assert_eq!(fmu.last_text(), "size = 3: must be from 0.5 to 2");
    assert_eq!(fmu.real(Oscillator::C), 4.0);
    assert_eq!(fmu.set_integer(Oscillator::METHOD, 9), fmi2Discard);
    assert_eq!(fmu.set_integer(Oscillator::METHOD, 2), fmi2OK);
    assert_eq!(fmu.get_integer(Oscillator::METHOD), (fmi2OK, 2));
}

#[test]
fn values_that_are_not_finite_are_refused_by_name() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let fmu = Fmu::cs_from::<Oscillator>(0.0, &[]);
        assert_eq!(fmu.set_real(&[Oscillator::U], &[bad]), fmi2Error);
        assert!(fmu.last_text().starts_with("u = "), "{}", fmu.last_text());
        assert_eq!(fmu.real(Oscillator::U), 0.0);
    }
}

// FMI: A055
#[test]
fn truth_values_are_zero_or_one() {
    let fmu = Fmu::cs::<Oscillator>();
    for (set, get) in [(7, 1), (0, 0), (-1, 1)] {
        assert_eq!(fmu.set_boolean(Oscillator::BRAKE, set), fmi2OK);
        assert_eq!(fmu.get_boolean(Oscillator::BRAKE), (fmi2OK, get));
    }
}

// FMI: A058
#[test]
fn discrete_inputs_are_not_set_in_continuous_time() {
    let fmu = Fmu::me_from::<Oscillator>(0.0, &[]);
    assert_eq!(fmu.set_boolean(Oscillator::BRAKE, 1), fmi2Error);
    assert_eq!(fmu.enter_event_mode(), fmi2OK);
    assert_eq!(fmu.set_boolean(Oscillator::BRAKE, 1), fmi2OK);
}

// FMI: A060
#[test]
fn a_tunable_parameter_acts_from_the_next_step_on() {
    let fmu = Fmu::cs_from::<Oscillator>(0.0, &[(Oscillator::V, 1.0)]);
    let energy = fmu.real(Oscillator::ENERGY);
    assert_eq!(fmu.set_real(&[Oscillator::C], &[9.0]), fmi2OK);
    assert_eq!(fmu.real(Oscillator::C), 9.0);
    assert_eq!(fmu.real(Oscillator::ENERGY), energy, "values of the point reached");
    assert_eq!(fmu.step(0.0, 0.5), fmi2OK);
    let x = 1.5_f64.cos() + 1.5_f64.sin() / 3.0;
    assert!((fmu.real(Oscillator::X) - x).abs() < 1e-7);
}

// FMI: A050
#[test]
fn reading_no_variables_needs_no_arrays() {
    #![allow(unsafe_code, reason = "it calls the C interface")]
    use fmu_runtime::abi;
    use std::ptr::{null, null_mut};
    let fmu = Fmu::cs_from::<Oscillator>(0.0, &[]);
    unsafe {
        assert_eq!(abi::fmi2GetReal(fmu.c, null(), 0, null_mut()), fmi2OK);
        assert_eq!(abi::fmi2SetReal(fmu.c, null(), 0, null()), fmi2OK);
        assert_eq!(abi::fmi2SetInteger(fmu.c, null(), 0, null()), fmi2OK);
        assert_eq!(abi::fmi2SetString(fmu.c, null(), 0, null()), fmi2OK);
        assert_eq!(abi::fmi2GetString(fmu.c, null(), 0, null_mut()), fmi2OK);
        assert_eq!(abi::fmi2GetReal(fmu.c, null(), 1, null_mut()), fmi2Error);
        assert_eq!(abi::fmi2GetString(fmu.c, &0, 1, &mut null()), fmi2Error);
    }
}

// FMI: A062
#[test]
fn a_start_value_must_be_a_number_and_a_state_that_is_none_discards_evaluations() {
    use Oscillator as O;
    let fmu = Fmu::me::<O>();
    fmu.initialize(0.0, &[]);
    assert_eq!(fmu.set_real(&[O::V], &[f64::NAN]), fmi2Error);
    assert_eq!(fmu.last_text(), "v = NaN is not a finite number");

    let fmu = Fmu::me_from::<O>(0.0, &[]);
    assert_eq!(fmu.enter_event_mode(), fmi2OK);
    assert_eq!(fmu.set_real(&[O::X, O::V], &[0.5, f64::NAN]), fmi2OK);
    assert_eq!(fmu.get_real(O::POWER).0, fmi2Discard);
    assert_eq!(fmu.real(O::X), 0.5);
    assert_eq!(fmu.set_real(&[O::V], &[0.5]), fmi2OK);
    assert_eq!(fmu.get_real(O::POWER).0, fmi2OK);

    // Other states end the event at the new point, as they would have at a usable one.
    assert_eq!(fmu.set_real(&[O::V], &[1e80]), fmi2OK);
    assert_eq!(fmu.states(2), (fmi2OK, vec![0.5, 1e80]));
    assert_eq!(fmu.set_states(&[0.5, 0.25]), fmi2OK);
    assert_eq!(fmu.states(2), (fmi2OK, vec![0.5, 0.25]));
    assert_eq!(fmu.new_discrete_states().0, fmi2OK);
}

/// Relations that are due at a point where nothing can be evaluated keep the caller's search alive.
// FMI: A063
#[test]
fn modes_at_a_state_that_is_no_number_are_discarded() {
    let fmu = Fmu::me_from::<Ball>(0.0, &[]);
    assert_eq!(fmu.enter_event_mode(), fmi2OK);
    assert_eq!(fmu.set_real(&[Ball::H], &[f64::NAN]), fmi2OK);
    assert_eq!(fmu.get_boolean(Ball::RESTING).0, fmi2Discard);
    assert_eq!(fmu.last_text(), "t=0 h = NaN is out of range: the integration diverges");
    assert_eq!(fmu.set_real(&[Ball::H], &[0.5]), fmi2OK);
    assert_eq!(fmu.get_boolean(Ball::RESTING), (fmi2OK, 0));
}

// FMI: A036
#[test]
fn a_value_beyond_the_integers_is_refused_by_name() {
    for fmu in [Fmu::me_from::<Mirror>(0.0, &[]), Fmu::cs_from::<Mirror>(0.0, &[])] {
        assert_eq!(fmu.get_integer(Mirror::FEW), (fmi2OK, i32::MAX));
        assert_eq!(fmu.get_integer(Mirror::MANY).0, fmi2Error);
        let text = fmu.messages().pop().expect("a message").text;
        assert_eq!(
            text,
            "t=0 many = 3000000000 is not among the Integers of FMI, -2147483648 to 2147483647"
        );
    }
}
