//! Samplers of an author's own: the first sample is at the start if it is due there.

use crate::common::{program_with, run_to, simulation_of, value};
use equations::{Ex, Model, select};
use fmu_runtime::Simulation;

/// A model without components.
fn model(add: impl FnOnce(&mut Model)) -> Simulation {
    simulation_of(&program_with(|_| (), add).expect("a sound model"))
}

/// Counts samples, and keeps the time of the last one.
fn count(m: &mut Model, tick: equations::Bool) {
    let (time, last) = (m.time(), m.discrete("last", -1.0).done());
    let n = m.discrete("n", 0.0).done();
    m.update(n, select(tick, n.pre() + 1.0, n.pre()));
    m.update(last, select(tick, time, last.pre()));
}

/// A sampler that computes the next instant from the number of samples.
fn by_number(m: &mut Model) {
    let k = m.discrete("k", 0.0).done();
    let due = m.time_relation("due", 0.01 * k.pre());
    let tick = m.when("tick", due);
    m.update(k, select(tick, k.pre() + 1.0, k.pre()));
    count(m, tick);
}

#[test]
fn a_sampler_that_is_due_at_the_start_samples_there() {
    let periodic = |m: &mut Model| {
        let tick = m.sample("tick", 0.0, 0.01);
        count(m, tick);
    };
    for name in ["number", "sample"] {
        let mut model = model(|m| if name == "number" { by_number(m) } else { periodic(m) });
        model.start(None).unwrap();
        assert_eq!((value(&mut model, "n"), value(&mut model, "last")), (1.0, 0.0), "{name}");
        assert_eq!(model.next_event_time().ok(), Some(0.01), "{name}");
        for k in 1..100 {
            run_to(&mut model, 0.01 * f64::from(k) + 0.005);
            let found = (value(&mut model, "n"), value(&mut model, "last"));
            assert_eq!(found, (f64::from(k) + 1.0, 0.01 * f64::from(k)), "{name}");
        }
    }
}

#[test]
fn a_sampler_with_a_condition_samples_at_the_start_too() {
    let mut model = model(|m| {
        let enabled = m.parameter("enabled", 1.0).done().gt(0.5);
        let k = m.discrete("k", 0.0).done();
        let due = m.time_relation("due", 0.01 * k.pre());
        let tick = m.when("tick", due & enabled);
        m.update(k, select(tick, k.pre() + 1.0, k.pre()));
        count(m, tick);
    });
    model.start(None).unwrap();
    run_to(&mut model, 0.095);
    assert_eq!(value(&mut model, "n"), 10.0);
}

#[test]
fn samples_that_were_missed_are_made_up_for_or_the_start_fails() {
    let mut late = model(by_number);
    late.start_at(0.305, None).unwrap();
    assert_eq!((value(&mut late, "n"), value(&mut late, "last")), (31.0, 0.305));
    assert_eq!(late.next_event_time().ok(), Some(0.31));

    let refusal = model(by_number).start_at(1e6, None).unwrap_err().to_string();
    assert!(refusal.contains("the event iteration does not end"), "{refusal}");
}

#[test]
fn the_first_sample_is_the_first_instant_that_is_not_before_the_start() {
    for interval in [1.0, 0.1, 0.01, 1.0 / 3.0] {
        for (begin, whole) in
            [(0.0, true), (3.0, true), (-2.5, false), (1.7e9, true), (7.25, false)]
        {
            let mut model = model(|m| {
                let interval = m.parameter("interval", interval).done();
                let tick = m.sample("tick", 0.0, interval);
                count(m, tick);
            });
            model.start_at(begin, None).unwrap();
            let place = format!("{begin} s, {interval} s");
            // Whether the start is an instant.
            let now = begin >= 0.0 && (whole || (begin / interval).fract() == 0.0);
            assert_eq!(value(&mut model, "n"), f64::from(u8::from(now)), "{place}");
            let next = model.next_event_time().unwrap();
            let distance = next - begin;
            if begin < 0.0 {
                assert_eq!(next, 0.0);
            } else {
                let error = 1e-9 + begin * 4.0 * f64::EPSILON;
                assert!(distance > 0.0 && distance <= interval + error, "{place}: {distance}");
            }
            run_to(&mut model, next + 9.5 * interval);
            assert_eq!(value(&mut model, "n"), f64::from(u8::from(now)) + 10.0, "{place}");
        }
    }
}

#[test]
fn an_instant_that_is_not_after_the_start_is_an_event_at_the_start_and_no_other() {
    for (begin, instant) in [(0.0, 0.0), (5.0, 2.0), (0.0, 2.0)] {
        let mut model = model(|m| {
            let instant = m.parameter("instant", instant).tunable().done();
            let late = m.time_relation("late", instant);
            let tick = m.when("tick", late);
            count(m, tick);
        });
        model.start_at(begin, None).unwrap();
        let at_start = instant <= begin;
        assert_eq!(value(&mut model, "n"), f64::from(u8::from(at_start)));
        run_to(&mut model, begin + 9.0);
        assert_eq!((value(&mut model, "n"), value(&mut model, "last")), (1.0, begin.max(instant)));
        model.set("instant", instant + 0.5).unwrap();
        run_to(&mut model, begin + 10.0);
        assert_eq!(value(&mut model, "n"), 1.0, "an instant that has passed");
    }
}

#[test]
fn a_state_that_is_above_a_level_from_the_start_does_not_rise_above_it() {
    let mut model = model(|m| {
        let x = m.state("x", 1.0).done();
        m.derivative(x, Ex::from(0.0));
        let above = m.relation("above", x).done();
        let tick = m.when("tick", above);
        count(m, tick);
    });
    model.start(None).unwrap();
    run_to(&mut model, 1.0);
    assert_eq!(value(&mut model, "n"), 0.0);
}
