//! Factorizations solve their systems, in every scalar.

use kernels::linear::{cholesky_factor, cholesky_solve, lu_factor, lu_solve};
use kernels::{Dual, Scalar};
use random::Random;

fn times(n: usize, a: &[f64], x: &[f64]) -> Vec<f64> {
    (0..n).map(|i| (0..n).map(|j| a[i * n + j] * x[j]).sum()).collect()
}

fn definite(n: usize, random: &mut Random) -> Vec<f64> {
    let b = random.numbers(n * n);
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            a[i * n + j] = (0..n).map(|k| b[k * n + i] * b[k * n + j]).sum();
        }
        a[i * n + i] += 0.1;
    }
    a
}

#[test]
fn lu_leaves_no_residual() {
    let mut random = Random(1);
    for n in 0..25 {
        let a = random.numbers(n * n);
        let b = random.numbers(n);
        let (mut lu, mut pivots, mut x) = (a.clone(), vec![0.0; n], b.clone());
        lu_factor(n, &mut lu, &mut pivots);
        lu_solve(n, &lu, &pivots, &mut x);
        let size = x.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        for (r, b) in times(n, &a, &x).iter().zip(&b) {
            assert!((r - b).abs() < 1e-13 * size, "n = {n}");
        }
    }
}

#[test]
fn cholesky_reads_the_upper_triangle_and_agrees_with_lu() {
    let mut random = Random(2);
    for n in 0..20 {
        let a = definite(n, &mut random);
        let b = random.numbers(n);
        let (mut lu, mut pivots, mut x) = (a.clone(), vec![0.0; n], b.clone());
        let determinant = lu_factor(n, &mut lu, &mut pivots);
        lu_solve(n, &lu, &pivots, &mut x);
        let mut r = a.clone();
        for i in 0..n {
            for j in 0..i {
                r[i * n + j] = f64::NAN;
            }
        }
        let mut y = b.clone();
        let same = cholesky_factor(n, &mut r);
        cholesky_solve(n, &r, &mut y);
        assert!((same - determinant).abs() < 1e-9 * determinant.abs());
        for (x, y) in x.iter().zip(&y) {
            assert!((x - y).abs() < 1e-9 * (1.0 + x.abs()), "n = {n}");
        }
    }
}

#[test]
fn determinants_of_permutations_and_triangles_are_known() {
    let mut a = [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
    assert_eq!(lu_factor(3, &mut a, &mut [0.0; 3]), 1.0);
    let mut a = [0.0, 2.0, 3.0, 5.0];
    assert_eq!(lu_factor(2, &mut a, &mut [0.0; 2]), -6.0);
    let mut a = [2.0, 1.0, 0.0, 3.0];
    assert_eq!(lu_factor(2, &mut a, &mut [0.0; 2]), 6.0);
}

#[test]
fn a_zero_in_the_corner_is_pivoted_away() {
    let (mut a, mut pivots, mut b) = ([0.0, 1.0, 2.0, 0.0], [0.0; 2], [3.0, 4.0]);
    lu_factor(2, &mut a, &mut pivots);
    lu_solve(2, &a, &pivots, &mut b);
    assert_eq!(b, [2.0, 3.0]);
}

#[test]
fn singular_and_indefinite_matrices_give_values_that_are_not_finite() {
    let (mut a, mut pivots, mut b) = ([1.0, 2.0, 2.0, 4.0], [0.0; 2], [1.0, 1.0]);
    assert_eq!(lu_factor(2, &mut a, &mut pivots), 0.0);
    lu_solve(2, &a, &pivots, &mut b);
    assert!(b.iter().any(|x| !x.is_finite()));
    let (mut a, mut b) = ([1.0, 2.0, 2.0, 1.0], [1.0, 1.0]);
    cholesky_factor(2, &mut a);
    cholesky_solve(2, &a, &mut b);
    assert!(b.iter().any(|x| !x.is_finite()));
}

/// Checks the tangent of a solve against x' = A⁻¹ (b' - A' x).
fn check_tangent(n: usize, a: &[f64], solve: impl Fn(&mut [Dual], &mut [Dual])) {
    let mut random = Random(3);
    let mut direction = random.numbers(n * n);
    for i in 0..n {
        for j in 0..i {
            direction[i * n + j] = direction[j * n + i];
        }
    }
    let (b, db) = (random.numbers(n), random.numbers(n));
    let dual = |v: &[f64], d: &[f64]| -> Vec<Dual> {
        v.iter().zip(d).map(|(v, d)| Dual::new(*v, *d)).collect()
    };
    let mut x = dual(&b, &db);
    solve(&mut dual(a, &direction), &mut x);
    let value: Vec<f64> = x.iter().map(|x| x.value()).collect();
    let tangent: Vec<f64> = x.iter().map(|x| x.tangent).collect();
    let (left, moved) = (times(n, a, &tangent), times(n, &direction, &value));
    for i in 0..n {
        assert!((left[i] - (db[i] - moved[i])).abs() < 1e-9, "row {i}");
    }
}

#[test]
fn tangents_of_solves_satisfy_the_differentiated_system() {
    let n = 6;
    let a = definite(n, &mut Random(4));
    check_tangent(n, &a, |a, b| {
        let mut pivots = [Dual::from(0.0); 6];
        lu_factor(n, a, &mut pivots);
        lu_solve(n, a, &pivots, b);
    });
    check_tangent(n, &a, |a, b| {
        cholesky_factor(n, a);
        cholesky_solve(n, a, b);
    });
}
