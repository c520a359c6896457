//! Tests of models against the published results of the Modelica Association and against analytic
//! solutions.

use coupler_tests::curves::{Columns, TimeSeries, distance, largest};
use coupler_tests::mechanisms::SECTION;
use coupler_tests::published::{PUBLISHED, PublishedExample, reference_folder};
use coupler_tests::simulations::{self, run_to, value, values};
use coupler_tests::validation::{PublishedComparison, compare, limit_of, played, tolerance};
use coupler_tests::{root, skipped};
use fmu_builder::compare::Deviation;
use std::sync::OnceLock;

/// Models with their comparisons with published results.
type Comparisons = Vec<(&'static PublishedExample, PublishedComparison)>;

/// Compares every model with the published results, with its own tolerance and with a strict one.
fn comparisons(table_of: impl Fn(&PublishedExample) -> TimeSeries) -> Comparisons {
    let mut all = Vec::new();
    for published in PUBLISHED {
        let fmu = played(published.model);
        let table = table_of(published);
        for tolerance in [tolerance(&fmu), 1e-9] {
            all.push((published, compare(&fmu, &table, tolerance)));
        }
    }
    all
}

/// The comparisons of every model with the figures that the repository quotes.
fn quoted() -> &'static Comparisons {
    static ALL: OnceLock<Comparisons> = OnceLock::new();
    ALL.get_or_init(|| comparisons(PublishedExample::figures))
}

/// The comparisons of every model with the whole curves, if an environment variable names their
/// folder; otherwise the test is skipped.
fn whole() -> Option<&'static Comparisons> {
    static ALL: OnceLock<Comparisons> = OnceLock::new();
    let Some(folder) = reference_folder() else {
        skipped("COUPLER_REFERENCE names no folder of whole published curves");
        return None;
    };
    Some(ALL.get_or_init(|| comparisons(|published| published.curves(&folder))))
}

/// Asserts that errors of signals are within their limits.
fn signals_are_near(comparisons: &Comparisons) {
    for (published, comparison) in comparisons {
        for signal in &comparison.signals {
            let Deviation { name, error, .. } = signal;
            let good = *error <= limit_of(signal, published.limit);
            let (model, tolerance) = (published.model, comparison.tolerance);
            assert!(good, "{model}: {name} differs by {error:e} at tolerance {tolerance:e}");
        }
    }
}

/// Asserts that modes change in the same order at the same times.
fn modes_change_alike(comparisons: &Comparisons) {
    for (published, comparison) in comparisons {
        for modes in comparison.modes.iter().filter(|m| !published.open.contains(&&*m.name)) {
            let good = modes.apart().is_some_and(|apart| apart <= published.instants);
            let (model, tolerance) = (published.model, comparison.tolerance);
            assert!(good, "{model} at tolerance {tolerance:e}: {modes:?}");
        }
    }
}

#[test]
fn models_have_the_published_figures() {
    signals_are_near(quoted());
}

#[test]
fn models_follow_the_whole_published_curves() {
    whole().into_iter().for_each(signals_are_near);
}

#[test]
fn modes_change_in_the_published_order_at_the_published_times() {
    modes_change_alike(quoted());
}

#[test]
fn modes_change_as_in_the_whole_published_curves() {
    whole().into_iter().for_each(modes_change_alike);
}

#[test]
fn the_document_lists_every_model_and_signal_with_published_results() {
    let text = std::fs::read_to_string(root().join("docs/validation.md")).expect("the document");
    let sections: Vec<&str> = text.split("\n### ").skip(1).collect();
    let of = |section: &&str, model: &str| section.lines().next() == Some(model);
    for (PublishedExample { model, .. }, comparison) in quoted() {
        let section = sections.iter().find(|section| of(section, model));
        let section = section.unwrap_or_else(|| panic!("`cargo xtask reference` adds {model}"));
        for Deviation { name, .. } in &comparison.signals {
            assert!(section.contains(&format!("| `{name}` |")), "{model} without {name}");
        }
    }
    assert_eq!(sections.len(), PUBLISHED.len(), "the document has models that are not published");
}

#[test]
fn the_document_lists_mechanisms_of_the_literature() {
    let text = std::fs::read_to_string(root().join("docs/validation.md")).expect("the document");
    assert!(text.contains(SECTION), "`cargo xtask reference` writes it again");
}

#[test]
fn the_comparison_notices_late_and_missing_changes_and_wrong_values() {
    let fmu = played("CoupledClutches");
    let published = PUBLISHED.iter().find(|p| p.model == "CoupledClutches").expect("it is listed");
    let figures = published.figures();
    let mode = figures.index("clutch1.mode");
    let speed = figures.index("J1.w");
    let apart = |table: &TimeSeries| {
        let modes = compare(&fmu, table, 1e-6).modes;
        modes.iter().find(|m| m.name == "clutch1.mode").expect("a mode").apart()
    };
    assert!(apart(&figures).is_some_and(|apart| apart < published.instants));

    let mut late = figures.clone();
    late.time.iter_mut().filter(|t| (**t - 0.7917).abs() < 1e-3).for_each(|t| *t += 1e-3);
    assert!(apart(&late).is_some_and(|apart| apart > published.instants), "{:?}", apart(&late));

    let mut missing = figures.clone();
    missing.rows.iter_mut().for_each(|row| row[mode] = row[mode].min(0.0));
    assert_eq!(apart(&missing), None);

    let signal_of = |table: &TimeSeries| {
        let signals = compare(&fmu, table, 1e-6).signals;
        signals.into_iter().find(|s| s.name == "J1.w").expect("a signal")
    };
    assert!(signal_of(&figures).error <= published.limit);
    let mut wrong = figures.clone();
    wrong.rows[1][speed] += 0.1;
    assert!(signal_of(&wrong).error > published.limit);
    // A signal that should be constant has no range to which errors could be relative.
    let mut rest = figures.clone();
    rest.rows.iter_mut().for_each(|row| row[speed] *= 1e-15);
    let signal = signal_of(&rest);
    assert!(signal.range.is_none() && signal.error > limit_of(&signal, published.limit));
}

/// A model's default experiment with a tolerance, in communication steps of `h` in s.
fn table(model: &str, tolerance: Option<f64>, h: f64, record: &[&str]) -> TimeSeries {
    let mut simulation = simulations::named(model);
    simulations::start(&mut simulation, tolerance, &[]);
    let stop = simulation.info().stop_time;
    simulations::table(&mut simulation, h, stop, record)
}

/// The geometry of Fourbar2 in formulas of its own: a crank of half a metre, a slider, and a rod
/// between them.
struct Fourbar2;

impl Fourbar2 {
    const ROD: f64 = 1.1;
    const DENSITY: f64 = 7700.0;
    const DIAMETER: f64 = 0.05;
    const GRAVITY: f64 = 9.80665;

    /// The difference of the rod's length from its length at the start, in m.
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
    let table = table("Fourbar2", None, 1e-3, &["j1.phi", "j2.s"]);
    let residual = |row: &Vec<f64>| Fourbar2::residual(row[0], row[1]).abs();
    let worst = largest(table.rows.iter().map(residual));
    assert!(worst <= 1e-10, "{worst:e} m");
}

#[test]
fn the_energy_of_fourbar2_does_not_drift() {
    let table = table("Fourbar2", Some(1e-10), 1e-2, &["j1.phi", "j1.w", "j2.v"]);
    let energy: Vec<f64> =
        table.rows.iter().map(|row| Fourbar2::energy(row[0], row[1], row[2])).collect();
    let worst = largest(energy.iter().map(|e| (e - energy[0]).abs())) / energy[0].abs();
    assert!(worst <= 1e-8, "{worst:e} of {} J", energy[0]);
}

/// The position in m on an ellipse of a body that a point of unit gravity attracts, `t` s after it
/// was at `r` in m with the velocity `v` in m/s.
fn on_an_ellipse([x, y]: [f64; 2], [vx, vy]: [f64; 2], t: f64) -> [f64; 2] {
    let distance = x.hypot(y);
    let a = 1.0 / (2.0 / distance - (vx * vx + vy * vy));
    let momentum = x * vy - y * vx;
    // The eccentricity vector points from the centre to the nearest point.
    let (ex, ey) = (vy * momentum - x / distance, -vx * momentum - y / distance);
    let e = ex.hypot(ey);
    let start = ((x * vx + y * vy) / a.sqrt()).atan2(1.0 - distance / a);
    let mean = start - e * start.sin() + t / (a * a.sqrt());
    let mut angle = mean;
    for _ in 0..100 {
        angle -= (angle - e * angle.sin() - mean) / (1.0 - e * angle.cos());
    }
    let along = a * (angle.cos() - e) / e;
    let across = (a * (1.0 - e * e).sqrt() * angle.sin() / e).copysign(momentum * angle.sin());
    [along * ex - across * ey, along * ey + across * ex]
}

#[test]
fn bodies_in_the_field_of_a_point_move_as_kepler_says() {
    let starts = [([0.0, 0.6], [1.0, 0.0]), ([0.6, 0.6], [0.6, 0.0])];
    let table = table("PointGravity", Some(1e-10), 0.1, &["x1", "y1", "x2", "y2"]);
    let errors = table.time.iter().zip(&table.rows).flat_map(|(t, row)| {
        starts.iter().zip(row.chunks(2)).flat_map(|((r, v), ours)| {
            let exact = on_an_ellipse(*r, *v, *t);
            [ours[0] - exact[0], ours[1] - exact[1]].map(f64::abs)
        })
    });
    let worst = largest(errors.collect::<Vec<f64>>());
    assert!(worst < 1e-7, "{worst:e} m");
}

#[test]
fn a_ball_bounces_at_the_times_of_the_closed_solution() {
    let mut ball = simulations::named("BouncingBall");
    simulations::start(&mut ball, Some(1e-9), &[]);
    let [g, e, h0] = values(&mut ball, ["g", "e", "h"]);
    let first = (2.0 * h0 / g).sqrt();
    let mut worst: f64 = 0.0;
    for i in 1..=150 {
        let now = f64::from(i) * 0.01;
        run_to(&mut ball, now);
        // Flights of shrinking duration, each a parabola that starts on the floor.
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
        worst = worst.max((value(&mut ball, "h") - height).abs());
    }
    assert!(worst <= 1e-8, "{worst:e} m");
}

#[test]
fn a_ball_comes_to_rest_on_the_floor() {
    let mut ball = simulations::named("BouncingBall");
    simulations::start(&mut ball, None, &[]);
    let table = simulations::table(&mut ball, 0.01, 10.0, &["h", "v"]);
    let heights = table.column("h");
    assert!(heights.iter().all(|h| *h > -1e-6), "it never falls through the floor");
    assert!(heights[heights.len() - 1].abs() < 1e-6, "it lies on the floor at the end");
    assert_eq!(table.column("v").last(), Some(&0.0), "it does not move at the end");
}

/// The speed in rad/s of the first of two inertias that start at rest, are joined by a spring
/// without damping, and are driven by a sine.
fn speed_on_a_spring(t: f64) -> f64 {
    let [first, second, stiffness, amplitude]: [f64; 4] = [1.1, 2.2, 1e4, 10.0];
    let (total, frequency) = (first + second, 4.0 * std::f64::consts::PI);
    let own = (stiffness * (1.0 / first + 1.0 / second)).sqrt();
    let common = amplitude / frequency * (1.0 - (frequency * t).cos()) / total;
    let relative = amplitude / first * frequency / (own * own - frequency * frequency)
        * ((own * t).cos() - (frequency * t).cos());
    common - second / total * relative
}

#[test]
fn inertias_on_a_spring_swing_as_the_closed_solution_says() {
    let table = table("RotationalGenerationOfFmus", Some(1e-10), 1e-3, &["inertia3a.w"]);
    let closed: Vec<f64> = table.time.iter().map(|t| speed_on_a_spring(*t)).collect();
    let error = distance(&table.column("inertia3a.w"), &closed);
    assert!(error < 1e-8, "{error:e}");
}

#[test]
fn the_distance_shows_every_difference_that_a_comparison_must_notice() {
    assert!(distance(&[0.0, 1.1], &[0.0, 1.0]) > 0.09);
    assert!(distance(&[0.0, f64::NAN], &[0.0, 1.0]).is_infinite());
}
