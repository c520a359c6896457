//! Equations of a model's own: variables of a model or block with their values, as data, and the
//! interface of the crate that makes components of them.

use crate::data::{Data, read_object, write_number, write_object};
use mechanics::assembly::{Instance, NamedPorts, Netlist};
use mechanics::{Assembly, Error};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;

/// The variables of one model or block, with the equations that are solved for them.
///
/// A *tree* is an expression as in settings of components. It names parameters of the model,
/// `time`, definitions of the same block, and variables with their full names: those of components,
/// and those of all blocks, also `der(x)`, `pre(x)` and `last(x)`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equations {
    /// The name of the block; the one without a name is the model itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What kind of block it is, for diagrams.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub class: String,
    /// Its description in one line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Trees and [events](Event) that later trees name.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "write_object",
        deserialize_with = "read_object"
    )]
    pub definitions: Vec<(String, Data)>,
    /// Its variables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Variable>,
    /// New values at events of states of components.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reinits: Vec<ReinitOfOther>,
    /// What must be true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assertions: Vec<Assertion>,
    /// Conditions that end the simulation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terminations: Vec<Data>,
}

/// A variable: a state, a variable with a value, or one that changes at events only.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variable {
    /// Its name in the block.
    pub name: String,
    /// The type of its values.
    #[serde(default, rename = "type", skip_serializing_if = "is_default")]
    pub kind: VariableType,
    /// Its unit.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Its description in one line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Its start value: a tree of parameters; that of a variable which changes at events only may
    /// contain others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Data>,
    /// Its typical magnitude.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "write_optional_number"
    )]
    pub nominal: Option<f64>,
    /// The value of a variable that is no state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Data>,
    /// The value at events of a discrete variable: `pre(x)` is the value before the event as
    /// equations read it, and `last(x)` the value between events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_events: Option<Data>,
    /// The derivative of a state; or of a variable with a value, if something reads `der(x)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derivative: Option<Data>,
    /// How a state begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<Initial>,
    /// New values of a state at events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reinits: Vec<Reinit>,
    /// Whether a variable with a value is a signal only, and no variable of the FMU.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hidden: bool,
}

/// The type of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum VariableType {
    /// Numbers.
    #[default]
    Real,
    /// Whole numbers.
    Integer,
    /// 1 for true and 0 for false.
    Boolean,
}

/// How a state begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Initial {
    /// At its start value.
    Fixed,
    /// Other conditions may determine it; its start value is a guess.
    Free,
    /// So that its derivative is zero.
    Steady,
    /// At the value of a tree.
    At(Data),
}

/// The new value of a state at an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reinit {
    /// The condition, which is true at the event only.
    pub when: Data,
    /// The value.
    pub value: Data,
}

/// The new value at an event of a state of a component.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReinitOfOther {
    /// The full name of a variable that is a state, or a multiple of one.
    pub state: String,
    /// The condition, which is true at the event only.
    pub when: Data,
    /// The value.
    pub value: Data,
}

/// A condition that must be true.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assertion {
    /// For a condition on variables, when it matters; a condition without it is about parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Data>,
    /// The condition.
    pub condition: Data,
    /// What is said if it is false.
    pub message: String,
    /// Whether this is a warning only.
    #[serde(default, skip_serializing_if = "is_default")]
    pub warning: bool,
}

/// A definition whose changes are events; its value is 1 or 0, or a whole number.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// True while the tree is positive.
    Positive(Data),
    /// True at the instants `start + k interval`.
    Sample([Data; 2]),
    /// True at an event at which one of the conditions becomes true. A condition may be a sample or
    /// `["initial"]`.
    When(Vec<Data>),
    /// The largest whole number that is not larger.
    Whole(Data),
}

/// The members of an [`Event`] in JSON, besides its text.
pub(crate) const EVENTS: [&str; 4] = ["positive", "sample", "when", "whole"];

impl Event {
    /// The definition in JSON. The text, if there is one, names the event in messages.
    pub fn write(self, text: &str) -> Data {
        let (kind, content) = match self {
            Event::Positive(tree) => ("positive", tree),
            Event::Sample(trees) => ("sample", Data::List(trees.into())),
            Event::When(trees) => ("when", Data::List(trees)),
            Event::Whole(tree) => ("whole", tree),
        };
        let text = (!text.is_empty()).then(|| ("text".to_owned(), Data::Text(text.to_owned())));
        Data::Object([(kind.to_owned(), content)].into_iter().chain(text).collect())
    }

    /// The event of a definition in JSON, and its text.
    ///
    /// # Errors
    /// It is none.
    pub fn read(members: &[(String, Data)]) -> Result<(Event, Option<&str>), String> {
        let text = members.iter().find_map(|(name, value)| match value {
            Data::Text(text) if name == "text" => Some(text.as_str()),
            _ => None,
        });
        let others: Vec<_> =
            members.iter().filter(|(name, _)| name != "text" || text.is_none()).collect();
        let [(kind, content)] = others[..] else {
            return Err(format!("an event has one member `{}`", EVENTS.join("` or `")));
        };
        let event = match (kind.as_str(), content) {
            ("positive", tree) => Event::Positive(tree.clone()),
            ("whole", tree) => Event::Whole(tree.clone()),
            ("sample", Data::List(trees)) => {
                let trees = trees.clone().try_into();
                Event::Sample(trees.map_err(|_| "a sample has a start and an interval")?)
            }
            ("when", Data::List(trees)) => Event::When(trees.clone()),
            ("sample" | "when", _) => return Err(format!("`{kind}` is followed by a list")),
            _ => return Err(format!("no event `{kind}`; it is `{}`", EVENTS.join("` or `"))),
        };
        Ok((event, text))
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn write_optional_number<S: serde::Serializer>(
    number: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => write_number(number, serializer),
        None => serializer.serialize_none(),
    }
}

/// The ports of components by the names of the components.
pub type Ports = HashMap<String, Box<dyn NamedPorts>>;

/// The crate that makes components of equations, and states equations of components.
pub trait EquationsAsComponents: fmt::Debug {
    /// Adds a component for each block, and its ports to those of the other components.
    ///
    /// # Errors
    /// All mistakes.
    fn read(
        &self,
        blocks: &[Equations],
        parameters: &[(&str, equations::Ex)],
        ports: &mut Ports,
        m: &mut Assembly,
    ) -> Result<(), Vec<Error>>;

    /// The equations of a component; `None` if it has none.
    ///
    /// # Errors
    /// What no file can hold.
    fn write(&self, instance: &Instance, of: &Netlist) -> Option<Result<Equations, Error>>;
}

/// For files without equations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoEquations;

impl EquationsAsComponents for NoEquations {
    fn read(
        &self,
        blocks: &[Equations],
        _: &[(&str, equations::Ex)],
        _: &mut Ports,
        _: &mut Assembly,
    ) -> Result<(), Vec<Error>> {
        match blocks {
            [] => Ok(()),
            _ => {
                Err(vec![Error::Parameter("this program reads no files with equations".to_owned())])
            }
        }
    }

    fn write(&self, _: &Instance, _: &Netlist) -> Option<Result<Equations, Error>> {
        None
    }
}
