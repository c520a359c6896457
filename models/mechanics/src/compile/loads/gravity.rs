//! Gravity: an upward acceleration of the world if it is uniform, else a force on every body.

use super::mass_and_forces::MassAndForces;
use super::moving_parts::MovingParts;
use crate::statements::contributions::multibody::RigidBody;
use crate::statements::spatial::gravity_field::Gravity;
use crate::statements::spatial::pose::Pose;
use crate::statements::spatial::wrench::Wrench;
use crate::vector::{Vector, cross, scale};
use equations::Ex;

/// The torque and the force of a field on a body, at its frame and in its axes; none if gravity is
/// uniform. `pose` is that of the frame in the world.
pub fn wrench(gravity: &Gravity, body: &RigidBody, pose: &Pose) -> Option<Wrench> {
    let Gravity::Field { acceleration, .. } = gravity else { return None };
    let force = pose.t * scale(&acceleration(&centre(body, pose)), body.mass);
    Some(Wrench { torque: cross(&body.r_cm, &force), force })
}

/// The centre of mass of a body in the world.
fn centre(body: &RigidBody, pose: &Pose) -> Vector {
    pose.r + pose.t.transpose() * body.r_cm
}

/// Adds the forces of a field on all bodies.
pub fn forces(parts: MovingParts<'_>, sums: &mut MassAndForces) {
    let MovingParts { structure, frames, .. } = parts;
    let Some(gravity) = structure.multibody.gravity.first() else { return };
    for body in &structure.multibody.bodies {
        let place = frames.placement(body.frame);
        if let Some(wrench) = wrench(&gravity.field, body, &frames.pose(body.frame)) {
            sums.wrench(place.link, &wrench.carried(&place.pose));
        }
    }
}

/// The potential energy of all bodies in J.
pub fn energy(parts: MovingParts<'_>) -> Ex {
    let MovingParts { structure, frames, .. } = parts;
    let Some(gravity) = structure.multibody.gravity.first() else { return Ex::zero() };
    let of = |body: &RigidBody| {
        let pose = frames.pose(body.frame);
        body.mass * gravity.field.potential(&centre(body, &pose))
    };
    structure.multibody.bodies.iter().map(of).sum()
}
