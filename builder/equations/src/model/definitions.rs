//! Declarations that an author writes: variables, updates of discrete variables, relations.

use expressions::{Bool, Ex, Expression, Leaf, leaves_of, select};
use kernels::relations::RelationKind;
use program::Causality;

use crate::model::declared::{DiscreteVariable, RelationBuilder, VariableBuilder};
use crate::model::variable::{StartValue, VariableDeclaration};
use crate::model::{Announced, DiscreteEquation, Model, RelationEquation, StateEquation};
use crate::vocabulary::error::Error;

impl Model {
    pub(crate) fn declare<T>(
        &mut self,
        name: &str,
        causality: Causality,
        expression: Expression,
        start: StartValue,
        value: T,
    ) -> VariableBuilder<'_, T> {
        let index = self.variables.len();
        let mut declaration = VariableDeclaration::new(name, causality, expression, start);
        // An output of the model has a unit and a description of its own.
        let announced = self.announced_of(name).filter(|_| causality != Causality::Output);
        if let Some(announced) = announced {
            let Announced { unit, description } = announced.clone();
            declaration.unit = Some(unit).filter(|unit| !unit.is_empty());
            declaration.description = description;
        }
        self.variables.push(declaration);
        VariableBuilder::new(self, index, value)
    }

    /// A parameter, which is fixed unless it is declared tunable.
    pub fn parameter(&mut self, name: &str, value: f64) -> VariableBuilder<'_, Ex> {
        let slot = self.new_parameter(value);
        let leaf = Ex::leaf(Leaf::Parameter(slot));
        self.declare(
            name,
            Causality::Parameter,
            leaf.into(),
            StartValue::Exact(value, Some(slot)),
            leaf,
        )
    }

    /// A parameter whose value is computed from parameters and initial values at initialization.
    pub fn calculated(&mut self, name: &str, initial: impl Into<Ex>) -> VariableBuilder<'_, Ex> {
        let leaf = Ex::leaf(Leaf::Calculated(self.calculated.len() as u32));
        self.calculated.push((name.to_owned(), initial.into()));
        self.declare(name, Causality::CalculatedParameter, leaf.into(), StartValue::None, leaf)
    }

    /// Publishes the value of an expression of parameters as a calculated parameter, or as a local
    /// variable if the expression depends on no parameter or on other values too.
    pub fn following(&mut self, name: &str, value: impl Into<Ex>) -> VariableBuilder<'_, ()> {
        let value: Ex = value.into();
        let follows = self.follows_from_parameters(value);
        let causality = if follows { Causality::CalculatedParameter } else { Causality::Local };
        self.declare(name, causality, value.into(), StartValue::None, ())
    }

    /// A constant that the importer can read.
    pub fn constant(&mut self, name: &str, value: f64) -> VariableBuilder<'_, Ex> {
        let ex = Ex::constant(value);
        self.declare(name, Causality::Local, ex.into(), StartValue::None, ex)
    }

    /// A continuous state with the initial value `start`, which can be set.
    pub fn state(&mut self, name: &str, start: f64) -> VariableBuilder<'_, Ex> {
        let slot = self.new_parameter(start);
        let leaf = Ex::leaf(Leaf::State(self.states.len() as u32));
        self.states.push(StateEquation {
            name: name.to_owned(),
            start: Ex::leaf(Leaf::Parameter(slot)),
            derivative: None,
            reinits: Vec::new(),
            nominal: 1.0,
        });
        self.declare(
            name,
            Causality::Local,
            leaf.into(),
            StartValue::Exact(start, Some(slot)),
            leaf,
        )
    }

    /// An input with its start value.
    pub fn input(&mut self, name: &str, start: f64) -> VariableBuilder<'_, Ex> {
        let leaf = Ex::leaf(Leaf::Input(self.inputs.len() as u32));
        self.inputs.push(start);
        self.declare(name, Causality::Input, leaf.into(), StartValue::Exact(start, None), leaf)
    }

    /// Publishes an output.
    pub fn output(&mut self, name: &str, value: impl Into<Expression>) -> VariableBuilder<'_, ()> {
        self.declare(name, Causality::Output, value.into(), StartValue::None, ())
    }

    /// Publishes a local variable.
    pub fn local(&mut self, name: &str, value: impl Into<Expression>) -> VariableBuilder<'_, ()> {
        self.declare(name, Causality::Local, value.into(), StartValue::None, ())
    }

    /// Publishes a local variable that has the value `start` after initialization; `start` can be
    /// set. Returns the start value, from which the author's equations must compute initial values
    /// such that this holds.
    pub fn exact(
        &mut self,
        name: &str,
        value: impl Into<Expression>,
        start: f64,
    ) -> VariableBuilder<'_, Ex> {
        let slot = self.new_parameter(start);
        let leaf = Ex::leaf(Leaf::Parameter(slot));
        self.declare(
            name,
            Causality::Local,
            value.into(),
            StartValue::Exact(start, Some(slot)),
            leaf,
        )
    }

    /// Publishes a local variable with a guess for its initial value; returns the guess.
    pub fn approx(
        &mut self,
        name: &str,
        value: impl Into<Expression>,
        guess: f64,
    ) -> VariableBuilder<'_, Ex> {
        let slot = self.new_parameter(guess);
        let leaf = Ex::leaf(Leaf::Parameter(slot));
        self.declare(name, Causality::Local, value.into(), StartValue::Approx(guess, slot), leaf)
    }

    /// A discrete variable, which changes only at events. It keeps its value unless an update is
    /// given.
    pub fn discrete(&mut self, name: &str, start: f64) -> VariableBuilder<'_, DiscreteVariable> {
        let discrete = self.memory(name, start);
        self.declare(name, Causality::Local, discrete.pre().into(), StartValue::None, discrete)
            .discrete_only()
    }

    /// A discrete variable that is not published: what an event needs to know of the one before.
    pub fn memory(&mut self, name: &str, start: f64) -> DiscreteVariable {
        let name = name.to_owned();
        self.discretes.push(DiscreteEquation { name, start, update: None, labels: Vec::new() });
        DiscreteVariable(self.discretes.len() as u32 - 1)
    }

    /// The value of a discrete variable after an event iteration.
    pub fn update(&mut self, discrete: impl Into<DiscreteVariable>, value: impl Into<Expression>) {
        let DiscreteVariable(i) = discrete.into();
        let value = match value.into() {
            Expression::Real(ex) => ex,
            Expression::Truth(b) => b.as_ex(),
        };
        let equation = &mut self.discretes[i as usize];
        if equation.update.replace(value).is_some() {
            let text = format!("{}: its value at events is given twice", equation.name);
            self.refuse(Error::Definition(text));
        }
    }

    /// The truth value `residual > 0`, whose changes are events.
    pub fn relation(&mut self, name: &str, residual: impl Into<Ex>) -> RelationBuilder<'_> {
        self.new_relation(name, residual.into(), RelationKind::State)
    }

    /// A truth value that is true from the instant `from` (in s) on. `from` must depend on
    /// parameters and discrete variables only, so that the event is known in advance.
    pub fn time_relation(&mut self, name: &str, from: impl Into<Ex>) -> Bool {
        self.new_relation(name, from.into(), RelationKind::Time).done()
    }

    /// A truth value that is set to `residual > 0` at every event and constant until the next one;
    /// its changes cause no events.
    pub fn sampled(&mut self, name: &str, residual: impl Into<Ex>) -> Bool {
        self.new_relation(name, residual.into(), RelationKind::Sampled).done()
    }

    fn new_relation(
        &mut self,
        name: &str,
        residual: Ex,
        kind: RelationKind,
    ) -> RelationBuilder<'_> {
        let index = self.relations.len();
        let name = name.to_owned();
        let active = Bool::constant(true);
        self.relations.push(RelationEquation { name, residual, nominal: 1.0, active, kind });
        RelationBuilder::new(self, index)
    }

    /// True in the event iteration in which `condition` becomes true.
    ///
    /// A condition that is true from the start does not become true, unless it contains a time
    /// relation. A time relation whose instant is not after the start becomes true at the first
    /// event, which follows initialization at once. If the instant depends on discrete variables,
    /// such as the number of samples taken, every later instant counts, even after it has passed.
    /// `condition` contains the time relations that it combines with others by `&`. During
    /// initialization, the result is false.
    pub fn when(&mut self, name: &str, condition: Bool) -> Bool {
        let memory = self.memory(name, 0.0);
        let instants = self.instants_of(condition);
        if instants.is_empty() {
            self.update(memory, condition);
            return condition & !memory.pre_bool() & !self.initial();
        }
        // At the first event, nothing has become true yet.
        self.update(memory, condition & !self.initial());
        let mut begins = !memory.pre_bool();
        let moves =
            |&instant: &Ex| leaves_of(&[instant]).iter().any(|leaf| matches!(leaf, Leaf::Pre(_)));
        if let Some(latest) = instants.into_iter().filter(moves).reduce(Ex::max) {
            let last = self.memory(&format!("{name}: last instant"), f64::MIN);
            begins = begins | latest.gt(last.pre());
            let due = condition & begins & !self.initial();
            self.update(last, select(due, latest, last.pre()));
        }
        condition & begins & !self.initial()
    }

    /// The instants of the time relations with which a condition begins to be true.
    fn instants_of(&self, condition: Bool) -> Vec<Ex> {
        let instant = |part: Bool| match part.as_leaf() {
            Some(Leaf::Relation(i)) => {
                let relation = &self.relations[i as usize];
                (relation.kind == RelationKind::Time).then_some(relation.residual)
            }
            _ => None,
        };
        condition.conjuncts().into_iter().filter_map(instant).collect()
    }
}
