//! Contributions to drive trains on moving parts: support reactions and rotors.

use crate::ids::{ComponentId, FlangeConstraintId};
use crate::statements::motion::ends::{FlangeEnd, FrameEnd};
use crate::vector::Vector;
use equations::Ex;

/// A flange constraint whose housing is a frame.
#[derive(Clone, Copy, Debug)]
pub struct SupportReaction {
    /// The component that states it.
    pub component: ComponentId,
    /// The flange constraint.
    pub constraint: FlangeConstraintId,
    /// The frame; `None` where nothing is connected to it.
    pub frame: Option<FrameEnd>,
    /// The torque on the part that carries the frame, in frame axes, is `n` times the multiplier of
    /// the flange constraint.
    pub n: Vector,
}

/// A flange constraint along the line between two frames.
#[derive(Clone, Copy, Debug)]
pub struct LineReaction {
    /// The component that states it.
    pub component: ComponentId,
    /// The flange constraint.
    pub constraint: FlangeConstraintId,
    /// The frames.
    pub ends: [FrameEnd; 2],
    /// The force on the part that carries each frame, as a share of the multiplier of the flange
    /// constraint, in the direction from the first frame to the second.
    pub shares: [f64; 2],
    /// The direction is a unit vector from this distance on; m.
    pub s_small: Ex,
}

/// A rotational inertia whose flange turns about an axis of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Rotor {
    /// The component that states it.
    pub component: ComponentId,
    /// The flange; its angle is relative to the frame.
    pub end: FlangeEnd,
    /// The frame; `None` where nothing is connected to it.
    pub frame: Option<FrameEnd>,
    /// The unit axis in frame axes.
    pub axis: Vector,
    /// Moment of inertia in kg.m2.
    pub inertia: Ex,
    /// Whether the rotation of the frame accelerates the rotor.
    pub exact: bool,
}

/// A flange whose angle is relative to a frame, about an axis of this frame.
#[derive(Clone, Copy, Debug)]
pub struct MountedFlange {
    /// The component that states it.
    pub component: ComponentId,
    /// The flange.
    pub end: FlangeEnd,
    /// The frame; `None` where nothing is connected to it.
    pub frame: Option<FrameEnd>,
    /// The unit axis in frame axes.
    pub axis: Vector,
    /// The flange constraint that fixes the flange to the frame, if there is one.
    pub fixed_by: Option<FlangeConstraintId>,
}

/// All contributions to drive trains on moving parts.
#[derive(Debug, Default)]
pub struct DriveTrains {
    /// Flanges whose angles are relative to frames.
    pub mounted: Vec<MountedFlange>,
    /// Mounted flanges of one train on moving parts, whose axes must have the same direction.
    pub parallel: Vec<[MountedFlange; 2]>,
    /// Rotors whose carriers are frames.
    pub rotors: Vec<Rotor>,
    /// Flange constraints whose housings are frames.
    pub supports: Vec<SupportReaction>,
    /// Flange constraints whose reactions act along lines between frames.
    pub lines: Vec<LineReaction>,
    /// Whether drive trains are plain: no reactions on frames.
    pub plain: bool,
}
