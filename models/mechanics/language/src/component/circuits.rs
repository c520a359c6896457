//! Circuits: pins, branches, and what they store.

use super::Contribution;
use crate::ids::{BranchId, CircuitStateId};
use crate::port::PortId;
use crate::statements::contributions::circuits::{Branch, CircuitState, PinOf};
use crate::statements::contributions::start_variable::StartVariable;
#[cfg(doc)]
use crate::statements::laws::signal_view::SignalView;
use crate::statements::motion::ends::PinEnd;

impl Contribution<'_> {
    /// A pin of this component.
    pub fn pin(&mut self, port: &'static str) -> PinEnd {
        self.pin_end(port, true)
    }

    /// A pin of this component with which its own parts are connected; it is not published.
    pub fn inner_pin(&mut self, port: &'static str) -> PinEnd {
        self.pin_end(port, false)
    }

    fn pin_end(&mut self, port: &'static str, published: bool) -> PinEnd {
        let port = self.declared_port(port, "Pin");
        let node = self.wiring.pin_node(port);
        let pins = &mut self.structure.circuits.pins;
        // One pin is the end of several branches.
        let known = pins.enumerate().find(|(_, pin)| pin.port == port).map(|(end, _)| end);
        let end = known.unwrap_or_else(|| pins.push(PinOf { node, port, published }));
        PinEnd { node, end }
    }

    /// Keeps the potential of a pin at zero.
    pub fn ground_pin(&mut self, pin: PinEnd) {
        self.structure.circuits.grounds.push(pin.node);
    }

    /// A point of this component that cannot be connected, and whose potential is zero: where
    /// currents go of which a component does not say whence they come.
    pub fn earth(&mut self) -> PinEnd {
        let port = PortId { component: self.component, port: "" };
        let node = self.wiring.pin_node(port);
        self.structure.circuits.grounds.push(node);
        let earth = PinOf { node, port, published: false };
        PinEnd { node, end: self.structure.circuits.pins.push(earth) }
    }

    /// A branch between two pins. A law of the component states its equation with
    /// [`SignalView::set_branch_law`].
    pub fn branch(&mut self, from: PinEnd, to: PinEnd) -> BranchId {
        let component = self.component;
        self.structure.circuits.branches.push(Branch { component, ends: [from, to] })
    }

    /// An unknown besides potentials and currents, such as the position on the characteristic of a
    /// diode: [`SignalView::current`] is its value, and [`SignalView::set_branch_law`] states one
    /// more equation.
    pub fn circuit_unknown(&mut self) -> BranchId {
        let earth = self.earth();
        self.branch(earth, earth)
    }

    /// Where the search for an unknown begins if its equation is not linear, instead of at zero.
    pub fn guess_unknown(&mut self, unknown: BranchId, guess: f64) {
        self.structure.circuits.guesses.insert(unknown, guess);
    }

    /// Where the search for the potential of a pin begins if equations are not linear.
    pub fn guess_potential(&mut self, pin: PinEnd, guess: f64) {
        self.structure.circuits.potential_guesses.insert(pin.node, guess);
    }

    /// Notes that a switch of this component has no resistance, or no conductance.
    pub fn has_ideal_switch(&mut self) {
        self.structure.circuits.ideal.insert(self.component);
    }

    /// A variable that may be a state of the circuit. A law of the component states its derivative
    /// with [`SignalView::set_circuit_rate`].
    pub fn circuit_state(&mut self, variable: StartVariable) -> CircuitStateId {
        let component = self.component;
        self.structure.circuits.states.push(CircuitState { component, variable, is_steady: false })
    }

    /// Requires that the derivative of such a variable is zero at the start. Its start value
    /// becomes a guess.
    pub fn steady_circuit_state(&mut self, state: CircuitStateId) {
        self.structure.circuits.states[state].is_steady = true;
    }
}
