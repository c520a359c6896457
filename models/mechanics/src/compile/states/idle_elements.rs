//! Notes about elements of drive trains that do nothing.

use super::massless_variables::MasslessVariables;
use crate::compile::topology::Topology;
use crate::ids::{ComponentId, FlangeId, FlangeNode, VariableId};
use crate::statements::contributions::flanges::{
    FlangeConstraint, FlangePort, RelativeFlangeMotion,
};
use equations::Ex;
use std::collections::{BTreeMap, BTreeSet};

/// Notes about ends to which nothing is connected, and elements with both ends on one shaft.
pub fn notes(topology: &Topology, massless: &MasslessVariables) -> Vec<String> {
    let mut notes = open_ends(topology, massless);
    notes.extend(within_shafts(topology));
    notes
}

/// Notes about ends of gears, and of elements without inertia, to which nothing is connected.
fn open_ends(topology: &Topology, massless: &MasslessVariables) -> Vec<String> {
    let ends = &topology.structure.flanges.ends;
    let named = |end: &&FlangePort| !end.port.port.is_empty();
    let mut count = BTreeMap::<FlangeNode, usize>::new();
    ends.iter().filter(named).for_each(|end| *count.entry(end.node).or_default() += 1);
    let geared = ends_of_gears(topology);
    let mut notes = Vec::new();
    for id in ends.ids().filter(|&id| named(&&ends[id]) && count[&ends[id].node] == 1) {
        let FlangePort { node, port, domain } = ends[id];
        let form = topology.variables.elimination.variable(node.variable());
        let light = |v: &VariableId| massless.variables.contains(v);
        let name = &topology.structure.names[port.component];
        let open = format!("{name}.{}: nothing is connected to it, so {name}", port.port);
        if form.terms.is_empty() {
            continue;
        } else if form.terms.keys().all(light) {
            let flow = if domain.flow.unit == "N" { "force" } else { "torque" };
            notes.push(format!("{open} transmits no {flow} there"));
        } else if geared.contains(&id) {
            notes.push(format!("{open} transmits nothing"));
        }
    }
    notes
}

/// The ends of components without inertia whose motions a ratio relates.
fn ends_of_gears(topology: &Topology) -> BTreeSet<FlangeId> {
    let flanges = &topology.structure.flanges;
    let heavy: BTreeSet<ComponentId> = flanges
        .inertias
        .iter()
        .map(|inertial| flanges.ends[inertial.end.end].port.component)
        .collect();
    let rigid = |constraint: &FlangeConstraint| {
        let unit = [Ex::one().key(), (-Ex::one()).key()];
        constraint.ends.len() == 2 && constraint.ends.iter().all(|(_, c)| unit.contains(&c.key()))
    };
    let relates = |constraint: &&FlangeConstraint| {
        constraint.ends.len() > 1
            && constraint.coordinate.is_none()
            && constraint.prescribed.is_none()
            && !constraint.optional
            && !rigid(constraint)
            && !heavy.contains(&constraint.component)
    };
    let gears = flanges.constraints.iter().filter(relates);
    gears.flat_map(|gear| gear.ends.iter().map(|(end, _)| end.end)).collect()
}

/// Notes about elements between two ends that always move together.
fn within_shafts(topology: &Topology) -> Vec<String> {
    let elimination = &topology.variables.elimination;
    let note = |element: &RelativeFlangeMotion| {
        let [a, b] = [element.a?, element.b];
        let [of_a, of_b] = [a, b].map(|end| elimination.variable(end.node.variable()));
        if of_a.terms.is_empty() || !of_b.minus(&of_a).terms.is_empty() {
            return None;
        }
        let name = &topology.structure.names[element.component];
        let ports = [a, b].map(|end| topology.structure.flanges.ends[end.end].port.port);
        Some(format!(
            "{name}: {name}.{} and {name}.{} move together, so {name} does nothing",
            ports[0], ports[1]
        ))
    };
    topology.structure.flanges.relatives.iter().filter_map(note).collect()
}
