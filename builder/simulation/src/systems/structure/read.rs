//! Reads descriptions of systems and sets of parameters.
//!
//! What a master cannot follow, such as a dictionary of signals, is refused by name; geometry and
//! annotations have no influence.

use fmus::model_description::{BASE_UNITS, Base, BaseUnit, DefaultExperiment};
use fmus::xml::{Element, boolean, double, parse};

use super::{
    Binding, Component, Connection, Connector, End, Kind, ParameterSet, ParameterValue, Structure,
    System, Unit,
};

/// The type of a component that is an FMU, which is the default.
const FMU: &str = "application/x-fmu-sharedlibrary";

/// Reads the text of a SystemStructure.ssd.
///
/// # Errors
/// One sentence that names the line.
pub fn structure(text: &str) -> Result<Structure, String> {
    let root = without_prefixes(parse(text)?);
    expect(&root, "SystemStructureDescription")?;
    let (mut system, mut experiment) = (None, None);
    let mut units = Vec::new();
    for child in &root.children {
        match child.name.as_str() {
            "System" => system = Some(self::system(child)?),
            "Units" => units = self::units(child)?,
            "DefaultExperiment" => experiment = Some(self::experiment(child)?),
            "Enumerations" | "Annotations" => {}
            _ => return Err(unknown(child, "SystemStructureDescription")),
        }
    }
    Ok(Structure {
        name: required(&root, "name")?.to_owned(),
        version: required(&root, "version")?.to_owned(),
        generation_tool: root.attribute("generationTool").map(str::to_owned),
        system: system.ok_or("it has no <System>")?,
        units,
        experiment: experiment.unwrap_or_default(),
        annotations: Vec::new(),
        name_spaces: Vec::new(),
    })
}

/// Reads the text of a file `.ssv`.
///
/// # Errors
/// One sentence that names the line.
pub fn parameter_set(text: &str) -> Result<ParameterSet, String> {
    set(&without_prefixes(parse(text)?))
}

fn set(root: &Element) -> Result<ParameterSet, String> {
    expect(root, "ParameterSet")?;
    let mut found =
        ParameterSet { name: required(root, "name")?.to_owned(), ..ParameterSet::default() };
    for child in &root.children {
        match child.name.as_str() {
            "Parameters" => {
                found.values = child.children.iter().map(value).collect::<Result<_, _>>()?;
            }
            "Units" => found.units = units(child)?,
            "Enumerations" | "Annotations" => {}
            _ => return Err(unknown(child, "ParameterSet")),
        }
    }
    Ok(found)
}

/// A parameter of a set.
fn value(element: &Element) -> Result<ParameterValue, String> {
    expect(element, "Parameter")?;
    let name = required(element, "name")?.to_owned();
    let typed = element.children.iter().find(|child| child.name != "Annotations");
    let typed = typed.ok_or_else(|| at(element, &format!("{name} has no value")))?;
    Ok(ParameterValue {
        base: base(typed).map_err(|_| at(typed, &format!("{name} is of type {}", typed.name)))?,
        value: required(typed, "value")?.to_owned(),
        unit: typed.attribute("unit").map(str::to_owned),
        name,
    })
}

fn system(element: &Element) -> Result<System, String> {
    let mut found = System {
        name: required(element, "name")?.to_owned(),
        description: element.attribute("description").map(str::to_owned),
        ..System::default()
    };
    for child in &element.children {
        match child.name.as_str() {
            "Connectors" => found.connectors = connectors(child)?,
            "ParameterBindings" => found.parameters = bindings(child)?,
            "Elements" => {
                for inner in &child.children {
                    match inner.name.as_str() {
                        "Component" => found.components.push(component(inner)?),
                        "System" => found.systems.push(system(inner)?),
                        _ => return Err(unknown(inner, "Elements")),
                    }
                }
            }
            "Connections" => {
                found.connections =
                    child.children.iter().map(connection).collect::<Result<_, _>>()?;
            }
            "ElementGeometry" | "SystemGeometry" | "GraphicalElements" | "Annotations" => {}
            _ => return Err(unknown(child, "System")),
        }
    }
    Ok(found)
}

fn component(element: &Element) -> Result<Component, String> {
    let name = required(element, "name")?.to_owned();
    let kind = element.attribute("type").unwrap_or(FMU);
    if kind != FMU {
        return Err(at(element, &format!("{name} is of type `{kind}`, not an FMU (`{FMU}`)")));
    }
    let mut found = Component {
        description: element.attribute("description").map(str::to_owned),
        source: required(element, "source")?.to_owned(),
        is_model_exchange: element.attribute("implementation") == Some("ModelExchange"),
        name,
        ..Component::default()
    };
    for child in &element.children {
        match child.name.as_str() {
            "Connectors" => found.connectors = connectors(child)?,
            "ParameterBindings" => found.parameters = bindings(child)?,
            "ElementGeometry" | "Annotations" => {}
            _ => return Err(unknown(child, "Component")),
        }
    }
    Ok(found)
}

fn connectors(element: &Element) -> Result<Vec<Connector>, String> {
    element.children.iter().map(connector).collect()
}

fn connector(element: &Element) -> Result<Connector, String> {
    expect(element, "Connector")?;
    let (name, word) = (required(element, "name")?.to_owned(), required(element, "kind")?);
    let kind = Kind::ALL.iter().find(|(_, known)| *known == word).map(|(kind, _)| *kind);
    let kind = kind.ok_or_else(|| at(element, &format!("{name} is of kind `{word}`")))?;
    let other = ["ConnectorGeometry", "Annotations"];
    let typed = element.children.iter().find(|child| !other.contains(&child.name.as_str()));
    Ok(Connector {
        name,
        kind,
        base: typed.map(base).transpose()?,
        unit: typed.and_then(|typed| typed.attribute("unit")).map(str::to_owned),
    })
}

fn bindings(element: &Element) -> Result<Vec<Binding>, String> {
    element.children.iter().map(binding).collect()
}

fn binding(element: &Element) -> Result<Binding, String> {
    expect(element, "ParameterBinding")?;
    if element.attribute("sourceBase") == Some("component") {
        return Err(at(element, "sourceBase=\"component\" is not supported"));
    }
    let (mut values, mut units) = (Vec::new(), Vec::new());
    for child in &element.children {
        match child.name.as_str() {
            "ParameterValues" => {
                for inner in &child.children {
                    let ParameterSet { values: more, units: of_more, .. } = set(inner)?;
                    values.extend(more);
                    units.extend(of_more);
                }
            }
            "Annotations" => {}
            _ => return Err(unknown(child, "ParameterBinding")),
        }
    }
    Ok(Binding {
        prefix: element.attribute("prefix").unwrap_or_default().to_owned(),
        source: element.attribute("source").map(str::to_owned),
        values,
        units,
    })
}

fn connection(element: &Element) -> Result<Connection, String> {
    expect(element, "Connection")?;
    let end = |side: &str| -> Result<End, String> {
        Ok(End {
            element: element.attribute(&format!("{side}Element")).map(str::to_owned),
            connector: required(element, &format!("{side}Connector"))?.to_owned(),
        })
    };
    let mut linear = None;
    for child in &element.children {
        match child.name.as_str() {
            "LinearTransformation" => {
                linear = Some((number(child, "factor", 1.0)?, number(child, "offset", 0.0)?));
            }
            "ConnectionGeometry" | "Annotations" => {}
            _ => return Err(unknown(child, "Connection")),
        }
    }
    let suppresses = element.attribute("suppressUnitConversion").unwrap_or("false");
    Ok(Connection {
        start: end("start")?,
        end: end("end")?,
        linear,
        suppresses_units: boolean(suppresses).ok_or_else(|| {
            at(
                element,
                &format!("suppressUnitConversion=\"{suppresses}\" is neither true nor false"),
            )
        })?,
        line: element.line,
    })
}

fn units(element: &Element) -> Result<Vec<Unit>, String> {
    element.children.iter().map(unit).collect()
}

fn unit(element: &Element) -> Result<Unit, String> {
    expect(element, "Unit")?;
    let name = required(element, "name")?.to_owned();
    let base = element.child("BaseUnit");
    let base = base.ok_or_else(|| at(element, &format!("the unit {name} has no <BaseUnit>")))?;
    let mut exponents = [0; 8];
    for (exponent, symbol) in exponents.iter_mut().zip(BASE_UNITS) {
        *exponent = match base.attribute(symbol) {
            None => 0,
            Some(text) => text.parse().map_err(|_| {
                at(base, &format!("the exponent {symbol}=\"{text}\" is not a whole number"))
            })?,
        };
    }
    let (factor, offset) = (number(base, "factor", 1.0)?, number(base, "offset", 0.0)?);
    Ok(Unit { name, base: BaseUnit { exponents, factor, offset } })
}

fn experiment(element: &Element) -> Result<DefaultExperiment, String> {
    let time = |name: &str| match element.attribute(name) {
        None => Ok(None),
        Some(_) => number(element, name, 0.0).map(Some),
    };
    Ok(DefaultExperiment {
        start_time: time("startTime")?,
        stop_time: time("stopTime")?,
        ..DefaultExperiment::default()
    })
}

/// The type that an element states.
fn base(element: &Element) -> Result<Base, String> {
    let all = [Base::Real, Base::Integer, Base::Boolean, Base::String, Base::Enumeration];
    let found = all.into_iter().find(|base| base.name() == element.name);
    found.ok_or_else(|| at(element, &format!("the type {} is not one of FMI 2", element.name)))
}

/// A finite number in an attribute, or a default.
fn number(element: &Element, name: &str, default: f64) -> Result<f64, String> {
    let Some(text) = element.attribute(name) else { return Ok(default) };
    let found = double(text).filter(|value| value.is_finite());
    found.ok_or_else(|| at(element, &format!("{name}=\"{text}\" is not a finite number")))
}

fn required<'e>(element: &'e Element, name: &str) -> Result<&'e str, String> {
    element
        .attribute(name)
        .ok_or_else(|| at(element, &format!("<{}> has no attribute {name}", element.name)))
}

fn expect(element: &Element, name: &str) -> Result<(), String> {
    match element.name == name {
        true => Ok(()),
        false => Err(at(element, &format!("there is <{}> in place of <{name}>", element.name))),
    }
}

fn unknown(element: &Element, parent: &str) -> String {
    at(element, &format!("<{}> in <{parent}> is not supported", element.name))
}

fn at(element: &Element, reason: &str) -> String {
    format!("line {}: {reason}", element.line)
}

/// The elements without the prefixes of their name spaces.
fn without_prefixes(mut element: Element) -> Element {
    if let Some((_, local)) = element.name.split_once(':') {
        element.name = local.to_owned();
    }
    element.children = element.children.into_iter().map(without_prefixes).collect();
    element
}
