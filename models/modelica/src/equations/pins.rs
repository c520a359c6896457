//! Pins of components whose texts have equations: their potentials and currents, which circuits
//! determine.

use super::connectors::Pin;
use super::ports::Connected;
use super::symbols::Meaning;
use super::system::Equations;
use crate::evaluate::Evaluator;
use crate::instance::{Instance, Variable};
use crate::source::{Checked, Span};
use std::rc::Rc;

impl Equations {
    /// Declares the variables of a connector that is a pin, or a vector of them.
    pub(super) fn declare_pins(
        &mut self,
        evaluator: &Evaluator<'_>,
        owner: &Rc<Instance>,
        [potential, current]: [Rc<Variable>; 2],
        (name, span): (&str, &Span),
    ) -> Checked<()> {
        self.symbols.declare_pins(&owner.name);
        let connector: Rc<str> = name.into();
        let sizes = evaluator.reading_equations(|| evaluator.sizes_of(&current))?;
        let axes: Vec<String> = match sizes[..] {
            [] => vec![String::new()],
            [count] => (1..=count).map(|k| format!("[{k}]")).collect(),
            _ => Vec::new(),
        };
        for axis in axes {
            let of = |name: &str| Rc::<str>::from(format!("{name}{axis}"));
            let [potential, current] = [&potential, &current].map(|variable| of(&variable.name));
            for variable in [&potential, &current] {
                self.pin_by_variable.insert(Rc::clone(variable), self.pins.len());
            }
            self.pins_by_connector.entry(Rc::clone(&connector)).or_default().push(self.pins.len());
            self.pins.push(Pin {
                name: of(name),
                connector: Rc::clone(&connector),
                owner: Rc::clone(owner),
                potential,
                current,
                is_inside: false,
                span: span.clone(),
            });
        }
        self.declare(evaluator, owner, &current)?;
        self.bind_potential(evaluator, &potential)
    }

    fn pins_in(&self, connector: &str) -> impl Iterator<Item = &Pin> {
        self.pins_by_connector.get(connector).into_iter().flatten().map(|at| &self.pins[*at])
    }

    /// The pin to which a variable belongs.
    pub(super) fn pin_of(&self, variable: &str) -> Option<&Pin> {
        self.pin_by_variable.get(variable).map(|at| &self.pins[*at])
    }

    /// Whether equations name a variable of a connector with pins. Its pins then have currents, and
    /// connections inside of its component are apart from those outside.
    pub(super) fn has_pins(&self, connector: &str) -> bool {
        self.pins_in(connector)
            .any(|of| self.names_variable(&of.potential) || self.names_variable(&of.current))
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

    /// Decides on which side of their components pins are connected. A pin has a current, even if
    /// equations name its potential only.
    pub(super) fn check_pins(&mut self, connected: &Connected<'_>) {
        for at in 0..self.pins.len() {
            let Pin { connector, owner, current, span, .. } = &self.pins[at];
            let is_inside = (connected.faces)(connector)[0];
            let is_named = self.has_pins(connector) && (is_inside || !owner.name.is_empty());
            if is_named {
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
