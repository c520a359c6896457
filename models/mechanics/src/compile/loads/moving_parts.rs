//! The parts of a model with their motions.

use crate::compile::kinematics::Kinematics;
use crate::compile::topology::Topology;
use crate::ids::{LinkId, List};
use crate::statements::contributions::Structure;
use crate::statements::motion::coordinates::{Coordinates, Motion};
use crate::statements::motion::ends::FlangeEnd;
use crate::statements::motion::frames::FrameMotions;
use crate::statements::spatial::spatial_inertia::SpatialInertia;

/// What components contributed, and how it moves.
#[derive(Clone, Copy)]
pub struct MovingParts<'a> {
    /// What components contributed.
    pub structure: &'a Structure,
    /// Motions of all coordinates.
    pub coordinates: &'a Coordinates,
    /// Motions of all frames.
    pub frames: &'a FrameMotions,
}

impl<'a> MovingParts<'a> {
    /// The parts of a topology, as the kinematics moves them.
    pub fn new(topology: &'a Topology, kinematics: &'a Kinematics) -> Self {
        let Kinematics { coordinates, frames, .. } = kinematics;
        MovingParts { structure: &topology.structure, coordinates, frames }
    }

    /// The position of a flange with its rates.
    pub fn flange(&self, end: FlangeEnd) -> Motion {
        self.coordinates.variable(end.node.variable())
    }

    /// The inertias of all links.
    pub fn link_inertias(&self) -> List<LinkId, SpatialInertia> {
        let mut inertias = List::of_each(&self.frames.poses, SpatialInertia::zero());
        for body in &self.structure.multibody.bodies {
            let place = self.frames.placement(body.frame);
            inertias[place.link].add(&place.pose, body.mass, &body.r_cm, &body.inertia);
        }
        inertias
    }
}
