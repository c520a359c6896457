//! Pins of components whose texts have equations: potentials and currents, which circuits determine.

use super::Equations;
use super::ports::Connected;
use super::symbols::Meaning;
use crate::evaluate::Evaluator;
use crate::instance::{Instance, Variable};
use crate::source::{Checked, Span};
use std::rc::Rc;

/// A pin of a component whose text is read.
#[derive(Clone, Debug)]
pub(super) struct Pin {
    /// Its full name.
    pub name: Rc<str>,
    /// The component to which it belongs.
    pub owner: Rc<Instance>,
    /// The full name of its potential.
    pub potential: Rc<str>,
    /// The full name of its current.
    pub current: Rc<str>,
    /// Whether other components are connected with it inside of its component.
    pub is_inside: bool,
    span: Span,
}

impl Equations {
    /// Declares the variables of a pin.
    pub(super) fn declare_pin(
        &mut self,
        evaluator: &Evaluator<'_>,
        owner: &Rc<Instance>,
        [potential, current]: [Rc<Variable>; 2],
        (name, span): (&str, &Span),
    ) -> Checked<()> {
        self.symbols.declare_pins(&owner.name);
        self.pin_by_name.insert(name.into(), self.pins.len());
        self.pins.push(Pin {
            name: name.into(),
            owner: Rc::clone(owner),
            potential: potential.name.as_str().into(),
            current: current.name.as_str().into(),
            is_inside: false,
            span: span.clone(),
        });
        self.declare(evaluator, owner, &current)?;
        self.bind_potential(evaluator, &potential)
    }

    fn pin(&self, name: &str) -> Option<&Pin> {
        self.pin_by_name.get(name).map(|at| &self.pins[*at])
    }

    /// The pin to which a variable belongs.
    pub(super) fn pin_of(&self, variable: &str) -> Option<&Pin> {
        self.pin(variable.rsplit_once('.')?.0)
    }

    /// Whether equations name a variable of a pin.
    pub(super) fn has_pin(&self, name: &str) -> bool {
        let names =
            |of: &Pin| self.names_variable(&of.potential) || self.names_variable(&of.current);
        self.pin(name).is_some_and(names)
    }

    /// Whether equations name the current of a pin, so that connections inside of its component are
    /// apart from those outside.
    pub fn has_current(&self, pin: &str) -> bool {
        self.pin(pin).is_some_and(|pin| self.names_variable(&pin.current))
    }

    /// Whether a variable is the current of a pin.
    pub(super) fn is_current(&self, name: &str) -> bool {
        self.pin_of(name).is_some_and(|pin| &*pin.current == name)
    }

    /// Whether a variable is the potential of a pin.
    pub(super) fn is_potential_of_pin(&self, name: &str) -> bool {
        self.pin_of(name).is_some_and(|pin| &*pin.potential == name)
    }

    /// The symbols of potential and current of a pin.
    pub(super) fn symbols_of(&self, pin: &Pin) -> [Option<usize>; 2] {
        [&pin.potential, &pin.current].map(|name| self.symbols.variable(name))
    }

    /// Decides on which side of their components pins are connected. A pin without connections
    /// inside has a current, even if no equation names it.
    pub(super) fn check_pins(&mut self, connected: &Connected<'_>) {
        for at in 0..self.pins.len() {
            let Pin { name, owner, current, span, .. } = &self.pins[at];
            let is_inside = (connected.faces)(name)[0];
            if !is_inside && self.has_pin(name) && !owner.name.is_empty() {
                let declared = self.by_name.get(current).map(|at| &self.unknowns[*at].variable);
                self.symbols.number(Meaning::Variable(Rc::clone(current)), declared, span);
            }
            self.pins[at].is_inside = is_inside;
        }
    }
}

/// The name of the pin inside of a component for one that is connected on both sides.
pub fn inside(pin: &str) -> String {
    format!("inside({pin})")
}
