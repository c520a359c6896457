//! Two spheres that hit each other.

use super::collision::{Collision, CollisionPorts, collision_setters};
use crate::compile::contact::Geometry;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::vector::{norm, scale};
use equations::{Ex, Limits};

/// Contact between two spheres.
///
/// # Equations
/// The frames are in the centres. `gap = |frame_a.r_0 - frame_b.r_0| - ra - rb`; the normal is the
/// line between the centres. At an impact `v_n+ = -elasticity v_n-`, and the friction impulse
/// across it is at most `mu_R` times the one along it: it stops the sliding or is opposite to it. A
/// closed contact keeps its gap with a force `f_n >= 0`; it sticks with a friction force of at most
/// `mu_R f_n` or slides against one of this size.
///
/// # Variables
/// `ra`, `rb` in m, default 1; `elasticity`, `mu_R` without unit, `v_small` in m/s; with friction
/// in stages `contactDuration` in s, `s_small` in m/s. `gap` in m, `v_n` in m/s, `closed`, `f_n` in
/// N, with friction also `f` in N, `mode` and `lossPower` in W; `impacts`, `impulse` in N.s (and
/// along tangents `impulse_t`): how many impacts there were, and what the last one was.
///
/// # Events
/// The impact; a closed contact opens, breaks loose, sticks.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Contacts.CollisionSphereSphere, which has no closed contact
/// and another friction: see `rests` and `staged_friction`.
#[derive(Clone, Debug)]
pub struct CollisionSphereSphere {
    radii: [f64; 2],
    collision: Collision,
}

impl Default for CollisionSphereSphere {
    fn default() -> Self {
        CollisionSphereSphere::radii(1.0, 1.0)
    }
}

impl CollisionSphereSphere {
    /// Of spheres with the radii `ra` and `rb` in m.
    pub fn radii(ra: f64, rb: f64) -> Self {
        CollisionSphereSphere { radii: [ra, rb], collision: Collision::default() }
    }
}

collision_setters!(CollisionSphereSphere);

impl OldComponent for CollisionSphereSphere {
    type Ports = CollisionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let ends = [c.frame("frame_a"), c.frame("frame_b")];
        let mut radius = |name: &str, value: f64| -> Result<Ex, Error> {
            let text = "Radius of the sphere";
            Ok(c.limited(name, value, "m", text, Limits::NOT_NEGATIVE)?.into())
        };
        let (ra, rb) = (radius("ra", self.radii[0])?, radius("rb", self.radii[1])?);
        let law = self.collision.declare(c)?;
        c.contact(ends, law, move |[a, b]| {
            let between = a.r - b.r;
            let distance = norm(&between);
            let normal = scale(&between, 1.0 / distance);
            let of_a = scale(&normal, -ra);
            let arms = [of_a, between + of_a];
            Geometry { gap: distance - ra - rb, normal, arms }
        });
        Ok(())
    }
}
