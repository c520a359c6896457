//! Means, harmonics, variances and extrema of signals, beside closed forms.

use crate::common::{TOLERANCE, events, run_to, simulation, start, value};
use fmu_runtime::Simulation;
use libraries::blocks::*;
use libraries::prelude::*;
use std::f64::consts::{PI, SQRT_2};

/// Whether two numbers agree within the accuracy of the integration.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-8
}

#[test]
fn means_change_at_the_ends_of_periods_only() {
    let mut model = start(|m| {
        let u = m.add("u", Sine::new().amplitude(3).f(2).offset(0.5));
        let mean = m.add("mean", Mean::new().f(2).x0(0.25).y0(-7));
        let rectified = m.add("rectified", RectifiedMean::new().f(2).y0(1));
        let rms = m.add("rms", RootMeanSquare::new().f(2).y0(4));
        m.connect(u.y, mean.u);
        m.connect(u.y, rectified.u);
        m.connect(u.y, rms.u);
    });
    let names = ["mean.y", "rectified.y", "rms.y"];
    run_to(&mut model, 0.49);
    assert_eq!(names.map(|name| value(&mut model, name)), [-7.0, 1.0, 4.0]);
    let instants = events(&mut model, 2.0);
    for k in 1..=4 {
        let end = f64::from(k) / 2.0;
        assert!(instants.contains(&end), "no event at exactly {end}: {instants:?}");
    }
    // The mean of |a sin(x) + b| for |b| < a.
    let (a, b): (f64, f64) = (3.0, 0.5);
    let rectified = 2.0 / PI * (b * (b / a).asin() + (a * a - b * b).sqrt());
    let square = 0.25 + 4.5_f64;
    let exact = [0.5, rectified, square.sqrt(), rectified, square];
    let names = names.into_iter().chain(["rectified.mean.y", "rms.mean.y"]);
    for (name, exact) in names.zip(exact) {
        let y = value(&mut model, name);
        assert!(near(y, exact), "{name}: {y} is not {exact}");
    }
    run_to(&mut model, 2.49);
    let x = value(&mut model, "mean.x");
    run_to(&mut model, 2.5);
    assert!(x > 0.2 && value(&mut model, "mean.x") == 0.0, "the integral begins anew: {x}");
}

#[test]
fn the_first_mean_contains_the_integral_at_the_start() {
    let mut model = start(|m| {
        let u = m.add("u", Constant::new().k(-1));
        let mean = m.add("mean", Mean::new().f(4).x0(2));
        let least = m.add("least", Mean::new().f(4).y_greater_or_equal_zero(true));
        m.connect(u.y, mean.u);
        m.connect(u.y, least.u);
    });
    run_to(&mut model, 0.25);
    assert!(near(value(&mut model, "mean.y"), 4.0 * (2.0 - 0.25)));
    run_to(&mut model, 0.5);
    assert!(near(value(&mut model, "mean.y"), -1.0));
    assert_eq!(value(&mut model, "least.y"), 0.0);
}

/// A simulation that starts at an instant.
fn begin_at(t: f64, text: impl FnOnce(&mut Assembly)) -> Simulation {
    let mut model = simulation(text).unwrap();
    model.start_at(t, Some(TOLERANCE)).unwrap();
    model
}

#[test]
fn periods_follow_the_start_of_the_simulation() {
    let mut model = begin_at(10.3, |m| {
        let u = m.add("u", Ramp::new().height(100).duration(100));
        let mean = m.add("mean", Mean::new().f(2));
        let whole = m.add("whole", ContinuousMean::new());
        let variance = m.add("variance", Variance::new());
        m.connect(u.y, mean.u);
        m.connect(u.y, whole.u);
        m.connect(u.y, variance.u);
    });
    assert_eq!([value(&mut model, "mean.y"), value(&mut model, "variance.y")], [0.0, 0.0]);
    assert_eq!(value(&mut model, "whole.y"), 10.3);
    let instants = events(&mut model, 11.4);
    assert!(instants.contains(&10.8) && instants.contains(&11.3), "{instants:?}");
    assert!(near(value(&mut model, "mean.y"), 11.05));
    assert!(near(value(&mut model, "whole.y"), 10.3 + 1.1 / 2.0));
}

/// A signal with a constant part and two harmonics, at a block.
fn harmonics(m: &mut Assembly) -> Quantity {
    let first = m.add("first", Cosine::new().amplitude(2.0 * SQRT_2).f(5).phase(-0.7).offset(3));
    let third = m.add("third", Sine::new().amplitude(0.5 * SQRT_2).f(15));
    let sum = m.add("sum", Add::new());
    m.connect(first.y, sum.u1);
    m.connect(third.y, sum.u2);
    sum.y
}

#[test]
fn a_harmonic_has_amplitude_and_angle() {
    let mut model = start(|m| {
        let u = harmonics(m);
        let first = m.add("h1", Harmonic::new().f(5).k(1));
        let conjugate = m.add("c1", Harmonic::new().f(5).k(1).use_conjugate_complex(true));
        let second = m.add("h2", Harmonic::new().f(5).k(2));
        let third = m.add("h3", Harmonic::new().f(5).k(3).y0_cos(3).y0_sin(-4));
        for input in [first.u, conjugate.u, second.u, third.u] {
            m.connect(u, input);
        }
    });
    assert_eq!(value(&mut model, "h3.y_rms"), 5.0);
    assert_eq!(value(&mut model, "h3.y_arg"), f64::atan2(-4.0, 3.0));
    run_to(&mut model, 0.45);
    let expected = [
        ("h1.y_rms", 2.0),
        // cos(w t - 0.7) has its maximum later than cos(w t).
        ("h1.y_arg", 0.7),
        ("c1.y_arg", -0.7),
        ("h2.y_rms", 0.0),
        ("h3.y_rms", 0.5),
        ("h3.y_arg", PI / 2.0),
        ("h1.mean1.y", 2.0 * 0.7_f64.cos()),
        ("h1.mean2.y", 2.0 * 0.7_f64.sin()),
        ("h3.mean1.y", 0.0),
        ("h3.mean2.y", 0.5),
    ];
    for (name, exact) in expected {
        let y = value(&mut model, name);
        assert!(near(y, exact), "{name}: {y} is not {exact}");
    }
}

#[test]
fn the_distortion_is_the_rest_relative_to_the_first_harmonic_or_to_all() {
    let mut model = start(|m| {
        let u = harmonics(m);
        let first = m.add("first_only", TotalHarmonicDistortion::new().f(5));
        let whole = TotalHarmonicDistortion::new().f(5).use_first_harmonic(false);
        let whole = m.add("whole", whole);
        m.connect(u, first.u);
        m.connect(u, whole.u);
    });
    assert_eq!(["first_only.valid", "whole.valid"].map(|y| value(&mut model, y)), [0.0; 2]);
    assert_eq!(["first_only.y", "whole.y"].map(|y| value(&mut model, y)), [0.0; 2]);
    run_to(&mut model, 0.45);
    let (rest, all) = (9.25_f64, 13.25_f64);
    assert!(near(value(&mut model, "first_only.y"), rest.sqrt() / 2.0));
    assert!(near(value(&mut model, "whole.y"), (rest / all).sqrt()));
    assert_eq!(["first_only.valid", "whole.valid"].map(|y| value(&mut model, y)), [1.0; 2]);
}

#[test]
fn the_mean_of_a_ramp_is_half_its_height_and_its_variance_a_twelfth_of_the_square() {
    let mut model = start(|m| {
        let u = m.add("u", Ramp::new().offset(2).height(6).duration(2));
        let mean = m.add("mean", ContinuousMean::new());
        let later = m.add("later", ContinuousMean::new().start_time(1));
        let variance = m.add("variance", Variance::new());
        let deviation = m.add("deviation", StandardDeviation::new());
        for input in [mean.u, later.u, variance.u, deviation.u] {
            m.connect(u.y, input);
        }
    });
    assert_eq!(["mean.y", "later.y", "variance.y"].map(|y| value(&mut model, y)), [2.0, 2.0, 0.0]);
    run_to(&mut model, 0.5);
    assert!(near(value(&mut model, "later.y"), 3.5), "it is the signal before its start");
    run_to(&mut model, 2.0);
    assert!(near(value(&mut model, "mean.y"), 5.0));
    assert!(near(value(&mut model, "later.y"), 6.5));
    // `der(var)` takes the squared distance from the present mean, h / 2, whose mean is h^2 / 12.
    let variance = value(&mut model, "variance.y");
    assert!((variance - 3.0).abs() < 1e-5, "{variance}");
    let deviation = value(&mut model, "deviation.y");
    assert!((deviation * deviation - variance).abs() < 1e-7, "{deviation}");
}

#[test]
fn extrema_are_those_of_the_samples() {
    let mut model = begin_at(1.0, |m| {
        let u = m.add("u", Cosine::new().amplitude(2).f(0.5).phase(0.3));
        let s = m.add("s", SignalExtrema::new().t_s(0.3));
        m.connect(u.y, s.u);
    });
    let u = |t: f64| 2.0 * (PI * t + 0.3).cos();
    let names = ["s.y_min", "s.y_max", "s.t_min", "s.t_max"];
    assert_eq!(names.map(|name| value(&mut model, name)), [u(1.0), u(1.0), 1.0, 1.0]);
    run_to(&mut model, 4.05);
    let instants: Vec<f64> = (0..=10).map(|k| 1.0 + f64::from(k) * 0.3).collect();
    let by = |a: &&f64, b: &&f64| u(**a).total_cmp(&u(**b));
    let t_min = *instants.iter().min_by(by).unwrap();
    let t_max = *instants.iter().max_by(by).unwrap();
    let found = names.map(|name| value(&mut model, name));
    let expected = [u(t_min), u(t_max), t_min, t_max];
    for (found, expected) in found.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
    }
}
