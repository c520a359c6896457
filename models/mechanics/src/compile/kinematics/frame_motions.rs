//! Poses, velocities, partial velocities and accelerations of links.
//!
//! The velocity of a link that moves with one independent speed is a multiple of its partial
//! velocity, which the mass matrix needs anyway. For other links it is computed along the tree.

use super::branches;
use super::state_variables::OrientationState;
use crate::compile::tree::forward_kinematics::ForwardKinematics;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::compile::tree::link_joint::{CoordinateValues, Rate};
use crate::compile::tree::spanning_tree::WORLD;
use crate::ids::{CoordinateId, JointId, LinkId, List, VariableId};
use crate::orientation::quaternion_rotation;
use crate::statements::contributions::Structure;
use crate::statements::motion::coordinates::{Coordinates, Motion};
use crate::statements::motion::frames::{FrameMotions, PartialVelocities};
use crate::statements::spatial::pose::{Acceleration, Pose, Twist};
use crate::vector::{Matrix, scale};
use equations::Ex;
use std::collections::BTreeSet;

/// The motions of all coordinates of the mechanism; those that are not in use rest.
pub fn of_coordinates(
    structure: &Structure,
    coordinates: &Coordinates,
) -> List<CoordinateId, Motion> {
    let numbering = coordinates.numbering();
    let all = structure.multibody.coordinates.ids();
    all.map(|c| coordinates.variable(numbering.coordinate(c))).collect()
}

/// Where the mechanism is during the motion.
pub struct Moving<'a> {
    pub motions: &'a List<CoordinateId, Motion>,
    pub orientations: &'a [OrientationState],
}

impl CoordinateValues for Moving<'_> {
    fn q(&self, coordinate: CoordinateId) -> Ex {
        self.motions[coordinate].q
    }

    fn speed(&self, coordinate: CoordinateId) -> Ex {
        self.motions[coordinate].v
    }

    fn orientation(&self, joint: JointId) -> Matrix {
        let orientation = self.orientations.iter().find(|orientation| orientation.joint == joint);
        orientation.map_or_else(Matrix::identity, |orientation| {
            quaternion_rotation(&orientation.quaternion)
        })
    }
}

/// Poses, velocities, partial velocities and the accelerations at constant speeds of all links.
pub fn frames(
    kinematic_tree: KinematicTree<'_>,
    independent: &[VariableId],
    coordinates: &Coordinates,
    orientations: &[OrientationState],
) -> FrameMotions {
    let KinematicTree { structure, tree } = kinematic_tree;
    let motions = of_coordinates(structure, coordinates);
    let at = Moving { motions: &motions, orientations };
    let kinematics = ForwardKinematics { kinematic_tree, at: &at, base: WORLD };
    let poses = kinematics.poses();
    let branches = branches::choose(&kinematics, independent, coordinates, &motions);
    let in_branch = |v: VariableId| branches.values().any(|link| link.has_variable(v));
    let mut partials = partial_velocities(&kinematics, &poses, &motions, |v| !in_branch(v));
    let of_one_speed =
        |link| of_one_speed(kinematic_tree, link, &motions, coordinates, &partials[link]);
    let velocities = kinematics.velocities_from(&poses, of_one_speed, |c| motions[c].v);
    branches.keys().for_each(|&link| partials[link].clear());
    let field = structure.multibody.gravity.first().map(|gravity| gravity.field.clone());
    let gravity = field.as_ref().map(|field| field.uniform());
    let by_prescribed_motions = List::of_each(&partials, PartialVelocities::new());
    let placements = tree.placements.clone();
    let bias = List::default();
    let frames = FrameMotions {
        placements,
        poses,
        velocities,
        branches,
        partials,
        by_prescribed_motions,
        bias,
        gravity,
        field,
    };
    let second: List<CoordinateId, Ex> = motions.iter().map(|m| m.bias).collect();
    FrameMotions { bias: accelerations(kinematic_tree, &frames, &at, &second), ..frames }
}

/// The velocity of a link that moves with one independent speed only: a multiple of its partial
/// velocity, which is computed anyway.
fn of_one_speed(
    KinematicTree { structure, tree }: KinematicTree<'_>,
    link: LinkId,
    motions: &List<CoordinateId, Motion>,
    coordinates: &Coordinates,
    partials: &PartialVelocities,
) -> Option<Twist> {
    let numbering = coordinates.numbering();
    let mut only: Option<(VariableId, Ex)> = None;
    for c in tree.coordinates_behind(structure, link) {
        let Motion { v, partials, .. } = &motions[c];
        let mut own = partials.iter().filter(|(k, _)| !numbering.is_violation(**k));
        match (own.next(), own.next()) {
            (None, None) if v.is_constant_zero() => {}
            (Some((&k, &p)), None) if only.is_none_or(|(other, _)| other == k) => {
                let speed = coordinates.motions().get(&k)?.v;
                if (p * speed).key() != v.key() {
                    return None;
                }
                only = Some((k, speed));
            }
            _ => return None,
        }
    }
    let (k, speed) = only?;
    let Twist { w, v } = partials.get(&k)?;
    Some(Twist { w: scale(w, speed), v: scale(v, speed) })
}

/// Partial velocities of all links by the variables of prescribed motions, which are degrees
/// of freedom here.
pub fn by_prescribed_motions(
    kinematic_tree: KinematicTree<'_>,
    released: &Coordinates,
    poses: &List<LinkId, Pose>,
    orientations: &[OrientationState],
) -> List<LinkId, PartialVelocities> {
    let motions = of_coordinates(kinematic_tree.structure, released);
    let at = Moving { motions: &motions, orientations };
    let kinematics = ForwardKinematics { kinematic_tree, at: &at, base: WORLD };
    let numbering = released.numbering();
    partial_velocities(&kinematics, poses, &motions, |v| numbering.is_prescribed(v))
}

/// Partial velocities of all links by the selected variables.
fn partial_velocities(
    kinematics: &ForwardKinematics<'_, Moving<'_>>,
    poses: &List<LinkId, Pose>,
    motions: &List<CoordinateId, Motion>,
    wanted: impl Fn(VariableId) -> bool,
) -> List<LinkId, PartialVelocities> {
    let mut partials =
        List::of_each(&kinematics.kinematic_tree.tree.parents, PartialVelocities::new());
    let variables: BTreeSet<VariableId> =
        motions.iter().flat_map(|m| m.partials.keys().copied()).collect();
    for k in variables.into_iter().filter(|&v| wanted(v)) {
        let partial =
            |c: CoordinateId| motions[c].partials.get(&k).copied().unwrap_or_else(Ex::zero);
        for (link, &twist) in kinematics.velocities(poses, partial).enumerate() {
            if twist.components().any(|c| !c.is_constant_zero()) {
                partials[link].insert(k, twist);
            }
        }
    }
    partials
}

/// Accelerations of all links for given second derivatives of the coordinates.
pub fn accelerations(
    kinematic_tree: KinematicTree<'_>,
    frames: &FrameMotions,
    at: &Moving<'_>,
    second: &List<CoordinateId, Ex>,
) -> List<LinkId, Acceleration> {
    let gravity = frames.gravity.unwrap_or_else(crate::vector::zero);
    let rate = |c: CoordinateId| Rate { q: at.motions[c].q, v: at.motions[c].v, a: second[c] };
    ForwardKinematics { kinematic_tree, at, base: WORLD }.accelerations(
        &frames.poses,
        &frames.velocities,
        &gravity,
        rate,
    )
}
