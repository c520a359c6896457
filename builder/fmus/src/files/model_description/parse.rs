//! Reads the modelDescription.xml of any FMI 2.0 FMU.

use std::collections::BTreeMap;

use super::types::{
    Attributes, BASE_UNITS, Base, BaseUnit, DefaultExperiment, DisplayUnit, Interface,
    ModelDescription, ScalarVariable, SimpleType, Unit, Unknown,
};
use crate::vocabulary::wording::excerpt;
use crate::vocabulary::xml::{self, Element, boolean, double};

impl ModelDescription {
    /// Reads a model description.
    ///
    /// # Errors
    /// If the text is not well-formed XML or lacks something indispensable; the message names the
    /// line.
    pub fn parse(text: &str) -> Result<ModelDescription, String> {
        ModelDescription::from_tree(&xml::parse(text)?)
    }

    /// Reads a model description from a parsed document.
    ///
    /// # Errors
    /// As [`ModelDescription::parse`].
    pub fn from_tree(root: &Element) -> Result<ModelDescription, String> {
        if root.name != "fmiModelDescription" {
            let name = excerpt(&root.name);
            return Err(format!("the root element is <{name}>, not <fmiModelDescription>"));
        }
        let version = required(root, "fmiVersion")?;
        if !version.starts_with('2') {
            let version = excerpt(version);
            return Err(format!("its FMI version is {version}; only 2.0 is understood"));
        }
        let types: Vec<SimpleType> =
            root.items("TypeDefinitions").iter().map(simple_type).collect::<Result<_, _>>()?;
        let by_name: BTreeMap<&str, &SimpleType> =
            types.iter().rev().map(|t| (t.name.as_str(), t)).collect();
        let variables = root
            .items("ModelVariables")
            .iter()
            .map(|e| variable(e, &by_name))
            .collect::<Result<_, _>>()?;
        let structure = root.child("ModelStructure");
        let unknowns = |list| -> Result<Vec<Unknown>, String> {
            structure.map_or(&[][..], |s| s.items(list)).iter().map(unknown).collect()
        };
        let naming = optional(root, "variableNamingConvention");
        Ok(ModelDescription {
            fmi_version: version.to_owned(),
            model_name: required(root, "modelName")?.to_owned(),
            guid: required(root, "guid")?.to_owned(),
            description: optional(root, "description").unwrap_or_default(),
            author: optional(root, "author"),
            version: optional(root, "version"),
            license: optional(root, "license"),
            generation_tool: optional(root, "generationTool"),
            generation_date_and_time: optional(root, "generationDateAndTime"),
            variable_naming_convention: naming.unwrap_or_else(|| "flat".to_owned()),
            number_of_event_indicators: event_indicators(root)?,
            model_exchange: root.child("ModelExchange").map(interface).transpose()?,
            co_simulation: root.child("CoSimulation").map(interface).transpose()?,
            units: root.items("UnitDefinitions").iter().map(unit).collect::<Result<_, _>>()?,
            types,
            log_categories: root
                .items("LogCategories")
                .iter()
                .filter_map(|c| optional(c, "name"))
                .collect(),
            experiment: root
                .child("DefaultExperiment")
                .map(experiment)
                .transpose()?
                .unwrap_or_default(),
            variables,
            outputs: unknowns("Outputs")?,
            derivatives: unknowns("Derivatives")?,
            initial_unknowns: unknowns("InitialUnknowns")?,
        })
    }
}

/// The number of event indicators, unless it is too large for the memory.
fn event_indicators(root: &Element) -> Result<usize, String> {
    let name = "numberOfEventIndicators";
    let count: usize = number(root, name)?.unwrap_or(0);
    parsed(root, name, Some(count).filter(|count| *count <= MAX_INDICATORS))
}

/// Maximum number of event indicators; no model has more.
const MAX_INDICATORS: usize = 10_000_000;

fn required<'a>(element: &'a Element, name: &str) -> Result<&'a str, String> {
    element
        .attribute(name)
        .ok_or_else(|| format!("line {}: <{}> lacks {name}", element.line, element.name))
}

fn optional(element: &Element, name: &str) -> Option<String> {
    element.attribute(name).map(str::to_owned)
}

fn number<T: std::str::FromStr>(element: &Element, name: &str) -> Result<Option<T>, String> {
    element.attribute(name).map(|text| parsed(element, name, text.trim().parse().ok())).transpose()
}

fn real(element: &Element, name: &str) -> Result<Option<f64>, String> {
    element.attribute(name).map(|text| parsed(element, name, double(text))).transpose()
}

fn flag(element: &Element, name: &str) -> Result<Option<bool>, String> {
    element.attribute(name).map(|text| parsed(element, name, boolean(text))).transpose()
}

fn parsed<T>(element: &Element, name: &str, value: Option<T>) -> Result<T, String> {
    value.ok_or_else(|| {
        let text = excerpt(element.attribute(name).unwrap_or_default());
        format!("line {}: {name}=\"{text}\" of <{}> is not legal", element.line, element.name)
    })
}

fn interface(element: &Element) -> Result<Interface, String> {
    Ok(Interface {
        model_identifier: required(element, "modelIdentifier")?.to_owned(),
        attributes: element.attributes.iter().cloned().collect(),
        source_files: element
            .items("SourceFiles")
            .iter()
            .filter_map(|f| optional(f, "name"))
            .collect(),
    })
}

fn unit(element: &Element) -> Result<Unit, String> {
    let base = |b: &Element| -> Result<BaseUnit, String> {
        let mut exponents = [0; 8];
        for (exponent, name) in exponents.iter_mut().zip(BASE_UNITS) {
            *exponent = number(b, name)?.unwrap_or(0);
        }
        let factor = real(b, "factor")?.unwrap_or(1.0);
        Ok(BaseUnit { exponents, factor, offset: real(b, "offset")?.unwrap_or(0.0) })
    };
    let mut display = Vec::new();
    for d in element.children.iter().filter(|c| c.name == "DisplayUnit") {
        let factor = real(d, "factor")?.unwrap_or(1.0);
        let offset = real(d, "offset")?.unwrap_or(0.0);
        display.push(DisplayUnit { name: required(d, "name")?.to_owned(), factor, offset });
    }
    let name = required(element, "name")?.to_owned();
    Ok(Unit { name, base: element.child("BaseUnit").map(base).transpose()?, display })
}

fn base(name: &str) -> Option<Base> {
    [Base::Real, Base::Integer, Base::Boolean, Base::String, Base::Enumeration]
        .into_iter()
        .find(|b| b.name() == name)
}

fn typed(element: &Element) -> Result<(&Element, Base), String> {
    element
        .children
        .iter()
        .find_map(|c| Some((c, base(&c.name)?)))
        .ok_or_else(|| format!("line {}: <{}> has no base type", element.line, element.name))
}

fn attributes(element: &Element) -> Result<Attributes, String> {
    Ok(Attributes {
        unit: optional(element, "unit"),
        display_unit: optional(element, "displayUnit"),
        min: real(element, "min")?,
        max: real(element, "max")?,
        nominal: real(element, "nominal")?,
    })
}

fn simple_type(element: &Element) -> Result<SimpleType, String> {
    let (inner, base) = typed(element)?;
    let mut items = Vec::new();
    for item in inner.children.iter().filter(|c| c.name == "Item") {
        let value = number(item, "value")?;
        items.push((required(item, "name")?.to_owned(), parsed(item, "value", value)?));
    }
    let name = required(element, "name")?.to_owned();
    Ok(SimpleType { name, base, attributes: attributes(inner)?, items })
}

fn experiment(element: &Element) -> Result<DefaultExperiment, String> {
    Ok(DefaultExperiment {
        start_time: real(element, "startTime")?,
        stop_time: real(element, "stopTime")?,
        tolerance: real(element, "tolerance")?,
        step_size: real(element, "stepSize")?,
    })
}

fn variable(
    element: &Element,
    types: &BTreeMap<&str, &SimpleType>,
) -> Result<ScalarVariable, String> {
    let (inner, base) = typed(element)?;
    let declared_type = optional(inner, "declaredType");
    let declared = declared_type.as_ref().and_then(|name| types.get(name.as_str()));
    let own = attributes(inner)?;
    let reference = number(element, "valueReference")?;
    Ok(ScalarVariable {
        name: required(element, "name")?.to_owned(),
        value_reference: match reference {
            Some(reference) => reference,
            None => return Err(required(element, "valueReference").unwrap_err()),
        },
        description: optional(element, "description").unwrap_or_default(),
        causality: optional(element, "causality").unwrap_or_else(|| "local".to_owned()),
        variability: optional(element, "variability").unwrap_or_else(|| "continuous".to_owned()),
        written_initial: optional(element, "initial"),
        can_handle_multiple_set: flag(element, "canHandleMultipleSetPerTimeInstant")?,
        base,
        attributes: declared.map_or(own.clone(), |d| own.over(&d.attributes)),
        declared_type,
        start: optional(inner, "start"),
        derivative: number::<usize>(inner, "derivative")?.map(|index| index.wrapping_sub(1)),
        reinit: flag(inner, "reinit")?,
    })
}

fn unknown(element: &Element) -> Result<Unknown, String> {
    let index: usize = parsed(element, "index", number(element, "index")?)?;
    let written = optional(element, "dependencies");
    let dependencies = written
        .as_ref()
        .map(|list| {
            let one_based = list.split_ascii_whitespace().map(|i| i.parse::<usize>().ok());
            let indices: Option<Vec<usize>> =
                one_based.map(|i| i.map(|i| i.wrapping_sub(1))).collect();
            parsed(element, "dependencies", indices)
        })
        .transpose()?;
    let kinds = element.attribute("dependenciesKind");
    let kinds = kinds.map(|k| k.split_ascii_whitespace().map(str::to_owned).collect());
    let index = index.wrapping_sub(1);
    Ok(Unknown { index, dependencies, written_dependencies: written, kinds })
}
