//! The wiring of a system: its FMUs, what their inputs are connected with, and the values that are
//! set before the start.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use fmus::fmu::Fmu;
use fmus::model_description::{
    Base, BaseUnit, DefaultExperiment, ModelDescription, ScalarVariable,
};
use fmus::wording::{shown_unit, similar};

use super::package::Package;
use super::structure::{Binding, Component, Connector, End, Kind, ParameterValue, System, Unit};
use crate::run::Assignment;
use fmus::csv::number;

/// An FMU of a system.
pub struct Part {
    /// The name of the component, after the names of the systems around it.
    pub name: String,
    /// The index of its FMU.
    pub fmu: usize,
    /// The values that are set before the start.
    pub settings: Vec<Assignment>,
}

/// A variable of a part: indices of the part and of the variable in its description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct Port {
    pub part: usize,
    pub variable: usize,
}

/// An input that is connected: `to = factor * from + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct Link {
    pub from: Port,
    pub to: Port,
    pub factor: f64,
    pub offset: f64,
}

/// The wiring of a system.
pub struct Wiring {
    /// The archive, for messages.
    pub path: PathBuf,
    /// The default experiment.
    pub experiment: DefaultExperiment,
    /// The name of the system.
    pub name: String,
    /// The different FMUs.
    pub fmus: Vec<Fmu>,
    /// The parts, in the order of the description.
    pub parts: Vec<Part>,
    /// The connected inputs.
    pub links: Vec<Link>,
}

impl Wiring {
    /// The wiring that an archive describes.
    ///
    /// # Errors
    /// All mistakes, each a sentence without the name of the archive.
    pub fn of(package: &Package) -> Result<Wiring, Vec<String>> {
        let mut reader = Reader::empty(package);
        reader.components(&package.structure.system, "");
        reader.connections(&package.structure.system, "");
        reader.finish()
    }

    /// The description of the FMU of a part.
    pub fn description(&self, part: usize) -> &ModelDescription {
        &self.fmus[self.parts[part].fmu].description
    }

    /// The variable at a port.
    pub fn variable(&self, port: Port) -> &ScalarVariable {
        &self.description(port.part).variables[port.variable]
    }

    /// The name of a port: `engine.flange_w`.
    pub fn label(&self, port: Port) -> String {
        format!("{}.{}", self.parts[port.part].name, self.variable(port).name)
    }

    /// The part whose name begins a name, and the rest of the name.
    ///
    /// # Errors
    /// One sentence if there is none.
    pub fn split<'n>(&self, name: &'n str) -> Result<(usize, &'n str), String> {
        longest(&self.parts, name).ok_or_else(|| {
            let parts: Vec<&str> = self.parts.iter().map(|part| &*part.name).collect();
            format!(
                "{} has no component whose name begins `{name}`; its components are {}",
                self.name,
                parts.join(", ")
            )
        })
    }
}

/// The part whose name begins a name, the longest one, and the rest of the name.
fn longest<'n>(parts: &[Part], name: &'n str) -> Option<(usize, &'n str)> {
    let begun = parts.iter().enumerate().filter_map(|(index, part)| {
        let rest = name.strip_prefix(&*part.name)?.strip_prefix('.')?;
        Some((part.name.len(), index, rest))
    });
    begun.max_by_key(|(length, ..)| *length).map(|(_, index, rest)| (index, rest))
}

/// A connector of an element: the path of the element, and the name of the connector. The path of
/// the outermost system is empty.
type Node = (String, String);

/// Where the value of a connector comes from.
struct Source {
    from: Node,
    linear: (f64, f64),
    suppresses_units: bool,
    line: usize,
}

/// Reads the elements of a description.
struct Reader<'p> {
    package: &'p Package,
    fmus: Vec<Fmu>,
    /// The indices of the FMUs by their sources.
    by_source: BTreeMap<&'p str, Option<usize>>,
    parts: Vec<Part>,
    by_name: HashMap<String, usize>,
    /// The systems and connectors of systems.
    systems: HashMap<String, &'p System>,
    /// Components whose FMU cannot be used, which is reported already.
    unusable: Vec<String>,
    sources: BTreeMap<Node, Source>,
    mistakes: Vec<String>,
}

impl<'p> Reader<'p> {
    fn empty(package: &'p Package) -> Reader<'p> {
        Reader {
            package,
            fmus: Vec::new(),
            by_source: BTreeMap::new(),
            parts: Vec::new(),
            by_name: HashMap::new(),
            systems: HashMap::new(),
            unusable: Vec::new(),
            sources: BTreeMap::new(),
            mistakes: Vec::new(),
        }
    }

    /// Opens the FMUs of a system, whose path ends with a dot unless it is empty.
    fn components(&mut self, system: &'p System, path: &str) {
        self.systems.insert(path.to_owned(), system);
        for component in &system.components {
            let name = format!("{path}{}", component.name);
            if self.by_name.contains_key(&name) || self.unusable.contains(&name) {
                self.mistakes.push(format!("there are two components {name}"));
                continue;
            }
            match self.fmu(component, &name) {
                Some(fmu) => {
                    self.by_name.insert(name.clone(), self.parts.len());
                    self.parts.push(Part { name: name.clone(), fmu, settings: Vec::new() });
                    self.check_connectors(component, &name, fmu);
                }
                None => self.unusable.push(name),
            }
        }
        for inner in &system.systems {
            let inside = format!("{path}{}.", inner.name);
            if self.systems.contains_key(&inside) {
                self.mistakes.push(format!("there are two systems {path}{}", inner.name));
                continue;
            }
            self.components(inner, &inside);
        }
    }

    /// The FMU of a component; `None` with a mistake if it cannot be used.
    fn fmu(&mut self, component: &'p Component, name: &str) -> Option<usize> {
        if component.is_model_exchange {
            self.mistakes.push(format!(
                "{name} is to be simulated as Model Exchange; a master joins FMUs for Co-Simulation"
            ));
            return None;
        }
        if let Some(known) = self.by_source.get(&*component.source) {
            return *known;
        }
        let opened = self.package.file(&component.source).and_then(|path| open(&path));
        let opened = opened.map_err(|reason| self.mistakes.push(format!("{name}: {reason}"))).ok();
        let index = opened.map(|mut fmu| {
            // Messages name the file in the archive, not its unpacked copy.
            fmu.path = Path::new(&component.source).to_owned();
            self.fmus.push(fmu);
            self.fmus.len() - 1
        });
        self.by_source.insert(&component.source, index);
        index
    }

    /// Checks the connectors of a component against the variables of its FMU.
    fn check_connectors(&mut self, component: &Component, name: &str, fmu: usize) {
        for connector in &component.connectors {
            let description = &self.fmus[fmu].description;
            let Some(v) = description.variable(&connector.name) else {
                let names = description.variables.iter().map(|v| v.name.as_str());
                let hint = hint(&connector.name, names);
                let model = &description.model_name;
                self.mistakes.push(format!(
                    "{name}.{} is a connector, but the FMU {model} has no such variable{hint}",
                    connector.name
                ));
                continue;
            };
            if let Some(mistake) = disagreement(connector, v) {
                self.mistakes.push(format!("{name}.{}: {mistake}", connector.name));
            }
        }
    }

    /// Collects the connections of a system.
    fn connections(&mut self, system: &'p System, path: &str) {
        for c in &system.connections {
            let node = |end: &End| -> Node {
                let element = match &end.element {
                    None => path.to_owned(),
                    Some(name) if self.systems.contains_key(&format!("{path}{name}.")) => {
                        format!("{path}{name}.")
                    }
                    Some(name) => format!("{path}{name}"),
                };
                (element, end.connector.clone())
            };
            let (from, to) = (node(&c.start), node(&c.end));
            let source = Source {
                linear: c.linear.unwrap_or((1.0, 0.0)),
                suppresses_units: c.suppresses_units,
                line: c.line,
                from,
            };
            if let Some(earlier) = self.sources.get(&to) {
                self.mistakes.push(format!(
                    "{} is connected twice: with {} and with {}",
                    shown(&to),
                    shown(&earlier.from),
                    shown(&source.from)
                ));
                continue;
            }
            self.sources.insert(to, source);
        }
        for inner in &system.systems {
            self.connections(inner, &format!("{path}{}.", inner.name));
        }
    }

    /// The port of a connector of a component; `None` for connectors of systems.
    fn port(&self, (element, connector): &Node) -> Result<Option<Port>, String> {
        if let Some(system) = self.systems.get(element) {
            return match system.connectors.iter().any(|c| c.name == *connector) {
                true => Ok(None),
                false => Err(format!("the system has no connector `{connector}`")),
            };
        }
        let Some(part) = self.by_name.get(element) else {
            let hint = hint(element, self.by_name.keys().map(String::as_str));
            return Err(format!("there is no component `{element}`{hint}"));
        };
        let description = &self.fmus[self.parts[*part].fmu].description;
        let found = description.variables.iter().position(|v| v.name == *connector);
        let variable = found.ok_or_else(|| {
            let names = description.variables.iter().map(|v| v.name.as_str());
            let hint = hint(connector, names);
            format!("the FMU {} has no variable `{connector}`{hint}", description.model_name)
        })?;
        Ok(Some(Port { part: *part, variable }))
    }

    /// The link that ends at an input, if it begins at an output.
    fn link(&self, to: &Node) -> Result<Option<Link>, String> {
        let Some(end) = self.port(to)? else { return Ok(None) };
        let (mut node, mut factor, mut offset) = (to, 1.0, 0.0);
        let mut suppresses_units = false;
        for _ in 0..=self.sources.len() {
            let Some(source) = self.sources.get(node) else {
                // A connector of the outermost system has no value of its own.
                return Ok(None);
            };
            let (inner_factor, inner_offset) = source.linear;
            offset += factor * inner_offset;
            factor *= inner_factor;
            suppresses_units |= source.suppresses_units;
            match self.port(&source.from)? {
                Some(start) => {
                    let link = Link { from: start, to: end, factor, offset };
                    return self.checked(link, suppresses_units).map(Some);
                }
                None => node = &source.from,
            }
        }
        Err("the connections lead in a circle".to_owned())
    }

    /// A link whose ends fit, with its conversion of units.
    fn checked(&self, link: Link, suppresses_units: bool) -> Result<Link, String> {
        let of = |port: Port| {
            let description = &self.fmus[self.parts[port.part].fmu].description;
            (description, &description.variables[port.variable])
        };
        let ((from_description, from), (to_description, to)) = (of(link.from), of(link.to));
        let label =
            |port: Port, v: &ScalarVariable| format!("{}.{}", self.parts[port.part].name, v.name);
        let (start, end) = (label(link.from, from), label(link.to, to));
        if to.causality != "input" {
            return Err(format!("{end} is of causality {}, not an input", to.causality));
        }
        if matches!(&*from.causality, "input" | "independent") {
            return Err(format!("{start} is of causality {}, not an output", from.causality));
        }
        let is_text = from.base == Base::String || to.base == Base::String;
        if from.base.name_space() != to.base.name_space() || is_text {
            let (a, b) = (from.base.name(), to.base.name());
            return Err(format!("{start} is of type {a}, but {end} of type {b}"));
        }
        if to.base != Base::Real && (link.factor, link.offset) != (1.0, 0.0) {
            return Err(format!("{end} is of type {}, which has no factor", to.base.name()));
        }
        if to.base != Base::Real || suppresses_units {
            return Ok(link);
        }
        let unit = |description: &ModelDescription, v: &ScalarVariable| {
            let name = v.attributes.unit.clone()?;
            let base = description.units.iter().find(|u| u.name == name)?.base.clone();
            Some((name, base))
        };
        let units = (unit(from_description, from), unit(to_description, to));
        let (Some((a, a_base)), Some((b, b_base))) = units else { return Ok(link) };
        if a == b {
            return Ok(link);
        }
        match (a_base, b_base) {
            (Some(a_base), Some(b_base)) => {
                let (factor, offset) = conversion(&a_base, &b_base)
                    .ok_or_else(|| format!("{start} has the unit {a}, but {end} the unit {b}"))?;
                let link = Link {
                    factor: link.factor * factor,
                    // Units are converted before the transformation.
                    offset: link.factor * offset + link.offset,
                    ..link
                };
                Ok(link)
            }
            _ => Err(format!(
                "{start} has the unit {a}, but {end} the unit {b}, and no base units relate them"
            )),
        }
    }

    /// Applies the values of parameters of a system. Values of outer elements replace inner ones.
    fn parameters(&mut self, system: &'p System, path: &str) {
        for component in &system.components {
            let name = format!("{path}{}.", component.name);
            self.bindings(&component.parameters, &name);
        }
        for inner in &system.systems {
            self.parameters(inner, &format!("{path}{}.", inner.name));
        }
        self.bindings(&system.parameters, path);
    }

    fn bindings(&mut self, bindings: &'p [Binding], path: &str) {
        for binding in bindings {
            let (mut values, mut units) = (binding.values.clone(), binding.units.clone());
            if let Some(source) = &binding.source {
                match self.package.parameter_set(source) {
                    Ok(set) => {
                        values.extend(set.values);
                        units.extend(set.units);
                    }
                    Err(reason) => self.mistakes.push(reason),
                }
            }
            units.extend(self.package.structure.units.iter().cloned());
            for value in &values {
                let name = format!("{path}{}{}", binding.prefix, value.name);
                if let Err(reason) = self.set(&name, value, &units) {
                    self.mistakes.push(reason);
                }
            }
        }
    }

    /// Adds a value, or replaces an earlier one.
    fn set(&mut self, name: &str, value: &ParameterValue, units: &[Unit]) -> Result<(), String> {
        if self.unusable.iter().any(|of| name.starts_with(&format!("{of}."))) {
            return Ok(());
        }
        let (part, variable) = longest(&self.parts, name)
            .ok_or_else(|| format!("the parameter {name} belongs to no component"))?;
        let description = &self.fmus[self.parts[part].fmu].description;
        let text = in_unit_of(description, variable, value, units)
            .map_err(|reason| format!("the value of {name} {reason}"))?;
        let assignment = Assignment::parse(description, &format!("{variable}={text}"))
            .map_err(|error| format!("{}: {error}", self.parts[part].name))?;
        let settings = &mut self.parts[part].settings;
        settings.retain(|earlier| earlier.name != assignment.name);
        settings.push(assignment);
        Ok(())
    }

    fn finish(mut self) -> Result<Wiring, Vec<String>> {
        let mut links = Vec::new();
        for (to, source) in &self.sources {
            let element = |(element, _): &Node| self.unusable.contains(element);
            if element(to) || element(&source.from) {
                continue;
            }
            match self.port(&source.from).and_then(|_| self.link(to)) {
                Ok(link) => links.extend(link),
                Err(reason) => {
                    let line = source.line;
                    let (from, to) = (shown(&source.from), shown(to));
                    self.mistakes.push(format!("line {line}: {from} -> {to}: {reason}"));
                }
            }
        }
        let package = self.package;
        self.parameters(&package.structure.system, "");
        if self.parts.is_empty() && self.mistakes.is_empty() {
            self.mistakes.push("the system has no components".to_owned());
        }
        self.refuse_second_instances();
        match self.mistakes.is_empty() {
            true => Ok(Wiring {
                path: package.path.clone(),
                experiment: package.structure.experiment,
                name: package.structure.name.clone(),
                fmus: self.fmus,
                parts: self.parts,
                links,
            }),
            false => Err(self.mistakes),
        }
    }

    /// Refuses FMUs that are used twice, but can be instantiated once only.
    fn refuse_second_instances(&mut self) {
        for (index, fmu) in self.fmus.iter().enumerate() {
            let once = fmu
                .description
                .co_simulation
                .as_ref()
                .is_some_and(|interface| interface.flag("canBeInstantiatedOnlyOncePerProcess"));
            let users: Vec<&str> =
                self.parts.iter().filter(|p| p.fmu == index).map(|p| &*p.name).collect();
            if once && users.len() > 1 {
                self.mistakes.push(format!(
                    "{} can be instantiated once only, but {} use it",
                    fmu.description.model_name,
                    users.join(" and ")
                ));
            }
        }
    }
}

/// The end of a sentence about an unknown name: a similar one, if there is one.
fn hint<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    similar(name, known).map(|similar| format!("; is it `{similar}`?")).unwrap_or_default()
}

fn open(path: &Path) -> Result<Fmu, String> {
    let fmu = Fmu::open(path).map_err(|error| {
        let folder = path.parent().and_then(Path::parent).map(|p| format!("{}/", p.display()));
        error.to_string().replace(&folder.unwrap_or_default(), "")
    })?;
    match fmu.description.co_simulation.is_some() {
        true => Ok(fmu),
        false => Err("it is not an FMU for Co-Simulation".to_owned()),
    }
}

/// The value of a parameter in the unit of its variable.
fn in_unit_of(
    description: &ModelDescription,
    variable: &str,
    value: &ParameterValue,
    units: &[Unit],
) -> Result<String, String> {
    let declared = description.variable(variable).and_then(|v| v.attributes.unit.as_deref());
    let given = shown_unit(value.unit.as_deref());
    let (Some(given), Some(declared)) = (given, declared) else { return Ok(value.value.clone()) };
    let Some(in_given) = value.value.parse::<f64>().ok().filter(|_| given != declared) else {
        return Ok(value.value.clone());
    };
    let base = units.iter().find(|unit| unit.name == given).map(|unit| &unit.base);
    let own = description.units.iter().find(|unit| unit.name == declared);
    let converted = base.zip(own.and_then(|unit| unit.base.as_ref()));
    let converted = converted.and_then(|(base, own)| conversion(base, own));
    let (factor, offset) =
        converted.ok_or_else(|| format!("has the unit {given}, but the FMU {declared}"))?;
    Ok(number(in_given * factor + offset))
}

/// Why a connector does not fit the variable of its FMU.
fn disagreement(connector: &Connector, v: &ScalarVariable) -> Option<String> {
    let fits = match connector.kind {
        Kind::Input => v.causality == "input",
        // Modelers also connect local variables.
        Kind::Output => !matches!(&*v.causality, "input" | "parameter" | "independent"),
        Kind::Parameter => v.causality == "parameter",
        Kind::CalculatedParameter => v.causality == "calculatedParameter",
        Kind::Inout => false,
    };
    if !fits {
        let word = connector.kind.word();
        let causality = &v.causality;
        return Some(format!(
            "the connector is of kind {word}, the variable of causality {causality}"
        ));
    }
    if let Some(base) = connector.base.filter(|base| base.name_space() != v.base.name_space()) {
        let (a, b) = (base.name(), v.base.name());
        return Some(format!("the connector is of type {a}, the variable of type {b}"));
    }
    match (shown_unit(connector.unit.as_deref()), shown_unit(v.attributes.unit.as_deref())) {
        (Some(a), Some(b)) if a != b => {
            Some(format!("the connector has the unit {a}, the variable the unit {b}"))
        }
        _ => None,
    }
}

/// The factor and the offset that convert a value from a unit to another; `None` if the units are
/// of different quantities. An angle is a number.
fn conversion(from: &BaseUnit, to: &BaseUnit) -> Option<(f64, f64)> {
    let quantity = |unit: &BaseUnit| unit.exponents[..7].to_vec();
    let same = quantity(from) == quantity(to);
    same.then(|| (from.factor / to.factor, (from.offset - to.offset) / to.factor))
}

/// The name of a connector.
fn shown((element, connector): &Node) -> String {
    match element.as_str() {
        "" => connector.clone(),
        system if system.ends_with('.') => format!("{system}{connector}"),
        component => format!("{component}.{connector}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_one_quantity_are_converted_and_others_are_not() {
        let unit = |exponents, factor, offset| BaseUnit { exponents, factor, offset };
        let kelvin = unit([0, 0, 0, 0, 1, 0, 0, 0], 1.0, 0.0);
        let celsius = unit([0, 0, 0, 0, 1, 0, 0, 0], 1.0, 273.15);
        let degree = unit([0, 0, 0, 0, 0, 0, 0, 1], 0.017453292519943295, 0.0);
        let number = unit([0; 8], 1.0, 0.0);
        let (factor, offset) = conversion(&celsius, &kelvin).unwrap();
        assert!((20.0 * factor + offset - 293.15).abs() < 1e-12);
        let (factor, offset) = conversion(&kelvin, &celsius).unwrap();
        assert!((293.15 * factor + offset - 20.0).abs() < 1e-12);
        assert!((conversion(&degree, &number).unwrap().0 - 0.017453292519943295).abs() < 1e-17);
        assert_eq!(conversion(&kelvin, &degree), None);
    }

    #[test]
    fn the_longest_name_of_a_component_begins_the_name_of_a_variable() {
        let part = |name: &str| Part { name: name.to_owned(), fmu: 0, settings: Vec::new() };
        let parts = [part("a"), part("a.b"), part("ab")];
        assert_eq!(longest(&parts, "a.b.c"), Some((1, "c")));
        assert_eq!(longest(&parts, "ab.c.d"), Some((2, "c.d")));
        assert_eq!(longest(&parts, "b.c"), None);
    }
}
