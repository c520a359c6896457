//! Ranges, iterators, and what is made with them: arrays and reductions.

use super::{Evaluator, builtin, reference};
use crate::instance::{Kind, Scope, Type, kind_of};
use crate::source::{Checked, Complaint};
use crate::syntax::{Body, Expression, ExpressionKind, ForIndex, Name, Operator};
use crate::value::{MOST_ELEMENTS, Value, array_of, binary};
use std::rc::Rc;

impl Evaluator<'_> {
    pub(super) fn range(
        &self,
        first: &Expression,
        step: Option<&Expression>,
        last: &Expression,
        scope: &Scope,
    ) -> Checked<Value> {
        let span = first.span.to(&last.span);
        let known = |of: &Expression| self.settled(self.value(of, scope)?, &of.span);
        let (a, b) = (known(first)?, known(last)?);
        let by = step.map(known).transpose()?;
        let by = by.unwrap_or(Value::Integer(1));
        let too_many = || Complaint::at(&span, "the range has too many elements");
        let literal = |value: &Value| match value {
            Value::Literal { of, number, .. } => Some((Rc::clone(of), *number)),
            _ => None,
        };
        if let (Some((of, a)), Some((_, b))) = (literal(&a), literal(&b)) {
            return (a..=b).map(|k| reference::literal(&of, k, &span)).collect();
        }
        if let (Value::Integer(a), Value::Integer(b), Value::Integer(by)) = (&a, &b, &by) {
            if *by == 0 {
                return Err(Complaint::at(&span, "the step of a range must not be zero"));
            }
            let way = (i128::from(*b) - i128::from(*a)) * i128::from(by.signum());
            let count = if way < 0 { 0 } else { way / i128::from(*by).abs() + 1 };
            if count > MOST_ELEMENTS as i128 {
                return Err(too_many());
            }
            let values = (0..count.max(0)).map(|k| a + i64::try_from(k).unwrap_or(0) * by);
            return Ok(values.map(Value::Integer).collect());
        }
        let number = |value: &Value| {
            let value = value.real().map_err(|why| Complaint::at(&span, why))?;
            self.number(value, &span)
        };
        let (a, b, by) = (number(&a)?, number(&b)?, number(&by)?);
        let count = ((b - a) / by * (1.0 + 1e-12)).floor();
        if !count.is_finite() || count > MOST_ELEMENTS as f64 {
            return Err(too_many());
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is small")]
        let count = if count < 0.0 { 0 } else { count as usize + 1 };
        #[allow(clippy::cast_precision_loss, reason = "it is small")]
        Ok((0..count).map(|k| Value::from(a + k as f64 * by)).collect())
    }

    /// Does something for each value of the indices, the first index being the outermost loop.
    pub(crate) fn for_each(
        &self,
        indices: &[ForIndex],
        scope: &Scope,
        body: &mut dyn FnMut(&Scope) -> Checked<()>,
    ) -> Checked<()> {
        let Some((index, rest)) = indices.split_first() else { return body(scope) };
        let Some(range) = &index.range else {
            let sentence = format!("the range of {} must be given", index.name.text);
            return Err(Complaint::at(&index.name.span, sentence));
        };
        let values = self.iterated(range, scope)?;
        for value in values.iter() {
            self.count_step(&range.span)?;
            self.for_each(rest, &scope.with(&index.name.text, value.clone()), body)?;
        }
        Ok(())
    }

    /// The scopes of the iterations of a loop.
    pub(crate) fn scopes(&self, indices: &[ForIndex], scope: &Scope) -> Checked<Vec<Scope>> {
        let mut scopes = Vec::new();
        self.for_each(indices, scope, &mut |inner| {
            scopes.push(inner.clone());
            if scopes.len() > MOST_ELEMENTS {
                let sentence = format!("a loop of more than {MOST_ELEMENTS} iterations");
                return Err(Complaint::at(&indices[0].name.span, sentence));
            }
            Ok(())
        })?;
        Ok(scopes)
    }

    /// The values over which a loop runs: those of an array, or all of a type.
    fn iterated(&self, range: &Expression, scope: &Scope) -> Checked<Rc<Vec<Value>>> {
        if let Some(all) = self.values_of_type(range, scope)? {
            return Ok(Rc::new(all));
        }
        match self.value(range, scope)? {
            Value::Array(values) => Ok(values),
            other => Err(Complaint::at(&range.span, format!("{} is no array", other.kind()))),
        }
    }

    /// All values of a type that an expression names: an enumeration or `Boolean`.
    pub(super) fn values_of_type(
        &self,
        expression: &Expression,
        scope: &Scope,
    ) -> Checked<Option<Vec<Value>>> {
        let ExpressionKind::Reference(of) = &*expression.kind else { return Ok(None) };
        if of.parts.iter().any(|part| !part.subscripts.is_empty()) || self.is_value(of, scope)? {
            return Ok(None);
        }
        let parts = of.parts.iter().map(|part| part.name.clone()).collect();
        let name = Name { from_root: of.from_root, parts, span: of.span.clone() };
        let Ok(class) = self.class(&name, scope) else { return Ok(None) };
        Ok(match kind_of(self.library, &class)? {
            Kind::Type(Type::Boolean) => Some(vec![Value::from(false), Value::from(true)]),
            Kind::Type(Type::Enumeration(class)) => {
                let count = match &class.syntax.body {
                    Body::Enumeration(literals) => literals.len(),
                    _ => 0,
                };
                let literal = |k| reference::literal(&class, k, &expression.span);
                let numbers = 1..=i64::try_from(count).unwrap_or(0);
                Some(numbers.map(literal).collect::<Checked<_>>()?)
            }
            _ => None,
        })
    }

    /// `{e for i in a, j in b}`, which is `{{e for i in a} for j in b}`.
    pub(super) fn comprehension(
        &self,
        body: &Expression,
        indices: &[ForIndex],
        scope: &Scope,
    ) -> Checked<Value> {
        let Some((last, inner)) = indices.split_last() else { return self.value(body, scope) };
        let at = |why: String| Complaint::at(&body.span, why);
        let mut values: Vec<Value> = Vec::new();
        self.for_each(std::slice::from_ref(last), scope, &mut |scope| {
            values.push(self.comprehension(body, inner, scope)?);
            let of_one = values[0].sizes().iter().product::<usize>();
            match values.len().saturating_mul(of_one) > MOST_ELEMENTS {
                true => Err(at(format!("an array of more than {MOST_ELEMENTS} elements"))),
                false => Ok(()),
            }
        })?;
        array_of(values).map_err(at)
    }

    /// `sum(e for i in a, j in b)`, and the same with `product`, `min` and `max`.
    pub(super) fn reduction(
        &self,
        name: &str,
        (body, indices): (&Expression, &[ForIndex]),
        scope: &Scope,
    ) -> Checked<Value> {
        let at = |why: String| Complaint::at(&body.span, why);
        let mut values: Vec<Value> = Vec::new();
        let outermost_first: Vec<ForIndex> = indices.iter().rev().cloned().collect();
        self.for_each(&outermost_first, scope, &mut |scope| {
            values.push(self.value(body, scope)?);
            match values.len() > MOST_ELEMENTS {
                true => Err(at(format!("{name} of more than {MOST_ELEMENTS} elements"))),
                false => Ok(()),
            }
        })?;
        match values.iter().all(Value::is_scalar) {
            true => {
                let number = |value| self.number(value, &body.span);
                builtin::call(name, &[array_of(values).map_err(at)?], &number).map_err(at)
            }
            false if name == "sum" => {
                let mut values = values.into_iter();
                let first = values.next().unwrap_or(Value::Integer(0));
                values.try_fold(first, |a, b| binary(Operator::Add, &a, &b)).map_err(at)
            }
            false => Err(at(format!("{name} with iterators is defined for scalars only"))),
        }
    }
}
