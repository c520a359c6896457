//! Writes modelDescription.xml.

use std::fmt::Display;
use std::io;

use equations::description::{Description, Enumeration, Unit, Unknown, Variable, VariableType};
use quick_xml::Writer;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, Event};
use quick_xml::name::QName;

use fmus::error::Error;
use fmus::model_description::BASE_UNITS;
use report::escaped as escape;

/// The metadata that the package of a model adds to its description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Version of the model.
    pub version: Option<String>,
    /// Its author or authors.
    pub author: Option<String>,
    /// Its licence, as an SPDX expression.
    pub license: Option<String>,
}

/// The text of modelDescription.xml.
///
/// An infinite `min`, `max` or `nominal` means that there is none, and is omitted.
///
/// # Errors
/// If a number that is not finite would have to be written: a start value, a factor, or a value of
/// the experiment.
pub fn write(d: &Description, metadata: &Metadata) -> Result<String, Error> {
    finite_numbers(d)?;
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    document(&mut writer, d, metadata)
        .map_err(|e| Error::Description(format!("{}: the description: {e}", d.name)))?;
    let mut text = String::from_utf8(writer.into_inner())
        .map_err(|_| Error::Description(format!("{}: the description is not UTF-8", d.name)))?;
    text.push('\n');
    Ok(text)
}

type Out = Writer<Vec<u8>>;

/// An element under construction.
struct ElementWriter(BytesStart<'static>);

impl ElementWriter {
    fn new(name: &'static str) -> ElementWriter {
        ElementWriter(BytesStart::new(name))
    }

    fn with(mut self, name: &str, value: impl Display) -> ElementWriter {
        let value = escape(&value.to_string());
        self.0.push_attribute(Attribute { key: QName(name), value: value.into() });
        self
    }

    fn with_some(self, name: &str, value: Option<impl Display>) -> ElementWriter {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds a number unless it is missing or infinite.
    fn with_real(self, name: &str, value: Option<f64>) -> ElementWriter {
        self.with_some(name, value.filter(|v| v.is_finite()).map(real))
    }

    fn empty(self, out: &mut Out) -> io::Result<()> {
        out.write_event(Event::Empty(self.0))
    }

    fn around(
        self,
        out: &mut Out,
        inner: impl FnOnce(&mut Out) -> io::Result<()>,
    ) -> io::Result<()> {
        let end: BytesEnd<'static> = self.0.to_end().into_owned();
        out.write_event(Event::Start(self.0))?;
        inner(out)?;
        out.write_event(Event::End(end))
    }
}

/// The shortest text that reads back as the same number.
fn real(value: f64) -> String {
    format!("{value:?}")
}

fn document(out: &mut Out, d: &Description, metadata: &Metadata) -> io::Result<()> {
    out.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    ElementWriter::new("fmiModelDescription")
        .with("fmiVersion", "2.0")
        .with("modelName", &d.name)
        .with("guid", &d.guid)
        .with_some("description", Some(&d.description).filter(|text| !text.is_empty()))
        .with_some("author", metadata.author.as_ref())
        .with_some("version", metadata.version.as_ref())
        .with_some("license", metadata.license.as_ref())
        .with("generationTool", concat!("Coupler ", env!("CARGO_PKG_VERSION")))
        .with("variableNamingConvention", "structured")
        .with("numberOfEventIndicators", d.event_indicators.len())
        .around(out, |out| {
            capabilities(out, &d.name)?;
            list(out, "UnitDefinitions", &d.units, unit)?;
            list(out, "TypeDefinitions", &d.enumerations, enumeration)?;
            list(
                out,
                "LogCategories",
                &fmu_runtime::LOG_CATEGORIES,
                |out, (name, description)| {
                    ElementWriter::new("Category")
                        .with("name", name.to_string_lossy())
                        .with("description", description)
                        .empty(out)
                },
            )?;
            ElementWriter::new("DefaultExperiment")
                .with("startTime", real(d.experiment.start_time))
                .with("stopTime", real(d.experiment.stop_time))
                .with("tolerance", real(d.experiment.tolerance))
                .with("stepSize", real(d.experiment.step_size))
                .empty(out)?;
            list(out, "ModelVariables", &d.variables, variable)?;
            model_structure(out, d)
        })
}

/// Writes an element with one child per item; without items, nothing is written.
fn list<T>(
    out: &mut Out,
    name: &'static str,
    items: &[T],
    mut item: impl FnMut(&mut Out, &T) -> io::Result<()>,
) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    ElementWriter::new(name).around(out, |out| items.iter().try_for_each(|i| item(out, i)))
}

/// Writes the capabilities of both types of FMU, which have the same library.
fn capabilities(out: &mut Out, identifier: &str) -> io::Result<()> {
    let flags = fmu_runtime::CAPABILITIES;
    let both = |element: ElementWriter| {
        element
            .with("needsExecutionTool", flags.needs_execution_tool)
            .with(
                "canBeInstantiatedOnlyOncePerProcess",
                flags.can_be_instantiated_only_once_per_process,
            )
            .with(
                "canNotUseMemoryManagementFunctions",
                flags.can_not_use_memory_management_functions,
            )
            .with("canGetAndSetFMUstate", flags.can_get_and_set_fmu_state)
            .with("canSerializeFMUstate", flags.can_serialize_fmu_state)
            .with("providesDirectionalDerivative", flags.provides_directional_derivative)
    };
    both(
        ElementWriter::new("ModelExchange")
            .with("modelIdentifier", identifier)
            .with("completedIntegratorStepNotNeeded", flags.completed_integrator_step_not_needed),
    )
    .empty(out)?;
    both(
        ElementWriter::new("CoSimulation")
            .with("modelIdentifier", identifier)
            .with(
                "canHandleVariableCommunicationStepSize",
                flags.can_handle_variable_communication_step_size,
            )
            .with("canInterpolateInputs", flags.can_interpolate_inputs)
            .with("maxOutputDerivativeOrder", flags.max_output_derivative_order)
            .with("canRunAsynchronuously", flags.can_run_asynchronuously),
    )
    .empty(out)
}

fn unit(out: &mut Out, unit: &Unit) -> io::Result<()> {
    ElementWriter::new("Unit").with("name", &unit.name).around(out, |out| {
        let mut base = ElementWriter::new("BaseUnit");
        for (name, exponent) in BASE_UNITS.iter().zip(unit.exponents) {
            base = base.with_some(name, Some(exponent).filter(|e| *e != 0));
        }
        base.with_real("factor", Some(unit.factor).filter(|f| *f != 1.0))
            .with_real("offset", Some(unit.offset).filter(|o| *o != 0.0))
            .empty(out)?;
        unit.display.iter().try_for_each(|display| {
            ElementWriter::new("DisplayUnit")
                .with("name", &display.name)
                .with_real("factor", Some(display.factor).filter(|f| *f != 1.0))
                .with_real("offset", Some(display.offset).filter(|o| *o != 0.0))
                .empty(out)
        })
    })
}

fn enumeration(out: &mut Out, enumeration: &Enumeration) -> io::Result<()> {
    let described = |element: ElementWriter, text: &String| {
        element.with_some("description", Some(text).filter(|t| !t.is_empty()))
    };
    described(
        ElementWriter::new("SimpleType").with("name", &enumeration.name),
        &enumeration.description,
    )
    .around(out, |out| {
        list(out, "Enumeration", &enumeration.items, |out, item| {
            let element = ElementWriter::new("Item");
            let element = element.with("name", &item.name).with("value", item.value);
            described(element, &item.description).empty(out)
        })
    })
}

fn variable(out: &mut Out, v: &Variable) -> io::Result<()> {
    ElementWriter::new("ScalarVariable")
        .with("name", &v.name)
        .with("valueReference", v.value_reference)
        .with_some("description", Some(&v.description).filter(|text| !text.is_empty()))
        .with("causality", &v.causality)
        .with("variability", &v.variability)
        .with_some("initial", v.initial.as_ref())
        .around(out, |out| kind(v).empty(out))
}

fn kind(v: &Variable) -> ElementWriter {
    match &v.kind {
        VariableType::Real { unit, display_unit, start, min, max, nominal, derivative, reinit } => {
            ElementWriter::new("Real")
                .with_some("unit", unit.as_ref())
                .with_some("displayUnit", display_unit.as_ref())
                .with_real("min", *min)
                .with_real("max", *max)
                .with_real("nominal", *nominal)
                .with_real("start", *start)
                .with_some("derivative", derivative.map(|index| index + 1))
                .with_some("reinit", Some(true).filter(|_| *reinit))
        }
        VariableType::Integer { start, min, max } => ElementWriter::new("Integer")
            .with_some("min", *min)
            .with_some("max", *max)
            .with_some("start", *start),
        VariableType::Boolean { start } => ElementWriter::new("Boolean").with_some("start", *start),
        VariableType::Enumeration { declared_type, start } => ElementWriter::new("Enumeration")
            .with("declaredType", declared_type)
            .with_some("start", *start),
    }
}

fn model_structure(out: &mut Out, d: &Description) -> io::Result<()> {
    let lists = [
        ("Outputs", &d.outputs),
        ("Derivatives", &d.derivatives),
        ("InitialUnknowns", &d.initial_unknowns),
    ];
    if lists.iter().all(|(_, unknowns)| unknowns.is_empty()) {
        return ElementWriter::new("ModelStructure").empty(out);
    }
    ElementWriter::new("ModelStructure").around(out, |out| {
        lists.iter().try_for_each(|(name, unknowns)| list(out, name, unknowns, unknown))
    })
}

fn unknown(out: &mut Out, unknown: &Unknown) -> io::Result<()> {
    let dependencies: Vec<String> =
        unknown.dependencies.iter().map(|index| (index + 1).to_string()).collect();
    ElementWriter::new("Unknown")
        .with("index", unknown.index + 1)
        .with("dependencies", dependencies.join(" "))
        .empty(out)
}

/// Checks the numbers that cannot be omitted.
fn finite_numbers(d: &Description) -> Result<(), Error> {
    let fail = |what: String, value: f64| {
        Err(Error::Description(format!(
            "{}: {what} is {value}, which XML cannot represent",
            d.name
        )))
    };
    let e = &d.experiment;
    for (what, value) in [
        ("startTime", e.start_time),
        ("stopTime", e.stop_time),
        ("tolerance", e.tolerance),
        ("stepSize", e.step_size),
    ] {
        if !value.is_finite() {
            return fail(format!("the default experiment's {what}"), value);
        }
    }
    for v in &d.variables {
        if let VariableType::Real { start, min, max, nominal, .. } = &v.kind {
            if let Some(start) = start.filter(|s| !s.is_finite()) {
                return fail(format!("the start value of {}", v.name), start);
            }
            if let Some(limit) = [min, max, nominal].into_iter().flatten().find(|l| l.is_nan()) {
                return fail(format!("a limit of {}", v.name), *limit);
            }
        }
    }
    for u in &d.units {
        let numbers = u.display.iter().flat_map(|display| [display.factor, display.offset]);
        if let Some(n) = numbers.chain([u.factor, u.offset]).find(|n| !n.is_finite()) {
            return fail(format!("a factor or offset of unit {}", u.name), n);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::sample;
    use check;
    use fmus::model_description::ModelDescription;

    fn written(d: &Description) -> String {
        write(d, &Metadata::default()).unwrap()
    }

    #[test]
    fn description_of_everything_breaks_no_rule() {
        assert_eq!(check::description(written(&sample::pendulum()).as_bytes()), []);
    }

    /// Tests of the checker begin with this description and do not know how it is made.
    #[test]
    fn descriptions_for_tests_of_the_checker_are_what_is_written() {
        let tool = concat!("Coupler ", env!("CARGO_PKG_VERSION"));
        let text = written(&sample::pendulum()).replace(tool, "Coupler");
        assert_eq!(text, include_str!("../../check/src/tests/pendulum.xml"));
    }

    // FMI: C005
    #[test]
    fn what_is_written_reads_back_to_the_bit() {
        let d = sample::pendulum();
        let read = ModelDescription::parse(&written(&d)).unwrap();
        assert_eq!(read.guid, d.guid);
        assert_eq!(read.number_of_event_indicators, 1);
        assert_eq!(read.states(), [4]);
        assert_eq!(read.variables.len(), d.variables.len());
        for (r, w) in read.variables.iter().zip(&d.variables) {
            assert_eq!((&r.name, &r.description), (&w.name, &w.description));
            if let VariableType::Real { start, .. } = &w.kind {
                assert_eq!(
                    r.start_number().map(f64::to_bits),
                    start.map(f64::to_bits),
                    "{}",
                    w.name
                );
            }
        }
        assert_eq!(read.outputs[0].dependencies.as_deref(), Some(&[2, 4][..]));
        assert_eq!(read.outputs[1].dependencies.as_deref(), Some(&[][..]));
        let display = &read.units[2].display[0];
        assert_eq!(display.factor.to_bits(), (180.0 / std::f64::consts::PI).to_bits());
    }

    // FMI: C004
    #[test]
    fn infinite_limits_are_left_out() {
        let text = written(&sample::pendulum());
        assert!(!text.contains("inf") && !text.contains("INF"), "{text}");
        assert!(text.contains("min=\"1e-9\"") && !text.contains("max=\"1"), "{text}");
    }

    // FMI: C052
    #[test]
    fn every_character_survives_or_is_legal() {
        let mut d = sample::pendulum();
        d.variables[0].description = "a\tb\nc\r<d>&\"e' \u{1}ü".to_owned();
        let read = ModelDescription::parse(&written(&d)).unwrap();
        assert_eq!(read.variables[0].description, "a\tb\nc\r<d>&\"e' \u{fffd}ü");
    }

    // FMI: C003
    #[test]
    fn empty_lists_are_not_written() {
        let mut d = sample::pendulum();
        d.outputs.clear();
        d.derivatives.clear();
        d.initial_unknowns.clear();
        d.units.clear();
        d.enumerations.clear();
        let text = written(&d);
        assert!(text.contains("<ModelStructure/>"), "{text}");
        assert!(!text.contains("Definitions"), "{text}");
    }

    #[test]
    fn start_value_that_is_not_finite_is_refused_by_name() {
        let mut d = sample::pendulum();
        if let VariableType::Real { start, .. } = &mut d.variables[0].kind {
            *start = Some(f64::NAN);
        }
        let error = write(&d, &Metadata::default()).unwrap_err().to_string();
        assert_eq!(error, "Pendulum: the start value of body.m is NaN, which XML cannot represent");
    }
}
