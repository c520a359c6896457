//! A rigid translation and rotation.

use super::fixed_translation::two_frames;
use mechanics::declaration::prelude::*;
use mechanics::scene::{ROD_COLOR, Shape};
use mechanics::vector::{Matrix, constant, from_nxy, planar_rotation_of};

component! {
    /// Fixed translation and rotation of `frame_b` with respect to `frame_a`.
    ///
    /// It turns the axes of a frame, for example those of an inclined guide.
    ///
    /// # Equations
    /// `frame_b.r_0 = frame_a.r_0 + R' r`. `frame_b` is rotated by a constant rotation, which is
    /// given in one of three ways: by an axis `n` and an `angle`; by two directions, where the
    /// x-axis of `frame_b` is along `n_x` and its y-axis is in the plane of `n_x` and `n_y`, on the
    /// side of `n_y`; or by a `sequence` of three axes and the `angles` of successive rotations
    /// about them, each about an axis of the frame that results from the previous rotations.
    pub struct FixedRotation = "Modelica.Mechanics.MultiBody.Parts.FixedRotation" {
        /// Vector from frame_a to frame_b resolved in frame_a
        r: [Real; 3]["m", fixed] = [0; 3],
        /// Axis of rotation resolved in frame_a (the same as in frame_b)
        n?: Axis["1"],
        /// Angle to rotate frame_a around axis n into frame_b
        angle?: Real["deg", constant],
        /// Direction of the x-axis of frame_b resolved in frame_a
        n_x?: Axis["1"],
        /// Direction that defines the y-axis of frame_b resolved in frame_a
        n_y?: Axis["1"],
        /// Axes of the successive rotations from frame_a to frame_b
        sequence?: [usize; 3]["1"],
        /// Angles of the rotations about the axes of sequence
        angles?: [Real; 3]["deg", constant],
        ..two_frames,
    }
}

impl Component for FixedRotation {
    fn contribute(p: FixedRotationParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let t = rotation(&p).ok_or_else(|| {
            let one = "its rotation must be given by n and angle, by n_x and n_y, or by sequence \
                       and angles";
            Error::Parameter(format!("{}: {one}", c.name()))
        })?;
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.rigid(a, b, p.r, t);
        c.shape("frame_a", |_| Shape::rod(p.r, ROD_COLOR));
        Ok(())
    }
}

/// The rotation, whose elements are constants; `None` if it is not given, or given in several ways.
fn rotation(p: &FixedRotationParameters) -> Option<Matrix> {
    match ((p.n, p.angle), (p.n_x, p.n_y), (p.sequence, p.angles)) {
        ((Some(n), Some(angle)), (None, None), (None, None)) => Some(turn(n, angle)),
        ((None, None), (Some(n_x), Some(n_y)), (None, None)) => {
            Some(from_nxy(&constant(n_x), &constant(n_y)))
        }
        ((None, None), (None, None), (Some(sequence), Some(angles))) => {
            let turns = sequence.axes().into_iter().zip(angles);
            Some(
                turns.fold(Matrix::identity(), |t, (axis, angle)| {
                    turn([X, Y, Z][axis - 1], angle) * t
                }),
            )
        }
        _ => None,
    }
}

/// The rotation by an angle in deg about a unit axis. For multiples of 90 deg about a coordinate
/// axis there are no rounding errors, so that zeros remain structural.
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
            let e = mechanics::vector::unit_axis([0.3, -0.5, 0.8]).unwrap();
            let expected = mechanics::vector::planar_rotation(e, angle.to_radians().into());
            let (one, other) = (numbers(&turn(e, angle)), numbers(&expected));
            assert!(one.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-15), "{angle}");
        }
    }
}
