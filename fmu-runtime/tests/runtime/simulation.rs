//! Tests of simulations without the C interface: events, other points, stored states, and refusals.

use crate::systems::*;
use fmu_runtime::kernels::rows::TableShape;
use fmu_runtime::system::*;
use fmu_runtime::{Simulation, equations};

fn of<T: System>() -> Simulation {
    Simulation::of(equations::system_model::<T>()).expect("no table is in a file")
}

fn started<T: System>() -> Simulation {
    let mut simulation = of::<T>();
    simulation.start(Some(1e-8)).expect("there are initial values");
    simulation
}

/// The instants of the events until `end`.
fn events(simulation: &mut Simulation, end: f64) -> Vec<f64> {
    let mut instants = Vec::new();
    while simulation.run_to_event(end).expect("it continues") {
        instants.push(simulation.time());
    }
    instants
}

#[test]
fn every_event_is_seen_once_also_at_the_end() {
    let mut clock = started::<Clock>();
    assert_eq!(clock.next_event_time(), Ok(0.1));
    let multiples = |range: std::ops::RangeInclusive<u32>| -> Vec<f64> {
        range.map(|k| f64::from(k) * 0.1).collect()
    };
    assert_eq!(events(&mut clock, 0.5), multiples(1..=5));
    assert_eq!((clock.time(), clock.read("count")), (0.5, Ok(5.0)));
    assert_eq!(events(&mut clock, 0.5), [], "nothing happens twice");
    assert_eq!(events(&mut clock, 0.95), multiples(6..=9));
    assert_eq!(clock.time(), 0.95, "then it has reached the end");
}

#[test]
fn stopping_at_every_event_changes_no_bit() {
    let (mut whole, mut looked_at) = (started::<Ball>(), started::<Ball>());
    whole.run_to(1.7).unwrap();
    assert!(events(&mut looked_at, 1.7).len() > 2);
    let bits = |ball: &Simulation| ball.continuous_states().iter().map(|x| x.to_bits()).collect();
    let (whole, looked_at): (Vec<u64>, Vec<u64>) = (bits(&whole), bits(&looked_at));
    assert_eq!(whole, looked_at);
}

#[test]
fn modes_at_another_point_stay_until_the_next_step() {
    let mut ball = started::<Ball>();
    ball.move_to(3.0, &[-0.2, -2.0]).unwrap();
    assert_eq!((ball.time(), ball.read("v")), (3.0, Ok(-2.0)));
    assert_eq!(ball.derivatives().unwrap(), [-2.0, -Ball::G]);
    assert_eq!(ball.point().r, [false]);
    ball.run_to(3.0).unwrap();
    assert_eq!((ball.read("v"), ball.point().r), (Ok(1.4), &[true][..]));
}

#[test]
fn a_point_without_solution_changes_nothing() {
    let mut model = of::<Implicit>();
    model.set("limit", 0.0).unwrap();
    model.start(None).unwrap();
    model.run_to(0.1).unwrap();
    let (x, z) = (model.continuous_states().to_vec(), model.read("z"));
    let why = model.move_to(0.2, &[-1.0]).unwrap_err().to_string();
    assert!(why.contains("closure"), "{why}");
    let why = model.move_to(0.2, &[1.0, 2.0]).unwrap_err().to_string();
    assert_eq!(why, "2 states are given, but the model has 1");
    assert_eq!((model.time(), model.read("z")), (0.1, z));
    assert_eq!(model.continuous_states(), x);
    model.run_to(0.2).unwrap();
}

#[test]
fn a_stored_state_is_restored_in_its_model_only() {
    let mut ball = started::<Ball>();
    ball.run_to(0.3).unwrap();
    let state = ball.fmu_state();
    ball.run_to(1.7).unwrap();
    let later = ball.read("h").unwrap();
    ball.set_fmu_state(&state).unwrap();
    assert_eq!(ball.time(), 0.3);
    ball.run_to(1.7).unwrap();
    assert_eq!(ball.read("h").unwrap().to_bits(), later.to_bits());
    let why = started::<Clock>().set_fmu_state(&state).unwrap_err().to_string();
    assert_eq!(why, "Clock: the state is one of another model");
}

#[test]
fn after_a_reset_a_simulation_is_a_new_one() {
    let mut ball = of::<Ball>();
    ball.set("h", 5.0).unwrap();
    ball.start(None).unwrap();
    ball.run_to(1.5).unwrap();
    ball.reset().unwrap();
    assert_eq!((ball.time(), ball.read("h")), (0.0, Ok(1.0)));
    let mut other = of::<Ball>();
    for ball in [&mut ball, &mut other] {
        ball.start(None).unwrap();
        ball.run_to(1.5).unwrap();
    }
    assert_eq!(ball.continuous_states(), other.continuous_states());
}

#[test]
fn settings_take_effect_with_a_step_of_zero_length() {
    let mut threshold = started::<Threshold>();
    threshold.set("u", 0.75).unwrap();
    threshold.run_to(0.0).unwrap();
    assert_eq!((threshold.read("count"), threshold.read("y")), (Ok(1.0), Ok(1.5)));
}

#[test]
fn variables_have_all_their_names_and_wrong_ones_are_refused() {
    let aliases = [("height", "h"), ("at_rest", "resting"), ("nothing", "none")];
    let mut ball = of::<Ball>().with_aliases(aliases);
    ball.set("height", 0.25).unwrap();
    ball.start(None).unwrap();
    assert_eq!([ball.read("h"), ball.read("height")], [Ok(0.25), Ok(0.25)]);
    assert_eq!(ball.read("at_rest"), Ok(0.0));
    let names: Vec<&str> = ball.names().collect();
    assert_eq!(names, ["at_rest", "e", "h", "height", "resting", "v", "v_min"]);
    let refused = [("nothing", 1.0), ("resting", 0.5), ("e", 0.5)].map(|(name, value)| {
        let why = ball.set(name, value).unwrap_err();
        why.to_string()
    });
    assert_eq!(refused[0], "Ball has no variable nothing");
    assert_eq!(refused[1], "resting = 0.5: must be 0 or 1");
    assert_eq!(refused[2], "e cannot be set in state step complete");
    ball.run_to(1.0).unwrap();
}

#[test]
fn a_model_may_end_its_simulation_and_the_solver_logs_its_statistics() {
    let mut clock = of::<Clock>();
    clock.set("stop", 0.25).unwrap();
    clock.start(None).unwrap();
    let why = clock.run_to(1.0).unwrap_err().to_string();
    assert_eq!(why, "t=0.25 the model asks to end the simulation");
    assert_eq!((clock.time(), clock.read("count")), (0.25, Ok(2.0)));
    clock.terminate().unwrap();
    let messages = clock.messages();
    let last = messages.last().expect("the solver logs its statistics");
    assert!(last.category == "logEvents" && last.text.starts_with("solver: "), "{last:?}");
}

/// `x' = 0`; the initial value is the second number of a table in a file.
struct Filed;

impl System for Filed {
    const INFO: Info = Info::new("Filed")
        .reals(&[Variable::new("x", Source::State(0)).start(0)])
        .parameters(&[0.0])
        .states(&[State::new("x")])
        .tables(&[Table {
            name: "numbers",
            shape: TableShape { columns: 2, jumps: false, periodic: false },
            data: Data::File("numbers.csv"),
        }]);

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = S::from(e.tables[0].entry(1, 0.0));
        Ok(())
    }

    fn advance<S: Scalar>(_: Stage, e: &mut Env<'_, S>) -> Solved {
        e.dx[0] = S::from(0.0);
        Ok(())
    }
}

#[test]
fn tables_in_files_are_read_from_a_folder() {
    let model = equations::system_model::<Filed>();
    let why = Simulation::of(model).unwrap_err().to_string();
    assert_eq!(why, "numbers: numbers.csv is needed, but the resource location is missing");
    let folder = std::env::temp_dir().join(format!("simulation_{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let missing = Simulation::with_resources(model, &folder).unwrap_err().to_string();
    assert!(missing.starts_with("numbers: "), "{missing}");
    let file = folder.join("numbers.csv");
    let endless = std::fs::File::create(&file).and_then(|file| file.set_len(1 << 40));
    endless.expect("a file without content");
    let why = Simulation::with_resources(model, &folder).unwrap_err().to_string();
    let long = "it has 1099511627776 bytes, but at most 67108864 are read";
    assert_eq!(why, format!("numbers: {}: {long}", file.display()));
    std::fs::write(&file, "t,y\n0,7\n1,8\n").unwrap();
    let mut filed = Simulation::with_resources(model, &folder).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    filed.start(None).unwrap();
    assert_eq!(filed.continuous_states(), [7.0]);
}
