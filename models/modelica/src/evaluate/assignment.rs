//! Assignments of statements: to variables, to their elements, and to components of records.

use super::reference::is_position;
use super::{Chosen, Evaluator};
use crate::instance::{Scope, Type};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{Part, Reference, Subscript, Word};
use crate::value::{Value, chosen};
use std::rc::Rc;

impl Evaluator<'_> {
    /// Assigns a value to a variable, to an element of it, or to a component of a record.
    pub(super) fn assign(&self, target: &Reference, value: Value, scope: &Scope) -> Checked<()> {
        let unknown =
            |name: &Word| Complaint::at(&name.span, format!("there is no variable {}", name.text));
        let Some((first, rest)) = target.parts.split_first() else { return Ok(()) };
        let frame = scope.frame.as_ref().ok_or_else(|| unknown(&first.name))?;
        let old = frame.get(&first.name.text).ok_or_else(|| unknown(&first.name))?;
        let new = self.replaced(&old, &first.subscripts, rest, value, scope, &target.span)?;
        frame.set(&first.name.text, &new);
        Ok(())
    }

    fn replaced(
        &self,
        old: &Value,
        subscripts: &[Subscript],
        rest: &[Part],
        new: Value,
        scope: &Scope,
        span: &Span,
    ) -> Checked<Value> {
        if let Some((subscript, others)) = subscripts.split_first() {
            let mut elements = old.elements().map_err(|why| Complaint::at(span, why))?.to_vec();
            match self.chosen_indices(subscript, elements.len(), scope, span)? {
                Chosen::One(k) => {
                    elements[k] = self.replaced(&elements[k], others, rest, new, scope, span)?;
                }
                Chosen::Varying(index) => {
                    for (k, element) in elements.iter_mut().enumerate() {
                        let new = new.clone();
                        let new = self.replaced(element, others, rest, new, scope, span)?;
                        let value = chosen(is_position(index, k), &new, element);
                        *element = value.map_err(|why| Complaint::at(span, why))?;
                    }
                }
                Chosen::Several(several) => {
                    let news = new.elements().map_err(|why| Complaint::at(span, why))?;
                    if news.len() != several.len() {
                        return Err(Complaint::at(span, "the sizes of both sides differ"));
                    }
                    for (k, new) in several.into_iter().zip(news) {
                        let new = new.clone();
                        elements[k] =
                            self.replaced(&elements[k], others, rest, new, scope, span)?;
                    }
                }
            }
            return Ok(elements.into_iter().collect());
        }
        let Some((part, others)) = rest.split_first() else {
            let Some(kind) = old.first().and_then(Type::of) else { return Ok(new) };
            if let Some(other) = kind.misfit(&new) {
                let (kind, text) = (kind.name(), span.text());
                let sentence = format!("{text} is {kind}, not {}", other.kind());
                return Err(Complaint::at(span, sentence));
            }
            return Ok(if matches!(kind, Type::Real) { new.with_reals() } else { new });
        };
        let Value::Record(fields) = old else {
            return Err(Complaint::at(span, format!("{} is no record", old.kind())));
        };
        let mut fields = (**fields).clone();
        let field = fields.iter_mut().find(|(name, _)| *name == part.name.text);
        let (_, field) =
            field.ok_or_else(|| Complaint::at(span, format!("no element {}", part.name.text)))?;
        *field = self.replaced(field, &part.subscripts, others, new, scope, span)?;
        Ok(Value::Record(Rc::new(fields)))
    }
}
