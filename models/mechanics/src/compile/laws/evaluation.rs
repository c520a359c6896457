//! What a law sees: motions of flanges and frames, signals; and what it gives: torques, variables.

use crate::assembly::{PortId, element, place};
use crate::compile::algebra::linear_form::Linear;
use crate::compile::contributions::{FlangeEnd, FrameEnd, HeatEnd, Law, Pose, Signal, Twist};
use crate::compile::dynamics::equations_of_motion::{Friction, FrictionState, Solution};
use crate::compile::dynamics::impacts::Blow;
use crate::compile::loads::gravity::Gravity;
use crate::compile::loads::mass_matrix::Partials;
use crate::compile::motion::coordinates::{Coordinates, Motion};
use crate::compile::publication::deferred::Late;
use crate::compile::spatial::articulated::Link;
use crate::compile::topology::tree::Tree;
use crate::component::{Cut, Multiplier, Reaction};
use crate::error::Error;
use crate::vector::{Matrix, Vector};
use equations::{Bool, Declared, Discrete, Ex, Model, Quantity, select};
use std::collections::BTreeMap;
use std::ops::Range;

/// Motions of all links.
#[derive(Debug, Default)]
pub struct Frames {
    /// Links and the places of frames.
    pub tree: Tree,
    /// Poses in the world.
    pub poses: Vec<Pose>,
    /// Velocities in link axes.
    pub velocities: Vec<Twist>,
    /// Links in branches, without their bodies.
    pub branches: BTreeMap<usize, Link>,
    /// Partial velocities of the other links by independent coordinate.
    pub partials: Vec<Partials>,
    /// Partial velocities of all links by the variables of drives.
    pub by_drives: Vec<Partials>,
    /// Accelerations in link axes, gravity included as an upward acceleration of the world.
    pub accelerations: Vec<Twist>,
    /// Uniform gravity in world axes.
    pub gravity: Option<Vector>,
    /// Gravity as the world gives it.
    pub field: Option<Gravity>,
}

impl Frames {
    fn gravity_at(&self, r: &Vector) -> Vector {
        self.field.as_ref().map_or_else(crate::vector::zero, |field| field.at(r))
    }
}

/// How fast what sticks comes to rest while its speed is to be found, in 1/s: so slowly that a
/// start value with another influence is the one that a condition determines.
const RATE_OF_REST: f64 = 1e-4;

/// Where laws are evaluated, one component after the other.
pub struct Evaluation<'a> {
    pub(crate) model: &'a mut Model,
    pub(crate) coordinates: &'a mut Coordinates,
    pub(crate) frames: &'a mut Frames,
    pub(crate) names: &'a [String],
    pub(crate) component: usize,
    pub(crate) signals: BTreeMap<PortId, Option<Signal>>,
    pub(crate) quantities: BTreeMap<PortId, Quantity>,
    /// Placeholders of variables that were read before they were known, with the signals on the
    /// way back to them.
    pub(crate) early: BTreeMap<PortId, (Ex, Vec<PortId>)>,
    /// The signals that are being computed, each for the one before it.
    pub(crate) reading: Vec<PortId>,
    /// Torques and forces of flanges, into components.
    pub(crate) flows: Vec<(FlangeEnd, Ex)>,
    /// Torques and forces into components, in frame axes.
    pub(crate) wrenches: Vec<(FrameEnd, Twist)>,
    /// Heat flows into components.
    pub(crate) heat_flows: Vec<(HeatEnd, Ex)>,
    /// Temperatures of heat nodes in K.
    pub(crate) temperatures: BTreeMap<usize, Ex>,
    pub(crate) friction: Vec<Friction>,
    /// Rows along which impulses may act, before accelerations are known.
    pub(crate) rows: Vec<Motion>,
    /// Impulses at events.
    pub(crate) blows: Vec<Blow>,
    /// Forces of closed contacts, in the direction of their rows.
    pub(crate) contact_forces: Vec<(Motion, Ex)>,
    pub(crate) passes: Option<Discrete>,
    /// Whether anything gives impulses.
    pub(crate) impulsive: bool,
    /// Whether start values are to be found, speeds of friction elements among them.
    pub(crate) searches_start: bool,
    pub(crate) potential: Ex,
    pub(crate) solution: Option<Solution>,
    /// Laws that wait for the accelerations.
    pub(crate) afters: Vec<(usize, Law)>,
}

impl<'a> Evaluation<'a> {
    /// Without signals, laws that wait, and temperatures.
    pub(crate) fn new(
        model: &'a mut Model,
        coordinates: &'a mut Coordinates,
        frames: &'a mut Frames,
        names: &'a [String],
    ) -> Self {
        Evaluation {
            model,
            coordinates,
            frames,
            names,
            component: 0,
            signals: BTreeMap::new(),
            quantities: BTreeMap::new(),
            early: BTreeMap::new(),
            reading: Vec::new(),
            flows: Vec::new(),
            wrenches: Vec::new(),
            heat_flows: Vec::new(),
            temperatures: BTreeMap::new(),
            friction: Vec::new(),
            rows: Vec::new(),
            blows: Vec::new(),
            contact_forces: Vec::new(),
            passes: None,
            impulsive: false,
            searches_start: false,
            potential: Ex::zero(),
            solution: None,
            afters: Vec::new(),
        }
    }
}

impl Evaluation<'_> {
    /// The instance's name.
    pub fn name(&self) -> &str {
        &self.names[self.component]
    }

    /// What the relative acceleration of a stuck element lacks to zero while its speed is to be
    /// found: what sticks rests, which accelerations alone do not say.
    pub(crate) fn comes_to_rest(&mut self, locked: Bool, speed: Ex) -> Ex {
        match self.searches_start {
            true => select(self.model.initial() & locked, speed * RATE_OF_REST, 0.0),
            false => Ex::zero(),
        }
    }

    /// Refuses parameters and initial values for which `condition` is false, when the model is
    /// compiled and at the end of initialization; the sentence begins with the instance's
    /// variables `of` and their values. See [`Model::require`].
    pub fn require(&mut self, of: &[&str], condition: Bool, sentence: &str) {
        let of: Vec<String> = of.iter().map(|local| self.full(local)).collect();
        let of: Vec<&str> = of.iter().map(String::as_str).collect();
        self.model.require(&of, condition, sentence);
    }

    /// Notes when the model is compiled that `condition` is false with the values that it begins
    /// with; the sentence begins as that of [`Evaluation::require`]. See [`Model::remark`].
    pub fn remark(&mut self, of: &[&str], condition: Bool, sentence: &str) {
        let of: Vec<String> = of.iter().map(|local| self.full(local)).collect();
        let of: Vec<&str> = of.iter().map(String::as_str).collect();
        self.model.remark(&of, condition, sentence);
    }

    /// The full name of one of the instance's variables.
    pub fn full(&self, local: &str) -> String {
        format!("{}.{local}", self.name())
    }

    /// The full name of a port.
    pub(crate) fn full_of(&self, port: PortId) -> String {
        format!("{}.{}", self.names[port.component], port.port)
    }

    /// The model, for relations and discrete variables.
    pub fn model(&mut self) -> &mut Model {
        self.model
    }

    /// Time in s.
    pub fn time(&self) -> Ex {
        self.model.time()
    }

    /// True from the instant `start_time` (in s) on; a time event.
    pub fn from(&mut self, start_time: Ex) -> Bool {
        let name = self.full("startTime");
        self.model.time_relation(&name, start_time)
    }

    /// Postpones a law until accelerations are known.
    pub fn later(&mut self, law: Law) {
        self.afters.push((self.component, law));
    }

    /// Publishes a variable of the instance; signals may read it from now on.
    pub fn variable(
        &mut self,
        local: &'static str,
        value: impl Into<Quantity>,
    ) -> Declared<'_, ()> {
        let value = value.into();
        self.quantities.insert(PortId { component: self.component, port: local }, value);
        let name = self.full(local);
        self.model.local(&name, value)
    }

    /// Publishes a vector of the instance as `local[1]` to `local[3]`; elements that are
    /// coordinates of the instance are published already.
    pub fn publish(&mut self, local: &str, value: &Vector) {
        for i in 0..3 {
            let element = element(local, i + 1);
            if !self.is_known(element) {
                self.variable(element, value[i]);
            }
        }
    }

    /// Publishes a three by three matrix without unit as `local[1,1]` to `local[3,3]`.
    pub fn matrix(&mut self, local: &str, value: &Matrix, describe: &str) {
        for k in 0..9 {
            let element = element(local, place(k));
            self.variable(element, value[(k / 3, k % 3)]).unit("1").describe(describe);
        }
    }

    /// Whether a variable of the instance is published already.
    pub(crate) fn is_known(&self, local: &'static str) -> bool {
        self.quantities.contains_key(&PortId { component: self.component, port: local })
    }

    /// Names a value that is published elsewhere, so that signals may read it.
    pub fn define(&mut self, local: &'static str, value: impl Into<Quantity>) {
        self.quantities.insert(PortId { component: self.component, port: local }, value.into());
    }

    /// The value of a signal or of a variable; a placeholder if it is not known yet.
    pub fn read(&mut self, source: PortId) -> Result<Ex, Error> {
        if let Some(value) = self.quantities.get(&source) {
            return Ok(match *value {
                Quantity::Real(ex) => ex,
                Quantity::Truth(b) => b.as_ex(),
            });
        }
        match self.signals.insert(source, None) {
            Some(Some(law)) => {
                let reader = std::mem::replace(&mut self.component, source.component);
                self.reading.push(source);
                let value = law(self)?;
                self.reading.pop();
                self.component = reader;
                self.quantities.insert(source, value.into());
                Ok(value)
            }
            Some(None) | None => {
                // What is being computed from it closes an algebraic loop.
                let begin = self.reading.iter().position(|of| *of == source);
                let ring = begin.map_or(vec![source], |begin| self.reading[begin..].to_vec());
                let symbol = || (Ex::symbol(), ring);
                Ok(self.early.entry(source).or_insert_with(symbol).0)
            }
        }
    }

    /// The values of the elements of a vector of signals.
    pub fn read_vector(&mut self, [x, y, z]: [PortId; 3]) -> Result<Vector, Error> {
        Ok(Vector::new(self.read(x)?, self.read(y)?, self.read(z)?))
    }

    /// The value of a signal or of a variable of the instance itself.
    pub fn read_own(&mut self, port: &'static str) -> Result<Ex, Error> {
        self.read(PortId { component: self.component, port })
    }

    /// Tells what replaces the placeholders of variables that were read too early.
    pub(crate) fn finish(&mut self, late: &mut Late) -> Result<(), Error> {
        for (source, (symbol, ring)) in std::mem::take(&mut self.early) {
            let name = self.full_of(source);
            let ring: Vec<String> = ring.into_iter().map(|port| self.full_of(port)).collect();
            let Some(value) = self.quantities.get(&source) else {
                return Err(Error::Connection(format!("{name}: {}", self.absence(source))));
            };
            let value = match *value {
                Quantity::Real(ex) => ex,
                Quantity::Truth(b) => b.as_ex(),
            };
            late.add(&ring.join(", "), symbol, value);
        }
        Ok(())
    }

    /// Why a variable that is read as a signal cannot be.
    fn absence(&self, source: PortId) -> String {
        let of_table = |port: &str| port.starts_with("y[");
        let columns = self.quantities.keys();
        let columns = columns.filter(|p| p.component == source.component && of_table(p.port));
        match (of_table(source.port), columns.count()) {
            (true, 1) => "the table has 1 column, counted from 1".to_owned(),
            (true, count) if count > 1 => format!("the table has {count} columns, counted from 1"),
            _ => "it is read as a signal, but the component has no such variable".to_owned(),
        }
    }

    /// The position of a flange with its rates.
    pub fn flange(&mut self, end: FlangeEnd) -> Motion {
        self.coordinates.variable(end.node)
    }

    /// The position of flange `b` relative to flange `a`, with its rates.
    pub fn relative(&mut self, a: FlangeEnd, b: FlangeEnd) -> Motion {
        let relative = Linear::variable(b.node).minus(&Linear::variable(a.node));
        self.coordinates.motion(&relative)
    }

    /// Sets the cut torque (or force) of a flange: positive into the component.
    pub fn set_flow(&mut self, end: FlangeEnd, flow: Ex) {
        self.flows.push((end, flow));
    }

    /// Sets the torque (or force) of a component between two flanges: `flow` into it at `b`, the
    /// opposite at `a`.
    pub fn set_flow_between(&mut self, a: FlangeEnd, b: FlangeEnd, flow: Ex) {
        self.set_flow(b, flow);
        self.set_flow(a, -flow);
    }

    /// Sets the cut torque `wrench.w` and the cut force `wrench.v` of a frame: positive into the
    /// component, in frame axes.
    pub fn set_wrench(&mut self, end: FrameEnd, wrench: Twist) {
        self.wrenches.push((end, wrench));
    }

    /// Publishes `lossPower` of the instance in W; the heat flows out of its heat port, if that is
    /// connected.
    pub fn set_loss(&mut self, heat_port: Option<HeatEnd>, loss_power: Ex) {
        self.variable("lossPower", loss_power);
        if let Some(end) = heat_port {
            self.set_heat_flow(end, -loss_power);
        }
    }

    /// The temperature of a heat port in K.
    pub fn temperature(&self, end: HeatEnd) -> Ex {
        self.temperatures[&end.node]
    }

    /// Sets the heat flow into the component at a heat port, in W.
    pub fn set_heat_flow(&mut self, end: HeatEnd, flow: Ex) {
        self.heat_flows.push((end, flow));
    }

    /// Adds a friction element; gives its number.
    pub fn add_friction(&mut self, friction: Friction) -> usize {
        self.friction.push(friction);
        self.friction.len() - 1
    }

    /// Adds rows along which impulses may act at events; gives their numbers.
    pub fn add_rows(&mut self, rows: &[Motion]) -> Range<usize> {
        let first = self.rows.len();
        self.rows.extend_from_slice(rows);
        first..self.rows.len()
    }

    /// Counts the event iterations at the present instant in which something was struck.
    pub fn passes(&mut self) -> Discrete {
        *self.passes.get_or_insert_with(|| {
            let text = "Event iterations at the present instant in which something was struck";
            self.model.discrete("impacts.pass", 0.0).integer().describe(text).done()
        })
    }

    /// Whether impulses changed speeds in the event iteration before the present one.
    pub fn after_impulses(&mut self) -> Bool {
        if self.impulsive { self.passes().pre().gt(0.0) } else { Bool::constant(false) }
    }

    /// Says how impulses arise along rows, and what is to be done with them.
    pub fn add_blow(&mut self, blow: Blow) {
        self.blows.push(blow);
    }

    /// What a unit of impulse along each row changes.
    pub(crate) fn impulse_responses(&self) -> &[BTreeMap<usize, Ex>] {
        &self.solved().responses
    }

    /// Adds to the potential energy of the system, in J.
    pub fn add_potential(&mut self, energy: Ex) {
        self.potential += energy;
    }

    /// The pose of a frame in the world.
    pub fn pose(&self, end: FrameEnd) -> Pose {
        let place = &self.frames.tree.places[&end.node];
        self.frames.poses[place.link].then(&place.pose)
    }

    /// The velocity of a frame in its own axes.
    pub fn velocity(&self, end: FrameEnd) -> Twist {
        let place = &self.frames.tree.places[&end.node];
        self.frames.velocities[place.link].at(&place.pose)
    }

    /// The acceleration of gravity at a position, both in world axes.
    pub fn gravity(&self, r: &Vector) -> Vector {
        self.frames.gravity_at(r)
    }

    /// The acceleration of a frame in its own axes. Known in laws on accelerations only.
    pub fn acceleration(&self, end: FrameEnd) -> Twist {
        let place = &self.frames.tree.places[&end.node];
        let (v, a) = (&self.frames.velocities[place.link], &self.frames.accelerations[place.link]);
        let mut at = crate::compile::kinematics::recursion::acceleration_at(v, a, &place.pose);
        at.v += self.pose(end).t * self.frames.gravity.unwrap_or_else(crate::vector::zero);
        at
    }

    /// The second derivative of a motion.
    ///
    /// # Panics
    /// Outside of laws on accelerations, where it is not known.
    pub fn second_derivative(&self, motion: &Motion) -> Ex {
        motion.acceleration(&self.solved().accelerations)
    }

    /// The multiplier of a relation.
    ///
    /// # Panics
    /// Outside of laws on accelerations, where it is not known.
    pub fn reaction(&self, reaction: Reaction) -> Ex {
        self.solved().reactions[&reaction.0]
    }

    /// The multiplier of a constraint's residual.
    ///
    /// # Panics
    /// Outside of laws on accelerations, where it is not known.
    pub fn multiplier(&self, multiplier: Multiplier) -> Ex {
        -self.reaction(multiplier.0)
    }

    /// Cut torque and cut force at frame `a` of a rigid connection, into it, in the frame's axes.
    ///
    /// # Panics
    /// Outside of laws on accelerations, where they are not known.
    pub fn cut_load(&self, cut: &Cut) -> Twist {
        let vector = |first: usize| Vector::from_fn(|k, _| self.reaction(cut.0[first + k]));
        Twist { v: vector(0), w: vector(3) }
    }

    /// The state of a friction element.
    ///
    /// # Panics
    /// Outside of laws on accelerations, where it is not known.
    pub fn friction_state(&self, index: usize) -> FrictionState {
        self.solved().friction[index]
    }

    fn solved(&self) -> &Solution {
        let solution = self.solution.as_ref();
        solution.expect("accelerations are read in laws on accelerations: `after` or `later`")
    }
}
