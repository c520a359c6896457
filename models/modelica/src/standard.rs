//! What is known of the Modelica Standard Library where its texts are not found: the classes that
//! our libraries declare, from their declarations, and the types, constants and connectors that
//! models name most often.

use crate::library::{ClassNode, Library};
use crate::names::plain_name;
use crate::source::File;
use crate::syntax::parse;
use libraries::LIBRARIES;
use mechanics::declaration::{Declaration, Parameter};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Types, constants and connectors.
const TEXT: &str = include_str!("standard.mo");

/// The name that stands for the file of [`TEXT`].
const FILE: &str = "declared classes of Modelica";

/// Whether a package is that of [`add_to`], and not that of the library's texts.
pub fn is_own(package: &ClassNode) -> bool {
    package.syntax.name.span.file.path == Path::new(FILE)
}

/// Adds the package `Modelica` to a library that does not find it.
pub fn add_to(library: &Library) -> Option<Rc<ClassNode>> {
    let text = TEXT.to_owned();
    let file = Rc::new(File { path: PathBuf::from(FILE), text });
    let mut classes = parse(&file).ok()?.classes;
    let package = library.add_class(None, classes.pop()?);
    for class in LIBRARIES.iter().flat_map(|library| library.components) {
        let declaration = class.declaration;
        if declaration.class.starts_with("Modelica.") {
            add(library, &package, declaration);
        }
    }
    Some(package)
}

/// Adds a class in its package, which comes to be if there is none yet.
fn add(library: &Library, root: &Rc<ClassNode>, declaration: &Declaration) -> Option<()> {
    let mut parts = declaration.class.split('.').skip(1).peekable();
    let mut package = Rc::clone(root);
    while let Some(name) = parts.next() {
        if parts.peek().is_none() {
            if library.child(&package, name).ok()?.is_none() {
                add_text(library, &package, class_text(name, declaration))?;
            }
            break;
        }
        package = match library.child(&package, name).ok()? {
            Some(known) => known,
            None => add_text(library, &package, format!("package {name} end {name};"))?,
        };
    }
    Some(())
}

fn add_text(library: &Library, package: &Rc<ClassNode>, text: String) -> Option<Rc<ClassNode>> {
    let path = PathBuf::from(format!("the declaration of {}", package.path));
    let class = parse(&Rc::new(File { path, text })).ok()?.classes.pop()?;
    Some(library.add_class(Some(package), class))
}

/// The text of a class from its declaration.
fn class_text(name: &str, declaration: &Declaration) -> String {
    let mut text = format!("model {name} \"{}\"\n", declaration.summary.replace('"', "'"));
    let mut known: Vec<String> = Vec::new();
    let mut line = |name: &str, text_of: String, text: &mut String| {
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_plain && !known.iter().any(|other| other == name) {
            known.push(name.to_owned());
            let _ = writeln!(text, "  {text_of};");
        }
    };
    let mut records: BTreeMap<&str, String> = BTreeMap::new();
    for parameter in declaration.parameters {
        for (name, entry) in entries(declaration, parameter) {
            match record_of(parameter) {
                Some(record) => {
                    let _ = writeln!(records.entry(record).or_default(), "    {entry};");
                }
                None => line(&name, entry, &mut text),
            }
        }
    }
    for (record, entries) in records {
        let _ = writeln!(text, "  record Of_{record}\n{entries}  end Of_{record};");
        line(record, format!("parameter Of_{record} {record}"), &mut text);
    }
    for port in declaration.ports {
        let (of, sizes) = connector(port.kind, port.name);
        if sizes == ANY_LENGTH {
            for length in ["n", "nu", "nin"] {
                line(length, format!("parameter Integer {length} = 0"), &mut text);
            }
        }
        line(port.name, format!("{of} {}{sizes}", port.name), &mut text);
    }
    for variable in declaration.variables {
        let (of, sizes) = match variable.kind {
            "Vector" => ("Real", "[3]"),
            "Quaternion" => ("Real", "[4]"),
            "Matrix" => ("Real", "[3, 3]"),
            "Array" => ("Real", "[:]"),
            "[Boolean]" => ("Boolean", "[:]"),
            "Boolean" => ("Modelica.Blocks.Interfaces.BooleanOutput", ""),
            "Integer" => ("Modelica.Blocks.Interfaces.IntegerOutput", ""),
            _ => ("Modelica.Blocks.Interfaces.RealOutput", ""),
        };
        line(variable.name, format!("{of} {}{sizes}", variable.name), &mut text);
    }
    // Conditions of connectors, which exist here without them.
    let flags =
        ["useSupport", "useAxisFlange", "useHeatPort", "use_reset", "use_set", "withFeedForward"];
    for flag in flags {
        line(flag, format!("parameter Boolean {flag} = false"), &mut text);
    }
    let _ = writeln!(text, "end {name};");
    text
}

/// Parameters that have another name in the standard library.
const OTHER_NAMES: [(&str, &str); 1] = [("use_quaternions", "useQuaternions")];

/// The name of one of our parameters in the standard library; that of a parameter of a component
/// inside is `ratio`, not `lossyGear.ratio`.
fn name_of(parameter: &Parameter) -> &'static str {
    let is_start = matches!(parameter.kind, "Start" | "[Start; 3]");
    let inner = parameter.name.rsplit('.').next().filter(|_| !is_start);
    let name = inner.unwrap_or(parameter.name);
    OTHER_NAMES.iter().find(|(ours, _)| *ours == name).map_or(name, |(_, theirs)| theirs)
}

/// The record of which a parameter is an entry. The name of a parameter of a component inside is
/// that of the whole component too.
fn record_of(parameter: &Parameter) -> Option<&'static str> {
    let (record, entry) = parameter.name.split_once('.')?;
    let is_entry = parameter.kind == "Real" && plain_name(entry) != plain_name(parameter.setter);
    is_entry.then_some(record)
}

/// The elements for one of our parameters, with their names.
fn entries(declaration: &Declaration, parameter: &Parameter) -> Vec<(String, String)> {
    let (name, setter) = (name_of(parameter), parameter.setter);
    let unit = match parameter.unit {
        "" => String::new(),
        unit => format!("(unit = \"{unit}\")"),
    };
    let types = "Modelica.Mechanics.MultiBody.Types";
    let one = |name: &str, of: &str, sizes: &str| {
        (name.to_owned(), format!("parameter {of} {name}{sizes}"))
    };
    match parameter.kind {
        // A parameter of a block whose start value is that of another variable.
        "Start" if name != setter && !name.contains('.') => vec![
            (setter.to_owned(), format!("parameter Real {setter} = 0")),
            ("initType".to_owned(), {
                let init = "Modelica.Blocks.Types.Init";
                let default = match declaration.class {
                    "Modelica.Blocks.Continuous.Integrator" => "InitialState",
                    _ => "NoInit",
                };
                format!("parameter {init} initType = {init}.{default}")
            }),
        ],
        "Start" => vec![(name.to_owned(), format!("Real {name}{unit}"))],
        "[Start; 3]" => match name.strip_suffix("_start") {
            Some(stem) => {
                let flag = format!("{stem}_fixed");
                let is_fixed = format!("parameter Boolean {flag} = false");
                let start = format!("parameter Real {name}[3] = zeros(3)");
                vec![(name.to_owned(), start), (flag, is_fixed)]
            }
            None => vec![(name.to_owned(), format!("Real {name}[3]{}", each(&unit)))],
        },
        "StateSelect" if name == "states" => {
            let entry = "parameter StateSelect stateSelect = StateSelect.default";
            vec![("stateSelect".to_owned(), entry.to_owned())]
        }
        "StateSelect" => vec![one(name, "StateSelect", "")],
        "Real" | "AngleInDegrees" => {
            vec![(name.to_owned(), format!("parameter Real {name}{unit}"))]
        }
        "[Real; 3]" | "Axis" => {
            vec![(name.to_owned(), format!("parameter Real {name}[3]{}", each(&unit)))]
        }
        "[Real]" => vec![(name.to_owned(), format!("parameter Real {name}[:]{}", each(&unit)))],
        "[[Real]]" => vec![one(name, "Real", "[:, :]")],
        "Integer" => vec![one(name, "Integer", "")],
        "[usize; 3]" => vec![one(name, "Integer", "[3]")],
        "bool" => vec![one(name, "Boolean", "")],
        "[bool]" => vec![one(name, "Boolean", "[:]")],
        "String" => vec![one(name, "String", "")],
        "GravityType" => vec![one(name, &format!("{types}.GravityTypes"), "")],
        "ResolveInFrameA" | "ResolveInFrameB" | "ResolveInFrameAB" => {
            vec![one(name, &format!("{types}.{}", parameter.kind), "")]
        }
        "Smoothness" | "Extrapolation" | "Init" | "SimpleController" | "AnalogFilter"
        | "FilterType" => {
            vec![one(name, &format!("Modelica.Blocks.Types.{}", parameter.kind), "")]
        }
        _ => Vec::new(),
    }
}

/// `(each unit = ..)`.
fn each(unit: &str) -> String {
    unit.replacen("(unit", "(each unit", 1)
}

/// The size of a vector of inputs: a text gives one of these numbers, whichever the class has.
const ANY_LENGTH: &str = "[n + nu + nin]";

/// The connector of the standard library for a kind of port.
fn connector(kind: &str, name: &str) -> (String, &'static str) {
    let side = if name.ends_with('b') { "b" } else { "a" };
    let of = match kind {
        "Frame" => format!("Modelica.Mechanics.MultiBody.Interfaces.Frame_{side}"),
        "Flange" => format!("Modelica.Mechanics.Rotational.Interfaces.Flange_{side}"),
        "TranslationalFlange" => {
            format!("Modelica.Mechanics.Translational.Interfaces.Flange_{side}")
        }
        "HeatPort" => format!("Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_{side}"),
        "Pin" => format!(
            "Modelica.Electrical.Analog.Interfaces.{}",
            match name {
                "p" => "PositivePin",
                "n" => "NegativePin",
                _ => "Pin",
            }
        ),
        kind if kind.contains("Boolean") => "Modelica.Blocks.Interfaces.BooleanInput".to_owned(),
        kind if kind.contains("Integer") => "Modelica.Blocks.Interfaces.IntegerInput".to_owned(),
        _ => "Modelica.Blocks.Interfaces.RealInput".to_owned(),
    };
    let sizes = match kind.strip_prefix('[') {
        Some(vector) if vector.contains("; 3") => "[3]",
        Some(_) => ANY_LENGTH,
        None => "",
    };
    (of, sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_declared_classes_are_found_without_the_library() {
        let library = Library::new(Vec::new());
        for class in LIBRARIES.iter().flat_map(|library| library.components) {
            let path = class.declaration.class;
            if path.starts_with("Modelica.") {
                library.find(path).unwrap_or_else(|complaint| panic!("{}", complaint.describe()));
            }
        }
    }
}
