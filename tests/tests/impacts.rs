//! Impacts in both kinds: the same blows at an importer's integrator and at our own.

use coupler_tests::runs::Run;
use coupler_tests::{Fmu, Kind};
use fmu_builder::read::Base;

/// Impacts that are compared.
const IMPACTS: usize = 20;

/// The values that a column takes one after the other.
fn changes(column: &[f64]) -> Vec<f64> {
    let mut values = column.to_vec();
    values.dedup();
    values
}

/// Each contact's impulse determines the velocity after the impact.
#[test]
fn model_exchange_in_fmpy_and_co_simulation_agree_through_many_impacts() {
    let names = ["BouncingPendulum", "MixedModel", "NewtonsCradle", "RestingBall"];
    let mut compared = 0;
    for fmu in names.map(Fmu::named) {
        let outputs = fmu.names(Base::Real, &["output"]);
        let impulses: Vec<&str> =
            outputs.into_iter().filter(|name| name.ends_with(".impulse")).collect();
        assert!(!impulses.is_empty(), "{}: no contact", fmu.name());
        let run = Run { tolerance: Some(1e-12), record: &impulses, ..Run::of(&fmu, 1e-3) };
        let (theirs, ours) = (run.fmpy(&fmu, Kind::ModelExchange), run.co_simulation(&fmu));
        for name in &impulses {
            let (theirs, ours) = (changes(&theirs.column(name)), changes(&ours.column(name)));
            // Both reports miss some of the impacts that follow each other within a step.
            for (k, (a, b)) in theirs.iter().zip(&ours).take(IMPACTS).enumerate() {
                let apart = (a - b).abs();
                assert!(apart <= 1e-6 * (1.0 + b.abs()), "{}: {name} {k}: {a} {b}", fmu.name());
                compared += 1;
            }
        }
    }
    assert!(compared > 3 * IMPACTS, "{compared} impulses");
}
