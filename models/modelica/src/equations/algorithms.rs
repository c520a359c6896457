//! Algorithms of models and blocks: the variables that they assign.

use super::statements::scalar_pairs;
use super::symbols::Meaning;
use super::system::{Equation, Equations};
use crate::evaluate::Evaluator;
use crate::instance::{Frame, Instance, Scope, Type, Variable};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{ExpressionKind, Part, Reference, Statement, StatementKind};
use crate::value::Value;
use equations::Ex;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The values of variables when an algorithm begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begin {
    /// Start values.
    AtStart,
    /// Values before the event.
    BeforeEvent,
    /// Start values of Real variables, and values before the event of others.
    OfType,
}

impl Equations {
    /// Reads an algorithm: the variables that it assigns get their last values.
    ///
    /// # Errors
    /// It is wrong, or not supported.
    pub fn algorithm(
        &mut self,
        evaluator: &Evaluator<'_>,
        statements: &[Statement],
        scope: &Scope,
    ) -> Checked<()> {
        let Some(instance) = &scope.instance else { return Ok(()) };
        let result = evaluator
            .reading_equations(|| self.run(evaluator, (statements, false), instance, scope));
        self.take_assertions(evaluator, instance);
        self.equations.extend(result?);
        Ok(())
    }

    /// Reads an initial algorithm: the variables that it assigns have their last values at the
    /// start.
    ///
    /// # Errors
    /// It is wrong, or not supported.
    pub fn initial_algorithm(
        &mut self,
        evaluator: &Evaluator<'_>,
        statements: &[Statement],
        scope: &Scope,
    ) -> Checked<()> {
        let Some(instance) = &scope.instance else { return Ok(()) };
        let symbols = Rc::clone(&self.symbols);
        let run = || self.run(evaluator, (statements, true), instance, scope);
        let result = evaluator.reading_equations(|| symbols.without_events(run));
        self.take_assertions(evaluator, instance);
        self.take_initial(instance, result?);
        Ok(())
    }

    /// The equations of the variables that an algorithm, perhaps an initial one, assigns.
    fn run(
        &self,
        evaluator: &Evaluator<'_>,
        (statements, is_initial): (&[Statement], bool),
        instance: &Rc<Instance>,
        scope: &Scope,
    ) -> Checked<Vec<Equation>> {
        let mut assigned = Vec::new();
        assignments(statements, false, &mut assigned);
        let mut values: HashMap<Rc<str>, Value> = HashMap::new();
        let mut targets = Vec::new();
        for (reference, _) in &assigned {
            let [Part { name, .. }] = &reference.parts[..] else {
                let sentence = "an algorithm here assigns variables of its own class only";
                return Err(Complaint::at(&reference.span, sentence));
            };
            if values.contains_key(&name.text) {
                continue;
            }
            let plain = Part { name: name.clone(), subscripts: Vec::new() };
            let value =
                evaluator.member(instance, std::slice::from_ref(&plain), scope, &name.span)?;
            let in_when = assigned.iter().any(|(other, in_when)| {
                *in_when && other.parts.first().is_some_and(|part| part.name.text == name.text)
            });
            let before = value.sizes();
            let begin = match (in_when, is_initial) {
                (_, true) => Begin::AtStart,
                (true, false) => Begin::BeforeEvent,
                (false, false) => Begin::OfType,
            };
            let first = self.before_algorithm(evaluator, &value, begin, &name.span)?;
            targets.push((Rc::clone(&name.text), value, (before, in_when), name.span.clone()));
            values.insert(Rc::clone(&name.text), first);
        }
        let (values, outer) = (RefCell::new(values), scope.frame.clone());
        let frame = Frame { values, outer, is_of_algorithm: true };
        let inner = Scope { frame: Some(Rc::new(frame)), ..scope.clone() };
        evaluator.statements(statements, &inner)?;
        let mut equations = Vec::new();
        for (name, variable, (sizes, in_when), span) in targets {
            let value = inner.frame.as_ref().and_then(|frame| frame.get(&name));
            let Some(value) = value.filter(|value| value.sizes() == sizes) else {
                return Err(Complaint::at(&span, format!("{name} gets a value of another size")));
            };
            for (variable, value) in variable.scalars().iter().zip(value.scalars()) {
                let assigned = scalar_pairs(variable, &value, &span)?.into_iter();
                equations.extend(assigned.map(|equation| Equation {
                    assigns: true,
                    at_events: in_when,
                    ..equation
                }));
            }
        }
        Ok(equations)
    }

    /// The values of variables when an algorithm begins: those before the event of variables that
    /// change at events only, and start values of others.
    fn before_algorithm(
        &self,
        evaluator: &Evaluator<'_>,
        value: &Value,
        begin: Begin,
        span: &Span,
    ) -> Checked<Value> {
        let of = |value: &Value| {
            let number =
                self.variable_of(value.number().map_err(|why| Complaint::at(span, why))?, span)?;
            let variable = self.symbols.get(number).variable.clone();
            let kind = variable.as_ref().map(|variable| variable.kind.clone());
            let is_real = matches!(kind, Some(Type::Real));
            if begin == Begin::BeforeEvent || begin == Begin::OfType && !is_real {
                let pre = self.symbols.number(Meaning::Pre(number), variable.as_ref(), span);
                return Ok(kind.unwrap_or(Type::Real).value(self.symbols.ex(pre)));
            }
            let start =
                variable.map(|variable: Rc<Variable>| evaluator.attribute_of(&variable, "start"));
            let at = match &self.symbols.get(number).meaning {
                Meaning::Variable(name) => self.by_name.get(name).copied(),
                _ => None,
            };
            let start = match (start.transpose()?.flatten(), at) {
                (Some(start), Some(at)) => self.element(&start, at, span)?,
                _ => Ex::zero(),
            };
            Ok(kind.unwrap_or(Type::Real).value(start))
        };
        match value {
            Value::Array(elements) => {
                let each = elements.iter();
                each.map(|one| self.before_algorithm(evaluator, one, begin, span)).collect()
            }
            single => of(single),
        }
    }
}

/// The variables that statements assign, and whether they do so in a `when`.
fn assignments(statements: &[Statement], in_when: bool, found: &mut Vec<(Reference, bool)>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign(target, _) => found.push((target.clone(), in_when)),
            StatementKind::AssignSeveral(targets, _) => {
                for target in targets.iter().flatten() {
                    if let ExpressionKind::Reference(target) = &*target.kind {
                        found.push((target.clone(), in_when));
                    }
                }
            }
            StatementKind::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| assignments(body, in_when, found));
                assignments(otherwise, in_when, found);
            }
            StatementKind::When(branches) => {
                branches.iter().for_each(|(_, body)| assignments(body, true, found));
            }
            StatementKind::For(_, body) | StatementKind::While(_, body) => {
                assignments(body, in_when, found);
            }
            StatementKind::Call(_) | StatementKind::Break | StatementKind::Return => {}
        }
    }
}
