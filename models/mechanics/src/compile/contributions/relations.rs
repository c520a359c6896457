//! What components contribute along flanges: relations of positions, prescribed motions, inertias.

use super::{Candidate, FlangeEnd, Signal};
use crate::compile::laws::evaluation::Evaluation;
use crate::error::Error;
use crate::start::StateSelect;
use equations::Ex;

/// A linear relation between flange positions.
#[derive(Clone, Debug)]
pub struct LinearRelation {
    /// The component that states it.
    pub component: usize,
    /// Flanges and coefficients; none, and no coordinate, where the relation stands for a residual
    /// of a `Constraint`.
    pub ends: Vec<(FlangeEnd, Ex)>,
    /// A coordinate that is subtracted: an index into
    /// [`Structure::coordinates`](super::Structure::coordinates).
    pub coordinate: Option<usize>,
    /// Right-hand side in rad or m.
    pub rhs: Ex,
    /// The prescribed motion that is added to the right-hand side: an index into
    /// [`Structure::drives`](super::Structure::drives).
    pub drive: Option<usize>,
    /// Whether its multiplier is asked for.
    pub reaction: bool,
    /// Whether it counts only where nothing else determines its positions.
    pub optional: bool,
}

/// Several signals of one component.
pub type Signals<const N: usize> = Box<dyn FnOnce(&mut Evaluation<'_>) -> Result<[Ex; N], Error>>;

/// An acceleration as a function of position and speed.
pub type AccelerationLaw = Box<dyn FnOnce(&mut Evaluation<'_>, Ex, Ex) -> Result<Ex, Error>>;

/// How the motion of a drive is given.
pub enum Prescribed {
    /// The position is a signal; speed and acceleration are its derivatives.
    Position(Signal),
    /// Position and speed are two signals; the acceleration is the speed's derivative.
    PositionAndSpeed(Signals<2>),
    /// Position, speed and acceleration are three signals.
    Motion(Signals<3>),
    /// The position is a state, its speed a signal; the acceleration is the signal's derivative.
    Speed {
        /// The state.
        position: Candidate,
        /// The speed.
        speed: Signal,
    },
    /// Position and speed are states, the acceleration is a signal.
    Acceleration {
        /// The position.
        position: Candidate,
        /// The speed.
        speed: Candidate,
        /// Initial values of position and speed, if they follow from signals.
        initial: [Option<Signal>; 2],
        /// The acceleration, as a function of position and speed.
        acceleration: AccelerationLaw,
    },
}

/// A prescribed motion.
pub struct Drive {
    /// The component that states it.
    pub component: usize,
    /// The motion.
    pub prescribed: Prescribed,
}

/// A moment of inertia in kg.m2, or a mass in kg, on a flange.
#[derive(Clone, Debug)]
pub struct Inertial {
    /// The flange.
    pub end: FlangeEnd,
    /// The moment of inertia.
    pub inertia: Ex,
}

/// A position between two flanges (or against zero) with its speed.
#[derive(Clone, Debug)]
pub struct Relative {
    /// The component that states it.
    pub component: usize,
    /// Where it is measured from.
    pub a: Option<FlangeEnd>,
    /// Where it is measured to.
    pub b: FlangeEnd,
    /// The position.
    pub position: Candidate,
    /// Its derivative.
    pub speed: Candidate,
    /// Preference as a state.
    pub select: StateSelect,
    /// Whether the torque between the flanges depends on the speed without a jump, so that it
    /// determines the speed of a flange without inertia.
    pub damped: bool,
}
