//! Tests that closed loops stay closed, and that their blocks of equations are no larger than
//! necessary.

use ::models::MODELS;
use coupler_tests::curves::{Columns, largest};
use coupler_tests::{models, simulations};

const RESIDUAL: &str = "loops.residual";

#[test]
fn loops_are_closed_at_every_communication_point() {
    let mut with_loops = 0;
    for model in MODELS.models {
        let mut simulation = simulations::named(model.name);
        if !simulation.names().any(|name| name == RESIDUAL) {
            continue;
        }
        simulations::start(&mut simulation, None, &[]);
        let stop = simulation.info().stop_time;
        let table = simulations::table(&mut simulation, stop / 1000.0, stop, &[RESIDUAL]);
        let worst = largest(table.column(RESIDUAL));
        assert!(worst <= 1e-10, "{}: {worst:e}", model.name);
        with_loops += 1;
    }
    assert!(with_loops > 0, "no model has loops");
}

/// The number of unknowns of each block of nonlinear equations of a model.
fn unknowns(name: &str) -> Vec<usize> {
    let model = MODELS.model(name).expect("a model");
    models::program(model).blocks().into_iter().map(|(_, unknowns)| unknowns).collect()
}

#[test]
fn every_cylinder_of_an_engine_is_a_block_of_its_own() {
    // The unknowns are those of connecting rod and piston; the shaft is given.
    assert_eq!(unknowns("engine1a"), [2]);
    assert_eq!(unknowns("engine_v6"), [2; 6]);
}
