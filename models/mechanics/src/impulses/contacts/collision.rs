//! What all contacts have in common: restitution, friction, whether they stay closed.

use crate::compile::contact::{Friction, Law};
use crate::component::Contribution;
use crate::error::Error;
use crate::ports;
use equations::Limits;

ports! {
    /// Ports and variables of a contact.
    pub struct CollisionPorts {
        /// Frame of one surface.
        frame_a: frame,
        /// Frame of the other surface.
        frame_b: frame,
        /// Distance of the surfaces in m.
        gap: quantity,
        /// Rate of the gap in m/s.
        v_n: quantity,
        /// Whether the contact is kept closed.
        closed: quantity,
        /// Force of the closed contact in N.
        f_n: quantity,
        /// Power lost in the friction of the closed contact in W.
        loss_power: quantity = "lossPower",
        /// Number of impacts.
        impacts: quantity,
        /// Impulse of the last impact in N.s.
        impulse: quantity,
    }
}

/// Parameters of a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Collision {
    pub elasticity: f64,
    pub mu_r: f64,
    pub v_small: f64,
    pub rests: bool,
    pub staged_friction: bool,
    pub contact_duration: f64,
    pub s_small: f64,
}

impl Default for Collision {
    fn default() -> Self {
        Collision {
            elasticity: 1.0,
            mu_r: 0.0,
            v_small: 1e-2,
            rests: true,
            staged_friction: false,
            contact_duration: 1e-9,
            s_small: 1e-4,
        }
    }
}

impl Collision {
    /// Declares the parameters.
    pub fn declare(&self, c: &mut Contribution<'_>) -> Result<Law, Error> {
        let Collision { elasticity, mu_r, v_small, rests, staged_friction, .. } = *self;
        let text = "Coefficient of restitution: 0 inelastic, 1 elastic";
        let restitution = Limits::between(0.0, 1.0);
        let declared = c.limited("elasticity", elasticity, "1", text, restitution)?;
        let elasticity = declared.tunable().into();
        let mu = c.amount("mu_R", mu_r, "1", "Coefficient of friction")?;
        let text =
            "Approach along the normal below which a contact that is not elastic is inelastic";
        let v_small = c.positive("v_small", v_small, "m/s", text)?;
        let friction = if mu_r == 0.0 {
            Friction::None
        } else if staged_friction {
            let (duration, small) = (self.contact_duration, self.s_small);
            let text = "From the impact to the last stage of its friction";
            let duration = c.limited("contactDuration", duration, "s", text, Limits::POSITIVE)?;
            let duration = duration.into();
            let text = "Speed below which friction that has to be taken back has no direction";
            let small = c.limited("s_small", small, "m/s", text, Limits::POSITIVE)?.into();
            Friction::Staged { mu, duration, small }
        } else {
            Friction::Coulomb { mu }
        };
        if staged_friction && rests && mu_r != 0.0 {
            let why = "friction in stages acts at impacts only; it needs rests(false)";
            return Err(c.refuse("staged_friction", why));
        }
        Ok(Law { elasticity, friction, v_small, rests })
    }
}

/// The methods that set the parameters of a contact, kept in its field `collision`.
macro_rules! collision_setters {
    ($Component:ident) => {
        impl $Component {
            /// Coefficient of restitution from 0 (inelastic) to 1 (elastic, default).
            #[must_use]
            pub fn elasticity(mut self, elasticity: f64) -> Self {
                self.collision.elasticity = elasticity;
                self
            }

            /// Coefficient of friction, default 0. Zero is structure: then there is no friction.
            #[must_use]
            pub fn mu_r(mut self, mu_r: f64) -> Self {
                self.collision.mu_r = mu_r;
                self
            }

            /// Speed in m/s, default 0.01: an approach slower than `v_small (1 - elasticity)` is
            /// inelastic, so that bounces come to an end before they are lower than the tolerance
            /// of a simulation. A hundredth of it is the sliding speed from which friction is
            /// opposite to the motion.
            #[must_use]
            pub fn v_small(mut self, v_small: f64) -> Self {
                self.collision.v_small = v_small;
                self
            }

            /// Whether the contact can stay closed (default): resting, sliding and release. If not,
            /// it acts at impacts only, like that of the source. Bounces that get ever lower stop
            /// a simulation then, with the name of the contact.
            #[must_use]
            pub fn rests(mut self, rests: bool) -> Self {
                self.collision.rests = rests;
                self
            }

            /// Whether the friction of an impact acts as in the source, in stages: half of
            /// `contact_duration` after the impact as an impulse along the whole relative
            /// velocity, a whole one after it as a correction where that reversed a velocity.
            /// Needs `rests(false)`.
            #[must_use]
            pub fn staged_friction(mut self, staged_friction: bool) -> Self {
                self.collision.staged_friction = staged_friction;
                self
            }

            /// From an impact to the last stage of its friction in s, default 1e-9; counts for
            /// friction in stages only.
            #[must_use]
            pub fn contact_duration(mut self, contact_duration: f64) -> Self {
                self.collision.contact_duration = contact_duration;
                self
            }

            /// Speed in m/s, default 1e-4, below which a friction that has to be taken back has no
            /// direction of its own; counts for friction in stages only.
            #[must_use]
            pub fn s_small(mut self, s_small: f64) -> Self {
                self.collision.s_small = s_small;
                self
            }
        }
    };
}
pub(super) use collision_setters;
