//! A rotational inertia with one coordinate and a place in space.

use mechanics::component::Starts;
use mechanics::declaration::{Columns, prelude::*};
use mechanics::domain::{ROTATIONAL, Word, word};
use mechanics::statements::contributions::multibody::CoordinateType;
use mechanics::statements::spatial::pose::Pose;
use mechanics::vector::{Matrix, Vector, zero};

/// Largest deviation of a rotation matrix from an orthonormal one.
const ORTHONORMAL: f64 = 1e-9;

static PSI: Word = word("psi", "rad");
static PSI_T: Word = word("psi_t", "rad/s");
static PSI_TT: Word = word("psi_tt", "rad/s2");

component! {
    /// Rotor: a rotational inertia with one coordinate, placed and oriented in space.
    ///
    /// It is `ObjectRotationalMass1D` (`Rotor1D`) of Exudyn.
    ///
    /// # Equations
    /// `J psi'' = tau`, where `tau` is the torque of `flange` plus the third component of the
    /// torque on `frame` in its own axes; forces on `frame` have no effect. The centre rests at
    /// `position`. `flange.phi = rotation = psi + referenceCoordinate`, and
    /// `rotation_matrix = referenceRotation R_z(rotation)`.
    pub struct Rotor1D {
        /// Moment of inertia of the rotor about its own z axis
        physics_inertia "physicsInertia": Real["kg.m2", >= 0, structural zero],
        /// Position of the centre in world axes
        reference_position "referencePosition": [Real; 3]["m", fixed] = [0.0; 3],
        /// Rotation from the axes of the rotor at zero rotation to the world
        reference_rotation "referenceRotation": [[Real]]["1, 1, 1", constant] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        /// Rotation at which psi is zero
        reference_coordinate "referenceCoordinate": Real["rad", fixed] = 0,
        /// Start value of the rotation coordinate
        psi: Start["rad"] = free(),
        /// Start value of the velocity of the rotation coordinate
        psi_t: Start["rad/s"] = free(),
        /// Preference of `psi` and `psi_t` as states
        states: StateSelect = Prefer,
    }
    ports {
        /// Shaft of the rotor
        flange: Flange,
        /// Frame that rotates with the rotor
        frame: Frame,
    }
    variables {
        /// Rotation coordinate
        psi: Real["rad"],
        /// Velocity of the rotation coordinate
        psi_t: Real["rad/s"],
        /// Acceleration of the rotation coordinate
        psi_tt: Real["rad/s2"],
        /// Total rotation
        rotation: Real["rad"],
        /// Position of the centre in world axes
        position: Vector["m"],
        /// Displacement of the centre in world axes
        displacement: Vector["m"],
        /// Velocity of the centre in world axes
        velocity: Vector["m/s"],
        /// Rotation from the rotor's axes to the world's
        rotation_matrix: Matrix["1"],
        /// Angular velocity in world axes
        angular_velocity: Vector["rad/s"],
        /// Angular velocity in the rotor's axes
        angular_velocity_local: Vector["rad/s"],
    }
}

impl Component for Rotor1D {
    fn contribute(p: Rotor1DParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let offset = p.reference_coordinate;
        let (sin, cos) = offset.sin_cos();
        let (none, one) = (Ex::zero(), Ex::one());
        let turned = Matrix::new(cos, sin, none, -sin, cos, none, none, none, one);
        let t = turned * rotation(c, p.reference_rotation)?.transpose();

        let base = c.ground(Pose { r: p.reference_position, t });
        let frame = c.frame("frame");
        let starts = Starts { position: p.psi, speed: p.psi_t };
        let motion = c.start_variables([&PSI, &PSI_T, &PSI_TT], starts);
        let angle = c.coordinate(CoordinateType::Revolute, Z, motion, p.states);
        c.joint(base, frame, &[angle]);
        let flange = c.flange(&ROTATIONAL, "flange");
        c.axis_flange(flange, angle, offset);
        c.inertia(flange, p.physics_inertia);
        c.law(move |e| {
            let pose = e.pose(frame);
            let local = e.velocity(frame).w;
            e.publish("position", &pose.r);
            e.publish("displacement", &zero());
            e.publish("velocity", &zero());
            let to_world = pose.t.transpose();
            e.matrix("rotation_matrix", &to_world, "");
            let rotation = e.flange(flange).q;
            e.variable("rotation", rotation);
            let in_world: Vector = to_world * local;
            e.publish("angular_velocity", &in_world);
            e.publish("angular_velocity_local", &local);
            Ok(())
        });
        Ok(())
    }
}

/// The rotation matrix whose rows are those of a table.
fn rotation(c: &Contribution<'_>, table: Columns) -> Result<Matrix, Error> {
    let refusal = {
        let rows: Vec<&[f64]> = table.rows.rows().collect();
        c.refuse(table.of.name, format!("{rows:?} is not a rotation matrix"))
    };
    let numbers = table.rows.into_numbers();
    if numbers.len() != 9 {
        return Err(refusal);
    }
    let rows = nalgebra::Matrix3::from_row_slice(&numbers);
    let deviation = (rows * rows.transpose() - nalgebra::Matrix3::identity()).amax();
    match deviation.is_nan() || deviation > ORTHONORMAL || rows.determinant() < 0.0 {
        true => Err(refusal),
        false => Ok(rows.map(Ex::from)),
    }
}
