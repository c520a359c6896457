//! Initial positions and speeds in terms of start values, and the role of each start value.

use super::initial_system::{Priority, StartValue};
use crate::compile::topology::Topology;
use crate::compile::topology::assumption::Assumption;
use crate::ids::{CandidateId, HeatNode, List, VariableId};
use crate::statements::algebra::linear_form::LinearForm;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::motion::coordinates::Coordinates;
use crate::statements::motion::level::Level;
use equations::Ex;
use std::collections::BTreeMap;

/// How a candidate takes part in the initial system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its start value is its initial value.
    Known,
    /// The search for its initial value begins at its start value.
    Guess,
    /// Its start value has no influence.
    Unused,
}

/// Initial values in terms of start values.
#[derive(Default)]
pub struct Initial {
    /// Initial positions of the variables.
    pub q: BTreeMap<VariableId, Ex>,
    /// Initial speeds of the variables.
    pub v: BTreeMap<VariableId, Ex>,
    /// For each candidate how its start value and its start speed count.
    pub roles: List<CandidateId, [Role; 2]>,
    /// Start values in use that are no initial conditions. Conditions on dependent values may
    /// determine them instead.
    pub free: Vec<StartValue>,
    /// Placeholders of these start values, by candidate and level.
    pub placeholders: BTreeMap<(CandidateId, Level), Ex>,
    /// Conditions on values that other conditions determine already.
    pub surplus: Vec<Surplus>,
    /// What must remain zero for fixed start values to agree with other values that determine the
    /// same.
    pub assumptions: Vec<Assumption>,
    /// Whether conditions on dependent values determine some of the start values in `free`.
    pub searched: bool,
    /// Notes about guesses that have no influence.
    pub left_out: Vec<String>,
}

impl Initial {
    /// The names of start values that are no initial conditions and yet initial values.
    pub fn guessed(&self, topology: &Topology) -> Vec<String> {
        let mut names = Vec::new();
        for (candidate, roles) in topology.candidates.iter().zip(&self.roles) {
            for (variable, role) in [&candidate.position, &candidate.speed].into_iter().zip(roles) {
                if *role == Role::Known && !variable.start.fixed {
                    names.push(variable.name.clone());
                }
            }
        }
        let loops = &topology.loops;
        let dependent = loops.dependents(&loops.structure.start);
        let open = loops.symbols.orientations().iter();
        // Others follow from the start values of a loop.
        let open = open.filter(|own| own.variables.iter().any(|v| !dependent.contains(v)));
        for own in open {
            let orientation = topology.structure.multibody.joints[own.joint].orientation.as_ref();
            if let Some(first) =
                orientation.map(|orientation| &orientation.quaternion[0]).filter(|q| !q.start.fixed)
            {
                names.push(first.name.trim_end_matches("[1]").to_owned());
            }
        }
        let capacities = &topology.structure.heat.capacities;
        let fixed = |node: HeatNode| {
            capacities.iter().any(|other| other.node == node && other.temperature.start.fixed)
        };
        let open = capacities.iter().filter(|capacity| !fixed(capacity.node));
        names.extend(open.map(|capacity| capacity.temperature.name.clone()));
        names
    }

    /// A placeholder for the start value of a candidate, which is a guess.
    pub fn placeholder(
        &mut self,
        topology: &Topology,
        numeric: &mut Numeric,
        level: Level,
        candidate: CandidateId,
    ) -> Ex {
        let variable = topology.candidates[candidate].variable(level);
        let (start, guess) = (variable.start, variable.slot);
        let (name, symbol) = (variable.name.clone(), Ex::symbol());
        let priority = if start.given { Priority::Guessed } else { Priority::Free };
        numeric.set(symbol, start.value);
        self.free.push(StartValue { name, symbol, guess, priority });
        self.placeholders.insert((candidate, level), symbol);
        symbol
    }

    /// The start value of a candidate whose start value is its initial value.
    pub fn start_of(&self, topology: &Topology, (candidate, level): (CandidateId, Level)) -> Ex {
        let slot = topology.candidates[candidate].variable(level).slot;
        self.placeholders.get(&(candidate, level)).copied().unwrap_or(slot)
    }
}

/// A condition on a position or a speed that others determine already. Values on which these depend
/// may be chosen to fulfil it.
#[derive(Clone, Debug)]
pub struct Surplus {
    /// The instance or variable that states it.
    pub name: String,
    /// The linear form whose position or speed is given.
    pub linear: LinearForm,
    /// Position or speed.
    pub level: Level,
    /// The value.
    pub value: Ex,
    /// The error if no value can fulfil it.
    pub refusal: String,
}

impl Surplus {
    /// The residual that vanishes at the start.
    pub fn residual(&self, coordinates: &Coordinates) -> Ex {
        let mut linear = self.linear.clone();
        if self.level == Level::Speed {
            linear.constant = Ex::zero();
        }
        let motion = coordinates.motion(&linear);
        let value = if self.level == Level::Position { motion.q } else { motion.v };
        value - self.value
    }

    /// The quantity that it restricts, for messages.
    pub fn what(&self) -> &'static str {
        match self.level {
            Level::Position => "the initial position",
            Level::Speed => "the initial speed",
        }
    }
}
