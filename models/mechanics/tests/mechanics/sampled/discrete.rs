//! Samplers, holds and linear systems with a fixed sample period: closed forms and equivalences.

use crate::common::{refusal, run_to, start, value};
use libraries::blocks::{BooleanConstant, BooleanPulse, ContinuousClock, SampleTrigger};
use libraries::prelude::*;
use libraries::sampled::{
    FirstOrderHold, Sampler, StateSpace, TransferFunction, TriggeredMax, TriggeredSampler,
    UnitDelay, ZeroOrderHold,
};
use mechanics::component::Component;

/// A block behind the signal `2 t`.
macro_rules! behind_a_ramp {
    ($block:expr) => {
        start(move |m| {
            let (clock, gain) = (m.add("clock", ContinuousClock::new()), Gain::new().k(2));
            let gain = m.add("gain", gain);
            let s = m.add("s", $block);
            m.connect(clock.y, gain.u);
            m.connect(gain.y, s.u);
        })
    };
}

#[test]
fn a_sampler_holds_the_last_sample_and_begins_with_the_input() {
    let mut model = behind_a_ramp!(Sampler::new().sample_period(0.25).start_time(0.5));
    for k in 0..40 {
        let t = 0.0501 * f64::from(k);
        run_to(&mut model, t);
        let expected = if t < 0.5 { 0.0 } else { 2.0 * (t / 0.25).floor() * 0.25 };
        assert_eq!(value(&mut model, "s.y"), expected, "at {t} s");
    }
    let mut late = behind_a_ramp!(Sampler::new().sample_period(0.25));
    late.reset().unwrap();
    late.start_at(0.6, None).unwrap();
    assert_eq!(value(&mut late, "s.y"), 1.2);
}

#[test]
fn a_hold_of_first_order_continues_a_line() {
    let mut model = behind_a_ramp!(FirstOrderHold::new().sample_period(0.5));
    for k in 1..40 {
        let t = 0.0601 * f64::from(k);
        run_to(&mut model, t);
        // The sample before, and no slope before the second tick.
        let expected = if t < 0.5 { 0.0 } else { 2.0 * (t - 0.5) };
        assert!((value(&mut model, "s.y") - expected).abs() < 1e-14, "at {t} s");
        assert_eq!(value(&mut model, "s.firstTrigger"), f64::from(t < 0.5));
    }
}

#[test]
fn a_transfer_function_is_its_system_in_state_space() {
    // (z^2 + 0.3 z) / (2 z^2 - z + 0.25)
    let mut model = start(|m| {
        let sine = m.add("sine", Sine::new().f(1.3).phase(0.4));
        let f = TransferFunction::new().b([1.0, 0.3, 0.0]).a([2.0, -1.0, 0.25]);
        let f = m.add("f", f.sample_period(0.1));
        let s = StateSpace::new().A([[0.5, -0.125], [1.0, 0.0]]).B([[0.5], [0.0]]);
        let s = s.C([[0.8, -0.125]]).D([[0.5]]).sample_period(0.1);
        let s = m.add("s", s);
        m.connect(sine.y, f.u);
        m.connect(sine.y, s.u.element(1));
    });
    for k in 0..40 {
        run_to(&mut model, 0.1 * f64::from(k) + 0.05);
        let [f, s] = ["f.y", "s.y[1]"].map(|name| value(&mut model, name));
        assert!((f - s).abs() < 1e-14, "{f} {s}");
        assert!(k < 2 || f != 0.0);
        let of_x = value(&mut model, "f.xext[2]");
        run_to(&mut model, 0.1 * f64::from(k) + 0.06);
        assert_eq!(value(&mut model, "f.xext[2]"), of_x);
    }
}

#[test]
fn a_transfer_function_without_direct_part_closes_a_loop() {
    // x = 1 - x before: 1, 0, 1, 0..
    let mut model = start(|m| {
        let one = m.add("one", Constant::new().k(1));
        let error = m.add("error", Feedback::new());
        let f = TransferFunction::new().b([1]).a([1, 0]).sample_period(0.1);
        let f = m.add("f", f);
        m.connect(one.y, error.u1);
        m.connect(f.y, error.u2);
        m.connect(error.y, f.u);
    });
    for k in 0..20 {
        run_to(&mut model, 0.1 * f64::from(k) + 0.05);
        assert_eq!(value(&mut model, "f.y"), f64::from(k % 2));
    }
}

#[test]
fn a_sum_over_ticks_has_its_closed_form() {
    let text = |block: fn() -> UnitDelay| {
        move |m: &mut Assembly| {
            let two = m.add("two", Constant::new().k(2));
            let (sum, delay) = (m.add("sum", Add::new()), m.add("delay", block()));
            let sampler = m.add("sampler", Sampler::new().sample_period(0.1));
            m.connect(two.y, sum.u1);
            m.connect(delay.y, sum.u2);
            m.connect(sum.y, sampler.u);
            m.connect(sampler.y, delay.u);
        }
    };
    let mut model = start(text(|| UnitDelay::new().sample_period(0.1).y_start(5)));
    for k in 0..20 {
        run_to(&mut model, 0.1 * f64::from(k) + 0.05);
        // At the start, the sampler takes 5 + 2, which is the value before the first tick.
        assert_eq!(value(&mut model, "sampler.y"), 7.0 + 2.0 * f64::from(k + 1));
    }
}

/// A block with a trigger at 0.5, 1.5, .. behind a sine of the amplitude 3.
macro_rules! triggered {
    ($block:expr) => {
        start(move |m| {
            let sine = m.add("sine", Sine::new().amplitude(3).f(0.3));
            let pulse = m.add("pulse", BooleanPulse::new().period(1).start_time(0.5));
            let s = m.add("s", $block);
            m.connect(sine.y, s.u);
            m.connect(pulse.y, s.trigger);
        })
    };
}

#[test]
fn triggers_take_samples_and_keep_the_largest() {
    let sample = |k: u32| 3.0 * (std::f64::consts::TAU * 0.3 * (f64::from(k) + 0.5)).sin();
    let mut sampler = triggered!(TriggeredSampler::new().y_start(9));
    let mut largest = triggered!(TriggeredMax::new());
    assert_eq!(value(&mut sampler, "s.y"), 9.0);
    let mut most: f64 = 0.0;
    for k in 0..12 {
        let t = f64::from(k) + 1.2;
        run_to(&mut sampler, t);
        run_to(&mut largest, t);
        most = most.max(sample(k).abs());
        assert!((value(&mut sampler, "s.y") - sample(k)).abs() < 1e-12);
        assert!((value(&mut largest, "s.y") - most).abs() < 1e-12);
    }
    let mut from_the_start = start(|m| {
        let one = m.add("one", Constant::new().k(1));
        let (yes, s) = (m.add("yes", BooleanConstant::new()), TriggeredSampler::new().y_start(9));
        let s = m.add("s", s);
        m.connect(one.y, s.u);
        m.connect(yes.y, s.trigger);
    });
    run_to(&mut from_the_start, 1.0);
    assert_eq!(value(&mut from_the_start, "s.y"), 9.0, "nothing becomes true");
}

#[test]
fn a_trigger_of_a_sampler_acts_as_its_ticks() {
    let mut model = start(|m| {
        let clock = m.add("clock", ContinuousClock::new());
        let trigger = m.add("trigger", SampleTrigger::new().period(0.3));
        let a = m.add("a", TriggeredSampler::new());
        let b = m.add("b", ZeroOrderHold::new().sample_period(0.3));
        m.connect(trigger.y, a.trigger);
        m.connect(clock.y, a.u);
        m.connect(clock.y, b.u);
    });
    for k in 0..50 {
        run_to(&mut model, 0.0701 * f64::from(k));
        assert_eq!(value(&mut model, "a.y"), value(&mut model, "b.y"));
    }
}

#[test]
fn matrices_and_coefficients_that_do_not_fit_are_refused() {
    fn with(block: impl Component) -> String {
        refusal(|m| {
            m.add("s", block);
        })
    }
    let sentence = with(StateSpace::new().A([[1, 2], [3, 4]]).B([[1]]).sample_period(1));
    assert!(sentence.contains("s.B: it has 1 rows and 1 columns, not 2 and 1"), "{sentence}");
    let sentence = with(TransferFunction::new().b([1, 2]).a([1]).sample_period(1));
    assert!(sentence.contains("s.b") && sentence.contains("is not proper"), "{sentence}");
    let sentence = with(TransferFunction::new().a([0, 1]).sample_period(1));
    assert!(sentence.contains("s.a[1]"), "{sentence}");
}
