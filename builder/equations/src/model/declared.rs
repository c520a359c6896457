//! The results of declarations, with methods that set the attributes of the declared variable.

use expressions::graph::Leaf;
use expressions::{Bool, Ex, Expression};
use kernels::limits::Limits;
use program::Causality;

use crate::model::Model;
use crate::model::variable::{BaseType, StartValue, VariableDeclaration, in_words};
use crate::vocabulary::description::{Enumeration, EnumerationItem};
use crate::vocabulary::error::Error;

/// A discrete variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DiscreteVariable(pub(crate) u32);

impl DiscreteVariable {
    /// Its value before the present event iteration; between events, its value.
    pub fn pre(self) -> Ex {
        Ex::leaf(Leaf::Pre(self.0))
    }

    /// Whether [`DiscreteVariable::pre`] is not zero.
    pub fn pre_bool(self) -> Bool {
        self.pre().is_true()
    }
}

/// A declared variable, whose methods set its attributes.
///
/// [`VariableBuilder::done`] (or `into()`) returns what the equations use: an [`Ex`] or a
/// [`DiscreteVariable`].
#[derive(Debug)]
pub struct VariableBuilder<'m, T> {
    model: &'m mut Model,
    index: usize,
    value: T,
}

impl From<VariableBuilder<'_, Ex>> for Ex {
    fn from(declared: VariableBuilder<'_, Ex>) -> Ex {
        declared.value
    }
}

impl From<VariableBuilder<'_, DiscreteVariable>> for DiscreteVariable {
    fn from(declared: VariableBuilder<'_, DiscreteVariable>) -> DiscreteVariable {
        declared.value
    }
}

impl<'m, T> VariableBuilder<'m, T> {
    pub(crate) fn new(model: &'m mut Model, index: usize, value: T) -> VariableBuilder<'m, T> {
        VariableBuilder { model, index, value }
    }

    fn with(self, change: impl FnOnce(&mut VariableDeclaration)) -> Self {
        change(&mut self.model.variables[self.index]);
        self
    }

    pub(crate) fn discrete_only(self) -> Self {
        self.with(|v| v.discrete = true)
    }

    /// The value that the equations use.
    pub fn done(self) -> T {
        self.value
    }

    /// The unit, for example `N.m`, in which values are given and exchanged.
    pub fn unit(self, unit: &str) -> Self {
        let name = &self.model.variables[self.index].name;
        if let Some(announced) = self.model.announced_of(name)
            && !announced.unit.is_empty()
            && announced.unit != unit
        {
            let text = format!(
                "{name}: the unit is announced as {} but declared as {unit}",
                announced.unit
            );
            self.model.refuse(Error::Definition(text));
        }
        self.with(|v| v.unit = Some(unit.to_owned()))
    }

    /// The unit in which importers display the value, for example `deg`.
    pub fn display_unit(self, unit: &str) -> Self {
        self.with(|v| v.display_unit = Some(unit.to_owned()))
    }

    /// A description in one line; it follows that of [`Model::announce`].
    pub fn describe(self, line: &str) -> Self {
        let variable = &self.model.variables[self.index];
        let announced = self.model.announced_of(&variable.name);
        match announced.filter(|_| variable.causality != Causality::Output) {
            Some(_) => self,
            None => self.with(|v| v.description = line.to_owned()),
        }
    }

    /// Smallest value.
    pub fn min(self, min: f64) -> Self {
        self.with(|v| v.min = Some(min))
    }

    /// Larger than zero.
    pub fn positive(self) -> Self {
        self.limits(Limits::POSITIVE)
    }

    /// Smallest and largest value.
    pub fn limits(self, limits: Limits) -> Self {
        self.with(|v| {
            v.min = Some(limits.min).filter(|min| min.is_finite());
            v.max = Some(limits.max).filter(|max| max.is_finite());
        })
    }

    /// Largest value.
    pub fn max(self, max: f64) -> Self {
        self.with(|v| v.max = Some(max))
    }

    /// Typical magnitude; for a state the scale of its absolute tolerance.
    pub fn nominal(self, nominal: f64) -> Self {
        if let Expression::Real(ex) = self.model.variables[self.index].expression
            && let Some(Leaf::State(i)) = ex.as_leaf()
        {
            self.model.states[i as usize].nominal = nominal;
        }
        self.with(|v| v.nominal = Some(nominal))
    }

    /// Makes a state, a discrete or a local variable an output; anything else is refused.
    pub fn as_output(self) -> Self {
        let VariableDeclaration { name, causality, .. } = &self.model.variables[self.index];
        if !matches!(causality, Causality::Local | Causality::Output) {
            let text = format!("{name}: {} cannot be an output", in_words(*causality));
            self.model.refuse(Error::Definition(text));
        }
        self.with(|v| {
            if v.causality == Causality::Local {
                v.causality = Causality::Output;
            }
        })
    }

    /// Makes it constant after initialization (as parameters are, unless they are tunable).
    pub fn fixed(self) -> Self {
        self.with(|v| v.tunable = false)
    }

    /// Makes it changeable at events.
    pub fn tunable(self) -> Self {
        self.with(|v| v.tunable = true)
    }

    /// Declares that it changes only at events.
    pub fn discrete(self) -> Self {
        self.discrete_only()
    }

    /// A Real variable.
    pub fn real(self) -> Self {
        self.with(|v| v.base_type = BaseType::Real)
    }

    /// An Integer variable. Reading a value beyond 2^31 - 1 is an error of the FMU, so a counter
    /// that may exceed it should remain Real.
    pub fn integer(self) -> Self {
        self.with(|v| v.base_type = BaseType::Integer).discrete_only()
    }

    /// A Boolean variable.
    pub fn boolean(self) -> Self {
        self.with(|v| v.base_type = BaseType::Boolean).discrete_only()
    }

    /// A variable of an enumeration type, which is also declared here: value, name and description
    /// of each item.
    pub fn enumeration(self, type_name: &str, items: &[(i32, &str, &str)]) -> Self {
        let new = Enumeration {
            name: type_name.to_owned(),
            description: String::new(),
            items: items
                .iter()
                .map(|&(value, name, text)| EnumerationItem {
                    name: name.to_owned(),
                    value,
                    description: text.to_owned(),
                })
                .collect(),
        };
        match self.model.enumerations.iter().find(|known| known.name == type_name) {
            None => self.model.enumerations.push(new),
            Some(known) if *known == new => {}
            Some(_) => {
                let text = format!("the enumeration type {type_name} is declared in two ways");
                self.model.refuse(Error::Definition(text));
            }
        }
        if let Expression::Real(ex) = self.model.variables[self.index].expression
            && let Some(Leaf::Pre(i)) = ex.as_leaf()
        {
            self.model.discretes[i as usize].labels =
                items.iter().map(|&(value, name, _)| (value, name.to_owned())).collect();
        }
        self.with(|v| v.base_type = BaseType::Enumeration(type_name.to_owned())).discrete_only()
    }
}

impl VariableBuilder<'_, DiscreteVariable> {
    /// Names of its values, for the log.
    pub fn labels(self, labels: &[(i32, &str)]) -> Self {
        let equation = &mut self.model.discretes[self.value.0 as usize];
        equation.labels = labels.iter().map(|&(value, name)| (value, name.to_owned())).collect();
        self
    }
}

impl VariableBuilder<'_, Ex> {
    /// Gives the initial value of a state as an expression of parameters and other initial values;
    /// it can then no longer be set.
    pub fn start_expr(self, start: impl Into<Ex>) -> Self {
        self.model.start_expr(self.value, start);
        self
    }

    /// Makes the start value of a state a guess, with which the search for its initial value
    /// begins. [`Model::start_expr`] gives the initial value in terms of [`Model::start_of`].
    pub fn guess(self) -> Self {
        self.with(|v| {
            if let StartValue::Exact(value, Some(slot)) = v.start {
                v.start = StartValue::Approx(value, slot);
            }
        })
    }
}

/// A declared relation, whose methods set its attributes.
#[derive(Debug)]
pub struct RelationBuilder<'m> {
    model: &'m mut Model,
    index: usize,
}

impl<'m> RelationBuilder<'m> {
    pub(crate) fn new(model: &'m mut Model, index: usize) -> RelationBuilder<'m> {
        RelationBuilder { model, index }
    }

    /// Magnitude of the residual: the event indicator is the residual divided by it.
    pub fn nominal(self, nominal: f64) -> Self {
        self.model.relations[self.index].nominal = nominal;
        self
    }

    /// A condition; while it is false, the relation is false and causes no events.
    pub fn active(self, active: Bool) -> Self {
        self.model.relations[self.index].active = active;
        self
    }

    /// The relation as a truth value, frozen between events.
    pub fn done(self) -> Bool {
        Bool::leaf(Leaf::Relation(self.index as u32))
    }
}

impl From<RelationBuilder<'_>> for Bool {
    fn from(relation: RelationBuilder<'_>) -> Bool {
        relation.done()
    }
}
