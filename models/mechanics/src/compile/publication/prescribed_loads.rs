//! The torques and forces that prescribed motions require.
//!
//! When the accelerations are known, each prescribed motion is released: its variable becomes a
//! degree of freedom. By the principle of virtual power, the load of the motion is what all
//! inertias require along this degree, less all that acts along it. Loads are computed only if they
//! are read, and the equations of motion do not contain these degrees.

use crate::compile::loads::moving_parts::MovingParts;
use crate::compile::loads::summation;
use crate::compile::loads::support_reactions::SupportReactions;
use crate::error::Error;
use crate::ids::FlangeConstraintId;
use crate::statements::laws::acceleration_view::{AccelerationView, ContactForce};
use crate::statements::motion::coordinates::Coordinates;
use crate::statements::motion::frames::{FrameMotions, PartialVelocities};
use equations::Ex;
use std::collections::BTreeMap;

/// Publishes the loads that components do not publish, positive in the direction of the motion.
///
/// `released` are the motions of all coordinates with the prescribed motions as degrees of freedom.
pub fn publish(
    parts: MovingParts<'_>,
    released: &Coordinates,
    e: &mut AccelerationView<'_>,
) -> Result<(), Error> {
    let structure = parts.structure;
    for (constraint, load) in loads(parts, released, e)? {
        let constraint = &structure.flanges.constraints[constraint];
        let Some((end, _)) = constraint.ends.first() else { continue };
        let word = &structure.flanges.ends[end.end].domain.flow;
        e.component = constraint.component;
        if !e.is_known(word.local) {
            e.undeclared(word.local, load).unit(word.unit);
        }
    }
    Ok(())
}

/// The loads of prescribed motions with their flange constraints, where only these motions are
/// degrees of freedom.
fn loads(
    parts: MovingParts<'_>,
    released: &Coordinates,
    e: &AccelerationView<'_>,
) -> Result<Vec<(FlangeConstraintId, Ex)>, Error> {
    let numbering = released.numbering();
    let mut coordinates = released.clone();
    coordinates.change_motions(|motion| {
        motion.bias = e.second_derivative(motion);
        motion.partials.retain(|&v, _| numbering.is_given(v));
    });
    let given = |(by_speeds, by_prescribed_motions): (&PartialVelocities, &PartialVelocities)| {
        let violations = by_speeds.iter().filter(|(v, _)| numbering.is_violation(**v));
        violations.chain(by_prescribed_motions).map(|(&v, &twist)| (v, twist)).collect()
    };
    let partials =
        parts.frames.partials.iter().zip(&parts.frames.by_prescribed_motions).map(given).collect();
    let (branches, bias) = (BTreeMap::new(), e.links().clone());
    let frames = FrameMotions { partials, branches, bias, ..parts.frames.clone() };
    let parts = MovingParts { coordinates: &coordinates, frames: &frames, ..parts };

    let mut sums = summation::sum(parts, &e.applied);
    for ContactForce { row, force } in &e.contact_forces {
        sums.torque(row, *force);
    }
    SupportReactions::new(parts)?.react(&mut sums);
    let constraints = parts.structure.flanges.constraints.enumerate();
    let prescribed = constraints.filter_map(|(r, constraint)| Some((r, constraint.prescribed?)));
    Ok(prescribed
        .map(|(r, motion)| (r, -sums.force(numbering.prescribed_motion(motion))))
        .collect())
}
