//! After instantiation, the calls in an importer's loops do not allocate.
#![allow(unsafe_code, reason = "it calls the C interface")]

use crate::counting_allocator::allocations;
use crate::importer::Fmu;
use crate::systems::*;
use fmu_runtime::abi;
use fmu_runtime::fmi2::*;

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(Box::new(1.0)))) > 0);
}

#[test]
fn communication_steps_with_events_do_not_allocate() {
    let fmu = Fmu::cs_from::<Ball>(0.0, &[]);
    fmu.set_debug_logging(false, &[]);
    let mut h = 0.0;
    let count = allocations(|| {
        for i in 0..300 {
            assert_eq!(fmu.step(f64::from(i) * 0.01, 0.01), fmi2OK);
            h = fmu.real(Ball::H);
        }
    });
    assert_eq!(count, 0);
    assert_eq!(fmu.get_boolean(Ball::RESTING), (fmi2OK, 1));
    assert_eq!(h, 0.0);
}

#[test]
fn communication_steps_with_inputs_and_their_derivatives_do_not_allocate() {
    let fmu = Fmu::cs_from::<Threshold>(0.0, &[]);
    fmu.set_debug_logging(false, &[]);
    let count = allocations(|| {
        for i in 0..100 {
            let t = f64::from(i) * 0.1;
            assert_eq!(fmu.set_real(&[Threshold::U], &[t]), fmi2OK);
            assert_eq!(fmu.set_slope(Threshold::U, 1, 1.0), fmi2OK);
            assert_eq!(fmu.step(t, 0.1), fmi2OK);
            assert_eq!(fmu.slope(Threshold::Y, 1).0, fmi2OK);
            assert_eq!(fmu.slope(Threshold::Y, 2).0, fmi2OK);
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn evaluations_of_model_exchange_do_not_allocate() {
    let fmu = Fmu::me_from::<Implicit>(0.0, &[]);
    fmu.set_debug_logging(false, &[]);
    let count = allocations(|| {
        let mut dx = [0.0];
        for i in 0..100 {
            assert_eq!(fmu.set_time(f64::from(i)), fmi2OK);
            assert_eq!(fmu.set_states(&[1.0 + f64::from(i)]), fmi2OK);
            assert_eq!(unsafe { abi::fmi2GetDerivatives(fmu.c, dx.as_mut_ptr(), 1) }, fmi2OK);
            assert_eq!(fmu.completed_integrator_step(), (fmi2OK, (0, 0)));
            fmu.real(Implicit::Z);
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn overwriting_and_restoring_a_stored_state_does_not_allocate() {
    let fmu = Fmu::cs_from::<Ball>(0.0, &[]);
    let mut state = fmu.get_state();
    let count = allocations(|| {
        for _ in 0..10 {
            assert_eq!(fmu.get_state_into(&mut state), fmi2OK);
            assert_eq!(fmu.set_state(state), fmi2OK);
        }
    });
    assert_eq!(count, 0);
}
