//! A dual number carries the value of the same computation and its derivative.

use kernels::{Dual, Scalar};

/// Checks a function of one argument: value bits, and tangent against central differences.
fn check(name: &str, f: impl Fn(Dual) -> Dual, value: impl Fn(f64) -> f64, points: &[f64]) {
    for &x in points {
        let y = f(Dual::new(x, 0.7));
        assert_eq!(y.value.to_bits(), value(x).to_bits(), "{name}({x})");
        let h = 1e-6 * (1.0 + x.abs());
        let difference = 0.7 * (value(x + h) - value(x - h)) / (2.0 * h);
        let error = (y.tangent - difference).abs();
        assert!(error < 1e-7 * (1.0 + difference.abs()), "{name}({x}): {} {difference}", y.tangent);
    }
}

#[test]
fn tangents_of_functions_of_one_argument_are_their_slopes() {
    let any = [-3.2, -0.4, 0.3, 1.0, 7.5];
    let positive = [0.02, 0.4, 1.0, 6.3];
    check("-", |x| -x, |x| -x, &any);
    check("+ 2.5", |x| x + 2.5, |x| x + 2.5, &any);
    check("- 2.5", |x| x - 2.5, |x| x - 2.5, &any);
    check("* 2.5", |x| x * 2.5, |x| x * 2.5, &any);
    check("/ 2.5", |x| x / 2.5, |x| x / 2.5, &any);
    check("2.5 -", |x| x.subtract_from(2.5), |x| 2.5 - x, &any);
    check("2.5 /", |x| x.divide_into(2.5), |x| 2.5 / x, &any);
    check("sqrt", Scalar::sqrt, f64::sqrt, &positive);
    check("sin", |x| x.sin_cos().0, |x| Scalar::sin_cos(x).0, &any);
    check("cos", |x| x.sin_cos().1, |x| Scalar::sin_cos(x).1, &any);
    check("exp", Scalar::exp, <f64 as Scalar>::exp, &any);
    check("ln", Scalar::ln, <f64 as Scalar>::ln, &positive);
    check("abs", Scalar::abs, f64::abs, &any);
    check("sign", Scalar::sign, <f64 as Scalar>::sign, &any);
    check("floor", Scalar::floor, <f64 as Scalar>::floor, &[-3.2, 0.4, 2.7]);
}

#[test]
fn tangents_of_functions_of_two_arguments_add_both_slopes() {
    type Binary = (&'static str, fn(Dual, Dual) -> Dual, fn(f64, f64) -> f64);
    let functions: [Binary; 8] = [
        ("+", |a, b| a + b, |a, b| a + b),
        ("-", |a, b| a - b, |a, b| a - b),
        ("*", |a, b| a * b, |a, b| a * b),
        ("/", |a, b| a / b, |a, b| a / b),
        ("atan2", |a, b| a.atan2(b), |a, b| Scalar::atan2(a, b)),
        ("pow", |a, b| a.pow(b), |a, b| Scalar::pow(a, b)),
        ("min", |a, b| a.min(b), |a, b| Scalar::min(a, b)),
        ("max", |a, b| a.max(b), |a, b| Scalar::max(a, b)),
    ];
    for (name, f, value) in functions {
        for (a, b) in [(0.4, 1.3), (2.2, 0.7), (1.5, -0.8), (3.0, 2.0)] {
            let y = f(Dual::new(a, 0.3), Dual::new(b, -1.1));
            assert_eq!(y.value.to_bits(), value(a, b).to_bits(), "{name}({a}, {b})");
            let h = 1e-6;
            let difference =
                (value(a + 0.3 * h, b - 1.1 * h) - value(a - 0.3 * h, b + 1.1 * h)) / (2.0 * h);
            assert!((y.tangent - difference).abs() < 1e-8, "{name}: {} {difference}", y.tangent);
        }
    }
}

#[test]
fn kinks_and_ends_of_domains_give_finite_tangents() {
    let zero = Dual::new(0.0, 1.0);
    assert_eq!(zero.sqrt().tangent, 0.0);
    assert_eq!(zero.abs().tangent, 0.0);
    assert_eq!(zero.sign().tangent, 0.0);
    assert_eq!(zero.atan2(zero).tangent, 0.0);
    assert_eq!(zero.pow(Dual::new(2.0, 1.0)).tangent, 0.0);
    assert_eq!(zero.pow(Dual::new(1.0, 1.0)).tangent, 1.0);
}

#[test]
fn a_zero_tangent_stays_zero_where_the_slope_is_infinite() {
    assert_eq!(Dual::from(0.0).ln().tangent, 0.0);
    assert_eq!(Dual::from(0.0).sqrt().tangent, 0.0);
    assert_eq!(Dual::from(0.0).pow(Dual::from(0.5)).tangent, 0.0);
    assert_eq!(Dual::from(-1.0).pow(Dual::from(3.0)).tangent, 0.0);
    assert_eq!(Dual::from(1000.0).exp().tangent, 0.0);
}

#[test]
fn the_first_of_two_equal_arguments_is_the_extremum() {
    let (a, b) = (Dual::new(2.0, 1.0), Dual::new(2.0, 5.0));
    assert_eq!(a.min(b), a);
    assert_eq!(a.max(b), a);
}
