//! Equations beside components of ours: for inputs, or in classes that extend ours.
//!
//! If the component is a block or has pins, its text is read then in place of our declaration.

use super::Leaf;
use crate::evaluate::Evaluator;
use crate::instance::{Content, Instance, Variable};
use crate::library::ClassNode;
use crate::source::{Checked, Complaint};
use crate::syntax::{Body, Causality, ElementKind, Variability};
use mechanics::assembly::Class;
use std::rc::Rc;

/// Whether one of our classes computes signals, and nothing else.
pub fn is_block(class: &Class) -> bool {
    class.declaration.class.starts_with("Modelica.Blocks.")
}

/// Whether the text of one of our classes can be read in place of its declaration: that of a block
/// or of a component with pins.
pub fn has_readable_text(class: &Class) -> bool {
    is_block(class) || class.declaration.class.starts_with("Modelica.Electrical.")
}

/// A class that extends a declared one may modify it and have parameters, but no more.
pub(super) fn check_extension(class: &ClassNode, text: &ClassNode) -> Checked<()> {
    let Body::Long(content) = &class.syntax.body else { return Ok(()) };
    let equations = content.equations.iter().chain(&content.initial_equations);
    let statements = content.algorithms.iter().chain(&content.initial_algorithms).flatten();
    let components = content.elements.iter().filter_map(|element| match &element.kind {
        ElementKind::Component(of) => {
            let is_parameter =
                matches!(of.variability, Variability::Parameter | Variability::Constant);
            (!is_parameter && !element.outer).then_some(&of.name.span)
        }
        _ => None,
    });
    let places = equations.map(|of| &of.span).chain(statements.map(|of| &of.span));
    match places.chain(components).next() {
        None => Ok(()),
        Some(place) => {
            let (path, text) = (&class.path, &text.path);
            let sentence = format!(
                "{path} extends {text}, whose equations are those of Coupler, so it may only modify \
                 it and have parameters"
            );
            Err(Complaint::at(place, sentence))
        }
    }
}

impl Leaf {
    /// Lets the text of the class be read in the next round, if it is known and can be read.
    pub fn read_instead(&self, evaluator: &Evaluator<'_>, instance: &Instance) -> bool {
        let is_known = has_readable_text(self.class) && evaluator.library.has_standard_texts();
        if is_known {
            evaluator.blocks_to_read.borrow_mut().insert(instance.name.clone());
        }
        is_known
    }

    /// The input of this name, if a text gives an equation for it: `torque(tau = -d * j.w)`.
    pub(super) fn bound_input(
        &self,
        evaluator: &Evaluator<'_>,
        instance: &Rc<Instance>,
        name: &str,
    ) -> Checked<Option<Rc<Variable>>> {
        // Other inputs are for pictures.
        let is_bound = self.class.declaration.ports.iter().any(|port| port.name == name)
            && self.modifier.elements.get(name).is_some_and(|of| of.value.is_some());
        let member = instance.members(evaluator.library)?.get(name).cloned();
        let Some(member) = member.filter(|_| is_bound) else { return Ok(None) };
        Ok(match evaluator.content(instance, &member)? {
            Content::Variable(input) => {
                Some(input).filter(|of| of.causality == Some(Causality::Input))
            }
            _ => None,
        })
    }

    /// The inputs for which a text gives equations.
    ///
    /// # Errors
    /// A class is not found.
    pub fn bound_inputs(
        &self,
        evaluator: &Evaluator<'_>,
        instance: &Rc<Instance>,
    ) -> Checked<Vec<Rc<Variable>>> {
        let names = self.modifier.elements.keys();
        let inputs =
            names.filter_map(|name| self.bound_input(evaluator, instance, name).transpose());
        inputs.collect()
    }
}
