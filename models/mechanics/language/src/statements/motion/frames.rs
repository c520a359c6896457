//! Where the links are and how they move, and the frames on them.

use super::ends::FrameEnd;
use crate::ids::{FrameNode, LinkId, List, VariableId};
use crate::statements::spatial::articulated::Link;
use crate::statements::spatial::gravity_field::Gravity;
use crate::statements::spatial::pose::{Acceleration, Pose, Twist};
use crate::vector::Vector;
use std::collections::{BTreeMap, BTreeSet};

/// Where a frame is: its link, and its pose on it.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// The link.
    pub link: LinkId,
    /// Pose in the link's reference frame.
    pub pose: Pose,
}

/// The placements of all frames by node.
pub type Placements = BTreeMap<FrameNode, Placement>;

/// Partial velocities of a link by variable.
pub type PartialVelocities = BTreeMap<VariableId, Twist>;

/// Motions of all links.
#[derive(Clone, Debug, Default)]
pub struct FrameMotions {
    /// The links on which the frames are.
    pub placements: Placements,
    /// Poses of the links in the world.
    pub poses: List<LinkId, Pose>,
    /// Velocities in link axes.
    pub velocities: List<LinkId, Twist>,
    /// Links in branches, without their bodies.
    pub branches: BTreeMap<LinkId, Link>,
    /// Partial velocities of the other links by independent coordinate.
    pub partials: List<LinkId, PartialVelocities>,
    /// Partial velocities of all links by the variables of prescribed motions.
    pub by_prescribed_motions: List<LinkId, PartialVelocities>,
    /// Accelerations at constant speeds in link axes, gravity included as an upward acceleration
    /// of the world.
    pub bias: List<LinkId, Acceleration>,
    /// Uniform gravity in world axes.
    pub gravity: Option<Vector>,
    /// Gravity as the world gives it.
    pub field: Option<Gravity>,
}

impl FrameMotions {
    /// Where a frame is.
    pub fn placement(&self, end: FrameEnd) -> &Placement {
        &self.placements[&end.node]
    }

    /// The pose of a frame in the world.
    pub fn pose(&self, end: FrameEnd) -> Pose {
        let Placement { link, pose } = self.placement(end);
        self.poses[*link].then(pose)
    }

    /// The velocity of a frame in its own axes.
    pub fn velocity(&self, end: FrameEnd) -> Twist {
        let Placement { link, pose } = self.placement(end);
        self.velocities[*link].at(pose)
    }

    /// The acceleration of a frame in its own axes, from those of the links.
    pub fn acceleration(
        &self,
        end: FrameEnd,
        of_links: &List<LinkId, Acceleration>,
    ) -> Acceleration {
        let Placement { link, pose } = self.placement(end);
        let mut at = of_links[*link].at(&self.velocities[*link], pose);
        at.a += self.pose(end).t * self.gravity.unwrap_or_else(crate::vector::zero);
        at
    }

    /// The acceleration of gravity at a position, both in world axes.
    pub fn gravity_at(&self, r: &Vector) -> Vector {
        self.field.as_ref().map_or_else(crate::vector::zero, |field| field.at(r))
    }

    /// The variables that move one of these frames, including variables of prescribed motions and
    /// of violations.
    pub fn moving(&self, ends: &[FrameEnd]) -> BTreeSet<VariableId> {
        let links = ends.iter().map(|&end| self.placement(end).link);
        let of_link = |link: LinkId| {
            self.partials[link].keys().chain(self.by_prescribed_motions[link].keys())
        };
        links.flat_map(of_link).copied().collect()
    }

    /// The velocity of a frame for a unit of the speed of a variable.
    pub fn partial(&self, end: FrameEnd, variable: VariableId) -> Twist {
        let Placement { link, pose } = self.placement(end);
        let by_prescribed_motions = || self.by_prescribed_motions[*link].get(&variable);
        let partial = self.partials[*link].get(&variable).or_else(by_prescribed_motions);
        partial.map_or_else(Twist::zero, |twist| twist.at(pose))
    }
}
