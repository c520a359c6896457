//! The arguments of emitted functions: one table with their names, types and values.

use program::Function;

use crate::analysis::facts::Facts;

/// Arguments of an emitted function, in the order in which they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Argument {
    Time,
    Initial,
    Parameters,
    Calculated,
    Discretes,
    Relations,
    States,
    Inputs,
    Tables,
    Histories,
    Anchor,
    Unknowns,
    Iterations,
    Work,
    Derivatives,
    Residuals,
    NextDiscretes,
    NextStates,
    Terminate,
    /// The truth values of requirements, or of the first modes.
    Truths,
    /// Arguments of the body of a block: real and truth values from outside, the point, and values
    /// that cross between chunks.
    Captures,
    CapturedTruths,
    Point,
    Crossing,
}

/// What is passed for an argument.
enum Passed {
    /// A value of a type.
    Value(&'static str, &'static str),
    /// An array of elements of a type, from a slice.
    Array(&'static str, Access, &'static str),
    /// The bodies of blocks declare and pass it themselves.
    OfBody,
}

/// How a function uses an array.
enum Access {
    Read,
    Written,
    /// It is written by the function for initial values, and read by all others.
    Determined,
}

impl Argument {
    /// The table: the name of an argument, and what is passed for it.
    fn row(self) -> (&'static str, Passed) {
        use Access::{Determined, Read, Written};
        use Passed::{Array, OfBody, Value};
        match self {
            Argument::Time => ("t", Value("S", "e.t")),
            Argument::Initial => ("initial", Value("bool", "e.initial")),
            Argument::Parameters => ("p", Array("S", Read, "e.p")),
            Argument::Calculated => ("c", Array("S", Determined, "e.c")),
            Argument::Discretes => ("m", Array("f64", Read, "e.m")),
            Argument::Relations => ("r", Array("bool", Read, "e.r")),
            Argument::States => ("x", Array("S", Determined, "e.x")),
            Argument::Inputs => ("u", Array("S", Read, "e.u")),
            Argument::Tables => ("tables", Value("&[Rows]", "e.tables")),
            Argument::Histories => ("histories", Value("&[f64]", "e.histories")),
            Argument::Anchor => ("anchor", Array("f64", Read, "e.anchor")),
            Argument::Unknowns => ("z", Array("f64", Written, "e.z")),
            Argument::Iterations => ("iterations", Value("&mut u64", "e.iterations")),
            Argument::Work => ("w", Array("S", Written, "e.w")),
            Argument::Derivatives => ("dx", Array("S", Written, "e.dx")),
            Argument::Residuals => ("d", Array("f64", Written, "d")),
            Argument::NextDiscretes => ("next_m", Array("f64", Written, "next.m")),
            Argument::NextStates => ("next_x", Array("f64", Written, "next.x")),
            Argument::Terminate => ("terminate", Value("&mut bool", "&mut next.terminate")),
            Argument::Truths => ("truths", Array("bool", Written, "truths")),
            Argument::Captures => ("k", OfBody),
            Argument::CapturedTruths => ("b", OfBody),
            Argument::Point => ("y", OfBody),
            Argument::Crossing => ("l", OfBody),
        }
    }

    /// Its name in a function.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Its declaration in a function, and the expression that is passed for it; `work` is the
    /// length of the work vector.
    pub fn written(self, function: Function, facts: &Facts, work: u32) -> (String, String) {
        let (name, passed) = self.row();
        match passed {
            Passed::Value(of_type, value) => (format!("{name}: {of_type}"), value.to_owned()),
            Passed::Array(element, access, slice) => {
                let is_written = match access {
                    Access::Read => false,
                    Access::Written => true,
                    Access::Determined => function == Function::Initial,
                };
                let (mutable, fixed) =
                    if is_written { ("mut ", "fixed_mut") } else { ("", "fixed") };
                let length = self.length(function, facts, work);
                (format!("{name}: &{mutable}[{element}; {length}]"), format!("{fixed}({slice})"))
            }
            Passed::OfBody => unreachable!("arguments of bodies"),
        }
    }

    /// The length of an array.
    fn length(self, function: Function, facts: &Facts, work: u32) -> usize {
        match self {
            Argument::Parameters => facts.parameters.len(),
            Argument::Calculated => facts.calculated,
            Argument::Discretes | Argument::NextDiscretes => facts.discretes.len(),
            Argument::Relations | Argument::Residuals => facts.relations.len(),
            Argument::States | Argument::Derivatives | Argument::NextStates => facts.states.len(),
            Argument::Inputs => facts.inputs.len(),
            Argument::Anchor | Argument::Unknowns => facts.unknowns,
            Argument::Work => work as usize,
            Argument::Truths if function == Function::FirstModes => facts.first_modes.len(),
            Argument::Truths if function == Function::Assertions => facts.assertions.len(),
            Argument::Truths => facts.requirements.len(),
            _ => unreachable!("no array"),
        }
    }
}
