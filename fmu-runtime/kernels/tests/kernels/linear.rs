//! Factorizations solve their systems, in every scalar.

use kernels::linear::{
    cholesky_factor, cholesky_solve, lu_factor, lu_factor_sized, lu_solve, lu_solve_sized,
    null_space,
};
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

/// The numbers of rows and columns of some matrices with a null space.
const WIDE: [(usize, usize); 9] =
    [(1, 2), (1, 7), (2, 3), (2, 4), (3, 8), (4, 5), (5, 11), (6, 8), (12, 13)];

/// The basis of a matrix with `m` rows and `n` columns.
fn basis_of<S: Scalar>(m: usize, n: usize, a: &[S]) -> Vec<S> {
    let mut basis = vec![S::from(f64::NAN); n * (n - m)];
    null_space(m, n, &mut a.to_vec(), &mut basis);
    basis
}

/// The product of a matrix with `m` rows and `n` columns and one with `n` rows.
fn product<S: Scalar>(m: usize, n: usize, a: &[S], b: &[S]) -> Vec<S> {
    let columns = b.len() / n;
    let entry = |i: usize, k: usize| {
        (0..n).fold(S::from(0.0), |sum, j| sum + a[i * n + j] * b[j * columns + k])
    };
    (0..m).flat_map(|i| (0..columns).map(move |k| (i, k))).map(|(i, k)| entry(i, k)).collect()
}

/// The rows of a basis that form the unit matrix, in its order.
fn free_rows<S: Scalar>(n: usize, free: usize, basis: &[S]) -> Option<Vec<usize>> {
    let is_unit = |j: usize, k: usize| {
        let entry = |i: usize| if i == k { 1.0 } else { 0.0 };
        (0..free).all(|i| basis[j * free + i].value() == entry(i))
    };
    let mut next = 0;
    (0..free)
        .map(|k| {
            let found = (next..n).find(|&j| is_unit(j, k))?;
            next = found + 1;
            Some(found)
        })
        .collect()
}

#[test]
fn a_matrix_times_the_basis_of_its_null_space_is_zero() {
    let mut random = Random(5);
    for (m, n) in WIDE {
        for _ in 0..20 {
            let a = random.numbers(m * n);
            let basis = basis_of(m, n, &a);
            let size = basis.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
            for x in product(m, n, &a, &basis) {
                assert!(x.abs() < 1e-13 * size, "{m} rows, {n} columns: {x}");
            }
            assert!(free_rows(n, n - m, &basis).is_some(), "{m} rows, {n} columns: {basis:?}");
        }
    }
}

#[test]
fn the_basis_spans_all_that_is_orthogonal_to_the_rows() {
    let mut random = Random(6);
    for (m, n) in WIDE {
        let a = random.numbers(m * n);
        let basis = basis_of(m, n, &a);
        // What remains of a vector without its part along the rows.
        let mut normal = vec![0.0; m * m];
        for (k, x) in normal.iter_mut().enumerate() {
            let (i, j) = (k / m, k % m);
            *x = (0..n).map(|c| a[i * n + c] * a[j * n + c]).sum();
        }
        let vector = random.numbers(n);
        let mut weights = product(m, n, &a, &vector);
        cholesky_factor(m, &mut normal);
        cholesky_solve(m, &normal, &mut weights);
        let rest: Vec<f64> = (0..n)
            .map(|j| vector[j] - (0..m).map(|i| a[i * n + j] * weights[i]).sum::<f64>())
            .collect();
        // The free rows of the basis form the unit matrix, so they give the coefficients.
        let free = free_rows(n, n - m, &basis).expect("the rows of the unit matrix");
        let coefficients: Vec<f64> = free.into_iter().map(|j| rest[j]).collect();
        for (x, y) in product(n, n - m, &basis, &coefficients).iter().zip(&rest) {
            assert!((x - y).abs() < 1e-10, "{m} rows, {n} columns: {x} and {y}");
        }
    }
}

#[test]
fn the_basis_of_a_small_matrix_is_known() {
    // The first of equal elements is the pivot.
    assert_eq!(basis_of(1, 3, &[1.0, -2.0, 2.0]), [1.0, 0.0, 0.5, 1.0, 0.0, 1.0]);
    // The pivots are 4, in the second row, and 3.
    assert_eq!(basis_of(2, 3, &[0.0, 0.0, 3.0, 2.0, 4.0, 0.0]), [1.0, -0.5, 0.0]);
}

#[test]
fn tangents_of_a_basis_keep_the_product_zero() {
    let mut random = Random(7);
    for (m, n) in WIDE {
        let values = random.numbers(m * n);
        let a: Vec<Dual> = values.iter().map(|&x| Dual::new(x, random.number())).collect();
        let basis = basis_of(m, n, &a);
        let same: Vec<f64> = basis.iter().map(|x| x.value()).collect();
        assert_eq!(same, basis_of(m, n, &values), "{m} rows, {n} columns");
        let size = basis.iter().fold(1.0, |size: f64, x| size.max(x.tangent.abs()));
        for x in product(m, n, &a, &basis) {
            assert!(x.tangent.abs() < 1e-12 * size, "{m} rows, {n} columns: {}", x.tangent);
        }
        for j in free_rows(n, n - m, &basis).expect("the rows of the unit matrix") {
            let own = &basis[j * (n - m)..(j + 1) * (n - m)];
            assert!(own.iter().all(|x| x.tangent == 0.0), "{m} rows, {n} columns");
        }
    }
}

#[test]
fn the_basis_of_a_matrix_without_full_rank_is_not_finite() {
    for (m, n, a) in [
        (1, 2, vec![0.0; 2]),
        (2, 3, vec![1.0, 2.0, 4.0, 2.0, 4.0, 8.0]),
        (2, 4, vec![1.0, 2.0, 4.0, 8.0, 0.0, 0.0, 0.0, 0.0]),
        (6, 8, vec![0.0; 48]),
        (2, 3, vec![f64::NAN; 6]),
        (2, 3, vec![f64::INFINITY; 6]),
    ] {
        assert!(basis_of(m, n, &a).iter().any(|x| !x.is_finite()), "{a:?}");
        let duals: Vec<Dual> = a.iter().map(|&x| Dual::new(x, 1.0)).collect();
        assert!(basis_of(m, n, &duals).iter().any(|x| !x.value().is_finite()), "{a:?}");
    }
}

#[test]
fn systems_of_a_known_size_have_the_bits_of_those_of_any_size() {
    let matrix = [0.3, -2.0, 0.7, 1.1, 0.2, -0.4, -5.0, 0.9, 1.3];
    let (mut a, mut b) = (matrix, matrix);
    let (mut of_a, mut of_b) = ([0.0; 3], [0.0; 3]);
    assert_eq!(lu_factor(3, &mut a, &mut of_a), lu_factor_sized(&mut b, &mut of_b));
    assert_eq!((a, of_a), (b, of_b));
    let (mut x, mut y) = ([1.0, 0.1, -3.0], [1.0, 0.1, -3.0]);
    lu_solve(3, &a, &of_a, &mut x);
    lu_solve_sized(&b, &of_b, &mut y);
    assert_eq!(x, y);
}
