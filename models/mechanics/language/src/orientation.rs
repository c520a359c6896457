//! Orientations: rotations about axes, by three angles and by quaternions, and the inverse
//! functions.
//!
//! Every matrix is a transformation of coordinates: for a frame rotated relative to another one,
//! `T` gives `v_2 = T v_1`, and `der(T) = -skew(w) T` with the angular velocity `w` in the rotated
//! frame.
//!
//! A quaternion `Q = {q_1, q_2, q_3, q_4}` has its scalar part last; a rotation by `phi` about the
//! unit axis `e` is `{e sin(phi/2), cos(phi/2)}`. Its length has no meaning here: `Q` and `s Q` are
//! the same orientation, so `Q` need not be normalized.

use crate::vector::{Matrix, Vector, constant, cross, dot, identity, planar_rotation, scale, skew};
use equations::{Ex, select, solve_linear};
use nalgebra::Matrix3x4;

/// A quaternion: three components of the vector part, then the scalar part.
pub type Quaternion = [Ex; 4];

/// The quaternion of the identity.
pub const NULL_QUATERNION: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// Three axes, 1 to 3, of successive rotations of a frame; neighbours differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence([usize; 3]);

impl Sequence {
    /// Cardan angles: about x, y, z.
    pub const XYZ: Sequence = Sequence([1, 2, 3]);
    /// Yaw, pitch, roll: about z, y, x.
    pub const ZYX: Sequence = Sequence([3, 2, 1]);
    /// Heading, lean, roll of a wheel: about z, x, y.
    pub const ZXY: Sequence = Sequence([3, 1, 2]);
    /// Euler angles: about z, x, z.
    pub const ZXZ: Sequence = Sequence([3, 1, 3]);

    /// A sequence of axes; `None` if an axis does not exist, or if neighbours are the same.
    pub fn new(axes: [usize; 3]) -> Option<Self> {
        let [first, second, third] = axes;
        let known = axes.iter().all(|axis| (1..=3).contains(axis));
        (known && first != second && second != third).then_some(Sequence(axes))
    }

    /// The sequence of three coordinate axes; `None` for other axes.
    pub fn of_axes(axes: &[[f64; 3]]) -> Option<Self> {
        let number = |axis: &[f64; 3]| match *axis {
            crate::vector::X => Some(1),
            crate::vector::Y => Some(2),
            crate::vector::Z => Some(3),
            _ => None,
        };
        let axes: Option<Vec<usize>> = axes.iter().map(number).collect();
        Sequence::new(axes?.try_into().ok()?)
    }

    /// The numbers of the axes, 1 to 3.
    pub fn axes(self) -> [usize; 3] {
        self.0
    }

    /// The axes as unit vectors.
    pub fn vectors(self) -> [[f64; 3]; 3] {
        self.0.map(unit)
    }
}

impl Default for Sequence {
    fn default() -> Self {
        Sequence::XYZ
    }
}

/// The unit vector along an axis, 1 to 3.
fn unit(axis: usize) -> [f64; 3] {
    assert!((1..=3).contains(&axis), "there is no axis {axis}");
    std::array::from_fn(|i| if i + 1 == axis { 1.0 } else { 0.0 })
}

/// The rotation by `phi` in rad about an axis, 1 to 3.
///
/// # Panics
/// The axis does not exist.
pub fn axis_rotation(axis: usize, phi: Ex) -> Matrix {
    planar_rotation(unit(axis), phi)
}

/// The rotation by three angles in rad, where each rotation is about an axis of the frame that
/// results from the previous ones: `T = T_3 T_2 T_1`.
pub fn axes_rotations(sequence: Sequence, phi: &[Ex; 3]) -> Matrix {
    turns_rotation(sequence.vectors(), phi)
}

/// [`axes_rotations`] for any unit axes.
pub fn turns_rotation(axes: [[f64; 3]; 3], phi: &[Ex; 3]) -> Matrix {
    let t_21 = planar_rotation(axes[1], phi[1]) * planar_rotation(axes[0], phi[0]);
    planar_rotation(axes[2], phi[2]) * t_21
}

/// The angular velocity in rad/s, resolved in the rotated frame, of a rotation by three angles with
/// the rates `dphi`.
pub fn axes_angular_velocity(sequence: Sequence, phi: &[Ex; 3], dphi: &[Ex; 3]) -> Vector {
    axes_rates(sequence, phi) * Vector::from(*dphi)
}

/// The matrix that maps the rates of three angles to the angular velocity in the rotated frame.
///
/// Its columns are the axes. It is singular if the first and the last axis are parallel.
pub fn axes_rates(sequence: Sequence, phi: &[Ex; 3]) -> Matrix {
    turns_rates(sequence.vectors(), phi)
}

/// [`axes_rates`] for any unit axes.
fn turns_rates(axes: [[f64; 3]; 3], phi: &[Ex; 3]) -> Matrix {
    let [first, second, third] = axes.map(constant);
    let t_3 = planar_rotation(axes[2], phi[2]);
    let t_32 = t_3 * planar_rotation(axes[1], phi[1]);
    Matrix::from_columns(&[t_32 * first, t_3 * second, third])
}

/// The rates of three angles for an angular velocity in rad/s, resolved in the rotated frame.
///
/// They are not determined if the first and the last axis are parallel.
pub fn angle_rates(sequence: Sequence, phi: &[Ex; 3], w: &Vector) -> [Ex; 3] {
    turn_rates(sequence.vectors(), phi, w)
}

/// [`angle_rates`] for any unit axes.
pub fn turn_rates(axes: [[f64; 3]; 3], phi: &[Ex; 3], w: &Vector) -> [Ex; 3] {
    let matrix = turns_rates(axes, phi);
    let rows: Vec<Vec<Ex>> = (0..3).map(|i| (0..3).map(|j| matrix[(i, j)]).collect()).collect();
    let rates = solve_linear(&rows, w.as_slice());
    [rates[0], rates[1], rates[2]]
}

/// Three angles in rad of a rotation. Of two solutions, the one whose first angle is nearer to
/// `guess` is used; if the first and the last axis are parallel, the first angle is `guess`.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Frames.axesRotationsAngles.
pub fn axes_rotations_angles(t: &Matrix, sequence: Sequence, guess: Ex) -> [Ex; 3] {
    turn_angles(t, sequence.vectors(), guess)
}

/// [`axes_rotations_angles`] for unit axes of which the second is perpendicular to the others.
pub fn turn_angles(t: &Matrix, axes: [[f64; 3]; 3], guess: Ex) -> [Ex; 3] {
    let [first, second, third] = axes.map(constant);
    // The last axis, resolved in the frame that is not rotated.
    let e_3 = t.transpose() * third;
    let (a, b) = (dot(&second, &e_3), dot(&cross(&first, &second), &e_3));
    let (one, other) = (a.atan2(-b), (-a).atan2(b));
    let nearer = select((one - guess).abs().le((other - guess).abs()), one, other);
    let parallel = a.abs().le(1e-12) & b.abs().le(1e-12);
    let phi_1 = select(parallel, guess, nearer);
    let t_1 = planar_rotation(axes[0], phi_1);
    let phi_2 = planar_rotation_angle(&second, &(t_1 * e_3), &third);
    let phi_3 = planar_rotation_angle(&third, &second, &(t * (t_1.transpose() * second)));
    [phi_1, phi_2, phi_3]
}

/// The angle in rad by which a frame is rotated about the unit axis `e`, if a vector has the
/// coordinates `v_1` before and `v_2` after the rotation.
pub fn planar_rotation_angle(e: &Vector, v_1: &Vector, v_2: &Vector) -> Ex {
    let sine = -dot(&cross(e, v_1), v_2);
    sine.atan2(dot(v_1, v_2) - dot(e, v_1) * dot(e, v_2))
}

/// The rotation of a quaternion, which is orthonormal for any length of the quaternion.
///
/// `T = I + 2 (q q' - q.q I - q_4 skew(q)) / Q.Q`.
pub fn quaternion_rotation(quaternion: &Quaternion) -> Matrix {
    let (q, q_4) = parts(quaternion);
    let s = 2.0 / length_squared(quaternion);
    let turn = q * q.transpose() - identity() * dot(&q, &q) - skew(&q) * q_4;
    identity() + turn.map(|x| s * x)
}

/// The angular velocity in rad/s, resolved in the rotated frame, of a quaternion with a rate in
/// 1/s. A change of its length has no effect.
pub fn quaternion_angular_velocity(quaternion: &Quaternion, rate: &Quaternion) -> Vector {
    let s = 2.0 / length_squared(quaternion);
    scale(&(quaternion_rates(quaternion) * nalgebra::Vector4::from(*rate)), s)
}

/// The rate in 1/s of a quaternion for an angular velocity in rad/s, resolved in the rotated frame.
/// Of all rates with this angular velocity, the result is the rate that keeps the quaternion's
/// length.
pub fn quaternion_rate(quaternion: &Quaternion, w: &Vector) -> Quaternion {
    let half = Ex::from(0.5);
    (quaternion_rates(quaternion).transpose() * scale(w, half)).into()
}

/// The quaternion of a frame that is turned from the frame of another quaternion by a small turn.
/// The components of the turn, if small, are angles in rad about the axes of the other frame. For
/// any values, the turn is about the vector of the components, by four times the arc tangent of a
/// quarter of the vector's length. It is regular up to a whole turn. The length of the quaternion
/// remains.
///
/// # Reference
/// J. Stuelpnagel, On the parametrization of the three-dimensional rotation group, SIAM Review 6,
/// 1964.
pub fn turned_quaternion(quaternion: &Quaternion, turn: &[Ex; 3]) -> Quaternion {
    let quarter = Vector::from(turn.map(|s| s * 0.25));
    let square = dot(&quarter, &quarter);
    let r = scale(&quarter, 2.0 / (1.0 + square));
    successive(quaternion, &[r[0], r[1], r[2], (1.0 - square) / (1.0 + square)])
}

/// The quaternion of successive rotations, the second one about axes of the rotated frame.
fn successive(first: &Quaternion, second: &Quaternion) -> Quaternion {
    let ((q, q_4), (r, r_4)) = (parts(first), parts(second));
    let vector = r * q_4 + q * r_4 + cross(&q, &r);
    [vector[0], vector[1], vector[2], q_4 * r_4 - dot(&q, &r)]
}

/// The quaternion of successive rotations by angles in rad about unit axes.
pub fn turns_quaternion(axes: [[f64; 3]; 3], angles: &[Ex; 3]) -> Quaternion {
    let turns = axes.into_iter().zip(angles).map(|([x, y, z], &angle)| {
        let (sine, cosine) = (angle * 0.5).sin_cos();
        [sine * x, sine * y, sine * z, cosine]
    });
    turns.fold(NULL_QUATERNION.map(Ex::from), |all, turn| successive(&all, &turn))
}

/// The derivative of such a turn, for an angular velocity in rad/s, resolved in the turned frame.
pub fn turn_rate(turn: &[Ex; 3], w: &Vector) -> [Ex; 3] {
    let quarter = Vector::from(turn.map(|s| s * 0.25));
    let along = w * (1.0 - dot(&quarter, &quarter)) + quarter * (2.0 * dot(&quarter, w));
    (along + cross(&quarter, w) * Ex::from(2.0)).into()
}

/// `G` with `w = 2 G der(Q) / Q.Q`; `G G' = Q.Q I` and `G Q = 0`.
fn quaternion_rates(quaternion: &Quaternion) -> Matrix3x4<Ex> {
    let [q_1, q_2, q_3, q_4] = *quaternion;
    Matrix3x4::new(q_4, q_3, -q_2, -q_1, -q_3, q_4, q_1, -q_2, q_2, -q_1, q_4, -q_3)
}

/// The quaternion of length 1 of a rotation; of the two quaternions, the one nearer to `guess`.
///
/// It is computed from the largest of its components, so that no division by a small number occurs.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Frames.Quaternions.from_T.
pub fn quaternion_from_rotation(t: &Matrix, guess: &Quaternion) -> Quaternion {
    let (t_11, t_22, t_33) = (t[(0, 0)], t[(1, 1)], t[(2, 2)]);
    let sum = |i: usize, j: usize| t[(i, j)] + t[(j, i)];
    let difference = |i: usize, j: usize| t[(i, j)] - t[(j, i)];
    let (d_1, d_2, d_3) = (difference(1, 2), difference(2, 0), difference(0, 1));
    let (s_12, s_13, s_23) = (sum(0, 1), sum(0, 2), sum(1, 2));
    // Four times the quaternion times its component 1, 2, 3, or 4.
    let by = [
        [1.0 + t_11 - t_22 - t_33, s_12, s_13, d_1],
        [s_12, 1.0 - t_11 + t_22 - t_33, s_23, d_2],
        [s_13, s_23, 1.0 - t_11 - t_22 + t_33, d_3],
        [d_1, d_2, d_3, 1.0 + t_11 + t_22 + t_33],
    ];
    let pick = |of: [Ex; 4]| {
        let negative = select(t_11.gt(t_22), of[0], of[1]);
        select(t_33.lt(0.0), negative, select(t_11.lt(-t_22), of[2], of[3]))
    };
    let multiple: Quaternion = std::array::from_fn(|i| pick(by.map(|row| row[i])));
    let largest = pick([by[0][0], by[1][1], by[2][2], by[3][3]]);
    let along = (0..4).map(|i| multiple[i] * guess[i]).sum::<Ex>();
    let factor = select(along.ge(0.0), 0.5, -0.5) / largest.sqrt();
    multiple.map(|q| q * factor)
}

/// Three numbers that are zero if two frames have the same orientation. Near it, they are the
/// angles in rad of the small rotation from the first frame to the second.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Frames.Orientation.equalityConstraint.
pub fn equality_constraint(t_1: &Matrix, t_2: &Matrix) -> [Ex; 3] {
    let axis = |t: &Matrix, i: usize| t.row(i).transpose();
    let [r_1, r_2, r_3] = [0, 1, 2].map(|i| axis(t_1, i));
    let [s_1, s_2, s_3] = [0, 1, 2].map(|i| axis(t_2, i));
    let normal = cross(&r_1, &r_2);
    [
        dot(&normal, &s_2).atan2(dot(&r_1, &s_1)),
        (-dot(&normal, &s_1)).atan2(dot(&r_2, &s_2)),
        dot(&r_2, &s_1).atan2(dot(&r_3, &s_3)),
    ]
}

fn parts(quaternion: &Quaternion) -> (Vector, Ex) {
    let [q_1, q_2, q_3, q_4] = *quaternion;
    (Vector::new(q_1, q_2, q_3), q_4)
}

fn length_squared(quaternion: &Quaternion) -> Ex {
    quaternion.iter().map(|q| q.square()).sum()
}

#[cfg(test)]
mod tests;
