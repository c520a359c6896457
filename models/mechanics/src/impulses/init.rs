//! Which start values of a joint are initial conditions, and what impulses do to its speeds.

use crate::component::{Contribution, CoordinateId};
use crate::error::Error;
use crate::start::{Start, StateSelect, fixed, free, guess};
use equations::Ex;

/// Which start values of a joint are initial conditions; the others are guesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InitType {
    /// None.
    #[default]
    Free,
    /// The position.
    Position,
    /// The position and the velocity.
    PositionVelocity,
    /// All. The acceleration determines a parameter given as [`unknown`](crate::start::unknown).
    PositionVelocityAcceleration,
    /// The velocity.
    Velocity,
    /// The velocity and the acceleration, which determines the position.
    VelocityAcceleration,
    /// Velocity and acceleration are zero, which determines the position.
    SteadyState,
}

/// A start value that is no initial condition: a guess, if somebody gave it.
fn near(value: Option<f64>) -> Start {
    value.map_or_else(free, guess)
}

/// An initial condition, zero unless somebody gave a value.
fn held(value: Option<f64>) -> Start {
    fixed(value.unwrap_or_default())
}

impl InitType {
    /// Position, velocity and acceleration at the start, from those that somebody gave.
    pub(super) fn starts(self, [q, v, a]: [Option<f64>; 3]) -> [Start; 3] {
        match self {
            InitType::Free => [near(q), near(v), near(a)],
            InitType::Position => [held(q), near(v), near(a)],
            InitType::PositionVelocity => [held(q), held(v), near(a)],
            InitType::PositionVelocityAcceleration => [held(q), held(v), held(a)],
            InitType::Velocity => [near(q), held(v), near(a)],
            InitType::VelocityAcceleration => [near(q), held(v), held(a)],
            InitType::SteadyState => [near(q), fixed(0.0), fixed(0.0)],
        }
    }

    /// The same for each element of vectors; gives positions, velocities and accelerations.
    pub(super) fn vectors(self, values: [Option<[f64; 3]>; 3]) -> [[Start; 3]; 3] {
        let element = |k: usize| values.map(|vector| vector.map(|vector| vector[k]));
        let elements = [0, 1, 2].map(|k| self.starts(element(k)));
        [0, 1, 2].map(|order| elements.map(|starts| starts[order]))
    }
}

/// Names and units of a start position, velocity and acceleration.
pub(super) type Names = [(&'static str, &'static str); 3];

/// Those of an angle.
pub(super) const ANGULAR: Names =
    [("phi_start", "deg"), ("w_start", "deg/s"), ("z_start", "deg/s2")];

/// Refuses vectors of start values that are not finite.
pub(super) fn check_vectors(
    c: &Contribution<'_>,
    names: Names,
    values: [Option<[f64; 3]>; 3],
) -> Result<(), Error> {
    for ((local, unit), vector) in names.into_iter().zip(values) {
        for (k, value) in vector.into_iter().flatten().enumerate() {
            c.finite(&format!("{local}[{}]", k + 1), value, unit)?;
        }
    }
    Ok(())
}

/// Refuses start values that are not finite.
pub(super) fn check(
    c: &Contribution<'_>,
    names: Names,
    values: [Option<f64>; 3],
) -> Result<(), Error> {
    let mut all = names.into_iter().zip(values);
    all.try_for_each(|((local, unit), value)| {
        value.map_or(Ok(()), |value| c.finite(local, value, unit))
    })
}

/// How much further a joint is turned (or slid) than its coordinate says: a parameter, unless zero.
pub(super) fn offset(
    c: &mut Contribution<'_>,
    local: &str,
    value: f64,
    unit: &str,
    text: &str,
) -> Ex {
    if value == 0.0 {
        c.constant(local, 0.0, unit, text);
        return Ex::zero();
    }
    c.parameter(local, value).unit(unit).describe(text).into()
}

/// What all joints can be told about their states.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct States {
    /// Which start values count.
    pub init_type: InitType,
    /// Whether the coordinates of the joint must be states.
    pub enforce: bool,
    /// Whether impulses leave the speeds alone.
    pub leave_speeds: bool,
}

impl States {
    /// Preference as states.
    pub fn select(self) -> StateSelect {
        if self.enforce { StateSelect::Always } else { StateSelect::Prefer }
    }

    /// Says what impulses do to the speeds of coordinates.
    pub fn tell(self, c: &mut Contribution<'_>, coordinates: &[CoordinateId]) {
        if self.leave_speeds {
            c.leave_speeds(coordinates);
        }
    }
}

/// The methods that set what is kept in the field `states` of a joint.
macro_rules! states_setters {
    ($Component:ident) => {
        impl $Component {
            /// Which start values are initial conditions.
            #[must_use]
            pub fn init_type(mut self, init_type: $crate::impulses::InitType) -> Self {
                self.states.init_type = init_type;
                self
            }

            /// The coordinates of this joint must be states.
            #[must_use]
            pub fn enforce_states(mut self) -> Self {
                self.states.enforce = true;
                self
            }

            /// Whether impulses set the speeds of this joint (default). Without that an impulse is
            /// computed as if the joint followed, but as far as its speeds are states they stay,
            /// and momentum is not kept.
            #[must_use]
            pub fn reinit_by_impulse(mut self, reinit: bool) -> Self {
                self.states.leave_speeds = !reinit;
                self
            }
        }
    };
}
pub(super) use states_setters;
