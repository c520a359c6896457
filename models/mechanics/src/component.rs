//! What a component is, and how it says what it contributes to the equations.

use crate::assembly::{At, PortId, element};
use crate::compile::evaluation::Evaluation;
use crate::compile::gravity::Gravity;
use crate::compile::mounts::{LineMount, Mount, Rotor};
use crate::compile::structure::{
    Ball, Body, Candidate, Check, Condition, Constraint, Coordinate, Derived, Drive, Explicit,
    FlangeEnd, FlangePort, FrameEnd, Freedom, FromStart, HeatCapacity, HeatEnd, HeatPortOf, Holds,
    Inertial, Joint, LinearRelation, Place, Pose, Prescribed, Relative, RigidLink, Roots, Signal,
    Situation, Structure, Transported, Twist, UnknownParameter,
};
use crate::compile::wiring::Wiring;
use crate::domain::{Domain, Word};
use crate::error::Error;
use crate::orientation::Sequence;
use crate::scene::Shape;
use crate::start::{Parameter, Start, StateSelect};
use crate::vector::{Matrix, Vector};
use equations::{Declared, Ex, Model};
use std::fmt::Debug;
use std::rc::Rc;

/// A kind of component: its parameters are the fields of the type that implements this.
pub trait Component: Debug + 'static {
    /// The typed ports and variables that the model text sees; [`ports!`](crate::ports) declares
    /// them.
    type Ports: From<At>;

    /// Says what the component contributes: parameters, structure, laws, variables.
    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error>;
}

/// A component of any kind.
pub trait AnyComponent: Debug {
    /// See [`Component::contribute`].
    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error>;
}

impl<C: Component> AnyComponent for C {
    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        Component::contribute(self, c)
    }
}

/// A position, absolute or relative, that a component stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position(usize);

/// A linear relation between flange positions that a component stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation(usize);

/// A coordinate that a component stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoordinateId(pub(crate) usize);

/// The multiplier of a [`Relation`]: at each flange the cut torque (or force) into the component
/// is the flange's coefficient times it. Known in laws on accelerations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reaction(pub(crate) usize);

/// A constraint on frames and coordinates that a component stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstraintId(usize);

/// The multiplier of a constraint's residual: what the constraint does is this force (or torque)
/// times the rate at which the residual would grow. Known in laws on accelerations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiplier(pub(crate) Reaction);

/// What goes through a rigid connection of two frames. Known in laws on accelerations.
#[derive(Clone, Debug)]
pub struct Cut(pub(crate) Vec<Reaction>);

/// Start values of a position and of its speed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Starts {
    /// Start value of the position in rad or m.
    pub position: Start,
    /// Start value of the speed in rad/s or m/s.
    pub speed: Start,
}

/// Where one component instance states its contribution.
///
/// Names given here are local (`phi`); the instance's name is put in front (`j1.phi`).
pub struct Contribution<'a> {
    pub(crate) model: &'a mut Model,
    pub(crate) wiring: &'a mut Wiring,
    pub(crate) structure: &'a mut Structure,
    pub(crate) component: usize,
    pub(crate) name: String,
}

impl Contribution<'_> {
    /// The instance's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The full name of one of its variables.
    pub fn full(&self, local: &str) -> String {
        format!("{}.{local}", self.name)
    }

    /// A parameter error that names the instance's parameter.
    pub fn refuse(&self, parameter: &str, why: impl std::fmt::Display) -> Error {
        Error::Parameter(format!("{}: {why}", self.full(parameter)))
    }

    /// A scalar parameter; finish with `.into()`.
    pub fn parameter(&mut self, local: &str, value: f64) -> Declared<'_, Ex> {
        let name = self.full(local);
        self.model.parameter(&name, value)
    }

    /// A tunable scalar parameter of any finite value.
    pub fn value(
        &mut self,
        local: &str,
        value: f64,
        unit: &str,
        describe: &str,
    ) -> Result<Ex, Error> {
        self.check(local, value, unit, true)?;
        Ok(self.parameter(local, value).unit(unit).describe(describe).tunable().into())
    }

    /// A tunable scalar parameter that is not negative. Zero is structure: then it is a constant.
    pub fn amount(
        &mut self,
        local: &str,
        value: f64,
        unit: &str,
        describe: &str,
    ) -> Result<Ex, Error> {
        self.check(local, value, unit, value >= 0.0)?;
        if value == 0.0 {
            self.constant(local, 0.0, unit, describe);
            return Ok(Ex::zero());
        }
        Ok(self.parameter(local, value).unit(unit).describe(describe).min(0.0).tunable().into())
    }

    /// A scalar that is fixed when the FMU is generated, visible as a constant.
    pub fn constant(&mut self, local: &str, value: f64, unit: &str, describe: &str) {
        let name = self.full(local);
        self.model.constant(&name, value).unit(unit).describe(describe);
    }

    /// A vector whose zeros are structure: they become constants, the other elements parameters.
    pub fn vector(
        &mut self,
        local: &str,
        value: [f64; 3],
        unit: &str,
        describe: &str,
    ) -> Result<Vector, Error> {
        let mut v = crate::vector::zero();
        for (i, &value) in value.iter().enumerate() {
            let element = format!("{local}[{}]", i + 1);
            self.check(&element, value, unit, true)?;
            if value == 0.0 {
                self.constant(&element, 0.0, unit, describe);
            } else {
                v[i] = self.parameter(&element, value).unit(unit).describe(describe).into();
            }
        }
        Ok(v)
    }

    /// An axis: of unit length and fixed when the FMU is generated.
    pub fn axis(&mut self, local: &str, n: [f64; 3], describe: &str) -> Result<[f64; 3], Error> {
        let e = crate::vector::unit_axis(n)
            .ok_or_else(|| self.refuse(local, format!("{n:?} has no direction")))?;
        for (i, &element) in n.iter().enumerate() {
            self.constant(&format!("{local}[{}]", i + 1), element, "1", describe);
        }
        Ok(e)
    }

    /// Refuses axes of three rotations that are not 1 to 3, or of which neighbours are the same.
    pub fn check_sequence(&self, local: &str, axes: [usize; 3]) -> Result<Sequence, Error> {
        Sequence::new(axes).ok_or_else(|| {
            self.refuse(local, format!("{axes:?} are not axes 1 to 3 with different neighbours"))
        })
    }

    /// Axes of three rotations, 1 to 3; fixed when the FMU is generated.
    pub fn sequence(
        &mut self,
        local: &str,
        axes: [usize; 3],
        describe: &str,
    ) -> Result<Sequence, Error> {
        let sequence = self.check_sequence(local, axes)?;
        for (i, &axis) in axes.iter().enumerate() {
            self.constant(&format!("{local}[{}]", i + 1), axis as f64, "1", describe);
        }
        Ok(sequence)
    }

    /// A flange of this component.
    pub fn flange(&mut self, domain: &'static Domain, port: &'static str) -> FlangeEnd {
        let port = PortId { component: self.component, port };
        let node = self.wiring.flange_node(port);
        self.structure.flange_end(FlangePort { node, port, domain })
    }

    /// Holds a flange at zero unless something else determines where it is.
    pub fn rest(&mut self, end: FlangeEnd, domain: &'static Domain) {
        let housing = self.structure.hidden_end(end.node, self.component, domain);
        let relation = self.linear(&[(housing, Ex::one())], Ex::zero());
        self.structure.relations[relation.0].optional = true;
    }

    /// A point that moves with this component and to which nothing can be connected.
    pub fn hidden_flange(&mut self, domain: &'static Domain) -> FlangeEnd {
        let node = self.wiring.flange_node(PortId { component: self.component, port: "" });
        self.structure.hidden_end(node, self.component, domain)
    }

    /// A support flange: held at zero if nothing is connected to it.
    pub fn support(&mut self, domain: &'static Domain, port: &'static str) -> FlangeEnd {
        let connected = self.is_connected(port);
        let end = self.flange(domain, port);
        if !connected {
            let housing = self.structure.hidden_end(end.node, self.component, domain);
            self.linear(&[(housing, Ex::one())], Ex::zero());
        }
        end
    }

    /// A heat port of this component; `None` if nothing is connected to it.
    pub fn heat_port(&mut self, port: &'static str) -> Option<HeatEnd> {
        let port = PortId { component: self.component, port };
        if !self.wiring.is_connected(port) {
            return None;
        }
        let node = self.wiring.heat_node(port);
        self.structure.heat_ports.push(HeatPortOf { node, port });
        Some(HeatEnd { node })
    }

    /// A heat port of this component that exists even if nothing is connected to it.
    pub fn own_heat_port(&mut self, port: &'static str) -> HeatEnd {
        let port = PortId { component: self.component, port };
        let node = self.wiring.heat_node(port);
        self.structure.heat_ports.push(HeatPortOf { node, port });
        HeatEnd { node }
    }

    /// Holds a heat port at a temperature in K.
    pub fn hold_temperature(&mut self, end: HeatEnd, temperature: Ex) {
        self.structure.held_temperatures.push((self.component, end.node, temperature));
    }

    /// A heat capacity in J/K at the temperature of a heat port.
    pub fn heat_capacity(&mut self, end: HeatEnd, capacity: Ex, temperature: Candidate) {
        let (component, node) = (self.component, end.node);
        self.structure.heat_capacities.push(HeatCapacity {
            component,
            node,
            capacity,
            temperature,
        });
    }

    /// Whether something is connected to a port of this component.
    pub fn is_connected(&self, port: &'static str) -> bool {
        self.wiring.is_connected(PortId { component: self.component, port })
    }

    /// A frame of this component.
    pub fn frame(&mut self, port: &'static str) -> FrameEnd {
        let node = self.wiring.frame_node(PortId { component: self.component, port });
        self.structure.frame_end(node, self.component, port)
    }

    /// A frame of this component; `None` if nothing is connected to it.
    pub fn optional_frame(&mut self, port: &'static str) -> Option<FrameEnd> {
        let connected = self.wiring.is_connected(PortId { component: self.component, port });
        connected.then(|| self.frame(port))
    }

    /// The variable connected to an input of this component.
    pub fn input(&mut self, port: &'static str) -> Result<PortId, Error> {
        self.optional_input(port).ok_or_else(|| {
            Error::Connection(format!("{}: the input is not connected", self.full(port)))
        })
    }

    /// The variable connected to an input of this component; `None` if nothing is connected to it.
    pub fn optional_input(&mut self, port: &'static str) -> Option<PortId> {
        self.wiring.source(PortId { component: self.component, port })
    }

    /// The variables connected to the elements of an input vector of this component.
    pub fn inputs(&mut self, port: &'static str) -> Result<[PortId; 3], Error> {
        let mut input = |i| self.input(element(port, i));
        Ok([input(1)?, input(2)?, input(3)?])
    }

    /// Refuses a parameter value that is not finite or not `allowed`.
    pub fn check(&self, local: &str, value: f64, unit: &str, allowed: bool) -> Result<(), Error> {
        if value.is_finite() && allowed {
            return Ok(());
        }
        Err(self.refuse(local, format!("{value} {unit} is not a possible value")))
    }

    /// Two flanges at the same position.
    pub fn rigid_flanges(&mut self, a: FlangeEnd, b: FlangeEnd) -> Relation {
        self.linear(&[(a, Ex::one()), (b, -Ex::one())], Ex::zero())
    }

    /// Ties flange positions: the sum of coefficient times position equals `rhs`.
    ///
    /// Coefficients and `rhs` depend on parameters only.
    pub fn linear(&mut self, terms: &[(FlangeEnd, Ex)], rhs: Ex) -> Relation {
        self.relate(terms, rhs, None)
    }

    fn relate(&mut self, terms: &[(FlangeEnd, Ex)], rhs: Ex, drive: Option<usize>) -> Relation {
        let (component, ends) = (self.component, terms.to_vec());
        let relation = LinearRelation {
            component,
            ends,
            coordinate: None,
            rhs,
            drive,
            reaction: false,
            optional: false,
        };
        self.structure.relations.push(relation);
        Relation(self.structure.relations.len() - 1)
    }

    /// Prescribes the motion of a sum of coefficient times flange position.
    pub fn drive(&mut self, terms: &[(FlangeEnd, Ex)], prescribed: Prescribed) -> Relation {
        self.structure.drives.push(Drive { component: self.component, prescribed });
        self.relate(terms, Ex::zero(), Some(self.structure.drives.len() - 1))
    }

    /// Asks for the multiplier of a relation.
    pub fn reaction(&mut self, relation: Relation) -> Reaction {
        self.structure.relations[relation.0].reaction = true;
        Reaction(relation.0)
    }

    /// Mounts a relation between flanges on a frame: what carries the frame feels the torque `n`
    /// times the relation's multiplier (see [`Reaction`]). The flanges' angles are relative to the
    /// frame; `frame` is `None` where nothing is connected to it.
    pub fn mount(&mut self, relation: Relation, frame: Option<FrameEnd>, n: Vector) {
        let (component, relation) = (self.component, relation.0);
        self.structure.mounts.push(Mount { component, relation, frame, n });
    }

    /// Lets the multiplier of a relation (see [`Reaction`]) act as a force along the line between
    /// two frames: what carries a frame feels its share of it, in the direction from the first
    /// frame to the second.
    pub fn mount_on_line(
        &mut self,
        relation: Relation,
        ends: [FrameEnd; 2],
        shares: [f64; 2],
        s_small: Ex,
    ) {
        let (component, relation) = (self.component, relation.0);
        let mount = LineMount { component, relation, ends, shares, s_small };
        self.structure.line_mounts.push(mount);
    }

    /// A rotor with moment of inertia `inertia` in kg.m2 that turns with a flange about the unit
    /// axis `axis` of a frame. The bodies that move with the frame contain the rotor as if it were
    /// locked. Unless `exact`, the rotation of the frame does not accelerate it.
    pub fn rotor(
        &mut self,
        end: FlangeEnd,
        frame: Option<FrameEnd>,
        axis: Vector,
        inertia: Ex,
        exact: bool,
    ) {
        let component = self.component;
        self.structure.rotors.push(Rotor { component, end, frame, axis, inertia, exact });
    }

    /// Leaves drive trains plain: their reactions do not act on frames.
    pub fn drive_trains_1d(&mut self) {
        self.structure.drive_trains_1d = true;
    }

    /// An initial condition on a flange's position (`order` 0), speed (1) or acceleration (2): it
    /// has the value of a signal at the start.
    pub fn initial_condition(
        &mut self,
        end: FlangeEnd,
        order: usize,
        value: impl FnOnce(&mut Evaluation<'_>) -> Result<Ex, Error> + 'static,
    ) {
        let (component, place) = (self.component, Place::Flange(end));
        let value: Signal = Box::new(value);
        self.structure.conditions.push(Condition { component, place, order, value });
    }

    /// An initial condition on the acceleration of a coordinate.
    ///
    /// It determines the first of the start values of position and speed that is not fixed; if both
    /// are, a parameter given as [`Parameter::Unknown`].
    pub fn initial_acceleration(&mut self, coordinate: CoordinateId, acceleration: f64) {
        let (component, place) = (self.component, Place::Coordinate(coordinate.0));
        let value: Signal = Box::new(move |_| Ok(acceleration.into()));
        self.structure.conditions.push(Condition { component, place, order: 2, value });
    }

    /// A scalar parameter that is not negative, or that the initial system determines.
    pub fn amount_or_unknown(
        &mut self,
        local: &str,
        value: Parameter,
        unit: &str,
        describe: &str,
    ) -> Result<Ex, Error> {
        let guess = match value {
            Parameter::Given(value) => return self.amount(local, value, unit, describe),
            Parameter::Unknown { guess } => guess,
        };
        self.check(local, guess, unit, true)?;
        let (name, symbol) = (self.full(local), Ex::symbol());
        let parameter: Ex =
            self.model.calculated(&name, symbol).unit(unit).describe(describe).into();
        let unknown = UnknownParameter { name, parameter, symbol, guess };
        self.structure.unknown_parameters.push(unknown);
        Ok(parameter)
    }

    /// A moment of inertia (or a mass) that moves with a flange.
    pub fn inertia(&mut self, end: FlangeEnd, inertia: Ex) {
        self.structure.inertias.push(Inertial { end, inertia });
    }

    /// The position and speed of a flange, under the names of its domain.
    pub fn position(
        &mut self,
        domain: &'static Domain,
        end: FlangeEnd,
        starts: Starts,
        select: StateSelect,
    ) -> Position {
        let [position, speed] = self.candidates(domain.motion(), starts);
        self.relative(None, end, position, speed, select)
    }

    /// The position and speed of a flange relative to a support, under the names that its absolute
    /// ones have.
    pub fn supported_position(
        &mut self,
        domain: &'static Domain,
        (support, end): (FlangeEnd, FlangeEnd),
        starts: Starts,
        select: StateSelect,
    ) -> Position {
        let [position, speed] = self.candidates(domain.motion(), starts);
        self.relative(Some(support), end, position, speed, select)
    }

    /// The position and speed of flange `b` relative to flange `a`, under the names of their
    /// domain. `nominal` scales the error control of the position.
    pub fn relative_position(
        &mut self,
        domain: &'static Domain,
        (a, b): (FlangeEnd, FlangeEnd),
        starts: Starts,
        nominal: f64,
        select: StateSelect,
    ) -> Position {
        let [mut position, speed] = self.candidates(domain.relative_motion(), starts);
        position.nominal = nominal;
        self.relative(Some(a), b, position, speed, select)
    }

    /// A position and its speed, which may become states, and how their acceleration is called.
    pub fn candidates(
        &mut self,
        [position, speed, acceleration]: [&'static Word; 3],
        starts: Starts,
    ) -> [Candidate; 2] {
        let position = self.candidate(position, starts.position);
        let speed = self.candidate(speed, starts.speed);
        [position, Candidate { rate: Some(acceleration), ..speed }]
    }

    /// A variable with a start value, which may become a state.
    pub fn candidate(&mut self, word: &'static Word, start: Start) -> Candidate {
        let Word { local, unit, describe } = *word;
        self.named_candidate(local, unit, describe, start)
    }

    /// A variable of this name with a start value, which may become a state.
    pub fn named_candidate(
        &mut self,
        local: &'static str,
        unit: &'static str,
        describe: &'static str,
        start: Start,
    ) -> Candidate {
        let slot = self.model.start_slot(start.value);
        let (name, nominal, published) = (self.full(local), 1.0, true);
        Candidate { local, name, unit, describe, start, slot, nominal, published, rate: None }
    }

    fn relative(
        &mut self,
        a: Option<FlangeEnd>,
        b: FlangeEnd,
        position: Candidate,
        speed: Candidate,
        select: StateSelect,
    ) -> Position {
        let (component, damped) = (self.component, false);
        self.structure.relatives.push(Relative {
            component,
            a,
            b,
            position,
            speed,
            select,
            damped,
        });
        Position(self.structure.relatives.len() - 1)
    }

    /// Leaves the speed and the acceleration of a position unpublished, unless they are states.
    pub fn hide_speed(&mut self, position: Position) {
        self.structure.relatives[position.0].speed.published = false;
    }

    /// Says that the torque (or force) along a position depends on its speed, by a law that can be
    /// solved for the speed: flanges without inertia may rely on it.
    pub fn damped(&mut self, position: Position) {
        self.structure.relatives[position.0].damped = true;
    }

    /// Holds a frame at rest in the world.
    pub fn ground_frame(&mut self, end: FrameEnd, pose: Pose) {
        self.structure.ground_frames.push((end.node, pose, self.component));
    }

    /// A frame that moves with this component and that nobody sees; `local` tells it from others.
    pub fn hidden_frame(&mut self, local: &'static str) -> FrameEnd {
        let port = PortId { component: self.component, port: local };
        FrameEnd { node: self.wiring.frame_node(port) }
    }

    /// A frame at rest in the world that nobody sees.
    pub fn ground(&mut self, pose: Pose) -> FrameEnd {
        let port = PortId { component: self.component, port: "" };
        let end = FrameEnd { node: self.wiring.frame_node(port) };
        self.ground_frame(end, pose);
        end
    }

    /// Joins two frames rigidly: `frame_b` at `r` (in `frame_a`), turned by `t_ba`.
    pub fn rigid(&mut self, a: FrameEnd, b: FrameEnd, r: Vector, t_ba: Matrix) {
        let component = self.component;
        self.structure.rigid_links.push(RigidLink { component, a, b, pose: Pose { r, t: t_ba } });
    }

    /// A rigid body fixed to a frame: mass, centre of mass and inertia tensor about it, all in the
    /// frame's axes.
    pub fn body(&mut self, frame: FrameEnd, mass: Ex, r_cm: Vector, inertia: Matrix) {
        self.structure.bodies.push(Body { component: self.component, frame, mass, r_cm, inertia });
    }

    /// A coordinate; a joint or a constraint says what it moves.
    pub fn coordinate(
        &mut self,
        freedom: Freedom,
        axis: [f64; 3],
        [position, speed]: [Candidate; 2],
        select: StateSelect,
    ) -> CoordinateId {
        let component = self.component;
        let (offset, locked) = (Ex::zero(), false);
        let coordinate =
            Coordinate { component, freedom, axis, offset, position, speed, select, locked };
        self.structure.coordinates.push(coordinate);
        CoordinateId(self.structure.coordinates.len() - 1)
    }

    /// A joint from frame `a` to frame `b` with the given coordinates: slides along axes of `a`,
    /// then turns. They must have been stated one directly after the other.
    pub fn joint(&mut self, a: FrameEnd, b: FrameEnd, coordinates: &[CoordinateId]) {
        self.add_joint(a, b, coordinates, None, None);
    }

    /// A joint that is used only if nothing else holds frame `b`: those of low number first.
    pub fn optional_joint(
        &mut self,
        a: FrameEnd,
        b: FrameEnd,
        coordinates: &[CoordinateId],
        optional: Option<usize>,
    ) {
        self.add_joint(a, b, coordinates, None, optional);
    }

    /// A joint whose coordinates are followed by a free orientation.
    ///
    /// `quaternion` are its position variables; `w` the relative angular velocity in frame `b`.
    /// The `turns` (axis, angle, speed) describe the same orientation where it is part of a loop.
    pub fn ball_joint(
        &mut self,
        a: FrameEnd,
        b: FrameEnd,
        coordinates: &[CoordinateId],
        (ball, w, select): (Ball, [Candidate; 3], StateSelect),
        optional: Option<usize>,
    ) -> [CoordinateId; 3] {
        let axes = [crate::vector::X, crate::vector::Y, crate::vector::Z];
        let mut all = coordinates.to_vec();
        let mut spins = [CoordinateId(0); 3];
        for (k, (speed, axis)) in w.into_iter().zip(axes).enumerate() {
            spins[k] = self.coordinate(Freedom::Spin, axis, [speed.clone(), speed], select);
        }
        all.extend(spins);
        self.add_joint(a, b, &all, Some(ball), optional);
        spins
    }

    fn add_joint(
        &mut self,
        a: FrameEnd,
        b: FrameEnd,
        coordinates: &[CoordinateId],
        ball: Option<Ball>,
        optional: Option<usize>,
    ) {
        let (component, name) = (self.component, self.name.clone());
        let first = coordinates.first().map_or(self.structure.coordinates.len(), |c| c.0);
        let coordinates = first..first + coordinates.len();
        self.structure.joints.push(Joint { component, name, a, b, coordinates, ball, optional });
    }

    /// Ties a flange to a coordinate: its position is the coordinate plus `offset`.
    pub fn axis_flange(
        &mut self,
        end: FlangeEnd,
        coordinate: CoordinateId,
        offset: Ex,
    ) -> Relation {
        self.tie(&[(end, Ex::one())], coordinate, offset)
    }

    /// Ties the sum of coefficient times flange position to a coordinate plus `offset`.
    pub fn tie(
        &mut self,
        terms: &[(FlangeEnd, Ex)],
        coordinate: CoordinateId,
        offset: Ex,
    ) -> Relation {
        let relation = self.linear(terms, offset);
        self.structure.relations[relation.0].coordinate = Some(coordinate.0);
        relation
    }

    /// Ties two flanges: the position of `b` relative to `a` is a coordinate.
    pub fn coordinate_between(
        &mut self,
        a: FlangeEnd,
        b: FlangeEnd,
        coordinate: CoordinateId,
    ) -> Relation {
        let relation = self.linear(&[(b, Ex::one()), (a, -Ex::one())], Ex::zero());
        self.structure.relations[relation.0].coordinate = Some(coordinate.0);
        relation
    }

    /// A frame whose motion follows from those of two others.
    pub fn derived(
        &mut self,
        [a, b]: [FrameEnd; 2],
        frame: FrameEnd,
        pose: impl Fn(&Pose, &Pose) -> Pose + 'static,
        velocity: impl Fn([&Pose; 2], [&Twist; 2]) -> Twist + 'static,
    ) {
        let (pose, velocity) = (Rc::new(pose), Rc::new(velocity));
        let component = self.component;
        self.structure.derived.push(Derived { component, a, b, frame, pose, velocity });
    }

    /// A constraint on frames and coordinates.
    ///
    /// With `from_start` it holds in the initial configuration by the choice of a parameter.
    pub fn constraint(
        &mut self,
        frames: &[FrameEnd],
        coordinates: &[CoordinateId],
        from_start: Option<FromStart>,
        condition: Holds,
    ) -> ConstraintId {
        self.structure.constraints.push(Constraint {
            component: self.component,
            name: self.name.clone(),
            frames: frames.to_vec(),
            coordinates: coordinates.iter().map(|c| c.0).collect(),
            from_start,
            multipliers: Vec::new(),
            explicit: None,
            condition,
        });
        ConstraintId(self.structure.constraints.len() - 1)
    }

    /// Asks for the multiplier of a constraint's residual.
    pub fn multiplier(&mut self, constraint: ConstraintId, residual: usize) -> Multiplier {
        let relation = self.linear(&[], Ex::zero());
        self.structure.constraints[constraint.0].multipliers.push((residual, relation.0));
        Multiplier(self.reaction(relation))
    }

    /// Joins two frames rigidly at the same pose, and asks for what goes through from `a` to `b`.
    pub fn cut(&mut self, a: FrameEnd, b: FrameEnd) -> Cut {
        let both = [Freedom::Slide, Freedom::Turn];
        let axes = [crate::vector::X, crate::vector::Y, crate::vector::Z];
        let mut coordinates = Vec::new();
        for (freedom, axis) in both.into_iter().flat_map(|f| axes.map(|axis| (f, axis))) {
            let rest = Candidate {
                local: "",
                name: self.name.clone(),
                unit: "",
                describe: "",
                start: Start::default(),
                slot: Ex::zero(),
                nominal: 1.0,
                published: false,
                rate: None,
            };
            let id = self.coordinate(freedom, axis, [rest.clone(), rest], StateSelect::Avoid);
            self.structure.coordinates[id.0].locked = true;
            coordinates.push(id);
        }
        self.joint(a, b, &coordinates);
        let reaction = |coordinate: &CoordinateId| {
            let relation = self.tie(&[], *coordinate, Ex::zero());
            self.reaction(relation)
        };
        Cut(coordinates.iter().map(reaction).collect())
    }

    /// A residual in m or rad that vanishes all the time, together with its solution for one
    /// coordinate: `roots` gives two values of it, from everything but the coordinate.
    ///
    /// The value nearer to the coordinate's start value is chosen and stays chosen; `branch`, a
    /// calculated parameter, tells which.
    pub fn explicit_closure(
        &mut self,
        frames: &[FrameEnd],
        coordinate: CoordinateId,
        residual: impl Fn(&Situation<'_>) -> Ex + 'static,
        roots: impl Fn(&Situation<'_>) -> Roots + 'static,
    ) -> ConstraintId {
        let text = "1: the first of two solutions, -1: the second; the nearer one at the start";
        let name = self.full("branch");
        let branch: Ex = self.model.calculated(&name, Ex::one()).unit("1").describe(text).into();
        self.law(move |e| {
            e.define("branch", branch);
            Ok(())
        });
        let constraint = self.closure(frames, &[coordinate], move |at| vec![residual(at)]);
        self.solved(coordinate, roots, branch);
        constraint
    }

    /// A coordinate that measures something between frames, in rad or m.
    pub fn measure(
        &mut self,
        frames: &[FrameEnd],
        coordinate: CoordinateId,
        value: impl Fn(&[Pose]) -> Ex + 'static,
    ) {
        let value = Rc::new(value);
        let same = value.clone();
        self.closure(frames, &[coordinate], move |at| vec![value(at.poses) - at.q[0]]);
        let roots = move |at: &Situation<'_>| Roots {
            values: [same(at.poses); 2],
            discriminant: Ex::one(),
        };
        self.solved(coordinate, roots, Ex::one());
    }

    fn solved(
        &mut self,
        coordinate: CoordinateId,
        roots: impl Fn(&Situation<'_>) -> Roots + 'static,
        branch: Ex,
    ) {
        let explicit = Explicit { coordinate: coordinate.0, roots: Rc::new(roots), branch };
        if let Some(constraint) = self.structure.constraints.last_mut() {
            constraint.explicit = Some(explicit);
        }
    }

    /// Values in m or rad that must vanish in the initial configuration; otherwise the model is
    /// refused with the `complaint`. They are computed from poses and from axes of coordinates.
    pub fn check_at_start(
        &mut self,
        frames: &[FrameEnd],
        coordinates: &[CoordinateId],
        values: impl Fn(&Situation<'_>) -> Vec<Ex> + 'static,
        complaint: &'static str,
    ) {
        let (name, frames, values) = (self.name.clone(), frames.to_vec(), Rc::new(values));
        let coordinates = coordinates.iter().map(|c| c.0).collect();
        self.structure.checks.push(Check { name, frames, coordinates, values, complaint });
    }

    /// Turns (or slides) a joint further than its coordinate says, by `offset` in rad or m.
    pub fn offset(&mut self, coordinate: CoordinateId, offset: Ex) {
        self.structure.coordinates[coordinate.0].offset = offset;
    }

    /// How much further a joint is turned (or slid) than its coordinate says, in rad or m.
    pub fn offset_of(&self, coordinate: CoordinateId) -> Ex {
        self.structure.coordinates[coordinate.0].offset
    }

    /// Says that the axis of a coordinate is given in frame `from`: it is the same direction in
    /// frame `to` in the initial configuration.
    pub fn transported_axis(&mut self, coordinate: CoordinateId, from: FrameEnd, to: FrameEnd) {
        self.structure.transported.push(Transported { coordinate: coordinate.0, from, to });
    }

    /// Residuals in m or rad that vanish all the time.
    pub fn closure(
        &mut self,
        frames: &[FrameEnd],
        coordinates: &[CoordinateId],
        residual: impl Fn(&Situation<'_>) -> Vec<Ex> + 'static,
    ) -> ConstraintId {
        self.constraint(frames, coordinates, None, Holds::Position(Rc::new(residual)))
    }

    /// The acceleration of gravity, in world axes.
    pub fn gravity(&mut self, gravity: Gravity) {
        self.structure.gravity.push((self.component, gravity));
    }

    /// A solid that stands for the component in pictures, at rest in one of its frames; without
    /// influence on anything else. `shape` gets the nominal length of the world in m.
    pub fn shape(&mut self, frame: &'static str, shape: impl FnOnce(Ex) -> Shape) {
        let frame = PortId { component: self.component, port: frame };
        if let Some(shapes) = &mut self.structure.scene {
            shapes.add(frame, shape);
        }
    }

    /// The length in m that sizes of shapes follow unless they are given.
    pub fn nominal_length(&mut self, length: f64) {
        if let Some(shapes) = &mut self.structure.scene {
            shapes.nominal_length = length;
        }
    }

    /// A signal computed on demand, from time, parameters and other signals.
    pub fn signal(
        &mut self,
        port: &'static str,
        law: impl FnOnce(&mut Evaluation<'_>) -> Result<Ex, Error> + 'static,
    ) {
        self.structure.signals.push((PortId { component: self.component, port }, Box::new(law)));
    }

    /// What is computed when positions and speeds are known: forces, torques, variables.
    pub fn law(&mut self, law: impl FnOnce(&mut Evaluation<'_>) -> Result<(), Error> + 'static) {
        self.structure.laws.push((self.component, Box::new(law)));
    }

    /// What is computed when accelerations are known.
    pub fn after(&mut self, law: impl FnOnce(&mut Evaluation<'_>) -> Result<(), Error> + 'static) {
        self.structure.afters.push((self.component, Box::new(law)));
    }
}
