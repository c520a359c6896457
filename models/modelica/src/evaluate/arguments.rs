//! The arguments of calls: their types and sizes, and arrays of what a function takes.

use super::Evaluator;
use super::call::Named;
use crate::instance::{Instance, Kind, Member, Scope, kind_of};
use crate::library::ClassNode;
use crate::modifier::Modifier;
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{Causality, ClassKind, Expression, ExpressionKind, Subscript};
use crate::value::{Value, array_of};
use std::rc::Rc;

impl Evaluator<'_> {
    /// The first result of a function: an array of results if an argument is an array of what the
    /// function takes.
    pub(super) fn call_elements(
        &self,
        (class, within): (&Rc<ClassNode>, Option<&Rc<Instance>>),
        positional: Vec<Value>,
        named: Named,
        span: &Span,
    ) -> Checked<Value> {
        let instance = Instance::new(class.path.to_string(), class, Modifier::default(), within);
        let inputs = instance.members(self.library)?.list.iter();
        let inputs: Vec<&Rc<Member>> = inputs.filter(|of| is_input(of, class)).collect();
        let is_longer = |member: Option<&&Rc<Member>>, value: &Value| match member {
            Some(member) => {
                let dimensions = member.sizes(self.library)?.len();
                Ok(!value.is_scalar() && value.sizes().len() > dimensions)
            }
            None => Ok(false),
        };
        let mut longer = Vec::new();
        for (k, value) in positional.iter().enumerate() {
            longer.push(is_longer(inputs.get(k), value)?);
        }
        for (name, value) in &named {
            let input = inputs.iter().find(|of| of.declaration.name.text == *name);
            longer.push(is_longer(input, value)?);
        }
        let values = positional.iter().chain(named.iter().map(|(_, value)| value));
        let arrays = values.zip(&longer).filter(|(_, longer)| **longer);
        let sizes: Vec<usize> = arrays.filter_map(|(of, _)| of.sizes().first().copied()).collect();
        let Some(size) = sizes.first() else {
            let results = self.call_values((class, within), positional, named, span)?;
            let missing = || Complaint::at(span, format!("{} has no result", class.path));
            return results.into_iter().next().ok_or_else(missing);
        };
        if let Some(other) = sizes.iter().find(|other| *other != size) {
            let sentence = format!("arrays of {size} and {other} elements do not fit");
            return Err(Complaint::at(span, sentence));
        }
        let element = |k: usize| {
            let at = |value: &Value, number: usize| match value {
                Value::Array(elements) if longer[number] => elements[k].clone(),
                whole => whole.clone(),
            };
            let count = positional.len();
            let some = positional.iter().enumerate().map(|(number, value)| at(value, number));
            let others = named.iter().enumerate();
            let others = others.map(|(k, (name, of))| (Rc::clone(name), at(of, count + k)));
            self.call_elements((class, within), some.collect(), others.collect(), span)
        };
        let results = (0..*size).map(element).collect::<Checked<_>>()?;
        array_of(results).map_err(|why| Complaint::at(span, why))
    }

    /// The sizes of an array without elements, as its text says them: `fill(0.0, 0, 2)`.
    pub(super) fn sizes_without_elements(
        &self,
        array: &Expression,
        scope: &Scope,
        depth: usize,
    ) -> Checked<Option<Vec<Value>>> {
        match &*array.kind {
            ExpressionKind::Call(function, arguments) => {
                let name = function.parts.first().map(|part| &*part.name.text);
                let sizes = match (name, &arguments.positional[..]) {
                    (Some("fill"), [_, sizes @ ..]) | (Some("zeros" | "ones"), sizes) => sizes,
                    _ => return Ok(None),
                };
                sizes.iter().map(|size| self.value(size, scope)).collect::<Checked<_>>().map(Some)
            }
            ExpressionKind::Reference(reference) if depth < 20 => {
                let ([part], Some(instance)) = (&reference.parts[..], &scope.instance) else {
                    return Ok(None);
                };
                let member = instance.members(self.library)?.get(&part.name.text).cloned();
                match member.as_ref().and_then(|member| member.modifier.value.as_ref()) {
                    Some(of) => self.sizes_without_elements(&of.expression, &of.scope, depth + 1),
                    None => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// Refuses a value of another type or of other sizes than those of an input.
    pub(super) fn check_input(
        &self,
        (class, member): (&Rc<ClassNode>, &Rc<Member>),
        value: &Value,
        scope: &Scope,
        span: &Span,
    ) -> Checked<()> {
        self.check_sizes((class, member), value, scope, span)?;
        self.check_type((class, member), value, span)
    }

    /// Refuses a value of another type than that of a variable of a function or of a record.
    pub(super) fn check_type(
        &self,
        (class, member): (&Rc<ClassNode>, &Rc<Member>),
        value: &Value,
        span: &Span,
    ) -> Checked<()> {
        let Kind::Type(kind) = kind_of(self.library, &member.class)? else { return Ok(()) };
        match kind.misfit(value) {
            None => Ok(()),
            Some(other) => {
                let (name, path) = (&member.declaration.name.text, &class.path);
                let sentence = format!("{name} of {path} is {}, not {}", kind.name(), other.kind());
                Err(Complaint::at(span, sentence))
            }
        }
    }

    /// Refuses a value of other sizes than those that an input or a result declares.
    pub(super) fn check_sizes(
        &self,
        (class, member): (&Rc<ClassNode>, &Rc<Member>),
        value: &Value,
        scope: &Scope,
        span: &Span,
    ) -> Checked<()> {
        let (declared, given) = (member.sizes(self.library)?, value.sizes());
        let refuse = |wanted: String| {
            let (name, path) = (&member.declaration.name.text, &class.path);
            let sentence = format!("{name} of {path} has {wanted}, its value the sizes {given:?}");
            Err(Complaint::at(span, sentence))
        };
        let is_empty = given.contains(&0);
        if given.len() != declared.len() && !is_empty {
            return refuse(format!("{} dimensions", declared.len()));
        }
        for (size, given) in declared.iter().zip(&given) {
            let Subscript::Index(expression) = &size.subscript else { continue };
            let frame = size.scope.instance.is_some().then(|| scope.frame.clone()).flatten();
            let wanted = self.size(expression, &Scope { frame, ..size.scope.clone() })?;
            if wanted != *given && !is_empty {
                return refuse(format!("a size of {wanted}"));
            }
        }
        Ok(())
    }
}

/// Whether an element of a function or of a record takes an argument of a call.
pub(super) fn is_input(member: &Member, class: &ClassNode) -> bool {
    match class.syntax.kind {
        ClassKind::Function => member.declaration.causality == Some(Causality::Input),
        _ => !member.is_final && !member.protected,
    }
}
