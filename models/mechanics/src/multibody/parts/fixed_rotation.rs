//! A rigid translation and rotation.

use super::fixed_translation::RodPorts;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::scene::{ROD_COLOR, Shape};
use crate::setters;
use crate::vector::{Matrix, X, Y, Z, constant, from_nxy, planar_rotation_of};

/// Fixed translation and rotation of `frame_b` with respect to `frame_a`.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0 + R' r`; `frame_b` is turned by a constant rotation, which follows
/// from an axis and an angle, from two directions, or from three angles.
///
/// # Variables
/// `r` in m, resolved in `frame_a`, default zero; its zeros are structure. Constants: `n` and
/// `angle` in deg, or `n_x` and `n_y`, or `sequence` and `angles` in deg.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.FixedRotation.
#[derive(Clone, Debug)]
pub struct FixedRotation {
    r: [f64; 3],
    rotation: Rotation,
}

#[derive(Clone, Copy, Debug)]
enum Rotation {
    Axis { n: [f64; 3], angle: f64 },
    Directions { n_x: [f64; 3], n_y: [f64; 3] },
    Sequence { sequence: [usize; 3], angles: [f64; 3] },
}

impl FixedRotation {
    /// Turned by `angle` in deg about the axis `n`, the same in both frames.
    pub fn n_angle(n: [f64; 3], angle: f64) -> Self {
        FixedRotation { r: [0.0; 3], rotation: Rotation::Axis { n, angle } }
    }

    /// With the x axis of `frame_b` along `n_x` and its y axis in the plane of `n_x` and `n_y`, on
    /// the side of `n_y`; both resolved in `frame_a`.
    pub fn n_x_n_y(n_x: [f64; 3], n_y: [f64; 3]) -> Self {
        FixedRotation { r: [0.0; 3], rotation: Rotation::Directions { n_x, n_y } }
    }

    /// Turned by three angles in deg about axes numbered 1 to 3, one after the other, each about an
    /// axis of the frame that the turns before it gave.
    pub fn sequence_angles(sequence: [usize; 3], angles: [f64; 3]) -> Self {
        FixedRotation { r: [0.0; 3], rotation: Rotation::Sequence { sequence, angles } }
    }
}

setters! {
    impl FixedRotation {
        /// From `frame_a` to `frame_b` in m, resolved in `frame_a`.
        r: [f64; 3],
    }
}

impl OldComponent for FixedRotation {
    type Ports = RodPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Vector from frame_a to frame_b resolved in frame_a";
        let r = c.vector("r", self.r, "m", text)?;
        let t = self.rotation.declare(c)?;
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.rigid(a, b, r, t);
        c.shape("frame_a", |_| Shape::rod(r, ROD_COLOR));
        Ok(())
    }
}

impl Rotation {
    /// Declares what the rotation follows from; gives the rotation, whose elements are constants.
    fn declare(self, c: &mut Contribution<'_>) -> Result<Matrix, Error> {
        match self {
            Rotation::Axis { n, angle } => {
                let text = "Axis of rotation in frame_a (the same in frame_b)";
                let e = c.axis("n", n, text)?;
                let text = "Angle to rotate frame_a around axis n into frame_b";
                let angle = degrees(c, "angle", angle, text)?;
                Ok(turn(e, angle))
            }
            Rotation::Directions { n_x, n_y } => {
                let text = "Vector along x-axis of frame_b resolved in frame_a";
                let e_x = c.axis("n_x", n_x, text)?;
                let text = "Vector along y-axis of frame_b resolved in frame_a";
                let e_y = c.axis("n_y", n_y, text)?;
                Ok(from_nxy(&constant(e_x), &constant(e_y)))
            }
            Rotation::Sequence { sequence, angles } => {
                let text = "Axes around which frame_a is rotated, one after the other";
                let axes = c.sequence("sequence", sequence, text)?.axes();
                let mut t = Matrix::identity();
                for (i, (axis, angle)) in axes.into_iter().zip(angles).enumerate() {
                    let text = "Rotation angles around the axes defined in sequence";
                    let angle = degrees(c, &format!("angles[{}]", i + 1), angle, text)?;
                    t = turn([X, Y, Z][axis - 1], angle) * t;
                }
                Ok(t)
            }
        }
    }
}

/// A constant angle in deg.
fn degrees(c: &mut Contribution<'_>, local: &str, angle: f64, text: &str) -> Result<f64, Error> {
    c.finite(local, angle, "deg")?;
    c.constant(local, angle, "deg", text);
    Ok(angle)
}

/// The rotation by an angle in deg about a unit axis: without rounding at multiples of 90 deg about
/// a coordinate axis, so that what is zero remains structure.
fn turn(e: [f64; 3], angle: f64) -> Matrix {
    let quarters = (angle / 90.0).round();
    let (sine, cosine) = (angle - 90.0 * quarters).to_radians().sin_cos();
    let (sine, cosine) = match quarters.rem_euclid(4.0) as u8 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    };
    planar_rotation_of(e, sine.into(), cosine.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(t: &Matrix) -> Vec<f64> {
        let mut rows = Vec::new();
        for k in 0..9 {
            rows.push(t[(k / 3, k % 3)].constant_value().expect("a constant"));
        }
        rows
    }

    #[test]
    fn quarter_turns_have_no_rounding() {
        assert_eq!(numbers(&turn(Z, 90.0)), [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        for quarters in -9..=9 {
            for axis in [X, Y, Z] {
                let all = numbers(&turn(axis, 90.0 * f64::from(quarters)));
                assert!(all.iter().all(|x| [-1.0, 0.0, 1.0].contains(x)), "{all:?}");
                let turned = numbers(&turn(axis, 90.0 * f64::from(quarters) + 1e-3));
                let near = all.iter().zip(&turned).all(|(a, b)| (a - b).abs() < 2e-5);
                assert!(near, "{quarters}: {all:?} {turned:?}");
            }
        }
    }

    #[test]
    fn an_angle_is_the_same_in_degrees_and_radians() {
        for angle in [-359.0_f64, -100.0, -45.0, 10.0, 44.9, 45.1, 133.0, 225.0, 300.0] {
            let e = crate::vector::unit_axis([0.3, -0.5, 0.8]).unwrap();
            let expected = crate::vector::planar_rotation(e, angle.to_radians().into());
            let (one, other) = (numbers(&turn(e, angle)), numbers(&expected));
            assert!(one.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-15), "{angle}");
        }
    }
}
