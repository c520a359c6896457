//! A rotational inertia on one coordinate that has a place in space.

use crate::compile::structure::{Freedom, Pose};
use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::{ROTATIONAL, Word, word};
use crate::error::Error;
use crate::start::{Start, StateSelect};
use crate::vector::{Matrix, Vector, Z};
use crate::{ports, setters};
use equations::Ex;

/// How far from orthonormal a rotation matrix may be.
const ORTHONORMAL: f64 = 1e-9;

static PSI: Word = word("psi", "rad", "Rotation coordinate");
static PSI_T: Word = word("psi_t", "rad/s", "Velocity of the rotation coordinate");
static PSI_TT: Word = word("psi_tt", "rad/s2", "Acceleration of the rotation coordinate");

/// Rotor: a rotational inertia on one coordinate, placed and oriented in space.
///
/// # Equations
/// `J psi'' = tau`, where `tau` is the torque of `flange` plus the third component of the torque on
/// `frame`, in its own axes; forces on `frame` have no effect. The centre rests at `position`;
/// `rotation = psi + referenceCoordinate`, `rotation_matrix = referenceRotation R_z(rotation)`.
///
/// # Variables
/// `physicsInertia` in kg.m2; `referencePosition` in m; `referenceRotation` without unit, fixed;
/// `referenceCoordinate`, `psi`, `rotation` in rad; `psi_t` in rad/s; `position`, `displacement` in
/// m; `velocity` in m/s; `rotation_matrix`, row by row, maps the rotor's axes to the world's;
/// `angular_velocity` in rad/s in world axes, `angular_velocity_local` in the rotor's.
/// `flange.phi` is `rotation`.
///
/// # Reference
/// Exudyn: ObjectRotationalMass1D (Rotor1D).
#[derive(Clone, Debug)]
pub struct Rotor1D {
    inertia: f64,
    reference_position: [f64; 3],
    reference_rotation: [[f64; 3]; 3],
    reference_coordinate: f64,
    psi: Start,
    psi_t: Start,
    states: StateSelect,
}

ports! {
    /// Ports and variables of a [`Rotor1D`].
    pub struct Rotor1DPorts {
        /// Shaft of the rotor.
        flange: flange,
        /// Frame that turns with the rotor.
        frame: frame,
        /// Change of the rotation coordinate in rad.
        psi: quantity,
        /// Its derivative in rad/s.
        psi_t: quantity,
        /// Total rotation in rad.
        rotation: quantity,
        /// Position of the centre in m, in world axes.
        position: vector,
        /// Displacement of the centre in m, in world axes.
        displacement: vector,
        /// Velocity of the centre in m/s, in world axes.
        velocity: vector,
        /// Maps the rotor's axes to the world's, row by row.
        rotation_matrix: matrix,
        /// Angular velocity in rad/s, in world axes.
        angular_velocity: vector,
        /// Angular velocity in rad/s, in the rotor's axes.
        angular_velocity_local: vector,
    }
}

impl Rotor1D {
    /// With moment of inertia in kg.m2 about its own z axis.
    pub fn physics_inertia(inertia: f64) -> Self {
        Rotor1D {
            inertia,
            reference_position: [0.0; 3],
            reference_rotation: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            reference_coordinate: 0.0,
            psi: Start::default(),
            psi_t: Start::default(),
            states: StateSelect::Prefer,
        }
    }
}

setters! {
    impl Rotor1D {
        /// Position of the centre in m, in world axes.
        reference_position: [f64; 3],
        /// Rotation matrix, by rows, that maps the coordinates of the unturned rotor to the world.
        reference_rotation: [[f64; 3]; 3],
        /// Rotation in rad at which `psi` is zero.
        reference_coordinate: f64,
        /// Start value of the coordinate in rad.
        psi: Start,
        /// Start value of its derivative in rad/s.
        psi_t: Start,
        /// Preference of `psi` and `psi_t` as states.
        states: StateSelect,
    }
}

impl Rotor1D {
    /// Declares the reference rotation; gives the matrix that maps world coordinates.
    fn declare_rotation(&self, c: &mut Contribution<'_>) -> Result<Matrix, Error> {
        let rows = nalgebra::Matrix3::from_fn(|i, j| self.reference_rotation[i][j]);
        let gap = (rows * rows.transpose() - nalgebra::Matrix3::identity()).amax();
        if gap.is_nan() || gap > ORTHONORMAL || rows.determinant() < 0.0 {
            return Err(c.refuse(
                "referenceRotation",
                format!("{:?} is not a rotation matrix", self.reference_rotation),
            ));
        }
        for (i, row) in self.reference_rotation.iter().enumerate() {
            for (j, &element) in row.iter().enumerate() {
                let local = format!("referenceRotation[{},{}]", i + 1, j + 1);
                c.constant(&local, element, "1", "Rotation from the unturned rotor to the world");
            }
        }
        Ok(rows.transpose().map(Ex::from))
    }
}

impl OldComponent for Rotor1D {
    type Ports = Rotor1DPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let inertia =
            c.amount("physicsInertia", self.inertia, "kg.m2", "Moment of inertia of the rotor")?;
        let text = "Position of the centre";
        let r = c.vector("referencePosition", self.reference_position, "m", text)?;
        let t = self.declare_rotation(c)?;
        c.finite("referenceCoordinate", self.reference_coordinate, "rad")?;
        let offset: Ex = c
            .parameter("referenceCoordinate", self.reference_coordinate)
            .unit("rad")
            .describe("Rotation at which psi is zero")
            .into();
        let (sin, cos) = offset.sin_cos();
        let (zero, one) = (Ex::zero(), Ex::one());
        let turned = Matrix::new(cos, sin, zero, -sin, cos, zero, zero, zero, one);

        let base = c.ground(Pose { r, t: turned * t });
        let frame = c.frame("frame");
        let starts = Starts { position: self.psi, speed: self.psi_t };
        let motion = c.candidates([&PSI, &PSI_T, &PSI_TT], starts);
        let angle = c.coordinate(Freedom::Turn, Z, motion, self.states);
        c.joint(base, frame, &[angle]);
        let flange = c.flange(&ROTATIONAL, "flange");
        c.axis_flange(flange, angle, offset);
        c.inertia(flange, inertia);
        c.law(move |e| {
            let pose = e.pose(frame);
            let local = e.velocity(frame).w;
            let at_rest = crate::vector::zero();
            e.vector("position", &pose.r, "m", "Position of the centre in world axes");
            e.vector("displacement", &at_rest, "m", "Displacement of the centre in world axes");
            e.vector("velocity", &at_rest, "m/s", "Velocity of the centre in world axes");
            let to_world = pose.t.transpose();
            let text = "Rotation from the rotor's axes to the world's";
            e.matrix("rotation_matrix", &to_world, text);
            let rotation = e.flange(flange).q;
            e.variable("rotation", rotation).unit("rad").describe("Total rotation");
            let in_world: Vector = to_world * local;
            e.vector("angular_velocity", &in_world, "rad/s", "Angular velocity in world axes");
            let text = "Angular velocity in the rotor's axes";
            e.vector("angular_velocity_local", &local, "rad/s", text);
            Ok(())
        });
        Ok(())
    }
}
