//! A 1-D inertia whose housing moves in space.

use crate::interfaces::rigid;
use mechanics::component::Starts;
use mechanics::declaration::prelude::*;
use mechanics::domain::ROTATIONAL;
use mechanics::scene::Shape;
use mechanics::vector::constant;

component! {
    /// 1-D inertia that rotates in a housing on a frame.
    ///
    /// It is the rotor of a motor, a flywheel or a gyroscope on a moving part.
    ///
    /// # Equations
    /// `phi = flange_a.phi = flange_b.phi` relative to `frame_a`, `w = der(phi)`, `a = der(w)`.
    /// With `e = n / |n|` and with the angular velocity `w_a` of `frame_a` and its derivative
    /// `z_a`, both resolved in `frame_a`: `J a = flange_a.tau + flange_b.tau - J e.z_a` (the last
    /// term only if `exact`), `frame_a.t = w_a x (J e w) - e (J e.z_a)`, `frame_a.f = 0`.
    ///
    /// What is fixed in the drive train of the rotor rests on `frame_a`, as it would with a
    /// [`Mounting1D`](super::Mounting1D). If not `exact`, angular momentum is conserved only
    /// approximately.
    ///
    /// The body that carries the rotor must already include the mass and the whole inertia of the
    /// rotor, as if the rotor were locked. If `driveTrainMechanics3D = false` in the world, the
    /// component is an inertia without a housing, and `frame_a` may be left open.
    pub struct Rotor1D = "Modelica.Mechanics.MultiBody.Parts.Rotor1D" {
        /// Moment of inertia of the rotor about its axis of rotation
        J: Real["kg.m2", >= 0],
        /// Axis of rotation resolved in frame_a
        n: Axis["1"] = X,
        /// True if the angular acceleration of the housing acts on the rotor
        exact: bool[constant] = true,
        /// Start value of the angle
        phi: Start["rad"] = free(),
        /// Start value of the angular velocity
        w: Start["rad/s"] = free(),
        /// Initial acceleration; used only if it is fixed
        a: Start["rad/s2"] = free(),
        /// Preference of `phi` and `w` as states
        states: StateSelect = StateSelect::Default,
    }
    ports {
        /// Left flange
        flange_a: Flange,
        /// Right flange
        flange_b: Flange,
        /// Frame to which the housing is fixed
        frame_a: Frame,
    }
    variables {
        /// Rotation angle relative to frame_a
        phi: Real["rad"],
        /// Angular velocity relative to frame_a
        w: Real["rad/s"],
        /// Angular acceleration relative to frame_a
        a: Real["rad/s2"],
    }
}

impl Component for Rotor1D {
    fn contribute(p: Rotor1DParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let end = rigid::rigid(c, &ROTATIONAL, None);
        let starts = Starts { position: p.phi, speed: p.w };
        c.position(&ROTATIONAL, end, starts, p.states);
        rigid::initial_acceleration(c, end, p.a);
        let frame = c.optional_frame("frame_a");
        if frame.is_some() {
            c.turning_shape(("frame_a", "cylinder"), (p.n, end), |nominal| {
                Shape::rotor(constant(p.n), nominal)
            });
        }
        c.rotor(end, frame, constant(p.n), p.J, p.exact);
        Ok(())
    }
}
