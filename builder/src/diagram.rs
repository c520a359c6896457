//! Makes the diagram of a model, and finds that of an FMU.

use std::collections::BTreeMap;
use std::fs;

use equations::description::{Description, VariableType};
use equations::netlist::{Connector, ConnectorKind, Netlist};
use report::{Diagram, Kind};

use crate::fmu::Fmu;

/// The place of the diagram in an FMU.
pub const FILE: &str = "documentation/diagram.json";

/// The diagram of a model; `None` if it has no components.
pub fn of_model(netlist: &Netlist, description: &Description) -> Option<Diagram> {
    let named = |c: &equations::netlist::Component| (c.name.clone(), c.type_name.clone());
    let mut diagram = Diagram::of(netlist.components.iter().map(named));
    for ends in &netlist.connections {
        let end = |c: &Connector| (c.component, c.name.clone(), kind(c.kind));
        let [a, b] = [end(&ends[0]), end(&ends[1])];
        diagram.connect([(a.0, &a.1, a.2), (b.0, &b.1, b.2)]);
    }
    let variables: BTreeMap<&str, Option<f64>> =
        description.variables.iter().map(|v| (&*v.name, start(&v.kind))).collect();
    diagram.animate(
        |name| variables.contains_key(name),
        |name| variables.get(name).copied().flatten(),
    );
    (!diagram.is_empty()).then_some(diagram)
}

fn start(kind: &VariableType) -> Option<f64> {
    match kind {
        VariableType::Real { start, .. } => *start,
        _ => None,
    }
}

fn kind(kind: ConnectorKind) -> Kind {
    match kind {
        ConnectorKind::Flange => Kind::Flange,
        ConnectorKind::TranslationalFlange => Kind::TranslationalFlange,
        ConnectorKind::Frame => Kind::Frame,
        ConnectorKind::Heat => Kind::Heat,
        ConnectorKind::Input => Kind::Input,
        ConnectorKind::Output => Kind::Output,
    }
}

/// The diagram of an FMU: none without a file, and a sentence if the file cannot be read.
pub fn of_fmu(fmu: &Fmu) -> (Option<Diagram>, Option<String>) {
    let Ok(text) = fs::read_to_string(fmu.folder().join(FILE)) else { return (None, None) };
    match Diagram::read(&text) {
        Ok(diagram) => (Some(diagram), None),
        Err(reason) => (None, Some(format!("no diagram: {FILE}: {reason}"))),
    }
}
