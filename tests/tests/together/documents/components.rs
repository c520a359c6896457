//! Tests that FMUs and the page agree with the declarations of components.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use coupler::declaration::Declaration;
use coupler::libraries::{CHOICES, FACTS, KINDS, LIBRARIES, registry};
use coupler::netlist::schema;
use coupler_tests::components::page;
use coupler_tests::{Fmu, root};
use equations::Model;
use equations::schematic::DrawnComponent;
use fmu_builder::model_description::ScalarVariable;
use fmu_builder::models::Text;
use models::MODELS;

fn declarations() -> impl Iterator<Item = &'static Declaration> {
    LIBRARIES.iter().flat_map(|library| library.components).map(|class| class.declaration)
}

#[test]
fn every_entry_has_a_text_of_one_line() {
    for d in declarations() {
        let parameters = d.parameters.iter().map(|p| (p.name, p.text));
        let ports = d.ports.iter().map(|p| (p.name, p.text));
        let variables = d.variables.iter().map(|v| (v.name, v.text));
        for (name, text) in parameters.chain(ports).chain(variables).chain([("", d.summary)]) {
            let is_line = !text.is_empty() && !text.contains('\n') && !text.ends_with('.');
            assert!(is_line, "{}.{name}: \"{text}\"", d.name);
        }
    }
}

/// Kinds of parameters and variables without a unit, besides choices.
const NO_NUMBERS: &[&str] = &[
    "bool",
    "String",
    "Count",
    "GravityField",
    "[StateSelect; 3]",
    "[usize; 3]",
    "[bool]",
    "Boolean",
    "[Boolean]",
    "Integer",
];

#[test]
fn every_kind_is_in_the_legend() {
    let kinds: BTreeSet<&str> = declarations().flat_map(|d| d.parameters).map(|p| p.kind).collect();
    let listed = KINDS.iter().map(|k| k.name).chain(CHOICES.iter().map(|c| c.name));
    assert_eq!(kinds, listed.collect());
    let facts: BTreeSet<&str> =
        declarations().flat_map(|d| d.parameters).flat_map(|p| p.facts()).collect();
    assert_eq!(facts, FACTS.iter().map(|fact| fact.name).collect());
}

#[test]
fn every_number_has_a_unit() {
    for d in declarations() {
        // The value of an input without a fixed unit has the unit of the connected output.
        let is_open =
            d.ports.iter().any(|port| port.kind.contains("Input") && port.unit.is_empty());
        let mut signals = d.variables.iter().filter(|v| ["y", "q"].contains(&v.name));
        let is_source = d.ports.is_empty() && signals.next().is_some();
        if is_open || is_source {
            continue;
        }
        let parameters = d.parameters.iter().map(|p| (p.name, p.kind, p.unit));
        let variables = d.variables.iter().map(|v| (v.name, v.kind, v.unit));
        for (name, kind, unit) in parameters.chain(variables) {
            let needs_none = NO_NUMBERS.contains(&kind) || CHOICES.iter().any(|c| c.name == kind);
            assert!(needs_none || !unit.is_empty(), "{}.{name}: no unit", d.name);
        }
    }
}

#[test]
fn every_declared_component_is_listed_in_a_library() {
    fn read(folder: &Path, text: &mut String) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => read(&path, text),
                false => *text += &fs::read_to_string(path).expect("a source file"),
            }
        }
    }
    let classes = LIBRARIES.iter().flat_map(|library| library.classes());
    let listed: BTreeSet<&str> = classes.map(|class| class.declaration.name).collect();
    let mut source = String::new();
    for package in ["electrical_components", "libraries", "mechanics", "signal_blocks"] {
        read(&root().join("models").join(package).join("src"), &mut source);
    }
    let mut lines = source.lines().map(str::trim);
    let mut found = 0;
    while lines.any(|line| line == "component! {") {
        let name = lines.find_map(|line| {
            let name = line.strip_prefix("pub struct ").or(line.strip_prefix("pub part "))?;
            name.split(|c: char| !c.is_alphanumeric() && c != '_').next()
        });
        let name = name.expect("a declaration has a name");
        // The declaration in `blocks!`, whose lines are
        // `And = "Modelica.Blocks.MathBoolean.And": all;`.
        let is_listed = name.is_empty() || listed.contains(name);
        assert!(is_listed, "{name} is in none of the lists of `tables`");
        found += 1;
    }
    for line in source.lines().map(str::trim) {
        if let Some((name, rest)) = line.split_once(" = \"")
            && name.chars().all(char::is_alphanumeric)
            && rest.contains("\": ")
        {
            assert!(listed.contains(name), "{name} is in none of the lists of `tables`");
            found += 1;
        }
    }
    assert!(found > 100, "{found} components are declared");
}

/// Whether a variable, or the array to which it belongs, is a parameter of a component with its
/// unit and description. The columns of a table have units and descriptions of their own.
fn is_parameter(variable: &ScalarVariable) -> bool {
    // A name may have dots, such as that of an entry of a record.
    let locals = variable.name.match_indices('.').map(|(dot, _)| &variable.name[dot + 1..]);
    let names: Vec<&str> = locals
        .flat_map(|local| [local, local.rsplit_once('[').map_or(local, |(array, _)| array)])
        .collect();
    let unit = variable.attributes.unit.as_deref().unwrap_or_default();
    declarations().flat_map(|d| d.parameters).any(|p| {
        let units: Vec<&str> = p.unit.split(", ").collect();
        let is_column = units.len() > 1 && units.contains(&unit);
        let is_same = p.text == variable.description && ["", unit].contains(&p.unit);
        names.contains(&p.name) && (is_same || is_column)
    })
}

/// Whether a variable belongs to a part of a component whose number a parameter determines: the
/// description of the component names it with the index k.
fn is_numbered(component: &DrawnComponent, variable: &str) -> bool {
    let local = variable.strip_prefix(&*component.name).and_then(|rest| rest.strip_prefix('.'));
    let with_k = local.and_then(|local| {
        let (array, rest) = local.split_once('[')?;
        Some(format!("`{array}[k]{}`", rest.split_once(']')?.1))
    });
    let is_own = |d: &&Declaration| [d.class, d.name].contains(&&*component.type_name);
    with_k.is_some_and(|name| declarations().filter(is_own).any(|d| d.text.contains(&name)))
}

#[test]
fn variables_that_fmus_publish_for_components_are_declared() {
    let ports: BTreeSet<&str> = declarations().flat_map(|d| d.ports).map(|p| p.name).collect();
    let mut compared = 0;
    for text in MODELS.models {
        let mut model = Model::new("Model");
        model.resources(root().join("models/resources").join(text.name));
        if let Text::Traced(text) = (text.text)() {
            text(&mut model);
        }
        let announced: Vec<[&str; 3]> = model.announcements().collect();
        let traced = MODELS.trace(text).expect("a model of the repository");
        let components =
            traced.program().map(|program| &program.schematic().components[..]).unwrap_or_default();
        let fmu = Fmu::named(&text.fmi_name());
        let variables = &fmu.description.variables;
        let parameters = variables.iter().filter(|variable| is_parameter(variable));
        let known = parameters.map(|p| p.name.as_str()).chain(announced.iter().map(|a| a[0]));
        let instances: BTreeSet<&str> =
            known.filter_map(|name| Some(name.rsplit_once('.')?.0)).collect();
        for variable in variables {
            let name = variable.name.as_str();
            let array = name.split('[').next().unwrap_or(name);
            let entry = |of: &str| announced.iter().find(|[known, ..]| *known == of);
            if let Some([_, unit, description]) = entry(name).or_else(|| entry(array)) {
                assert_eq!(variable.description, *description, "{name}");
                if !unit.is_empty() {
                    assert_eq!(variable.attributes.unit.as_deref(), Some(*unit), "{name}");
                }
                compared += 1;
                continue;
            }
            if is_parameter(variable) {
                compared += 1;
                continue;
            }
            // The variables of a connector follow from its kind.
            let of_instance = instances.iter().filter_map(|instance| {
                name.strip_prefix(instance).and_then(|local| local.strip_prefix('.'))
            });
            if components.iter().any(|component| is_numbered(component, name)) {
                compared += 1;
                continue;
            }
            let mut firsts =
                of_instance.map(|l| l.split(['.', '[']).next().unwrap_or(l)).peekable();
            let is_connector = firsts.peek().is_none() || firsts.any(|first| ports.contains(first));
            assert!(is_connector, "{}: {name} is not declared", text.name);
        }
    }
    assert!(compared > 3000, "{compared} variables are compared");
}

#[test]
fn the_page_agrees_with_the_declarations() {
    check_generated("docs/components.md", &page());
}

#[test]
fn the_schema_of_netlists_agrees_with_the_declarations() {
    check_generated("docs/netlist.schema.json", &schema(&registry(), CHOICES));
}

/// Compares a file with what is generated, or writes it.
fn check_generated(file: &str, generated: &str) {
    let path = root().join(file);
    if std::env::var_os("COUPLER_BLESS").is_some() {
        fs::write(&path, generated).expect("the file is written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == generated, "{file}: `cargo xtask bless` writes it again");
}
