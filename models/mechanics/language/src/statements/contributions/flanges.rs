//! Contributions along flanges: flange constraints, prescribed motions, inertias.

use super::start_variable::StartVariable;
use crate::domain::Domain;
use crate::error::Error;
use crate::ids::{
    ComponentId, CoordinateId, FlangeConstraintId, FlangeId, FlangeNode, List, PrescribedMotionId,
};
use crate::port::PortId;
use crate::start::StateSelect;
use crate::statements::laws::signal_view::{Signal, SignalView};
use crate::statements::motion::ends::FlangeEnd;
use equations::Ex;

/// A linear relation between flange positions.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct FlangeConstraint {
    /// The component that states it.
    pub component: ComponentId,
    /// Flanges and coefficients; none, and no coordinate, where the flange constraint stands for a
    /// residual of a `Constraint`.
    pub ends: Vec<(FlangeEnd, Ex)>,
    /// A coordinate that is subtracted.
    pub coordinate: Option<CoordinateId>,
    /// Right-hand side in rad or m.
    pub rhs: Ex,
    /// The prescribed motion that is added to the right-hand side.
    pub prescribed: Option<PrescribedMotionId>,
    /// Whether its multiplier is requested.
    pub reaction: bool,
    /// The flange constraint of the housing in which this constraint holds. A violation of the
    /// housing's constraint violates this constraint too.
    pub housing: Option<FlangeConstraintId>,
    /// The error if it counts, because its housing is not known.
    pub refusal: Option<Error>,
    /// Whether it counts only where nothing else determines its positions.
    pub optional: bool,
}

/// Several signals of one component.
pub type Signals<const N: usize> = Box<dyn FnOnce(&mut SignalView<'_>) -> Result<[Ex; N], Error>>;

/// An acceleration as a function of position and speed.
pub type PrescribedAcceleration = Box<dyn FnOnce(&mut SignalView<'_>, Ex, Ex) -> Result<Ex, Error>>;

/// The law of a prescribed motion.
pub enum MotionLaw {
    /// The position is a signal; speed and acceleration are its derivatives.
    Position(Signal),
    /// Position and speed are two signals; the acceleration is the speed's derivative.
    PositionAndSpeed(Signals<2>),
    /// Position, speed and acceleration are three signals.
    Motion(Signals<3>),
    /// The position is a state, its speed a signal; the acceleration is the signal's derivative.
    Speed {
        /// The state.
        position: StartVariable,
        /// The speed.
        speed: Signal,
    },
    /// Position and speed are states, the acceleration is a signal.
    Acceleration {
        /// The position.
        position: StartVariable,
        /// The speed.
        speed: StartVariable,
        /// Initial values of position and speed, if they follow from signals.
        initial: [Option<Signal>; 2],
        /// The acceleration, as a function of position and speed.
        acceleration: PrescribedAcceleration,
    },
}

/// A prescribed motion of flanges.
#[doc(hidden)]
pub struct PrescribedMotion {
    /// The component that states it.
    pub component: ComponentId,
    /// Its law.
    pub law: MotionLaw,
}

/// The states of a prescribed motion.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct PrescribedMotionStates {
    /// The component that states it.
    pub component: ComponentId,
    /// The position, if it is a state.
    pub position: Option<StartVariable>,
    /// The speed, if it is a state.
    pub speed: Option<StartVariable>,
}

impl PrescribedMotion {
    /// Its states.
    pub fn states(&self) -> PrescribedMotionStates {
        let (position, speed) = match &self.law {
            MotionLaw::Position(_) | MotionLaw::PositionAndSpeed(_) | MotionLaw::Motion(_) => {
                (None, None)
            }
            MotionLaw::Speed { position, .. } => (Some(position.clone()), None),
            MotionLaw::Acceleration { position, speed, .. } => {
                (Some(position.clone()), Some(speed.clone()))
            }
        };
        PrescribedMotionStates { component: self.component, position, speed }
    }
}

/// A moment of inertia in kg.m2, or a mass in kg, on a flange.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Inertial {
    /// The flange.
    pub end: FlangeEnd,
    /// The moment of inertia.
    pub inertia: Ex,
}

/// A position between two flanges (or against zero) with its speed.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct RelativeFlangeMotion {
    /// The component that states it.
    pub component: ComponentId,
    /// Where it is measured from.
    pub a: Option<FlangeEnd>,
    /// Where it is measured to.
    pub b: FlangeEnd,
    /// The position.
    pub position: StartVariable,
    /// Its derivative.
    pub speed: StartVariable,
    /// Preference as a state.
    pub select: StateSelect,
    /// Whether the torque between the flanges depends on the speed without a jump, so that it
    /// determines the speed of a flange without inertia.
    pub damped: bool,
}

/// A flange of a component, with its connection set and the names of its variables.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct FlangePort {
    /// The connection set it belongs to.
    pub node: FlangeNode,
    /// Component and port; a port without name is a hidden housing.
    pub port: PortId,
    /// Rotation or translation.
    pub domain: &'static Domain,
}

/// All contributions along flanges.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Flanges {
    /// All flanges.
    pub ends: List<FlangeId, FlangePort>,
    /// Flange constraints.
    pub constraints: List<FlangeConstraintId, FlangeConstraint>,
    /// Prescribed motions.
    pub prescribed_motions: List<PrescribedMotionId, PrescribedMotionStates>,
    /// Inertias on flanges.
    pub inertias: Vec<Inertial>,
    /// Positions with start values.
    pub relatives: Vec<RelativeFlangeMotion>,
}
