//! Torques and forces of prescribed motions: what their drives have to give.
//!
//! With the accelerations known, a drive is given a freedom of its own. What all inertias require
//! along it, less all that acts, is the load of the drive: the principle of virtual power. Only who
//! reads the load looks at it; the equations of motion know nothing of that freedom.

use crate::compile::ids::FlangeConstraintId;
use crate::compile::laws::acceleration_view::{AccelerationView, ContactForce};
use crate::compile::loads::moving_parts::MovingParts;
use crate::compile::loads::sums::sums;
use crate::compile::loads::support_reactions::SupportReactions;
use crate::compile::motion::coordinates::Coordinates;
use crate::compile::motion::frames::{Frames, PartialVelocities};
use crate::error::Error;
use equations::Ex;
use std::collections::BTreeMap;

/// Publishes the loads, positive where a drive pushes forward, as far as components have not done
/// so; `giving_way` are the motions of all coordinates if prescribed motions gave way.
pub fn publish(
    parts: MovingParts<'_>,
    giving_way: &Coordinates,
    e: &mut AccelerationView<'_>,
) -> Result<(), Error> {
    let structure = parts.structure;
    for (relation, load) in loads(parts, giving_way, e)? {
        let relation = &structure.flanges.relations[relation];
        let Some((end, _)) = relation.ends.first() else { continue };
        let word = &structure.flanges.ends[end.end].domain.flow;
        e.component = relation.component;
        if !e.is_known(word.local) {
            e.variable(word.local, load).unit(word.unit);
        }
    }
    Ok(())
}

/// The loads of drives by their relations, where nothing but drives can give way.
fn loads(
    parts: MovingParts<'_>,
    giving_way: &Coordinates,
    e: &AccelerationView<'_>,
) -> Result<Vec<(FlangeConstraintId, Ex)>, Error> {
    let numbering = giving_way.numbering();
    let mut coordinates = giving_way.clone();
    coordinates.change_motions(|motion| {
        motion.bias = e.second_derivative(motion);
        motion.partials.retain(|&v, _| numbering.is_given(v));
    });
    let given = |(by_speeds, by_drives): (&PartialVelocities, &PartialVelocities)| {
        let violations = by_speeds.iter().filter(|(v, _)| numbering.is_violation(**v));
        violations.chain(by_drives).map(|(&v, &twist)| (v, twist)).collect()
    };
    let partials = parts.frames.partials.iter().zip(&parts.frames.by_drives).map(given).collect();
    let (branches, bias) = (BTreeMap::new(), e.links().clone());
    let frames = Frames { partials, branches, bias, ..parts.frames.clone() };
    let parts = MovingParts { coordinates: &coordinates, frames: &frames, ..parts };

    let mut sums = sums(parts, &e.applied);
    for ContactForce { row, force } in &e.contact_forces {
        sums.torque(row, *force);
    }
    SupportReactions::new(parts)?.react(&mut sums);
    let relations = parts.structure.flanges.relations.enumerate();
    let drives = relations.filter_map(|(r, relation)| Some((r, relation.drive?)));
    Ok(drives.map(|(r, drive)| (r, -sums.force(numbering.drive(drive)))).collect())
}
