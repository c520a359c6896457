//! Newton's method finds the solution near its guess, and its derivatives follow from one dual
//! step.

use kernels::newton::{Failure, FailureKind, solve, solve_slice};
use kernels::{Dual, Scalar};
use random::Random;

/// Step, determinant and first residual of x² + y² = a, x - b y = 0.
fn circle_and_line<S: Scalar>(a: S, b: S, z: [S; 2]) -> ([S; 2], S, S) {
    let [x, y] = z;
    let g = [x * x + y * y - a, x - b * y];
    let (j00, j01, j10, j11) = (x * 2.0, y * 2.0, S::from(1.0), -b);
    let determinant = j00 * j11 - j01 * j10;
    let step = [-(j11 * g[0] - j01 * g[1]) / determinant, -(j00 * g[1] - j10 * g[0]) / determinant];
    (step, determinant, g[0])
}

fn solve_circle<S: Scalar>(
    a: S,
    b: S,
    guess: [f64; 2],
    sign: f64,
) -> Result<([S; 2], f64), Failure> {
    let value = |z| circle_and_line(a.value(), b.value(), z);
    solve(5, guess, sign, 0.0, &mut 0, value, |z| circle_and_line(a, b, z))
}

#[test]
fn the_solution_is_exact_to_rounding() {
    let ([x, y], sign) = solve_circle(4.0, 0.5, [1.0, 1.0], 0.0).unwrap();
    assert!((x * x + y * y - 4.0).abs() < 1e-15 * 8.0);
    assert!((x - 0.5 * y).abs() < 1e-15);
    assert!(y > 0.0);
    assert_eq!(sign, -1.0);
}

#[test]
fn a_good_guess_costs_one_evaluation() {
    let ([x, y], sign) = solve_circle(4.0, 0.5, [1.0, 1.0], 0.0).unwrap();
    let (mut evaluations, mut iterations) = (0, 5);
    let value = |z| {
        evaluations += 1;
        circle_and_line(4.0, 0.5, z)
    };
    let near = [x + 1e-9, y];
    let solved = solve::<f64, 2>(0, near, sign, 0.0, &mut iterations, value, |_| unreachable!());
    let (again, _) = solved.unwrap();
    assert_eq!((evaluations, iterations), (1, 6));
    assert!((again[0] - x).abs() < 1e-15 && (again[1] - y).abs() < 1e-15);
}

#[test]
fn tangents_are_the_derivatives_of_the_solution() {
    let direction = [0.8, -0.3];
    let (a, b) = (4.0, 0.5);
    let dual = |d: [f64; 2]| (Dual::new(a, d[0]), Dual::new(b, d[1]));
    let (da, db) = dual(direction);
    let (z, _) = solve_circle(da, db, [1.0, 1.0], 0.0).unwrap();
    let h = 1e-6;
    let at = |s: f64| {
        let (z, _) =
            solve_circle(a + s * direction[0], b + s * direction[1], [1.0, 1.0], 0.0).unwrap();
        z
    };
    let (plus, minus, here) = (at(h), at(-h), at(0.0));
    for i in 0..2 {
        assert_eq!(z[i].value.to_bits(), here[i].to_bits());
        let difference = (plus[i] - minus[i]) / (2.0 * h);
        assert!((z[i].tangent - difference).abs() < 1e-9, "{} {difference}", z[i].tangent);
    }
}

#[test]
fn array_and_slice_forms_have_the_same_bits() {
    let mut random = Random(12345);
    let mut random = || random.unit();
    for _ in 0..1000 {
        let (a, b) = (Dual::new(1.0 + random(), random()), Dual::new(2.0 * random(), random()));
        let guess = [3.0 * random() - 1.0, 3.0 * random() - 1.0];
        let array = solve_circle(a, b, guess, 0.0);
        let mut scratch = [0.0; 8];
        let mut solution = [Dual::from(0.0); 2];
        let slice = solve_slice(
            5,
            &guess,
            0.0,
            0.0,
            &mut 0,
            &mut scratch,
            &mut solution,
            |z, step| {
                let (s, d, g) = circle_and_line(a.value, b.value, [z[0], z[1]]);
                step.copy_from_slice(&s);
                (d, g)
            },
            |z| {
                let (s, ..) = circle_and_line(a, b, [z[0], z[1]]);
                z.copy_from_slice(&s);
            },
        );
        match (array, slice) {
            (Ok((z, sign)), Ok(same)) => {
                assert_eq!(sign, same);
                for (a, b) in z.iter().zip(&solution) {
                    assert_eq!(a.value.to_bits(), b.value.to_bits());
                    assert_eq!(a.tangent.to_bits(), b.tangent.to_bits());
                }
            }
            (Err(a), Err(b)) => assert_eq!(a.kind, b.kind),
            (a, b) => panic!("{a:?} {b:?}"),
        }
    }
}

/// arctan x = c, for which undamped steps from distant points oscillate with growing amplitude.
fn arctan(c: f64) -> impl Fn([f64; 1]) -> ([f64; 1], f64, f64) {
    move |[x]| ([-(x.atan() - c) * (1.0 + x * x)], 1.0 / (1.0 + x * x), x.atan() - c)
}

#[test]
fn damping_converges_where_full_steps_diverge() {
    let ([x], _) =
        solve::<f64, 1>(0, [12.0], 1.0, 0.0, &mut 0, arctan(0.3), |_| unreachable!()).unwrap();
    assert!((x - 0.3_f64.tan()).abs() < 1e-14);
}

#[test]
fn a_block_without_solution_does_not_converge() {
    let value = |[x]: [f64; 1]| ([-(x * x + 1.0) / (2.0 * x)], 2.0 * x, x * x + 1.0);
    let failure =
        solve::<f64, 1>(7, [3.0], 0.0, 0.0, &mut 0, value, |_| unreachable!()).unwrap_err();
    assert_eq!(failure.block, 7);
    // The equation is x^2 + 1.
    assert!(failure.residual >= 1.0 && failure.residual < 3.0, "{}", failure.residual);
    let failure =
        solve::<f64, 1>(7, [3.0], 1.0, 0.0, &mut 0, value, |_| unreachable!()).unwrap_err();
    assert!(failure.kind != FailureKind::Singular);
}

#[test]
fn a_singular_or_undefined_jacobian_is_reported_as_such() {
    for (step, determinant) in [(f64::INFINITY, 0.0), (f64::NAN, 1.0), (1.0, f64::NAN), (1.0, 0.0)]
    {
        let failure = solve::<f64, 1>(
            1,
            [0.0],
            0.0,
            0.0,
            &mut 0,
            |_| ([step], determinant, 0.25),
            |_| unreachable!(),
        )
        .unwrap_err();
        assert_eq!((failure.kind, failure.residual), (FailureKind::Singular, 0.25));
    }
}

#[test]
fn the_branch_with_the_other_sign_is_refused() {
    // x² = 2 has det J = 2 x: the guess leads to the positive root.
    let value = |[x]: [f64; 1]| ([-(x * x - 2.0) / (2.0 * x)], 2.0 * x, x * x - 2.0);
    let ([x], sign) =
        solve::<f64, 1>(0, [1.0], 1.0, 0.0, &mut 0, value, |_| unreachable!()).unwrap();
    assert_eq!((sign, (x - 2.0_f64.sqrt()).abs() < 1e-15), (1.0, true));
    let failure =
        solve::<f64, 1>(0, [1.0], -1.0, 0.0, &mut 0, value, |_| unreachable!()).unwrap_err();
    assert_eq!(failure.kind, FailureKind::BranchLeft);
}

#[test]
fn a_step_never_jumps_to_the_other_branch_and_back_over_the_fold() {
    // From a point near the fold, a full step for x³ - 3 x = c leads far beyond the other fold.
    let c = -1.9;
    let value = |[x]: [f64; 1]| {
        ([-(x * x * x - 3.0 * x - c) / (3.0 * x * x - 3.0)], 3.0 * x * x - 3.0, 0.0)
    };
    for k in 1..50 {
        let guess = 1.0 + 0.02 * f64::from(k);
        let ([x], sign) =
            solve::<f64, 1>(0, [guess], 1.0, 0.0, &mut 0, value, |_| unreachable!()).unwrap();
        assert_eq!(sign, 1.0);
        assert!(x > 1.0, "{guess}: {x}");
    }
}

#[test]
fn steps_from_a_first_guess_may_grow() {
    // q^3 + q + 0.7 from 1: the second correction is larger than the first.
    let cubic = |[q]: [f64; 1]| {
        let (g, slope) = (q * q * q + q + 0.7, 3.0 * q * q + 1.0);
        ([-g / slope], slope, g.abs())
    };
    for guess in [1.0, 10.0, -100.0] {
        let ([q], _) =
            solve::<f64, 1>(0, [guess], 0.0, 0.0, &mut 0, cubic, |_| unreachable!()).unwrap();
        assert!((q * q * q + q + 0.7).abs() < 1e-15);
    }
}
