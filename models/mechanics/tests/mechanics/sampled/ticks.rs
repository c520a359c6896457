//! Ticks of clocks: how many there are, when they are, and in which order values change at them.

use crate::common::{
    events, program_with, refusal, run_to, simulation, simulation_of, start, value,
};
use equations::{Clock, Ex, Model, select};
use fmu_runtime::Simulation;
use libraries::blocks::{ContinuousClock, SampleTrigger};
use libraries::prelude::*;
use libraries::sampled::*;

/// A model without components.
fn model(add: impl FnOnce(&mut Model)) -> Simulation {
    simulation_of(&program_with(|_| (), add).expect("a sound model"))
}

/// Counts the ticks of a clock, and keeps the time of the last one.
fn count(m: &mut Model, name: &str, clock: Clock) {
    let tick = m.ticks(&format!("{name}: clock"), clock).tick;
    let [n, last] = ["n", "last"].map(|of| m.discrete(&format!("{name}.{of}"), 0.0).done());
    let time = m.time();
    m.update(n, select(tick, n.pre() + 1.0, n.pre()));
    m.update(last, select(tick, time, last.pre()));
}

#[test]
fn the_ticks_after_the_start_are_as_many_as_periods_fit_into_the_time() {
    for (period, begin) in [(0.3, 0.0), (0.25, 10.0), (1.0 / 3.0, 1e6), (7e-3, -3.5)] {
        let first = begin + 0.1;
        let mut model = model(|m| count(m, "c", Clock::periodic(first, period)));
        model.start_at(begin, None).unwrap();
        for k in 1..60 {
            let t = begin + 0.05713 * f64::from(k);
            run_to(&mut model, t);
            let expected = ((t - first) / period).floor() + 1.0;
            assert_eq!(value(&mut model, "c.n"), expected.max(0.0), "{period} s, at {t} s");
        }
    }
}

/// The next number above.
fn above(t: f64) -> f64 {
    t.next_up()
}

#[test]
fn no_tick_of_an_awkward_period_is_lost_or_added_in_a_long_time() {
    // No binary number expresses these periods. Each time is an instant of a tick.
    for (period, ticks) in
        [(0.1, 30_000), (1.0 / 3.0, 20_000), (50e-6, 40_000), (1e-3 / 7.0, 20_000)]
    {
        let mut model = model(|m| count(m, "c", Clock::periodic(period, period)));
        model.start(None).unwrap();
        let mut k = 0;
        while k < ticks {
            k += 1 + k / 7;
            // The interval (0, t] has as many ticks as periods, with the tick at its end.
            let instant = f64::from(k) * period;
            run_to(&mut model, (f64::from(k) - 0.5) * period);
            assert_eq!(
                value(&mut model, "c.n"),
                f64::from(k - 1),
                "{period} s, before {instant} s"
            );
            run_to(&mut model, above(instant));
            assert_eq!(value(&mut model, "c.n"), f64::from(k), "{period} s, at {instant} s");
            assert!((value(&mut model, "c.last") - instant).abs() <= f64::EPSILON * instant);
        }
    }
}

#[test]
fn an_importer_that_goes_from_event_to_event_counts_the_same_ticks() {
    for (period, begin) in [(0.1, 0.0), (1.0 / 3.0, 1e5), (50e-6, 3600.0)] {
        let mut model = model(|m| count(m, "c", Clock::periodic(begin + period, period)));
        model.start_at(begin, None).unwrap();
        for k in 1..=20_000 {
            // As in Model Exchange: the importer moves the time, and calls for the event there.
            let t = model.next_event_time().unwrap();
            let expected = (f64::from(k) - 1.0).mul_add(period, begin + period);
            assert!((t - expected).abs() <= f64::EPSILON * t, "{period} s, tick {k}: {t}");
            model.move_to(t, &[]).unwrap();
            run_to(&mut model, t);
            assert_eq!(value(&mut model, "c.n"), f64::from(k), "{period} s");
        }
    }
}

#[test]
fn ticks_that_an_importer_skips_are_one_tick() {
    let mut model = model(|m| {
        let clock = Clock::periodic(0.1, 0.1);
        count(m, "c", clock);
        count(m, "sub", clock.slower(3).unwrap());
    });
    model.start(None).unwrap();
    model.move_to(400.05, &[]).unwrap();
    run_to(&mut model, 400.05);
    assert_eq!(["c.n", "sub.n"].map(|name| value(&mut model, name)), [1.0, 1.0]);
    // The next ticks are where they belong.
    run_to(&mut model, 400.15);
    assert!((value(&mut model, "c.last") - 400.1).abs() < 1e-9);
    assert_eq!(value(&mut model, "c.n"), 2.0);
    run_to(&mut model, 400.35);
    assert!((value(&mut model, "sub.last") - 400.3).abs() < 1e-9);
    assert_eq!(["c.n", "sub.n"].map(|name| value(&mut model, name)), [4.0, 2.0]);
}

#[test]
fn a_clock_that_counts_too_small_parts_is_refused() {
    let base = Clock::periodic(0.0, 1.0);
    // Both fractions fit, but their common denominator does not.
    assert!(base.faster(65_537).is_some());
    assert!(base.shift(1, 32_771).unwrap().faster(65_537).is_none());
    assert!(base.faster(1 << 31).is_some() && base.faster((1 << 31) + 1).is_none());
    // A common denominator may be less than the product.
    assert!(base.faster(100_000).unwrap().shift(1, 20_000).is_some());
}

#[test]
fn errors_of_the_period_do_not_accumulate() {
    let mut model = model(|m| {
        count(m, "period", Clock::periodic(0.0, 5e-5));
        count(m, "rate", Clock::with_quotient(0.0, 1.0, 20e3));
    });
    model.start(None).unwrap();
    run_to(&mut model, 1.00002);
    for name in ["period", "rate"] {
        assert_eq!(value(&mut model, &format!("{name}.n")), 20_001.0);
        assert_eq!(value(&mut model, &format!("{name}.last")), 1.0);
    }
}

#[test]
fn simultaneous_ticks_of_derived_clocks_are_one_event() {
    // A period that no binary number expresses, and a start at which differences cancel.
    for start in [0.0, 0.1, 1e3 + 0.1] {
        let mut model = model(|m| {
            let base = Clock::periodic(start, 0.1);
            count(m, "base", base);
            count(m, "sub", base.slower(3).unwrap());
            count(m, "fast", base.faster(7).unwrap());
            count(m, "back", base.faster(7).unwrap().slower(7).unwrap());
            count(m, "shifted", base.shift(3, 7).unwrap());
            count(m, "late", base.slower(2).unwrap().shift(1, 2).unwrap());
        });
        model.start_at(start, None).unwrap();
        let found = events(&mut model, start + 2.05);
        // The fast clock has all ticks of the other ones.
        assert_eq!(found.len(), 143, "{start}");
        let mut number = |name: &str| value(&mut model, &format!("{name}.n"));
        let expected =
            [("base", 21.0), ("sub", 7.0), ("fast", 144.0), ("back", 21.0), ("shifted", 21.0)];
        expected.iter().for_each(|(name, n)| assert_eq!(number(name), *n, "{name}"));
        assert_eq!(number("late"), 10.0);
    }
}

#[test]
fn a_clock_counts_its_ticks_from_the_first_one_although_the_simulation_begins_later() {
    let mut model = model(|m| {
        count(m, "c", Clock::periodic(0.0, 0.1).slower(3).unwrap().shift(1, 3).unwrap());
    });
    model.start_at(0.65, None).unwrap();
    // Ticks are at 0.1, 0.4, 0.7, 1.0.
    let found = events(&mut model, 1.2);
    assert_eq!(found.len(), 2);
    assert!((found[0] - 0.7).abs() < 1e-15 && (found[1] - 1.0).abs() < 1e-15, "{found:?}");
}

#[test]
fn clocks_that_count_too_far_or_backwards_do_not_exist() {
    let base = Clock::periodic(0.0, 1.0);
    for factor in [0, -1, i64::MAX] {
        assert!(base.slower(factor).is_none() && base.faster(factor).is_none());
    }
    assert!(base.shift(1, 0).is_none() && base.shift(1, -2).is_none());
    assert!(base.shift(0, 5).is_some() && base.shift(-1, 5).is_some());
}

#[test]
fn nothing_is_sampled_twice_at_one_tick() {
    // Each sample is one more than that before, which the hold passes on after the tick.
    let mut model = start(|m| {
        let one = m.add("one", Constant::new().k(1));
        let (sum, sampler) = (m.add("sum", Add::new()), Sampler::new().sample_period(0.1));
        let sampler = m.add("sampler", sampler);
        let hold = m.add("hold", ZeroOrderHold::new().sample_period(0.1));
        m.connect(one.y, sum.u1);
        m.connect(hold.y, sum.u2);
        m.connect(sum.y, sampler.u);
        m.connect(sampler.y, hold.u);
    });
    let at_start = value(&mut model, "sampler.y");
    for k in 1..30 {
        run_to(&mut model, 0.1 * f64::from(k) + 0.05);
        assert_eq!(value(&mut model, "sampler.y"), at_start + f64::from(k));
        assert_eq!(value(&mut model, "hold.y"), value(&mut model, "sampler.y"));
    }
}

#[test]
fn samplers_in_series_pass_a_value_on_within_a_tick_in_any_order() {
    for reverse in [false, true] {
        let mut model = start(|m| {
            let clock = m.add("clock", ContinuousClock::new());
            let mut names = ["a", "b", "c"];
            if reverse {
                names.reverse();
            }
            let parts = names.map(|name| m.add(name, Sampler::new().sample_period(0.25)));
            m.connect(clock.y, parts[0].u);
            m.connect(parts[0].y, parts[1].u);
            m.connect(parts[1].y, parts[2].u);
        });
        run_to(&mut model, 1.3);
        assert_eq!(["a", "b", "c"].map(|name| value(&mut model, &format!("{name}.y"))), [1.25; 3]);
    }
}

#[test]
fn a_cycle_within_a_tick_is_refused_and_a_delay_in_it_is_not() {
    let text = |delay: bool| {
        move |m: &mut Assembly| {
            let wanted = m.add("wanted", Constant::new().k(1));
            let error = m.add("error", Feedback::new());
            let first = m.add("first", Sampler::new().sample_period(0.1));
            let gain = m.add("gain", Gain::new().k(0.5));
            m.connect(wanted.y, error.u1);
            m.connect(error.y, first.u);
            m.connect(first.y, gain.u);
            if delay {
                let delay = m.add("delay", UnitDelay::new().sample_period(0.1));
                m.connect(gain.y, delay.u);
                m.connect(delay.y, error.u2);
            } else {
                let second = m.add("second", Sampler::new().sample_period(0.1));
                m.connect(gain.y, second.u);
                m.connect(second.y, error.u2);
            }
        }
    };
    let sentence = refusal(text(false));
    assert!(sentence.contains("depend on each other within one tick"), "{sentence}");
    for name in ["error.y", "first.y", "gain.y", "second.y"] {
        assert!(sentence.contains(name), "{name}: {sentence}");
    }
    // The samples are 1 minus half of that before.
    let mut model = start(text(true));
    let mut sample = 1.0;
    for k in 0..20 {
        run_to(&mut model, 0.1 * f64::from(k) + 0.05);
        sample = 1.0 - 0.5 * sample;
        assert_eq!(value(&mut model, "first.y"), sample);
    }
}

#[test]
fn a_value_before_an_event_is_that_of_the_relations_before_it() {
    // At 1 s, a step, a tick of the sampler and that of the delays coincide.
    let mut model = start(|m| {
        let step = m.add("step", Step::new().height(2).start_time(1));
        let sampler = m.add("sampler", Sampler::new().sample_period(0.5));
        let of_step = m.add("of_step", UnitDelay::new().sample_period(0.5));
        let of_sampler = m.add("of_sampler", UnitDelay::new().sample_period(0.5).y_start(7));
        let clock = m.add("clock", ContinuousClock::new());
        let of_clock = m.add("of_clock", UnitDelay::new().sample_period(0.5));
        m.connect(step.y, sampler.u);
        m.connect(step.y, of_step.u);
        m.connect(sampler.y, of_sampler.u);
        m.connect(clock.y, of_clock.u);
    });
    let mut at = |t: f64| {
        run_to(&mut model, t);
        ["sampler", "of_step", "of_sampler", "of_clock"]
            .map(|name| value(&mut model, &format!("{name}.y")))
    };
    assert_eq!(at(0.6), [0.0, 0.0, 0.0, 0.5]);
    assert_eq!(at(1.1), [2.0, 0.0, 0.0, 1.0]);
    assert_eq!(at(1.6), [2.0, 2.0, 2.0, 1.5]);
}

#[test]
fn a_period_that_is_not_positive_is_refused() {
    for period in [0.0, -0.1] {
        let sentence = refusal(|m| {
            m.add("s", SampleTrigger::new().period(period));
        });
        assert!(sentence.contains("s.period"), "{sentence}");
        let sentence = refusal(|m| {
            let sampler = m.add("sampler", Sampler::new().sample_period(period));
            let one = m.add("one", Constant::new().k(1));
            m.connect(one.y, sampler.u);
        });
        assert!(sentence.contains("sampler.samplePeriod"), "{sentence}");
        let add = |m: &mut Model| count(m, "c", Clock::periodic(0.0, Ex::from(period)));
        let sentence = program_with(|_| (), add).err().unwrap_or_default();
        let wanted = "the time between two ticks of c: clock must be larger than 9.1e-13 s";
        assert!(sentence.contains(wanted), "{sentence}");
    }
}

#[test]
fn a_period_that_time_does_not_resolve_is_refused_with_its_value() {
    let sampled = |period: f64, stop: f64| {
        move |m: &mut Assembly| {
            let sampler = m.add("sampler", Sampler::new().sample_period(period));
            let one = m.add("one", Constant::new().k(1));
            m.connect(one.y, sampler.u);
            m.stop_time(stop);
            m.step_size(stop / 1e3);
        }
    };
    let beginning = |period: &str| {
        format!(
            "sampler.samplePeriod = {period} s: the time between two ticks of \
             sampler.sampleTrigger must be larger than"
        )
    };
    let sentence = refusal(sampled(1e-17, 1.0));
    assert!(sentence.starts_with(&(beginning("1e-17") + " 9.1e-13 s")), "{sentence}");
    // In a short experiment, time resolves shorter periods, and in a long one only longer ones.
    assert_eq!(refusal(sampled(1e-17, 1e-6)), "");
    let sentence = refusal(sampled(1e-9, 1e4));
    assert!(sentence.starts_with(&(beginning("1e-9") + " 9.1e-9 s")), "{sentence}");
    // A frequency determines the period too.
    let sentence = refusal(|m| {
        let one = m.add("one", Constant::new().k(1));
        let pwm = m.add("pwm", SignalPWM::new().f(1e17));
        m.connect(one.y, pwm.duty_cycle);
    });
    assert!(sentence.starts_with("pwm.f = 1e17 Hz: the time between two ticks"), "{sentence}");
    // An importer may set what the build would refuse.
    let mut model = simulation(sampled(0.1, 1.0)).unwrap();
    model.set("sampler.samplePeriod", 1e-17).unwrap();
    let why = model.start(None).unwrap_err().to_string();
    assert!(why.contains(&beginning("1e-17")), "{why}");
}
