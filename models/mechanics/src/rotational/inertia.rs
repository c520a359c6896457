//! A rigid rotating mass between two flanges.

use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::rigid;
use crate::start::{Start, StateSelect};
use crate::{ports, setters};

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
    states: StateSelect,
}

ports! {
    /// Ports and variables of an [`Inertia`].
    pub struct InertiaPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Angle in rad.
        phi: quantity,
        /// Angular velocity in rad/s.
        w: quantity,
        /// Angular acceleration in rad/s2.
        a: quantity,
    }
}

impl Inertia {
    /// With moment of inertia `J` in kg.m2.
    #[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
    pub fn J(value: f64) -> Self {
        let (phi, w, states) = (Start::default(), Start::default(), StateSelect::Default);
        Inertia { J: value, phi, w, states }
    }
}

setters! {
    impl Inertia {
        /// Start value of the angle in rad.
        phi: Start,
        /// Start value of the angular velocity in rad/s.
        w: Start,
        /// Preference of `phi` and `w` as states.
        states: StateSelect,
    }
}

impl OldComponent for Inertia {
    type Ports = InertiaPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let inertia = c.inertia_value("J", self.J, "kg.m2", "Moment of inertia")?;
        let starts = Starts { position: self.phi, speed: self.w };
        rigid::inertial(c, &ROTATIONAL, inertia, None, starts, self.states);
        Ok(())
    }
}
