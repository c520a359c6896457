//! The parameters of a model: those that importers see, and the check of all of them.

use crate::equations::indexed;
use crate::evaluate::{Evaluator, ModelParameter};
use crate::instance::{Content, Instance, Member, Type, Variable};
use crate::leaf::leaf_of;
use crate::source::{Checked, Complaint, Complaints};
use crate::syntax::Variability;
use crate::value::Value;
use equations::{Ex, Limits};
use std::rc::Rc;

/// A parameter of the model.
pub(super) struct Parameter {
    pub name: String,
    pub symbol: Ex,
    pub value: f64,
    pub unit: String,
    pub description: String,
    /// The range of its values.
    pub limits: Limits,
}

/// The parameters that importers can set, in the order of their use.
pub(super) fn settable(evaluator: &Evaluator<'_>) -> Checked<Vec<Parameter>> {
    let parameter = |of: &ModelParameter| {
        Ok(Parameter {
            name: of.name.clone(),
            symbol: of.symbol,
            value: of.value,
            unit: unit(evaluator, &of.variable)?,
            description: of.variable.description.clone(),
            limits: limits(evaluator, &of.variable, &of.name)?,
        })
    };
    evaluator.parameters.borrow().iter().map(parameter).collect()
}

/// The parameters that follow from others, each element of an array for itself.
pub(super) fn calculated(evaluator: &Evaluator<'_>) -> Checked<Vec<Parameter>> {
    let mut all = Vec::new();
    for (variable, value) in evaluator.calculated.borrow().iter() {
        let unit = unit(evaluator, variable)?;
        for (name, value) in elements(variable, value) {
            let Value::Real(symbol) = value else { continue };
            if !evaluator.parameters_in(symbol).is_empty() {
                let (unit, description) = (unit.clone(), variable.description.clone());
                let limits = limits(evaluator, variable, &name)?;
                all.push(Parameter { name, symbol, value: f64::NAN, unit, description, limits });
            }
        }
    }
    Ok(all)
}

/// The elements of the value of a variable with their names, in row-major order.
fn elements(variable: &Variable, value: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    let mut open = vec![(variable.name.clone(), value.clone())];
    while let Some((name, value)) = open.pop() {
        match &value {
            Value::Array(elements) => {
                let named = elements.iter().enumerate().rev();
                open.extend(
                    named.map(|(k, element)| {
                        (indexed(&name, &variable.name, k + 1), element.clone())
                    }),
                );
            }
            _ => all.push((name, value)),
        }
    }
    all
}

/// The smallest and the largest value of a parameter, which may be an element of an array.
fn limits(evaluator: &Evaluator<'_>, variable: &Variable, element: &str) -> Checked<Limits> {
    let limit = |name: &str, otherwise: f64| match evaluator.attribute_of(variable, name)? {
        Some(all) => {
            let mut each = elements(variable, &all).into_iter();
            let own = each.find(|(name, _)| name == element).map(|(_, limit)| limit);
            let limit = own.unwrap_or(all);
            let limit = limit.real().map_err(|why| Complaint::at(&variable.span, why))?;
            evaluator.number(limit, &variable.span)
        }
        None => Ok(otherwise),
    };
    Ok(Limits::between(limit("min", f64::NEG_INFINITY)?, limit("max", f64::INFINITY)?))
}

/// The unit of a parameter, `1` if it has none.
fn unit(evaluator: &Evaluator<'_>, variable: &Variable) -> Checked<String> {
    Ok(match evaluator.attribute_of(variable, "unit")? {
        Some(Value::Text(unit)) if !unit.is_empty() => unit.to_string(),
        _ => "1".to_owned(),
    })
}

/// Checks all parameters and constants of the model and of the components whose texts are read,
/// also those that nothing has used, which have no value so far. The result is what users should
/// know.
pub(super) fn check_all(
    evaluator: &Evaluator<'_>,
    root: &Rc<Instance>,
) -> Result<Vec<String>, Complaints> {
    let (unused, notes, complaints) = (Vec::new(), Vec::new(), Vec::new());
    let mut check = Check { evaluator, unused, notes, complaints };
    check.instance(root, false);
    if !check.complaints.is_empty() {
        return Err(check.complaints);
    }
    if !check.unused.is_empty() {
        let names = check.unused.join(", ");
        let note = format!("parameters without influence, which the FMU does not have: {names}");
        check.notes.push(note);
    }
    Ok(check.notes)
}

/// A check of the parameters of instances.
struct Check<'e> {
    evaluator: &'e Evaluator<'e>,
    /// The parameters of the model without influence.
    unused: Vec<String>,
    notes: Vec<String>,
    complaints: Complaints,
}

impl Check<'_> {
    /// The parameters of an instance; in a record that is a parameter, all variables are.
    fn instance(&mut self, instance: &Rc<Instance>, is_parameter: bool) {
        match leaf_of(self.evaluator, instance) {
            Ok(None) => {}
            _ => return,
        }
        let Ok(members) = instance.members(self.evaluator.library) else { return };
        for member in members.list.iter().filter(|member| member.inner || !member.outer) {
            let Ok(content) = self.evaluator.content(instance, member) else { continue };
            let of = member.declaration.variability;
            let is_fixed = matches!(of, Variability::Parameter | Variability::Constant);
            self.content(instance, (member, &content), is_parameter || is_fixed);
        }
    }

    fn content(
        &mut self,
        instance: &Rc<Instance>,
        (member, content): (&Rc<Member>, &Content),
        is_parameter: bool,
    ) {
        match content {
            Content::Absent => {}
            Content::Variable(variable) if is_parameter => {
                if let Err(complaint) = self.variable(instance, variable) {
                    self.complaints.push(complaint);
                }
            }
            Content::Variable(_) => {}
            Content::Instance(inner) => {
                let binding = inner.modifier.value.as_ref().filter(|_| is_parameter);
                // The elements of a record with a value are those of the value.
                if binding.is_none() {
                    self.instance(inner, is_parameter);
                }
                if let Some(binding) = binding {
                    let value = self.evaluator.bound(binding);
                    let is_other = |value: &Value| !matches!(value, Value::Record(_));
                    self.complaints.extend(match value {
                        Ok(value) if is_other(&value) => {
                            let sentence =
                                format!("{} is a record, not {}", inner.name, value.kind());
                            Some(Complaint::at(&binding.expression.span, sentence))
                        }
                        Ok(_) => None,
                        Err(complaint) => Some(complaint),
                    });
                }
            }
            Content::Array(all) => {
                all.iter().for_each(|one| self.content(instance, (member, one), is_parameter));
            }
        }
    }

    fn variable(&mut self, instance: &Rc<Instance>, variable: &Rc<Variable>) -> Checked<()> {
        let evaluator = self.evaluator;
        for name in ["unit", "displayUnit", "quantity"] {
            evaluator.attribute_of(variable, name)?;
        }
        let is_of_model = instance.name.is_empty() && !variable.is_final;
        // In an array, an outer component may be the one that `each` means.
        let binding = variable.modifier.value.as_ref();
        if binding.is_some_and(|of| of.has_each())
            && variable.sizes.is_empty()
            && !variable.name.contains('[')
        {
            self.notes.push(format!("each has no influence: {} is no array", variable.name));
        }
        if variable.value.get().is_none() {
            if is_of_model && variable.variability == Variability::Parameter {
                self.unused.push(variable.name.clone());
            }
            if binding.is_none() || evaluator.follows_unknown(variable)? {
                return Ok(());
            }
        }
        evaluator.is_beyond.set(false);
        let value = match evaluator.variable(instance, variable) {
            Ok(value) => value,
            // Nothing needs the value, and it may be right.
            Err(_) if evaluator.is_beyond.get() => return Ok(()),
            Err(complaint) => return Err(complaint),
        };
        if matches!(variable.kind, Type::Real | Type::Integer) {
            self.within_limits(variable, &value)?;
        }
        Ok(())
    }

    /// Refuses values beyond the limits that a declaration or its type gives.
    fn within_limits(&self, variable: &Variable, value: &Value) -> Checked<()> {
        for (name, value) in elements(variable, value) {
            let limits = limits(self.evaluator, variable, &name)?;
            let number = value.real().ok().and_then(|value| self.evaluator.known_number(value));
            let Some(number) = number.filter(|number| !limits.contain(*number)) else { continue };
            let place = variable.modifier.value.as_ref().map(|of| &of.expression.span);
            let sentence = limits.refuse(&name, number, &unit(self.evaluator, variable)?);
            return Err(Complaint::at(place.unwrap_or(&variable.span), sentence));
        }
        Ok(())
    }
}
