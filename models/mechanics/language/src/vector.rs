//! Vectors, matrices and rotations of expressions.
//!
//! A rotation `T` maps coordinates of one frame to coordinates of the next, `v_2 = T v_1`. The name
//! `t_ba` means a rotation from frame `a` to frame `b`.

use equations::{Ex, select};
use nalgebra::{Matrix3, Vector3};

/// Three expressions.
pub type Vector = Vector3<Ex>;
/// Three by three expressions.
pub type Matrix = Matrix3<Ex>;

/// The x axis.
pub const X: [f64; 3] = [1.0, 0.0, 0.0];
/// The y axis.
pub const Y: [f64; 3] = [0.0, 1.0, 0.0];
/// The z axis.
pub const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// A vector of constants.
pub fn constant(v: [f64; 3]) -> Vector {
    Vector::new(v[0].into(), v[1].into(), v[2].into())
}

/// The zero vector.
pub fn zero() -> Vector {
    constant([0.0; 3])
}

/// The unit matrix.
pub fn identity() -> Matrix {
    Matrix::identity()
}

/// `a . b`.
pub fn dot(a: &Vector, b: &Vector) -> Ex {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a x b`.
pub fn cross(a: &Vector, b: &Vector) -> Vector {
    Vector::new(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
}

/// `a x b` of numbers.
pub fn cross_constant(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `|a|`.
pub fn norm(a: &Vector) -> Ex {
    dot(a, a).sqrt()
}

/// `|b - a|`.
pub fn distance(a: Vector, b: Vector) -> Ex {
    norm(&(b - a))
}

/// `a / |a|`.
pub fn normalize(a: &Vector) -> Vector {
    let r = Ex::from(1.0) / norm(a);
    a.map(|c| c * r)
}

/// `s a`.
pub fn scale(a: &Vector, s: Ex) -> Vector {
    a.map(|c| c * s)
}

/// `skew(a) b = a x b`.
pub fn skew(a: &Vector) -> Matrix {
    let zero = Ex::zero();
    Matrix::new(zero, -a[2], a[1], a[2], zero, -a[0], -a[1], a[0], zero)
}

/// The matrix whose rows are three vectors.
pub fn rows(x: &Vector, y: &Vector, z: &Vector) -> Matrix {
    Matrix::new(x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2])
}

/// `T' D T` of a symmetric matrix; the result is exactly symmetric.
pub fn resolve_dyade1(t: &Matrix, d: &Matrix) -> Matrix {
    symmetric(&(t.transpose() * d * t))
}

/// The symmetric matrix with the same upper triangle.
pub fn symmetric(a: &Matrix) -> Matrix {
    let mut s = *a;
    for i in 0..3 {
        for j in 0..i {
            s[(i, j)] = a[(j, i)];
        }
    }
    s
}

/// The rotation by the angle `phi` in rad about the unit axis `e`.
pub fn planar_rotation(e: [f64; 3], phi: Ex) -> Matrix {
    planar_rotation_of(e, phi.sin(), phi.cos())
}

/// The rotation about the unit axis `e` by the angle with the sine `s` and the cosine `c`.
pub fn planar_rotation_of(e: [f64; 3], s: Ex, c: Ex) -> Matrix {
    Matrix::from_fn(|i, j| {
        let identity = if i == j { 1.0 } else { 0.0 };
        let dyad = e[i] * e[j];
        // An element of -skew(e), because coordinates are transformed and not vectors rotated.
        let turn = match (3 + j - i) % 3 {
            0 => 0.0,
            1 => e[3 - i - j],
            _ => -e[3 - i - j],
        };
        c * (identity - dyad) + s * turn + dyad
    })
}

/// A constant axis of unit length; `None` if it has no direction.
pub fn unit_axis(n: [f64; 3]) -> Option<[f64; 3]> {
    let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
    (length.is_finite() && length > 1e-10).then(|| n.map(|c| snap(c / length)))
}

/// Removes the rounding errors of components that should be 0, 1 or -1.
fn snap(c: f64) -> f64 {
    if (c - c.round()).abs() < 1e-15 { c.round() + 0.0 } else { c }
}

/// The rotation whose x axis is along `n_x` and whose y axis is in the plane of `n_x` and `n_y`.
pub fn from_nxy(n_x: &Vector, n_y: &Vector) -> Matrix {
    let unit_or = |n: &Vector, other: [f64; 3]| {
        let length = norm(n);
        let small = length.lt(1e-10);
        let r = Ex::from(1.0) / select(small, 1.0, length);
        Vector::from_fn(|i, _| select(small, other[i], n[i] * r))
    };
    let e_x = unit_or(n_x, X);
    let e_y = unit_or(n_y, Y);
    let normal = cross(&e_x, &e_y);
    let parallel = dot(&normal, &normal).le(1e-6);
    let along_x = e_x[0].abs().gt(1e-6);
    let aux = Vector::from_fn(|i, _| select(parallel, select(along_x, Y[i], X[i]), e_y[i]));
    let e_z = normalize(&cross(&e_x, &aux));
    rows(&e_x, &cross(&e_z, &e_x), &e_z)
}

/// Two unit axes `x` and `y` that form a right-handed triad `(e, x, y)` with the unit axis `e`.
pub fn triad(e: [f64; 3]) -> (Vector, Vector) {
    let aux = if e[0].abs() > 0.1 {
        [0.0, 1.0, 0.0]
    } else if e[1].abs() > 0.1 {
        [0.0, 0.0, 1.0]
    } else {
        [1.0, 0.0, 0.0]
    };
    let y = unit_axis(cross_constant(e, aux)).unwrap_or(Y);
    (constant(cross_constant(y, e)), constant(y))
}
