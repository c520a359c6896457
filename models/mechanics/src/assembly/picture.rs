//! The netlist in the terms of pictures of a model.

use super::{Connection, Netlist, PortId};
use crate::ids::Id;
use equations::schematic::{Connector, ConnectorKind, DrawnComponent, Schematic};

/// The components and connections of a netlist, for pictures.
pub(crate) fn picture(netlist: &Netlist) -> Schematic {
    let component = |instance: &super::Instance| {
        let declaration = instance.component.declaration();
        let class = [declaration.class, declaration.name].into_iter().find(|name| !name.is_empty());
        DrawnComponent {
            name: instance.name.clone(),
            type_name: class.unwrap_or_default().to_owned(),
        }
    };
    let ends = |connection: &Connection| match *connection {
        Connection::Frames(a, b) => [(a, ConnectorKind::Frame), (b, ConnectorKind::Frame)],
        Connection::Flanges(a, b) => [a, b].map(|port| (port, flange(netlist, port))),
        Connection::HeatPorts(a, b) => [(a, ConnectorKind::Heat), (b, ConnectorKind::Heat)],
        Connection::Pins(a, b) => [(a, ConnectorKind::Pin), (b, ConnectorKind::Pin)],
        Connection::Signal { from, to } => {
            let [output, input] = match declared(netlist, to) {
                "BooleanInput" => [ConnectorKind::BooleanOutput, ConnectorKind::BooleanInput],
                "IntegerInput" => [ConnectorKind::IntegerOutput, ConnectorKind::IntegerInput],
                _ => [ConnectorKind::Output, ConnectorKind::Input],
            };
            [(from, output), (to, input)]
        }
    };
    let connector = |(port, kind): (PortId, ConnectorKind)| Connector {
        component: port.component.index(),
        name: port.port.to_owned(),
        kind,
    };
    Schematic {
        components: netlist.components.iter().map(component).collect(),
        connections: netlist.connections.iter().map(|c| ends(c).map(connector)).collect(),
        places: netlist.places.clone(),
    }
}

/// The kind of a flange: its declaration tells rotation from translation.
fn flange(netlist: &Netlist, port: PortId) -> ConnectorKind {
    match declared(netlist, port) {
        "TranslationalFlange" => ConnectorKind::TranslationalFlange,
        _ => ConnectorKind::Flange,
    }
}

/// The kind of a port in the declaration of its component; empty if it is not there. The elements
/// of a vector have the kind of the vector's elements.
fn declared(netlist: &Netlist, port: PortId) -> &'static str {
    let instance = netlist.components.get(port.component.index());
    let ports = instance.map_or(&[][..], |instance| instance.component.declaration().ports);
    let name = port.port.split('[').next();
    ports.iter().find(|p| Some(p.name) == name).map_or("", |p| p.kind)
}
