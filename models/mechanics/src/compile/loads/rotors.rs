//! Rotors whose carriers move.

use super::mass_and_forces::MassAndForces;
use super::moving_parts::MovingParts;
use super::support_reactions::turning;
use crate::ids::{LinkId, List};
use crate::statements::contributions::drive_trains::Rotor;
use crate::statements::laws::acceleration_view::AccelerationView;
use crate::statements::motion::coordinates::Motion;
use crate::statements::motion::ends::{FlangeEnd, FrameEnd};
use crate::statements::motion::frames::FrameMotions;
use crate::statements::spatial::pose::{Acceleration, Twist};
use crate::vector::{Vector, cross, dot};
use equations::Ex;

/// Angular velocity of a frame in its own axes.
fn angular_velocity(frames: &FrameMotions, frame: FrameEnd) -> Vector {
    let place = frames.placement(frame);
    place.pose.t * frames.velocities[place.link].w
}

/// Angular acceleration of a frame about an axis of its own, from the accelerations of the links.
fn angular_acceleration(
    frames: &FrameMotions,
    links: &List<LinkId, Acceleration>,
    frame: FrameEnd,
    axis: &Vector,
) -> Ex {
    let place = frames.placement(frame);
    dot(axis, &(place.pose.t * links[place.link].z))
}

/// Adds the rotor's inertia and its effect on the carrier, which contains the rotor already as if
/// it were locked.
fn add(rotor: &Rotor, frame: FrameEnd, parts: MovingParts<'_>, sums: &mut MassAndForces) {
    let frames = parts.frames;
    let motion = &parts.flange(rotor.end);
    let j = rotor.inertia;
    sums.inertia(motion, j);
    let along = turning(frames, frame, &rotor.axis);
    let z = angular_acceleration(frames, &frames.bias, frame, &rotor.axis);
    if rotor.exact {
        for (&i, &p) in &motion.partials {
            for (&k, &h) in &along {
                sums.add_directed(i, k, j * (p * h));
            }
            sums.add_force(i, -(j * (p * z)));
        }
    }
    for (&i, &h) in &along {
        for (&k, &other) in along.range(i..) {
            sums.add_mass(i, k, -(j * (h * other)));
        }
        sums.add_force(i, j * (h * z));
    }
    let spin = cross(&angular_velocity(frames, frame), &rotor.axis) * (j * motion.v);
    for (i, h) in turning(frames, frame, &spin) {
        sums.add_force(i, -h);
    }
}

/// Adds all rotors.
pub fn add_all(parts: MovingParts<'_>, sums: &mut MassAndForces) {
    for rotor in &parts.structure.drive_trains.rotors {
        let Some(frame) = rotor.frame else { continue };
        add(rotor, frame, parts, sums);
    }
}

/// Kinetic energy of the rotors beyond what their carriers contain.
pub fn kinetic_energy(parts: MovingParts<'_>) -> Ex {
    let mut energy = Ex::zero();
    for rotor in &parts.structure.drive_trains.rotors {
        let Some(frame) = rotor.frame else { continue };
        let w = parts.flange(rotor.end).v;
        let carried = dot(&rotor.axis, &angular_velocity(parts.frames, frame));
        energy += rotor.inertia * w * (w * 0.5 + carried);
    }
    energy
}

/// The change of this energy if speeds jump: those of links by `twists`, that of a motion by
/// `jump`.
pub fn kinetic_jump(
    parts: MovingParts<'_>,
    twists: &List<LinkId, Twist>,
    jump: impl Fn(&Motion) -> Ex,
) -> Ex {
    let mut change = Ex::zero();
    for rotor in &parts.structure.drive_trains.rotors {
        let Some(frame) = rotor.frame else { continue };
        let motion = parts.flange(rotor.end);
        let place = parts.frames.placement(frame);
        let carried = dot(&rotor.axis, &angular_velocity(parts.frames, frame));
        let carrier = dot(&rotor.axis, &(place.pose.t * twists[place.link].w));
        let (w, own) = (motion.v, jump(&motion));
        change += rotor.inertia * (own * (w + own * 0.5 + carried + carrier) + w * carrier);
    }
    change
}

/// The torques of the rotors' flanges, into them.
pub fn flange_torques(parts: MovingParts<'_>, e: &AccelerationView<'_>) -> Vec<(FlangeEnd, Ex)> {
    let mut torques = Vec::new();
    for rotor in &parts.structure.drive_trains.rotors {
        let Some(frame) = rotor.frame else { continue };
        let motion = parts.flange(rotor.end);
        let mut a = e.second_derivative(&motion);
        if rotor.exact {
            a += angular_acceleration(parts.frames, e.links(), frame, &rotor.axis);
        }
        torques.push((rotor.end, rotor.inertia * a));
    }
    torques
}
