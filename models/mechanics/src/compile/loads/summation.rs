//! Sums inertias and forces over all parts and all loads.

use super::mass_and_forces::MassAndForces;
use super::moving_parts::MovingParts;
use super::{gravity, rotors};
use crate::ids::LinkId;
use crate::statements::laws::signal_view::{AppliedLoads, FlangeLoad, FrameLoad};
use crate::statements::spatial::articulated::{Branches, Link};

/// The sums of all inertias and forces.
pub fn sum(parts: MovingParts<'_>, applied: &AppliedLoads) -> MassAndForces {
    let frames = parts.frames;
    let bodies = parts.link_inertias();
    let with_bodies = |(&number, link): (&LinkId, &Link)| {
        (number, Link { inertia: bodies[number], ..link.clone() })
    };
    let branches = Branches::new(frames.branches.iter().map(with_bodies).collect());
    let mut sums = MassAndForces::new(branches, &frames.partials);
    for (link, inertia) in bodies.enumerate().filter(|(_, inertia)| !inertia.is_zero()) {
        sums.link(link, inertia, &frames.velocities[link], &frames.bias[link]);
    }
    gravity::forces(parts, &mut sums);
    for FrameLoad { end, wrench } in &applied.wrenches {
        let place = frames.placement(*end);
        sums.wrench(place.link, &(-*wrench).carried(&place.pose));
    }
    for inertial in &parts.structure.flanges.inertias {
        sums.inertia(&parts.flange(inertial.end), inertial.inertia);
    }
    rotors::add_all(parts, &mut sums);
    for &FlangeLoad { end, flow } in &applied.flows {
        sums.torque(&parts.flange(end), -flow);
    }
    sums
}
