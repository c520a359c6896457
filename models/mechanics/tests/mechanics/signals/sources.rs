//! Sources of signals: closed forms, exact events, types.

use crate::common::{events, refusal, run_to, simulation, start, value};
use fmu_runtime::Simulation;
use libraries::blocks::*;
use libraries::prelude::*;
use mechanics::component::Component;
use std::f64::consts::{PI, TAU};

fn alone(source: impl Component) -> Simulation {
    start(|m| {
        m.add("s", source);
    })
}

/// Values of `s.y` at instants that ascend.
fn at<const N: usize>(model: &mut Simulation, instants: [f64; N]) -> [f64; N] {
    instants.map(|t| {
        run_to(model, t);
        value(model, "s.y")
    })
}

/// The values of `s.y` are those of a function at instants up to 4 s; `expected` are its events.
fn assert_is(source: impl Component + Clone, expected: &[f64], function: impl Fn(f64) -> f64) {
    let mut model = alone(source.clone());
    for k in 0..=40 {
        let t = 0.1 * f64::from(k);
        let ([y], wanted) = (at(&mut model, [t]), function(t));
        assert!((y - wanted).abs() < 1e-12, "at {t} s: {y} instead of {wanted}");
    }
    assert_eq!(events(&mut alone(source), 4.0), expected);
}

#[test]
fn sources_of_truth_values_change_at_their_instants() {
    for k in [false, true] {
        assert_eq!(at(&mut alone(BooleanConstant::new().k(k)), [0.0, 1.0]), [f64::from(k); 2]);
    }
    let step = BooleanStep::new().start_time(0.5);
    assert_eq!(at(&mut alone(step.clone()), [0.0, 0.4, 0.5, 1.0]), [0.0, 0.0, 1.0, 1.0]);
    assert_eq!(at(&mut alone(step.start_value(true)), [0.0, 0.4, 0.5]), [1.0, 1.0, 0.0]);
    assert_eq!(at(&mut alone(BooleanStep::new()), [0.0]), [1.0], "it begins with the simulation");
}

#[test]
fn a_pulse_that_begins_at_the_start_is_high_there_without_an_event() {
    let mut model = alone(BooleanPulse::new().period(2).width(25));
    assert_eq!(value(&mut model, "s.y"), 1.0);
    assert_eq!(events(&mut model, 5.0), [0.5, 2.0, 2.5, 4.0, 4.5]);
    let mut model = alone(BooleanPulse::new().period(2).width(25).start_time(1));
    let values = at(&mut model, [0.0, 0.9, 1.0, 1.4, 1.5, 2.9, 3.0, 3.5]);
    assert_eq!(values, [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    for (width, y) in [(0, 0.0), (100, 1.0)] {
        let mut model = alone(BooleanPulse::new().period(0.1).width(width));
        for k in 0..50 {
            assert_eq!(at(&mut model, [0.1 * f64::from(k)]), [y], "{width} %");
        }
    }
}

#[test]
fn a_pulse_is_right_when_a_simulation_begins_late() {
    for begin in [1e6, 12345.678, 1e9 + 0.25] {
        let mut model = simulation(|m| {
            let pulse = m.add("s", BooleanPulse::new().period(0.5));
            // A flip-flop would keep a wrong value at the start.
            let (seen, not) = (m.add("seen", RSFlipFlop::new()), m.add("not", Not::new()));
            m.connect(pulse.y, not.u);
            m.connect(not.y, seen.S);
            m.connect(pulse.y, seen.R);
        })
        .unwrap();
        model.start_at(begin, None).unwrap();
        for k in 0..20 {
            let t = begin + 0.11 * f64::from(k);
            let expected = f64::from((t / 0.5).fract() < 0.5);
            assert_eq!(at(&mut model, [t]), [expected], "at {t} s");
            assert_eq!(value(&mut model, "seen.Q"), 1.0 - expected);
        }
    }
}

#[test]
fn a_trigger_is_true_for_one_pass_at_each_sample() {
    let mut model = start(|m| {
        let s = m.add("s", SampleTrigger::new().period(0.5).start_time(0.25));
        // It is set by the trigger and reset in the next pass.
        let (set, seen) = (m.add("set", Pre::new()), m.add("seen", Timer::new()));
        let hold = m.add("hold", RSFlipFlop::new());
        let never = m.add("never", BooleanConstant::new().k(false));
        m.connect(s.y, hold.S);
        m.connect(never.y, hold.R);
        m.connect(hold.Q, set.u);
        m.connect(set.y, seen.u);
    });
    assert_eq!(at(&mut model, [0.0, 0.25, 0.3]), [0.0; 3], "it is false outside of events");
    run_to(&mut model, 1.0);
    assert_eq!(value(&mut model, "seen.y"), 0.75);
    // The first sample, at the start, belongs to the events of the start.
    let mut model = alone(SampleTrigger::new().period(0.5));
    assert_eq!(events(&mut model, 1.2), [0.5, 1.0]);
}

#[test]
fn sources_of_whole_numbers_are_constants_and_steps() {
    assert_eq!(at(&mut alone(IntegerConstant::new().k(-3)), [0.0, 1.0]), [-3.0, -3.0]);
    let step = IntegerStep::new().height(4).offset(-1).start_time(0.5);
    assert_eq!(at(&mut alone(step.clone()), [0.0, 0.4, 0.5, 2.0]), [-1.0, -1.0, 3.0, 3.0]);
    assert_eq!(events(&mut alone(step), 4.0), [0.5]);
    let sentence = refusal(|m| {
        m.add("s", IntegerConstant::new());
    });
    assert_eq!(sentence, "s.k (Constant output value) has no value");
}

#[test]
fn clocks_sweeps_and_exponentials_have_closed_forms() {
    let clock = ContinuousClock::new().offset(2).start_time(1);
    assert_is(clock, &[1.0], |t| 2.0 + (t - 1.0).max(0.0));
    let sweep = LogFrequencySweep::new().w_min(1).w_max(100).start_time(1).duration(2);
    assert_is(sweep.clone(), &[1.0, 3.0], |t| 10.0_f64.powf((t - 1.0).clamp(0.0, 2.0)));
    let step = sweep.duration(0);
    assert_eq!(at(&mut alone(step), [0.0, 0.9, 1.0, 2.0]), [1.0, 1.0, 100.0, 100.0]);
    let waves = Exponentials::new().out_max(3).rise_time(1.5).rise_time_const(0.5).offset(1);
    let rise = |t: f64| 3.0 * (1.0 - (-t / 0.5).exp());
    let wave = |fall: f64| {
        move |t: f64| match t - 1.0 {
            t if t < 0.0 => 1.0,
            t if t < 1.5 => 1.0 + rise(t),
            t => 1.0 + rise(1.5) * (-(t - 1.5) / fall).exp(),
        }
    };
    let waves = waves.start_time(1);
    assert_is(waves.clone(), &[1.0, 2.5], wave(0.5));
    assert_is(waves.fall_time_const(0.25), &[1.0, 2.5], wave(0.25));
}

#[test]
fn a_saw_tooth_rises_in_each_of_its_periods() {
    let saw = SawTooth::new().amplitude(2).period(0.75).offset(1).start_time(0.5);
    let rise = |t: f64| 1.0 + 2.0 * ((t - 0.5) / 0.75).fract();
    let expected = |t: f64| if t < 0.5 { 1.0 } else { rise(t) };
    assert_is(saw.clone(), &[0.5, 1.25, 2.0, 2.75, 3.5], expected);
    let twice = |t: f64| if (0.5..2.0).contains(&t) { rise(t) } else { 1.0 };
    assert_is(saw.nperiod(2), &[0.5, 1.25, 2.0], twice);
}

#[test]
fn waves_may_begin_without_a_jump() {
    let after = |t: f64| (t - 1.0).max(0.0);
    let sine = Sine::new().amplitude(2).f(0.5).phase(0.3).offset(1).start_time(1).continuous(true);
    assert_is(sine, &[1.0], |t| 1.0 + 2.0 * (PI * after(t) + 0.3).sin());
    let cosine = Cosine::new().amplitude(2).f(0.5).phase(0.3).start_time(1).continuous(true);
    assert_is(cosine, &[1.0], |t| 2.0 * (PI * after(t) + 0.3).cos());
    let sinc = |t: f64| if t <= 0.0 { 1.0 } else { (PI * t).sin() / (PI * t) };
    let source = || Sinc::new().amplitude(3).f(0.5).offset(-1).start_time(1);
    assert_is(source().continuous(true), &[1.0], |t| 3.0 * sinc(t - 1.0) - 1.0);
    assert_is(source(), &[1.0], |t| if t < 1.0 { -1.0 } else { 3.0 * sinc(t - 1.0) - 1.0 });
}

#[test]
fn a_wave_of_variable_frequency_integrates_its_phase() {
    let mut model = start(|m| {
        let f = m.add("f", Ramp::new().height(4).duration(2));
        let amplitude = m.add("amplitude", ContinuousClock::new().offset(1));
        let sine = SineVariableFrequencyAndAmplitude::new().offset(0.5).phi(fixed(0.3));
        let sine = m.add("sine", sine);
        let cosine =
            m.add("cosine", CosineVariableFrequencyAndAmplitude::new().constant_amplitude(3));
        let default =
            m.add("default", SineVariableFrequencyAndAmplitude::new().constant_frequency(2));
        m.connect(f.y, sine.f);
        m.connect(f.y, cosine.f);
        m.connect(amplitude.y, sine.amplitude);
        m.output("y", default.y);
    });
    for k in 0..=20 {
        let t = 0.1 * f64::from(k);
        run_to(&mut model, t);
        // The frequency is 2 t, so that the phase is 2 pi t^2.
        let phase = TAU * t * t;
        let expected = [
            ("sine.y", 0.5 + (1.0 + t) * (phase + 0.3).sin()),
            ("cosine.y", 3.0 * phase.cos()),
            ("sine.phi", phase + 0.3),
            ("default.y", (2.0 * TAU * t).sin()),
        ];
        for (name, wanted) in expected {
            let found = value(&mut model, name);
            assert!((found - wanted).abs() < 1e-7, "{name} at {t} s: {found}, not {wanted}");
        }
    }
}

#[test]
fn axes_move_in_proportion_from_rest_to_rest() {
    // The second axis limits the speed, the first one the acceleration.
    let source = KinematicPTP2::new().q_begin([1, -2]).q_end([3, 4]).qd_max([4, 2]).qdd_max([1, 8]);
    let mut model = alone(source.start_time(0.5));
    let names = ["q[1]", "qd[1]", "qdd[1]", "q[2]", "qd[2]", "qdd[2]"];
    let now = |model: &mut Simulation| names.map(|name| value(model, &format!("s.{name}")));
    let (speed, acceleration): (f64, f64) = (2.0 / 6.0, 1.0 / 2.0);
    let (ramp, brakes) = (speed / acceleration, 1.0 / speed);
    let end = value(&mut model, "s.endTime");
    assert!((end - (0.5 + brakes + ramp)).abs() < 1e-14);
    let mut integrals = [1.0, 0.0, -2.0, 0.0];
    let mut instants = Vec::new();
    loop {
        let [_, qd1, qdd1, _, qd2, qdd2] = now(&mut model);
        assert!(qd1.abs() <= 4.0 && qd2.abs() <= 2.0 && qdd1.abs() <= 1.0 && qdd2.abs() <= 8.0);
        let (next, t) = (model.next_event_time().unwrap(), model.time());
        if next.is_infinite() {
            break;
        }
        for (axis, qdd) in [qdd1, qdd2].into_iter().enumerate() {
            let h = next - t;
            integrals[2 * axis] += integrals[2 * axis + 1] * h + qdd * h * h / 2.0;
            integrals[2 * axis + 1] += qdd * h;
        }
        assert_eq!(value(&mut model, "s.moving[1]"), 1.0);
        run_to(&mut model, next);
        instants.push(next);
        let [q1, qd1, _, q2, qd2, _] = now(&mut model);
        let found = [q1, qd1, q2, qd2];
        assert!((0..4).all(|i| (found[i] - integrals[i]).abs() < 1e-14), "{found:?} {integrals:?}");
    }
    let expected = [0.5, 0.5 + ramp, 0.5 + brakes, end];
    assert!(instants.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14), "{instants:?}");
    assert_eq!(instants.len(), 4);
    assert_eq!(now(&mut model), [3.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
    assert_eq!(value(&mut model, "s.moving[2]"), 0.0);
}

#[test]
fn axes_without_a_distance_do_not_move() {
    let mut model = start(|m| {
        let s = m.add("s", KinematicPTP2::new().q_begin([1, 2]).q_end([1, 3]));
        let (not, none) =
            (m.add("not", Not::new()), m.add("none", KinematicPTP2::new().q_end([0])));
        m.connect(s.moving.element(1), not.u);
        m.output("end", none.endTime);
    });
    assert_eq!(
        ["s.moving[1]", "s.moving[2]", "not.y"].map(|name| value(&mut model, name)),
        [0.0, 1.0, 1.0]
    );
    assert_eq!(
        ["none.endTime", "none.q[1]", "none.qdd[1]"].map(|n| value(&mut model, n)),
        [0.0; 3]
    );
    run_to(&mut model, 5.0);
    assert_eq!(
        ["s.q[1]", "s.q[2]", "s.moving[2]"].map(|name| value(&mut model, name)),
        [1.0, 3.0, 0.0]
    );
}

#[test]
fn axes_have_one_element_or_one_each() {
    let sentence = refusal(|m| {
        m.add("s", KinematicPTP::new().deltaq([1, 2, 3]).qd_max([1, 2]));
    });
    assert_eq!(sentence, "s.qd_max: 2 elements, but there are 3 axes");
}
