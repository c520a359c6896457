//! From a file to an assembly, with the checks of model texts.

use crate::content::{Calculated, Component, File, Output, Place};
use crate::equations::{EquationsAsComponents, NoEquations, Ports};
use crate::expression::read;
use crate::value::{self, Symbols};
use equations::{schematic, similar, with_fresh_arena};
use mechanics::assembly::{AnyPort, Class, Registry};
use mechanics::{Assembly, Error};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;

impl File {
    /// Checks what the file says: every name and the kind of every value.
    ///
    /// # Errors
    /// All mistakes. Those that depend on values are found when the model is compiled.
    pub fn check(&self, registry: &Registry) -> Result<(), Vec<Error>> {
        self.check_with_equations(registry, &NoEquations)
    }

    /// Does the same for a file that may contain equations.
    ///
    /// # Errors
    /// Those of [`File::check`].
    pub fn check_with_equations(
        &self,
        registry: &Registry,
        equations: &dyn EquationsAsComponents,
    ) -> Result<(), Vec<Error>> {
        let errors = with_fresh_arena(|| {
            let mut m = Assembly::new();
            self.fill_with_equations(registry, equations, &mut m);
            m.into_netlist().errors
        });
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Adds everything that the file states to an assembly, which reports mistakes as those of a
    /// model text.
    pub fn fill(&self, registry: &Registry, m: &mut Assembly) {
        self.fill_with_equations(registry, &NoEquations, m);
    }

    /// Does the same for a file that may contain equations.
    pub fn fill_with_equations(
        &self,
        registry: &Registry,
        equations: &dyn EquationsAsComponents,
        m: &mut Assembly,
    ) {
        for unit in &self.units {
            m.unit(&unit.name, unit.factor, &unit.of);
        }
        let mut symbols = Symbols::default();
        for p in &self.parameters {
            let symbol = m.parameter(&p.name, p.value, &p.unit, &p.description);
            if p.min.is_some() || p.max.is_some() {
                m.limit(symbol, range(p.min, p.max));
            }
            symbols.insert(&p.name, symbol);
        }
        for Calculated { name, value, unit, description, min, max } in &self.calculated {
            match read(value, &|of| symbols.of(of)) {
                Ok(value) => {
                    m.calculated(name, value, unit, description);
                    m.limit_calculated(name, range(*min, *max));
                }
                Err(why) => m.refuse(Error::Parameter(format!("{name}: {why}"))),
            }
        }
        let mut parts = Parts::default();
        for component in &self.components {
            parts.add(component, &symbols, registry, m);
        }
        let parameters: Vec<_> = symbols.iter().collect();
        if let Err(errors) = equations.read(&self.equations, &parameters, &mut parts.ports, m) {
            errors.into_iter().for_each(|error| m.refuse(error));
            parts.unknown.extend(self.equations.iter().map(|block| block.name.clone()));
        }
        for [a, b] in &self.connections {
            if let Err(error) = parts.connect(a, b, m) {
                m.refuse(error);
            }
        }
        self.fill_outputs(&parts, m);
        if self.scene {
            m.scene();
        }
        m.free_loops(self.free_loops);
        if self.keep_names {
            m.keep_names();
        }
        if self.mix_units {
            m.mix_units();
        }
        self.notes.iter().for_each(|note| m.note(note));
        for Place { name, x, y, rotation, mirrored } in &self.places {
            let (x, y, rotation, mirrored) = (*x, *y, *rotation, *mirrored);
            m.place(name, schematic::Place { x, y, rotation, mirrored });
        }
        m.stop_time(self.experiment.stop_time);
        m.tolerance(self.experiment.tolerance);
        m.step_size(self.experiment.step_size);
        for test in &self.test_values {
            m.test_value(&test.name, test.value);
        }
    }

    fn fill_outputs(&self, parts: &Parts, m: &mut Assembly) {
        for output in &self.outputs {
            let of = match output {
                Output::Variable(name) => name,
                Output::Named(named) => &named.variable,
            };
            let variable = parts.one(of, "an output is a variable", |port| match port {
                AnyPort::Quantity(quantity) => Some(quantity),
                _ => None,
            });
            match (variable, output) {
                (Err(error), _) => m.refuse(error),
                (Ok(None), _) => {}
                (Ok(Some(variable)), Output::Variable(_)) => m.outputs([variable]),
                (Ok(Some(variable)), Output::Named(named)) => {
                    let output = m.output(&named.name, variable);
                    if let Some(line) = &named.description {
                        output.describe(line);
                    }
                }
            }
        }
        for output in &self.output_frames {
            let frame = parts.one(&output.frame, "it is not a frame", |port| match port {
                AnyPort::Frame(frame) => Some(frame),
                _ => None,
            });
            match frame {
                Ok(Some(frame)) => m.output_frame(&output.name, frame),
                Ok(None) => {}
                Err(error) => m.refuse(error),
            }
        }
    }
}

/// The components of a file that were added.
#[derive(Default)]
struct Parts {
    ports: Ports,
    /// The classes of those that have one.
    classes: HashMap<String, &'static Class>,
    /// Those whose class is unknown or whose equations are wrong, which is reported already.
    unknown: HashSet<String>,
}

impl Parts {
    /// Adds a component of the file.
    fn add(
        &mut self,
        Component { class, name, settings }: &Component,
        symbols: &Symbols,
        registry: &Registry,
        m: &mut Assembly,
    ) {
        let class = match registry.class(class) {
            Ok(class) => class,
            Err(error) => {
                m.refuse(Error::Parameter(format!("{name}: {error}")));
                self.unknown.insert(name.clone());
                return;
            }
        };
        let mut component = class.component();
        for (parameter, data) in settings {
            let value = value::read(data, symbols)
                .map_err(|why| Error::Parameter(format!("{name}.{parameter}: {why}")));
            if let Err(error) = value.and_then(|value| component.set(name, parameter, value)) {
                m.refuse(error);
            }
        }
        self.ports.insert(name.clone(), component.add_to(m, name.clone()));
        self.classes.insert(name.clone(), class);
    }

    /// Connects two ports. A signal leads from the first one to the second one if both are inputs
    /// and variables.
    fn connect(&self, a: &str, b: &str, m: &mut Assembly) -> Result<(), Error> {
        use AnyPort::{Input, Quantity};
        let (Some(from), Some(to)) = (self.ports(a)?, self.ports(b)?) else { return Ok(()) };
        let pairs = from.iter().flat_map(|from| to.iter().map(move |to| (*from, *to)));
        let forward = pairs.clone().find(|pair| matches!(pair, (Quantity(_), Input(_))));
        let fitting = || pairs.clone().find(|(from, to)| from.connection(*to).is_ok());
        match forward.or_else(fitting).or_else(|| pairs.clone().next()) {
            Some((from, to)) => m.connect_by_name(from, to),
            None => Ok(()),
        }
    }

    /// The first port or variable of a name that is wanted; `None` if its component has an unknown
    /// class.
    fn one<T>(
        &self,
        name: &str,
        why: &str,
        wanted: impl Fn(AnyPort) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(ports) = self.ports(name)? else { return Ok(None) };
        match ports.iter().find_map(|port| wanted(*port)) {
            Some(found) => Ok(Some(found)),
            None => {
                let kind = ports.first().map_or("", |port| port.kind());
                Err(Error::Connection(format!("{name}: its kind is `{kind}`, but {why}")))
            }
        }
    }

    /// The ports and variables that have a name, that of the longest component first; there is at
    /// least one. `None` if the component has an unknown class.
    ///
    /// A name such as `gear.lossyGear.phi` is that of a port `phi` of a component `gear.lossyGear`,
    /// or of a port `lossyGear.phi` of a component `gear`.
    fn ports(&self, name: &str) -> Result<Option<Vec<AnyPort>>, Error> {
        let splits = name.rmatch_indices('.').map(|(dot, _)| (&name[..dot], &name[dot + 1..]));
        // The component without a name is the model itself.
        let (mut found, mut first) = (Vec::new(), None);
        for (component, port) in splits.chain([("", name)]) {
            if self.unknown.contains(component) {
                return Ok(None);
            }
            if let Some(ports) = self.ports.get(component) {
                first = first.or(Some((self.classes.get(component), port)));
                found.extend(ports.named(port));
            }
        }
        match (found.is_empty(), first) {
            (false, _) => Ok(Some(found)),
            (true, Some((Some(class), port))) => Err(no_port(name, class, port)),
            (true, Some((None, port))) if name.len() > port.len() || !port.contains('.') => {
                let sentence = format!("{name}: no equation determines a variable of this name");
                Err(Error::Connection(sentence))
            }
            (true, _) => Err(self.no_component(name)),
        }
    }

    /// The error that no component has a name.
    fn no_component(&self, name: &str) -> Error {
        let Some((component, _)) = name.rsplit_once('.') else {
            return Error::Connection(format!(
                "`{name}` is not the name of a port, such as `wheel.flange_a`"
            ));
        };
        let names: BTreeSet<&str> = self.ports.keys().map(String::as_str).collect();
        Error::Connection(match similar(component, names) {
            Some(similar) => format!("{name}: no component `{component}`; is it `{similar}`?"),
            None => format!("{name}: no component `{component}`"),
        })
    }
}

/// The error that a component has no port or variable of this name.
fn no_port(name: &str, class: &Class, port: &str) -> Error {
    let d = class.declaration;
    let names = || d.ports.iter().map(|p| p.name).chain(d.variables.iter().map(|v| v.name));
    let known = match similar(port, names()) {
        Some(similar) => format!("is it `{similar}`?"),
        None => format!("its ports and variables are {}", names().collect::<Vec<_>>().join(", ")),
    };
    Error::Connection(format!("{name}: {} has no port or variable `{port}`; {known}", d.name))
}

/// The range between limits, each of which may be missing.
fn range(min: Option<f64>, max: Option<f64>) -> RangeInclusive<f64> {
    min.unwrap_or(f64::NEG_INFINITY)..=max.unwrap_or(f64::INFINITY)
}
