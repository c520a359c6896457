//! Tests of the models that only the measurements use.

use coupler_tests::benchmarks::BENCHMARKS;
use coupler_tests::simulations::{of, traced};
use fmu_runtime::Simulation;

/// A model of the measurements, started.
fn started(name: &str) -> Simulation {
    let model = BENCHMARKS.iter().find(|model| model.name == name).expect("a model");
    let mut simulation = of(&model.traced());
    simulation.start(Some(1e-8)).unwrap_or_else(|error| panic!("{name}: {error}"));
    simulation
}

/// Values at a time in s.
fn values(simulation: &mut Simulation, t: f64, names: &[&str]) -> Vec<f64> {
    simulation.run_to(t).unwrap_or_else(|error| panic!("{error}"));
    names.iter().map(|name| simulation.read(name).expect("a variable")).collect()
}

#[test]
fn the_engine_with_assemblies_moves_like_the_one_with_joints() {
    let mut with_assemblies = started("EngineV6Analytic");
    let mut with_joints = of(&traced("EngineV6"));
    with_joints.start(Some(1e-8)).unwrap();
    for t in [0.1, 0.3] {
        let names = ["phi", "w", "engineTorque"];
        let [one, other] = [&mut with_assemblies, &mut with_joints].map(|s| values(s, t, &names));
        for (name, (one, other)) in names.iter().zip(one.iter().zip(&other)) {
            assert!((one - other).abs() <= 1e-5 * other.abs(), "{name} at {t}: {one}, {other}");
        }
    }
}

#[test]
fn free_linkages_move_like_those_with_the_minimum_number_of_states() {
    let linkages = [("CrankRocker", 6, "revolute3.phi"), ("SpatialLinkage", 8, "revolute2.phi")];
    for (linkage, states, rocker) in linkages {
        let free = format!("Free{linkage}");
        let [mut minimal, mut free] = [linkage, &free].map(started);
        assert_eq!([&minimal, &free].map(|s| s.info().states.len()), [2, states]);
        let names = ["revolute1.phi", "revolute1.w", rocker];
        for t in [0.5, 2.0, 5.0] {
            let [one, other] = [&mut minimal, &mut free].map(|s| values(s, t, &names));
            for (name, (one, other)) in names.iter().zip(one.iter().zip(&other)) {
                assert!((one - other).abs() <= 1e-6 * one.abs(), "{name} at {t}: {one}, {other}");
            }
        }
    }
}

#[test]
fn the_robot_reaches_the_end_of_its_path() {
    let names = ["q1", "q2", "q3", "q4", "q5", "q6"];
    let reached = values(&mut started("Robot"), 2.0, &names);
    for (name, (q, end)) in names.iter().zip(reached.iter().zip([60, -70, -35, 45, 110, 45])) {
        assert!((q.to_degrees() - f64::from(end)).abs() < 3.0, "{name} = {} deg", q.to_degrees());
    }
}

#[test]
fn the_loops_of_the_prescribed_mechanism_return_after_a_turn() {
    let mut simulation = started("PlanarLoops");
    let names = ["phi1", "phi2", "phi3"];
    let [before, middle, after] = [0.0, 0.4, 1.0].map(|t| values(&mut simulation, t, &names));
    for k in 0..3 {
        assert!((before[k] - after[k]).abs() < 1e-9 && (before[k] - middle[k]).abs() > 0.1, "{k}");
    }
}

#[test]
fn the_vehicle_drives_and_the_platform_rises_with_its_inputs() {
    let position = values(&mut started("RollingVehicle"), 5.0, &["x", "y"]);
    assert!(position[0].hypot(position[1]) > 0.1, "{position:?}");
    let mut hexapod = started("Hexapod");
    let start = values(&mut hexapod, 0.1, &["z"])[0];
    for input in coupler_tests::benchmarks::HEXAPOD_INPUTS {
        let length = hexapod.read(input).expect("an input");
        hexapod.set(input, 1.05 * length).expect("it can be set");
    }
    let risen = values(&mut hexapod, 1.0, &["z"])[0] - start;
    assert!((0.03..0.1).contains(&risen), "{risen}");
}
