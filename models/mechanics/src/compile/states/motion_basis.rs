//! What the motion is built on: the topology, the states, and their initial values.

use super::initial::Initial;
use super::selection::Selection;
use crate::compile::topology::Topology;

/// What the phases up to the initial values have found.
#[derive(Clone, Copy)]
pub struct MotionBasis<'a> {
    /// The topology.
    pub topology: &'a Topology,
    /// The states.
    pub selection: &'a Selection,
    /// Their initial values.
    pub initial: &'a Initial,
}
