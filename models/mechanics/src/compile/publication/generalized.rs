//! The equations in generalised coordinates, made visible: Jacobians, mass matrix, bias and forces.
//!
//! Everything is projected on Jacobians, which are derivatives of velocities; neither partial
//! velocities nor the recursion along branches is used, so that the two ways check each other.

use crate::compile::kinematics::state_variables::StateVariable;
use crate::compile::loads::gravity::wrench;
use crate::compile::loads::moving_parts::MovingParts;
use crate::compile::topology::Topology;
use crate::error::Error;
use crate::ids::FrameNode;
use crate::statements::contributions::Structure;
use crate::statements::contributions::multibody::{FramePort, RigidBody};
use crate::statements::laws::acceleration_view::AccelerationView;
use crate::statements::laws::friction_element::{Friction, FrictionState};
use crate::statements::laws::signal_view::{AppliedLoads, FrameLoad, SignalView};
use crate::statements::motion::coordinates::Coordinates;
use crate::statements::motion::ends::FrameEnd;
use crate::statements::spatial::pose::Twist;
use crate::statements::spatial::wrench::{Momentum, Wrench};
use crate::vector::{Vector, cross, scale};
use equations::{Ex, Leaf, Model, differentiate};
use std::collections::BTreeMap;
use std::ops::Range;

/// A generalised coordinate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoordinateLayout {
    /// The state that is its value; a component of an angular velocity has none.
    pub position: Option<String>,
    /// The state that is its speed.
    pub speed: String,
}

/// The meaning of the published values.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The coordinates.
    pub coordinates: Vec<CoordinateLayout>,
    /// The node of each frame.
    pub nodes: BTreeMap<String, FrameNode>,
    /// What is published of each node.
    pub frames: BTreeMap<FrameNode, FrameLayout>,
    /// Speeds of the coordinates.
    pub speeds: Range<usize>,
    /// Accelerations of the coordinates.
    pub accelerations: Range<usize>,
    /// Mass matrix by rows.
    pub mass: Range<usize>,
    /// Inertia forces at constant speeds.
    pub bias: Range<usize>,
    /// Applied forces.
    pub forces: Range<usize>,
    /// The number of values.
    pub count: usize,
}

/// Which of the published values belong to a frame.
#[derive(Clone, Debug)]
pub struct FrameLayout {
    /// Position.
    pub r: Range<usize>,
    /// Orientation by rows.
    pub t: Range<usize>,
    /// Angular velocity, then velocity.
    pub velocity: Range<usize>,
    /// Columns of the angular Jacobian, each followed by that of the translational one.
    pub jacobian: Range<usize>,
    /// Angular acceleration at constant speeds, then acceleration.
    pub bias: Range<usize>,
}

/// The name under which a value is published; no component can have it.
pub fn name(k: usize) -> String {
    format!("'mechanism'[{}]", k + 1)
}

impl Layout {
    fn publish(&mut self, model: &mut Model, values: impl IntoIterator<Item = Ex>) -> Range<usize> {
        let first = self.count;
        for value in values {
            model.local(&name(self.count), value);
            self.count += 1;
        }
        first..self.count
    }
}

/// Velocities with their derivatives.
struct Velocities {
    values: Vec<Ex>,
    /// By the speed of each coordinate.
    columns: Vec<Vec<Ex>>,
    /// By time, at constant speeds.
    bias: Vec<Ex>,
}

impl Velocities {
    fn new(values: Vec<Ex>, states: &[StateVariable], rates: &[(Ex, Ex)]) -> Self {
        let column = |state: &StateVariable| differentiate(&values, &[(state.v, Ex::one())]);
        let columns = states.iter().map(column).collect();
        let bias = differentiate(&values, rates);
        Velocities { values, columns, bias }
    }

    /// An angular and a translational velocity.
    fn of_twists(twists: &[Twist], states: &[StateVariable], rates: &[(Ex, Ex)]) -> Self {
        let parts = twists.iter().flat_map(Twist::components);
        Velocities::new(parts.collect(), states, rates)
    }
}

fn twist(values: &[Ex], k: usize) -> Twist {
    let vector = |first: usize| Vector::from_fn(|i, _| values[first + i]);
    Twist { w: vector(6 * k), v: vector(6 * k + 3) }
}

/// The derivatives of everything that moves, apart from the speeds of the coordinates.
fn rates(coordinates: &Coordinates, states: &[StateVariable], model: &Model) -> Vec<(Ex, Ex)> {
    let mut rates = vec![(Ex::leaf(Leaf::Time), Ex::one())];
    let is_speed = |x: Ex| states.iter().any(|state| state.v.key() == x.key());
    rates.extend(model.derivatives().into_iter().filter(|&(x, _)| !is_speed(x)));
    for variable in coordinates.numbering().prescribed_motions() {
        let Some(motion) = coordinates.motions().get(&variable) else { continue };
        let placeholder = |(x, _): &(Ex, Ex)| matches!(x.as_leaf(), Some(Leaf::Symbol(_)));
        let pairs = [(motion.q, motion.v), (motion.v, motion.bias)];
        rates.extend(pairs.into_iter().filter(placeholder));
    }
    rates
}

/// Mass matrix (upper triangle), bias and applied forces, while they are summed.
struct Projection {
    mass: Vec<Vec<Ex>>,
    bias: Vec<Ex>,
    forces: Vec<Ex>,
}

impl Projection {
    /// Adds an inertia by the momenta of unit speeds, which do work on `columns`.
    fn inertia(&mut self, columns: &[Twist], momenta: &[Momentum], bias: &Wrench) {
        for (i, column) in columns.iter().enumerate() {
            for (j, momentum) in momenta.iter().enumerate().skip(i) {
                self.mass[i][j] += momentum.product(column);
            }
            self.bias[i] += bias.power(column);
        }
    }

    fn wrench(&mut self, columns: &[Twist], wrench: &Wrench) {
        for (force, column) in self.forces.iter_mut().zip(columns) {
            *force += wrench.power(column);
        }
    }
}

/// The data of the equations in generalised coordinates.
#[derive(Clone, Copy)]
pub struct Generalized<'a> {
    /// The topology.
    pub topology: &'a Topology,
    /// The parts with their motions.
    pub parts: MovingParts<'a>,
    /// The states.
    pub states: &'a [StateVariable],
    /// Torques and forces that do not depend on accelerations.
    pub applied: &'a AppliedLoads,
    /// The friction elements.
    pub friction: &'a [Friction],
}

/// Publishes everything. Refuses drive trains on moving parts.
pub fn publish(g: Generalized<'_>, e: &mut AccelerationView<'_>) -> Result<Layout, Error> {
    let Generalized { topology, parts, states, .. } = g;
    refuse_drive_trains(parts.structure)?;
    let rates = rates(parts.coordinates, states, e.model);
    let mut layout = Layout::default();
    for state in states {
        let candidate = &topology.candidates[state.candidate];
        let position = state.q.map(|_| candidate.position.name.clone());
        layout.coordinates.push(CoordinateLayout { position, speed: candidate.speed.name.clone() });
    }
    let n = states.len();
    let mut projection = Projection {
        mass: vec![vec![Ex::zero(); n]; n],
        bias: vec![Ex::zero(); n],
        forces: vec![Ex::zero(); n],
    };
    frames(g, &rates, e, &mut layout, &mut projection);
    bodies(g, &rates, &mut projection);
    flanges(g, &rates, e.solution().friction.as_slice(), &mut projection);

    let known = &e.solution().accelerations;
    let acceleration = |s: &StateVariable| s.acceleration(topology, parts.coordinates, known);
    let accelerations: Vec<Ex> = states.iter().map(acceleration).collect();
    let model = &mut *e.model;
    layout.speeds = layout.publish(model, states.iter().map(|state| state.v));
    layout.accelerations = layout.publish(model, accelerations);
    let rows = (0..n).flat_map(|i| (0..n).map(move |j| (i.min(j), i.max(j))));
    layout.mass = layout.publish(model, rows.map(|(i, j)| projection.mass[i][j]));
    layout.bias = layout.publish(model, projection.bias);
    layout.forces = layout.publish(model, projection.forces);
    Ok(layout)
}

/// The angles of a drive train on a moving part are relative to it, so that the effect of the train
/// on the part is no projection on velocities.
fn refuse_drive_trains(structure: &Structure) -> Result<(), Error> {
    let supports = structure.drive_trains.supports.iter().map(|support| support.component);
    let rotors = structure.drive_trains.rotors.iter().map(|rotor| rotor.component);
    match supports.chain(rotors).next() {
        Some(component) => Err(Error::Structure(format!(
            "{}: drive trains on moving parts have no equations in generalised coordinates; the \
             world must have driveTrainMechanics3D = false",
            structure.names[component]
        ))),
        None => Ok(()),
    }
}

/// Frames, and the torques and forces on them.
fn frames(
    g: Generalized<'_>,
    rates: &[(Ex, Ex)],
    e: &mut SignalView<'_>,
    layout: &mut Layout,
    projection: &mut Projection,
) {
    let all = &g.parts.structure.multibody.frames;
    for FramePort { node, port } in all {
        layout.nodes.insert(e.full_of(*port), *node);
    }
    let nodes: Vec<FrameNode> = all.iter().map(|frame| frame.node).collect();
    let index: BTreeMap<FrameNode, usize> =
        nodes.iter().enumerate().map(|(k, &node)| (node, k)).collect();
    let to_world = |e: &SignalView<'_>, end: FrameEnd| e.pose(end).t.transpose();
    let ends = nodes.iter().map(|&node| FrameEnd { node });
    let twists = ends.map(|end| {
        let t = to_world(e, end);
        e.velocity(end).resolved(&t)
    });
    let velocities = Velocities::of_twists(&twists.collect::<Vec<_>>(), g.states, rates);
    let columns = |k: usize| velocities.columns.iter().map(move |c| twist(c, k));
    for FrameLoad { end, wrench } in &g.applied.wrenches {
        let outward = -wrench.resolved(&to_world(e, *end));
        let columns: Vec<Twist> = columns(index[&end.node]).collect();
        projection.wrench(&columns, &outward);
    }
    let parts = |t: Twist| t.components().collect::<Vec<Ex>>();
    for (&node, &k) in &index {
        let pose = e.pose(FrameEnd { node });
        let model = &mut *e.model;
        let frame = FrameLayout {
            r: layout.publish(model, pose.r.iter().copied()),
            t: layout.publish(model, pose.t.transpose().iter().copied()),
            velocity: layout.publish(model, parts(twist(&velocities.values, k))),
            jacobian: layout.publish(model, columns(k).flat_map(parts)),
            bias: layout.publish(model, parts(twist(&velocities.bias, k))),
        };
        layout.frames.insert(node, frame);
    }
}

/// Bodies, and gravity: translation of the centre of mass in world axes, rotation in body axes.
fn bodies(g: Generalized<'_>, rates: &[(Ex, Ex)], projection: &mut Projection) {
    let MovingParts { structure, frames, .. } = g.parts;
    let bodies = &structure.multibody.bodies;
    let gravity = structure.multibody.gravity.first().map(|gravity| &gravity.field);
    let motion = |body: &RigidBody| {
        let (pose, velocity) = (frames.pose(body.frame), frames.velocity(body.frame));
        let v = pose.t.transpose() * (velocity.v + cross(&velocity.w, &body.r_cm));
        Twist { w: velocity.w, v }
    };
    let twists: Vec<Twist> = bodies.iter().map(motion).collect();
    let velocities = Velocities::of_twists(&twists, g.states, rates);
    for (k, body) in bodies.iter().enumerate() {
        let columns: Vec<Twist> = velocities.columns.iter().map(|c| twist(c, k)).collect();
        let times = |t: &Twist| (body.inertia * t.w, scale(&t.v, body.mass));
        let momentum = |t: &Twist| {
            let (angular, linear) = times(t);
            Momentum { angular, linear }
        };
        let momenta: Vec<Momentum> = columns.iter().map(momentum).collect();
        let (torque, force) = times(&twist(&velocities.bias, k));
        let gyroscopic = cross(&twists[k].w, &(body.inertia * twists[k].w));
        let bias = Wrench { torque: torque + gyroscopic, force };
        projection.inertia(&columns, &momenta, &bias);
        if let Some(gravity) = gravity {
            let pose = frames.pose(body.frame);
            let weight = match wrench(gravity, body, &pose) {
                Some(wrench) => pose.t.transpose() * wrench.force,
                None => scale(&gravity.uniform(), body.mass),
            };
            projection.wrench(&columns, &Wrench::of_force(weight));
        }
    }
}

/// Inertias on flanges, torques and forces on flanges, and friction.
fn flanges(
    g: Generalized<'_>,
    rates: &[(Ex, Ex)],
    friction: &[FrictionState],
    projection: &mut Projection,
) {
    let Generalized { parts, states, .. } = g;
    let (x, zero) = (|x: Ex| Vector::new(x, Ex::zero(), Ex::zero()), crate::vector::zero());
    let along = |v: Ex| Twist { w: x(v), v: zero };
    let momentum = |p: Ex| Momentum { angular: x(p), linear: zero };
    let wrench = |f: Ex| Wrench { torque: x(f), force: zero };
    let inertias = &parts.structure.flanges.inertias;
    let speeds: Vec<Ex> = inertias.iter().map(|i| parts.flange(i.end).v).collect();
    let velocities = Velocities::new(speeds, states, rates);
    for (k, inertial) in inertias.iter().enumerate() {
        let columns: Vec<Twist> = velocities.columns.iter().map(|c| along(c[k])).collect();
        let momenta: Vec<Momentum> =
            velocities.columns.iter().map(|c| momentum(inertial.inertia * c[k])).collect();
        let bias = wrench(inertial.inertia * velocities.bias[k]);
        projection.inertia(&columns, &momenta, &bias);
    }
    let flows = g.applied.flows.iter();
    let mut loads: Vec<(Ex, Ex)> =
        flows.map(|load| (parts.flange(load.end).v, -load.flow)).collect();
    loads.extend(g.friction.iter().zip(friction).map(|(f, state)| (f.relative.v, -state.tau)));
    let velocities = Velocities::new(loads.iter().map(|l| l.0).collect(), states, rates);
    for (k, &(_, force)) in loads.iter().enumerate() {
        let columns: Vec<Twist> = velocities.columns.iter().map(|c| along(c[k])).collect();
        projection.wrench(&columns, &wrench(force));
    }
}
