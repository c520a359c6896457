//! Tests of impacts: the same impulses with an importer's integrator and with our own, conserved
//! quantities in many impacts, and very many impacts in one step.

use coupler_tests::curves::{Columns, TimeSeries};
use coupler_tests::runs::Run;
use coupler_tests::simulations::{self, value};
use coupler_tests::{Fmu, FmuType};
use fmu_builder::model_description::Base;
use fmu_runtime::system::Causality;
use fmu_runtime::{Simulation, simulation};

/// Number of impacts that are compared.
const IMPACTS: usize = 20;

/// The successive values of a column.
fn changes(column: &[f64]) -> Vec<f64> {
    let mut values = column.to_vec();
    values.dedup();
    values
}

/// Impulses are compared because each contact's impulse determines the velocity after the impact.
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
        let (theirs, ours) = (run.fmpy(&fmu, FmuType::ModelExchange), run.co_simulation(&fmu));
        for name in &impulses {
            let (theirs, ours) = (changes(&theirs.column(name)), changes(&ours.column(name)));
            // Both results lack some of the impacts that follow each other within a step.
            for (k, (a, b)) in theirs.iter().zip(&ours).take(IMPACTS).enumerate() {
                let apart = (a - b).abs();
                assert!(apart <= 1e-6 * (1.0 + b.abs()), "{}: {name} {k}: {a} {b}", fmu.name());
                compared += 1;
            }
        }
    }
    assert!(compared > 3 * IMPACTS, "{compared} impulses");
}

/// The number of impacts of all contacts so far.
fn impacts(simulation: &mut Simulation) -> f64 {
    let outputs = simulation.info().integers.iter().filter(|v| v.causality == Causality::Output);
    let counters = outputs.filter(|v| v.name.ends_with(".impacts"));
    counters.map(|counter| value(simulation, counter.name)).sum()
}

/// Parameters and start values.
type Starts = &'static [(&'static str, f64)];

/// A model whose contacts lose no energy.
struct Elastic {
    model: &'static str,
    set: Starts,
    /// The stop time in s, until which there are enough impacts.
    stop: f64,
}

const fn elastic(model: &'static str, stop: f64) -> Elastic {
    Elastic { model, set: &[], stop }
}

/// The models whose energy is compared with that at the start, during many impacts.
const ELASTIC: &[Elastic] = &[
    elastic("BouncingPendulum", 20.0),
    elastic("BouncingSpherical", 20.0),
    elastic("FiveBallCradle", 10.0),
    elastic("FourBarLoop", 20.0),
    elastic("MixedModel", 20.0),
    elastic("NewtonsCradle", 10.0),
    Elastic {
        set: &[("floor.elasticity", 1.0), ("floor.mu_R", 0.0)],
        ..elastic("RestingBall", 20.0)
    },
];

/// Simulates with a small tolerance through at least [`IMPACTS`] impacts.
fn through_impacts(
    simulation: &mut Simulation,
    starts: &[(&str, f64)],
    stop: f64,
    record: &[&str],
) -> TimeSeries {
    simulations::start(simulation, Some(1e-12), starts);
    let table = simulations::table(simulation, 1e-2, stop, record);
    let count = impacts(simulation);
    assert!(count >= IMPACTS as f64, "{simulation:?}: {count} impacts until {stop} s");
    table
}

#[test]
fn elastic_impacts_without_friction_keep_the_energy() {
    let mut failures = Vec::new();
    for Elastic { model, set, stop } in ELASTIC {
        let record = ["energy.kinetic", "energy.potential"];
        let table = through_impacts(&mut simulations::named(model), set, *stop, &record);
        let [kinetic, potential] = record.map(|name| table.column(name));
        let most = kinetic.iter().copied().fold(0.0, f64::max);
        let sums = kinetic.iter().zip(&potential).map(|(t, v)| t + v - kinetic[0] - potential[0]);
        let drift = sums.map(f64::abs).fold(0.0, f64::max) / most;
        if drift.is_nan() || drift > 1e-9 {
            failures.push(format!("{model}: the energy drifts by {drift:e}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Momentum and angular momentum about the origin of bodies that do not spin, and the sums of the
/// magnitudes of their parts.
fn momenta(table: &TimeSeries, bodies: &[(String, f64)]) -> Vec<([f64; 6], [f64; 2])> {
    let columns =
        |body: &str, local: &str| [1, 2, 3].map(|k| table.column(&format!("{body}.{local}[{k}]")));
    let mut all = vec![([0.0; 6], [0.0; 2]); table.rows.len()];
    for (body, m) in bodies {
        let (x, v) = (columns(body, "x"), columns(body, "v"));
        for (i, (sum, size)) in all.iter_mut().enumerate() {
            let (mut linear, mut angular) = (0.0, 0.0);
            for k in 0..3 {
                let (a, b) = ((k + 1) % 3, (k + 2) % 3);
                let moment = m * (x[a][i] * v[b][i] - x[b][i] * v[a][i]);
                sum[k] += m * v[k][i];
                sum[3 + k] += moment;
                linear += (m * v[k][i]).powi(2);
                angular += moment.powi(2);
            }
            size[0] += linear.sqrt();
            size[1] += angular.sqrt();
        }
    }
    all
}

#[test]
fn free_balls_keep_their_momenta_through_many_impacts() {
    let mut balls = simulations::named("Cp2");
    let bodies: Vec<(String, f64)> = (1..=5)
        .map(|n| format!("Body{n}"))
        .map(|body| {
            let m = value(&mut balls, &format!("{body}.m"));
            (body, m)
        })
        .collect();
    let vectors = |body: &str| {
        let each = |local: &'static str| (1..=3).map(move |k| (local, k));
        ["x", "v", "w"]
            .into_iter()
            .flat_map(each)
            .map(move |(local, k)| format!("{body}.{local}[{k}]"))
            .collect::<Vec<_>>()
    };
    let record: Vec<String> = bodies.iter().flat_map(|(body, _)| vectors(body)).collect();
    let record: Vec<&str> = record.iter().map(String::as_str).collect();
    let table = through_impacts(&mut balls, &[], 4.0, &record);
    for name in record.iter().filter(|name| name.contains(".w[")) {
        assert!(table.column(name).iter().all(|w| w.abs() <= 1e-12), "{name}: a ball spins");
    }
    let all = momenta(&table, &bodies);
    let largest = |k: usize| all.iter().map(|(_, size)| size[k]).fold(0.0, f64::max);
    let sizes = [largest(0), largest(1)];
    for (time, (sum, _)) in table.time.iter().zip(&all) {
        for k in 0..6 {
            let drift = (sum[k] - all[0].0[k]).abs() / sizes[k / 3];
            assert!(drift <= 1e-10, "t={time}: momentum {k} drifts by {drift:e}");
        }
    }
}

/// Makes steps of 1 s of a model. Returns the number of impacts, or the reason why a step fails.
fn seconds(
    simulation: &mut Simulation,
    starts: &[(&str, f64)],
    steps: u32,
) -> Result<f64, simulation::Error> {
    simulations::start(simulation, None, starts);
    (1..=steps).try_for_each(|k| simulation.run_to(f64::from(k)))?;
    Ok(impacts(simulation))
}

#[test]
fn thousands_of_bounces_in_a_step_end_in_rest_or_continue() {
    let mut ball = simulations::named("RestingBall");
    // 1147 bounces within a tenth of a second, each with 0.99 of the previous speed, until they are
    // lower than the 1e-10 m within which the relation keeps its value.
    let fast = [("world.g", 9.81e6), ("floor.elasticity", 0.99)];
    let count = seconds(&mut ball, &fast, 1).expect("it rests");
    let first = (2.0 * 9.81e6_f64).sqrt();
    let last = (2.0 * 9.81e6_f64 * 1e-10).sqrt();
    let expected = (last / first).ln() / 0.99_f64.ln();
    assert_eq!(value(&mut ball, "floor.closed"), 1.0);
    assert!((count - expected).abs() <= 2.0, "{count} {expected}");
    // 11180 bounces in a second without losses: one in every two times of fall.
    let elastic = [("world.g", 1e9), ("floor.elasticity", 1.0), ("floor.mu_R", 0.0)];
    let count = seconds(&mut ball, &elastic, 1).expect("it continues");
    let expected = 0.5 * (1e9_f64 / 2.0).sqrt();
    assert_eq!(value(&mut ball, "floor.closed"), 0.0);
    assert!((count - expected).abs() <= 1.0, "{count} {expected}");
    // A row of five balls, of which one or the other flies: about 2700 impacts in a second.
    let mut cradle = simulations::named("FiveBallCradle");
    let count = seconds(&mut cradle, &[("world.g", 1e7)], 1).expect("it continues");
    assert!(count > 2500.0, "{count}");
}

#[test]
fn bounces_that_do_not_end_stop_a_step_with_the_name_of_the_contact() {
    // Without a speed of rest, or with one below the rounding errors, bounces become shorter and
    // shorter.
    let never: [(&str, Starts, &str); 5] = [
        ("BouncingPendulum", &[("CollisionSpherePlane1.elasticity", 0.5)], "CollisionSpherePlane1"),
        ("MixedModel", &[("CollisionSpherePlane1.elasticity", 0.0)], "CollisionSpherePlane1"),
        (
            "BouncingPendulum",
            &[("CollisionSpherePlane1.elasticity", 0.9), ("World3D1.g", 1e6)],
            "CollisionSpherePlane1",
        ),
        ("RestingBall", &[("world.g", 1e9), ("floor.elasticity", 0.999)], "floor"),
        (
            "RestingBall",
            &[("world.g", 9.81e6), ("floor.elasticity", 0.99), ("floor.v_small", 1e-9)],
            "floor",
        ),
    ];
    for (model, starts, contact) in never {
        let ended = seconds(&mut simulations::named(model), starts, 5);
        let why = ended.expect_err("bounces without end").to_string();
        let sentence = format!("events follow one another without progress: {contact}: frames ");
        assert!(why.contains(&sentence), "{model}: {why}");
    }
}
