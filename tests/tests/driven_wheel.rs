//! A contact whose row along the floor becomes singular while it is driven along the other one: it
//! neither sticks nor slides there, and must not chatter between the two.

use coupler_tests::curves::{Table, distance};
use coupler_tests::runs::Run;
use coupler_tests::validation::simulate;
use coupler_tests::{Fmu, Kind, own};

#[path = "driven_wheel/model.rs"]
mod model;

#[test]
fn a_driven_wheel_rolls_on_where_its_arm_turns_the_track() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fmu = own::compiled("driven_wheel", folder.path(), model::driven_wheel);
    let (work, events) = simulate(&fmu, fmu.tolerance(), fmu.stop_time());
    assert!(events.len() < 60, "{} events, {work:?}", events.len());
    all_agree(&fmu);
}

/// Whoever integrates, the chassis goes and swings the same way.
fn all_agree(fmu: &Fmu) {
    let record = &["along.s", "up.s", "pivot.phi"];
    let run = Run { tolerance: Some(1e-8), record, ..Run::of(fmu, 0.02) };
    let reference = run.co_simulation(fmu);
    let others = [
        ("steps of 0.1 s", Run { h: 0.1, ..run.clone() }.co_simulation(fmu), 5),
        ("CVode", run.fmpy(fmu, Kind::ModelExchange), 1),
    ];
    for (what, table, times) in others {
        for (k, name) in run.record.iter().enumerate() {
            let of = |table: &Table| -> Vec<f64> { table.rows.iter().map(|row| row[k]).collect() };
            let expected: Vec<f64> = of(&reference).into_iter().step_by(times).collect();
            let far = distance(&of(&table), &expected);
            assert!(far < 1e-4, "{what}: {name} is {far:.1e} away");
        }
    }
}
