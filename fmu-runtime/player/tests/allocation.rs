//! A played model does not allocate after its instantiation, whichever functions are called.
#![allow(unsafe_code, reason = "it calls the C interface")]

#[path = "../../tests/runtime/counting_allocator.rs"]
mod counting_allocator;
#[path = "../../tests/runtime/importer.rs"]
#[allow(dead_code, reason = "it is an importer for other tests too")]
mod importer;
#[path = "player/models.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod models;

use counting_allocator::allocations;
use fmu_runtime::fmi2::*;
use fmu_runtime::system::RelationKind;
use importer::Fmu;
use player::{Player, functions};
use program::Program;
use std::ffi::CString;

/// An instance of a program that is read from a file, as in an importer.
fn instance(program: &Program, fmu_type: fmi2Type) -> Fmu {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.tape"), program.to_bytes()).expect("a file");
    for file in ["cycle.csv", "fan.csv"] {
        let from = std::path::Path::new(models::BENCH).join(file);
        std::fs::copy(from, folder.path().join(file)).expect("a file");
    }
    let uri = CString::new(format!("file://{}", folder.path().display())).expect("no NUL");
    let guid = Some(program.info.guid);
    let fmu = Fmu::instantiate::<Player>(Some(c"a"), fmu_type, guid, Some(&uri), false);
    assert!(!fmu.c.is_null(), "{}", fmu.last_text());
    fmu
}

/// The real variables that can be read at any time, and their number.
fn references(program: &Program) -> Vec<u32> {
    (0..program.info.reals.len() as u32).collect()
}

/// A Co-Simulation with initialization, steps across events, values and stored states.
fn co_simulation(program: &Program, end: f64) {
    let fmu = instance(program, fmi2CoSimulation);
    let references = references(program);
    let mut values = vec![0.0; references.len()];
    let api = functions();
    let count = allocations(|| unsafe {
        for _ in 0..2 {
            fmu.initialize(0.0, &[]);
            let h = end / 200.0;
            for i in 0..200 {
                let status = (api.fmi2DoStep)(fmu.c, f64::from(i) * h, h, fmi2True);
                assert_eq!(status, fmi2OK, "{}", fmu.last_text());
                let n = references.len();
                let read = references.as_ptr();
                assert_eq!((api.fmi2GetReal)(fmu.c, read, n, values.as_mut_ptr()), fmi2OK);
            }
            assert_eq!(fmu.reset(), fmi2OK);
        }
    });
    assert_eq!(count, 0, "{}: Co-Simulation", program.info.name);
}

/// Model Exchange with events in all its modes, and derivatives of all values that depend on a
/// state.
fn model_exchange(program: &Program) {
    let fmu = instance(program, fmi2ModelExchange);
    let info = program.info;
    let (n, m) = (info.states.len(), info.relations.len());
    let (mut x, mut dx, mut z) = (vec![0.0; n], vec![0.0; n], vec![0.0; m]);
    let is_state_relation = |r: &&program::Relation| r.kind == RelationKind::State;
    let indicators = info.relations.iter().filter(is_state_relation).count();
    let is_state = |v: &program::Variable| matches!(v.source, program::Source::State(_));
    let is_output = |v: &program::Variable| v.causality == program::Causality::Output;
    let all = |what: &dyn Fn(&program::Variable) -> bool| -> Vec<u32> {
        let matching = info.reals.iter().enumerate().filter(|(_, v)| what(v));
        matching.map(|(i, _)| i as u32).collect()
    };
    let (knowns, unknowns) = (all(&is_state), all(&is_output));
    let mut sensitivities = vec![0.0; unknowns.len()];
    let seeds = vec![1.0; knowns.len()];
    let api = functions();
    let count = allocations(|| unsafe {
        fmu.initialize(0.0, &[]);
        fmu.iterate_events();
        assert_eq!(fmu.enter_continuous_time_mode(), fmi2OK);
        let mut t = 0.0;
        for k in 0..100 {
            assert_eq!((api.fmi2GetContinuousStates)(fmu.c, x.as_mut_ptr(), n), fmi2OK);
            let status = (api.fmi2GetDerivatives)(fmu.c, dx.as_mut_ptr(), n);
            assert_eq!(status, fmi2OK, "{}", fmu.last_text());
            t += 1e-4;
            x.iter_mut().zip(&dx).for_each(|(x, dx)| *x += 1e-4 * dx);
            assert_eq!(fmu.set_time(t), fmi2OK);
            assert_eq!(fmu.set_states(&x), fmi2OK);
            assert_eq!(fmu.completed_integrator_step().0, fmi2OK);
            let status = (api.fmi2GetEventIndicators)(fmu.c, z.as_mut_ptr(), indicators);
            assert_eq!(status, fmi2OK, "{}", fmu.last_text());
            let status = (api.fmi2GetDirectionalDerivative)(
                fmu.c,
                unknowns.as_ptr(),
                unknowns.len(),
                knowns.as_ptr(),
                knowns.len(),
                seeds.as_ptr(),
                sensitivities.as_mut_ptr(),
            );
            assert_eq!(status, fmi2OK, "{}", fmu.last_text());
            if k % 10 == 0 {
                assert_eq!(fmu.enter_event_mode(), fmi2OK);
                fmu.iterate_events();
                assert_eq!(fmu.enter_continuous_time_mode(), fmi2OK);
            }
        }
    });
    assert_eq!(count, 0, "{}: Model Exchange", info.name);
}

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(Box::new(1.0)))) > 0);
}

#[test]
fn steps_events_and_values_do_not_allocate() {
    co_simulation(&models::clutches(), 1.5);
    co_simulation(&models::fourbar(), 1.0);
    co_simulation(&models::cradle(), 1.0);
    co_simulation(&models::ball(), 2.0);
    co_simulation(&models::gear(), 0.5);
    co_simulation(&models::bench(), 4.0);
    co_simulation(&models::unusual(), 0.02);
    co_simulation(&models::impacts(), 0.2);
}

#[test]
fn event_modes_and_derivatives_do_not_allocate() {
    for program in [
        models::clutches(),
        models::fourbar(),
        models::cradle(),
        models::ball(),
        models::gear(),
        models::bench(),
        models::unusual(),
        models::impacts(),
    ] {
        model_exchange(&program);
    }
}
