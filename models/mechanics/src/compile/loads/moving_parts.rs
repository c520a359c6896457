//! The parts of a model with their motions.

use crate::compile::contributions::Structure;
use crate::compile::ids::{LinkId, List};
use crate::compile::kinematics::Kinematics;
use crate::compile::motion::coordinates::{Coordinates, Motion};
use crate::compile::motion::ends::FlangeEnd;
use crate::compile::motion::frames::FrameMotions;
use crate::compile::spatial::spatial_inertia::SpatialInertia;
use crate::compile::topology::Topology;

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
