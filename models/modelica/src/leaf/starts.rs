//! The start values that a text gives to variables of our components.

use super::{Reader, choice};
use crate::instance::{Content, check_attributes};
use crate::modifier::Modifier;
use crate::source::{Checked, Complaint, Span};
use crate::syntax::Variability;
use crate::value::Value;
use mechanics::declaration::{self, Parameter};
use mechanics::start::Start;

impl Reader<'_> {
    /// The start value of a variable: `phi(start = 1, fixed = true)`, or that of a parameter such
    /// as `y_start`.
    pub(super) fn start(&self, name: &str) -> Checked<Option<declaration::Value>> {
        let member = self.member(name)?;
        if member.is_some_and(|of| of.declaration.variability == Variability::Parameter) {
            return self.start_of_block(name);
        }
        let Some(modifier) = self.given(name) else { return Ok(None) };
        let span = self.place(modifier);
        let Some((starts, fixed)) = self.attributes(name, modifier)? else {
            return Ok(None);
        };
        let [value] = self.numbers::<1>(&starts, &span)?;
        let [is_fixed] = self.truths::<1>(&fixed, &span)?;
        Ok(start(value, is_fixed, modifier).map(declaration::Value::Start))
    }

    /// The truth value with which a variable starts: `off(start = true)`.
    pub(super) fn first_truth(&self, attribute: &str) -> Checked<Option<declaration::Value>> {
        let Some(modifier) = self.given(attribute) else { return Ok(None) };
        let Some(binding) = &modifier.value else { return Ok(None) };
        let value = self.evaluator.bound(binding)?;
        let [truth] = self.truths::<1>(&value, &self.place(modifier))?;
        Ok(Some(declaration::Value::Boolean(truth)))
    }

    /// The attributes `start` and `fixed` of a variable if one of them is given.
    pub(super) fn attributes(
        &self,
        name: &str,
        modifier: &Modifier,
    ) -> Checked<Option<(Value, Value)>> {
        if let Some(binding) = &modifier.value {
            let sentence = format!("{name} is a variable: an equation for it is not supported");
            return Err(Complaint::at(&binding.expression.span, sentence));
        }
        check_attributes(modifier)?;
        let has = |name| modifier.elements.contains_key(name);
        if !has("start") && !has("fixed") {
            return Ok(None);
        }
        let whole = match self.member(name)? {
            Some(member) => match self.evaluator.content(self.instance, &member)? {
                Content::Variable(variable) => variable.modifier.clone(),
                _ => modifier.clone(),
            },
            None => modifier.clone(),
        };
        let start = self.evaluator.attribute(&whole, "start")?.unwrap_or(Value::from(0.0));
        let fixed = self.evaluator.attribute(&whole, "fixed")?.unwrap_or(Value::from(false));
        Ok(Some((start, fixed)))
    }

    pub(super) fn numbers<const N: usize>(&self, value: &Value, span: &Span) -> Checked<[f64; N]> {
        let scalars = if value.is_scalar() { vec![value.clone(); N] } else { value.scalars() };
        let numbers = scalars.iter().map(|scalar| {
            let value = scalar.real().map_err(|why| Complaint::at(span, why))?;
            self.evaluator.number(value, span)
        });
        let numbers = numbers.collect::<Checked<Vec<_>>>()?;
        let count = numbers.len();
        numbers.try_into().map_err(|_| Complaint::at(span, format!("{count} values, not {N}")))
    }

    pub(super) fn truths<const N: usize>(&self, value: &Value, span: &Span) -> Checked<[bool; N]> {
        let scalars = if value.is_scalar() { vec![value.clone(); N] } else { value.scalars() };
        let truths = scalars.iter().map(|scalar| match scalar {
            Value::Boolean(truth) => truth.constant_value(),
            _ => None,
        });
        let truths = truths.collect::<Option<Vec<_>>>();
        truths
            .and_then(|truths| truths.try_into().ok())
            .ok_or_else(|| Complaint::at(span, format!("{N} truth values are expected")))
    }

    /// Start values of a vector: attributes of the variable, or the parameters `w_0_start` and
    /// `w_0_fixed`.
    pub(super) fn starts(&self, name: &str) -> Checked<Option<declaration::Value>> {
        let (starts, fixed, modifier) = match name.strip_suffix("_start") {
            Some(stem) => {
                let flag = format!("{stem}_fixed");
                let Some(modifier) = self.given(name).or_else(|| self.given(&flag)) else {
                    return Ok(None);
                };
                let span = self.place(modifier);
                let is_fixed = self.truths::<1>(&self.value(&flag)?, &span)?[0];
                // Without the initial condition, the value is a guess.
                let fixed = Value::from(is_fixed);
                (self.value(name)?, fixed, modifier)
            }
            None if self.given(&format!("{name}_1")).is_some()
                || self.given(&format!("{name}_2")).is_some()
                || self.given(&format!("{name}_3")).is_some() =>
            {
                return self.starts_of_scalars(name).map(Some);
            }
            None => {
                let Some(modifier) = self.given(name) else { return Ok(None) };
                let Some((starts, fixed)) = self.attributes(name, modifier)? else {
                    return Ok(None);
                };
                (starts, fixed, modifier)
            }
        };
        let span = self.place(modifier);
        let values = self.numbers::<3>(&starts, &span)?;
        let are_fixed = self.truths::<3>(&fixed, &span)?;
        let of = |(value, is_fixed): (f64, bool)| {
            let start = Start { value, fixed: is_fixed, given: !is_fixed };
            declaration::Value::Start(start)
        };
        Ok(Some(declaration::Value::List(values.into_iter().zip(are_fixed).map(of).collect())))
    }

    /// Start values of the variables `angle_1`, `angle_2` and `angle_3`.
    fn starts_of_scalars(&self, name: &str) -> Checked<declaration::Value> {
        let start = |k: usize| {
            let name = format!("{name}_{k}");
            let attributes = match self.given(&name) {
                Some(modifier) => self.attributes(&name, modifier)?.map(|of| (of, modifier)),
                None => None,
            };
            let Some(((start, fixed), modifier)) = attributes else {
                return Ok(declaration::Value::Start(mechanics::start::free()));
            };
            let span = self.place(modifier);
            let [value] = self.numbers::<1>(&start, &span)?;
            let [fixed] = self.truths::<1>(&fixed, &span)?;
            Ok(declaration::Value::Start(Start { value, fixed, given: !fixed }))
        };
        Ok(declaration::Value::List([1, 2, 3].map(start).into_iter().collect::<Checked<_>>()?))
    }

    /// `stateSelect = StateSelect.always`.
    pub(super) fn state_select(&self, name: &str) -> Checked<Option<declaration::Value>> {
        if self.given(name).is_none() || self.member(name)?.is_none() {
            return Ok(None);
        }
        Ok(match self.value(name)? {
            Value::Literal { name, .. } if &*name == "never" => {
                Some(declaration::Value::Text("Avoid".to_owned()))
            }
            Value::Literal { name, .. } => Some(declaration::Value::Text(choice(&name))),
            _ => None,
        })
    }

    /// `angle_1_stateSelect`, `angle_2_stateSelect` and `angle_3_stateSelect`.
    pub(super) fn state_selects(
        &self,
        parameter: &'static Parameter,
    ) -> Checked<Option<declaration::Value>> {
        let stem = parameter.name.strip_suffix("_states").unwrap_or(parameter.name);
        let choice = |k: usize| self.state_select(&format!("{stem}_{k}_stateSelect"));
        let choices = [1, 2, 3].map(choice).into_iter().collect::<Checked<Vec<_>>>()?;
        if choices.iter().all(Option::is_none) {
            return Ok(None);
        }
        let avoid = || declaration::Value::Text("Avoid".to_owned());
        let choices = choices.into_iter().map(|choice| choice.unwrap_or_else(avoid));
        Ok(Some(declaration::Value::List(choices.collect())))
    }

    /// The start value of a block: `y_start`, which `initType` makes an initial condition, also by
    /// its default.
    fn start_of_block(&self, name: &str) -> Checked<Option<declaration::Value>> {
        let init = self.init_type()?;
        let is_given = self.given(name).is_some();
        let is_condition = matches!(init.as_deref(), None | Some("InitialState"));
        if !is_given && is_condition && self.given("initType").is_none() {
            return Ok(None);
        }
        let span = self.given(name).map(|modifier| self.place(modifier));
        let span = span.unwrap_or_else(|| self.leaf.text.syntax.name.span.clone());
        let [value] = self.numbers::<1>(&self.value(name)?, &span)?;
        let is_fixed = match init.as_deref() {
            Some("InitialOutput") if name == "x_start" => false,
            None | Some("InitialState" | "InitialOutput") => true,
            Some("NoInit" | "SteadyState") => false,
            Some(other) => {
                return Err(Complaint::at(&span, format!("Init.{other} is not supported")));
            }
        };
        let given = is_given && !is_fixed;
        Ok(Some(declaration::Value::Start(Start { value, fixed: is_fixed, given })))
    }

    pub(super) fn steady_state(&self) -> Checked<Option<declaration::Value>> {
        let init = self.init_type()?;
        Ok((init.as_deref() == Some("SteadyState")).then_some(declaration::Value::Boolean(true)))
    }

    fn init_type(&self) -> Checked<Option<String>> {
        if self.member("initType")?.is_none() {
            return Ok(None);
        }
        Ok(match self.value("initType")? {
            Value::Literal { name, .. } => Some(name.to_string()),
            _ => None,
        })
    }
}

/// A start value; an attribute `fixed = false` alone says nothing.
fn start(value: f64, fixed: bool, modifier: &Modifier) -> Option<Start> {
    let is_given = modifier.elements.contains_key("start");
    (fixed || is_given).then_some(Start { value, fixed, given: !fixed })
}
