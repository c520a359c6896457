//! What a component is, and how it says what it contributes to the equations.

mod constraints;
mod contacts;
mod flanges;
mod multibody;
mod parameters;
mod ports;

use crate::compile::contributions::connection_sets::Wiring;
use crate::compile::contributions::initial_conditions::{StateCondition, UnknownState};
use crate::compile::contributions::units::Units;
use crate::compile::contributions::{Laws, Structure};
use crate::compile::ids::ComponentId;
pub use crate::compile::ids::{CoordinateId, FlangeConstraintId};
use crate::compile::laws::acceleration_view::AccelerationView;
pub use crate::compile::laws::multipliers::{CutReactions, Multiplier, Reaction};
use crate::compile::laws::signal_view::SignalView;
use crate::compile::laws::velocity_view::VelocityView;
use crate::declaration::{Declaration, Declare};
use crate::error::Error;
use crate::port::PortId;
use crate::start::Start;
use equations::{Ex, Model};
use std::fmt::Debug;

/// A kind of component: what is declared with [`component!`](crate::component!), and its equations.
pub trait Component: Declare {
    /// Says what the component contributes: structure, laws, variables.
    ///
    /// # Errors
    /// Something that is needed is not connected, or values do not fit together.
    fn contribute(parameters: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error>;
}

/// A component of any kind.
pub trait AnyComponent: Debug {
    /// What is declared of it.
    fn declaration(&self) -> &'static Declaration;

    /// Declares its parameters and lets it contribute; see [`Component::contribute`].
    ///
    /// # Errors
    /// Those of [`Declare::declare`] and [`Component::contribute`].
    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error>;
}

impl<C: Component> AnyComponent for C {
    fn declaration(&self) -> &'static Declaration {
        C::DECLARATION
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let parameters = self.declare(c)?;
        C::contribute(parameters, c)
    }
}

/// A position, absolute or relative, that a component stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionId(usize);

/// A constraint on frames and coordinates that a component stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstraintId(usize);

/// Start values of a position and of its speed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Starts {
    /// Start value of the position in rad or m.
    pub position: Start,
    /// Start value of the speed in rad/s or m/s.
    pub speed: Start,
}

/// Where one component instance states its contribution.
///
/// Names given here are local (`phi`); the instance's name is put in front (`j1.phi`).
pub struct Contribution<'a> {
    pub(crate) model: &'a mut Model,
    pub(crate) wiring: &'a mut Wiring,
    pub(crate) structure: &'a mut Structure,
    pub(crate) laws: &'a mut Laws,
    pub(crate) units: &'a mut Units,
    /// What stands for parameters of the model, and the parameters.
    pub(crate) model_parameters: &'a [(Ex, Ex)],
    pub(crate) component: ComponentId,
    pub(crate) name: String,
}

impl Contribution<'_> {
    /// The instance's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The full name of one of its variables.
    pub fn full(&self, local: &str) -> String {
        format!("{}.{local}", self.name)
    }

    /// The model, for states, relations and discrete variables of the component; names are full
    /// ones, see [`Contribution::full`].
    pub fn model(&mut self) -> &mut Model {
        self.model
    }

    /// Lets a state, declared just now with its start value, begin where its derivative vanishes:
    /// the search for that begins at the start value.
    pub fn steady_state(&mut self, local: &str, state: Ex) {
        self.unknown_state(local, state, StateCondition::SteadyState);
    }

    /// Lets a state, declared just now with its start value, begin where other conditions want it,
    /// or else at its start value; `given` says that this is a guess.
    pub fn open_state(&mut self, local: &str, state: Ex, given: bool) {
        self.unknown_state(local, state, StateCondition::Open { given });
    }

    /// [`Contribution::steady_state`] where the value is known at which the state rests.
    pub fn steady_state_at(
        &mut self,
        local: &str,
        state: Ex,
        rest: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
    ) {
        self.unknown_state(local, state, StateCondition::SteadyValue(Box::new(rest)));
    }

    fn unknown_state(&mut self, local: &str, state: Ex, condition: StateCondition) {
        let Some(guess) = self.model.start_of(state) else { return };
        let (name, symbol) = (self.full(local), Ex::symbol());
        self.model.replace_start(state, symbol);
        self.laws.unknown_states.push(UnknownState { name, state, symbol, guess, condition });
    }

    /// A parameter error that names the instance's parameter.
    pub fn refuse(&self, parameter: &str, why: impl std::fmt::Display) -> Error {
        Error::Parameter(format!("{}: {why}", self.full(parameter)))
    }

    /// A signal computed on demand, from time, parameters and other signals.
    pub fn signal(
        &mut self,
        port: &'static str,
        law: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
    ) {
        self.laws.signals.push((PortId { component: self.component, port }, Box::new(law)));
    }

    /// What is computed when positions and speeds are known: forces, torques, variables.
    pub fn law(&mut self, law: impl FnOnce(&mut VelocityView<'_>) -> Result<(), Error> + 'static) {
        self.laws.velocity.push((self.component, Box::new(law)));
    }

    /// What is computed when accelerations are known.
    pub fn after(
        &mut self,
        law: impl FnOnce(&mut AccelerationView<'_>) -> Result<(), Error> + 'static,
    ) {
        self.laws.acceleration.push((self.component, Box::new(law)));
    }
}
