//! Contributions to circuits: pins, branches, and variables that may be states.

use super::start_variable::StartVariable;
use crate::ids::{BranchId, CircuitStateId, ComponentId, List, PinId, PinNode};
use crate::port::PortId;
use crate::statements::motion::ends::PinEnd;
use std::collections::{BTreeMap, BTreeSet};

/// A pin of a component.
#[derive(Clone, Copy, Debug)]
pub struct PinOf {
    /// The connection set it belongs to.
    pub node: PinNode,
    /// Component and port.
    pub port: PortId,
    /// Whether its potential and its current are published.
    pub published: bool,
}

/// A branch of a circuit: a current flows from one pin of a component to another one, and a law of
/// the component relates the current, the potentials, and those of other branches.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// The component that states it.
    pub component: ComponentId,
    /// Where the current enters the component, and where it leaves it.
    pub ends: [PinEnd; 2],
}

/// A variable whose derivative the laws of branches give, such as the voltage of a capacitor. It is
/// a state unless the circuit determines it.
#[derive(Clone, Debug)]
pub struct CircuitState {
    /// The component that states it.
    pub component: ComponentId,
    /// Its name, unit and start value.
    pub variable: StartVariable,
    /// Whether its derivative is zero at the start.
    pub is_steady: bool,
}

/// All contributions to circuits.
#[derive(Debug, Default)]
pub struct Circuits {
    /// The pins.
    pub pins: List<PinId, PinOf>,
    /// The nodes whose potential is zero.
    pub grounds: Vec<PinNode>,
    /// The branches.
    pub branches: List<BranchId, Branch>,
    /// Where the search for unknowns begins, if not at zero.
    pub guesses: BTreeMap<BranchId, f64>,
    /// Where the search for potentials begins, if not at zero.
    pub potential_guesses: BTreeMap<PinNode, f64>,
    /// Variables that may be states.
    pub states: List<CircuitStateId, CircuitState>,
    /// The components with a switch that has no resistance when it is closed, or no conductance
    /// when it is open.
    pub ideal: BTreeSet<ComponentId>,
}
