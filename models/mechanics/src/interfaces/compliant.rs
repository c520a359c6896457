//! Elements between two flanges whose torque (or force) depends on the relative motion.

use crate::compile::coordinates::Motion;
use crate::compile::evaluation::Evaluation;
use crate::compile::structure::{FlangeEnd, HeatEnd};
use crate::component::{Contribution, Position, Starts};
use crate::domain::Domain;
use crate::expand::two_domains;
use crate::start::StateSelect;
use equations::Ex;

/// Start values and preferences of the relative position and speed of two flanges.
#[derive(Clone, Copy, Debug)]
pub struct RelativeStates {
    /// Start values.
    pub starts: Starts,
    /// Nominal value of the relative position, for error control, in rad or m.
    pub nominal: f64,
    /// Preference as states.
    pub select: StateSelect,
}

impl Default for RelativeStates {
    /// Preferred as states, so that the torque of a stiff element is not the difference of two
    /// large angles; nominal value 1e-4.
    fn default() -> Self {
        let (starts, select) = (Starts::default(), StateSelect::Prefer);
        RelativeStates { starts, nominal: 1e-4, select }
    }
}

/// What the elements between two flanges declare.
#[two_domains]
pub mod rotational {
    use super::RelativeStates as Either;
    use crate::component::Starts;
    use crate::declaration::{group, prelude::*};

    group! {
        /// The relative motion of two flanges. It is preferred as states, so that the torque of a
        /// stiff element is not the difference of two large numbers.
        pub struct RelativeStates(relative_states) {
            /// Start value of the relative angle
            phi_rel: Start["rad"] = free(),
            /// Start value of the relative angular velocity
            w_rel: Start["rad/s"] = free(),
            /// Nominal value of the relative angle, which scales its error
            phi_nominal: Structural["rad", > 0] = 1e-4,
            /// Preference of `phi_rel` and `w_rel` as states
            states: StateSelect = Prefer,
        }
        ports {
            /// Left flange
            flange_a: Flange,
            /// Right flange
            flange_b: Flange,
        }
        variables {
            /// Relative rotation angle
            phi_rel: Real["rad"],
            /// Relative angular velocity
            w_rel: Real["rad/s"],
            /// Relative angular acceleration
            a_rel: Real["rad/s2"],
            /// Torque between the flanges
            tau: Real["N.m"],
        }
    }

    impl From<RelativeStates> for Either {
        fn from(RelativeStates { phi_rel, w_rel, phi_nominal, states }: RelativeStates) -> Self {
            let starts = Starts { position: phi_rel, speed: w_rel };
            Either { starts, nominal: phi_nominal, select: states }
        }
    }
}

/// What a compliant element does at a relative motion.
#[derive(Clone, Copy, Debug)]
pub struct Compliance {
    /// Torque (or force) that flows into the element at `flange_b`, in N.m or N.
    pub flow: Ex,
    /// Energy stored in the element, in J.
    pub energy: Ex,
    /// Power lost in the element, in W; `None` if it cannot lose any.
    pub loss_power: Option<Ex>,
}

/// A compliant element between `flange_a` and `flange_b`.
#[derive(Clone, Copy, Debug)]
pub struct Compliant {
    /// The left flange.
    pub a: FlangeEnd,
    /// The right flange.
    pub b: FlangeEnd,
    /// The relative position.
    pub position: Position,
    domain: &'static Domain,
    heat_port: Option<HeatEnd>,
}

impl Compliant {
    /// Declares flanges, relative position and speed, and the heat port.
    pub fn new(
        c: &mut Contribution<'_>,
        domain: &'static Domain,
        states: impl Into<RelativeStates>,
    ) -> Self {
        let (a, b) = super::two_flanges(c, domain);
        let RelativeStates { starts, nominal, select } = states.into();
        let position = c.relative_position(domain, (a, b), starts, nominal, select);
        Compliant { a, b, position, domain, heat_port: c.heat_port("heatPort") }
    }

    /// With a damping, which is structure if it is zero: without it a flange without inertia has a
    /// static position.
    pub fn damped(self, c: &mut Contribution<'_>, d: Ex) -> Self {
        if !d.is_constant_zero() {
            c.damped(self.position);
        }
        self
    }

    /// States the law; its torque (or force) and its loss become variables.
    pub fn law(
        self,
        c: &mut Contribution<'_>,
        law: impl FnOnce(&mut Evaluation<'_>, &Motion) -> Compliance + 'static,
    ) {
        c.law(move |e| {
            let relative = e.relative(self.a, self.b);
            let Compliance { flow, energy, loss_power } = law(e, &relative);
            e.set_flow_between(self.a, self.b, flow);
            e.add_potential(energy);
            e.variable(self.domain.flow.local, flow);
            if let Some(loss) = loss_power {
                e.set_loss(self.heat_port, loss);
            }
            Ok(())
        });
    }
}
