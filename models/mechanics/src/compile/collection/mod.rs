//! Lets every component of a netlist contribute.

mod drive_trains;
mod housings;

use crate::assembly::{CalculatedParameter, ModelParameter, Netlist};
use crate::component::{AnyComponent, Contribution};
use crate::declaration::{Declaration, Port};
use crate::error::Error;
use crate::ids::{ComponentId, List};
use crate::port::{Connection, PortId, element, full_name};
use crate::scene::Shapes;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::Contributions;
use crate::statements::contributions::connection_sets::Wiring;
use crate::statements::contributions::multibody::FramePort;
use crate::statements::contributions::units::Units;
use crate::world::World;
use equations::{Ex, Limits, Model, substitute};
use std::collections::BTreeMap;

/// Whether all parts between dots are identifiers, with or without an index.
fn is_component_name(name: &str) -> bool {
    name.split('.').all(|part| {
        let (word, index) = match part.split_once('[') {
            Some((word, rest)) => (word, rest.strip_suffix(']')),
            None => (part, Some("1")),
        };
        let digits = |i: &str| !i.is_empty() && i.bytes().all(|b| b.is_ascii_digit());
        let letter = |b: u8| b.is_ascii_alphabetic() || b == b'_';
        word.bytes().next().is_some_and(letter)
            && word.bytes().all(|b| letter(b) || b.is_ascii_digit())
            && index.is_some_and(|index| index.split(',').all(digits))
    })
}

/// A name for the world of a model that has none.
fn default_world(names: &List<ComponentId, String>) -> String {
    let taken = |name: &str| names.iter().any(|n| n == name);
    let mut name = "world".to_owned();
    while taken(&name) {
        name.push('_');
    }
    name
}

/// Announces the variables of an instance, and the units of its inputs; an input may be published
/// as well.
fn announce(
    (component, instance): (ComponentId, &str),
    declaration: &Declaration,
    units: &mut Units,
    model: &mut Model,
) {
    // A variable with a dot in its name belongs to a part, whose declaration describes it.
    let is_own = |p: &&Port| p.kind.ends_with("Input") && !p.name.contains('.');
    for p in declaration.ports.iter().filter(is_own) {
        model.announce(&full_name(instance, p.name), p.unit, p.text);
    }
    for p in declaration.ports.iter().filter(|p| !p.unit.is_empty()) {
        let mut takes = |port: &'static str| {
            units.of.insert(PortId { component, port }, p.unit.to_owned());
        };
        match p.kind {
            "Input" => takes(p.name),
            "[Input; 3]" => (1..=3).for_each(|i| takes(element(p.name, i))),
            _ => (),
        }
    }
    for v in declaration.variables {
        model.announce(&full_name(instance, v.name), v.unit, v.text);
    }
}

/// Refuses names that are taken, or are none.
fn check_names(netlist: &Netlist) -> Result<(), Error> {
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for instance in &netlist.components {
        let kind = instance.component.declaration().name;
        if let Some(other) = seen.insert(&instance.name, kind) {
            let text =
                format!("{}: two components have this name, {other} and {kind}", instance.name);
            return Err(Error::Connection(text));
        }
    }
    let names = || netlist.components.iter().map(|instance| &instance.name);
    match names().find(|name| !(name.is_empty() || is_component_name(name))) {
        Some(name) => Err(Error::Connection(format!(
            "\"{name}\": a component's name is made of letters, digits and _, beginning with a \
             letter, with dots between parts or an index such as [2] after them"
        ))),
        None => Ok(()),
    }
}

/// Refuses a signal that leads to an input of another type.
fn check_types(netlist: &Netlist) -> Result<(), Error> {
    let declaration =
        |port: PortId| netlist.component_of(port).map(|instance| instance.component.declaration());
    for connection in &netlist.connections {
        let Connection::Signal { from, to } = *connection else { continue };
        let given = declaration(from).and_then(|of| of.type_of_variable(from.port));
        let taken = declaration(to).and_then(|of| of.type_of_input(to.port));
        if let (Some(given), Some(taken)) = (given, taken)
            && given != taken
        {
            let [from, to] = [from, to].map(|port| netlist.name_of(port));
            return Err(Error::Connection(format!(
                "{to} takes a signal of type {taken}, but {from} is of type {given}; the block \
                 {given}To{taken} converts it"
            )));
        }
    }
    Ok(())
}

/// Lets one component contribute.
fn contribute(
    (index, name): (ComponentId, &str),
    component: &dyn AnyComponent,
    wiring: &mut Wiring,
    contributions: &mut Contributions,
    model: &mut Model,
) -> Result<(), Error> {
    let declaration = component.declaration();
    contributions.structure.declarations.push(declaration);
    announce((index, name), declaration, &mut contributions.units, model);
    let of = (index, name);
    component.contribute(&mut Contribution::new(of, declaration, wiring, contributions, model))
}

/// Lets every component contribute.
pub fn collect(netlist: &Netlist, model: &mut Model) -> Result<Contributions, Error> {
    if let Some(error) = netlist.errors.first() {
        return Err(error.clone());
    }
    check_names(netlist)?;
    check_types(netlist)?;
    let mut names: List<ComponentId, String> =
        netlist.components.iter().map(|c| c.name.clone()).collect();
    let full = |p: PortId| full_name(&names[p.component], p.port);
    let mut wiring = Wiring::new(&netlist.connections, full)?;
    let mut all = Contributions::default();
    let shapes = || Shapes { asked: netlist.scene, ..Shapes::default() };
    all.structure.scene = (netlist.scene || model.wants_scene()).then(shapes);
    model.experiment(netlist.experiment);
    netlist.test_values.iter().for_each(|(name, value)| model.test_value(name, *value));
    netlist.units.iter().for_each(|(name, factor, of)| model.unit(name, *factor, of));
    for ModelParameter { name, value, unit, description, limits, symbol } in &netlist.parameters {
        if !limits.contain(*value) {
            return Err(Error::Parameter(limits.refuse(name, *value, unit)));
        }
        let parameter = model.parameter(name, *value).unit(unit).describe(description);
        all.model_parameters.push((*symbol, parameter.limits(*limits).tunable().into()));
    }
    for CalculatedParameter { name, value, unit, description, limits } in &netlist.calculated {
        let value = substitute(&[*value], &all.model_parameters)[0];
        model.following(name, value).unit(unit).describe(description);
        if *limits != Limits::ANY {
            let condition = value.ge(limits.min.max(f64::MIN)) & value.le(limits.max.min(f64::MAX));
            model.require(&[name], condition, &format!("must be {}", limits.of(unit)));
        }
    }
    for (component, instance) in names.ids().zip(&netlist.components) {
        let of = (component, &instance.name[..]);
        contribute(of, instance.component.as_ref(), &mut wiring, &mut all, model)?;
    }
    if all.structure.multibody.gravity.is_empty() && !all.structure.multibody.bodies.is_empty() {
        let name = default_world(&names);
        model.note(format!(
            "{name}: bodies need a World, so the default one is added, with gravity of 9.80665 m/s2 \
             along -y; World::new().g(0.0) has none"
        ));
        contribute((names.next(), &name), &World::new(), &mut wiring, &mut all, model)?;
        names.push(name);
    }
    let text = "Position vector from world frame to the frame, resolved in world frame";
    for FramePort { port: PortId { component, port }, .. } in &all.structure.multibody.frames {
        model.announce(&format!("{}.{port}.r_0", names[*component]), "m", text);
    }
    all.structure.names = names;
    all.structure.free_loops = netlist.free_loops;
    all.structure.flange_nodes = wiring.flange_count();
    let structure = &mut all.structure;
    let numeric = Numeric::new(model);
    let number = |value: Ex| Some(numeric.one(value)).filter(|number| number.is_finite());
    structure.clocks.determine(&netlist.connections, &structure.names, &number)?;
    drive_trains::decide(structure)?;
    Ok(all)
}
