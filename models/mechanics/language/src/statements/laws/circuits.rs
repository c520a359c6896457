//! Circuits as laws read them and state them.

use super::signal_view::SignalView;
use crate::ids::{BranchId, CircuitStateId, List, PinNode};
use crate::statements::motion::ends::PinEnd;
use equations::{Bool, Ex, select};
use std::collections::BTreeMap;

/// Placeholders of what a circuit determines.
#[derive(Clone, Debug, Default)]
pub struct CircuitSymbols {
    /// Potentials of nodes in V; that of the ground is zero.
    pub potentials: BTreeMap<PinNode, Ex>,
    /// Currents of branches in A, with the pins between which they flow.
    pub branches: List<BranchId, (Ex, [PinEnd; 2])>,
    /// Variables that may be states.
    pub states: List<CircuitStateId, Ex>,
    /// Whether a switch has no resistance, or no conductance.
    pub ideal: bool,
}

/// The law of a switch: its characteristic has two straight parts, which meet at `knee`. A position
/// on it is a voltage while the switch is open, and a current while it is closed; its
/// sign is the same in both cases, also with rounding errors.
#[derive(Clone, Copy, Debug)]
pub struct SwitchLaw {
    /// The unknown that is the position.
    pub position: BranchId,
    /// Whether the switch is open.
    pub is_open: Bool,
    /// Resistance of the closed switch; the constant zero if it has none.
    pub resistance: Ex,
    /// Conductance of the open switch; the constant zero if it has none.
    pub conductance: Ex,
    /// Voltage at which both parts meet.
    pub knee: Ex,
}

impl SwitchLaw {
    /// The residuals of its branch, with this voltage and current, and of its position.
    pub fn residuals(&self, v: Ex, i: Ex, position: Ex) -> [Ex; 2] {
        let SwitchLaw { is_open, resistance, conductance, knee, .. } = *self;
        [
            v - select(is_open, 1.0, resistance) * position - knee,
            i - select(is_open, conductance, 1.0) * position - conductance * knee,
        ]
    }
}

/// What laws say about circuits.
#[derive(Clone, Debug, Default)]
pub struct BranchLaws {
    /// Switches.
    pub switches: BTreeMap<BranchId, SwitchLaw>,
    /// Placeholders of the positions by which switches decide, if circuits have ideal switches.
    pub decisions: BTreeMap<BranchId, Ex>,
    /// Whether something jumps, by connected part that has ideal switches, after a placeholder of
    /// its residual.
    pub jumping: BTreeMap<usize, (Ex, Bool)>,
    /// Residuals that vanish, one for each branch.
    pub residuals: BTreeMap<BranchId, Ex>,
    /// Derivatives of the variables that may be states.
    pub rates: BTreeMap<CircuitStateId, Ex>,
    /// Start values of such variables that follow from others.
    pub starts: BTreeMap<CircuitStateId, Ex>,
}

impl SignalView<'_> {
    /// All placeholders of circuits.
    #[doc(hidden)]
    pub fn circuits(&self) -> &CircuitSymbols {
        &self.known.circuits
    }

    /// The potential of a pin in V.
    pub fn potential(&self, pin: PinEnd) -> Ex {
        self.known.circuits.potentials[&pin.node]
    }

    /// The voltage of a branch in V: the difference of the potentials at its first and second pin.
    pub fn voltage(&self, branch: BranchId) -> Ex {
        let (_, [from, to]) = self.known.circuits.branches[branch];
        let potentials = &self.known.circuits.potentials;
        potentials[&from.node] - potentials[&to.node]
    }

    /// The current of a branch in A.
    pub fn current(&self, branch: BranchId) -> Ex {
        self.known.circuits.branches[branch].0
    }

    /// A variable that may be a state.
    pub fn circuit_state(&self, state: CircuitStateId) -> Ex {
        self.known.circuits.states[state]
    }

    /// States the law of a branch: a residual that vanishes. It is linear in voltages and currents,
    /// or gives a current as a function of voltages.
    pub fn set_branch_law(&mut self, branch: BranchId, residual: Ex) {
        self.branch_laws.residuals.insert(branch, residual);
    }

    /// States the law of a switch.
    pub fn set_switch_law(&mut self, branch: BranchId, law: SwitchLaw) {
        let (v, i) = (self.voltage(branch), self.current(branch));
        let [of_branch, of_position] = law.residuals(v, i, self.current(law.position));
        self.set_branch_law(branch, of_branch);
        self.set_branch_law(law.position, of_position);
        self.show_switch(branch, law);
    }

    /// Says that a branch is a switch, whose law is stated otherwise: circuits with ideal switches
    /// look at it.
    pub fn show_switch(&mut self, branch: BranchId, law: SwitchLaw) {
        self.branch_laws.switches.insert(branch, law);
    }

    /// The position by which a switch decides whether it is open. While currents or voltages are
    /// about to jump, this is not the position in the present mode.
    pub fn decisive_position(&mut self, position: BranchId) -> Ex {
        match self.known.circuits.ideal {
            true => *self.branch_laws.decisions.entry(position).or_insert_with(Ex::symbol),
            false => self.current(position),
        }
    }

    /// States the derivative of a variable that may be a state.
    pub fn set_circuit_rate(&mut self, state: CircuitStateId, rate: Ex) {
        self.branch_laws.rates.insert(state, rate);
    }

    /// States the start value of a variable that may be a state, instead of the declared one.
    pub fn set_circuit_start(&mut self, state: CircuitStateId, start: Ex) {
        self.branch_laws.starts.insert(state, start);
    }
}
