//! The kinds of parameters: their values in a model text, and their variables in the FMU.

use crate::blocks::{AnalogFilter, AssertionLevel, FilterType, SimpleController};
use crate::electrical::InitOpAmp;
use crate::impulses::InitType;
use crate::multibody::{GravityType, ResolveInFrameA, ResolveInFrameAB, ResolveInFrameB};
use crate::rotational::Regularization;
use crate::sampled::{Resolution, SingleReferenceType};
use crate::signals::{Extrapolation, Init, Smoothness};
use mechanics::declaration::{Choice, Chosen};
use mechanics::start::StateSelect;

/// A kind of parameter, or a fact about one, as text.
#[derive(Clone, Copy, Debug)]
pub struct ParameterKind {
    /// Its name in a declaration.
    pub name: &'static str,
    /// The values in a model text.
    pub given: &'static str,
    /// The variables in the FMU.
    pub published: &'static str,
}

const fn kind(name: &'static str, given: &'static str, published: &'static str) -> ParameterKind {
    ParameterKind { name, given, published }
}

/// All kinds of parameters except [`CHOICES`].
pub const KINDS: &[ParameterKind] = &[
    kind(
        "Real",
        "a number, an expression of parameters of the model, or `unknown(guess)`",
        "a parameter, tunable unless noted; a calculated parameter if it is an expression",
    ),
    kind("[Real; 3]", "three of `Real`", "`name[1]` to `name[3]`, each with *structural zero*"),
    kind("[Real]", "a list of `Real`", "`name[1]`, `name[2]`..., each with *structural zero*"),
    kind(
        "[[Real]]",
        "rows of numbers, or one number for the row of 0 and this number",
        "`name[row,column]`: fixed values in the first column, tunable parameters in the others",
    ),
    kind("Axis", "three numbers: a direction, whose length has no effect", "three fixed values"),
    kind("AngleInDegrees", "a number in deg", "as `Real`, in rad"),
    kind("Integer", "a whole number", "a fixed value"),
    kind("[usize; 3]", "three axes, 1 for x, 2 for y, 3 for z", "three fixed values"),
    kind(
        "Start",
        "`fixed(value)`, an initial condition; `guess(value)`; `free()`",
        "the start value of a variable",
    ),
    kind(
        "[Start; 3]",
        "three of `Start`",
        "the start values of `name[1]` to `name[3]`, or of `name_1` to `name_3` if there are such \
         variables",
    ),
    kind("bool", "`true` or `false`", "none"),
    kind("[bool]", "a list of `true` and `false`", "none"),
    kind("String", "a text", "none"),
    kind("GravityField", "functions of the position", "none"),
    kind("ControlLaw", "a `Controller`", "none"),
    kind("RealLaw", "a closure, by `RealExpression::of`", "none"),
    kind("IntegerLaw", "a closure, by `IntegerExpression::of`", "none"),
    kind("BooleanLaw", "a closure, by `BooleanExpression::of`", "none"),
    kind("OpaqueLaw", "a struct of `controller_code!`", "none"),
    kind("[StateSelect; 3]", "three of `StateSelect`", "none"),
];

/// The facts that decide which variables of the FMU a parameter has, in addition to its kind. See
/// [`Parameter::facts`](mechanics::declaration::Parameter::facts).
pub const FACTS: &[ParameterKind] = &[
    kind(
        "structural zero",
        "the same",
        "a fixed value if it is zero; the effect does not exist then",
    ),
    kind("structural", "numbers only", "none"),
    kind(
        "constant",
        "numbers only, or the same for `bool` and choices",
        "fixed values; 1 or 0 for `true` or `false`; a value of an enumeration for a choice",
    ),
    kind("on demand", "the same", "none unless the component uses it"),
    kind(
        "for",
        "the same; the value of this input while it is open",
        "none if the input is connected",
    ),
];

/// The kinds of parameters that are choices, which are in the FMU only if they are `constant`.
pub const CHOICES: &[Choice] = &[
    StateSelect::CHOICE,
    GravityType::CHOICE,
    ResolveInFrameA::CHOICE,
    ResolveInFrameB::CHOICE,
    ResolveInFrameAB::CHOICE,
    InitType::CHOICE,
    Regularization::CHOICE,
    Smoothness::CHOICE,
    Extrapolation::CHOICE,
    AssertionLevel::CHOICE,
    Init::CHOICE,
    InitOpAmp::CHOICE,
    SimpleController::CHOICE,
    AnalogFilter::CHOICE,
    FilterType::CHOICE,
    SingleReferenceType::CHOICE,
    Resolution::CHOICE,
];
