//! Blocks that measure or delay, ramps, and ends of simulations: exact times, simultaneous events.

use crate::common::{events, refusal, run_to, simulation, start, value};
use fmu_runtime::Simulation;
use libraries::blocks::*;
use libraries::prelude::*;
use mechanics::assembly::BooleanInput;

/// A block `s` of a signal that is true from 1 to 3, from 4 to 4.5, from 5 to 5.25 and after 7.
fn of_pulses(add: impl FnOnce(&mut Assembly) -> BooleanInput) -> Simulation {
    start(|m| {
        let u = m.add("u", BooleanTable::new().table([1.0, 3.0, 4.0, 4.5, 5.0, 5.25, 7.0]));
        let input = add(m);
        m.connect(u.y, input);
    })
}

/// Values of variables at instants that ascend.
fn at<const N: usize>(model: &mut Simulation, name: &str, instants: [f64; N]) -> [f64; N] {
    instants.map(|t| {
        run_to(model, t);
        value(model, name)
    })
}

#[test]
fn a_timer_begins_again_with_each_rise() {
    let mut model = of_pulses(|m| m.add("s", Timer::new()).u);
    let values = at(&mut model, "s.y", [0.0, 1.0, 2.5, 3.0, 4.25, 4.5, 5.125, 9.0]);
    assert_eq!(values, [0.0, 0.0, 1.5, 0.0, 0.25, 0.0, 0.125, 2.0]);
    let mut model = of_pulses(|m| m.add("s", Timer::new()).u);
    let entered = at(&mut model, "s.entryTime", [0.5, 1.0, 3.5, 4.0, 4.75, 5.0, 9.0]);
    assert_eq!(entered, [0.0, 1.0, 1.0, 4.0, 4.0, 5.0, 7.0]);
}

#[test]
fn a_timer_of_a_signal_that_is_true_from_the_start_is_the_time() {
    for step in
        [BooleanStep::new().start_time(-2), BooleanStep::new().start_value(true).start_time(9)]
    {
        let mut model = simulation(|m| {
            let u = m.add("u", step);
            let s = m.add("s", Timer::new());
            m.connect(u.y, s.u);
        })
        .unwrap();
        model.start_at(5.0, None).unwrap();
        assert_eq!(at(&mut model, "s.y", [5.0, 6.0]), [5.0, 6.0]);
    }
}

#[test]
fn a_delay_ends_unless_the_signal_changes_before() {
    let instants = [0.0, 1.0, 1.5, 2.0, 2.9, 3.0, 3.5, 4.0, 4.5, 5.0, 5.25, 6.0, 6.25, 7.0, 8.0];
    let add = |m: &mut Assembly| m.add("s", LogicalDelay::new().delay_time(1)).u;
    let late_fall = at(&mut of_pulses(add), "s.y1", instants);
    let late_rise = at(&mut of_pulses(add), "s.y2", instants);
    // The fall at 3 is over when the signal rises at 4; that at 5.25 ends at 6.25.
    assert_eq!(late_fall, [0., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 0., 1., 1.]);
    assert_eq!(late_rise, [0., 0., 0., 1., 1., 0., 0., 0., 0., 0., 0., 0., 0., 0., 1.]);
    let on_delay = |m: &mut Assembly| m.add("s", OnDelay::new().delay_time(1)).u;
    assert_eq!(at(&mut of_pulses(on_delay), "s.y", instants), late_rise);
    let found = events(&mut of_pulses(on_delay), 10.0);
    assert_eq!(found, [1.0, 2.0, 3.0, 4.0, 4.5, 5.0, 5.25, 7.0, 8.0]);
}

#[test]
fn a_fall_is_seen_late_only_if_nothing_rises_before() {
    let add = |m: &mut Assembly| m.add("s", LogicalDelay::new().delay_time(0.6)).u;
    let found = at(&mut of_pulses(add), "s.y1", [3.5, 3.6, 4.0, 4.5, 5.0, 5.8, 5.85, 7.0]);
    assert_eq!(found, [1., 0., 1., 1., 1., 1., 0., 1.]);
}

#[test]
fn without_delay_the_signals_are_those_of_the_input_in_the_same_event() {
    let mut model = of_pulses(|m| {
        let s = m.add("s", LogicalDelay::new());
        let (both, seen) = (m.add("both", LogicalXor::new()), m.add("seen", RSFlipFlop::new()));
        let never = m.add("never", BooleanConstant::new().k(false));
        m.connect(s.y1, both.u1);
        m.connect(s.y2, both.u2);
        m.connect(both.y, seen.S);
        m.connect(never.y, seen.R);
        s.u
    });
    let values = at(&mut model, "s.y2", [0.0, 1.0, 2.9, 3.0, 4.0, 4.5]);
    assert_eq!(values, [0.0, 1.0, 1.0, 0.0, 1.0, 0.0]);
    assert_eq!(value(&mut model, "seen.Q"), 0.0, "the two outputs never differ");
}

#[test]
fn at_the_start_no_delay_is_running() {
    let mut model = start(|m| {
        let u = m.add("u", BooleanConstant::new());
        let (s, on) = (
            m.add("s", LogicalDelay::new().delay_time(1)),
            m.add("on", OnDelay::new().delay_time(1)),
        );
        m.connect(u.y, s.u);
        m.connect(u.y, on.u);
    });
    for name in ["s.y1", "s.y2", "on.y"] {
        assert_eq!(value(&mut model, name), 1.0, "{name}");
    }
}

#[test]
fn a_ramp_begins_where_the_last_one_was_interrupted() {
    let trapezoid = || TriggeredTrapezoid::new().amplitude(2).rising(1).falling(2).offset(-1);
    let mut model = of_pulses(|m| m.add("s", trapezoid()).u);
    let values = at(&mut model, "s.y", [0.0, 1.0, 1.5, 2.0, 3.0, 3.5, 4.0, 4.25, 4.5, 5.0, 5.25]);
    assert_eq!(values, [-1.0, -1.0, 0.0, 1.0, 1.0, 0.5, 0.0, 0.5, 1.0, 0.5, 1.0]);
    let values = at(&mut model, "s.y", [6.0, 7.0, 7.5, 8.0, 9.0]);
    assert_eq!(values, [0.25, -0.75, 0.25, 1.0, 1.0]);
    let mut model = of_pulses(|m| m.add("s", trapezoid()).u);
    let expected = [1.0, 2.0, 3.0, 4.0, 4.5, 5.0, 5.25, 7.0, 7.875];
    assert_eq!(events(&mut model, 9.0), expected, "each ramp has an end unless it is interrupted");
    // The last ramp rises from -0.75 at 7.
    let ramp = ["s.endValue", "s.rate", "s.T"].map(|name| value(&mut model, name));
    assert_eq!(ramp, [1.0, 2.0, 7.875]);
}

#[test]
fn a_ramp_without_duration_or_amplitude_is_a_jump() {
    let mut model = of_pulses(|m| m.add("s", TriggeredTrapezoid::new().falling(0.5)).u);
    let values = at(&mut model, "s.y", [0.0, 0.9, 1.0, 3.0, 3.25, 3.5]);
    assert_eq!(values, [0.0, 0.0, 1.0, 1.0, 0.5, 0.0]);
    let flat = TriggeredTrapezoid::new().amplitude(0).rising(1).offset(3);
    let mut model = of_pulses(|m| m.add("s", flat).u);
    assert_eq!(at(&mut model, "s.y", [0.0, 1.5, 3.5, 9.0]), [3.0; 4]);
}

#[test]
fn a_ramp_of_a_signal_that_is_true_at_the_start_is_over() {
    let mut model = start(|m| {
        let u = m.add("u", BooleanConstant::new());
        let s = m.add("s", TriggeredTrapezoid::new().amplitude(2).rising(1).offset(1));
        m.connect(u.y, s.u);
    });
    assert_eq!(at(&mut model, "s.y", [0.0, 0.5]), [3.0, 3.0]);
}

#[test]
fn a_condition_that_is_not_met_is_an_error_or_a_warning() {
    let model = |level: AssertionLevel| {
        start(|m| {
            let u = m.add("u", BooleanStep::new().start_time(2).start_value(true));
            let s = AssertCondition::new().message("the door is open").assertion_level(level);
            let s = m.add("s", s);
            m.connect(u.y, s.u);
        })
    };
    let mut strict = model(AssertionLevel::Error);
    run_to(&mut strict, 1.9);
    let sentence = strict.run_to(3.0).unwrap_err().to_string();
    assert!(sentence.contains("s: the door is open"), "{sentence}");
    let mut tolerant = model(AssertionLevel::Warning);
    run_to(&mut tolerant, 3.0);
    let messages = tolerant.messages();
    let texts: Vec<String> = messages.iter().map(|message| message.text.clone()).collect();
    assert!(texts.iter().any(|text| text.contains("s: the door is open")), "{texts:?}");
}

#[test]
fn a_simulation_ends_when_a_condition_becomes_true() {
    let mut model = start(|m| {
        let u = m.add("u", BooleanStep::new().start_time(2));
        let s = m.add("s", TerminateSimulation::new().termination_text("all is done"));
        m.connect(u.y, s.condition);
    });
    run_to(&mut model, 1.9);
    let end = model.run_to(3.0);
    assert_eq!(model.time(), 2.0, "{end:?}");
    let texts: Vec<String> = model.messages().iter().map(|message| message.text.clone()).collect();
    assert!(texts.iter().any(|text| text.contains("s: all is done")), "{texts:?}");
}

#[test]
fn a_condition_that_is_true_from_the_start_ends_nothing() {
    let mut model = start(|m| {
        let u = m.add("u", BooleanConstant::new());
        let s = m.add("s", TerminateSimulation::new());
        m.connect(u.y, s.condition);
    });
    run_to(&mut model, 3.0);
    assert_eq!(model.time(), 3.0);
}

#[test]
fn negative_delays_are_refused() {
    let sentence = refusal(|m| {
        let u = m.add("u", BooleanConstant::new());
        let s = m.add("s", OnDelay::new().delay_time(-1));
        m.connect(u.y, s.u);
    });
    assert_eq!(sentence, "s.delayTime = -1 s: must be positive or zero");
}
