//! Kinetic and potential energy, and how impulses change the former.

use crate::compile::kinematics::frame_motions::{Moving, of_coordinates};
use crate::compile::kinematics::state_variables::OrientationState;
use crate::compile::loads::moving_parts::MovingParts;
use crate::compile::loads::{gravity, rotors};
use crate::compile::tree::forward_kinematics::ForwardKinematics;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::compile::tree::spanning_tree::{Tree, WORLD};
use crate::ids::VariableId;
use crate::statements::motion::coordinates::Motion;
use crate::statements::spatial::pose::Twist;
use equations::Ex;
use std::collections::BTreeMap;

/// Kinetic energy, and potential energy of gravity, of all bodies.
pub fn energies(parts: MovingParts<'_>) -> (Ex, Ex) {
    let mut kinetic = rotors::kinetic_energy(parts);
    for inertial in &parts.structure.flanges.inertias {
        let motion = parts.flange(inertial.end);
        kinetic += inertial.inertia * motion.v.square() * 0.5;
    }
    for (inertia, v) in parts.link_inertias().iter().zip(&parts.frames.velocities) {
        let momentum = inertia.momentum(v);
        kinetic += momentum.product(v) * 0.5;
    }
    (kinetic, gravity::energy(parts))
}

/// How the kinetic energy of all bodies changes if independent speeds jump.
pub fn kinetic_jump(
    parts: MovingParts<'_>,
    tree: &Tree,
    orientations: &[OrientationState],
    jumps: &BTreeMap<VariableId, Ex>,
) -> Ex {
    let jump = |motion: &Motion| -> Ex {
        motion.partials.iter().filter_map(|(k, &p)| Some(p * *jumps.get(k)?)).sum()
    };
    let MovingParts { structure, coordinates, frames } = parts;
    let motions = of_coordinates(structure, coordinates);
    let at = &Moving { motions: &motions, orientations };
    let kinematics =
        ForwardKinematics { kinematic_tree: KinematicTree { structure, tree }, at, base: WORLD };
    let twists = kinematics.velocities(&frames.poses, |c| jump(&motions[c]));
    let mut change = rotors::kinetic_jump(parts, &twists, jump);
    for inertial in &parts.structure.flanges.inertias {
        let motion = parts.flange(inertial.end);
        let jump = jump(&motion);
        change += inertial.inertia * jump * (motion.v + jump * 0.5);
    }
    let links = parts.link_inertias();
    for ((inertia, v), jump) in links.iter().zip(&frames.velocities).zip(&twists) {
        let momentum = inertia.momentum(jump);
        let half = Ex::from(0.5);
        let mean = Twist { w: v.w + jump.w * half, v: v.v + jump.v * half };
        change += momentum.product(&mean);
    }
    change
}
