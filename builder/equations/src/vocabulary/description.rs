//! The description of a model: the content of modelDescription.xml as plain data.

use program::Base;
use serde::{Deserialize, Serialize};

/// The description of a model, as importers see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// FMI model name, which is also the model identifier and the file's name.
    pub name: String,
    /// Identity of the model's content: the GUID in the library.
    pub guid: String,
    /// One line.
    pub description: String,
    /// The documentation comment of the model text, as Markdown.
    pub documentation: String,
    /// The default experiment.
    pub experiment: Experiment,
    /// Units in use, each once.
    pub units: Vec<Unit>,
    /// Enumeration types in use, each once.
    pub enumerations: Vec<Enumeration>,
    /// All variables, in the order of modelDescription.xml.
    pub variables: Vec<Variable>,
    /// Names of the event indicators, in order.
    pub event_indicators: Vec<String>,
    /// `ModelStructure/Outputs`, in the order of the model text.
    pub outputs: Vec<Unknown>,
    /// `ModelStructure/Derivatives`, in the order of the continuous states.
    pub derivatives: Vec<Unknown>,
    /// `ModelStructure/InitialUnknowns`, ascending.
    pub initial_unknowns: Vec<Unknown>,
}

/// The default experiment, in s.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct Experiment {
    pub start_time: f64,
    pub stop_time: f64,
    pub tolerance: f64,
    pub step_size: f64,
}

/// A unit: `base value = factor * value + offset`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// As written in variables, for example `N.m`.
    pub name: String,
    /// Exponents of kg, m, s, A, K, mol, cd, rad.
    pub exponents: [i8; 8],
    /// Factor to the base unit.
    pub factor: f64,
    /// Offset to the base unit.
    pub offset: f64,
    /// The units in which values may be shown.
    pub display: Vec<DisplayUnit>,
}

/// A display unit: `display value = factor * value + offset`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DisplayUnit {
    /// As written in variables, for example `deg`.
    pub name: String,
    /// Factor to the display unit.
    pub factor: f64,
    /// Offset in the display unit.
    pub offset: f64,
}

/// An enumeration type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Enumeration {
    /// Name of the type.
    pub name: String,
    /// One line.
    pub description: String,
    /// The items, in order.
    pub items: Vec<EnumerationItem>,
}

/// An item of an enumeration type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnumerationItem {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i32,
    /// One line.
    pub description: String,
}

/// A scalar variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name, by the structured naming convention.
    pub name: String,
    /// Its value reference; variables of different base types share none.
    pub value_reference: u32,
    /// One line; may be empty.
    pub description: String,
    /// FMI causality, as written in XML.
    pub causality: String,
    /// FMI variability, as written in XML.
    pub variability: String,
    /// FMI `initial`, if it applies.
    pub initial: Option<String>,
    /// Its type with the attributes that belong to the type.
    pub kind: VariableType,
}

/// The type of a variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum VariableType {
    Real {
        unit: Option<String>,
        display_unit: Option<String>,
        start: Option<f64>,
        min: Option<f64>,
        max: Option<f64>,
        nominal: Option<f64>,
        /// Index (from 0) of the variable of which this is the derivative.
        derivative: Option<usize>,
        /// Whether it is a state that an event may change.
        reinit: bool,
    },
    Integer {
        start: Option<i32>,
        min: Option<i32>,
        max: Option<i32>,
    },
    Boolean {
        start: Option<bool>,
    },
    Enumeration {
        /// Name of the [`Enumeration`].
        declared_type: String,
        start: Option<i32>,
    },
}

impl VariableType {
    /// The base type.
    pub fn base(&self) -> Base {
        match self {
            VariableType::Real { .. } => Base::Real,
            VariableType::Integer { .. } | VariableType::Enumeration { .. } => Base::Integer,
            VariableType::Boolean { .. } => Base::Boolean,
        }
    }
}

/// An entry of ModelStructure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unknown {
    /// Index (from 0) into the variables.
    pub index: usize,
    /// Indices (from 0) of the knowns on which it depends, ascending.
    pub dependencies: Vec<usize>,
}

/// The first line of a documentation, which describes the model.
pub(crate) fn first_line(documentation: &str) -> Option<&str> {
    let line = documentation.lines().find(|line| !line.trim().is_empty())?;
    Some(line.trim().trim_start_matches('#').trim())
}
