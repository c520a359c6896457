//! Inputs: those of the model, and those of our components to which equations give values.

use super::added::{Place, Ports, find};
use super::symbols::Meaning;
use super::system::{Equation, Equations, Unknown};
use crate::evaluate::Evaluator;
use crate::instance::{Instance, Type, Variable};
use crate::source::{Checked, Complaint, Span};
use equations::Ex;
use libraries::class;
use mechanics::Assembly;
use mechanics::assembly::AnyPort;
use mechanics::declaration::Value;
use mechanics::port::PortId;
use std::rc::Rc;

impl Equations {
    /// The inputs of our components that equations name and nothing is connected with: the name,
    /// the input, and where the name stands.
    pub fn open_inputs(&self, assembly: &Assembly, ports: &Ports) -> Vec<(Rc<str>, PortId, Span)> {
        let symbols = (0..self.symbols.count()).map(|number| self.symbols.get(number).clone());
        let named = symbols.filter_map(|symbol| match &symbol.meaning {
            Meaning::Variable(name) if !self.by_name.contains_key(name) => {
                let Place::Input(input) = find(name, ports)? else { return None };
                Some((Rc::clone(name), input, symbol.span.clone()))
            }
            _ => None,
        });
        named.filter(|(_, input, _)| assembly.source(*input).is_none()).collect()
    }

    /// Adds the equation that a text gives for an input of one of our components where it declares
    /// the component.
    ///
    /// # Errors
    /// The value is wrong.
    pub fn bind_input(&mut self, evaluator: &Evaluator<'_>, input: &Rc<Variable>) -> Checked<()> {
        let Some(binding) = &input.modifier.value else { return Ok(()) };
        let span = &binding.expression.span;
        let meaning = Meaning::Variable(input.name.as_str().into());
        let left = self.symbols.ex(self.symbols.number(meaning, Some(input), span));
        let value = evaluator.reading_equations(|| evaluator.bound(binding))?;
        self.equations.push(Equation::assignment(left, input, &value, span)?);
        Ok(())
    }

    /// Makes an input of a component a variable of a text, such that an equation can determine it:
    /// `torque.tau = k * i`. The result is false if the text does not know it.
    pub fn take_input(&mut self, name: &Rc<str>, owner: &Rc<Instance>) -> bool {
        let number = self.symbols.variable(name);
        let variable = number.and_then(|number| self.symbols.get(number).variable.clone());
        let Some(variable) = variable else { return false };
        self.declare_elements((owner, &variable), name, &[], false);
        self.unknowns.last_mut().is_some_and(|unknown| {
            unknown.is_published = true;
            true
        })
    }

    /// Adds the inputs of the model, each as a component.
    ///
    /// # Errors
    /// A start value is no number.
    pub fn add_inputs(&self, assembly: &mut Assembly, ports: &mut Ports) -> Checked<()> {
        for unknown in self.unknowns.iter().filter(|unknown| unknown.is_input) {
            let Unknown { name, variable, unit, start, .. } = unknown;
            let at = |sentence: String| Complaint::at(&variable.span, sentence);
            let start = start.unwrap_or(Ex::zero()).constant_value();
            let start =
                start.ok_or_else(|| at(format!("the start value of {name} must be a number")))?;
            let describe = Value::from(variable.description.as_str());
            let (path, settings) = match variable.kind {
                Type::Boolean => {
                    ("signals::ExternalBoolean", vec![("start", Value::from(start != 0.0))])
                }
                Type::Integer | Type::Enumeration(_) => {
                    ("signals::ExternalInteger", vec![("start", Value::from(start))])
                }
                _ => {
                    let unit = if unit.is_empty() { "1" } else { unit };
                    let settings = vec![("unit", Value::from(unit)), ("start", Value::from(start))];
                    ("signals::ExternalInput", settings)
                }
            };
            let settings = settings.into_iter().chain([("describe", describe)]);
            let class = class(path).map_err(|error| at(error.to_string()))?;
            let added = assembly.add_by_name(class, name.to_string(), settings);
            ports.insert(name.to_string(), added.map_err(|error| at(error.to_string()))?);
        }
        Ok(())
    }

    /// The variable of an input of the model.
    pub fn input(&self, name: &str, ports: &Ports) -> Option<AnyPort> {
        let unknown = &self.unknowns[*self.by_name.get(name)?];
        unknown.is_input.then(|| ports.get(name)?.port("y")).flatten()
    }
}
