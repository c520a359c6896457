//! Variables that repeat others: outputs of the FMU, and connected inputs of components.

use crate::assembly::{Netlist, Output};
use crate::error::Error;
use crate::ids::{ComponentId, List};
use crate::port::{Connection, PortId, full_name};
use crate::statements::laws::signal_view::SignalView;
use equations::{Expression, Model};
use std::collections::{BTreeMap, BTreeSet};

/// Declares outputs of the FMU with names of their own; [`complete`] completes them.
pub fn named_outputs(netlist: &Netlist, e: &mut SignalView<'_>) -> Result<(), Error> {
    let mut seen: BTreeMap<&str, PortId> = BTreeMap::new();
    for Output { name, variable, description } in &netlist.outputs {
        let Some(name) = name else { continue };
        if let Some(other) = seen.insert(name, *variable) {
            let of = [other, *variable].map(|variable| e.full_of(variable)).join(" and of ");
            let text = format!("{name}: two outputs have this name, of {of}");
            return Err(Error::Connection(text));
        }
        let value = match e.quantities.get(variable) {
            Some(&value) => value,
            None => Expression::Real(e.read(PortId { ..*variable })?),
        };
        let declared = e.model.output(name, value);
        if let Some(line) = description {
            declared.describe(line);
        }
    }
    Ok(())
}

/// Makes variables that are published outputs of the FMU, lets outputs with names of their own and
/// connected inputs of components repeat theirs, and orders all outputs as the text does. All other
/// variables are declared.
pub fn complete(netlist: &Netlist, model: &mut Model) -> Result<(), Error> {
    let names: List<ComponentId, &str> =
        netlist.components.iter().map(|component| component.name.as_str()).collect();
    let full = |port: PortId| full_name(names[port.component], port.port);
    let published = |port: PortId, model: &Model| {
        // An input of the FMU has the name of its instance.
        let name = full(port);
        if model.has_variable(&name) { name } else { names[port.component].to_owned() }
    };
    let inputs = netlist.connections.iter().filter_map(|connection| match *connection {
        // Equations of a text read variables of other components by ports with their names.
        Connection::Signal { from, to } if !to.port.contains('.') => {
            Some((full(to), published(from, model)))
        }
        _ => None,
    });
    let inputs: Vec<(String, String)> = inputs.collect();
    model.aliases(inputs);
    let (mut order, mut seen) = (Vec::new(), BTreeSet::new());
    for Output { name: own, variable, .. } in &netlist.outputs {
        if let Some(own) = own {
            let source = published(*variable, model);
            model.repeat(own, &source);
            order.push(own.clone());
            continue;
        }
        let name = full(*variable);
        if !seen.insert(name.clone()) {
            return Err(Error::Connection(format!("{name}: it is made an output twice")));
        }
        model.make_output(&name)?;
        order.push(name);
    }
    model.order_outputs(order);
    Ok(())
}
