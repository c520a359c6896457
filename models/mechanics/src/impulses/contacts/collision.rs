//! What all contacts have in common: restitution, friction, whether they stay closed.

use crate::compile::contact::{ContactFriction, ContactLaw};
use crate::declaration::{group, prelude::*};

group! {
    /// What happens at the impacts of a contact and while it is closed.
    pub struct Collision(collision) {
        /// Coefficient of restitution: 0 inelastic, 1 elastic
        elasticity: Real["1", 0..=1] = 1,
        /// Coefficient of friction
        mu_r "mu_R": Amount["1"] = 0,
        /// Approach along the normal below which a contact that is not elastic is inelastic
        ///
        /// An approach slower than `v_small (1 - elasticity)` is inelastic, so that bounces come to
        /// an end before they are lower than the tolerance of a simulation. A hundredth of it is
        /// the sliding speed from which friction is opposite to the motion.
        v_small: Real["m/s", > 0] = 1e-2,
        /// Whether the contact can stay closed: resting, sliding and release
        ///
        /// If not, it acts at impacts only, like that of the source. Bounces that get ever lower
        /// stop a simulation then, with the name of the contact.
        rests: bool = true,
        /// Whether the friction of an impact acts in stages, as in the source
        ///
        /// Half of `contact_duration` after the impact it is an impulse along the whole relative
        /// velocity, a whole one after it a correction where that reversed a velocity. Needs
        /// `rests(false)`.
        delayed_friction: bool = false,
        /// Time from the impact to the last stage of its friction
        contact_duration "contactDuration": OnDemand<Real>["s", > 0, fixed] = 1e-9,
        /// Speed below which friction that has to be taken back has no direction
        s_small: OnDemand<Real>["m/s", > 0, fixed] = 1e-4,
    }
    ports {
        /// Frame of one surface
        frame_a: Frame,
        /// Frame of the other surface
        frame_b: Frame,
    }
    variables {
        /// Distance between the surfaces
        gap: Real["m"],
        /// Rate of the gap
        v_n: Real["m/s"],
        /// Number of impacts
        impacts: Integer,
        /// Impulse of the last impact along the normal
        impulse: Real["N.s"],
        /// Impulse of the last impact along the first tangent
        impulse_t1 "impulse_t[1]": Real["N.s"],
        /// Impulse of the last impact along the second tangent
        impulse_t2 "impulse_t[2]": Real["N.s"],
        /// True while the contact is kept closed
        closed: Boolean,
        /// Gap at which the contact is kept closed
        gap_closed: Real["m"],
        /// Force of the closed contact along the normal
        f_n: Real["N"],
        /// Force of the closed contact on frame_a, resolved in world frame
        f: Vector["N"],
        /// Power that leaves the mechanics as heat
        loss_power "lossPower": Real["W"],
        /// Mode of friction while closed: 0 sticks, 1 starts to slide, 2 slides
        mode: Integer,
        /// Along the first tangent: direction of sliding at the last event; where it starts to
        /// slide, friction without speed as a share of all friction
        direction_1 "direction[1]": Real["1"],
        /// Along the second tangent: direction of sliding at the last event; where it starts to
        /// slide, friction without speed as a share of all friction
        direction_2 "direction[2]": Real["1"],
        /// Stage of friction that comes next: 1 impulse, 2 correction, 0 none
        stage: Integer,
        /// Instant of the last impact
        impact_time "impactTime": Real["s"],
        /// Half of the velocity that friction reversed, resolved in world frame
        vf "VF": Vector["m/s"],
    }
}

impl Collision {
    /// The law of the contact.
    pub fn law(self, c: &mut Contribution<'_>) -> Result<ContactLaw, Error> {
        let Collision { elasticity, v_small, rests, .. } = self;
        Ok(ContactLaw { elasticity, friction: self.friction(c)?, v_small, rests })
    }

    fn friction(&self, c: &mut Contribution<'_>) -> Result<ContactFriction, Error> {
        let mu = self.mu_r;
        if mu.is_constant_zero() {
            return Ok(ContactFriction::None);
        }
        if !self.delayed_friction {
            return Ok(ContactFriction::Coulomb { mu });
        }
        if self.rests {
            let why = "friction in stages acts at impacts only; it needs rests(false)";
            return Err(c.refuse("delayed_friction", why));
        }
        let [duration, small] = [self.contact_duration, self.s_small].map(|value| value.declare(c));
        Ok(ContactFriction::Delayed { mu, duration: duration?, small: small? })
    }
}
