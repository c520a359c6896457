//! The attributes of variables: their values, of the types that attributes have.

use super::Evaluator;
use crate::instance::{Type, Variable};
use crate::modifier::Modifier;
use crate::source::{Checked, Complaint};
use crate::value::Value;

impl Evaluator<'_> {
    /// An attribute of a variable, whose type is not known.
    ///
    /// # Errors
    /// It has no value, or one of another type than the attribute has.
    pub fn attribute(&self, modifier: &Modifier, name: &str) -> Checked<Option<Value>> {
        self.typed_attribute(modifier, name, None)
    }

    /// An attribute of a variable.
    ///
    /// # Errors
    /// It has no value, or one of another type than the attribute has.
    pub fn attribute_of(&self, variable: &Variable, name: &str) -> Checked<Option<Value>> {
        self.typed_attribute(&variable.modifier, name, Some(variable))
    }

    fn typed_attribute(
        &self,
        modifier: &Modifier,
        name: &str,
        variable: Option<&Variable>,
    ) -> Checked<Option<Value>> {
        let binding = modifier.elements.get(name).and_then(|of| of.value.as_ref());
        let Some(binding) = binding else { return Ok(None) };
        let value = self.bound(binding)?;
        let (fits, wanted) = match (name, variable) {
            ("fixed" | "unbounded", _) => (Type::Boolean.misfit(&value).is_none(), "a Boolean"),
            ("unit" | "displayUnit" | "quantity", _) => {
                (Type::Text.misfit(&value).is_none(), "a String")
            }
            ("stateSelect", _) => (is_state_select(&value), "a value of StateSelect"),
            (_, Some(variable)) => {
                let kind = &variable.kind;
                (kind.misfit(&value).is_none(), &*kind.name())
            }
            _ => (true, ""),
        };
        if fits {
            return Ok(Some(value));
        }
        let of = variable.map_or(String::new(), |variable| format!(" of {}", variable.name));
        let sentence = format!("the attribute {name}{of} is {wanted}, not {}", value.kind());
        Err(Complaint::at(&binding.expression.span, sentence))
    }
}

fn is_state_select(value: &Value) -> bool {
    let is_literal =
        |of: &Value| matches!(of, Value::Literal { of, .. } if &*of.path == "StateSelect");
    value.scalars().iter().all(is_literal)
}
