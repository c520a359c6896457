//! The view of every law: it reads positions and speeds of flanges and frames, and signals; it sets
//! variables, torques and forces, and impulses.

use super::circuits::{BranchLaws, CircuitSymbols};
use super::impulse_rows::ImpulseRows;
use crate::declaration::comparison::{MISSING, TWO_VALUES};
use crate::declaration::facts::Declaration;
use crate::error::Error;
use crate::ids::{ComponentId, FlangeId, HeatLinkId, HeatNode, List};
use crate::port::{Observable, PortId, element, full_name, place};
use crate::statements::algebra::linear_form::LinearForm;
use crate::statements::motion::coordinates::{Coordinates, Motion};
use crate::statements::motion::ends::{FlangeEnd, FrameEnd, HeatEnd};
use crate::statements::motion::frames::FrameMotions;
use crate::statements::spatial::pose::{Acceleration, Pose, Twist};
use crate::statements::spatial::wrench::Wrench;
use crate::vector::{Matrix, Vector, dot};
use equations::{
    Bool, Clock, DiscreteVariable, Ex, Expression, Model, RelationBuilder, Ticks, VariableBuilder,
    array_of,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// A signal, which is computed when it is first read.
pub type Signal = Box<dyn FnOnce(&mut SignalView<'_>) -> Result<Ex, Error>>;

/// A torque (or force) of a flange, into the component.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct FlangeLoad {
    /// The flange.
    pub end: FlangeEnd,
    /// The torque in N.m, or the force in N.
    pub flow: Ex,
}

/// A torque and a force of a frame, into the component and in frame axes.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct FrameLoad {
    /// The frame.
    pub end: FrameEnd,
    /// Torque and force.
    pub wrench: Wrench,
}

/// A heat flow into a component.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct HeatFlow {
    /// The heat port.
    pub end: HeatEnd,
    /// The flow in W.
    pub flow: Ex,
}

/// Torques and forces between components.
#[derive(Clone, Debug, Default)]
#[doc(hidden)]
pub struct AppliedLoads {
    /// Torques and forces of flanges.
    pub flows: Vec<FlangeLoad>,
    /// Torques and forces of frames.
    pub wrenches: Vec<FrameLoad>,
}

/// A placeholder of a variable that was read before it was known.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct EarlyRead {
    /// The placeholder.
    pub symbol: Ex,
    /// The signals on the way back to it, if it closes an algebraic loop.
    pub cycle: Vec<PortId>,
}

/// A placeholder of the derivative of a signal with respect to time.
#[derive(Clone, Copy, Debug)]
pub struct SignalRate {
    /// The component that reads it.
    pub component: ComponentId,
    /// The placeholder.
    pub symbol: Ex,
    /// The signal.
    pub of: Ex,
}

/// The motion and the facts that are known before any law is evaluated.
#[doc(hidden)]
pub struct KnownMotion<'a> {
    /// Motions of all coordinates.
    pub coordinates: &'a Coordinates,
    /// Motions of all frames.
    pub frames: &'a FrameMotions,
    /// The names of the components.
    pub names: &'a List<ComponentId, String>,
    /// Their declarations.
    pub declarations: &'a List<ComponentId, &'static Declaration>,
    /// The ports of the flanges.
    pub flanges: List<FlangeId, PortId>,
    /// Temperatures of heat nodes in K.
    pub temperatures: BTreeMap<HeatNode, Ex>,
    /// Heat flows in W through pairs of heat ports with one temperature.
    pub heat_links: List<HeatLinkId, Ex>,
    /// Potentials, currents and states of circuits.
    pub circuits: CircuitSymbols,
    /// The clocks of components.
    pub clocks: &'a BTreeMap<ComponentId, Clock>,
    /// Whether anything gives impulses.
    pub impulsive: bool,
    /// Whether start values are to be found, speeds of friction elements among them.
    pub searches_start: bool,
}

/// Where laws are evaluated, one component after the other.
///
/// Laws on positions and speeds get it as part of a
/// [`VelocityView`](super::velocity_view::VelocityView), laws on accelerations as part of an
/// [`AccelerationView`](super::acceleration_view::AccelerationView); signals get it alone.
pub struct SignalView<'a> {
    #[doc(hidden)]
    pub model: &'a mut Model,
    pub(super) known: KnownMotion<'a>,
    #[doc(hidden)]
    pub branch_laws: BranchLaws,
    #[doc(hidden)]
    pub component: ComponentId,
    /// Signals that have not been read yet; `None` while a signal is computed.
    waiting: BTreeMap<PortId, Option<Signal>>,
    #[doc(hidden)]
    pub quantities: BTreeMap<PortId, Expression>,
    #[doc(hidden)]
    pub early: BTreeMap<PortId, EarlyRead>,
    #[doc(hidden)]
    pub rates: Vec<SignalRate>,
    /// The signals that are being computed, each for the one before it.
    reading: Vec<PortId>,
    #[doc(hidden)]
    pub applied: AppliedLoads,
    #[doc(hidden)]
    pub heat_flows: Vec<HeatFlow>,
    #[doc(hidden)]
    pub prescribed_temperatures: BTreeMap<HeatNode, Ex>,
    impulses: Vec<ImpulseRows>,
    passes: Option<DiscreteVariable>,
    #[doc(hidden)]
    pub potential: Ex,
}

impl<'a> SignalView<'a> {
    /// With a known motion and with signals that have not been read.
    #[doc(hidden)]
    pub fn new(
        model: &'a mut Model,
        known: KnownMotion<'a>,
        signals: impl IntoIterator<Item = (PortId, Signal)>,
    ) -> Self {
        SignalView {
            model,
            known,
            branch_laws: BranchLaws::default(),
            component: ComponentId::default(),
            waiting: signals.into_iter().map(|(id, signal)| (id, Some(signal))).collect(),
            quantities: BTreeMap::new(),
            early: BTreeMap::new(),
            rates: Vec::new(),
            reading: Vec::new(),
            applied: AppliedLoads::default(),
            heat_flows: Vec::new(),
            prescribed_temperatures: BTreeMap::new(),
            impulses: Vec::new(),
            passes: None,
            potential: Ex::zero(),
        }
    }

    /// Motions of all coordinates.
    #[doc(hidden)]
    pub fn coordinates(&self) -> &'a Coordinates {
        self.known.coordinates
    }

    /// Motions of all frames.
    #[doc(hidden)]
    pub fn frames(&self) -> &'a FrameMotions {
        self.known.frames
    }

    /// Whether anything gives impulses.
    pub fn is_impulsive(&self) -> bool {
        self.known.impulsive
    }

    /// Whether start values are to be found, speeds of friction elements among them.
    #[doc(hidden)]
    pub fn searches_start(&self) -> bool {
        self.known.searches_start
    }
}

impl SignalView<'_> {
    /// The instance's name.
    pub fn name(&self) -> &str {
        &self.known.names[self.component]
    }

    /// The component instance whose law reads.
    pub fn component(&self) -> ComponentId {
        self.component
    }

    /// The name of a component.
    #[doc(hidden)]
    pub fn name_of(&self, component: ComponentId) -> &str {
        &self.known.names[component]
    }

    /// Refuses parameters and initial values for which `condition` is false, when the model is
    /// compiled and at the end of initialization; the sentence begins with the instance's
    /// variables `of` and their values. See [`Model::require`].
    pub fn require(&mut self, of: &[&str], condition: Bool, sentence: &str) {
        let of: Vec<String> = of.iter().map(|local| self.full(local)).collect();
        let of: Vec<&str> = of.iter().map(String::as_str).collect();
        self.model.require(&of, condition, sentence);
    }

    /// Notes, when the model is compiled, that `condition` is false at the start. The sentence
    /// begins like a sentence of [`SignalView::require`]. See [`Model::remark`].
    pub fn remark(&mut self, of: &[&str], condition: Bool, sentence: &str) {
        let of: Vec<String> = of.iter().map(|local| self.full(local)).collect();
        let of: Vec<&str> = of.iter().map(String::as_str).collect();
        self.model.remark(&of, condition, sentence);
    }

    /// The full name of one of the instance's variables.
    pub fn full(&self, local: &str) -> String {
        full_name(self.name(), local)
    }

    /// The full name of a port.
    #[doc(hidden)]
    pub fn full_of(&self, port: PortId) -> String {
        full_name(&self.known.names[port.component], port.port)
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

    /// The truth value `residual > 0`, whose changes are events; see [`Model::relation`].
    pub fn relation(&mut self, local: &str, residual: impl Into<Ex>) -> RelationBuilder<'_> {
        let name = self.full(local);
        self.model.relation(&name, residual)
    }

    /// True for one event, when `condition` becomes true; see [`Model::when`].
    pub fn when(&mut self, local: &str, condition: Bool) -> Bool {
        let name = self.full(local);
        self.model.when(&name, condition)
    }

    /// True for one event at each of the instants `start + i * interval` in s; see
    /// [`Model::sample`].
    pub fn sample(&mut self, local: &str, start: impl Into<Ex>, interval: impl Into<Ex>) -> Bool {
        let name = self.full(local);
        self.model.sample(&name, start, interval)
    }

    /// The clock of the instance, with its ticks.
    ///
    /// # Errors
    /// No clock is known for it.
    pub fn ticks(&mut self) -> Result<(Clock, Ticks), Error> {
        let Some(clock) = self.known.clocks.get(&self.component) else {
            return Err(Error::Connection(format!(
                "{}: no clock says when it ticks; a SampleClocked or an AssignClock that is \
                 connected to its signals gives them a clock",
                self.name()
            )));
        };
        let name = self.full("clock");
        Ok((*clock, self.model.ticks(&name, *clock)))
    }

    /// Refuses the model: what is wrong with a name in the equations of the instance.
    fn refuse_name(&mut self, local: &str, what: impl Display) {
        let sentence = self.known.declarations[self.component].wrong(&self.full(local), what);
        self.model.refuse(equations::Error::Definition(sentence));
    }

    /// Notes each variable of a declaration that the equations, which are complete, neither publish
    /// nor let signals read, unless it is optional.
    #[doc(hidden)]
    pub fn note_missing_variables(&mut self) {
        let readable = self.quantities.keys().map(|id| self.full_of(*id));
        let mut names: BTreeSet<String> =
            self.model.names().map(str::to_owned).chain(readable).collect();
        // An element stands for its array.
        let arrays: Vec<String> =
            names.iter().filter_map(|name| array_of(name)).map(str::to_owned).collect();
        names.extend(arrays);
        for (component, declaration) in self.known.declarations.enumerate() {
            for variable in declaration.variables.iter().filter(|variable| !variable.optional) {
                let name = full_name(&self.known.names[component], variable.name);
                if !names.contains(&name) {
                    self.model.note(declaration.wrong(&name, MISSING));
                }
            }
        }
    }

    /// Publishes a variable of the instance, which its declaration lists; signals may read it from
    /// now on.
    pub fn variable(
        &mut self,
        local: &'static str,
        value: impl Into<Expression>,
    ) -> VariableBuilder<'_, ()> {
        let name = self.full(local);
        if !self.model.is_announced(&name) {
            let declaration = self.known.declarations[self.component];
            self.refuse_name(local, declaration.unlisted_variable());
        }
        self.undeclared(local, value)
    }

    /// Publishes a variable of the instance that its declaration does not list.
    #[doc(hidden)]
    pub fn undeclared(
        &mut self,
        local: &'static str,
        value: impl Into<Expression>,
    ) -> VariableBuilder<'_, ()> {
        let value = value.into();
        self.define(local, value);
        let name = self.full(local);
        self.model.local(&name, value)
    }

    /// Publishes a variable of the instance if its declaration lists it; signals may read it in any
    /// case.
    pub fn offer(&mut self, local: &'static str, value: Ex) {
        let name = self.full(local);
        match self.model.is_announced(&name) {
            true => drop(self.variable(local, value)),
            false => self.define(local, value),
        }
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
    pub fn is_known(&self, local: &'static str) -> bool {
        self.quantities.contains_key(&PortId { component: self.component, port: local })
    }

    /// Names a value that is published elsewhere, so that signals may read it.
    pub fn define(&mut self, local: &'static str, value: impl Into<Expression>) {
        let own = PortId { component: self.component, port: local };
        // Only the law of a signal defines it, and once: while it is computed.
        let has_other_value = match self.waiting.get(&own) {
            Some(Some(_)) => true,
            Some(None) => self.quantities.contains_key(&own),
            None => false,
        };
        if has_other_value {
            self.refuse_name(local, TWO_VALUES);
        }
        self.quantities.insert(own, value.into());
    }

    /// The value of a signal or of a variable; a placeholder if it is not known yet.
    pub fn read(&mut self, source: PortId) -> Result<Ex, Error> {
        if let Some(value) = self.quantities.get(&source) {
            return Ok(match *value {
                Expression::Real(ex) => ex,
                Expression::Truth(b) => b.as_ex(),
            });
        }
        match self.waiting.insert(source, None) {
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
                let cycle = begin.map_or(vec![source], |begin| self.reading[begin..].to_vec());
                let early = || EarlyRead { symbol: Ex::symbol(), cycle };
                Ok(self.early.entry(source).or_insert_with(early).symbol)
            }
        }
    }

    /// The value of a variable of a component; see [`SignalView::read`].
    pub fn value(&mut self, of: impl Observable) -> Result<Ex, Error> {
        self.read(of.quantity().0)
    }

    /// The value of a signal or of a variable of type Boolean; see [`SignalView::read`].
    pub fn read_truth(&mut self, source: PortId) -> Result<Bool, Error> {
        Ok(self.read(source)?.is_true())
    }

    /// The values of the elements of a vector of signals.
    pub fn read_vector(&mut self, [x, y, z]: [PortId; 3]) -> Result<Vector, Error> {
        Ok(Vector::new(self.read(x)?, self.read(y)?, self.read(z)?))
    }

    /// The derivative of a signal with respect to time: a placeholder, because accelerations may be
    /// needed for it. Inputs of the FMU and discrete variables count as constant.
    pub fn rate(&mut self, of: Ex) -> Ex {
        let rate = SignalRate { component: self.component, symbol: Ex::symbol(), of };
        self.rates.push(rate);
        rate.symbol
    }

    /// The value of a signal or of a variable of the instance itself.
    pub fn read_own(&mut self, port: &'static str) -> Result<Ex, Error> {
        self.read(PortId { component: self.component, port })
    }

    /// Why a variable that is read as a signal cannot be.
    #[doc(hidden)]
    pub fn absence(&self, source: PortId) -> String {
        let array = array_of(source.port);
        let elements = self.quantities.keys().filter(|of| of.component == source.component);
        let count = elements.filter(|of| array.is_some() && array_of(of.port) == array).count();
        match (array, count) {
            (Some(array), 1) => format!("{array} has 1 element, counted from 1"),
            (Some(array), 2..) => format!("{array} has {count} elements, counted from 1"),
            _ => "it is read as a signal, but the component has no such variable in this model"
                .to_owned(),
        }
    }

    /// The position of a flange with its rates.
    pub fn flange(&self, end: FlangeEnd) -> Motion {
        self.known.coordinates.variable(end.node.variable())
    }

    /// The position of flange `b` relative to flange `a`, with its rates.
    pub fn relative(&self, a: FlangeEnd, b: FlangeEnd) -> Motion {
        let relative =
            LinearForm::variable(b.node.variable()).minus(&LinearForm::variable(a.node.variable()));
        self.known.coordinates.motion(&relative)
    }

    /// Sets a cut torque (or force) of a flange: positive into the component. Those that a
    /// component sets add up, as a spring and a damper beside it do.
    pub fn set_flow(&mut self, end: FlangeEnd, flow: Ex) {
        self.applied.flows.push(FlangeLoad { end, flow });
    }

    /// Sets a torque (or force) of a component between two flanges: `flow` into it at `b`, the
    /// opposite at `a`, which is another flange. Those between the same flanges add up.
    pub fn set_flow_between(&mut self, a: FlangeEnd, b: FlangeEnd, flow: Ex) {
        if a == b {
            let port = self.known.flanges[a.end].port;
            self.refuse_name(port, "let a torque (or force) act between this flange and itself");
        }
        self.set_flow(b, flow);
        self.set_flow(a, -flow);
    }

    /// Sets a cut torque and a cut force of a frame: positive into the component, in frame axes.
    /// Those of one frame add up.
    pub fn set_wrench(&mut self, end: FrameEnd, wrench: Wrench) {
        self.applied.wrenches.push(FrameLoad { end, wrench });
    }

    /// Publishes `lossPower` of the instance in W, if the declaration lists this variable. The heat
    /// flows out of the heat port, if the port is connected.
    pub fn set_loss(&mut self, heat_port: Option<HeatEnd>, loss_power: Ex) {
        self.offer("lossPower", loss_power);
        if let Some(end) = heat_port {
            self.set_heat_flow(end, -loss_power);
        }
    }

    /// The temperature of a heat port in K.
    pub fn temperature(&self, end: HeatEnd) -> Ex {
        self.known.temperatures[&end.node]
    }

    /// States the temperature of a heat port in K, which the component prescribes.
    pub fn prescribe_temperature(&mut self, end: HeatEnd, temperature: Ex) {
        self.prescribed_temperatures.insert(end.node, temperature);
    }

    /// The heat flow in W from the first one of two linked heat ports to the second one.
    pub fn heat_through(&self, link: HeatLinkId) -> Ex {
        self.known.heat_links[link]
    }

    /// Sets a heat flow into the component at a heat port, in W. Those at one port add up.
    pub fn set_heat_flow(&mut self, end: HeatEnd, flow: Ex) {
        self.heat_flows.push(HeatFlow { end, flow });
    }

    /// Counts the event iterations at the present instant that had an impact.
    pub fn passes(&mut self) -> DiscreteVariable {
        *self.passes.get_or_insert_with(|| {
            let text = "Event iterations at the present instant in which something was struck";
            self.model.discrete("impacts.pass", 0.0).integer().describe(text).done()
        })
    }

    /// Whether impulses changed speeds in the event iteration before the present one.
    pub fn after_impulses(&mut self) -> Bool {
        if self.known.impulsive { self.passes().pre().gt(0.0) } else { Bool::constant(false) }
    }

    /// Adds impulse rows, with the use of their outcome.
    pub fn add_impulses(&mut self, rows: ImpulseRows) {
        self.impulses.push(rows);
    }

    /// The impulse rows that were stated; none is left.
    #[doc(hidden)]
    pub fn take_impulses(&mut self) -> Vec<ImpulseRows> {
        std::mem::take(&mut self.impulses)
    }

    /// Adds to the potential energy of the system, in J.
    pub fn add_potential(&mut self, energy: Ex) {
        self.potential += energy;
    }

    /// The pose of a frame in the world.
    pub fn pose(&self, end: FrameEnd) -> Pose {
        self.known.frames.pose(end)
    }

    /// The velocity of a frame in its own axes.
    pub fn velocity(&self, end: FrameEnd) -> Twist {
        self.known.frames.velocity(end)
    }

    /// The motion of a frame along an axis of its own: its velocity, and the partial velocities by
    /// the coordinates; it has no position and no acceleration.
    pub fn velocity_along(&self, end: FrameEnd, axis: &Vector) -> Motion {
        let mut motion =
            Motion::prescribed([Ex::zero(), dot(axis, &self.velocity(end).v), Ex::zero()]);
        for variable in self.frames().moving(&[end]) {
            let partial = dot(axis, &self.frames().partial(end, variable).v);
            motion.partials.insert(variable, partial);
        }
        motion
    }

    /// The acceleration of a frame in its own axes at constant speeds of the coordinates.
    #[doc(hidden)]
    pub fn bias_acceleration(&self, end: FrameEnd) -> Acceleration {
        self.known.frames.acceleration(end, &self.known.frames.bias)
    }

    /// The acceleration of gravity at a position, both in world axes.
    pub fn gravity(&self, r: &Vector) -> Vector {
        self.known.frames.gravity_at(r)
    }
}
