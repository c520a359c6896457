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

/// Declares the methods that set the start values and preferences of the relative states of a
/// component, kept in its field `relative`.
macro_rules! relative_states {
    (rotational $Component:ident) => {
        $crate::interfaces::compliant::relative_states! {
            $Component, phi_rel "angle in rad", w_rel "angular velocity in rad/s", phi_nominal
        }
    };
    (translational $Component:ident) => {
        $crate::interfaces::compliant::relative_states! {
            $Component, s_rel "distance in m", v_rel "velocity in m/s", s_nominal
        }
    };
    ($Component:ident, $position:ident $p:literal, $speed:ident $s:literal, $nominal:ident) => {
        impl $Component {
            #[doc = concat!("Start value of the relative ", $p, ".")]
            #[must_use]
            pub fn $position(mut self, $position: $crate::start::Start) -> Self {
                self.relative.starts.position = $position;
                self
            }

            #[doc = concat!("Start value of the relative ", $s, ".")]
            #[must_use]
            pub fn $speed(mut self, $speed: $crate::start::Start) -> Self {
                self.relative.starts.speed = $speed;
                self
            }

            #[doc = concat!("Nominal value of the relative ", $p, ", which scales its error.")]
            #[must_use]
            pub fn $nominal(mut self, $nominal: f64) -> Self {
                self.relative.nominal = $nominal;
                self
            }

            #[doc = concat!("Preference of `", stringify!($position), "` and its rate as states.")]
            #[must_use]
            pub fn states(mut self, states: $crate::start::StateSelect) -> Self {
                self.relative.select = states;
                self
            }
        }
    };
}
pub(crate) use relative_states;

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

impl Default for RelativeStates {
    fn default() -> Self {
        let (starts, select) = (Starts::default(), StateSelect::Prefer);
        RelativeStates { starts, nominal: 1e-4, select }
    }
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
            let word = &self.domain.flow;
            e.variable(word.local, flow).unit(word.unit);
            if let Some(loss) = loss_power {
                e.set_loss(self.heat_port, loss);
            }
            Ok(())
        });
    }
}

/// A linear spring and damper in parallel: the flow is `c (position - unstretched) + d speed`.
#[derive(Clone, Copy, Debug)]
pub struct SpringDamper {
    /// Stiffness in N.m/rad or N/m.
    pub c: Ex,
    /// Damping in N.m.s/rad or N.s/m; `None` for an element that cannot lose power.
    pub d: Option<Ex>,
    /// Relative position without load, in rad or m.
    pub unstretched: Ex,
}

impl SpringDamper {
    /// States the law of the element.
    pub fn act(self, c: &mut Contribution<'_>, element: Compliant) {
        let SpringDamper { c: stiffness, d, unstretched } = self;
        if d.is_some_and(|d| !d.is_constant_zero()) {
            c.damped(element.position);
        }
        element.law(c, move |_, relative| {
            let stretch = relative.q - unstretched;
            let damper = d.map(|d| d * relative.v);
            Compliance {
                flow: stiffness * stretch + damper.unwrap_or_else(Ex::zero),
                energy: stiffness * stretch.square() * 0.5,
                loss_power: damper.map(|damper| damper * relative.v),
            }
        });
    }
}
