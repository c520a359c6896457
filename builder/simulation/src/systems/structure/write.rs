//! Writes descriptions of systems and sets of parameters, valid against the schemas of SSP 1.0.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use quick_xml::writer::ElementWriter;

use fmus::model_description::BASE_UNITS;

use super::{
    Binding, Component, Connection, Connector, ParameterSet, ParameterValue, Structure, System,
    Unit,
};
use fmus::csv::number;

/// The name spaces of SSP 1.0.
const SSD: [(&str, &str); 3] = [
    ("xmlns:ssd", "http://ssp-standard.org/SSP1/SystemStructureDescription"),
    ("xmlns:ssc", "http://ssp-standard.org/SSP1/SystemStructureCommon"),
    ("xmlns:ssv", "http://ssp-standard.org/SSP1/SystemStructureParameterValues"),
];

type Out = Writer<Vec<u8>>;

impl Structure {
    /// The text of the file.
    pub fn text(&self) -> String {
        document(|out| {
            let root = out.create_element("ssd:SystemStructureDescription");
            let others = self.name_spaces.iter();
            let others: Vec<_> =
                others.map(|(prefix, space)| (format!("xmlns:{prefix}"), space.as_str())).collect();
            root.with_attributes(SSD)
                .with_attributes(others.iter().map(|(name, space)| (name.as_str(), *space)))
                .with_attributes([("version", "1.0"), ("name", &self.name)])
                .with_attributes(self.generation_tool.iter().map(|t| ("generationTool", &**t)))
                .write_inner_content(|out| {
                    system(out, &self.system)?;
                    units(out, "ssd:Units", &self.units)?;
                    let e = &self.experiment;
                    let times = [("startTime", e.start_time), ("stopTime", e.stop_time)];
                    let times = times.map(|(name, time)| time.map(|t| (name, number(t))));
                    let times: Vec<_> = times.into_iter().flatten().collect();
                    if times.is_empty() && self.annotations.is_empty() {
                        return Ok(());
                    }
                    let times = times.iter().map(|(name, time)| (*name, time.as_str()));
                    out.create_element("ssd:DefaultExperiment")
                        .with_attributes(times)
                        .write_inner_content(|out| {
                            annotations(out, "ssd:Annotations", &self.annotations)
                        })
                        .map(|_| ())
                })
                .map(|_| ())
        })
    }
}

impl ParameterSet {
    /// The text of a file `.ssv`.
    pub fn text(&self) -> String {
        document(|out| set(out, self, &SSD[1..]))
    }
}

/// A document with one element.
fn document(content: impl FnOnce(&mut Out) -> io::Result<()>) -> String {
    let mut out = Writer::new_with_indent(Vec::new(), b' ', 2);
    // Writing to memory does not fail.
    let written = out
        .write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))
        .and_then(|()| content(&mut out));
    debug_assert!(written.is_ok(), "{written:?}");
    let mut text = String::from_utf8_lossy(&out.into_inner()).into_owned();
    text.push('\n');
    text
}

fn system(out: &mut Out, s: &System) -> io::Result<()> {
    let element = described(out.create_element("ssd:System"), &s.name, s.description.as_deref());
    element.write_inner_content(|out| {
        connectors(out, &s.connectors)?;
        bindings(out, &s.parameters)?;
        if !(s.components.is_empty() && s.systems.is_empty()) {
            out.create_element("ssd:Elements").write_inner_content(|out| {
                s.components.iter().try_for_each(|c| component(out, c))?;
                s.systems.iter().try_for_each(|inner| system(out, inner))
            })?;
        }
        list(out, "ssd:Connections", &s.connections, connection)?;
        annotations(out, "ssd:Annotations", &s.annotations)
    })?;
    Ok(())
}

fn component(out: &mut Out, c: &Component) -> io::Result<()> {
    let implementation = if c.is_model_exchange { "ModelExchange" } else { "CoSimulation" };
    let element = out.create_element("ssd:Component");
    described(element, &c.name, c.description.as_deref())
        .with_attributes([
            ("type", "application/x-fmu-sharedlibrary"),
            ("source", &c.source),
            ("implementation", implementation),
        ])
        .write_inner_content(|out| {
            connectors(out, &c.connectors)?;
            bindings(out, &c.parameters)
        })?;
    Ok(())
}

fn described<'a>(
    element: ElementWriter<'a, Vec<u8>>,
    name: &str,
    description: Option<&str>,
) -> ElementWriter<'a, Vec<u8>> {
    element
        .with_attribute(("name", name))
        .with_attributes(description.map(|text| ("description", text)))
}

fn connectors(out: &mut Out, all: &[Connector]) -> io::Result<()> {
    list(out, "ssd:Connectors", all, |out, c| {
        let element = out
            .create_element("ssd:Connector")
            .with_attributes([("name", c.name.as_str()), ("kind", c.kind.word())]);
        match c.base {
            None => element.write_empty(),
            Some(base) => element.write_inner_content(|out| {
                let unit = c.unit.as_deref().map(|unit| ("unit", unit));
                out.create_element(format!("ssc:{}", base.name()))
                    .with_attributes(unit)
                    .write_empty()
                    .map(|_| ())
            }),
        }
        .map(|_| ())
    })
}

fn bindings(out: &mut Out, all: &[Binding]) -> io::Result<()> {
    list(out, "ssd:ParameterBindings", all, |out, b| {
        let prefix = Some(&*b.prefix).filter(|prefix| !prefix.is_empty());
        let element = out
            .create_element("ssd:ParameterBinding")
            .with_attributes(prefix.map(|prefix| ("prefix", prefix)))
            .with_attributes(b.source.as_ref().map(|_| ("type", "application/x-ssp-parameter-set")))
            .with_attributes(b.source.as_deref().map(|source| ("source", source)));
        if b.values.is_empty() {
            return element.write_empty().map(|_| ());
        }
        let values = ParameterSet {
            name: "values".to_owned(),
            values: b.values.clone(),
            units: b.units.clone(),
        };
        element
            .write_inner_content(|out| {
                out.create_element("ssd:ParameterValues")
                    .write_inner_content(|out| set(out, &values, &[]))
                    .map(|_| ())
            })
            .map(|_| ())
    })
}

fn set(out: &mut Out, s: &ParameterSet, spaces: &[(&str, &str)]) -> io::Result<()> {
    out.create_element("ssv:ParameterSet")
        .with_attributes(spaces.iter().copied())
        .with_attributes([("version", "1.0"), ("name", &s.name)])
        .write_inner_content(|out| {
            out.create_element("ssv:Parameters").write_inner_content(|out| {
                s.values.iter().try_for_each(|value| parameter(out, value))
            })?;
            units(out, "ssv:Units", &s.units)
        })?;
    Ok(())
}

fn parameter(out: &mut Out, p: &ParameterValue) -> io::Result<()> {
    out.create_element("ssv:Parameter").with_attribute(("name", &*p.name)).write_inner_content(
        |out| {
            out.create_element(format!("ssv:{}", p.base.name()))
                .with_attribute(("value", &*p.value))
                .with_attributes(p.unit.as_deref().map(|unit| ("unit", unit)))
                .write_empty()
                .map(|_| ())
        },
    )?;
    Ok(())
}

fn connection(out: &mut Out, c: &Connection) -> io::Result<()> {
    let mut element = out.create_element("ssd:Connection");
    for (side, end) in [("start", &c.start), ("end", &c.end)] {
        let (of, connector) = (format!("{side}Element"), format!("{side}Connector"));
        element = element
            .with_attributes(end.element.as_deref().map(|name| (of.as_str(), name)))
            .with_attribute((connector.as_str(), end.connector.as_str()));
    }
    if c.suppresses_units {
        element = element.with_attribute(("suppressUnitConversion", "true"));
    }
    match c.linear {
        None => element.write_empty()?,
        Some((factor, offset)) => element.write_inner_content(|out| {
            let (factor, offset) = (number(factor), number(offset));
            out.create_element("ssc:LinearTransformation")
                .with_attributes([("factor", &*factor), ("offset", &*offset)])
                .write_empty()
                .map(|_| ())
        })?,
    };
    Ok(())
}

fn units(out: &mut Out, list_name: &str, all: &[Unit]) -> io::Result<()> {
    list(out, list_name, all, |out, unit| {
        let base = &unit.base;
        let exponents = base.exponents.map(|exponent| exponent.to_string());
        let exponents = BASE_UNITS.iter().zip(&exponents).filter(|(_, exponent)| *exponent != "0");
        let (factor, offset) = (number(base.factor), number(base.offset));
        let scale = [("factor", &factor, "1"), ("offset", &offset, "0")];
        let scale = scale.iter().filter(|(_, value, default)| value.as_str() != *default);
        out.create_element("ssc:Unit").with_attribute(("name", &*unit.name)).write_inner_content(
            |out| {
                out.create_element("ssc:BaseUnit")
                    .with_attributes(exponents.map(|(name, exponent)| (*name, exponent.as_str())))
                    .with_attributes(scale.map(|(name, value, _)| (*name, value.as_str())))
                    .write_empty()
                    .map(|_| ())
            },
        )?;
        Ok(())
    })
}

/// Annotations: texts of XML that are written as they are.
fn annotations(out: &mut Out, list_name: &str, all: &[(String, String)]) -> io::Result<()> {
    list(out, list_name, all, |out, (kind, text)| {
        out.create_element("ssc:Annotation")
            .with_attribute(("type", &**kind))
            .write_inner_content(|out| out.write_event(Event::Text(BytesText::from_escaped(text))))
            .map(|_| ())
    })
}

/// A list that is left out if it is empty, because the schema wants at least one item.
fn list<T>(
    out: &mut Out,
    name: &str,
    items: &[T],
    write: impl Fn(&mut Out, &T) -> io::Result<()>,
) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    out.create_element(name)
        .write_inner_content(|out| items.iter().try_for_each(|item| write(out, item)))?;
    Ok(())
}
