//! Settings and variables of all contacts: restitution, friction, closed contacts.

use mechanics::declaration::{group, prelude::*};
use mechanics::scene::{BODY_COLOR, Shape};
use mechanics::statements::contact::{ContactFriction, ContactLaw};
use mechanics::vector::zero;

group! {
    /// Law of a contact, at impacts and while it is closed.
    pub struct Collision(collision) {
        /// Coefficient of restitution: 0 is inelastic, 1 is elastic
        elasticity: Real["1", 0..=1] = 1,
        /// Coefficient of friction
        mu_r "mu_R": Real["1", >= 0, structural zero] = 0,
        /// Approach speed along the normal below which impacts become inelastic
        ///
        /// An impact is inelastic if its approach speed is below `v_small (1 - elasticity)`, so
        /// that bounces end before they are lower than the tolerance of a simulation. One hundredth
        /// of `v_small` is the sliding speed above which friction is opposite to the motion.
        v_small: Real["m/s", > 0] = 1e-2,
        /// Whether the contact can stay closed, so that it rests, slides and opens
        ///
        /// If not, it acts at impacts only, as in MultiBondLib. Ever lower bounces then stop the
        /// simulation with an error that names the contact.
        rests: bool = true,
        /// Whether the friction of an impact is delayed, as in MultiBondLib
        ///
        /// After half of `contact_duration`, a friction impulse acts against the whole relative
        /// velocity. After the whole duration, a correction acts if that impulse has reversed a
        /// component of the velocity. This requires `rests(false)`.
        delayed_friction: bool = false,
        /// Time from the impact to the correction of its friction
        contact_duration "contactDuration": Real["s", > 0, on demand, fixed] = 1e-9,
        /// Magnitude of VF below which the correction acts along the x axis of the world
        s_small: Real["m/s", > 0, on demand, fixed] = 1e-4,
    }
    ports {
        /// Frame of the first surface
        frame_a: Frame,
        /// Frame of the second surface
        frame_b: Frame,
    }
    variables {
        /// Distance between the surfaces
        gap: Real["m"],
        /// Derivative of the gap
        v_n: Real["m/s"],
        /// Number of impacts
        impacts: Integer,
        /// Impulse of the last impact along the normal
        impulse: Real["N.s"],
        /// Impulse of the last impact along the first tangent
        impulse_t1 "impulse_t[1]"?: Real["N.s"],
        /// Impulse of the last impact along the second tangent
        impulse_t2 "impulse_t[2]"?: Real["N.s"],
        /// True while the contact is kept closed
        closed?: Boolean,
        /// Gap at which the contact is kept closed
        gap_closed?: Real["m"],
        /// Force of the closed contact along the normal
        f_n?: Real["N"],
        /// Force of the closed contact on frame_a, resolved in the world
        f?: Vector["N"],
        /// Power that leaves the mechanics as heat
        loss_power "lossPower"?: Real["W"],
        /// Mode of friction of the closed contact: 0 sticks, 1 starts to slide, 2 slides
        mode?: Integer,
        /// Component along the first tangent: direction of sliding at the last event; in mode 1,
        /// friction at zero speed relative to its limit
        direction_1 "direction[1]"?: Real["1"],
        /// Component along the second tangent: direction of sliding at the last event; in mode 1,
        /// friction at zero speed relative to its limit
        direction_2 "direction[2]"?: Real["1"],
        /// Next stage of delayed friction: 1 impulse, 2 correction, 0 none
        stage?: Integer,
        /// Instant of the last impact
        impact_time "impactTime"?: Real["s"],
        /// Half of the velocity that the friction impulse reversed, resolved in the world
        vf "VF"?: Vector["m/s"],
    }
}

impl Collision {
    /// The law of the contact.
    pub fn law(self, c: &mut Contribution<'_>) -> Result<ContactLaw, Error> {
        let Collision { elasticity, v_small, rests, .. } = self;
        let (friction, drawn) = (self.friction(c)?, c.has_scene());
        Ok(ContactLaw { elasticity, friction, v_small, rests, drawn })
    }

    /// The arrow of the force on `frame_a`, unless the contact acts at impacts only.
    pub fn arrow(&self, c: &mut Contribution<'_>) {
        if self.rests {
            c.shape("frame_a", |nominal| Shape::force("f", nominal));
        }
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
            let why = "delayed friction acts at impacts only; it requires rests(false)";
            return Err(c.refuse("delayed_friction", why));
        }
        let [duration, small] = [self.contact_duration, self.s_small].map(|value| value.declare(c));
        Ok(ContactFriction::Delayed { mu, duration: duration?, small: small? })
    }
}

/// The sphere of a contact around the origin of a frame, with a radius in m.
pub(super) fn ball(c: &mut Contribution<'_>, frame: &'static str, radius: Ex) {
    c.shape(frame, |_| Shape::sphere(&zero(), radius * 2.0, BODY_COLOR));
}
