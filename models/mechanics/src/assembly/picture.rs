//! The netlist in the terms of pictures of a model.

use super::{Connection, Netlist, PortId};
use crate::declaration::Declaration;
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
            let declaration = declaration(netlist, to);
            let [output, input] = match declaration.and_then(|d| d.type_of_input(to.port)) {
                Some("Boolean") => [ConnectorKind::BooleanOutput, ConnectorKind::BooleanInput],
                Some("Integer") => [ConnectorKind::IntegerOutput, ConnectorKind::IntegerInput],
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
    let ports = declaration(netlist, port).map_or(&[][..], |declaration| declaration.ports);
    match ports.iter().any(|p| p.name == port.port && p.kind == "TranslationalFlange") {
        true => ConnectorKind::TranslationalFlange,
        false => ConnectorKind::Flange,
    }
}

/// The declaration of the component that has a port.
fn declaration(netlist: &Netlist, port: PortId) -> Option<&'static Declaration> {
    let instance = netlist.components.get(port.component.index())?;
    Some(instance.component.declaration())
}
