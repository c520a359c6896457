//! Tests that the communication step does not matter: any two give the same curves and the same
//! events.

use coupler_tests::curves::{Columns, TimeSeries, distance};
use coupler_tests::harness::{Instantiation, Message, bits};
use coupler_tests::runs::Run;
use coupler_tests::{Fmu, Harness};

/// A simulation with some communication step and the events that the FMU logged in it.
fn simulate(fmu: &Fmu, h: f64) -> (TimeSeries, Vec<Message>) {
    let harness = Harness::new(fmu);
    let with = Instantiation { logging: true, ..Instantiation::of(fmu) };
    let instance = harness.try_instantiate(fmu, &with).expect("it starts");
    let run = Run::of(fmu, h);
    instance.start(run.tolerance, run.starts);
    let table = run.steps_of(&instance);
    let mut log = harness.log();
    log.retain(|message| message.category == "logEvents");
    (table, log)
}

/// Compares two simulations at common communication points: `a` steps of the first are as long as
/// `b` steps of the second.
fn compare(fmu: &Fmu, first: &TimeSeries, a: usize, second: &TimeSeries, b: usize, what: &str) {
    for name in &first.names {
        let thin = |table: &TimeSeries, every| -> Vec<f64> {
            table.column(name).into_iter().step_by(every).collect()
        };
        let (mut one, mut other) = (thin(first, a), thin(second, b));
        let common = one.len().min(other.len());
        one.truncate(common);
        other.truncate(common);
        let apart = distance(&one, &other);
        assert!(apart <= 10.0 * fmu.tolerance(), "{}: {name}: {what}: {apart:e}", fmu.name());
    }
}

// FMI: A091, B035, C016, canHandleVariableCommunicationStepSize
#[test]
fn the_communication_step_does_not_change_curves_or_the_number_of_events() {
    for fmu in Fmu::all() {
        let mut events: Vec<(f64, usize)> = Vec::new();
        // Experiments of less than a second have as many steps as one of a second, and those of
        // more than ten seconds as many as one of ten seconds.
        let stop = fmu.stop_time();
        let scale = if stop < 1.0 { stop } else { (0.1 * stop).max(1.0) };
        for h in [1e-3 * scale, 1e-2 * scale] {
            let (base, base_log) = simulate(&fmu, h);
            let (small, small_log) = simulate(&fmu, h / 10.0);
            let (odd, odd_log) = simulate(&fmu, 7.0 * h / 3.0);
            compare(&fmu, &small, 10, &base, 1, &format!("{h} and {h}/10"));
            compare(&fmu, &odd, 3, &base, 7, &format!("{h} and 7/3 {h}"));
            events.push((h, base_log.len()));
            events.push((h / 10.0, small_log.len()));
            // The last multiple of the odd step may lie before the last event.
            let end = odd.time.last().copied().unwrap_or_default();
            if (end - base.time[base.time.len() - 1]).abs() < 1e-9 {
                events.push((7.0 * h / 3.0, odd_log.len()));
            }
        }
        let same = events.iter().all(|(_, count)| *count == events[0].1);
        assert!(same, "{}: step and number of events: {events:?}", fmu.name());
    }
}

#[test]
fn a_step_of_length_zero_changes_nothing() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let with_zeros = harness.instantiate(&fmu, coupler_tests::FmuType::CoSimulation);
        let without = harness.instantiate(&fmu, coupler_tests::FmuType::CoSimulation);
        with_zeros.start(None, fmu.starts());
        without.start(None, fmu.starts());
        let h = (fmu.stop_time() / 100.0).min(0.01);
        let mut t = 0.0;
        for _ in 0..100 {
            with_zeros.step(t, 0.0);
            // The solver may start in such a step.
            let [one, other] = [&with_zeros, &without].map(|i| i.everything_but_work());
            assert!(one == other, "{} at {t}", fmu.name());
            with_zeros.step(t, h);
            without.step(t, h);
            t += h;
        }
    }
}

// FMI: B035, B041
#[test]
fn one_step_over_the_whole_experiment_ends_where_a_thousand_do() {
    for fmu in Fmu::all() {
        let stop = fmu.stop_time();
        let one = Run::of(&fmu, stop).co_simulation(&fmu);
        let thousand = Run::of(&fmu, stop / 1000.0).co_simulation(&fmu);
        for name in &one.names {
            let curve = thousand.column(name);
            let last = one.column(name)[1];
            // The difference is relative to the range of the whole curve.
            let mut shifted = curve.clone();
            *shifted.last_mut().expect("rows") = last;
            let apart = distance(&shifted, &curve);
            assert!(apart <= 10.0 * fmu.tolerance(), "{}: {name}: {apart:e}", fmu.name());
        }
    }
}

// FMI: A095, B038
#[test]
fn an_input_ramp_crosses_a_threshold_inside_a_step_at_its_exact_instant() {
    let fmu = Fmu::named("Drivetrain");
    let engage = fmu.variable("engage").value_reference;
    for (start, slope) in [(-0.5, 1.0), (-0.3, 0.7), (-1.0, 3.0)] {
        let harness = Harness::new(&fmu);
        let with = Instantiation { logging: true, ..Instantiation::of(&fmu) };
        let instance = harness.try_instantiate(&fmu, &with).expect("it starts");
        // The motor runs, so that the clutch slides from the instant at which it is pressed.
        instance.start(None, &[("engage", start), ("motor.w", 50.0)]);
        harness.log();
        instance.ok("set_input_derivatives", &format!("1 {engage} 1 {}", bits(slope)));
        instance.step(0.0, 1.0);
        let log = harness.log();
        let message = log.iter().find(|message| message.text.contains("clutch.mode: Free ->"));
        let message = message.unwrap_or_else(|| panic!("the clutch is never pressed: {log:?}"));
        let time = message.text.split(['=', ' ']).nth(1).expect("a time");
        let time: f64 = time.parse().expect("a time");
        let exact = -start / slope;
        assert!((time - exact).abs() <= 1e-9, "{time} instead of {exact}");
    }
}
