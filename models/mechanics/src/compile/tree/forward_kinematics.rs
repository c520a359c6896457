//! Poses, velocities and accelerations of links, along the tree.

use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::compile::tree::link_joint::{CoordinateValues, LinkJoint, Rate};
use crate::compile::tree::spanning_tree::Parent;
use crate::ids::{CoordinateId, LinkId, List};
use crate::statements::contributions::multibody::Derived;
use crate::statements::motion::frames::Placement;
use crate::statements::motion::rates_along::{End, FramePlaceholders};
use crate::statements::spatial::pose::{Acceleration, Pose, Twist};
use crate::vector::{Vector, cross, zero};
use equations::{Ex, substitute};

/// The kinematics of the links behind a base link.
#[derive(Clone, Copy)]
pub struct ForwardKinematics<'a, C> {
    /// The mechanism.
    pub kinematic_tree: KinematicTree<'a>,
    /// Where the coordinates are.
    pub at: &'a C,
    /// The link that counts as being at rest at the origin. Links whose pose does not follow from
    /// this link are left at the origin too, with all links behind them.
    pub base: LinkId,
}

impl<C: CoordinateValues> ForwardKinematics<'_, C> {
    /// How a link moves on the link before it: the pose, and for each coordinate of its joint the
    /// velocity at unit speed. `None` if the link is not behind a joint.
    pub fn behind(&self, link: LinkId) -> Option<(Pose, Vec<(CoordinateId, Twist)>)> {
        let KinematicTree { tree, .. } = self.kinematic_tree;
        let Parent::Joint { joint, coordinates, reversed, x_pa, .. } = &tree.parents[link] else {
            return None;
        };
        let step = LinkJoint::new(self.kinematic_tree, *joint, *coordinates, *reversed);
        let column = |c: CoordinateId| {
            let speed = |k: CoordinateId| Ex::from(if k == c { 1.0 } else { 0.0 });
            (c, step.velocity(self.at, &Twist::zero(), speed))
        };
        let columns = coordinates.iter().map(column).collect();
        Some((x_pa.then(&step.pose(self.at)), columns))
    }

    /// Poses of all links.
    pub fn poses(&self) -> List<LinkId, Pose> {
        self.poses_of(|_| true)
    }

    /// Poses of links, with which those between them and the base belong; all others are left at
    /// the origin.
    pub fn poses_of(&self, belongs: impl Fn(LinkId) -> bool) -> List<LinkId, Pose> {
        let mut poses = List::<LinkId, Pose>::default();
        for (index, parent) in self.kinematic_tree.tree.parents.enumerate() {
            let pose = match parent {
                _ if index <= self.base || !belongs(index) => Pose::identity(),
                Parent::World => Pose::identity(),
                Parent::Joint { joint, coordinates, reversed, link, x_pa } => {
                    let step = LinkJoint::new(self.kinematic_tree, *joint, *coordinates, *reversed);
                    poses[*link].then(x_pa).then(&step.pose(self.at))
                }
                Parent::Derived { derived } => {
                    let derived = &self.kinematic_tree.multibody().derived[*derived];
                    let [a, b] = [derived.a, derived.b]
                        .map(|end| self.kinematic_tree.tree.pose(&poses, end.node));
                    (derived.pose)(&a, &b)
                }
            };
            poses.push(pose);
        }
        poses
    }

    /// Velocities of all links, in their own axes, for given speeds of the coordinates.
    ///
    /// Linear in the speeds: with one speed set to 1 it gives the partial velocities.
    pub fn velocities(
        &self,
        poses: &List<LinkId, Pose>,
        speed: impl Fn(CoordinateId) -> Ex,
    ) -> List<LinkId, Twist> {
        self.velocities_from(poses, |_| None, speed)
    }

    /// The same with the velocities of some links given.
    pub fn velocities_from(
        &self,
        poses: &List<LinkId, Pose>,
        given: impl Fn(LinkId) -> Option<Twist>,
        speed: impl Fn(CoordinateId) -> Ex,
    ) -> List<LinkId, Twist> {
        let mut velocities = List::<LinkId, Twist>::default();
        for (index, parent) in self.kinematic_tree.tree.parents.enumerate() {
            if let Some(velocity) = given(index) {
                velocities.push(velocity);
                continue;
            }
            let velocity = match parent {
                _ if index <= self.base => Twist::zero(),
                Parent::World => Twist::zero(),
                Parent::Joint { joint, coordinates, reversed, link, x_pa } => {
                    let step = LinkJoint::new(self.kinematic_tree, *joint, *coordinates, *reversed);
                    step.velocity(self.at, &velocities[*link].at(x_pa), &speed)
                }
                Parent::Derived { derived } => {
                    let derived = &self.kinematic_tree.multibody().derived[*derived];
                    let ends = [derived.a, derived.b];
                    let [a, b] = ends.map(|end| self.kinematic_tree.tree.pose(poses, end.node));
                    let [va, vb] =
                        ends.map(|end| self.kinematic_tree.tree.velocity(&velocities, end.node));
                    (derived.velocity)([&a, &b], [&va, &vb])
                }
            };
            velocities.push(velocity);
        }
        velocities
    }

    /// Accelerations of all links in their own axes, with gravity as an upward acceleration of the
    /// world.
    pub fn accelerations(
        &self,
        poses: &List<LinkId, Pose>,
        velocities: &List<LinkId, Twist>,
        gravity: &Vector,
        rate: impl Fn(CoordinateId) -> Rate,
    ) -> List<LinkId, Acceleration> {
        let mut all = List::<LinkId, Acceleration>::default();
        for parent in &self.kinematic_tree.tree.parents {
            let acceleration = match parent {
                Parent::World => Acceleration { z: zero(), a: -gravity },
                Parent::Joint { joint, coordinates, reversed, link, x_pa } => {
                    let v_a = velocities[*link].at(x_pa);
                    let a_a = all[*link].at(&velocities[*link], x_pa);
                    let step = LinkJoint::new(self.kinematic_tree, *joint, *coordinates, *reversed);
                    step.acceleration(self.at, &v_a, &a_a, &rate)
                }
                Parent::Derived { derived } => {
                    let derived = &self.kinematic_tree.multibody().derived[*derived];
                    let ends = [derived.a, derived.b].map(|end| {
                        let Placement { link, pose } =
                            &self.kinematic_tree.tree.placements[&end.node];
                        End {
                            pose: poses[*link].then(pose),
                            velocity: velocities[*link].at(pose),
                            acceleration: all[*link].at(&velocities[*link], pose),
                        }
                    });
                    match &derived.acceleration {
                        Some(law) => law([&ends[0], &ends[1]]),
                        None => derived_acceleration(derived, &ends),
                    }
                }
            };
            all.push(acceleration);
        }
        all
    }
}

/// The acceleration of a frame that follows two others, in its own axes.
///
/// An acceleration of the world passes through: the law moves with the world.
fn derived_acceleration(derived: &Derived, ends: &[End; 2]) -> Acceleration {
    let placeholders = FramePlaceholders::new(ends);
    let [(a, va), (b, vb)] = &placeholders.ends;
    let all: Vec<Ex> = (derived.velocity)([a, b], [va, vb]).components().collect();
    let rates = placeholders.rates_of(&all);
    let velocity = substitute(&all, &placeholders.values);
    let vector = |all: &[Ex], k: usize| Vector::new(all[k], all[k + 1], all[k + 2]);
    let (w, v) = (vector(&velocity, 0), vector(&velocity, 3));
    Acceleration { z: vector(&rates, 0), a: vector(&rates, 3) + cross(&w, &v) }
}
