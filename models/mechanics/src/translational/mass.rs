//! A rigid sliding mass between two flanges.

use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::rigid;
use crate::start::{Start, StateSelect};
use crate::{ports, setters};

/// Sliding mass with inertia.
///
/// # Equations
/// `flange_a.s = s - L/2`, `flange_b.s = s + L/2`, `v = der(s)`, `a = der(v)`,
/// `m a = flange_a.f + flange_b.f`.
///
/// # Variables
/// `s` (the middle) in m, `v` in m/s, `a` in m/s2; `m` in kg, not negative; `L` in m, fixed because
/// initial values hang on it.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.Mass.
#[derive(Clone, Debug)]
#[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
pub struct Mass {
    m: f64,
    L: f64,
    s: Start,
    v: Start,
    states: StateSelect,
}

ports! {
    /// Ports and variables of a [`Mass`].
    pub struct MassPorts {
        /// Left flange.
        flange_a: translational_flange,
        /// Right flange.
        flange_b: translational_flange,
        /// Position of the middle in m.
        s: quantity,
        /// Velocity in m/s.
        v: quantity,
        /// Acceleration in m/s2.
        a: quantity,
    }
}

impl Mass {
    /// With mass `m` in kg and no length.
    pub fn m(m: f64) -> Self {
        let (s, v, states) = (Start::default(), Start::default(), StateSelect::Default);
        Mass { m, L: 0.0, s, v, states }
    }

    /// Length from the left to the right flange in m.
    #[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
    #[must_use]
    pub fn L(self, value: f64) -> Self {
        Mass { L: value, ..self }
    }
}

setters! {
    impl Mass {
        /// Start value of the position in m.
        s: Start,
        /// Start value of the velocity in m/s.
        v: Start,
        /// Preference of `s` and `v` as states.
        states: StateSelect,
    }
}

impl OldComponent for Mass {
    type Ports = MassPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let mass = c.inertia_value("m", self.m, "kg", "Mass of the sliding mass")?;
        let length = rigid::length(c, self.L)?;
        let starts = Starts { position: self.s, speed: self.v };
        rigid::inertial(c, &TRANSLATIONAL, mass, Some(length), starts, self.states);
        Ok(())
    }
}
