//! A point mass.

use super::body::translation;
use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::ports;
use crate::vector::{Matrix, zero};

/// Rigid body without extension: it has a mass, and no moments of inertia.
///
/// # Equations
/// `frame_a.f = m R (a_0 - g(r_0))`, `frame_a.t = 0`.
///
/// # Variables
/// `m` in kg; `r_0` in m, `v_0` in m/s, `a_0` in m/s2 of `frame_a` in world axes.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.PointMass.
#[derive(Clone, Debug)]
pub struct PointMass {
    m: f64,
}

ports! {
    /// Ports of a [`PointMass`].
    pub struct PointMassPorts {
        /// The frame at whose origin the mass is.
        frame_a: frame,
    }
}

impl PointMass {
    /// Of mass `m` in kg.
    pub fn m(m: f64) -> Self {
        PointMass { m }
    }
}

impl Component for PointMass {
    type Ports = PointMassPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let mass = c.amount("m", self.m, "kg", "Mass of the point")?;
        let frame = c.frame("frame_a");
        c.body(frame, mass, zero(), Matrix::zeros());
        translation(c, frame);
        Ok(())
    }
}
