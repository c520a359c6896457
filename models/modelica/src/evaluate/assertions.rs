//! Assertions in functions, and the texts of messages that a running model gives, which are made
//! when the model is built.

use super::Evaluator;
use crate::instance::{Instance, Scope, Type};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{Arguments, Expression, ExpressionKind, Operator};
use crate::value::Value;
use std::rc::Rc;

impl Evaluator<'_> {
    /// An assertion: if it is known when the model is built, a warning becomes a note. That of a
    /// function that an equation calls belongs to the equation.
    pub(super) fn assertion(
        &self,
        arguments: &Arguments,
        scope: &Scope,
        span: &Span,
    ) -> Checked<()> {
        let Some(condition) = arguments.get(0, "condition") else {
            return Err(Complaint::at(span, "an assertion needs a condition"));
        };
        // An assertion causes no events.
        let without_events = ("noEvent", std::slice::from_ref(condition));
        let in_equation = self.unknowns().map(|of| of.call(self, without_events, scope, span));
        let truth = match in_equation.transpose()?.flatten() {
            Some(value) => value.truth().map_err(|why| Complaint::at(&condition.span, why))?,
            None => self.condition(condition, scope)?,
        };
        let is_open = truth.constant_value().is_none() && self.unknowns().is_some();
        if !is_open && self.known_truth(truth, &condition.span)? {
            return Ok(());
        }
        let message = arguments.get(1, "message");
        let known = message.filter(|_| !is_open).map(|message| self.value(message, scope));
        let message = match (known, message) {
            (Some(Ok(Value::Text(text))), _) => text.to_string(),
            (_, Some(message)) => self.message(message, scope)?,
            _ => format!("the assertion {} does not hold", condition.span.text()),
        };
        let level = arguments.get(2, "level").map(|level| self.value(level, scope)).transpose()?;
        let is_warning = matches!(level, Some(Value::Literal { number: 1, .. }));
        let note = match (is_open, is_warning) {
            (true, _) => {
                let condition_of_use = !self.used.get() | truth;
                self.assertions.borrow_mut().push((condition_of_use, message, is_warning));
                format!("the assertion {} is checked at the start only", condition.span.text())
            }
            (false, true) => {
                let (line, _) = span.line_and_column();
                format!("{}:{line}: {message}", span.file.path.display())
            }
            (false, false) => return Err(Complaint::at(span, message)),
        };
        let mut notes = self.notes.borrow_mut();
        if !notes.contains(&note) {
            notes.push(note);
        }
        Ok(())
    }

    /// The text of a message. A part whose value may differ while the model runs stands in it as
    /// its expression, which a note says: `the speed is motor.w`.
    ///
    /// # Errors
    /// A part has no value at all.
    pub(crate) fn message(&self, message: &Expression, scope: &Scope) -> Checked<String> {
        let (mut text, mut shown) = (String::new(), Vec::new());
        self.add_part(message, scope, &mut text, &mut shown)?;
        if !shown.is_empty() {
            let names = shown.join(" and ");
            let note = format!("the message \"{text}\" shows {names} without a value");
            let mut notes = self.notes.borrow_mut();
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        Ok(text)
    }

    fn add_part(
        &self,
        part: &Expression,
        scope: &Scope,
        text: &mut String,
        shown: &mut Vec<String>,
    ) -> Checked<()> {
        if let ExpressionKind::Binary(Operator::Add, left, right) = &*part.kind {
            self.add_part(left, scope, text, shown)?;
            return self.add_part(right, scope, text, shown);
        }
        // Numbers of parameters that only messages need may still be set.
        let needed = self.needed.borrow().clone();
        let value = self.value(part, scope);
        let is_constant = *self.needed.borrow() == needed;
        *self.needed.borrow_mut() = needed;
        match value {
            Ok(Value::Text(known)) if is_constant => *text += &known,
            Ok(other) if Type::of(&other).is_some_and(|of| !matches!(of, Type::Text)) => {
                let sentence = format!("the message is {}, not a String", other.kind());
                return Err(Complaint::at(&part.span, sentence));
            }
            _ => {
                let varying = match &*part.kind {
                    ExpressionKind::Call(function, arguments)
                        if function.span.text() == "String" =>
                    {
                        self.argument_of_text(arguments, scope)?.unwrap_or(part)
                    }
                    _ => part,
                };
                let words = varying.span.text().split_whitespace().collect::<Vec<_>>().join(" ");
                *text += &words;
                shown.push(words);
            }
        }
        Ok(())
    }

    /// The argument of `String(x)`, which has a value.
    fn argument_of_text<'a>(
        &self,
        arguments: &'a Arguments,
        scope: &Scope,
    ) -> Checked<Option<&'a Expression>> {
        let argument = arguments.positional.first();
        argument.map(|of| self.value(of, scope)).transpose()?;
        Ok(argument)
    }

    /// `getInstanceName()`: the names of the model and of the instance in whose text it stands.
    pub(super) fn instance_name(&self, scope: &Scope, span: &Span) -> Checked<Value> {
        let Some(instance) = &scope.instance else {
            let sentence = "getInstanceName() belongs into the text of a model";
            return Err(Complaint::at(span, sentence));
        };
        let outer = |instance: &Rc<Instance>| instance.parent.clone();
        let root = std::iter::successors(Some(Rc::clone(instance)), outer).last();
        let model = root.map(|root| Rc::clone(root.class.name())).unwrap_or_default();
        Ok(Value::Text(match &*instance.name {
            "" => model,
            name => format!("{model}.{name}").into(),
        }))
    }
}
