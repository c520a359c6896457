//! From a netlist to equations: components contribute, structure is found, motion is solved.

pub mod algebra;
pub mod contact;
pub mod contributions;
pub(crate) mod dynamics;
pub(crate) mod kinematics;
pub mod laws;
pub(crate) mod loads;
pub mod motion;
pub(crate) mod publication;
pub mod spatial;
pub(crate) mod states;
pub(crate) mod topology;

use crate::assembly::{ModelParameter, Netlist, PortId, element};
use crate::component::{AnyComponent, Contribution};
use crate::declaration::{Declaration, Port};
use crate::error::Error;
use crate::multibody::World;
use crate::scene::Shapes;
use contributions::Structure;
use contributions::connection_sets::Wiring;
use equations::Model;
use publication::generalized;
use std::collections::BTreeMap;
use topology::plan::Plan;

/// Turns a netlist into equations of `model`.
pub fn compile(netlist: &Netlist, model: &mut Model) -> Result<(), Error> {
    let (mut structure, names, flanges) = contributions(netlist, model)?;
    let units = std::mem::take(&mut structure.units);
    let plan = Plan::new(structure, names, flanges, model)?;
    kinematics::motion::solve(netlist, plan, model, None)?;
    let names: Vec<String> = netlist.components.iter().map(|c| c.name.clone()).collect();
    units.check(&netlist.connections, &names, model)
}

/// [`compile`], with the equations in generalised coordinates as further variables.
pub fn inspect(netlist: &Netlist, model: &mut Model) -> Result<generalized::Layout, Error> {
    let (structure, names, flanges) = contributions(netlist, model)?;
    let plan = Plan::new(structure, names, flanges, model)?;
    let mut layout = generalized::Layout::default();
    kinematics::motion::solve(netlist, plan, model, Some(&mut layout))?;
    Ok(layout)
}

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
fn default_world(names: &[String]) -> String {
    let taken = |name: &str| names.iter().any(|n| n == name);
    let mut name = "world".to_owned();
    while taken(&name) {
        name.push('_');
    }
    name
}

/// Announces the parameters and variables of an instance, and the units of its inputs; an input may
/// be published as well.
fn announce(
    (component, instance): (usize, &str),
    declaration: &Declaration,
    structure: &mut Structure,
    model: &mut Model,
) {
    for p in declaration.parameters {
        model.announce(&format!("{instance}.{}", p.name), p.unit, p.text);
    }
    // A name with a dot is that of a variable of a part, which says itself what it is.
    let is_own = |p: &&Port| p.kind == "Input" && !p.name.contains('.');
    for p in declaration.ports.iter().filter(is_own) {
        model.announce(&format!("{instance}.{}", p.name), p.unit, p.text);
    }
    for p in declaration.ports.iter().filter(|p| !p.unit.is_empty()) {
        let mut takes = |port: &'static str| {
            structure.units.of.insert(PortId { component, port }, p.unit.to_owned());
        };
        match p.kind {
            "Input" => takes(p.name),
            "[Input;3]" => (1..=3).for_each(|i| takes(element(p.name, i))),
            _ => (),
        }
    }
    for v in declaration.variables {
        model.announce(&format!("{instance}.{}", v.name), v.unit, v.text);
    }
}

/// Lets every component contribute.
fn contributions(
    netlist: &Netlist,
    model: &mut Model,
) -> Result<(Structure, Vec<String>, usize), Error> {
    if let Some(error) = netlist.errors.first() {
        return Err(error.clone());
    }
    let mut names: Vec<String> = netlist.components.iter().map(|c| c.name.clone()).collect();
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for instance in &netlist.components {
        let kind = instance.component.declaration().name;
        if let Some(other) = seen.insert(&instance.name, kind) {
            let text =
                format!("{}: two components have this name, {other} and {kind}", instance.name);
            return Err(Error::Connection(text));
        }
    }
    if let Some(name) = names.iter().find(|name| !is_component_name(name)) {
        return Err(Error::Connection(format!(
            "\"{name}\": a component's name is made of letters, digits and _, beginning with a letter, \
             with dots between parts or an index such as [2] after them"
        )));
    }
    let full = |p: PortId| format!("{}.{}", names[p.component], p.port);
    let mut wiring = Wiring::new(&netlist.connections, full)?;
    let mut structure =
        Structure { scene: netlist.scene.then(Shapes::default), ..Structure::default() };
    model.experiment(netlist.experiment);
    for ModelParameter { name, value, unit, description, symbol } in &netlist.parameters {
        let parameter = model.parameter(name, *value).unit(unit).describe(description).tunable();
        structure.model_parameters.push((*symbol, parameter.into()));
    }
    for (component, instance) in netlist.components.iter().enumerate() {
        let (wiring, structure) = (&mut wiring, &mut structure);
        let name = instance.name.clone();
        announce((component, &name), instance.component.declaration(), structure, model);
        let mut c = Contribution { model, wiring, structure, component, name };
        instance.component.contribute(&mut c)?;
    }
    if structure.gravity.is_empty() && !structure.bodies.is_empty() {
        let name = default_world(&names);
        let component = names.len();
        names.push(name.clone());
        let (wiring, structure) = (&mut wiring, &mut structure);
        model.note(format!(
            "{name}: bodies need a World, so the default one is added, with gravity of 9.80665 m/s2 \
             along -y; World::new().g(0.0) has none"
        ));
        let world: &dyn AnyComponent = &World::new();
        announce((component, &name), world.declaration(), structure, model);
        let mut c = Contribution { model, wiring, structure, component, name };
        world.contribute(&mut c)?;
    }
    let text = "Position vector from world frame to the frame, resolved in world frame";
    for &(_, PortId { component, port }) in &structure.frame_ends {
        model.announce(&format!("{}.{port}.r_0", names[component]), "m", text);
    }
    structure.settle_drive_trains(&names)?;
    let flanges = wiring.flange_count();
    Ok((structure, names, flanges))
}
