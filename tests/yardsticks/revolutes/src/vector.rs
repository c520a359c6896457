//! Vectors and matrices of three.

use fmu_runtime::kernels::Scalar;

/// Three numbers.
pub type Vector<S> = [S; 3];
/// Three rows.
pub type Matrix<S> = [[S; 3]; 3];

/// The sum of two vectors.
pub fn add<S: Scalar>(a: Vector<S>, b: Vector<S>) -> Vector<S> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `a` and `s` times `b`.
pub fn add_scaled<S: Scalar>(a: Vector<S>, b: Vector<S>, s: S) -> Vector<S> {
    [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s]
}

/// The scalar product.
pub fn dot<S: Scalar>(a: Vector<S>, b: Vector<S>) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The cross product.
pub fn cross<S: Scalar>(a: Vector<S>, b: Vector<S>) -> Vector<S> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `a x b` with a constant `a`.
pub fn cross_constant<S: Scalar>(a: [f64; 3], b: Vector<S>) -> Vector<S> {
    [b[2] * a[1] - b[1] * a[2], b[0] * a[2] - b[2] * a[0], b[1] * a[0] - b[0] * a[1]]
}

/// `m a`.
pub fn times<S: Scalar>(m: &Matrix<S>, a: Vector<S>) -> Vector<S> {
    m.map(|row| dot(row, a))
}

/// `m' a`.
pub fn transposed_times<S: Scalar>(m: &Matrix<S>, a: Vector<S>) -> Vector<S> {
    [0, 1, 2].map(|j| m[0][j] * a[0] + m[1][j] * a[1] + m[2][j] * a[2])
}

/// `t' m t`.
pub fn turned<S: Scalar>(t: &Matrix<S>, m: &Matrix<S>) -> Matrix<S> {
    let rows = m.map(|row| transposed_times(t, row));
    let column =
        |i: usize, j: usize| t[0][i] * rows[0][j] + t[1][i] * rows[1][j] + t[2][i] * rows[2][j];
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| column(i, j)))
}

/// `t' m t` of a symmetric `m`.
pub fn turned_symmetric<S: Scalar>(t: &Matrix<S>, m: &Matrix<S>) -> Matrix<S> {
    let rows = m.map(|row| transposed_times(t, row));
    let column =
        |i: usize, j: usize| t[0][i] * rows[0][j] + t[1][i] * rows[1][j] + t[2][i] * rows[2][j];
    let (xy, xz, yz) = (column(0, 1), column(0, 2), column(1, 2));
    [[column(0, 0), xy, xz], [xy, column(1, 1), yz], [xz, yz, column(2, 2)]]
}

/// The rotation by `phi` about a unit axis, which maps coordinates.
pub fn rotation<S: Scalar>(e: [f64; 3], phi: S) -> Matrix<S> {
    let (s, c) = phi.sin_cos();
    let skew = [[0.0, e[2], -e[1]], [-e[2], 0.0, e[0]], [e[1], -e[0], 0.0]];
    [0, 1, 2].map(|i| {
        [0, 1, 2].map(|j| {
            let dyad = e[i] * e[j];
            let identity = if i == j { 1.0 } else { 0.0 };
            c * (identity - dyad) + s * skew[i][j] + dyad
        })
    })
}
