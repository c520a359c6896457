//! Sources of signals: values, exact time events, and refusals.

use crate::common::{events, program, run_to, simulation, start, value};
use equations::Interpreter;
use fmu_runtime::Simulation;
use libraries::prelude::*;
use mechanics::component::Component;

/// A model with a source `s` only.
fn alone(source: impl Component) -> Simulation {
    start(|m| {
        m.add("s", source);
    })
}

/// The sentence with which a source `s` is refused.
fn refusal(source: impl Component) -> String {
    let text = |m: &mut Assembly| {
        m.add("s", source);
    };
    simulation(text).expect_err("it is impossible")
}

/// Values of `s.y` at instants that ascend.
fn at<const N: usize>(model: &mut Simulation, instants: [f64; N]) -> [f64; N] {
    instants.map(|t| {
        run_to(model, t);
        value(model, "s.y")
    })
}

#[test]
fn a_ramp_rises_between_its_two_events() {
    let ramp = || Ramp::new().height(6.0).duration(2.0).offset(1.0).start_time(0.5);
    let mut model = alone(ramp());
    assert_eq!(at(&mut model, [0.0, 0.25, 0.5, 1.5, 2.5, 9.0]), [1.0, 1.0, 1.0, 4.0, 7.0, 7.0]);
    let mut model = alone(ramp());
    assert_eq!(events(&mut model, 10.0), [0.5, 2.5]);
}

#[test]
fn a_ramp_without_duration_is_a_step() {
    let mut model = alone(Ramp::new().height(3.0).duration(0.0).start_time(1.0));
    assert_eq!(at(&mut model, [0.0, 0.999, 1.0, 2.0]), [0.0, 0.0, 3.0, 3.0]);
    let mut model = alone(Ramp::new().height(3.0).duration(0.0));
    assert_eq!(at(&mut model, [0.0, 1.0]), [3.0, 3.0], "it is over when the simulation begins");
}

#[test]
fn a_pulse_begins_and_ends_at_its_events() {
    let pulse = || Pulse::new().amplitude(2.0).period(4.0).width(25.0).offset(-1.0).start_time(1.0);
    let mut model = alone(pulse());
    let values = at(&mut model, [0.0, 0.9, 1.0, 1.9, 2.0, 4.9, 5.0, 5.9, 6.0]);
    assert_eq!(values, [-1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, 1.0, -1.0]);
    assert_eq!(value(&mut model, "s.count"), 1.0);
    let mut model = alone(pulse().nperiod(2));
    assert_eq!(events(&mut model, 100.0), [1.0, 2.0, 5.0, 6.0, 9.0], "two periods");
    assert_eq!(value(&mut model, "s.y"), -1.0);
}

#[test]
fn pulses_of_no_and_of_full_width_are_constants() {
    for (width, y) in [(0.0, 0.0), (100.0, 5.0)] {
        for period in [0.1, 0.3, 1.0 / 3.0] {
            let pulse = Pulse::new().amplitude(5.0).period(period).width(width);
            let mut model = alone(pulse);
            assert_eq!(value(&mut model, "s.y"), y);
            for k in 1..200 {
                let next = model.next_event_time().unwrap();
                assert_eq!(next, f64::from(k) * period, "one event a period, and no other");
                run_to(&mut model, next);
                assert_eq!(value(&mut model, "s.y"), y, "width {width} % at {next} s");
            }
        }
    }
}

#[test]
fn a_simulation_may_begin_long_after_the_first_period() {
    for begin in [1e6, 12345.678, 1e9 + 0.25] {
        let pulse = Pulse::new().amplitude(1.0).period(0.5).width(50.0);
        let text = |m: &mut Assembly| {
            m.add("s", pulse);
        };
        let mut model = simulation(text).unwrap();
        model.start_at(begin, None).unwrap();
        for k in 0..20 {
            let t = begin + 0.11 * f64::from(k);
            run_to(&mut model, t);
            let expected = if (t / 0.5).fract() < 0.5 { 1.0 } else { 0.0 };
            assert_eq!(value(&mut model, "s.y"), expected, "at {t} s");
        }
        assert_eq!(value(&mut model, "s.count"), (model.time() / 0.5).floor());
    }
}

#[test]
fn counters_are_right_beyond_the_largest_integer() {
    let begin = 3e8;
    let table = CombiTimeTable::new().rows([[0.0, 0.0], [0.1, 1.0]]);
    let mut model = simulation(|m| {
        m.add("pulse", Pulse::new().amplitude(1.0).period(0.1));
        m.add("trapezoid", Trapezoid::new().amplitude(1.0).period(0.1));
        m.add("table", table.extrapolation(Extrapolation::Periodic));
    })
    .unwrap();
    model.start_at(begin, None).unwrap();
    run_to(&mut model, begin + 0.95);
    assert_eq!(value(&mut model, "pulse.count"), 3_000_000_009.0);
    assert_eq!(value(&mut model, "trapezoid.count"), 3_000_000_009.0);
    assert_eq!(value(&mut model, "table.cycle"), 3_000_000_009.0);
}

/// Values at instants after `begin`, in s, and the instants of the events after it.
fn late(
    add: &dyn Fn(&mut Assembly),
    begin: f64,
    instants: &[f64],
    names: &[&str],
) -> (Vec<f64>, Vec<f64>) {
    let begun = || {
        let mut model = simulation(|m| add(m)).unwrap();
        model.start_at(begin, None).unwrap();
        model
    };
    let mut model = begun();
    let mut values = Vec::new();
    for t in instants {
        run_to(&mut model, begin + t);
        values.extend(names.iter().map(|name| value(&mut model, name)));
    }
    let last = instants.last().unwrap();
    let instants = events(&mut begun(), begin + last);
    (values, instants.into_iter().map(|t| t - begin).collect())
}

#[test]
fn signals_of_today_are_those_of_the_beginning_of_time() {
    // Seconds since 1970, where time has a resolution of 0.24 us.
    let now = 1.7e9;
    for period in [1.0, 0.1, 1e-2, 1e-3, 1e-4] {
        for start_time in [0.0, now] {
            let add = |m: &mut Assembly, start: f64| {
                let pulse = Pulse::new().amplitude(1.0).period(period).width(30.0);
                m.add("pulse", pulse.start_time(start));
                let trapezoid = Trapezoid::new().amplitude(1.0).period(period).width(0.3 * period);
                let trapezoid = trapezoid.rising(0.2 * period).falling(0.4 * period);
                m.add("trapezoid", trapezoid.start_time(start));
                let saw = Trapezoid::new().amplitude(1.0).period(period).width(0.0);
                m.add("saw", saw.rising(period).start_time(start));
                let rows = [[0.0, 0.0], [0.25, 1.0], [0.5, 0.4], [0.5, -1.0], [1.0, 0.0]];
                let table = CombiTimeTable::new().rows(rows.map(|[t, y]| [t * period, y]));
                let table = table.extrapolation(Extrapolation::Periodic);
                m.add("table", table.start_time(start));
            };
            let names = ["pulse.y", "trapezoid.y", "saw.y", "table.y[1]"];
            // Irregular instants that are away from all jumps and kinks, which rounding moves.
            let near = 5e-3_f64.max(2.5e-6 / period);
            let instants: Vec<f64> = (0..300)
                .map(|k| period * (0.013 + f64::from(k) * 0.11))
                .filter(|t| {
                    let part = (t / period).fract();
                    [0.0, 0.2, 0.25, 0.3, 0.5, 0.9, 1.0]
                        .iter()
                        .all(|jump| (part - jump).abs() > near)
                })
                .collect();
            let (expected, at_first) = late(&|m| add(m, 0.0), 0.0, &instants, &names);
            let (found, at_last) = late(&|m| add(m, start_time), now, &instants, &names);
            // The slope of the steepest edge times the resolution of time.
            let error = 1e-9 + 10.0 / period * 4.8e-7;
            for (k, (a, b)) in expected.iter().zip(&found).enumerate() {
                let (t, name) = (instants[k / names.len()], names[k % names.len()]);
                let what = format!("period {period}, start {start_time}: {name} at {t}");
                assert!((a - b).abs() < error, "{what}: {b}, not {a}");
            }
            let counts = [at_first.len(), at_last.len()];
            assert_eq!(counts[0], counts[1], "{period} {start_time}");
        }
    }
}

#[test]
fn short_periods_at_a_late_time_make_progress() {
    let begin = 1.7e9;
    for (period, periods) in [(1e-3, 1000), (1e-4, 1000), (2e-5, 1000)] {
        let mut model = simulation(|m| {
            m.add("s", Pulse::new().amplitude(1.0).period(period).start_time(begin));
        })
        .unwrap();
        model.start_at(begin, None).unwrap();
        let count = events(&mut model, begin + f64::from(periods) * period - 0.25 * period).len();
        assert_eq!(count, 2 * periods as usize - 1, "{period}");
    }
}

#[test]
fn a_pulse_has_its_value_already_before_the_first_event() {
    for (begin, y) in [(-1.0, 0.0), (0.0, 2.0), (0.4, 0.0), (100.1, 2.0), (100.4, 0.0)] {
        let pulse = Pulse::new().amplitude(2.0).period(1.0).width(30.0);
        let text = |m: &mut Assembly| {
            m.add("s", pulse);
        };
        let mut model = Interpreter::new(program(text).unwrap());
        model.t = begin;
        model.realize().unwrap();
        assert_eq!(model.value_of("s.y"), Some(y), "at {begin} s");
    }
}

#[test]
fn errors_do_not_accumulate_over_many_periods() {
    let mut model = alone(Pulse::new().amplitude(1.0).period(0.1).width(30.0));
    for k in 0..36_000 {
        let ends = model.next_event_time().unwrap();
        assert_eq!(ends, (f64::from(k) + 0.3) * 0.1);
        run_to(&mut model, ends);
        assert_eq!(value(&mut model, "s.y"), 0.0);
        let begins = model.next_event_time().unwrap();
        assert_eq!(begins, f64::from(k + 1) * 0.1);
        run_to(&mut model, begins);
        assert_eq!(value(&mut model, "s.y"), 1.0);
    }
}

#[test]
fn a_trapezoid_rises_stays_constant_falls_and_is_zero() {
    let trapezoid =
        || Trapezoid::new().amplitude(8.0).period(10.0).rising(2.0).width(3.0).falling(4.0);
    let mut model = alone(trapezoid().offset(1.0).start_time(1.0));
    let values = at(&mut model, [0.5, 1.0, 2.0, 3.0, 5.0, 6.0, 8.0, 10.0, 10.5, 11.0, 12.0]);
    assert_eq!(values, [1.0, 1.0, 5.0, 9.0, 9.0, 9.0, 5.0, 1.0, 1.0, 1.0, 5.0]);
    let mut model = alone(trapezoid().nperiod(1));
    assert_eq!(events(&mut model, 100.0), [2.0, 5.0, 9.0, 10.0]);
    assert_eq!(value(&mut model, "s.y"), 0.0);
}

#[test]
fn a_trapezoid_without_edges_is_a_pulse() {
    let mut trapezoid = alone(Trapezoid::new().amplitude(3.0).period(0.7).width(0.35));
    let mut pulse = alone(Pulse::new().amplitude(3.0).period(0.7));
    for k in 0..300 {
        let t = 0.05 * f64::from(k);
        run_to(&mut trapezoid, t);
        run_to(&mut pulse, t);
        assert_eq!(value(&mut trapezoid, "s.y"), value(&mut pulse, "s.y"), "at {t} s");
    }
}

#[test]
fn a_trapezoid_that_fills_its_period_has_no_gap() {
    let saw = Trapezoid::new().amplitude(1.0).period(0.3).rising(0.1).width(0.0).falling(0.2);
    let mut model = alone(saw);
    for k in 0..3000 {
        let t = 0.0101 * f64::from(k);
        run_to(&mut model, t);
        let s = (t / 0.3).fract() * 0.3;
        let expected = if s < 0.1 { s / 0.1 } else { (0.3 - s) / 0.2 };
        let y = value(&mut model, "s.y");
        assert!((y - expected).abs() < 1e-11 || s < 1e-9, "at {t} s: {y}, not {expected}");
    }
}

#[test]
fn a_motion_from_point_to_point_covers_its_distance_and_ends_at_rest() {
    // With and without a time at the largest speed, in both directions, and without motion.
    for (deltaq, qd_max, qdd_max) in
        [(3.0, 1.0, 2.0), (-3.0, 1.0, 2.0), (0.1, 1.0, 2.0), (-0.5, 1.0, 2.0), (0.0, 1.0, 2.0)]
    {
        let ptp = KinematicPTP::new().deltaq([deltaq]).qd_max([qd_max]).qdd_max([qdd_max]);
        let mut model = alone(ptp.start_time(0.5));
        let (mut q, mut qd, mut fastest) = (0.0, 0.0, 0.0_f64);
        loop {
            let next = model.next_event_time().unwrap();
            let (y, h) = (value(&mut model, "s.y[1]"), next - model.time());
            if next.is_infinite() {
                assert_eq!(y, 0.0);
                break;
            }
            assert!(y.abs() <= qdd_max);
            q += qd * h + y * h * h / 2.0;
            qd += y * h;
            fastest = fastest.max(qd.abs());
            run_to(&mut model, next);
        }
        assert!((q - deltaq).abs() < 1e-14 && qd.abs() < 1e-14, "{deltaq}: {q} at speed {qd}");
        let expected = qd_max.min((deltaq.abs() * qdd_max).sqrt());
        assert!((fastest - expected).abs() < 1e-14);
    }
}

#[test]
fn waves_begin_at_their_start_time() {
    let wave = |t: f64| 2.0 * std::f64::consts::PI * 0.5 * (t - 1.0) + 0.3;
    let cosine = || Cosine::new().amplitude(3.0).f(0.5).phase(0.3).offset(-1.0).start_time(1.0);
    let mut model = alone(cosine());
    let [before, at_start, later] = at(&mut model, [0.9, 1.0, 2.7]);
    assert_eq!(before, -1.0);
    assert!((at_start - (3.0 * 0.3_f64.cos() - 1.0)).abs() < 1e-15);
    assert!((later - (3.0 * wave(2.7).cos() - 1.0)).abs() < 1e-14);
    assert_eq!(events(&mut alone(cosine()), 5.0), [1.0]);
    let decaying = ExpSine::new().f(0.5).phase(0.3).damping(0.7).offset(2.0).start_time(1.0);
    let mut model = alone(decaying);
    let [before, later] = at(&mut model, [0.5, 4.2]);
    assert_eq!(before, 2.0);
    let decay = (-0.7_f64 * 3.2).exp();
    assert!((later - (decay * wave(4.2).sin() + 2.0)).abs() < 1e-14);
}

#[test]
fn impossible_sources_are_refused_with_their_parameter() {
    let pulse = || Pulse::new().amplitude(1.0).period(1.0);
    assert_eq!(refusal(pulse().width(101.0)), "s.width = 101 %: must be from 0 to 100 %");
    let never = Pulse::new().amplitude(1.0).period(0.0);
    assert_eq!(refusal(never), "s.period = 0 s: must be positive");
    let ramp = Ramp::new().height(1.0).duration(-1.0);
    assert_eq!(refusal(ramp), "s.duration = -1 s: must be positive or zero");
    let ptp = KinematicPTP::new().deltaq([1.0]).qd_max([0.0]).qdd_max([1.0]);
    assert!(refusal(ptp).starts_with("s.qd_max[1] = 0: must be positive"));
}
