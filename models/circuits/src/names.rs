//! Names of components and nodes in sentences.

use language::ids::{BranchId, ComponentId, Id, PinNode};
use language::statements::algebra::linear_equation::Origin;
use language::statements::contributions::Structure;
use std::collections::BTreeSet;

/// A name for a node: that of one of its pins.
pub fn name_of_node(structure: &Structure, node: PinNode) -> String {
    let pin = structure.circuits.pins.iter().find(|pin| pin.node == node);
    pin.map_or_else(String::new, |pin| structure.name_of(pin.port))
}

/// Names in a sentence: `R1, C1 and L1`.
pub fn in_a_row<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match &names[..] {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.join(""),
    }
}

/// The names of the components whose laws an equation contains.
pub fn names_of_laws(structure: &Structure, origin: &Origin) -> Vec<String> {
    let of = |branch: &usize| structure.circuits.branches[BranchId::at(*branch)].component;
    let components: BTreeSet<ComponentId> = origin.laws.iter().map(of).collect();
    components.into_iter().map(|component| structure.names[component].clone()).collect()
}
