//! Integrators: resets, and limits of the output.

use crate::common::{events, refusal, run_to, start, value};
use libraries::blocks::*;
use libraries::prelude::*;
use mechanics::add;

#[test]
fn a_reset_sets_the_output_where_the_signal_becomes_true() {
    let mut model = start(|m| {
        add! { m,
            u: Constant::new().k(1),
            time: Ramp::new().height(10).duration(10),
            late: GreaterEqualThreshold::new().threshold(0.5),
            to: Constant::new().k(-2),
            own: Integrator::new().k(2).y_start(fixed(0.25)),
            other: Integrator::new().k(2),
        }
        m.connect(time.y, late.u);
        for part in [own, other] {
            m.connect(u.y, part.u);
            m.connect(late.y, part.reset);
        }
        m.connect(to.y, other.set);
    });
    run_to(&mut model, 0.5 - 1e-6);
    assert!((value(&mut model, "own.y") - 1.25).abs() < 1e-5);
    run_to(&mut model, 1.0);
    // The signal stays true, which is no other edge.
    assert!((value(&mut model, "own.y") - (0.25 + 1.0)).abs() < 1e-9);
    assert!((value(&mut model, "other.y") - (-2.0 + 1.0)).abs() < 1e-9);
}

#[test]
fn a_reset_that_is_true_from_the_start_on_has_no_edge() {
    let mut model = start(|m| {
        add! { m,
            u: Constant::new().k(1),
            always: GreaterEqualThreshold::new().threshold(0.5),
            integrator: Integrator::new().y_start(fixed(0.25)),
            to: Constant::new().k(9),
        }
        m.connect(u.y, always.u);
        m.connect(u.y, integrator.u);
        m.connect(always.y, integrator.reset);
        m.connect(to.y, integrator.set);
    });
    run_to(&mut model, 1.0);
    assert!((value(&mut model, "integrator.y") - 1.25).abs() < 1e-9);
}

/// The integral of a cosine with limits, which begins at 0.
fn limited(part: LimIntegrator) -> impl FnOnce(&mut Assembly) {
    move |m| {
        let u = m.add("u", Cosine::new().amplitude(1).f(1.0 / (2.0 * std::f64::consts::PI)));
        let part = m.add("part", part);
        m.connect(u.y, part.u);
    }
}

#[test]
fn an_integrator_is_held_at_a_limit_until_its_input_changes_sign() {
    let mut model = start(limited(LimIntegrator::new().out_max(0.5).out_min(-2)));
    let pi = std::f64::consts::PI;
    // Up to 0.5, held until the cosine is negative, down to -1.5, up again to 0.5.
    let instants = events(&mut model, 9.0);
    let wanted = [pi / 6.0, pi / 2.0, 3.0 * pi / 2.0, 5.0 * pi / 2.0];
    for instant in wanted {
        let nearest = instants.iter().map(|t| (t - instant).abs()).fold(f64::MAX, f64::min);
        assert!(nearest < 1e-6, "{instant}: {instants:?}");
    }
    assert!(instants.len() < 8, "{instants:?}");
    let mut model = start(limited(LimIntegrator::new().out_max(0.5).out_min(-2)));
    for (t, y) in [(0.3, 0.3_f64.sin()), (1.0, 0.5), (1.5, 0.5), (3.0, 3.0_f64.sin() - 0.5)] {
        run_to(&mut model, t);
        let found = value(&mut model, "part.y");
        assert!((found - y).abs() < 1e-7, "at {t}: {found}");
        if t == 1.5 {
            assert_eq!(found, 0.5);
        }
    }
}

#[test]
fn strict_limits_cause_no_events() {
    let part = LimIntegrator::new().out_max(0.5).out_min(-2).strict(true);
    let mut model = start(limited(part));
    assert_eq!(events(&mut model, 1.4), [] as [f64; 0]);
    assert!((value(&mut model, "part.y") - 0.5).abs() < 1e-5);
}

#[test]
fn a_reset_of_a_limited_integrator_remains_within_the_limits() {
    let mut model = start(|m| {
        add! { m,
            u: Constant::new().k(-1),
            time: Ramp::new().height(10).duration(10),
            late: GreaterThreshold::new().threshold(2),
            to: Constant::new().k(7),
            part: LimIntegrator::new().out_max(1).y_start(0.5),
        }
        m.connect(time.y, late.u);
        m.connect(u.y, part.u);
        m.connect(late.y, part.reset);
        m.connect(to.y, part.set);
    });
    // Held at the lower limit, then reset to the upper one.
    run_to(&mut model, 1.9);
    assert_eq!(value(&mut model, "part.y"), -1.0);
    run_to(&mut model, 2.5);
    let y = value(&mut model, "part.y");
    assert!((y - 0.5).abs() < 1e-7, "{y}");
}

#[test]
fn limits_in_the_wrong_order_are_refused() {
    let sentence = refusal(limited(LimIntegrator::new().out_max(0.5).out_min(2)));
    assert_eq!(sentence, "part.outMin = 2, part.outMax = 0.5: outMin must not be above outMax");
}

#[test]
fn limits_that_are_ignored_at_the_start_must_hold_afterwards() {
    let part = LimIntegrator::new().out_max(0.5).y_start(0.7).limits_at_init(false);
    let sentence = refusal(limited(part));
    let wanted = "part.y is not within the limits, which were ignored at the start";
    assert!(sentence.contains("y is not within the limits"), "{sentence} {wanted}");
}
