//! A 1-D inertia whose housing moves in space.

use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::rigid;
use crate::start::{Start, StateSelect};
use crate::vector::{X, constant};
use crate::{ports, setters};

/// 1-D inertia that turns in a housing on a frame.
///
/// # Equations
/// `phi = flange_a.phi = flange_b.phi`, relative to `frame_a`; `w = der(phi)`, `a = der(w)`. With
/// `e = n / |n|`, the angular velocity `w_a` of `frame_a` and its derivative `z_a`, both in its own
/// axes: `J a = flange_a.tau + flange_b.tau - J e.z_a` (without the last term unless `exact`),
/// `frame_a.t = w_a x (J e w) - e (J e.z_a)`, `frame_a.f = 0`.
///
/// The body that carries the rotor has to contain it already: its mass and its whole inertia, as if
/// it were locked. With `driveTrainMechanics3D = false` in the world it is an inertia without a
/// housing, and `frame_a` may stay open.
///
/// # Variables
/// `phi` in rad, `w` in rad/s, `a` in rad/s2; `J` in kg.m2, not negative; `n` without unit, default
/// `{1, 0, 0}`; `exact`, default true.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.Rotor1D.
#[derive(Clone, Debug)]
#[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
pub struct Rotor1D {
    J: f64,
    n: [f64; 3],
    exact: bool,
    phi: Start,
    w: Start,
    states: StateSelect,
}

ports! {
    /// Ports and variables of a [`Rotor1D`].
    pub struct Rotor1DPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Frame to which the housing is fixed.
        frame_a: frame,
        /// Angle relative to the frame in rad.
        phi: quantity,
        /// Angular velocity relative to the frame in rad/s.
        w: quantity,
        /// Angular acceleration relative to the frame in rad/s2.
        a: quantity,
    }
}

impl Rotor1D {
    /// With moment of inertia `J` in kg.m2 about its axis.
    #[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
    pub fn J(value: f64) -> Self {
        let (phi, w, states) = (Start::default(), Start::default(), StateSelect::Default);
        Rotor1D { J: value, n: X, exact: true, phi, w, states }
    }
}

setters! {
    impl Rotor1D {
        /// Axis of rotation, resolved in `frame_a`.
        n: [f64; 3],
        /// Whether the rotation of the housing accelerates the rotor.
        exact: bool,
        /// Start value of the angle in rad.
        phi: Start,
        /// Start value of the angular velocity in rad/s.
        w: Start,
        /// Preference of `phi` and `w` as states.
        states: StateSelect,
    }
}

impl OldComponent for Rotor1D {
    type Ports = Rotor1DPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Moment of inertia of the rotor about its axis of rotation";
        let inertia = c.inertia_value("J", self.J, "kg.m2", text)?;
        let axis = c.axis("n", self.n, "Axis of rotation resolved in frame_a")?;
        let text = "True if the rotation of the housing accelerates the rotor";
        let name = c.full("exact");
        c.model.constant(&name, f64::from(u8::from(self.exact))).boolean().describe(text);
        let starts = Starts { position: self.phi, speed: self.w };
        let end = rigid::rigid(c, &ROTATIONAL, None);
        c.position(&ROTATIONAL, end, starts, self.states);
        let frame = c.optional_frame("frame_a");
        c.rotor(end, frame, constant(axis), inertia, self.exact);
        Ok(())
    }
}
