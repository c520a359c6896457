//! The table of facts that a declaration becomes.

use crate::error::Error;
use equations::Limits;

/// The declaration of a kind of component.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// Its name.
    pub name: &'static str,
    /// The class of the Modelica Standard Library to which it corresponds; empty if there is none.
    pub class: &'static str,
    /// Its description in one line.
    pub summary: &'static str,
    /// Its whole description, in Markdown.
    pub text: &'static str,
    /// The parameters that a model text gives.
    pub parameters: &'static [Parameter],
    /// The ports by which it is connected.
    pub ports: &'static [Port],
    /// The variables that it publishes.
    pub variables: &'static [Variable],
}

/// A parameter of a component.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The method that sets it.
    pub setter: &'static str,
    /// Its FMI name within an instance.
    pub name: &'static str,
    /// Its kind as it is declared: the shape of its values, such as `Real` or `[Real; 3]`.
    pub kind: &'static str,
    /// Its unit; `1` for a pure number, empty if it depends on the connections.
    pub unit: &'static str,
    /// The range of its values.
    pub limits: Limits,
    /// Whether zero is excluded, although values on both sides of it are allowed.
    pub non_zero: bool,
    /// Which values are fixed when the FMU is generated.
    pub lifetime: Lifetime,
    /// Whether it is a variable of the FMU only if the component uses it.
    pub on_demand: bool,
    /// Whether it is not tunable.
    pub fixed: bool,
    /// Whether its default changes with the parameters above it when an importer sets them;
    /// otherwise the default is an independent value, which can be set.
    pub follows: bool,
    /// The input for which it is the value if nothing is connected; usually empty.
    pub input: &'static str,
    /// Its value if none is given.
    pub default: Default,
    /// Its description in one line.
    pub text: &'static str,
}

impl Parameter {
    /// Gives unit and description to the variable that represents this declaration, or an element
    /// of it.
    pub fn describe<'m, T>(
        &self,
        variable: equations::VariableBuilder<'m, T>,
    ) -> equations::VariableBuilder<'m, T> {
        let variable = variable.describe(self.text);
        if self.unit.is_empty() { variable } else { variable.unit(self.unit) }
    }

    /// The facts that decide which variables of the FMU it has, in the words of the declaration.
    pub fn facts(&self) -> impl Iterator<Item = &'static str> {
        let lifetime = match self.lifetime {
            Lifetime::OfKind => None,
            Lifetime::StructuralZero => Some("structural zero"),
            Lifetime::Constant => Some("constant"),
            Lifetime::Structural => Some("structural"),
        };
        let on_demand = self.on_demand.then_some("on demand");
        let of_input = (!self.input.is_empty()).then_some("for");
        lifetime.into_iter().chain(on_demand).chain(of_input)
    }

    /// The error that an instance of this name has no value for the parameter.
    pub fn missing(&self, instance: &str) -> Error {
        let what = match self.unit {
            "" | "1" => self.text.to_owned(),
            unit => format!("{}, {unit}", self.text),
        };
        Error::Parameter(format!("{instance}.{} ({what}) has no value", self.name))
    }
}

/// Which values of a parameter are fixed when the FMU is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// Those that the kind of the parameter fixes.
    OfKind,
    /// Zero: the effect does not exist then, and the parameter is a constant of the FMU.
    StructuralZero,
    /// All, and the parameter is a constant of the FMU.
    Constant,
    /// All, and the parameter is not a variable of the FMU.
    Structural,
}

/// The value of a parameter that is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// It must be given.
    Required,
    /// A Rust expression.
    Value(&'static str),
    /// It is optional.
    None,
}

/// A port of a component.
#[derive(Clone, Copy, Debug)]
pub struct Port {
    /// The field of its struct of ports.
    pub field: &'static str,
    /// Its FMI name within an instance.
    pub name: &'static str,
    /// The kind of port: a type of [`port`](crate::port).
    pub kind: &'static str,
    /// The unit of an input; empty for other ports, and if any unit is allowed.
    pub unit: &'static str,
    /// Its description in one line.
    pub text: &'static str,
}

/// A variable of a component.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// The field of its struct of ports.
    pub field: &'static str,
    /// Its FMI name within an instance.
    pub name: &'static str,
    /// Whether it is published only in some cases.
    pub optional: bool,
    /// `Real`, `Integer`, `Boolean`, `Vector`, `Quaternion`, `Matrix` or `Array`.
    pub kind: &'static str,
    /// Its unit; `1` for a pure number, empty if it depends on the connections.
    pub unit: &'static str,
    /// Its description in one line.
    pub text: &'static str,
}
