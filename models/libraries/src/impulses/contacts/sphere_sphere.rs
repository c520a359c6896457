//! Two spheres that collide.

use super::collision::{Collision, ball, collision};
use mechanics::declaration::prelude::*;
use mechanics::statements::contact::Geometry;
use mechanics::vector::{norm, scale};

component! {
    /// Contact between two spheres.
    ///
    /// It lets two balls collide, as in Newton's cradle.
    ///
    /// # Equations
    /// The frames are at the centres. `gap = |frame_a.r_0 - frame_b.r_0| - ra - rb`, and the normal
    /// is along the line between the centres. At an impact `v_n+ = -elasticity v_n-`, and the
    /// tangential friction impulse is at most `mu_R` times the normal impulse: it either stops the
    /// sliding or is opposite to it. A closed contact keeps its gap with a force `f_n >= 0`. It
    /// sticks with a friction force of at most `mu_R f_n`, or it slides with a friction force of
    /// this magnitude against the motion.
    ///
    /// MultiBondLib has no closed contact and a different friction: see `rests` and
    /// `delayed_friction`.
    ///
    /// # Events
    /// The impact; a closed contact opens, starts to slide or sticks.
    pub struct CollisionSphereSphere
        = "MultiBondLib.Mechanics3DwithImpulses.Contacts.CollisionSphereSphere"
    {
        /// Radius of the sphere at frame_a
        ra: Real["m", >= 0, fixed] = 1,
        /// Radius of the sphere at frame_b
        rb: Real["m", >= 0, fixed] = 1,
        ..collision: collision,
    }
}

impl Component for CollisionSphereSphere {
    fn contribute(
        p: CollisionSphereSphereParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        let ends = [c.frame("frame_a"), c.frame("frame_b")];
        ball(c, "frame_a", p.ra);
        ball(c, "frame_b", p.rb);
        p.collision.arrow(c);
        let law = p.collision.law(c)?;
        c.contact(ends, law, move |[a, b]| {
            let between = a.r - b.r;
            let distance = norm(&between);
            let normal = scale(&between, 1.0 / distance);
            let of_a = scale(&normal, -p.ra);
            let arms = [of_a, between + of_a];
            Geometry { gap: distance - p.ra - p.rb, normal, arms }
        });
        Ok(())
    }
}
