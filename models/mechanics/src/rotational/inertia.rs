//! A rigid rotating mass between two flanges.

use super::two_flanges;
use crate::assembly::{At, Flange, Quantity};
use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::start::{Start, StateSelect};
use equations::Ex;

/// 1-D rotational component with inertia.
///
/// # Equations
/// `phi = flange_a.phi = flange_b.phi`, `w = der(phi)`, `a = der(w)`,
/// `J a = flange_a.tau + flange_b.tau`.
///
/// # Variables
/// `phi` in rad, `w` in rad/s, `a` in rad/s2; `J` in kg.m2, not negative.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.Inertia.
#[derive(Clone, Debug)]
#[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
pub struct Inertia {
    J: f64,
    phi: Start,
    w: Start,
    select: StateSelect,
}

/// Ports and variables of an [`Inertia`].
#[derive(Clone, Copy, Debug)]
pub struct InertiaPorts {
    /// Left flange.
    pub flange_a: Flange,
    /// Right flange.
    pub flange_b: Flange,
    /// Angle in rad.
    pub phi: Quantity,
    /// Angular velocity in rad/s.
    pub w: Quantity,
    /// Angular acceleration in rad/s2.
    pub a: Quantity,
}

impl Inertia {
    /// With moment of inertia `J` in kg.m2.
    #[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
    pub fn J(value: f64) -> Self {
        let (phi, w, select) = (Start::default(), Start::default(), StateSelect::Default);
        Inertia { J: value, phi, w, select }
    }

    /// Start value of the angle in rad.
    pub fn phi(self, phi: Start) -> Self {
        Inertia { phi, ..self }
    }

    /// Start value of the angular velocity in rad/s.
    pub fn w(self, w: Start) -> Self {
        Inertia { w, ..self }
    }

    /// Preference of `phi` and `w` as states.
    pub fn states(self, select: StateSelect) -> Self {
        Inertia { select, ..self }
    }
}

impl Component for Inertia {
    type Ports = InertiaPorts;

    fn ports(at: At) -> InertiaPorts {
        let (flange_a, flange_b) = two_flanges(at);
        let (phi, w, a) = (at.quantity("phi"), at.quantity("w"), at.quantity("a"));
        InertiaPorts { flange_a, flange_b, phi, w, a }
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.check("J", self.J, "kg.m2", self.J >= 0.0)?;
        let inertia: Ex = c
            .parameter("J", self.J)
            .unit("kg.m2")
            .describe("Moment of inertia")
            .min(0.0)
            .tunable()
            .into();
        let (a, b) = (c.flange("flange_a"), c.flange("flange_b"));
        c.rigid_flanges(a, b);
        c.inertia(a, inertia);
        let phi = c.candidate("phi", "rad", "Absolute rotation angle", self.phi);
        let w = c.candidate("w", "rad/s", "Absolute angular velocity", self.w);
        c.angle(None, a, phi, w, self.select);
        Ok(())
    }
}
