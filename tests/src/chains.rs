//! Chains of any length, to measure how the work grows with the size of a model.

use mechanics::Assembly;

mod components;
mod revolutes;

pub use components::{chain_of_components, stiff_chain};
pub use revolutes::chain_of_revolutes;

/// A chain, and the lengths that are measured.
pub struct Chain {
    /// The name by which it is selected.
    pub name: &'static str,
    /// The name of its text.
    pub model: &'static str,
    /// The text for a length.
    pub text: fn(&mut Assembly, usize),
    /// The name of its parts.
    pub part: &'static str,
    /// The variable that is read.
    pub read: &'static str,
    /// The numbers of parts.
    pub lengths: &'static [usize],
    /// The value of `solver.method`, if it is set.
    pub method: Option<i32>,
}

/// All chains.
pub const CHAINS: [Chain; 3] = [
    Chain {
        name: "Chain",
        model: "chain_of_components",
        text: chain_of_components,
        part: "inertia",
        read: "inertia1.w",
        lengths: &[2, 10, 100, 1000],
        method: None,
    },
    Chain {
        name: "Revolutes",
        model: "chain_of_revolutes",
        text: chain_of_revolutes,
        part: "joint",
        read: "revolute1.phi",
        lengths: &[6, 30],
        method: None,
    },
    Chain {
        name: "StiffChain",
        model: "stiff_chain",
        text: stiff_chain,
        part: "inertia",
        read: "inertia1.w",
        lengths: &[30, 300],
        method: Some(2),
    },
];
