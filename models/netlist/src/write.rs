//! The file of a model text.

use crate::content::{
    Calculated, Component, File, FrameOutput, NamedOutput, Output, Parameter, Place, TestValue,
    Unit,
};
use crate::equations::{EquationsAsComponents, NoEquations};
use crate::expression::write;
use crate::value::{self, Names};
use equations::schematic;
use mechanics::Error;
use mechanics::assembly::{Connection, Instance, Netlist, PortId, Registry};
use std::collections::BTreeSet;

impl File {
    /// The file of a netlist whose components are of the classes of a registry.
    ///
    /// # Errors
    /// A component or a value cannot be stated in a file; all of them are named.
    pub fn of(name: &str, netlist: &Netlist, registry: &Registry) -> Result<File, Vec<Error>> {
        File::with_equations_of(name, netlist, registry, &NoEquations)
    }

    /// Does the same for a netlist that may contain components with equations of their own.
    ///
    /// # Errors
    /// Those of [`File::of`].
    pub fn with_equations_of(
        name: &str,
        netlist: &Netlist,
        registry: &Registry,
        equations: &dyn EquationsAsComponents,
    ) -> Result<File, Vec<Error>> {
        let mut errors = Vec::new();
        let mut file = File::new(name);
        file.units.extend(netlist.units.iter().map(|(name, factor, of)| Unit {
            name: name.clone(),
            factor: *factor,
            of: of.clone(),
        }));
        let finite = |bound: f64| bound.is_finite().then_some(bound);
        file.parameters.extend(netlist.parameters.iter().map(|p| Parameter {
            name: p.name.clone(),
            value: p.value,
            unit: p.unit.clone(),
            description: p.description.clone(),
            min: finite(p.limits.min),
            max: finite(p.limits.max),
        }));
        let symbols = netlist.parameters.iter();
        let names: Names =
            symbols.filter_map(|p| Some((p.symbol.as_leaf()?, p.name.clone()))).collect();
        for p in &netlist.calculated {
            match write(p.value, &names) {
                Ok(value) => file.calculated.push(Calculated {
                    name: p.name.clone(),
                    value,
                    unit: p.unit.clone(),
                    description: p.description.clone(),
                    min: finite(p.limits.min),
                    max: finite(p.limits.max),
                }),
                Err(why) => errors.push(Error::Parameter(format!("{}: {why}", p.name))),
            }
        }
        let mut with_equations = BTreeSet::new();
        for instance in &netlist.components {
            let own = equations.write(instance, netlist);
            if own.is_some() {
                with_equations.insert(instance.name.as_str());
            }
            match own {
                Some(Ok(equations)) => file.equations.push(equations),
                Some(Err(error)) => errors.push(error),
                None => match component(instance, registry, &names) {
                    Ok(component) => file.components.push(component),
                    Err(error) => errors.extend(error),
                },
            }
        }
        file.connections = connections(netlist, &with_equations);
        file.outputs.extend(netlist.outputs.iter().map(|output| {
            let variable = netlist.name_of(output.variable);
            let description = output.description.clone();
            match &output.name {
                None => Output::Variable(variable),
                Some(name) => {
                    Output::Named(NamedOutput { name: name.clone(), variable, description })
                }
            }
        }));
        file.output_frames.extend(netlist.output_frames.iter().map(|(name, frame)| FrameOutput {
            name: name.clone(),
            frame: netlist.name_of(*frame),
        }));
        file.scene = netlist.scene;
        file.free_loops = netlist.free_loops;
        file.keep_names = netlist.keeps_names;
        file.mix_units = netlist.mixes_units;
        file.notes.clone_from(&netlist.notes);
        file.places.extend(netlist.places.iter().map(|(name, place)| {
            let schematic::Place { x, y, rotation, mirrored } = *place;
            Place { name: name.clone(), x, y, rotation, mirrored }
        }));
        file.experiment = netlist.experiment.into();
        file.test_values.extend(
            netlist
                .test_values
                .iter()
                .map(|(name, value)| TestValue { name: name.clone(), value: *value }),
        );
        errors.extend(netlist.errors.iter().cloned());
        if errors.is_empty() { Ok(file) } else { Err(errors) }
    }
}

/// The connections by the names of ports. What equations read follows from the equations.
fn connections(netlist: &Netlist, with_equations: &BTreeSet<&str>) -> Vec<[String; 2]> {
    let has_equations = |port: PortId| {
        let component = netlist.component_of(port);
        component.is_some_and(|component| with_equations.contains(component.name.as_str()))
    };
    let ends = netlist.connections.iter().filter_map(|connection| match *connection {
        Connection::Signal { to, .. } if has_equations(to) => None,
        Connection::Frames(a, b)
        | Connection::Flanges(a, b)
        | Connection::HeatPorts(a, b)
        | Connection::Pins(a, b)
        | Connection::Signal { from: a, to: b } => Some([a, b]),
    });
    ends.map(|ends| ends.map(|port| netlist.name_of(port))).collect()
}

/// A component, or what no file can hold of it.
fn component(
    instance: &Instance,
    registry: &Registry,
    names: &Names,
) -> Result<Component, Vec<Error>> {
    let Instance { name, component } = instance;
    let declaration = component.declaration();
    let class = registry.class_of(component.component_type()).ok_or_else(|| {
        vec![Error::Parameter(format!(
            "{name}: no library contains its class {}, so no file can name it",
            declaration.name
        ))]
    })?;
    let mut settings = Vec::new();
    let mut errors = Vec::new();
    for (parameter, value) in component.given_values() {
        let value = value.ok_or_else(|| "only a text in Rust can give it".to_owned());
        match value.and_then(|value| value::write(&value, names)) {
            Ok(data) => settings.push((parameter.name.to_owned(), data)),
            Err(why) => errors.push(Error::Parameter(format!(
                "{name}.{}: no file can hold its value: {why}",
                parameter.name
            ))),
        }
    }
    match errors.is_empty() {
        true => Ok(Component { class: class.path(), name: name.clone(), settings }),
        false => Err(errors),
    }
}
