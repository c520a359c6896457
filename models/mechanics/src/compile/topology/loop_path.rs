//! The way around a loop through three joints, and the rigid parts between them.

use super::placeholders::Placeholders;
use crate::compile::tree::forward_kinematics::ForwardKinematics;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::compile::tree::link_joint::CoordinateValues;
use crate::compile::tree::spanning_tree::Parent;
use crate::ids::LinkId;
use crate::statements::contributions::multibody::{Coordinate, CoordinateType, Joint};
use crate::statements::motion::ends::FrameEnd;
use crate::statements::motion::frames::Placement;
use crate::statements::spatial::pose::Pose;
use crate::vector::{constant, identity, planar_rotation, scale, zero};
use equations::{Ex, depends_on};

/// A joint whose coordinate is not known.
#[derive(Clone, Copy, Debug)]
pub struct PathJoint {
    /// Whether it turns; otherwise it slides.
    pub turns: bool,
    /// Its axis in the direction of the way, the same on both sides; none where that is not stated.
    pub axis: Option<[f64; 3]>,
    /// Its angle or distance in terms of the symbols; none for the joint that closes the loop.
    pub value: Option<Ex>,
}

/// What is between two successive joints.
#[derive(Clone, Copy, Debug)]
pub struct PathPart {
    /// The pose of the second joint in the first one.
    pub pose: Pose,
    /// Whether it contains joints, whose coordinates are known.
    pub moves: bool,
}

/// Three joints around a loop; each part leads from the joint with its number to the next one.
#[derive(Clone, Copy, Debug)]
pub struct LoopPath {
    /// The joints.
    pub joints: [PathJoint; 3],
    /// The parts.
    pub parts: [PathPart; 3],
}

enum Step {
    Joint(PathJoint),
    Part(PathPart),
}

impl PathJoint {
    fn reversed(self) -> PathJoint {
        PathJoint { axis: self.axis.map(|axis| axis.map(|c| 0.0 - c)), ..self }
    }
}

impl PathPart {
    fn rigid(pose: Pose) -> PathPart {
        PathPart { pose, moves: false }
    }

    fn reversed(self) -> PathPart {
        PathPart { pose: self.pose.inverse(), ..self }
    }

    fn then(self, next: PathPart) -> PathPart {
        PathPart { pose: self.pose.then(&next.pose), moves: self.moves || next.moves }
    }
}

impl Step {
    fn reversed(self) -> Step {
        match self {
            Step::Joint(joint) => Step::Joint(joint.reversed()),
            Step::Part(part) => Step::Part(part.reversed()),
        }
    }
}

impl LoopPath {
    /// The way around the loop that is closed between two frames, through the joints with the
    /// `unknowns`: two, and the joint that closes the loop, or three. `None` if the loop has more
    /// joints with unknown coordinates, or others than revolute and prismatic ones.
    pub fn around(
        kinematic_tree: KinematicTree<'_>,
        symbols: &Placeholders,
        [a, b]: [FrameEnd; 2],
        unknowns: &[Ex],
    ) -> Option<LoopPath> {
        let links = [a, b].map(|end| kinematic_tree.tree.placements[&end.node].link);
        let (base, _) = kinematic_tree.tree.between(kinematic_tree.structure, &links);
        let kinematics = ForwardKinematics { kinematic_tree, at: symbols, base };
        let search = PathSearch { kinematics, unknowns };
        let mut steps = vec![search.closing(a, b)?];
        steps.extend(search.outwards(a)?.into_iter().rev().map(Step::reversed));
        steps.extend(search.outwards(b)?);
        joined(steps)
    }

    /// The same path, begun at another joint or followed in the other direction. A prismatic joint,
    /// if there is one, comes last, and the first parts contain as few joints as possible. `None`
    /// if more joints are prismatic.
    pub fn arranged(self) -> Option<LoopPath> {
        let all = [self, self.reversed()];
        let all = all.iter().flat_map(|path| (0..3).map(|k| path.from(k)));
        let last_slides = |path: &LoopPath| path.joints[0].turns && path.joints[1].turns;
        let cost = |path: &LoopPath| path.parts.map(|part| part.moves);
        all.filter(last_slides).min_by_key(cost)
    }

    fn from(&self, first: usize) -> LoopPath {
        let mut path = *self;
        path.joints.rotate_left(first);
        path.parts.rotate_left(first);
        path
    }

    fn reversed(&self) -> LoopPath {
        let [a, b, c] = self.joints.map(PathJoint::reversed);
        let [ab, bc, ca] = self.parts.map(PathPart::reversed);
        LoopPath { joints: [a, c, b], parts: [ca, bc, ab] }
    }
}

/// Joins the parts between three joints.
fn joined(mut steps: Vec<Step>) -> Option<LoopPath> {
    let first = steps.iter().position(|step| matches!(step, Step::Joint(_)))?;
    steps.rotate_left(first);
    let (mut joints, mut parts) = (Vec::new(), Vec::<PathPart>::new());
    for step in steps {
        match step {
            Step::Joint(joint) => {
                joints.push(joint);
                parts.push(PathPart::rigid(Pose::identity()));
            }
            Step::Part(next) => {
                let part = parts.last_mut()?;
                *part = part.then(next);
            }
        }
    }
    Some(LoopPath { joints: joints.try_into().ok()?, parts: parts.try_into().ok()? })
}

struct PathSearch<'a> {
    kinematics: ForwardKinematics<'a, Placeholders>,
    unknowns: &'a [Ex],
}

impl PathSearch<'_> {
    fn is_unknown(&self, q: Ex) -> bool {
        self.unknowns.iter().any(|&unknown| depends_on(&[q], unknown))
    }

    /// The steps from the base to a frame.
    fn outwards(&self, end: FrameEnd) -> Option<Vec<Step>> {
        let KinematicTree { structure, tree } = self.kinematics.kinematic_tree;
        let Placement { mut link, pose } = tree.placements[&end.node];
        let mut steps = vec![Step::Part(PathPart::rigid(pose))];
        while link != self.kinematics.base {
            let Parent::Joint { coordinates, reversed, link: parent, x_pa, .. } =
                &tree.parents[link]
            else {
                return None;
            };
            let mut unknown =
                coordinates.iter().filter(|&c| self.is_unknown(self.kinematics.at.q(c)));
            match unknown.next() {
                None => steps.push(self.known(link)?),
                Some(_) if coordinates.len() > 1 => return None,
                Some(c) => {
                    let own = &structure.multibody.coordinates[c];
                    let joint = joint(own, Some(self.kinematics.at.q(c) + own.offset))?;
                    steps.push(Step::Joint(if *reversed { joint.reversed() } else { joint }));
                    steps.push(Step::Part(PathPart::rigid(*x_pa)));
                }
            }
            link = *parent;
        }
        steps.reverse();
        Some(steps)
    }

    fn known(&self, link: LinkId) -> Option<Step> {
        let (pose, _) = self.kinematics.behind(link)?;
        Some(Step::Part(PathPart { pose, moves: true }))
    }

    /// From the frame `b` to the frame `a` between which the loop is closed: if all unknown joints
    /// are in the tree, by a joint whose coordinate is known.
    fn closing(&self, a: FrameEnd, b: FrameEnd) -> Option<Step> {
        let KinematicTree { structure, tree } = self.kinematics.kinematic_tree;
        let cuts = tree.cuts.iter().map(|&cut| &structure.multibody.joints[cut]);
        let cut = cuts.into_iter().find(|joint| joint.a == a && joint.b == b);
        let coordinates = |joint: &Joint| structure.multibody.coordinates.of(joint.coordinates);
        if self.unknowns.len() == 2 {
            let stated = cut.and_then(|cut| match coordinates(cut) {
                [own] => joint(own, None),
                _ => None,
            });
            let turning = PathJoint { turns: true, axis: None, value: None };
            return Some(Step::Joint(stated.unwrap_or(turning).reversed()));
        }
        let cut = cut?;
        let [own] = coordinates(cut) else { return None };
        let q = self.kinematics.at.q(cut.coordinates.first()) + own.offset;
        let pose = match own.coordinate_type {
            CoordinateType::Revolute => Pose { r: zero(), t: planar_rotation(own.axis, q) },
            CoordinateType::Prismatic => Pose { r: scale(&constant(own.axis), q), t: identity() },
            CoordinateType::AngularVelocity | CoordinateType::Auxiliary => return None,
        };
        Some(Step::Part(PathPart { pose, moves: true }.reversed()))
    }
}

fn joint(coordinate: &Coordinate, value: Option<Ex>) -> Option<PathJoint> {
    let turns = match coordinate.coordinate_type {
        CoordinateType::Revolute => true,
        CoordinateType::Prismatic => false,
        CoordinateType::AngularVelocity | CoordinateType::Auxiliary => return None,
    };
    Some(PathJoint { turns, axis: Some(coordinate.axis), value })
}
