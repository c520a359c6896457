//! Chains of any length, to measure how work grows with the size of a model.

use mechanics::Assembly;

mod components;
mod revolutes;

pub use components::chain_of_components;
pub use revolutes::chain_of_revolutes;

/// A chain, and the lengths that are of interest.
pub struct Chain {
    /// As what it is asked for.
    pub name: &'static str,
    /// The name of its text.
    pub model: &'static str,
    /// The text for a length.
    pub text: fn(&mut Assembly, usize),
    /// What it is made of.
    pub part: &'static str,
    /// What is read of it.
    pub read: &'static str,
    /// How many parts.
    pub lengths: &'static [usize],
}

/// All chains.
pub const CHAINS: [Chain; 2] = [
    Chain {
        name: "Chain",
        model: "chain_of_components",
        text: chain_of_components,
        part: "inertia",
        read: "inertia1.w",
        lengths: &[2, 10, 100, 1000],
    },
    Chain {
        name: "Revolutes",
        model: "chain_of_revolutes",
        text: chain_of_revolutes,
        part: "joint",
        read: "revolute1.phi",
        lengths: &[6, 30],
    },
];
