//! Circuits as laws read them and state them.

use super::signal_view::SignalView;
use crate::ids::{BranchId, CircuitStateId, List, PinNode};
use crate::statements::motion::ends::PinEnd;
use equations::Ex;
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
}

/// What laws say about circuits.
#[derive(Clone, Debug, Default)]
pub struct BranchLaws {
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

    /// States the derivative of a variable that may be a state.
    pub fn set_circuit_rate(&mut self, state: CircuitStateId, rate: Ex) {
        self.branch_laws.rates.insert(state, rate);
    }

    /// States the start value of a variable that may be a state, instead of the declared one.
    pub fn set_circuit_start(&mut self, state: CircuitStateId, start: Ex) {
        self.branch_laws.starts.insert(state, start);
    }
}
