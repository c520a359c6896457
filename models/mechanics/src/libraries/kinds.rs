//! What a model text gives for the kinds of parameters, and what becomes of that in the FMU.

use crate::declaration::{Choice, Chosen};
use crate::impulses::InitType;
use crate::multibody::{GravityType, ResolveInFrameA, ResolveInFrameAB, ResolveInFrameB};
use crate::rotational::Regularization;
use crate::signals::{Extrapolation, Smoothness};
use crate::start::StateSelect;

/// A kind of parameter, for a reader.
#[derive(Clone, Copy, Debug)]
pub struct ParameterKind {
    /// Its name: that of a [`Setting`](crate::declaration::Setting).
    pub name: &'static str,
    /// What a model text gives.
    pub given: &'static str,
    /// What it is in the FMU.
    pub published: &'static str,
}

const fn kind(name: &'static str, given: &'static str, published: &'static str) -> ParameterKind {
    ParameterKind { name, given, published }
}

/// All kinds of parameters but [`CHOICES`].
pub const KINDS: &[ParameterKind] = &[
    kind(
        "Real",
        "a number, an expression of parameters of the model, or `unknown(guess)`",
        "a parameter, tunable unless its line says otherwise; calculated if it is no number",
    ),
    kind("Amount", "as `Real`", "as `Real`, but zero is a constant: there is no such effect"),
    kind("Element", "as `Real`", "as `Amount`"),
    kind("Vector3", "three of `Real`", "`name[1]` to `name[3]`, each as `Amount`"),
    kind("Masses", "a list of `Real`", "`name[1]`, `name[2]`..., each as `Amount`"),
    kind("Fallback", "as `Real`", "as `Real` while the input it stands in for is open, else none"),
    kind(
        "OnDemand<..>",
        "what the kind in brackets takes",
        "what that kind is, if the component uses it",
    ),
    kind("Structural", "a number", "none"),
    kind("Components", "three numbers", "none"),
    kind("Node", "three numbers", "none"),
    kind("Axis", "three numbers: a direction, whose length does not count", "three constants"),
    kind("AngleInDegrees", "a number in deg", "as `Amount`, in rad"),
    kind("Degrees<1>", "a number in deg", "a constant"),
    kind("Degrees<3>", "three numbers in deg", "three constants"),
    kind("Integer", "a whole number", "a constant"),
    kind("[usize;3]", "three axes, 1 for x, 2 for y, 3 for z", "three constants"),
    kind("StructuralSequence", "as `[usize;3]`", "none"),
    kind(
        "Start",
        "`fixed(value)`, an initial condition; `guess(value)`; `free()`",
        "the start value of a variable",
    ),
    kind("[Start;3]", "three of `Start`", "the start values of `name[1]` to `name[3]`"),
    kind("Scalars", "three of `Start`", "the start values of `name_1` to `name_3`"),
    kind("bool", "`true` or `false`", "none"),
    kind("Flag", "`true` or `false`", "a Boolean constant"),
    kind("String", "a text", "none"),
    kind(
        "Characteristic",
        "a number, or rows of a speed and the value at that speed",
        "`name[row,column]`: constants in the first column, else tunable parameters",
    ),
    kind("LossTable", "rows of five numbers", "as `Characteristic`"),
    kind("Rows", "rows of numbers", "constants `name[row,column]`"),
    kind("RotationMatrix", "three rows of three numbers", "constants `name[row,column]`"),
    kind("GravityField", "functions of the position", "none"),
    kind("Regularization", "one of its values", "a constant of an enumeration"),
    kind("[StateSelect;3]", "three of `StateSelect`", "none"),
];

/// The kinds of parameters that are one of several values; those that are not in [`KINDS`] are
/// nothing in the FMU.
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
];
