//! Blocks with kinks: limits, dead zones, and limited rates.

use crate::common::{events, refusal, run_to, settle, start, value};
use libraries::blocks::*;
use libraries::prelude::*;

/// Whether an event happens near an instant.
fn happens(instants: &[f64], at: f64) -> bool {
    instants.iter().any(|t| (t - at).abs() < 1e-9)
}

#[test]
fn limits_that_are_signals_are_reached_and_left_by_events() {
    let run = |strict: bool| {
        let mut model = start(move |m| {
            let u = m.add("u", Ramp::new().offset(-2).height(4).duration(4));
            let upper = m.add("upper", Ramp::new().offset(1).height(0.5).duration(4));
            let lower = m.add("lower", Constant::new().k(-0.5));
            let s = m.add("s", VariableLimiter::new().strict(strict));
            m.connect(u.y, s.u);
            m.connect(upper.y, s.limit1);
            m.connect(lower.y, s.limit2);
        });
        let mut values = vec![value(&mut model, "s.y")];
        let instants = events(&mut model, 2.0);
        values.push(value(&mut model, "s.y"));
        let later = events(&mut model, 3.9);
        values.push(value(&mut model, "s.y"));
        (values, [instants, later].concat())
    };
    let (values, instants) = run(false);
    assert_eq!(values, [-0.5, 0.0, 1.0 + 0.5 * 3.9 / 4.0]);
    // u = t - 2 passes -0.5 at 1.5, and 1 + t / 8 at 24 / 7.
    assert!(happens(&instants, 1.5) && happens(&instants, 24.0 / 7.0), "{instants:?}");
    let (without_events, instants) = run(true);
    assert_eq!(without_events, values);
    assert!(!happens(&instants, 1.5) && !happens(&instants, 24.0 / 7.0), "{instants:?}");
}

#[test]
fn exchanged_limits_end_the_simulation() {
    let mut model = start(|m| {
        let u = m.add("u", Constant::new().k(0));
        let upper = m.add("upper", ExternalInput::new().unit("1").start(1));
        let s = m.add("s", VariableLimiter::new());
        m.connect(u.y, s.u);
        m.connect(upper.y, s.limit1);
        m.connect(u.y, s.limit2);
    });
    settle(&mut model);
    model.set("upper", -1.0).unwrap();
    let why = model.run_to(0.5).expect_err("the limits are exchanged").to_string();
    assert!(why.contains("s.limit1 is below s.limit2"), "{why}");
}

#[test]
fn a_dead_zone_has_no_output_and_two_kinks() {
    let mut model = start(|m| {
        let u = m.add("u", Ramp::new().offset(-2).height(4).duration(4));
        let s = m.add("s", DeadZone::new().u_max(1).u_min(-0.5));
        m.connect(u.y, s.u);
    });
    assert_eq!(value(&mut model, "s.y"), -1.5);
    let instants = events(&mut model, 2.0);
    assert!(happens(&instants, 1.5), "{instants:?}");
    assert_eq!(value(&mut model, "s.y"), 0.0);
    let instants = events(&mut model, 3.5);
    assert!(happens(&instants, 3.0), "{instants:?}");
    assert_eq!(value(&mut model, "s.y"), 0.5);
    let sentence = refusal(|m| {
        let u = m.add("u", Constant::new().k(0));
        let s = m.add("s", DeadZone::new().u_max(-1));
        m.connect(u.y, s.u);
    });
    assert_eq!(sentence, "s.uMin = 1, s.uMax = -1: uMin must not be above uMax");
}

/// A slew rate limiter after a step from 1 to 3 at 1 s.
fn slewing(block: SlewRateLimiter) -> fmu_runtime::Simulation {
    start(move |m| {
        let u = m.add("u", Step::new().offset(1).height(2).start_time(1));
        let s = m.add("s", block);
        m.connect(u.y, s.u);
    })
}

#[test]
fn a_slew_rate_limiter_follows_with_its_rate_and_then_with_its_time_constant() {
    for strict in [false, true] {
        let mut model = slewing(SlewRateLimiter::new().rising(0.5).t_d(0.1).strict(strict));
        assert_eq!(value(&mut model, "s.y"), 1.0, "it begins in steady state");
        run_to(&mut model, 2.0);
        assert!((value(&mut model, "s.y") - 1.5).abs() < 1e-8);
        // The rate is below 0.5 from y = 3 - 0.05 on, at 1 + 1.95 / 0.5.
        let instants = events(&mut model, 5.0);
        assert_eq!(happens(&instants, 4.9), !strict, "{instants:?}");
        run_to(&mut model, 5.1);
        let exact = 3.0 - 0.05 * (-0.2_f64 / 0.1).exp();
        assert!((value(&mut model, "s.y") - exact).abs() < 1e-7);
    }
}

#[test]
fn a_slew_rate_limiter_starts_as_it_is_told() {
    let begin = |init: Init| {
        let block = SlewRateLimiter::new().init_type(init).y_start(0.25).t_d(0.1);
        value(&mut slewing(block), "s.y")
    };
    assert_eq!(begin(Init::SteadyState), 1.0);
    assert_eq!([Init::InitialState, Init::InitialOutput, Init::NoInit].map(begin), [0.25; 3]);
    let falls = |rate: f64| {
        refusal(move |m| {
            let u = m.add("u", Constant::new().k(0));
            let s = m.add("s", SlewRateLimiter::new().falling(rate));
            m.connect(u.y, s.u);
        })
    };
    assert_eq!(falls(0.5), "s.Falling = 0.5: must be negative");
    assert_eq!(falls(-0.5), "");
}
