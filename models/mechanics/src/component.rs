//! What a component is, and how it says what it contributes to the equations.

mod constraints;
mod contacts;
mod mechanism;
mod parameters;
mod ports;
mod relations;

use crate::assembly::PortId;
use crate::compile::evaluation::Evaluation;
use crate::compile::structure::{Begin, Steady, Structure};
use crate::compile::wiring::Wiring;
use crate::declaration::{Declaration, Declare};
use crate::error::Error;
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
pub struct Position(usize);

/// A linear relation between flange positions that a component stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation(usize);

/// A coordinate that a component stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoordinateId(pub(crate) usize);

/// The multiplier of a [`Relation`]: at each flange the cut torque (or force) into the component
/// is the flange's coefficient times it. Known in laws on accelerations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reaction(pub(crate) usize);

/// A constraint on frames and coordinates that a component stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstraintId(usize);

/// The multiplier of a constraint's residual: what the constraint does is this force (or torque)
/// times the rate at which the residual would grow. Known in laws on accelerations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiplier(pub(crate) Reaction);

/// What goes through a rigid connection of two frames. Known in laws on accelerations.
#[derive(Clone, Debug)]
pub struct Cut(pub(crate) Vec<Reaction>);

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
    pub(crate) component: usize,
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
        self.begin(local, state, Begin::AtRest);
    }

    /// Lets a state, declared just now with its start value, begin where other conditions want it,
    /// or else at its start value; `given` says that this is a guess.
    pub fn open_state(&mut self, local: &str, state: Ex, given: bool) {
        self.begin(local, state, Begin::Open { given });
    }

    /// [`Contribution::steady_state`] where the value is known at which the state rests.
    pub fn steady_state_at(
        &mut self,
        local: &str,
        state: Ex,
        rest: impl FnOnce(&mut Evaluation<'_>) -> Result<Ex, Error> + 'static,
    ) {
        self.begin(local, state, Begin::At(Box::new(rest)));
    }

    fn begin(&mut self, local: &str, state: Ex, begin: Begin) {
        let Some(guess) = self.model.start_of(state) else { return };
        let (name, symbol) = (self.full(local), Ex::symbol());
        self.model.replace_start(state, symbol);
        self.structure.steady.push(Steady { name, state, symbol, guess, begin });
    }

    /// A parameter error that names the instance's parameter.
    pub fn refuse(&self, parameter: &str, why: impl std::fmt::Display) -> Error {
        Error::Parameter(format!("{}: {why}", self.full(parameter)))
    }

    /// A signal computed on demand, from time, parameters and other signals.
    pub fn signal(
        &mut self,
        port: &'static str,
        law: impl FnOnce(&mut Evaluation<'_>) -> Result<Ex, Error> + 'static,
    ) {
        self.structure.signals.push((PortId { component: self.component, port }, Box::new(law)));
    }

    /// What is computed when positions and speeds are known: forces, torques, variables.
    pub fn law(&mut self, law: impl FnOnce(&mut Evaluation<'_>) -> Result<(), Error> + 'static) {
        self.structure.laws.push((self.component, Box::new(law)));
    }

    /// What is computed when accelerations are known.
    pub fn after(&mut self, law: impl FnOnce(&mut Evaluation<'_>) -> Result<(), Error> + 'static) {
        self.structure.afters.push((self.component, Box::new(law)));
    }
}
