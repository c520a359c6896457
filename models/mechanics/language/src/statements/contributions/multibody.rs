//! Contributions in space: rigid parts, bodies, coordinates and joints.

use super::constraints::{Check, Constraint};
use super::start_variable::StartVariable;
use crate::ids::{ComponentId, CoordinateId, FrameNode, JointId, List, Span};
use crate::port::PortId;
use crate::start::StateSelect;
use crate::statements::motion::ends::FrameEnd;
use crate::statements::motion::rates_along::End;
use crate::statements::spatial::gravity_field::Gravity;
use crate::statements::spatial::pose::{Acceleration, Pose, Twist};
use crate::vector::{Matrix, Vector};
use equations::Ex;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A pose as a function of two poses.
#[doc(hidden)]
pub type PoseLaw = Rc<dyn Fn(&Pose, &Pose) -> Pose>;

/// A velocity as a function of two poses and velocities.
#[doc(hidden)]
pub type FrameVelocity = Rc<dyn Fn([&Pose; 2], [&Twist; 2]) -> Twist>;

/// The acceleration of a frame in its own axes, from the motions of two frames.
#[doc(hidden)]
pub type FrameAcceleration = Rc<dyn Fn([&End; 2]) -> Acceleration>;

/// A frame whose motion follows from those of two others: a rod between them, or a point on the
/// line from one to the other.
///
/// The laws turn and move with the world: they may use relative positions and orientations only.
#[derive(Clone)]
#[doc(hidden)]
pub struct Derived {
    /// The component that states it.
    pub component: ComponentId,
    /// The first frame.
    pub a: FrameEnd,
    /// The second frame.
    pub b: FrameEnd,
    /// The frame that follows.
    pub frame: FrameEnd,
    /// Its pose in the world, from the poses of `a` and `b`.
    pub pose: PoseLaw,
    /// Its velocity in its own axes, from the poses and velocities of `a` and `b`; linear in the
    /// velocities.
    pub velocity: FrameVelocity,
    /// Its acceleration in its own axes; `None`: the derivative of the velocity.
    pub acceleration: Option<FrameAcceleration>,
}

/// Two frames at a constant pose.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct RigidConnection {
    /// The component that states it.
    pub component: ComponentId,
    /// The first frame.
    pub a: FrameEnd,
    /// The second frame.
    pub b: FrameEnd,
    /// Pose of `b` in `a`.
    pub pose: Pose,
}

/// A rigid body on a frame.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct RigidBody {
    /// The component that states it.
    pub component: ComponentId,
    /// The frame that carries it.
    pub frame: FrameEnd,
    /// Mass in kg.
    pub mass: Ex,
    /// Centre of mass in frame axes, m.
    pub r_cm: Vector,
    /// Inertia tensor about the centre of mass in frame axes, kg.m2.
    pub inertia: Matrix,
}

/// The motion that a coordinate of a joint describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordinateType {
    /// Frame `b` moves along an axis of frame `a`.
    Prismatic,
    /// Frame `b` turns about an axis, the same in both frames.
    Revolute,
    /// A component, in frame `b`, of the relative angular velocity of a
    /// [`QuaternionOrientation`]: a speed without a position.
    AngularVelocity,
    /// It belongs to no joint; constraints define the quantity that it measures.
    Auxiliary,
}

/// A scalar coordinate of a mechanism.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Coordinate {
    /// The component that states it.
    pub component: ComponentId,
    /// The motion that it describes.
    pub coordinate_type: CoordinateType,
    /// The unit axis.
    pub axis: [f64; 3],
    /// The angle or distance of a joint where its position is zero.
    pub offset: Ex,
    /// The position.
    pub position: StartVariable,
    /// Its derivative.
    pub speed: StartVariable,
    /// Preference as a state.
    pub select: StateSelect,
    /// Whether it is always zero: only its reaction is of interest.
    pub locked: bool,
}

impl Coordinate {
    /// Whether it turns a frame about its axis.
    pub fn turns(&self) -> bool {
        self.coordinate_type == CoordinateType::Revolute
    }
}

/// One of three successive turns.
#[derive(Clone, Debug)]
pub struct SuccessiveTurn {
    /// The unit axis.
    pub axis: [f64; 3],
    /// The angle.
    pub angle: StartVariable,
    /// Its derivative.
    pub speed: StartVariable,
}

/// A free orientation of frame `b` in frame `a`, described by a quaternion.
#[derive(Clone, Debug)]
pub struct QuaternionOrientation {
    /// The components of the quaternion.
    pub quaternion: [StartVariable; 4],
    /// The turns that describe the same orientation where it is part of a loop.
    pub turns: [SuccessiveTurn; 3],
    /// Whether the model states the axes of these turns; otherwise the build may choose others.
    pub given_sequence: bool,
    /// Whether the start values are those of the angles of these turns, which are then variables
    /// even if the quaternion describes the orientation.
    pub starts_from_angles: bool,
}

impl QuaternionOrientation {
    /// The axes of the turns that the component proposes.
    pub fn axes(&self) -> [[f64; 3]; 3] {
        self.turns.each_ref().map(|turn| turn.axis)
    }
}

/// A quaternion orientation of which turns have taken the place, with its coordinates.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct ReplacedOrientation {
    /// The joint.
    pub joint: JointId,
    /// The orientation.
    pub orientation: QuaternionOrientation,
    /// The coordinates of its angular velocity.
    pub angular_velocity: [Coordinate; 3],
}

/// A joint: slides along axes of frame `a`, then turns.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Joint {
    /// The component that states it.
    pub component: ComponentId,
    /// Its instance name.
    pub name: String,
    /// The first frame.
    pub a: FrameEnd,
    /// The second frame.
    pub b: FrameEnd,
    /// Its coordinates, from `a` to `b`. Those of a free orientation are the last three.
    pub coordinates: Span<CoordinateId>,
    /// The free orientation that comes last.
    pub orientation: Option<QuaternionOrientation>,
    /// `None`: it is part of the model. Otherwise it is used only if nothing else holds frame `b`;
    /// joints of low number have priority.
    pub optional: Option<usize>,
}

impl Joint {
    /// The coordinates of the angular velocity of a free orientation.
    pub fn angular_velocity(&self) -> Option<Span<CoordinateId>> {
        self.orientation.as_ref().map(|_| self.coordinates.last(3))
    }

    /// Whether it leaves all six degrees of freedom.
    pub fn is_free(&self, coordinates: &List<CoordinateId, Coordinate>) -> bool {
        self.coordinates.len() == 6 && !self.is_locked(coordinates)
    }

    /// Whether it leaves none.
    pub fn is_locked(&self, coordinates: &List<CoordinateId, Coordinate>) -> bool {
        coordinates.of(self.coordinates).iter().any(|c| c.locked)
    }
}

/// An axis of a coordinate that is given in a frame which does not carry the coordinate.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Transported {
    /// The coordinate; its axis is that of frame `from` until frame `to` is placed.
    pub coordinate: CoordinateId,
    /// The frame in which the axis is given.
    pub from: FrameEnd,
    /// The frame in whose axes it is required.
    pub to: FrameEnd,
}

/// A frame of a component, with its connection set.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct FramePort {
    /// The connection set it belongs to.
    pub node: FrameNode,
    /// Component and port.
    pub port: PortId,
}

/// A frame at rest.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct GroundFrame {
    /// The component that states it.
    pub component: ComponentId,
    /// The connection set it belongs to.
    pub node: FrameNode,
    /// Its pose in the world.
    pub pose: Pose,
}

/// Gravity as a component states it.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct WorldGravity {
    /// The component.
    pub component: ComponentId,
    /// The field.
    pub field: Gravity,
}

/// All contributions in space.
#[derive(Default)]
#[doc(hidden)]
pub struct Multibody {
    /// All frames.
    pub frames: Vec<FramePort>,
    /// Frames at rest.
    pub ground: Vec<GroundFrame>,
    /// Rigid links.
    pub rigid_connections: Vec<RigidConnection>,
    /// Bodies.
    pub bodies: Vec<RigidBody>,
    /// Coordinates.
    pub coordinates: List<CoordinateId, Coordinate>,
    /// Joints.
    pub joints: List<JointId, Joint>,
    /// Frames that follow others.
    pub derived: Vec<Derived>,
    /// Constraints.
    pub constraints: Vec<Constraint>,
    /// Conditions on the initial configuration.
    pub checks: Vec<Check>,
    /// Axes that are given in other frames.
    pub transported: Vec<Transported>,
    /// Gravity; none without a world.
    pub gravity: Vec<WorldGravity>,
    /// Pairs of frames between which contact forces and impulses act.
    pub contacts: Vec<[FrameEnd; 2]>,
    /// Coordinates whose speeds impulses leave alone where they are states.
    pub unmoved: BTreeSet<CoordinateId>,
}
