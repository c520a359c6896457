//! Closed loops: they stay closed, and the equations that close them are no larger than they must
//! be.

use coupler_tests::Fmu;
use coupler_tests::curves::{Columns, largest};
use coupler_tests::models;
use coupler_tests::runs::Run;

const RESIDUAL: &str = "loops.residual";

#[test]
fn loops_are_closed_at_every_communication_point() {
    let with_loops = |fmu: &Fmu| fmu.description.variable(RESIDUAL).is_some();
    let fmus: Vec<Fmu> = Fmu::all().into_iter().filter(with_loops).collect();
    assert!(!fmus.is_empty(), "no model has loops");
    for fmu in fmus {
        let run = Run { record: &[RESIDUAL], ..Run::of(&fmu, fmu.stop_time() / 1000.0) };
        let worst = largest(run.co_simulation(&fmu).column(RESIDUAL));
        assert!(worst <= 1e-10, "{}: {worst:e}", fmu.name());
    }
}

/// How many unknowns each block of nonlinear equations of a model has.
fn unknowns(name: &str) -> Vec<usize> {
    let model = ::models::MODELS.model(name).expect("a model");
    models::program(model).blocks().into_iter().map(|(_, unknowns)| unknowns).collect()
}

#[test]
fn every_cylinder_of_an_engine_is_a_block_of_its_own() {
    // Connecting rod and piston; the shaft is given.
    assert_eq!(unknowns("engine1a"), [2]);
    assert_eq!(unknowns("engine_v6"), [2; 6]);
}
