//! Requirements on parameters and initial values, and remarks about them.

use std::collections::BTreeSet;

use expressions::graph::{Id, Leaf};
use expressions::{Bool, Ex, Expression, evaluate_ids, leaves_of_ids};
use kernels::limits::{Assigned, Limits, Number, unmet};
use program::{Causality, Subject};

use crate::model::variable::VariableDeclaration;
use crate::model::{Assertion, Model, Requirement};
use crate::vocabulary::error::Error;

impl Model {
    /// Refuses parameters and initial values for which `condition` is false.
    ///
    /// They are checked when the model is compiled, and again at the end of initialization, because
    /// an importer may have set others. The message names the variables `of` with their values and
    /// ends with `sentence`: `stop.smin = 2 m, stop.smax = 1 m: smin must be below smax`. A
    /// condition on parameters only is checked before initial values are computed, any other
    /// condition before the events at the start. For limits of a single parameter
    /// [`VariableBuilder::min`](crate::VariableBuilder::min), `positive` and `max` are shorter.
    pub fn require(&mut self, of: &[&str], condition: Bool, sentence: &str) {
        if condition.constant_value() == Some(true) {
            return;
        }
        let of = of.iter().map(|&name| name.to_owned()).collect();
        self.requirements.push(Requirement { of, condition, sentence: sentence.to_owned() });
    }

    /// Adds a note if `condition` is false with the default parameters and initial values when the
    /// model is compiled. The note has the form of the message of [`Model::require`]; it is for
    /// things that are not mistakes but should be known.
    pub fn remark(&mut self, of: &[&str], condition: Bool, sentence: &str) {
        let of = of.iter().map(|&name| name.to_owned()).collect();
        self.remarks.push(Requirement { of, condition, sentence: sentence.to_owned() });
    }

    /// Ends the simulation with an error, whose message is `sentence`, as soon as `condition` is
    /// false; `warning` instead tells the message and goes on. In a warning, the name of a discrete
    /// variable in braces stands for its value after the event.
    ///
    /// Conditions are looked at after each event, so a condition must consist of relations
    /// ([`Model::relation`] and the like), whose changes are events. An assertion `at` an event
    /// matters only if `at` is true in a pass of the event iteration.
    pub fn assert(&mut self, at: Option<Bool>, condition: Bool, sentence: &str, warning: bool) {
        let (in_passes, is_warning) = (at.is_some(), warning);
        let condition = at.map_or(condition, |at| condition | !at);
        let sentence = sentence.to_owned();
        self.assertions.push(Assertion { condition, sentence, in_passes, is_warning });
    }

    /// Whether the value of an expression follows from parameters.
    pub fn follows_from_parameters(&self, ex: impl Into<Ex>) -> bool {
        let leaves = leaves_of_ids(&[ex.into().id()]);
        let is_parameter = |leaf: &Leaf| matches!(leaf, Leaf::Parameter(_) | Leaf::Calculated(_));
        !leaves.is_empty() && leaves.iter().all(is_parameter)
    }

    /// Whether an importer can change the value of an expression by setting parameters.
    pub fn can_be_set(&self, ex: impl Into<Ex>) -> bool {
        let leaves = leaves_of_ids(&[ex.into().id()]);
        leaves.iter().any(|leaf| matches!(leaf, Leaf::Parameter(_) | Leaf::Calculated(_)))
    }

    /// Whether a parameter has a minimum of at least zero.
    pub fn cannot_be_negative(&self, name: &str) -> bool {
        let found = self.variables.iter().find(|v| v.name == name);
        found.is_some_and(|v| v.min.is_some_and(|min| min >= 0.0))
    }

    /// The parameters with one of these units on which an expression depends, unless they have a
    /// negative minimum: name and leaf.
    pub fn parameters_in(&self, ex: impl Into<Ex>, units: &[&str]) -> Vec<(String, Ex)> {
        let leaves = leaves_of_ids(&[ex.into().id()]);
        let is_meant = |v: &&VariableDeclaration| {
            v.causality == Causality::Parameter
                && v.min.is_none_or(|min| min >= 0.0)
                && v.unit.as_deref().is_some_and(|unit| units.contains(&unit))
        };
        let all = self.variables.iter().filter(is_meant);
        all.filter_map(|v| match v.expression {
            Expression::Real(ex) if ex.as_leaf().is_some_and(|leaf| leaves.contains(&leaf)) => {
                Some((v.name.clone(), ex))
            }
            _ => None,
        })
        .collect()
    }

    /// The names of the parameters on which an expression depends.
    pub fn parameters_of(&self, ex: impl Into<Ex>) -> Vec<String> {
        let leaves = leaves_of_ids(&[ex.into().id()]);
        let is_meant = |v: &&VariableDeclaration| {
            v.causality == Causality::Parameter && v.leaf().is_some_and(|own| leaves.contains(&own))
        };
        self.variables.iter().filter(is_meant).map(|v| v.name.clone()).collect()
    }

    /// Name and unit of the parameter if the expression is a parameter.
    pub fn parameter_of(&self, ex: impl Into<Ex>) -> Option<(&str, &str)> {
        let ex: Ex = ex.into();
        ex.as_leaf()?;
        let is_it = |v: &&VariableDeclaration| {
            v.causality == Causality::Parameter
                && matches!(v.expression, Expression::Real(own) if own.key() == ex.key())
        };
        let found = self.variables.iter().find(is_it)?;
        Some((&found.name, found.unit.as_deref()?))
    }

    /// Makes the parameters on which an expression depends fixed, even if they were declared
    /// tunable.
    pub fn fix_parameters_in(&mut self, ex: impl Into<Ex>) {
        let leaves = leaves_of_ids(&[ex.into().id()]);
        for v in self.variables.iter_mut().filter(|v| v.causality == Causality::Parameter) {
            if let Expression::Real(own) = v.expression
                && own.as_leaf().is_some_and(|leaf| leaves.contains(&leaf))
            {
                v.tunable = false;
            }
        }
    }

    /// Excludes zero from the range of a parameter that cannot be negative.
    pub fn exclude_zero(&mut self, name: &str) {
        for v in self.variables.iter_mut().filter(|v| v.name == name) {
            v.min = v.min.map(|min| min.max(Limits::POSITIVE.min));
        }
    }

    /// The sentence of a requirement, with the parameters from which the variables that it names
    /// follow: an importer can set only these.
    pub(crate) fn sentence(&self, requirement: &Requirement) -> String {
        let mut sentence = requirement.sentence.clone();
        for name in &requirement.of {
            let Some(v) = self.variables.iter().find(|v| v.name == *name) else { continue };
            let parameters = self.followed(v);
            if parameters.is_empty() {
                continue;
            }
            let it = if requirement.of.len() == 1 { "it" } else { name };
            sentence += &format!("; {it} follows from {}", listed(&parameters));
        }
        sentence
    }

    /// The parameters from which a variable follows, if it depends on nothing else.
    fn followed(&self, v: &VariableDeclaration) -> Vec<&str> {
        if v.causality == Causality::Parameter {
            return Vec::new();
        }
        let own = |parameter: &Leaf| {
            let declares = |v: &&VariableDeclaration| {
                v.causality == Causality::Parameter && v.leaf() == Some(*parameter)
            };
            self.variables.iter().find(declares).map(|v| &*v.name)
        };
        let leaves = self.uncalculated(&leaves_of_ids(&[v.expression.id()]));
        leaves.iter().map(own).collect::<Option<_>>().unwrap_or_default()
    }

    /// Leaves with those from which calculated parameters follow in place of these.
    fn uncalculated(&self, leaves: &BTreeSet<Leaf>) -> BTreeSet<Leaf> {
        let (mut found, mut open) = (BTreeSet::new(), leaves.clone());
        while let Some(leaf) = open.pop_first() {
            if !found.insert(leaf) {
                continue;
            }
            if let Leaf::Calculated(i) = leaf
                && let Some((_, value)) = self.calculated.get(i as usize)
            {
                open.extend(leaves_of_ids(&[value.id()]));
            }
        }
        found.retain(|leaf| !matches!(leaf, Leaf::Calculated(_)));
        found
    }

    /// Checks the requirement declared last, if it depends on parameters only.
    ///
    /// # Errors
    /// If the requirement is not met: the error that [`Model::compile`] would report.
    pub fn check_parameters(&self) -> Result<(), Error> {
        let on_parameters = |r: &&Requirement| r.subject() == Subject::Parameters;
        let Some(last) = self.requirements.last().filter(on_parameters) else { return Ok(()) };
        self.refuse_unmet(last, |ids| {
            let value = |leaf| match leaf {
                Leaf::Parameter(i) => self.parameters.get(i as usize).copied(),
                _ => None,
            };
            evaluate_ids(ids, &mut |leaf| value(leaf).unwrap_or(f64::NAN)).ok()
        })
    }
    /// Refuses a requirement that is not met, with the values of the variables that it names.
    pub(crate) fn refuse_unmet(
        &self,
        requirement: &Requirement,
        evaluate: impl FnOnce(&[Id]) -> Option<Vec<f64>>,
    ) -> Result<(), Error> {
        let unmet = self.unmet(requirement, evaluate)?;
        unmet.map_or(Ok(()), |sentence| Err(Error::Value(sentence)))
    }

    /// The message with the values of the variables that a requirement names, if it is not met.
    pub(crate) fn unmet(
        &self,
        requirement: &Requirement,
        evaluate: impl FnOnce(&[Id]) -> Option<Vec<f64>>,
    ) -> Result<Option<String>, Error> {
        let mut of = Vec::new();
        for name in &requirement.of {
            let variable = self.variables.iter().find(|v| v.name == *name);
            of.push(variable.ok_or_else(|| {
                let sentence = &requirement.sentence;
                Error::Definition(format!(
                    "{name}: there is no such variable, but the requirement \"{sentence}\" names it"
                ))
            })?);
        }
        let ids = of.iter().map(|v| v.expression.id());
        let ids: Vec<Id> = [requirement.condition.id()].into_iter().chain(ids).collect();
        let Some(values) = evaluate(&ids).filter(|values| values[0] == 0.0) else {
            return Ok(None);
        };
        let of: Vec<Assigned<'_>> = of
            .iter()
            .zip(&values[1..])
            .map(|(v, &value)| Assigned {
                name: &v.name,
                value: if v.leaf().is_some() { value } else { Number::computed(value) },
                unit: v.unit.as_deref().unwrap_or_default(),
            })
            .collect();
        Ok(Some(unmet(&of, &self.sentence(requirement))))
    }
}

/// The first names of a list.
fn listed(names: &[&str]) -> String {
    const MAX_NAMES: usize = 4;
    match names.len().checked_sub(MAX_NAMES) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..MAX_NAMES].join(", ")),
    }
}
