//! Texts of messages that a running model gives: they are made when the model is built.

use super::Evaluator;
use crate::instance::{Instance, Scope};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{Arguments, Expression, ExpressionKind, Operator};
use crate::value::Value;
use std::rc::Rc;

impl Evaluator<'_> {
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
