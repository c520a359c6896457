//! Connected ends of components: flanges, frames and heat ports as what they are connected to.

use crate::compile::ids::FlangeId;
use crate::compile::ids::{FlangeNode, FrameNode, HeatNode};
/// A flange of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlangeEnd {
    /// Index of the connection set it belongs to.
    pub node: FlangeNode,
    /// Index into the list of all flanges.
    pub end: FlangeId,
}

/// A frame of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameEnd {
    /// Index of the connection set it belongs to.
    pub node: FrameNode,
}

/// A heat port of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeatEnd {
    /// Index of the connection set it belongs to.
    pub node: HeatNode,
}
