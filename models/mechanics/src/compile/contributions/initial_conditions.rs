//! What components contribute to the initial system: conditions, unknown parameters, steady states.

use crate::compile::ids::{ComponentId, CoordinateId};
use crate::compile::laws::acceleration_view::AccelerationSignal;
use crate::compile::laws::signal_view::Signal;
use crate::compile::motion::ends::FlangeEnd;
use equations::Ex;

/// What has a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A flange.
    Flange(FlangeEnd),
    /// A coordinate.
    Coordinate(CoordinateId),
}

/// An initial condition that a signal gives.
pub struct Condition {
    /// The component that states it.
    pub component: ComponentId,
    /// What it speaks of.
    pub subject: Subject,
    /// 0: position, 1: speed, 2: acceleration.
    pub order: usize,
    /// The value.
    pub value: Signal,
    /// What has this value, once accelerations are known; if it is not the acceleration of the
    /// subject itself.
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
    /// What the initial value is.
    pub condition: StateCondition,
}

/// Where a state of a block begins.
pub enum StateCondition {
    /// Where its derivative vanishes.
    SteadyState,
    /// At this value, where it rests.
    SteadyValue(Signal),
    /// Wherever other conditions want it; whether its start value is a guess that somebody gave.
    Open {
        /// True for a guess, false if it is free.
        given: bool,
    },
}
