//! Tests a contact that is driven in one direction of the floor while its row in the other
//! direction becomes singular: there the contact neither sticks nor slides, and must not chatter
//! between both modes.

use coupler_tests::curves::{TimeSeries, distance};
use coupler_tests::runs::Run;
use coupler_tests::simulations::{self, start};
use coupler_tests::{FmuType, own};
use fmu_runtime::Simulation;

mod model;

#[test]
fn a_driven_wheel_rolls_on_where_its_arm_turns_the_track() {
    let mut wheel = own::simulation("driven_wheel", model::driven_wheel);
    start(&mut wheel, None, &[]);
    let (stop, mut events) = (wheel.info().stop_time, 0);
    while wheel.run_to_event(stop).unwrap_or_else(|why| panic!("{why}")) {
        events += 1;
    }
    assert!(events < 60, "{events} events");
    all_agree(&mut wheel);
}

/// Asserts that the chassis moves in the same way with every integrator.
fn all_agree(wheel: &mut Simulation) {
    let record = &["along.s", "up.s", "pivot.phi"];
    let (tolerance, stop) = (Some(1e-8), wheel.info().stop_time);
    let [reference, long] = [0.02, 0.1].map(|h| {
        start(wheel, tolerance, &[]);
        simulations::table(wheel, h, stop, record)
    });
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fmu = own::interpreted(&own::traced("driven_wheel", model::driven_wheel), folder.path());
    let run = Run { tolerance, record, ..Run::of(&fmu, 0.02) };
    let others =
        [("steps of 0.1 s", long, 5), ("CVode", run.fmpy(&fmu, FmuType::ModelExchange), 1)];
    for (what, table, times) in others {
        for (k, name) in record.iter().enumerate() {
            let of =
                |table: &TimeSeries| -> Vec<f64> { table.rows.iter().map(|row| row[k]).collect() };
            let expected: Vec<f64> = of(&reference).into_iter().step_by(times).collect();
            let far = distance(&of(&table), &expected);
            assert!(far < 1e-4, "{what}: {name} is {far:.1e} away");
        }
    }
}
