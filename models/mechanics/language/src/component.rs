//! The trait of components, and the object by which they state their contributions to the
//! equations.

mod circuits;
mod clocks;
mod constraints;
mod contacts;
mod declared_names;
mod flanges;
mod multibody;
mod parameters;
mod ports;

use crate::declaration::{Declaration, Declare, Parameter, Settings, Value};
use crate::error::Error;
use crate::ids::ComponentId;
pub use crate::ids::{
    BranchId, CircuitStateId, CoordinateId, FlangeConstraintId, FrictionId, HeatLinkId,
};
use crate::port::full_name;
use crate::start::Start;
use crate::statements::contributions::connection_sets::Wiring;
use crate::statements::contributions::initial_conditions::{
    InitialEquation, StateCondition, UnknownState,
};
use crate::statements::contributions::units::Units;
use crate::statements::contributions::{Contributions, Laws, Structure};
use crate::statements::laws::acceleration_view::AccelerationView;
pub use crate::statements::laws::multipliers::{CutReactions, Multiplier, Reaction};
use crate::statements::laws::signal_view::SignalView;
use crate::statements::laws::velocity_view::VelocityView;
use declared_names::NamesInEquations;
use equations::{Bool, DiscreteVariable, Ex, Model, VariableBuilder};
pub use multibody::joint_priority;
use std::any::{Any, TypeId};
use std::fmt::Debug;

/// A kind of component, which `component!` declares and which states its equations.
pub trait Component: Declare {
    /// States the contribution of the component: structure, laws, variables.
    ///
    /// # Errors
    /// A required connection is missing, or values are not consistent.
    fn contribute(parameters: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error>;
}

/// A component of any kind.
pub trait AnyComponent: Debug {
    /// Its declaration.
    fn declaration(&self) -> &'static Declaration;

    /// Its type.
    fn component_type(&self) -> TypeId;

    /// The component itself, for a crate that knows its type.
    fn as_any(&self) -> &dyn Any;

    /// The given values of its parameters; see [`Settings::given_values`].
    fn given_values(&self) -> Vec<(&'static Parameter, Option<Value>)>;

    /// Declares its parameters and states its contribution; see [`Component::contribute`].
    ///
    /// # Errors
    /// Those of [`Declare::declare`] and [`Component::contribute`].
    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error>;
}

impl<C: Component> AnyComponent for C {
    fn declaration(&self) -> &'static Declaration {
        C::DECLARATION
    }

    fn component_type(&self) -> TypeId {
        TypeId::of::<C>()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn given_values(&self) -> Vec<(&'static Parameter, Option<Value>)> {
        Settings::given_values(self)
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let parameters = self.declare(c)?;
        let contributed = C::contribute(parameters, c);
        c.compare(contributed)
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

/// The contribution of one component instance.
///
/// Names given here are local (`phi`); the name of the instance is added in front (`j1.phi`).
pub struct Contribution<'a> {
    pub(crate) model: &'a mut Model,
    pub(crate) wiring: &'a mut Wiring,
    pub(crate) structure: &'a mut Structure,
    pub(crate) laws: &'a mut Laws,
    pub(crate) units: &'a mut Units,
    /// The parameters of the model: the symbol in the model text, and the variable that replaces
    /// it.
    pub(crate) model_parameters: &'a [(Ex, Ex)],
    pub(crate) component: ComponentId,
    pub(crate) declaration: &'static Declaration,
    pub(crate) name: String,
    /// The parameters with a default for which the text states a value.
    pub(crate) given: Vec<&'static str>,
    names: NamesInEquations,
}

impl<'a> Contribution<'a> {
    /// The contribution of the instance with this number and name.
    #[doc(hidden)]
    pub fn new(
        (component, name): (ComponentId, &str),
        declaration: &'static Declaration,
        wiring: &'a mut Wiring,
        contributions: &'a mut Contributions,
        model: &'a mut Model,
    ) -> Self {
        let Contributions { structure, laws, units, model_parameters } = contributions;
        let name = name.to_owned();
        Contribution {
            model,
            wiring,
            structure,
            laws,
            units,
            model_parameters,
            component,
            declaration,
            name,
            given: Vec::new(),
            names: NamesInEquations::default(),
        }
    }
}

impl Contribution<'_> {
    /// The instance's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The full name of one of its variables.
    pub fn full(&self, local: &str) -> String {
        full_name(&self.name, local)
    }

    /// The model, to which a component adds its states, relations and discrete variables under
    /// their full names ([`Contribution::full`]).
    pub fn model(&mut self) -> &mut Model {
        self.model
    }

    /// The parameters of the model: the symbol in the model text, and the variable that replaces
    /// it.
    pub fn model_parameters(&self) -> &[(Ex, Ex)] {
        self.model_parameters
    }

    /// A continuous state with the initial value `start`, which can be set; see [`Model::state`].
    pub fn state(&mut self, local: &str, start: f64) -> VariableBuilder<'_, Ex> {
        let name = self.declared_variable(local);
        self.model.state(&name, start)
    }

    /// A variable that changes only at events; see [`Model::discrete`].
    pub fn discrete(&mut self, local: &str, start: f64) -> VariableBuilder<'_, DiscreteVariable> {
        let name = self.declared_variable(local);
        self.model.discrete(&name, start)
    }

    /// Requires that the derivative of a state is zero at the start. The state was declared just
    /// now with its start value, which becomes a guess.
    pub fn steady_state(&mut self, local: &str, state: Ex) {
        self.unknown_state(local, state, StateCondition::SteadyState);
    }

    /// Lets other initial conditions determine a state that was declared just now with its start
    /// value. If there are none, the state begins at its start value. `given` says whether the
    /// model text gives this value as a guess.
    pub fn open_state(&mut self, local: &str, state: Ex, given: bool) {
        self.unknown_state(local, state, StateCondition::Open { given });
    }

    /// Does the same as [`Contribution::steady_state`] for a state whose steady value is known:
    /// `rest` computes it.
    pub fn steady_state_at(
        &mut self,
        local: &str,
        state: Ex,
        rest: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
    ) {
        self.unknown_state(local, state, StateCondition::SteadyValue(Box::new(rest)));
    }

    /// Requires that a residual vanishes at the start: an initial equation, which determines a
    /// state that was declared just now with its start value, a guess.
    pub fn initial_equation(
        &mut self,
        local: &str,
        state: Ex,
        residual: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
    ) {
        self.unknown_state(local, state, StateCondition::Equation(Box::new(residual)));
    }

    fn unknown_state(&mut self, local: &str, state: Ex, condition: StateCondition) {
        let (name, symbol) = (self.full(local), Ex::symbol());
        let Some(guess) = self.model.replace_start(state, symbol) else { return };
        self.laws.of_blocks.states.push(UnknownState { name, state, symbol, guess, condition });
    }

    /// Requires that a value vanishes at the start, for which the initial system determines start
    /// values that are free. `name` is that of the condition in messages.
    pub fn vanishes_at_start(
        &mut self,
        name: &str,
        residual: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
    ) {
        let (component, name) = (self.component, self.full(name));
        let equation = InitialEquation { component, name, residual: Box::new(residual) };
        self.laws.of_blocks.equations.push(equation);
    }

    /// An error about a parameter of this instance; the sentence begins with the parameter's name.
    pub fn refuse(&self, parameter: &str, why: impl std::fmt::Display) -> Error {
        Error::Parameter(format!("{}: {why}", self.full(parameter)))
    }

    /// A signal, which is computed when it is first read: from time, parameters, motions and other
    /// signals.
    pub fn signal(
        &mut self,
        port: &'static str,
        law: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
    ) {
        let signal = self.declared_signal(port);
        self.laws.signals.push((signal, Box::new(law)));
    }

    /// A signal that becomes a variable of the instance; see [`Contribution::signal`].
    pub fn output(
        &mut self,
        port: &'static str,
        law: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
    ) {
        self.signal(port, move |e| {
            let value = law(e)?;
            e.variable(port, value);
            Ok(value)
        });
    }

    /// A signal of type Boolean that becomes a variable of the instance; see
    /// [`Contribution::signal`].
    pub fn boolean_output(
        &mut self,
        port: &'static str,
        law: impl FnOnce(&mut SignalView<'_>) -> Result<Bool, Error> + 'static,
    ) {
        self.signal(port, move |e| {
            let truth = law(e)?;
            e.variable(port, truth);
            Ok(truth.as_ex())
        });
    }

    /// A signal of type Integer that becomes a variable of the instance; see
    /// [`Contribution::signal`].
    pub fn integer_output(
        &mut self,
        port: &'static str,
        law: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
    ) {
        self.signal(port, move |e| {
            let value = law(e)?;
            e.variable(port, value).integer();
            Ok(value)
        });
    }

    /// A law that is evaluated when positions and speeds are known: forces, torques, variables.
    pub fn law(&mut self, law: impl FnOnce(&mut VelocityView<'_>) -> Result<(), Error> + 'static) {
        self.laws.velocity.push((self.component, Box::new(law)));
    }

    /// A law that is evaluated when accelerations are known.
    pub fn after(
        &mut self,
        law: impl FnOnce(&mut AccelerationView<'_>) -> Result<(), Error> + 'static,
    ) {
        self.laws.acceleration.push((self.component, Box::new(law)));
    }
}
