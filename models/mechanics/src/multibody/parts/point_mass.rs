//! A point mass.

use super::body::translation;
use super::free::Free;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use crate::scene::Shape;
use crate::start::Start;
use crate::vector::{Matrix, zero};

/// Rigid body without extension: it has a mass, and no moments of inertia.
///
/// # Equations
/// `frame_a.f = m R (a_0 - g(r_0))`, `frame_a.t = 0`.
///
/// # Variables
/// `m` in kg; `r_0` in m, `v_0` in m/s, `a_0` in m/s2 of `frame_a` in world axes. If nothing
/// else holds the mass, `r_0` and `v_0` are states and the frame has the axes of the world.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.PointMass.
#[derive(Clone, Debug)]
pub struct PointMass {
    m: f64,
    free: Free,
}

ports! {
    /// Ports and variables of a [`PointMass`].
    pub struct PointMassPorts {
        /// The frame at whose origin the mass is.
        frame_a: frame,
        /// Position of `frame_a` in m, in world axes.
        r_0: vector,
        /// Velocity of `frame_a` in m/s, in world axes.
        v_0: vector,
        /// Acceleration of `frame_a` in m/s2, in world axes.
        a_0: vector,
    }
}

impl PointMass {
    /// Of mass `m` in kg.
    pub fn m(m: f64) -> Self {
        PointMass { m, free: Free::default() }
    }

    /// Start value of the position in m, resolved in the world frame.
    #[must_use]
    pub fn r_0(mut self, r_0: [Start; 3]) -> Self {
        self.free.r_0 = r_0;
        self
    }

    /// Start value of the velocity in m/s, resolved in the world frame.
    #[must_use]
    pub fn v_0(mut self, v_0: [Start; 3]) -> Self {
        self.free.v_0 = v_0;
        self
    }
}

impl OldComponent for PointMass {
    type Ports = PointMassPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let mass = c.amount("m", self.m, "kg", "Mass of the point")?;
        let frame = c.frame("frame_a");
        c.body(frame, mass, zero(), Matrix::zeros());
        c.shape("frame_a", |nominal| Shape::body_sphere(&zero(), nominal));
        self.free.join_point(c, frame)?;
        translation(c, frame);
        Ok(())
    }
}
