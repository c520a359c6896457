//! Settings of all joints with impulses: which start values are initial conditions, and whether
//! impulses change the speeds.

use mechanics::component::CoordinateId;
use mechanics::declaration::choice;
use mechanics::declaration::{Parameter, Value, group, prelude::*};

choice! {
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
        /// All. The acceleration determines a parameter given as
        /// [`unknown`](mechanics::start::unknown).
        PositionVelocityAcceleration,
        /// The velocity.
        Velocity,
        /// The velocity and the acceleration, which determines the position.
        VelocityAcceleration,
        /// Velocity and acceleration are zero, which determines the position.
        SteadyState,
    }
}

/// A start value that is not an initial condition: a guess, if the model text gives it.
fn near(value: Option<f64>) -> Start {
    value.map_or_else(free, guess)
}

/// An initial condition, zero unless the model text gives a value.
fn held(value: Option<f64>) -> Start {
    fixed(value.unwrap_or_default())
}

impl InitType {
    /// Position, velocity and acceleration at the start, from the given ones.
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

    /// Does the same for each element of vectors; returns positions, velocities and accelerations.
    pub(super) fn vectors(self, values: [Option<[f64; 3]>; 3]) -> [[Start; 3]; 3] {
        let element = |k: usize| values.map(|vector| vector.map(|vector| vector[k]));
        let elements = [0, 1, 2].map(|k| self.starts(element(k)));
        [0, 1, 2].map(|order| elements.map(|starts| starts[order]))
    }
}

group! {
    /// Settings of all joints for their states.
    pub struct States(states) {
        /// Which start values are initial conditions
        init_type: InitType = InitType::Free,
        /// Whether the coordinates of this joint must be states
        enforce_states: bool = false,
        /// Whether impulses change the speeds of this joint
        ///
        /// If not, impulses are computed as if the speeds changed, but those that are states do
        /// not, and momentum is not conserved.
        reinit_by_impulse: bool = true,
    }
}

impl States {
    /// Preference of the coordinates as states.
    pub fn select(&self) -> StateSelect {
        if self.enforce_states { Always } else { Prefer }
    }

    /// States whether impulses change the speeds of coordinates.
    pub fn apply_to(&self, c: &mut Contribution<'_>, coordinates: &[CoordinateId]) {
        if !self.reinit_by_impulse {
            c.leave_speeds(coordinates);
        }
    }
}

/// An angle that is given in degrees in a model text and in rad in the FMU. Zero is structural.
#[derive(Clone, Copy, Debug)]
pub struct AngleInDegrees(f64);

impl<T: Into<f64>> From<T> for AngleInDegrees {
    fn from(value: T) -> Self {
        AngleInDegrees(value.into())
    }
}

impl Setting for AngleInDegrees {
    type Declared = Ex;

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<Ex, Error> {
        c.finite(of.name, self.0, "deg")?;
        c.structural_zero(of.name, Real::Number(self.0.to_radians()), of)
    }

    fn from_value(value: Value) -> Result<Self, String> {
        value.number().map(AngleInDegrees)
    }

    fn to_value(&self) -> Option<Value> {
        Some(self.0.into())
    }
}
