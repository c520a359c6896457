//! What all components contributed, before any of it is solved: plain lists.

pub mod connection_sets;
mod constraints;
mod mechanism;
mod relations;
pub mod units;

use crate::assembly::PortId;
use crate::compile::contributions::units::Units;
use crate::compile::laws::evaluation::Evaluation;
use crate::compile::loads::gravity::Gravity;
use crate::compile::loads::support_reaction::{LineMount, Mount, Rotor};
pub use crate::compile::spatial::pose::{Pose, Twist};
use crate::domain::{Domain, Word};
use crate::error::Error;
use crate::scene::Shapes;
use crate::start::Start;
pub use constraints::*;
use equations::{Ex, Model};
pub use mechanism::*;
pub use relations::*;
use std::collections::BTreeSet;

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

/// A variable that has a start value and may become a state.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its name within the component.
    pub local: &'static str,
    /// Its full name.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its start value.
    pub start: Start,
    /// The start value as an expression.
    pub slot: Ex,
    /// Its nominal value.
    pub nominal: f64,
    /// Whether it is published even if it is no state.
    pub published: bool,
    /// How its derivative is called, if that is published beside it.
    pub rate: Option<Word>,
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

/// A state of a block whose initial value the initial system determines.
pub struct Steady {
    /// Its full name.
    pub name: String,
    /// The state.
    pub state: Ex,
    /// The placeholder of its initial value.
    pub symbol: Ex,
    /// Where the search for the initial value begins.
    pub guess: Ex,
    /// What the initial value is.
    pub begin: Begin,
}

/// Where a state of a block begins.
pub enum Begin {
    /// Where its derivative vanishes.
    AtRest,
    /// At this value, where it rests.
    At(Signal),
    /// Wherever other conditions want it; whether its start value is a guess that somebody gave.
    Open {
        /// True for a guess, false if it is free.
        given: bool,
    },
}

/// A law: run once, when what it reads is known.
pub type Law = Box<dyn FnOnce(&mut Evaluation<'_>) -> Result<(), Error>>;

/// A signal: computed when somebody reads it.
pub type Signal = Box<dyn FnOnce(&mut Evaluation<'_>) -> Result<Ex, Error>>;

/// Everything the components contributed.
#[derive(Default)]
pub struct Structure {
    /// What stands for parameters of the model, and the parameters.
    pub model_parameters: Vec<(Ex, Ex)>,
    /// Units of signals.
    pub units: Units,
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
    /// States that begin where their derivatives vanish.
    pub steady: Vec<Steady>,
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
    /// Whether anything gives impulses.
    pub impulsive: bool,
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
