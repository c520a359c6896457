//! The content of a modelDescription.xml as values.

use std::collections::BTreeMap;

use crate::vocabulary::fmi::FmuType;
use crate::vocabulary::xml::{boolean, double};

/// A model description; indices count from 0.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct ModelDescription {
    pub fmi_version: String,
    pub model_name: String,
    pub guid: String,
    pub description: String,
    pub author: Option<String>,
    pub version: Option<String>,
    pub license: Option<String>,
    pub generation_tool: Option<String>,
    pub generation_date_and_time: Option<String>,
    pub variable_naming_convention: String,
    pub number_of_event_indicators: usize,
    pub model_exchange: Option<Interface>,
    pub co_simulation: Option<Interface>,
    pub units: Vec<Unit>,
    pub types: Vec<SimpleType>,
    pub log_categories: Vec<String>,
    pub experiment: DefaultExperiment,
    pub variables: Vec<ScalarVariable>,
    pub outputs: Vec<Unknown>,
    pub derivatives: Vec<Unknown>,
    pub initial_unknowns: Vec<Unknown>,
}

/// `ModelExchange` or `CoSimulation`.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    /// Name of the library, without its extension.
    pub model_identifier: String,
    /// All its attributes.
    pub attributes: BTreeMap<String, String>,
    /// The source files listed.
    pub source_files: Vec<String>,
}

impl Interface {
    /// Whether a flag is set.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.attributes.get(name).map(String::as_str), Some("true" | "1"))
    }

    /// The value of a numeric attribute, 0 if it is missing.
    pub fn number(&self, name: &str) -> u32 {
        self.attributes.get(name).and_then(|v| v.parse().ok()).unwrap_or(0)
    }
}

/// A unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// Exponents, factor and offset of its BaseUnit.
    pub base: Option<BaseUnit>,
    /// Its display units.
    pub display: Vec<DisplayUnit>,
}

/// A display unit: `display value = factor * value + offset`.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct DisplayUnit {
    pub name: String,
    pub factor: f64,
    pub offset: f64,
}

/// A unit in base units: `base value = factor * value + offset`.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct BaseUnit {
    /// Exponents of kg, m, s, A, K, mol, cd, rad.
    pub exponents: [i32; 8],
    pub factor: f64,
    pub offset: f64,
}

/// A type definition.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct SimpleType {
    pub name: String,
    pub base: Base,
    pub attributes: Attributes,
    /// Items of an enumeration: name, value.
    pub items: Vec<(String, i64)>,
}

/// The base types of FMI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum Base {
    #[default]
    Real,
    Integer,
    Boolean,
    String,
    Enumeration,
}

impl Base {
    /// The name space of value references: enumerations share that of integers.
    pub fn name_space(self) -> Base {
        if self == Base::Enumeration { Base::Integer } else { self }
    }

    /// Its name in XML.
    pub fn name(self) -> &'static str {
        match self {
            Base::Real => "Real",
            Base::Integer => "Integer",
            Base::Boolean => "Boolean",
            Base::String => "String",
            Base::Enumeration => "Enumeration",
        }
    }
}

/// The attributes that types and variables have in common.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct Attributes {
    pub unit: Option<String>,
    pub display_unit: Option<String>,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub nominal: Option<f64>,
}

impl Attributes {
    pub(super) fn over(self, declared: &Attributes) -> Attributes {
        Attributes {
            unit: self.unit.or_else(|| declared.unit.clone()),
            display_unit: self.display_unit.or_else(|| declared.display_unit.clone()),
            min: self.min.or(declared.min),
            max: self.max.or(declared.max),
            nominal: self.nominal.or(declared.nominal),
        }
    }
}

/// The default experiment, in s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct DefaultExperiment {
    pub start_time: Option<f64>,
    pub stop_time: Option<f64>,
    pub tolerance: Option<f64>,
    pub step_size: Option<f64>,
}

/// A variable.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct ScalarVariable {
    pub name: String,
    pub value_reference: u32,
    pub description: String,
    pub causality: String,
    pub variability: String,
    /// `initial` as written; see [`ScalarVariable::initial`].
    pub written_initial: Option<String>,
    pub can_handle_multiple_set: Option<bool>,
    pub base: Base,
    pub declared_type: Option<String>,
    /// The attributes in effect: those of the variable, or else those of its type.
    pub attributes: Attributes,
    /// The start value as written.
    pub start: Option<String>,
    pub derivative: Option<usize>,
    pub reinit: Option<bool>,
}

impl ScalarVariable {
    /// `initial` as written, or else its default.
    pub fn initial(&self) -> Option<&str> {
        match self.written_initial.as_deref() {
            Some(initial) => Some(initial),
            None => match (&*self.causality, &*self.variability) {
                ("parameter", _) | (_, "constant") => Some("exact"),
                ("input" | "independent", _) => None,
                _ => Some("calculated"),
            },
        }
    }

    /// The start value of a Real, Integer, Boolean or Enumeration as a number.
    pub fn start_number(&self) -> Option<f64> {
        let text = self.start.as_deref()?;
        match self.base {
            Base::Boolean => boolean(text).map(f64::from),
            Base::String => None,
            _ => double(text),
        }
    }
}

/// An entry of ModelStructure.
#[derive(Clone, Debug, Default)]
pub struct Unknown {
    /// The variable; `usize::MAX` for the illegal index 0.
    pub index: usize,
    /// The variables on which it depends, if they are listed.
    pub dependencies: Option<Vec<usize>>,
    /// The list as written.
    pub written_dependencies: Option<String>,
    /// How it depends on each of them.
    pub kinds: Option<Vec<String>>,
}

impl ModelDescription {
    /// The interfaces that are declared.
    pub fn interfaces(&self) -> Vec<(FmuType, &Interface)> {
        let me = self.model_exchange.as_ref().map(|i| (FmuType::ModelExchange, i));
        let cs = self.co_simulation.as_ref().map(|i| (FmuType::CoSimulation, i));
        me.into_iter().chain(cs).collect()
    }

    /// The variable with a name.
    pub fn variable(&self, name: &str) -> Option<&ScalarVariable> {
        self.variables.iter().find(|v| v.name == name)
    }

    /// The continuous states, in order: indices of variables.
    pub fn states(&self) -> Vec<usize> {
        self.derivatives
            .iter()
            .filter_map(|u| self.variables.get(u.index)?.derivative)
            .filter(|state| *state < self.variables.len())
            .collect()
    }

    /// The outputs, in the order of ModelStructure; those that it does not list follow.
    pub fn ordered_outputs(&self) -> Vec<&ScalarVariable> {
        let places: BTreeMap<usize, usize> =
            self.outputs.iter().enumerate().map(|(place, output)| (output.index, place)).collect();
        let variables = self.variables.iter().enumerate();
        let mut outputs: Vec<(usize, &ScalarVariable)> = variables
            .filter(|(_, v)| v.causality == "output")
            .map(|(i, v)| (places.get(&i).copied().unwrap_or(places.len()), v))
            .collect();
        outputs.sort_by_key(|(place, _)| *place);
        outputs.into_iter().map(|(_, v)| v).collect()
    }

    /// Whether importers use the list of derivatives: in Co-Simulation they ignore it unless there
    /// are directional derivatives.
    pub fn uses_derivatives(&self) -> bool {
        let of =
            |i: &Option<Interface>| i.as_ref().map(|i| i.flag("providesDirectionalDerivative"));
        self.model_exchange.is_some() || of(&self.co_simulation) != Some(false)
    }

    /// The type of a variable.
    pub fn declared_type(&self, v: &ScalarVariable) -> Option<&SimpleType> {
        let name = v.declared_type.as_ref()?;
        self.types.iter().find(|t| t.name == *name)
    }
}

/// The base units, in the order of their exponents.
pub const BASE_UNITS: [&str; 8] = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_have_the_order_of_the_structure() {
        let variable = |name: &str| ScalarVariable {
            name: name.to_owned(),
            causality: "output".to_owned(),
            ..ScalarVariable::default()
        };
        let d = ModelDescription {
            variables: ["a", "b", "c"].map(variable).to_vec(),
            outputs: [2, 0].map(|index| Unknown { index, ..Unknown::default() }).to_vec(),
            ..ModelDescription::default()
        };
        let names: Vec<&str> = d.ordered_outputs().iter().map(|v| v.name.as_str()).collect();
        assert_eq!(names, ["c", "a", "b"]);
    }
}
