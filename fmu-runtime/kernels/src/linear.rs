//! Factorizations and solves of small dense linear systems, generic over the scalar.
//!
//! Matrices are row-major slices; those of systems have length `n * n`. Nothing fails: a singular
//! matrix gives values that are not finite, and a determinant of zero. Pivots are chosen by values,
//! so a derivative follows the same path as its value.

use crate::Scalar;

/// LU factorization with partial pivoting, in place.
///
/// `a` becomes the unit lower factor and the upper factor, whose diagonal holds reciprocals;
/// `pivots` (length `n`) receives for each column the row with which it was exchanged, as a whole
/// number stored in the scalar. Returns the determinant.
#[inline]
pub fn lu_factor<S: Scalar>(n: usize, a: &mut [S], pivots: &mut [S]) -> S {
    factor(n, a, pivots)
}

/// The same as [`lu_factor`] for a size that the compiler knows: code of its own for each size,
/// which is several times faster for two or three unknowns.
#[inline(always)]
pub fn lu_factor_sized<S: Scalar, const N: usize>(a: &mut [S], pivots: &mut [S; N]) -> S {
    factor(N, a, pivots)
}

#[inline(always)]
fn factor<S: Scalar>(n: usize, a: &mut [S], pivots: &mut [S]) -> S {
    let a = &mut a[..n * n];
    let mut determinant = S::from(1.0);
    for k in 0..n {
        let mut p = k;
        for i in k + 1..n {
            if a[i * n + k].value().abs() > a[p * n + k].value().abs() {
                p = i;
            }
        }
        pivots[k] = S::from(p as f64);
        if p != k {
            let (above, below) = a.split_at_mut(p * n);
            above[k * n..k * n + n].swap_with_slice(&mut below[..n]);
            determinant = -determinant;
        }
        let (above, below) = a.split_at_mut((k + 1) * n);
        let pivot_row = &mut above[k * n..];
        determinant = determinant * pivot_row[k];
        let reciprocal = pivot_row[k].divide_into(1.0);
        pivot_row[k] = reciprocal;
        for row in below.chunks_exact_mut(n) {
            let factor = row[k] * reciprocal;
            row[k] = factor;
            for (x, u) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                *x = *x - factor * *u;
            }
        }
    }
    determinant
}

/// Solves `A x = b` with the factors of [`lu_factor`]; `b` (length `n`) becomes `x`. A pivot that
/// is not the number of a row, which is possible if `a` does not contain factors, counts as the
/// last row.
#[inline]
pub fn lu_solve<S: Scalar>(n: usize, lu: &[S], pivots: &[S], b: &mut [S]) {
    solve(n, lu, pivots, b);
}

/// The same as [`lu_solve`] for a size that the compiler knows.
#[inline(always)]
pub fn lu_solve_sized<S: Scalar, const N: usize>(lu: &[S], pivots: &[S], b: &mut [S; N]) {
    solve(N, lu, pivots, b);
}

#[inline(always)]
fn solve<S: Scalar>(n: usize, lu: &[S], pivots: &[S], b: &mut [S]) {
    let (lu, b) = (&lu[..n * n], &mut b[..n]);
    for (k, pivot) in pivots[..n].iter().enumerate() {
        b.swap(k, (pivot.value() as u32 as usize).min(n - 1));
    }
    // Column by column, because the updates within one column are independent of each other.
    for k in 0..n {
        let (known, rest) = b.split_at_mut(k + 1);
        for (x, row) in rest.iter_mut().zip(lu[(k + 1) * n..].chunks_exact(n)) {
            *x = *x - row[k] * known[k];
        }
    }
    for k in (0..n).rev() {
        let (rest, known) = b.split_at_mut(k);
        known[0] = known[0] * lu[k * n + k];
        for (x, row) in rest.iter_mut().zip(lu.chunks_exact(n)) {
            *x = *x - row[k] * known[0];
        }
    }
}

/// A basis `N` of the null space of a matrix with `m` rows and `n > m` columns: `A N = 0`.
///
/// `a` (length `m * n`) is overwritten; `basis` receives `N`, which has `n` rows and `n - m`
/// columns. The elimination pivots completely. The rows of `N` that belong to columns of `A`
/// without pivot form the unit matrix. If `A` has not full rank, values are not finite.
#[inline]
pub fn null_space<S: Scalar>(m: usize, n: usize, a: &mut [S], basis: &mut [S]) {
    let free = n - m;
    let (a, basis) = (&mut a[..m * n], &mut basis[..n * free]);
    // Until the basis is written, its first elements tell which columns have a pivot: one more than
    // the number of the row with the pivot, as a whole number stored in the scalar, or zero.
    let pivots = &mut basis[..n];
    pivots.fill(S::from(0.0));
    for k in 0..m {
        let (p, column) = largest(k, n, a, pivots);
        pivots[column] = S::from((k + 1) as f64);
        if p != k {
            let (above, below) = a.split_at_mut(p * n);
            above[k * n..k * n + n].swap_with_slice(&mut below[..n]);
        }
        let (above, rest) = a.split_at_mut(k * n);
        let (pivot_row, below) = rest.split_at_mut(n);
        let reciprocal = pivot_row[column].divide_into(1.0);
        for x in &mut *pivot_row {
            *x = *x * reciprocal;
        }
        for row in above.chunks_exact_mut(n).chain(below.chunks_exact_mut(n)) {
            let factor = row[column];
            for (x, r) in row.iter_mut().zip(&*pivot_row) {
                *x = *x - factor * *r;
            }
        }
    }
    // The free columns move to the left, in the same order.
    for row in a.chunks_exact_mut(n) {
        let mut to = 0;
        for (j, pivot) in pivots.iter().enumerate() {
            if pivot.value() == 0.0 {
                row[to] = row[j];
                to += 1;
            }
        }
    }
    // From the last row on, so that the numbers of pivots are read before they are overwritten.
    let mut one = free;
    for j in (0..n).rev() {
        let pivot = basis[j].value() as usize;
        let own = &mut basis[j * free..(j + 1) * free];
        if pivot > 0 {
            for (x, r) in own.iter_mut().zip(&a[(pivot - 1) * n..]) {
                *x = -*r;
            }
        } else {
            one -= 1;
            own.fill(S::from(0.0));
            own[one] = S::from(1.0);
        }
    }
}

/// Row and column of the largest element in the rows from `k` on, over the columns without pivot;
/// the first one of equals.
#[inline]
fn largest<S: Scalar>(k: usize, n: usize, a: &[S], pivots: &[S]) -> (usize, usize) {
    let mut found = None;
    for (i, row) in a.chunks_exact(n).enumerate().skip(k) {
        for (j, (x, pivot)) in row.iter().zip(pivots).enumerate() {
            let size = x.value().abs();
            if pivot.value() == 0.0 && found.is_none_or(|(_, _, known)| size > known) {
                found = Some((i, j, size));
            }
        }
    }
    found.map_or((k, k), |(i, j, _)| (i, j))
}

/// Cholesky factorization `A = Rᵀ R` of a symmetric positive definite matrix, in place.
///
/// Only the upper triangle of `a` is read and written: it becomes `R`. Returns the determinant. If
/// `A` is not positive definite, values are not finite.
#[inline]
pub fn cholesky_factor<S: Scalar>(n: usize, a: &mut [S]) -> S {
    let a = &mut a[..n * n];
    let mut determinant = S::from(1.0);
    for k in 0..n {
        let (above, below) = a.split_at_mut((k + 1) * n);
        let pivot_row = &mut above[k * n..];
        determinant = determinant * pivot_row[k];
        let pivot = pivot_row[k].sqrt();
        for x in &mut pivot_row[k..] {
            *x = *x / pivot;
        }
        pivot_row[k] = pivot;
        for (i, row) in (k + 1..n).zip(below.chunks_exact_mut(n)) {
            let factor = pivot_row[i];
            for (x, r) in row[i..].iter_mut().zip(&pivot_row[i..]) {
                *x = *x - factor * *r;
            }
        }
    }
    determinant
}

/// Solves `A x = b` with the factor of [`cholesky_factor`]; `b` (length `n`) becomes `x`.
#[inline]
pub fn cholesky_solve<S: Scalar>(n: usize, r: &[S], b: &mut [S]) {
    for i in 0..n {
        let row = &r[i * n..i * n + n];
        let (head, rest) = b.split_at_mut(i + 1);
        let y = head[i] / row[i];
        head[i] = y;
        for (x, r) in rest.iter_mut().zip(&row[i + 1..]) {
            *x = *x - *r * y;
        }
    }
    for i in (0..n).rev() {
        let row = &r[i * n..i * n + n];
        let (head, known) = b.split_at_mut(i + 1);
        let mut x = head[i];
        for (r, y) in row[i + 1..].iter().zip(known.iter()) {
            x = x - *r * *y;
        }
        head[i] = x / row[i];
    }
}
