//! Connected ends of components: flanges, frames, heat ports and pins, each with its connection
//! set.

use crate::ids::{FlangeId, FlangeNode, FrameNode, HeatNode, PinId, PinNode};

/// A flange of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlangeEnd {
    /// The connection set it belongs to.
    pub node: FlangeNode,
    /// Which flange it is.
    pub end: FlangeId,
}

/// A frame of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameEnd {
    /// The connection set it belongs to.
    pub node: FrameNode,
}

/// A heat port of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeatEnd {
    /// The connection set it belongs to.
    pub node: HeatNode,
}

/// A pin of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinEnd {
    /// The connection set it belongs to.
    pub node: PinNode,
    /// Which pin it is.
    pub end: PinId,
}
