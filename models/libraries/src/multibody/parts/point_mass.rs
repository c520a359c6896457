//! A point mass.

use super::body::{publish_translation, translation};
use super::free::join_point;
use mechanics::declaration::prelude::*;
use mechanics::scene::Shape;
use mechanics::vector::{Matrix, zero};

component! {
    /// Point mass: a rigid body without moments of inertia.
    ///
    /// It is a load on a rope, or a small body whose rotation does not matter.
    ///
    /// # Equations
    /// `frame_a.f = m R (a_0 - g(r_0))`, `frame_a.t = 0`.
    ///
    /// If nothing else connects the mass to the world, `r_0` and `v_0` are states, and the frame
    /// has the orientation of the world.
    pub struct PointMass = "Modelica.Mechanics.MultiBody.Parts.PointMass" {
        /// Mass of the point mass
        m: Real["kg", >= 0, structural zero],
        /// Start value of the position of frame_a, resolved in world frame
        r_0: [Start; 3]["m"] = [free(); 3],
        /// Start value of the velocity of frame_a, resolved in world frame
        v_0: [Start; 3]["m/s"] = [free(); 3],
        ..translation,
    }
    ports {
        /// Frame whose origin is at the mass
        frame_a: Frame,
    }
}

impl Component for PointMass {
    fn contribute(p: PointMassParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_a");
        c.body(frame, p.m, zero(), Matrix::zeros());
        c.shape("frame_a", |nominal| Shape::body_sphere(&zero(), nominal));
        join_point(c, frame, [p.r_0, p.v_0]);
        publish_translation(c, frame);
        Ok(())
    }
}
