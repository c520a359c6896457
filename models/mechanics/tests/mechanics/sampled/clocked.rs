//! Signals with clocks: which clock a signal has, what is sampled and held, and converters.

use crate::common::{refusal, run_to, simulation, start, value};
use libraries::blocks::ContinuousClock;
use libraries::prelude::*;
use libraries::sampled::*;

/// The clock of time, behind a sampler with the period 0.1 s.
fn sampled_time(m: &mut Assembly) -> (SampleClockedPorts, PeriodicRealClockPorts) {
    let time = m.add("time", ContinuousClock::new());
    let clock = m.add("clock", PeriodicRealClock::new().period(0.1));
    let sample = m.add("sample", SampleClocked::new());
    m.connect(time.y, sample.u);
    m.connect(clock.y, sample.clock);
    (sample, clock)
}

#[test]
fn derived_signals_have_the_last_value_at_their_own_ticks() {
    let mut model = start(|m| {
        let (sample, _) = sampled_time(m);
        let sub = m.add("sub", SubSample::new().infer_factor(false).factor(3));
        let fast = m.add("fast", SuperSample::new().infer_factor(false).factor(4));
        let late = m.add("late", ShiftSample::new().shift_counter(2).resolution(5));
        let hold = m.add("hold", Hold::new().y_start(-1));
        m.connect(sample.y, sub.u);
        m.connect(sample.y, fast.u);
        m.connect(sample.y, late.u);
        m.connect(late.y, hold.u);
    });
    for k in 0..400 {
        let t = 0.00413 * f64::from(k);
        run_to(&mut model, t);
        let tick = |phase: f64, interval: f64| ((t - phase) / interval).floor();
        let mut read = |name: &str| value(&mut model, name);
        assert!((read("sample.y") - 0.1 * tick(0.0, 0.1)).abs() < 1e-12);
        assert!((read("sub.y") - 0.3 * tick(0.0, 0.3)).abs() < 1e-12);
        assert!((read("fast.y") - read("sample.y")).abs() < 1e-12);
        let late = tick(0.04, 0.1);
        let expected = if late < 0.0 { -1.0 } else { 0.1 * late };
        assert!((read("hold.y") - expected).abs() < 1e-12, "at {t} s");
    }
}

#[test]
fn a_clock_begins_with_the_simulation_and_a_sample_period_at_its_start_time() {
    for begin in [0.0, 0.63, 1e3 + 0.1] {
        let mut model = simulation(|m| {
            let (_, clock) = sampled_time(m);
            let sub = m.add("sub", SubClock::new().factor(3));
            let third = m.add("third", SampleClocked::new());
            let exact = m.add("exact", PeriodicExactClock::new().factor(100));
            let other = m.add("other", SampleClocked::new());
            let plain = m.add("plain", Sampler::new().sample_period(0.1));
            let time = m.add("now", ContinuousClock::new());
            m.connect(clock.y, sub.u);
            m.connect(sub.y, third.clock);
            m.connect(exact.y, other.clock);
            m.connect(time.y, third.u);
            m.connect(time.y, other.u);
            m.connect(time.y, plain.u);
        })
        .expect("the model is sound");
        model.start_at(begin, None).unwrap();
        for k in 0..40 {
            let passed = 0.0413 * f64::from(k);
            let t = begin + passed;
            run_to(&mut model, t);
            let ticks = |period: f64| begin + (passed / period).floor() * period;
            // The ticks of a block with a start time are absolute, and none is before it.
            let plain = ((t / 0.1).floor() * 0.1).max(begin);
            for (name, expected) in [
                ("sample.y", ticks(0.1)),
                ("other.y", ticks(0.1)),
                ("third.y", ticks(0.3)),
                ("plain.y", plain),
            ] {
                let found = value(&mut model, name);
                assert!((found - expected).abs() < 1e-9, "{name} = {found} at {t} s");
            }
        }
    }
}

#[test]
fn a_clock_follows_connections_in_both_directions() {
    // The clock is given behind a sum, a gain and a faster sampler.
    let mut model = start(|m| {
        let (fast, _) = sampled_time(m);
        let time = m.add("other", ContinuousClock::new());
        let slow = m.add("slow", Sample::new());
        let gain = m.add("gain", Gain::new().k(10));
        let super_ = m.add("super", SuperSample::new().infer_factor(false).factor(2));
        let sum = m.add("sum", Add::new());
        m.connect(time.y, slow.u);
        m.connect(slow.y, gain.u);
        m.connect(gain.y, super_.u);
        m.connect(super_.y, sum.u1);
        m.connect(fast.y, sum.u2);
    });
    run_to(&mut model, 0.75);
    // The slow sampler ticks at 0, 0.2, 0.4, 0.6.
    assert!((value(&mut model, "slow.y") - 0.6).abs() < 1e-12);
    assert!((value(&mut model, "sum.y") - 6.7).abs() < 1e-12);
}

#[test]
fn samplers_of_clocks_read_values_before_the_tick() {
    // The plant is a wire: without the value before the tick, the loop would be algebraic.
    let mut model = start(|m| {
        let clock = m.add("clock", PeriodicExactClock::new().factor(100));
        let sample = m.add("sample", SampleClocked::new());
        let one = m.add("one", Constant::new().k(1));
        let (sum, hold) = (m.add("sum", Add::new()), m.add("hold", Hold::new().y_start(4)));
        m.connect(clock.y, sample.clock);
        m.connect(sample.y, sum.u1);
        m.connect(one.y, sum.u2);
        m.connect(sum.y, hold.u);
        m.connect(hold.y, sample.u);
    });
    for k in 0..30 {
        run_to(&mut model, 0.1 * f64::from(k) + 0.05);
        assert_eq!(value(&mut model, "hold.y"), 5.0 + f64::from(k));
    }
}

#[test]
fn controllers_with_both_parameterizations_agree() {
    let mut model = start(|m| {
        let (sample, _) = sampled_time(m);
        let a = m.add("a", NonPeriodicPI::new().k(3).T(0.4).x(fixed(1)));
        let b = m.add("b", PeriodicPI::new().kd(3).Td(4).x(fixed(1)));
        m.connect(sample.y, a.u);
        m.connect(sample.y, b.u);
    });
    run_to(&mut model, 0.35);
    // 1 + (0 + 0.1 + 0.2 + 0.3) / 4
    for name in ["a", "b"] {
        assert!((value(&mut model, &format!("{name}.x")) - 1.15).abs() < 1e-12);
        assert!((value(&mut model, &format!("{name}.y")) - 4.35).abs() < 1e-12);
    }
}

#[test]
fn converters_limit_round_and_delay() {
    let mut model = start(|m| {
        let (sample, _) = sampled_time(m);
        let hold = HoldWithDAeffects::new().computational_delay(true).y_start(-1);
        let half = m.add("half", hold.clone().shift_counter(1).resolution(2));
        let whole = m.add("whole", hold.shift_counter(3).resolution(3));
        let steps = HoldWithDAeffects::new().limited(true).quantized(true).y_max(0.5);
        // The steps are 0.25.
        let steps = m.add("steps", steps.bits(2));
        m.connect(sample.y, half.u);
        m.connect(sample.y, whole.u);
        m.connect(sample.y, steps.u);
    });
    let mut at = |t: f64| {
        run_to(&mut model, t);
        ["half.y", "whole.y", "steps.y"].map(|name| value(&mut model, name))
    };
    assert_eq!(at(0.02), [-1.0, -1.0, 0.0]);
    assert_eq!(at(0.07), [0.0, -1.0, 0.0]);
    let [half, whole, steps] = at(0.22);
    assert!((half - 0.1).abs() < 1e-12 && (whole - 0.1).abs() < 1e-12 && steps == 0.25);
    let [half, whole, steps] = at(0.96);
    assert!((half - 0.9).abs() < 1e-12 && (whole - 0.8).abs() < 1e-12 && steps == 0.5);
}

#[test]
fn noise_is_uniform_between_its_limits_and_differs_from_tick_to_tick() {
    let mut model = start(|m| {
        let zero = m.add("zero", Constant::new().k(2));
        let clock = m.add("clock", PeriodicRealClock::new().period(0.01));
        let assign = m.add("assign", AssignClock::new());
        let noisy = SampleWithADeffects::new().noisy(true).noise_max(0.3).noise_min(-0.1);
        let noisy = m.add("noisy", noisy);
        m.connect(zero.y, noisy.u);
        m.connect(noisy.y, assign.u);
        m.connect(clock.y, assign.clock);
    });
    let values: Vec<f64> = (0..2000)
        .map(|k| {
            run_to(&mut model, 0.01 * f64::from(k) + 0.005);
            value(&mut model, "assign.y") - 2.0
        })
        .collect();
    // The first number of the sequences from 23, 87, 187.
    let first = (3933.0 / 30269.0 + 14964.0 / 30307.0 + (31790.0 - 30323.0) / 30323.0) % 1.0;
    assert!((values[0] - (-0.1 + 0.4 * first)).abs() < 1e-12);
    assert!(values.iter().all(|noise| (-0.1..=0.3).contains(noise)));
    let mean = values.iter().sum::<f64>() / 2000.0;
    assert!((mean - 0.1).abs() < 0.01, "{mean}");
    assert!(values.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn two_clocks_of_one_signal_and_a_signal_without_a_clock_are_refused() {
    let sentence = refusal(|m| {
        let (sample, _) = sampled_time(m);
        let other = m.add("other", PeriodicRealClock::new().period(0.2));
        let assign = m.add("assign", AssignClock::new());
        m.connect(sample.y, assign.u);
        m.connect(other.y, assign.clock);
    });
    assert!(sentence.contains("clock and other give two clocks to the same signals"), "{sentence}");
    let sentence = refusal(|m| {
        let time = m.add("time", ContinuousClock::new());
        let sample = m.add("sample", Sample::new());
        m.connect(time.y, sample.u);
    });
    assert!(sentence.starts_with("sample: no clock says when it ticks"), "{sentence}");
    let sentence = refusal(|m| {
        let (sample, _) = sampled_time(m);
        let hold = HoldWithDAeffects::new().computational_delay(true).shift_counter(3);
        let hold = m.add("hold", hold.resolution(2));
        m.connect(sample.y, hold.u);
    });
    assert!(sentence.contains("hold.shiftCounter: 3 exceeds the resolution 2"), "{sentence}");
}

#[test]
fn clocks_whose_ratio_is_no_whole_number_are_refused() {
    let text = |period: f64, is_sub: bool| {
        move |m: &mut Assembly| {
            let (sample, _) = sampled_time(m);
            let clock = m.add("other", PeriodicRealClock::new().period(period));
            let assign = m.add("assign", AssignClock::new());
            m.connect(clock.y, assign.clock);
            if is_sub {
                let sub = m.add("sub", SubSample::new());
                m.connect(sample.y, sub.u);
                m.connect(sub.y, assign.u);
            } else {
                let fast = m.add("fast", SuperSample::new());
                m.connect(sample.y, fast.u);
                m.connect(fast.y, assign.u);
            }
        }
    };
    let sentence = refusal(text(0.25, true));
    let wanted = "sub: the clock of y is 2.5 times slower than that of u, which is no whole number";
    assert!(sentence.contains(wanted), "{sentence}");
    let sentence = refusal(text(0.04, false));
    let wanted =
        "fast: the clock of y is 2.5 times faster than that of u, which is no whole number";
    assert!(sentence.contains(wanted), "{sentence}");
    assert!(refusal(text(0.025, true)).contains("0.25 times slower"));
    // Quotients of periods are rounded.
    assert_eq!(refusal(text(0.7, true)), "");
    assert_eq!(refusal(text(0.1 / 3.0, false)), "");
}
