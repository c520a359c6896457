//! What all components contributed, before any of it is solved: plain lists.

use super::evaluation::Evaluation;
use super::gravity::Gravity;
use super::mounts::{LineMount, Mount, Rotor};
use crate::assembly::PortId;
use crate::domain::{Domain, Word};
use crate::error::Error;
use crate::scene::Shapes;
use crate::start::{Start, StateSelect};
use crate::vector::{Matrix, Vector, cross};
use equations::{Ex, Model};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// A flange of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlangeEnd {
    /// Index of the connection set it belongs to.
    pub node: usize,
    /// Index into [`Structure::flange_ends`].
    pub end: usize,
}

/// A frame of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameEnd {
    /// Index of the connection set it belongs to.
    pub node: usize,
}

/// Position and orientation of a frame in another one.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// Position of the origin, in the axes of the other frame; m.
    pub r: Vector,
    /// Maps coordinates of the other frame to those of this one.
    pub t: Matrix,
}

impl Pose {
    /// The pose of the other frame itself.
    pub fn identity() -> Self {
        Pose { r: crate::vector::zero(), t: crate::vector::identity() }
    }

    /// The pose, in the outermost frame, of a frame that has pose `inner` in this one.
    pub fn then(&self, inner: &Pose) -> Pose {
        Pose { r: self.r + self.t.transpose() * inner.r, t: inner.t * self.t }
    }

    /// The pose of the other frame in this one.
    pub fn inverse(&self) -> Pose {
        Pose { r: -(self.t * self.r), t: self.t.transpose() }
    }
}

/// Two vectors of a frame in its own axes: angular and translational velocity (rad/s, m/s), or
/// their accelerations, or a torque and a force.
#[derive(Clone, Copy, Debug)]
pub struct Twist {
    /// The angular part.
    pub w: Vector,
    /// The translational part.
    pub v: Vector,
}

impl Twist {
    /// At rest.
    pub fn zero() -> Self {
        Twist { w: crate::vector::zero(), v: crate::vector::zero() }
    }

    /// The velocity of a frame that has the constant pose `pose` in this one.
    pub fn at(&self, pose: &Pose) -> Twist {
        Twist { w: pose.t * self.w, v: pose.t * (self.v + cross(&self.w, &pose.r)) }
    }

    /// A torque and a force on a frame that has the constant pose `pose` in another one, on that
    /// other one.
    pub fn carried(&self, pose: &Pose) -> Twist {
        let back = pose.t.transpose();
        let v = back * self.v;
        Twist { w: back * self.w + cross(&pose.r, &v), v }
    }
}

/// A variable that has a start value and may become a state.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its name within the component.
    pub local: &'static str,
    /// Its full name.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its description.
    pub describe: &'static str,
    /// Its start value.
    pub start: Start,
    /// The start value as an expression.
    pub slot: Ex,
    /// Its nominal value.
    pub nominal: f64,
    /// Whether it is published even if it is no state.
    pub published: bool,
    /// How its derivative is called, if that is published beside it.
    pub rate: Option<&'static Word>,
}

impl Candidate {
    /// The place of its start value in the model: `slot`, unless that is computed.
    pub fn start_slot(&self, model: &mut Model) -> Ex {
        match self.slot.as_leaf() {
            Some(_) => self.slot,
            None => model.start_slot(self.start.value),
        }
    }
}

/// A pose as a function of two poses.
pub type PoseLaw = Rc<dyn Fn(&Pose, &Pose) -> Pose>;

/// A velocity as a function of two poses and velocities.
pub type VelocityLaw = Rc<dyn Fn([&Pose; 2], [&Twist; 2]) -> Twist>;

/// A frame whose motion follows from those of two others: a rod between them, or a point on the
/// line from one to the other.
///
/// The laws turn and move with the world: they may use relative positions and orientations only.
#[derive(Clone)]
pub struct Derived {
    /// The component that states it.
    pub component: usize,
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
    pub velocity: VelocityLaw,
}

/// A flange of a component: where it is, whose it is, and how its variables are called.
#[derive(Clone, Copy, Debug)]
pub struct FlangePort {
    /// Index of the connection set it belongs to.
    pub node: usize,
    /// Component and port; a port without name is a housing that nobody sees.
    pub port: PortId,
    /// Rotation or translation.
    pub domain: &'static Domain,
}

/// A heat port of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeatEnd {
    /// Index of the connection set it belongs to.
    pub node: usize,
}

/// A connected heat port of a component.
#[derive(Clone, Copy, Debug)]
pub struct HeatPortOf {
    /// Index of the connection set it belongs to.
    pub node: usize,
    /// Component and port.
    pub port: PortId,
}

/// A heat capacity at a heat port.
#[derive(Clone, Debug)]
pub struct HeatCapacity {
    /// The component that states it.
    pub component: usize,
    /// The connection set.
    pub node: usize,
    /// Heat capacity in J/K.
    pub capacity: Ex,
    /// Its temperature in K.
    pub temperature: Candidate,
}

/// A linear relation between flange positions.
#[derive(Clone, Debug)]
pub struct LinearRelation {
    /// The component that states it.
    pub component: usize,
    /// Flanges and coefficients; none, and no coordinate, where the relation stands for a residual
    /// of a [`Constraint`].
    pub ends: Vec<(FlangeEnd, Ex)>,
    /// A coordinate that is subtracted: an index into [`Structure::coordinates`].
    pub coordinate: Option<usize>,
    /// Right-hand side in rad or m.
    pub rhs: Ex,
    /// The prescribed motion that is added to the right-hand side: an index into
    /// [`Structure::drives`].
    pub drive: Option<usize>,
    /// Whether its multiplier is asked for.
    pub reaction: bool,
    /// Whether it counts only where nothing else determines its positions.
    pub optional: bool,
}

/// Several signals of one component.
pub type Signals<const N: usize> = Box<dyn FnOnce(&mut Evaluation<'_>) -> Result<[Ex; N], Error>>;

/// An acceleration as a function of position and speed.
pub type AccelerationLaw = Box<dyn FnOnce(&mut Evaluation<'_>, Ex, Ex) -> Result<Ex, Error>>;

/// How the motion of a drive is given.
pub enum Prescribed {
    /// The position is a signal; speed and acceleration are its derivatives.
    Position(Signal),
    /// Position and speed are two signals; the acceleration is the speed's derivative.
    PositionAndSpeed(Signals<2>),
    /// Position, speed and acceleration are three signals.
    Motion(Signals<3>),
    /// The position is a state, its speed a signal; the acceleration is the signal's derivative.
    Speed {
        /// The state.
        position: Candidate,
        /// The speed.
        speed: Signal,
    },
    /// Position and speed are states, the acceleration is a signal.
    Acceleration {
        /// The position.
        position: Candidate,
        /// The speed.
        speed: Candidate,
        /// Initial values of position and speed, if they follow from signals.
        initial: [Option<Signal>; 2],
        /// The acceleration, as a function of position and speed.
        acceleration: AccelerationLaw,
    },
}

/// A prescribed motion.
pub struct Drive {
    /// The component that states it.
    pub component: usize,
    /// The motion.
    pub prescribed: Prescribed,
}

/// What has a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A flange.
    Flange(FlangeEnd),
    /// A coordinate: an index into [`Structure::coordinates`].
    Coordinate(usize),
}

/// An initial condition that a signal gives.
pub struct Condition {
    /// The component that states it.
    pub component: usize,
    /// What it speaks of.
    pub place: Place,
    /// 0: position, 1: speed, 2: acceleration.
    pub order: usize,
    /// The value.
    pub value: Signal,
    /// What has this value, once accelerations are known; if it is not the acceleration of the
    /// place itself.
    pub measured: Option<Signal>,
}

/// A parameter that the initial system determines.
#[derive(Clone, Debug)]
pub struct UnknownParameter {
    /// Its full name.
    pub name: String,
    /// Its value during the simulation.
    pub parameter: Ex,
    /// Its placeholder in the initial system.
    pub symbol: Ex,
    /// Where the search for its value begins.
    pub guess: f64,
}

/// A moment of inertia in kg.m2, or a mass in kg, on a flange.
#[derive(Clone, Debug)]
pub struct Inertial {
    /// The flange.
    pub end: FlangeEnd,
    /// The moment of inertia.
    pub inertia: Ex,
}

/// A position between two flanges (or against zero) with its speed.
#[derive(Clone, Debug)]
pub struct Relative {
    /// The component that states it.
    pub component: usize,
    /// Where it is measured from.
    pub a: Option<FlangeEnd>,
    /// Where it is measured to.
    pub b: FlangeEnd,
    /// The position.
    pub position: Candidate,
    /// Its derivative.
    pub speed: Candidate,
    /// Preference as a state.
    pub select: StateSelect,
    /// Whether the torque between the flanges depends on the speed without a jump, so that it
    /// determines the speed of a flange without inertia.
    pub damped: bool,
}

/// Two frames at a constant pose.
#[derive(Clone, Debug)]
pub struct RigidLink {
    /// The component that states it.
    pub component: usize,
    /// The first frame.
    pub a: FrameEnd,
    /// The second frame.
    pub b: FrameEnd,
    /// Pose of `b` in `a`.
    pub pose: Pose,
}

/// A rigid body on a frame.
#[derive(Clone, Debug)]
pub struct Body {
    /// The component that states it.
    pub component: usize,
    /// The frame that carries it.
    pub frame: FrameEnd,
    /// Mass in kg.
    pub mass: Ex,
    /// Centre of mass in frame axes, m.
    pub r_cm: Vector,
    /// Inertia tensor about the centre of mass in frame axes, kg.m2.
    pub inertia: Matrix,
}

/// What a coordinate of a joint does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// Frame `b` moves along an axis of frame `a`.
    Slide,
    /// Frame `b` turns about an axis, the same in both frames.
    Turn,
    /// A component, in frame `b`, of the relative angular velocity of a [`Ball`]: a speed without a
    /// position.
    Spin,
    /// It belongs to no joint: constraints tell what it measures.
    Measured,
}

/// A scalar coordinate of a mechanism.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// The component that states it.
    pub component: usize,
    /// What it does.
    pub freedom: Freedom,
    /// The unit axis.
    pub axis: [f64; 3],
    /// How far a joint is turned, or slid, where the position is zero.
    pub offset: Ex,
    /// The position.
    pub position: Candidate,
    /// Its derivative.
    pub speed: Candidate,
    /// Preference as a state.
    pub select: StateSelect,
    /// Whether it is always zero: only its reaction is of interest.
    pub locked: bool,
}

/// A free orientation of frame `b` in frame `a`, described by a quaternion.
#[derive(Clone, Debug)]
pub struct Ball {
    /// The components of the quaternion.
    pub quaternion: [Candidate; 4],
    /// The turns that take its place where it is part of a loop: axis, angle, speed.
    pub turns: [([f64; 3], Candidate, Candidate); 3],
}

/// A joint: slides along axes of frame `a`, then turns.
#[derive(Clone, Debug)]
pub struct Joint {
    /// The component that states it.
    pub component: usize,
    /// Its instance name.
    pub name: String,
    /// The first frame.
    pub a: FrameEnd,
    /// The second frame.
    pub b: FrameEnd,
    /// Its coordinates, from `a` to `b`: indices into [`Structure::coordinates`]. Those of a ball
    /// are the last three.
    pub coordinates: Range<usize>,
    /// The ball that comes last.
    pub ball: Option<Ball>,
    /// `None`: it is part of the model. Otherwise it is used only if nothing else holds frame `b`,
    /// those of low number first.
    pub optional: Option<usize>,
}

impl Joint {
    /// The coordinates of the ball that comes last.
    pub fn spins(&self) -> Option<Range<usize>> {
        self.ball.as_ref().map(|_| self.coordinates.end - 3..self.coordinates.end)
    }

    /// Whether it leaves all six freedoms.
    pub fn is_free(&self, coordinates: &[Coordinate]) -> bool {
        self.coordinates.len() == 6 && !self.is_locked(coordinates)
    }

    /// Whether it leaves none.
    pub fn is_locked(&self, coordinates: &[Coordinate]) -> bool {
        coordinates[self.coordinates.clone()].iter().any(|c| c.locked)
    }
}

/// What the residuals of a constraint are computed from.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// Poses of its frames; only relative ones mean something.
    pub poses: &'a [Pose],
    /// Its coordinates.
    pub q: &'a [Ex],
    /// The axes of these.
    pub axes: &'a [[f64; 3]],
}

/// Residuals of a constraint.
pub type Residual = Rc<dyn Fn(&Situation<'_>) -> Vec<Ex>>;

/// Residuals of a constraint on velocities, from poses and velocities of its frames; linear in the
/// velocities.
pub type RollingResidual = Rc<dyn Fn(&[Pose], &[Twist]) -> Vec<Ex>>;

/// A value computed from poses.
pub type FromPoses = Rc<dyn Fn(&[Pose]) -> Ex>;

/// A parameter that an initial configuration determines.
#[derive(Clone)]
pub struct FromStart {
    /// The parameter.
    pub parameter: Ex,
    /// Its value from the poses of the constraint's frames.
    pub value: FromPoses,
}

/// Two values of a coordinate with which a constraint holds.
#[derive(Clone, Copy, Debug)]
pub struct Roots {
    /// The values, in rad or m.
    pub values: [Ex; 2],
    /// How far they are apart, in the constraint's own measure: there is no solution unless this is
    /// greater than [`Roots::SINGULAR`].
    pub discriminant: Ex,
}

impl Roots {
    /// The discriminant at which two solutions count as one.
    pub const SINGULAR: f64 = 1e-10;
}

/// The values of a coordinate, computed without it.
pub type RootsLaw = Rc<dyn Fn(&Situation<'_>) -> Roots>;

/// The solution of a constraint's only residual for one of its coordinates.
///
/// The value nearer to the coordinate's start value is chosen, and stays chosen.
#[derive(Clone)]
pub struct Explicit {
    /// The coordinate.
    pub coordinate: usize,
    /// Its values; none of them may depend on the coordinate.
    pub roots: RootsLaw,
    /// A parameter that becomes 1 if the first value is the nearer one at the start, or else -1.
    pub branch: Ex,
}

/// What must hold in the initial configuration.
#[derive(Clone)]
pub struct Check {
    /// The instance that asks for it.
    pub name: String,
    /// The frames it looks at.
    pub frames: Vec<FrameEnd>,
    /// The coordinates whose axes it looks at.
    pub coordinates: Vec<usize>,
    /// Values in m or rad that must vanish.
    pub values: Residual,
    /// What is wrong where they do not.
    pub complaint: &'static str,
}

/// An axis of a coordinate that is given in a frame which does not carry the coordinate.
#[derive(Clone, Copy, Debug)]
pub struct Transported {
    /// The coordinate; its axis is that of frame `from` until frame `to` is placed.
    pub coordinate: usize,
    /// The frame in which the axis is given.
    pub from: FrameEnd,
    /// The frame in whose axes it is wanted.
    pub to: FrameEnd,
}

/// What a constraint says.
#[derive(Clone)]
pub enum Holds {
    /// Residuals in m or rad vanish.
    Position(Residual),
    /// Residuals in m/s or rad/s vanish, and are no derivatives of others.
    Rolling(RollingResidual),
    /// Residuals in m/s or rad/s vanish at the start only.
    StartSpeed(RollingResidual),
}

/// Bilateral constraints on frames.
#[derive(Clone)]
pub struct Constraint {
    /// The component that states it.
    pub component: usize,
    /// Its instance name.
    pub name: String,
    /// The frames it looks at.
    pub frames: Vec<FrameEnd>,
    /// The coordinates it looks at.
    pub coordinates: Vec<usize>,
    /// A parameter chosen so that the constraint holds in the initial configuration.
    pub from_start: Option<FromStart>,
    /// Residuals whose multipliers are asked for, each with the relation that stands for it.
    pub multipliers: Vec<(usize, usize)>,
    /// How its residual is solved for one of its coordinates.
    pub explicit: Option<Explicit>,
    /// What it says.
    pub condition: Holds,
}

impl Constraint {
    /// The relation that stands for a residual, if its multiplier is asked for.
    pub fn multiplier(&self, residual: usize) -> Option<usize> {
        self.multipliers.iter().find(|m| m.0 == residual).map(|m| m.1)
    }
}

/// A law: run once, when what it reads is known.
pub type Law = Box<dyn FnOnce(&mut Evaluation<'_>) -> Result<(), Error>>;

/// A signal: computed when somebody reads it.
pub type Signal = Box<dyn FnOnce(&mut Evaluation<'_>) -> Result<Ex, Error>>;

/// Everything the components contributed.
#[derive(Default)]
pub struct Structure {
    /// All flanges.
    pub flange_ends: Vec<FlangePort>,
    /// All frames: their node, component and port.
    pub frame_ends: Vec<(usize, PortId)>,
    /// Relations between flange positions.
    pub relations: Vec<LinearRelation>,
    /// Prescribed motions.
    pub drives: Vec<Drive>,
    /// Initial conditions that signals give.
    pub conditions: Vec<Condition>,
    /// Parameters that the initial system determines.
    pub unknown_parameters: Vec<UnknownParameter>,
    /// Connected heat ports.
    pub heat_ports: Vec<HeatPortOf>,
    /// Heat capacities.
    pub heat_capacities: Vec<HeatCapacity>,
    /// Components, heat nodes and the temperatures in K at which they are held.
    pub held_temperatures: Vec<(usize, usize, Ex)>,
    /// Inertias on flanges.
    pub inertias: Vec<Inertial>,
    /// Rotors whose carriers are frames.
    pub rotors: Vec<Rotor>,
    /// Relations whose housings are frames.
    pub mounts: Vec<Mount>,
    /// Relations whose reactions act along lines between frames.
    pub line_mounts: Vec<LineMount>,
    /// Pairs of frames between which contact forces and impulses act.
    pub contacts: Vec<[FrameEnd; 2]>,
    /// Whether drive trains are plain: no reactions on frames.
    pub drive_trains_1d: bool,
    /// Positions with start values.
    pub relatives: Vec<Relative>,
    /// Frames at rest: node, pose in the world, component.
    pub ground_frames: Vec<(usize, Pose, usize)>,
    /// Rigid links.
    pub rigid_links: Vec<RigidLink>,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Coordinates.
    pub coordinates: Vec<Coordinate>,
    /// Coordinates whose speeds impulses leave alone where they are states.
    pub unmoved: BTreeSet<usize>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Frames that follow others.
    pub derived: Vec<Derived>,
    /// Constraints.
    pub constraints: Vec<Constraint>,
    /// Conditions on the initial configuration.
    pub checks: Vec<Check>,
    /// Axes that are given in other frames.
    pub transported: Vec<Transported>,
    /// Gravity, and the component that states it; none without a world.
    pub gravity: Vec<(usize, Gravity)>,
    /// Shapes, if a scene is asked for.
    pub scene: Option<Shapes>,
    /// Signals by the variable they give.
    pub signals: Vec<(PortId, Signal)>,
    /// Laws on positions and speeds.
    pub laws: Vec<(usize, Law)>,
    /// Laws on accelerations.
    pub afters: Vec<(usize, Law)>,
}

impl Structure {
    /// Whether a flange follows a coordinate.
    pub fn is_tied(&self, coordinate: usize) -> bool {
        self.relations.iter().any(|relation| relation.coordinate == Some(coordinate))
    }

    /// Describes the free orientation of a joint by three turns.
    pub fn turn_ball(&mut self, joint: usize) {
        let Some(ball) = self.joints[joint].ball.take() else { return };
        let first = self.joints[joint].coordinates.end - 3;
        for (c, (axis, position, speed)) in self.coordinates[first..].iter_mut().zip(ball.turns) {
            *c = Coordinate { freedom: Freedom::Turn, axis, position, speed, ..c.clone() };
        }
    }

    /// The flange of a component's port, registered once.
    pub fn flange_end(&mut self, port: FlangePort) -> FlangeEnd {
        let known = self.flange_ends.iter().rposition(|e| e.port == port.port);
        let end = known.unwrap_or_else(|| {
            self.flange_ends.push(port);
            self.flange_ends.len() - 1
        });
        FlangeEnd { node: port.node, end }
    }

    /// The frame of a component's port, registered once.
    pub fn frame_end(&mut self, node: usize, component: usize, port: &'static str) -> FrameEnd {
        let id = PortId { component, port };
        if self.frame_ends.iter().rev().all(|e| e.1 != id) {
            self.frame_ends.push((node, id));
        }
        FrameEnd { node }
    }

    /// A flange that nobody sees: the housing behind an open support.
    pub fn hidden_end(
        &mut self,
        node: usize,
        component: usize,
        domain: &'static Domain,
    ) -> FlangeEnd {
        let port = PortId { component, port: "" };
        self.flange_ends.push(FlangePort { node, port, domain });
        FlangeEnd { node, end: self.flange_ends.len() - 1 }
    }
}
