//! Declarations of variables, with the attributes that an author gives.

use expressions::Expression;
use expressions::graph::Leaf;
use program::{Base, Causality};

/// The FMI base type of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BaseType {
    Real,
    Integer,
    Boolean,
    /// An enumeration type by its name.
    Enumeration(String),
}

/// The type of local variables that are declared Boolean.
///
/// OpenModelica 1.27.0 reads Booleans of FMUs wrongly, and events then never end. Nobody connects
/// local variables, so their type matters for display only, and tables of Modelica's tools
/// hold Booleans as numbers; they are therefore Integers, unless an author wants otherwise. Inputs,
/// outputs and parameters, which others connect and set, always have the declared type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Booleans {
    /// Integer: 0 for false, 1 for true.
    #[default]
    Integer,
    /// Boolean.
    Boolean,
}

/// How an importer sets start values that are initial values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StartsAs {
    /// As start values of their variables, most of which are local.
    #[default]
    Variables,
    /// As parameters whose names begin with [`START_PREFIX`], for importers that set nothing but
    /// parameters and inputs.
    Parameters,
}

/// What precedes the names of variables in those of parameters that are their start values.
pub const START_PREFIX: &str = "start.";

impl BaseType {
    /// The base type of its values.
    pub fn base(&self) -> Base {
        match self {
            BaseType::Real => Base::Real,
            BaseType::Integer | BaseType::Enumeration(_) => Base::Integer,
            BaseType::Boolean => Base::Boolean,
        }
    }
}

/// A causality as a noun in a sentence.
pub(crate) fn in_words(causality: Causality) -> &'static str {
    match causality {
        Causality::Parameter => "a parameter",
        Causality::CalculatedParameter => "a calculated parameter",
        Causality::Input => "an input",
        Causality::Output => "an output",
        Causality::Local => "a local variable",
        Causality::Independent => "the independent variable",
    }
}

/// How the start value of a variable is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StartValue {
    /// There is none that can be set.
    None,
    /// The value after initialization, and the element of `p` through which it can be set, if there
    /// is one.
    Exact(f64, Option<u32>),
    /// A guess, from which the search for the initial value starts, and its element of `p`.
    Approx(f64, u32),
}

/// A declared variable.
#[derive(Clone, Debug)]
pub(crate) struct VariableDeclaration {
    pub name: String,
    pub description: String,
    pub unit: Option<String>,
    pub display_unit: Option<String>,
    pub base_type: BaseType,
    pub causality: Causality,
    pub tunable: bool,
    /// Whether it is declared to change only at events.
    pub discrete: bool,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub nominal: Option<f64>,
    pub start: StartValue,
    pub expression: Expression,
    /// The state of which this is the derivative.
    pub derivative_of: Option<usize>,
}

impl VariableDeclaration {
    pub fn new(
        name: &str,
        causality: Causality,
        expression: Expression,
        start: StartValue,
    ) -> VariableDeclaration {
        let base_type = match expression {
            Expression::Real(_) => BaseType::Real,
            Expression::Truth(_) => BaseType::Boolean,
        };
        VariableDeclaration {
            name: name.to_owned(),
            description: String::new(),
            unit: None,
            display_unit: None,
            base_type,
            causality,
            tunable: false,
            discrete: false,
            min: None,
            max: None,
            nominal: None,
            start,
            expression,
            derivative_of: None,
        }
    }
    /// The leaf, if the variable is a leaf.
    pub fn leaf(&self) -> Option<Leaf> {
        match self.expression {
            Expression::Real(ex) => ex.as_leaf(),
            Expression::Truth(b) => b.as_leaf(),
        }
    }

    /// The index of the state, if the variable is a state.
    pub fn state(&self) -> Option<usize> {
        match self.leaf() {
            Some(Leaf::State(i)) => Some(i as usize),
            _ => None,
        }
    }
}
