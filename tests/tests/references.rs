//! The published results of the Modelica Association, and what mechanics itself says of the models.

use coupler_tests::curves::{Table, distance, largest, published, range};
use coupler_tests::runs::Run;
use coupler_tests::{Fmu, Harness, Instance, Kind, root};

/// Simulates by Co-Simulation with a communication point at each time.
fn sample(fmu: &Fmu, tolerance: f64, time: &[f64], names: &[String]) -> Table {
    let harness = Harness::new(fmu);
    let instance = harness.instantiate(fmu, Kind::CoSimulation);
    instance.start(Some(tolerance), &[]);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut now = 0.0;
    let mut table = Table::default();
    for t in time {
        if *t > now {
            instance.step(now, t - now);
            now = *t;
        }
        table.time.push(*t);
        table.rows.push(instance.values(&names));
    }
    table.names = names.iter().map(|n| (*n).to_owned()).collect();
    table
}

/// Compares Real signals with published ones within `limit` of each signal's range.
fn compare(
    fmu: &Fmu,
    tolerance: f64,
    reference: &Table,
    limit: impl Fn(&str) -> f64,
    ranges: &Table,
) {
    let reference = reference.after_events();
    let result = sample(fmu, tolerance, &reference.time, &reference.names);
    for name in &reference.names {
        let (ours, theirs) = (result.column(name), reference.column(name));
        let scale = range(&ranges.column(name));
        let apart = largest(ours.iter().zip(&theirs).map(|(a, b)| (a - b).abs())) / scale;
        let limit = limit(name);
        assert!(apart <= limit, "{}: {name} differs by {apart:e} of its range", fmu.name());
    }
}

/// A dozen figures of a model, quoted in the project's own tests.
fn quoted(name: &str) -> Table {
    Table::read(&root().join(format!("tests/figures/{name}.csv")))
}

fn only(table: &Table, keep: impl Fn(&str) -> bool) -> Table {
    let kept: Vec<usize> = (0..table.names.len()).filter(|i| keep(&table.names[*i])).collect();
    let pick = |row: &Vec<f64>| kept.iter().map(|i| row[*i]).collect();
    Table {
        names: kept.iter().map(|i| table.names[*i].clone()).collect(),
        time: table.time.clone(),
        rows: table.rows.iter().map(pick).collect(),
    }
}

#[test]
fn four_bar_linkages_follow_the_published_curves() {
    for name in ["Fourbar1", "Fourbar2"] {
        let fmu = Fmu::named(name);
        let figures = quoted(name);
        for tolerance in [fmu.tolerance(), 1e-9] {
            compare(&fmu, tolerance, &figures, |_| 1e-3, &figures);
            if let Some(reference) = published(&format!("MultiBody.Loops/{name}")) {
                compare(&fmu, tolerance, &reference, |_| 1e-3, &reference);
            }
        }
    }
}

fn is_motion(name: &str) -> bool {
    !name.contains(".mode") && !name.contains(".start")
}

#[test]
fn coupled_clutches_follow_the_published_curves() {
    let fmu = Fmu::named("CoupledClutches");
    let figures = only(&quoted("CoupledClutches"), is_motion);
    for tolerance in [fmu.tolerance(), 1e-9] {
        compare(&fmu, tolerance, &figures, |_| 2e-4, &figures);
        if let Some(reference) = published("Rotational/CoupledClutches") {
            let reference = only(&reference, is_motion);
            compare(&fmu, tolerance, &reference, |_| 2e-4, &reference);
        }
    }
}

const CLUTCH_MODES: [&str; 3] = ["clutch1.mode", "clutch2.mode", "clutch3.mode"];

/// The modes of the three clutches from the instant given on (published results, and two more
/// digits of the instants from an independent simulation of the same equations).
const CLUTCH_EVENTS: [(f64, [f64; 3]); 10] = [
    (0.0, [-1.0, 2.0, 2.0]),
    (0.4, [-1.0, -1.0, 2.0]),
    (0.709_621_5, [-1.0, 0.0, 2.0]),
    (0.791_662_4, [0.0, 0.0, 2.0]),
    (0.831_108_5, [-1.0, 0.0, 2.0]),
    (0.9, [-1.0, 0.0, -1.0]),
    (0.906_850_2, [0.0, 0.0, -1.0]),
    (1.000_295_9, [-1.0, 0.0, -1.0]),
    (1.143_967_5, [-1.0, 0.0, 0.0]),
    (1.25, [2.0, 0.0, 0.0]),
];

/// Finds the instants at which any of some variables changes, by halving communication steps.
fn changes(instance: &Instance, names: &[&str], stop: f64) -> Vec<(f64, Vec<f64>)> {
    const H: f64 = 1e-3;
    const CLOSE: f64 = 2e-7;
    let mut now = 0.0;
    let mut found = vec![(0.0, instance.values(names))];
    while now < stop - 1e-9 {
        let before = instance.values(names);
        let mut h = H.min(stop - now);
        instance.ok("get_state", "0");
        instance.step(now, h);
        if instance.values(names) != before {
            let mut unchanged = 0.0;
            while h - unchanged > CLOSE {
                let middle = 0.5 * (unchanged + h);
                instance.ok("set_state", "0");
                instance.step(now, middle);
                if instance.values(names) == before {
                    unchanged = middle;
                } else {
                    h = middle;
                }
            }
            instance.ok("set_state", "0");
            instance.step(now, h);
            found.push((now + h, instance.values(names)));
        }
        now += h;
    }
    found
}

#[test]
fn coupled_clutches_change_their_modes_in_the_published_order_at_the_published_times() {
    let fmu = Fmu::named("CoupledClutches");
    for tolerance in [fmu.tolerance(), 1e-9] {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, Kind::CoSimulation);
        instance.start(Some(tolerance), &[]);
        let found = changes(&instance, &CLUTCH_MODES, 1.5);
        let modes: Vec<&[f64]> = found.iter().map(|(_, modes)| modes.as_slice()).collect();
        let expected: Vec<&[f64]> = CLUTCH_EVENTS.iter().map(|(_, m)| m.as_slice()).collect();
        assert_eq!(modes, expected, "{found:?}");
        for ((ours, _), (theirs, modes)) in found.iter().zip(CLUTCH_EVENTS) {
            assert!((ours - theirs).abs() <= 1e-5, "{modes:?}: {ours} instead of {theirs}");
        }
    }
}

#[test]
fn coupled_clutches_are_in_the_published_modes_at_every_published_time() {
    let fmu = Fmu::named("CoupledClutches");
    let near_event = |t: f64| CLUTCH_EVENTS.iter().any(|(e, _)| (t - e).abs() < 1e-5);
    let figures = quoted("CoupledClutches");
    for reference in [Some(figures), published("Rotational/CoupledClutches")].into_iter().flatten()
    {
        let reference = only(&reference.after_events(), |name| name.ends_with(".mode"));
        let result = sample(&fmu, 1e-6, &reference.time, &reference.names);
        for (i, t) in reference.time.iter().enumerate().filter(|(_, t)| !near_event(**t)) {
            assert_eq!(result.rows[i], reference.rows[i], "at {t} s");
        }
    }
}

/// The geometry of Fourbar2 in its own formulas: half a metre of crank, a slider, a rod between.
struct Fourbar2;

impl Fourbar2 {
    const ROD: f64 = 1.1;
    const DENSITY: f64 = 7700.0;
    const DIAMETER: f64 = 0.05;
    const GRAVITY: f64 = 9.80665;

    /// The rod's length less that which it was made with, in m.
    fn residual(phi: f64, s: f64) -> f64 {
        let (sin, cos) = phi.sin_cos();
        let (y, z) = (0.5 * cos - 0.1 * sin, 0.5 * sin + 0.1 * cos);
        let rod = [1.2 + s, 0.2 - y, -z];
        rod.iter().map(|r| r * r).sum::<f64>().sqrt() - Fourbar2::ROD.sqrt()
    }

    /// Kinetic and potential energy in J of crank and slider; the rod has no mass.
    fn energy(phi: f64, w: f64, v: f64) -> f64 {
        let radius = Fourbar2::DIAMETER / 2.0;
        let area = std::f64::consts::PI * radius * radius;
        let length = (0.5f64 * 0.5 + 0.1 * 0.1).sqrt();
        let crank = Fourbar2::DENSITY * area * length;
        let inertia = crank * (length * length / 3.0 + radius * radius / 4.0);
        let slider = Fourbar2::DENSITY * area * 0.2;
        let height = 0.5 * (0.5 * phi.cos() - 0.1 * phi.sin());
        0.5 * inertia * w * w + 0.5 * slider * v * v + crank * Fourbar2::GRAVITY * height
    }
}

#[test]
fn the_rod_of_fourbar2_keeps_its_length_at_every_communication_point() {
    let fmu = Fmu::named("Fourbar2");
    let run = Run { record: &["j1.phi", "j2.s"], ..Run::of(&fmu, 1e-3) };
    let table = run.co_simulation(&fmu);
    let residual = |row: &Vec<f64>| Fourbar2::residual(row[0], row[1]).abs();
    let worst = largest(table.rows.iter().map(residual));
    assert!(worst <= 1e-10, "{worst:e} m");
}

#[test]
fn the_energy_of_fourbar2_does_not_drift() {
    let fmu = Fmu::named("Fourbar2");
    let record = &["j1.phi", "j1.w", "j2.v"];
    let run = Run { tolerance: Some(1e-10), record, ..Run::of(&fmu, 1e-2) };
    let table = run.co_simulation(&fmu);
    let energy: Vec<f64> =
        table.rows.iter().map(|row| Fourbar2::energy(row[0], row[1], row[2])).collect();
    let worst = largest(energy.iter().map(|e| (e - energy[0]).abs())) / energy[0].abs();
    assert!(worst <= 1e-8, "{worst:e} of {} J", energy[0]);
}

#[test]
fn a_ball_bounces_at_the_times_of_the_closed_solution() {
    let fmu = Fmu::named("BouncingBall");
    let harness = Harness::new(&fmu);
    let instance = harness.instantiate(&fmu, Kind::CoSimulation);
    instance.start(Some(1e-9), &[]);
    let [g, e, h0] = ["g", "e", "h"].map(|name| instance.get(name));
    let first = (2.0 * h0 / g).sqrt();
    let mut worst: f64 = 0.0;
    for i in 0..150 {
        let t = f64::from(i) * 0.01;
        instance.step(t, 0.01);
        // Flights of shrinking duration, each a parabola that starts on the floor.
        let now = t + 0.01;
        let (mut begin, mut speed) = (first, e * g * first);
        while now > begin + 2.0 * speed / g {
            begin += 2.0 * speed / g;
            speed *= e;
        }
        let since = now - begin;
        let height = if now < first {
            h0 - 0.5 * g * now * now
        } else {
            speed * since - 0.5 * g * since * since
        };
        worst = worst.max((instance.get("h") - height).abs());
    }
    assert!(worst <= 1e-8, "{worst:e} m");
}

#[test]
fn a_ball_comes_to_rest_on_the_floor() {
    let fmu = Fmu::named("BouncingBall");
    let run = Run { stop: 10.0, ..Run::of(&fmu, 0.01) };
    let table = run.co_simulation(&fmu);
    let heights = table.column("h");
    assert!(heights.iter().all(|h| *h > -1e-6), "it never falls through the floor");
    assert!(heights[heights.len() - 1].abs() < 1e-6, "it lies on the floor at the end");
    assert_eq!(table.column("v").last(), Some(&0.0), "it does not move at the end");
}

#[test]
fn distance_notices_what_a_comparison_must_notice() {
    assert!(distance(&[0.0, 1.1], &[0.0, 1.0]) > 0.09);
    assert!(distance(&[0.0, f64::NAN], &[0.0, 1.0]).is_infinite());
}
