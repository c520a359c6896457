//! Solutions that are followed along a path stay on their branch, unless wishes choose another one.

use kernels::newton::path::{VECTORS, follow, follow_slice};
use kernels::newton::{Failure, FailureKind};
use kernels::{Dual, Scalar};
use random::Random;
use std::f64::consts::{FRAC_PI_2, PI};

/// Step, determinant and largest residual of cos phi = x, where x moves along a path.
fn cosine<S: Scalar>(x: impl Fn(S) -> S, [phi, position]: [S; 2]) -> ([S; 2], S, S) {
    let (sine, cosine) = phi.sin_cos();
    let g = cosine - x(position);
    let slope = -sine;
    ([-(g / slope), S::from(1.0) - position], slope, g.abs())
}

/// The angle whose cosine moves from zero on a path, beginning at a quarter of a turn.
fn angle(x: impl Fn(f64) -> f64, wish: f64) -> Result<f64, Failure> {
    let value = |z| cosine(&x, z);
    let guesses = [FRAC_PI_2, 0.0, wish];
    follow::<f64, 2, 3>(7, guesses, &mut 0, value, |_| unreachable!()).map(|(z, _)| z[0])
}

#[test]
fn the_solution_stays_on_its_branch() {
    for end in [-0.999, -0.9, -0.2, 0.0, 0.4, 0.99] {
        let phi = angle(|position| end * position, FRAC_PI_2).unwrap();
        assert!((phi - f64::acos(end)).abs() < 1e-13, "{phi}");
    }
}

#[test]
fn a_path_ends_where_the_branch_ends() {
    let through = |position: f64| 0.5 * position + 0.9 * (PI * position).sin();
    let failure = angle(through, FRAC_PI_2).unwrap_err();
    assert_eq!((failure.block, failure.kind), (7, FailureKind::BranchLeft));
    let beyond = angle(|position| 1.5 * position, FRAC_PI_2).unwrap_err();
    assert_eq!(beyond.kind, FailureKind::NotConverged);
    assert!((beyond.residual - 0.5).abs() < 0.1, "{beyond:?}");
}

#[test]
fn wishes_choose_the_branch_and_lead_past_its_end() {
    for wish in [-1.9, -0.3, 1.0, 2.0] {
        let phi = angle(|position| 0.4 * position, wish).unwrap();
        assert!((phi - f64::acos(0.4).copysign(wish)).abs() < 1e-13, "{phi}");
    }
    let through = |position: f64| 0.5 * position + 0.9 * (PI * position).sin();
    assert!((angle(through, -1.0).unwrap() + f64::acos(0.5)).abs() < 1e-13);
    let none = angle(|position| 1.5 * position, 0.3).unwrap_err();
    assert_eq!(none.kind, FailureKind::NotConverged);
}

/// The pin of two bars of lengths 1 and `b` m, one end of which turns by `end` rad on a path.
fn pin<S: Scalar>(b: S, end: S, [x, y, position]: [S; 3]) -> ([S; 3], S, S) {
    let (sine, cosine) = (end * position).sin_cos();
    let (dx, dy) = (x - cosine * 0.3 - 1.2, y - sine * 0.3);
    let g = [x * x + y * y - 1.0, dx * dx + dy * dy - b * b];
    let (a00, a01, a10, a11) = (x * 2.0, y * 2.0, dx * 2.0, dy * 2.0);
    let determinant = a00 * a11 - a01 * a10;
    let step = [-(a11 * g[0] - a01 * g[1]) / determinant, -(a00 * g[1] - a10 * g[0]) / determinant];
    ([step[0], step[1], S::from(1.0) - position], determinant, g[0].abs().max(g[1].abs()))
}

/// Where the pin is at the start: above the line of the ends, or below it.
fn known(b: f64, side: f64) -> [f64; 2] {
    let x = (1.0 - b * b + 1.5 * 1.5) / 3.0;
    [x, side * (1.0 - x * x).sqrt()]
}

#[test]
fn many_turns_lead_to_the_place_of_none() {
    for turns in [1.0, 10.0] {
        for side in [1.0, -1.0] {
            let [x, y] = known(0.9, side);
            let value = |z| pin(0.9, turns * 2.0 * PI, z);
            let guesses = [x, y, 0.0, x, y];
            let found = follow::<f64, 3, 5>(0, guesses, &mut 0, value, |_| unreachable!());
            let ([x1, y1, _], _) = found.unwrap();
            assert!((x1 - x).abs() < 1e-12 && (y1 - y).abs() < 1e-12, "{x1} {y1}");
        }
    }
}

#[test]
fn where_nothing_has_changed_two_evaluations_are_enough() {
    let [x, y] = known(0.9, 1.0);
    let mut iterations = 0;
    let value = |z| pin(0.9, 0.0, z);
    follow::<f64, 3, 5>(0, [x, y, 0.0, x, y], &mut iterations, value, |_| unreachable!()).unwrap();
    assert_eq!(iterations, 2);
}

#[test]
fn both_forms_have_the_same_bits_and_exact_derivatives() {
    let mut random = Random(99);
    for _ in 0..300 {
        let (b, end) = (random.between(0.7, 1.1), random.between(-3.0, 3.0));
        let [x, y] = known(b, if random.chance(0.5) { 1.0 } else { -1.0 });
        let wish = if random.chance(0.3) { -y } else { y };
        let guesses = [x, y, 0.0, x, wish];
        let array = |end: Dual| {
            let value = |z| pin(b, end.value, z);
            follow::<Dual, 3, 5>(3, guesses, &mut 0, value, |z| pin(Dual::from(b), end, z))
        };
        let moving = Dual::new(end, 1.0);
        let mut scratch = [0.0; 3 * VECTORS];
        let mut solution = [Dual::from(0.0); 3];
        let slice = follow_slice(
            3,
            &guesses,
            &mut 0,
            &mut scratch,
            &mut solution,
            |z, step| {
                let (s, determinant, residual) = pin(b, end, [z[0], z[1], z[2]]);
                step.copy_from_slice(&s);
                (determinant, residual)
            },
            |z| {
                let (s, ..) = pin(Dual::from(b), moving, [z[0], z[1], z[2]]);
                z.copy_from_slice(&s);
            },
        );
        match (array(moving), slice) {
            (Ok((z, sign)), Ok(same)) => {
                assert_eq!(sign, same);
                for (a, b) in z.iter().zip(&solution) {
                    let bits = |d: &Dual| [d.value.to_bits(), d.tangent.to_bits()];
                    assert_eq!(bits(a), bits(b));
                }
                let at = |end: f64| array(Dual::from(end)).unwrap().0;
                let (plus, minus) = (at(end + 1e-6), at(end - 1e-6));
                for k in 0..2 {
                    let difference = (plus[k].value - minus[k].value) / 2e-6;
                    let error = (z[k].tangent - difference).abs();
                    assert!(error < 1e-6 * (1.0 + difference.abs()), "{error}");
                }
            }
            (Err(a), Err(b)) => assert_eq!(a.kind, b.kind),
            (a, b) => panic!("{a:?} {b:?}"),
        }
    }
}

#[test]
fn wishes_after_the_path_count_where_it_does_not_lead_to_its_end() {
    let follow_to = |x: &dyn Fn(f64) -> f64, wish: f64| {
        let value = |z| cosine(x, z);
        let guesses = [FRAC_PI_2, 1.0, wish];
        follow::<f64, 2, 3>(0, guesses, &mut 0, value, |_| unreachable!()).map(|(z, _)| z[0])
    };
    assert!((follow_to(&|position| 0.4 * position, -1.0).unwrap() - f64::acos(0.4)).abs() < 1e-13);
    let through = |position: f64| 0.5 * position + 0.9 * (PI * position).sin();
    assert!((follow_to(&through, -1.0).unwrap() + f64::acos(0.5)).abs() < 1e-13);
    assert!(follow_to(&through, FRAC_PI_2).is_err());
}
