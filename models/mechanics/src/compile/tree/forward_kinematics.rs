//! Poses, velocities and accelerations of links, along the tree.

use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::compile::tree::spanning_tree::Parent;
use crate::ids::{CoordinateId, JointId, LinkId, List, Span};
use crate::statements::contributions::multibody::{Coordinate, CoordinateType, Derived};
use crate::statements::motion::frames::Placement;
use crate::statements::motion::rates_along::{End, FramePlaceholders};
use crate::statements::spatial::pose::{Acceleration, Pose, Twist};
use crate::vector::{Matrix, Vector, constant, cross, identity, planar_rotation, scale, zero};
use equations::{Ex, substitute};

/// What is known of a coordinate: its value and rates.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// Value, in rad or m.
    pub q: Ex,
    /// Derivative.
    pub v: Ex,
    /// Second derivative, or the requested part of it.
    pub a: Ex,
}

/// Where all coordinates are.
pub trait CoordinateValues {
    /// The value of a coordinate.
    fn q(&self, coordinate: CoordinateId) -> Ex;
    /// The speed of a coordinate.
    fn speed(&self, coordinate: CoordinateId) -> Ex;
    /// The free orientation of a joint, from frame `a` to frame `b`.
    fn orientation(&self, joint: JointId) -> Matrix;
}

/// The step from a link's parent to the link.
struct LinkJoint<'a> {
    coordinates: &'a [Coordinate],
    range: Span<CoordinateId>,
    joint: JointId,
    reversed: bool,
}

impl LinkJoint<'_> {
    fn is_spherical(&self) -> bool {
        self.coordinates[0].coordinate_type == CoordinateType::AngularVelocity
    }

    /// The axis of a single coordinate as seen from the parent.
    fn axis(&self) -> [f64; 3] {
        let axis = self.coordinates[0].axis;
        if self.reversed { axis.map(|c| 0.0 - c) } else { axis }
    }

    /// How far a single coordinate turns or slides.
    fn position(&self, q: Ex) -> Ex {
        q + self.coordinates[0].offset
    }

    fn turns(&self) -> bool {
        self.coordinates[0].coordinate_type == CoordinateType::Revolute
    }

    /// Maps coordinates of the parent's side to those of the link.
    fn rotation(&self, at: &impl CoordinateValues) -> Matrix {
        if self.is_spherical() {
            let t = at.orientation(self.joint);
            return if self.reversed { t.transpose() } else { t };
        }
        if self.turns() {
            planar_rotation(self.axis(), self.position(at.q(self.range.first())))
        } else {
            identity()
        }
    }

    fn pose(&self, at: &impl CoordinateValues) -> Pose {
        let slides = !self.is_spherical() && !self.turns();
        let r = if slides {
            scale(&constant(self.axis()), self.position(at.q(self.range.first())))
        } else {
            zero()
        };
        Pose { r, t: self.rotation(at) }
    }

    fn velocity(
        &self,
        at: &impl CoordinateValues,
        from: &Twist,
        v: impl Fn(CoordinateId) -> Ex,
    ) -> Twist {
        let t = self.rotation(at);
        if self.is_spherical() {
            let own = self.angular_velocity(v);
            let w = if self.reversed { t * (from.w - own) } else { t * from.w + own };
            return Twist { w, v: t * from.v };
        }
        let (e, speed) = (constant(self.axis()), v(self.range.first()));
        if self.turns() {
            Twist { w: t * from.w + scale(&e, speed), v: t * from.v }
        } else {
            let r = scale(&e, self.position(at.q(self.range.first())));
            Twist { w: from.w, v: from.v + cross(&from.w, &r) + scale(&e, speed) }
        }
    }

    fn acceleration(
        &self,
        at: &impl CoordinateValues,
        velocity: &Twist,
        from: &Acceleration,
        rate: impl Fn(CoordinateId) -> Rate,
    ) -> Acceleration {
        let t = self.rotation(at);
        if self.is_spherical() {
            let (own, change) =
                (self.angular_velocity(|c| rate(c).v), self.angular_velocity(|c| rate(c).a));
            let coriolis = cross(&velocity.w, &own);
            let z = if self.reversed {
                t * (from.z - coriolis - change)
            } else {
                t * from.z + cross(&(t * velocity.w), &own) + change
            };
            return Acceleration { z, a: t * from.a };
        }
        let (e, rate) = (constant(self.axis()), rate(self.range.first()));
        if self.turns() {
            let coriolis = cross(&(t * velocity.w), &scale(&e, rate.v));
            Acceleration { z: t * from.z + coriolis + scale(&e, rate.a), a: t * from.a }
        } else {
            let (r, w) = (scale(&e, self.position(rate.q)), &velocity.w);
            let coriolis = cross(w, &scale(&e, rate.v)) * Ex::from(2.0);
            let centripetal = cross(w, &cross(w, &r));
            let a = from.a + cross(&from.z, &r) + centripetal + coriolis + scale(&e, rate.a);
            Acceleration { z: from.z, a }
        }
    }

    fn angular_velocity(&self, value: impl Fn(CoordinateId) -> Ex) -> Vector {
        Vector::from_fn(|k, _| value(self.range.nth(k)))
    }
}

/// The kinematics of the links behind a base link.
#[derive(Clone, Copy)]
pub struct ForwardKinematics<'a, C> {
    /// The mechanism.
    pub kinematic_tree: KinematicTree<'a>,
    /// Where the coordinates are.
    pub at: &'a C,
    /// The link that counts as being at rest at the origin; links that do not follow from it and
    /// those behind it are left at the origin too.
    pub base: LinkId,
}

impl<C: CoordinateValues> ForwardKinematics<'_, C> {
    fn step(&self, joint: JointId, range: Span<CoordinateId>, reversed: bool) -> LinkJoint<'_> {
        let coordinates = self.kinematic_tree.structure.multibody.coordinates.of(range);
        LinkJoint { coordinates, range, joint, reversed }
    }

    /// How a link moves on the link before it: its pose there, and for each of its own coordinates
    /// its velocity for a unit of the coordinate's speed. `None` if it is not behind a joint.
    pub fn behind(&self, link: LinkId) -> Option<(Pose, Vec<(CoordinateId, Twist)>)> {
        let Parent::Joint { joint, coordinates, reversed, pose, .. } =
            &self.kinematic_tree.tree.parents[link]
        else {
            return None;
        };
        let step = self.step(*joint, *coordinates, *reversed);
        let column = |c: CoordinateId| {
            let speed = |k: CoordinateId| Ex::from(if k == c { 1.0 } else { 0.0 });
            (c, step.velocity(self.at, &Twist::zero(), speed))
        };
        let columns = coordinates.iter().map(column).collect();
        Some((pose.then(&step.pose(self.at)), columns))
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
                Parent::Joint { joint, coordinates, reversed, link, pose } => {
                    let step = self.step(*joint, *coordinates, *reversed);
                    poses[*link].then(pose).then(&step.pose(self.at))
                }
                Parent::Derived { derived } => {
                    let derived = &self.kinematic_tree.structure.multibody.derived[*derived];
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
                Parent::Joint { joint, coordinates, reversed, link, pose } => {
                    let step = self.step(*joint, *coordinates, *reversed);
                    step.velocity(self.at, &velocities[*link].at(pose), &speed)
                }
                Parent::Derived { derived } => {
                    let derived = &self.kinematic_tree.structure.multibody.derived[*derived];
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
                Parent::Joint { joint, coordinates, reversed, link, pose } => {
                    let velocity = velocities[*link].at(pose);
                    let from = all[*link].at(&velocities[*link], pose);
                    let step = self.step(*joint, *coordinates, *reversed);
                    step.acceleration(self.at, &velocity, &from, &rate)
                }
                Parent::Derived { derived } => {
                    let derived = &self.kinematic_tree.structure.multibody.derived[*derived];
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
