//! Contributions to the initial system: conditions, unknown parameters and unknown states.

use crate::ids::{ComponentId, CoordinateId};
use crate::statements::laws::acceleration_view::AccelerationSignal;
use crate::statements::laws::signal_view::Signal;
use crate::statements::motion::ends::FlangeEnd;
use equations::Ex;

/// A flange or a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlangeOrCoordinate {
    /// A flange.
    Flange(FlangeEnd),
    /// A coordinate.
    Coordinate(CoordinateId),
}

/// An initial condition that a signal gives.
pub struct Condition {
    /// The component that states it.
    pub component: ComponentId,
    /// The flange or the coordinate whose motion it restricts.
    pub subject: FlangeOrCoordinate,
    /// 0: position, 1: speed, 2: acceleration.
    pub order: usize,
    /// The value.
    pub value: Signal,
    /// The signal that has this value, once accelerations are known; `None` for the acceleration of
    /// the subject.
    pub measured: Option<AccelerationSignal>,
}

/// A parameter that the initial system determines.
#[derive(Clone, Debug)]
pub struct UnknownParameter {
    /// Its full name.
    pub name: String,
    /// Its value during the simulation.
    pub parameter: Ex,
    /// Its placeholder in the initial system.
    pub symbol: Ex,
    /// Where the search for its value begins.
    pub guess: f64,
}

/// A state of a block whose initial value the initial system determines.
pub struct UnknownState {
    /// Its full name.
    pub name: String,
    /// The state.
    pub state: Ex,
    /// The placeholder of its initial value.
    pub symbol: Ex,
    /// Where the search for the initial value begins.
    pub guess: Ex,
    /// The condition on it.
    pub condition: StateCondition,
}

/// A value that vanishes at the start; the start values that are free make it so.
pub struct InitialEquation {
    /// The component that states it.
    pub component: ComponentId,
    /// Its name in messages.
    pub name: String,
    /// The value.
    pub residual: Signal,
}

/// The initial conditions of blocks.
#[derive(Default)]
pub struct OfBlocks {
    /// States whose initial values the initial system determines.
    pub states: Vec<UnknownState>,
    /// Values that vanish at the start.
    pub equations: Vec<InitialEquation>,
}

impl OfBlocks {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty() && self.equations.is_empty()
    }
}

/// The condition on a state of a block at the start.
pub enum StateCondition {
    /// Its derivative vanishes.
    SteadyState,
    /// It has this value, at which its derivative vanishes.
    SteadyValue(Signal),
    /// This residual vanishes.
    Equation(Signal),
    /// None of its own: other conditions may determine it.
    Open {
        /// Whether its start value is a given guess.
        given: bool,
    },
}
