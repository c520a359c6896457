//! The content of a SystemStructure.ssd: components, connections and parameters, as SSP 1.0 states
//! them.

mod read;
mod write;

use fmus::model_description::{Base, BaseUnit, DefaultExperiment};

pub use read::{parameter_set, structure};

/// The name of the description in the archive of a system.
pub const DESCRIPTION: &str = "SystemStructure.ssd";

/// A description of a system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Structure {
    /// Its name.
    pub name: String,
    /// The version of SSP.
    pub version: String,
    /// What wrote it.
    pub generation_tool: Option<String>,
    /// The outermost system.
    pub system: System,
    /// Units that connectors and parameters name.
    pub units: Vec<Unit>,
    /// The default experiment; SSP has neither its tolerance nor its step size.
    pub experiment: DefaultExperiment,
    /// Annotations of the experiment: texts of XML that other programs read, with their types.
    pub annotations: Vec<(String, String)>,
    /// The prefixes of the names in annotations, and their name spaces.
    pub name_spaces: Vec<(String, String)>,
}

/// A unit: what its base units are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// Exponents, factor and offset.
    pub base: BaseUnit,
}

/// A system: elements, and connections between their connectors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct System {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// The connectors that the system around it, or a user, sees.
    pub connectors: Vec<Connector>,
    /// Values of parameters.
    pub parameters: Vec<Binding>,
    /// Its components.
    pub components: Vec<Component>,
    /// The systems in it.
    pub systems: Vec<System>,
    /// The connections in it.
    pub connections: Vec<Connection>,
    /// Texts of XML that other programs read, with their types.
    pub annotations: Vec<(String, String)>,
}

/// A component.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// The path of its file in the archive.
    pub source: String,
    /// Whether it must be simulated as Model Exchange, which a master does not.
    pub is_model_exchange: bool,
    /// Its connectors: variables of the FMU.
    pub connectors: Vec<Connector>,
    /// Values of parameters.
    pub parameters: Vec<Binding>,
}

/// A connector.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Connector {
    /// Its name, that of a variable of an FMU in a component.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// The type, if it is stated.
    pub base: Option<Base>,
    /// The unit of a Real, if it is stated.
    pub unit: Option<String>,
}

/// The kinds of connectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the standard")]
pub enum Kind {
    #[default]
    Input,
    Output,
    Parameter,
    CalculatedParameter,
    Inout,
}

impl Kind {
    /// All kinds with their words in XML.
    pub const ALL: [(Kind, &'static str); 5] = [
        (Kind::Input, "input"),
        (Kind::Output, "output"),
        (Kind::Parameter, "parameter"),
        (Kind::CalculatedParameter, "calculatedParameter"),
        (Kind::Inout, "inout"),
    ];

    /// Its word in XML.
    pub fn word(self) -> &'static str {
        Kind::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, word)| word)
    }
}

/// One end of a connection: a connector of an element, or of the system itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct End {
    /// The element; none for the system itself.
    pub element: Option<String>,
    /// The connector.
    pub connector: String,
}

/// A connection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Connection {
    /// Where the value comes from.
    pub start: End,
    /// Where it goes.
    pub end: End,
    /// A factor and an offset that are applied to it.
    pub linear: Option<(f64, f64)>,
    /// Whether units are not converted.
    pub suppresses_units: bool,
    /// The line of the description, from 1; 0 if it was not read.
    pub line: usize,
}

/// Values of parameters, and what the names of the parameters begin with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Binding {
    /// The beginning of all names: `engine.` if the values are those of the component `engine`.
    pub prefix: String,
    /// The file with the values; none if they are stated here.
    pub source: Option<String>,
    /// The values that are stated here.
    pub values: Vec<ParameterValue>,
    /// Units that these values name.
    pub units: Vec<Unit>,
}

/// The value of a parameter, an input or a start value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParameterValue {
    /// Its name.
    pub name: String,
    /// Its type.
    pub base: Base,
    /// Its value, as it is written.
    pub value: String,
    /// The unit of a Real, if it is stated.
    pub unit: Option<String>,
}

/// A set of values of parameters: the content of a file `.ssv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParameterSet {
    /// Its name.
    pub name: String,
    /// The values.
    pub values: Vec<ParameterValue>,
    /// Units that the values name.
    pub units: Vec<Unit>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A system with all that is written.
    fn structure_of_all() -> Structure {
        let real = |name: &str, kind| Connector {
            name: name.to_owned(),
            kind,
            base: Some(Base::Real),
            unit: Some("N.m".to_owned()),
        };
        let end = |element: &str, connector: &str| End {
            element: Some(element.to_owned()),
            connector: connector.to_owned(),
        };
        let unit = Unit {
            name: "N.m".to_owned(),
            base: BaseUnit { exponents: [1, 2, -2, 0, 0, 0, 0, 0], factor: 1.0, offset: 0.0 },
        };
        let component = |name: &str, kind| Component {
            name: name.to_owned(),
            source: format!("resources/{name}.fmu"),
            connectors: vec![real("tau", kind)],
            parameters: vec![Binding {
                prefix: "x.".to_owned(),
                values: vec![ParameterValue {
                    name: "J & <more>".to_owned(),
                    base: Base::Real,
                    value: "1e-3".to_owned(),
                    unit: Some("N.m".to_owned()),
                }],
                units: vec![unit.clone()],
                ..Binding::default()
            }],
            ..Component::default()
        };
        Structure {
            name: "all".to_owned(),
            version: "1.0".to_owned(),
            system: System {
                name: "root".to_owned(),
                components: vec![component("a", Kind::Output), component("b", Kind::Input)],
                systems: vec![System { name: "inner".to_owned(), ..System::default() }],
                connections: vec![Connection {
                    start: end("a", "tau"),
                    end: end("b", "tau"),
                    linear: Some((2.0, -1.0)),
                    suppresses_units: true,
                    line: 0,
                }],
                ..System::default()
            },
            units: vec![unit],
            experiment: DefaultExperiment {
                start_time: Some(0.0),
                stop_time: Some(2.5),
                ..DefaultExperiment::default()
            },
            ..Structure::default()
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let written = structure_of_all();
        let mut read = structure(&written.text()).unwrap();
        read.system.connections[0].line = 0;
        assert_eq!(read, written);
    }

    #[test]
    fn what_a_master_cannot_follow_is_refused_by_name() {
        let text = structure_of_all().text();
        let check = |old: &str, new: &str, sentence: &str| {
            assert!(text.contains(old), "{old}");
            let refused = structure(&text.replacen(old, new, 1)).unwrap_err();
            assert!(refused.contains(sentence), "{refused}");
        };
        check("<ssc:LinearTransformation", "<ssc:BooleanMappingTransformation", "is not supported");
        check("kind=\"output\"", "kind=\"exit\"", "tau is of kind `exit`");
        check("startConnector", "startKonnector", "has no attribute startConnector");
        check("factor=\"2\"", "factor=\"two\"", "factor=\"two\" is not a finite number");
        check("stopTime=\"2.5\"", "stopTime=\"INF\"", "is not a finite number");
    }
}
