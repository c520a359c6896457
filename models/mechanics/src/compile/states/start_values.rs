//! Which start values count: an elimination for positions, and one for speeds.

use super::initial::{Initial, Role, Surplus};
use super::motion_placeholders::{KnownStart, MotionPlaceholders};
use super::selection::Selection;
use crate::compile::topology::Topology;
use crate::compile::topology::assumption::Assumption;
use crate::error::Error;
use crate::ids::{CandidateId, VariableId};
use crate::statements::algebra::linear_form::{Elimination, LinearForm, Outcome};
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::start_variable::StartVariable;
use crate::statements::motion::level::Level;
use equations::Ex;
use std::collections::BTreeSet;

/// Values of the variables that start values determine without closing loops, which determine the
/// `dependent` ones.
pub fn eliminate(
    known: &InitialData<'_>,
    numeric: &mut Numeric,
    level: Level,
    dependent: &BTreeSet<VariableId>,
    initial: &mut Initial,
) -> Result<Elimination, Error> {
    let &InitialData { topology, selection, placeholders } = known;
    let fixed = |k: &CandidateId| topology.candidates[*k].variable(level).start.fixed;
    let (first, others): (Vec<CandidateId>, Vec<CandidateId>) =
        topology.candidates.ids().partition(fixed);
    let preferred = selection.states.iter().chain(&selection.massless.first_order).copied();
    let preferred: Vec<CandidateId> = preferred.filter(|k| !fixed(k)).collect();
    let others = others.into_iter().filter(|k| !preferred.contains(k));
    let guesses: Vec<CandidateId> = preferred.iter().copied().chain(others).collect();

    let (system, used) = (Elimination::default(), Vec::new());
    let mut values = StartValues {
        topology,
        selection,
        placeholders,
        numeric,
        level,
        dependent,
        initial,
        system,
        used,
    };
    values.take_signals()?;
    for k in first {
        values.take(k)?;
    }
    values.take_targets();
    for k in guesses {
        values.take(k)?;
    }
    Ok(values.system)
}

/// The data from which initial values follow.
#[derive(Clone, Copy)]
pub struct InitialData<'a> {
    /// The topology.
    pub topology: &'a Topology,
    /// The states.
    pub selection: &'a Selection,
    /// Placeholders of values that signals give.
    pub placeholders: &'a MotionPlaceholders,
}

/// The elimination in the making.
struct StartValues<'a> {
    topology: &'a Topology,
    selection: &'a Selection,
    placeholders: &'a MotionPlaceholders,
    numeric: &'a mut Numeric,
    level: Level,
    dependent: &'a BTreeSet<VariableId>,
    initial: &'a mut Initial,
    system: Elimination,
    /// The names of initial conditions in use.
    used: Vec<String>,
}

impl StartValues<'_> {
    /// Adds the values that signals give: prescribed motions and their initial conditions.
    fn take_signals(&mut self) -> Result<(), Error> {
        for known in self.placeholders.known(self.topology, self.level) {
            let KnownStart { component, variable, value, moves } = known;
            let name = self.topology.structure.names[component].clone();
            let linear = self.topology.variables.start_form(variable);
            let mut equation = linear.clone();
            if self.level == Level::Speed {
                equation.constant = Ex::zero();
            }
            equation.constant -= value;
            let refusal = if self.selection.is_out_of_reach(&equation, self.level, self.dependent) {
                format!(
                    "{name}: an initial condition where a loop or the balance of torques already \
                     determines the motion"
                )
            } else if let Outcome::Eliminated(_) =
                self.system.relate(&equation, |_| 0, self.numeric)
            {
                self.used.push(name);
                continue;
            } else {
                format!("{name}: its initial condition is one too many{}", self.others())
            };
            if moves {
                return Err(Error::Initial(refusal));
            }
            let level = self.level;
            self.initial.surplus.push(Surplus { name, linear, level, value, refusal });
        }
        Ok(())
    }

    /// Inserts the placeholders of the values that initial accelerations determine.
    fn take_targets(&mut self) {
        for (variable, symbol) in self.placeholders.targets(self.level) {
            let mut equation = self.topology.variables.start_form(variable);
            if self.level == Level::Speed {
                equation.constant = Ex::zero();
            }
            equation.constant -= symbol;
            if !self.selection.is_out_of_reach(&equation, self.level, self.dependent) {
                // Values that others determine already remain.
                self.system.relate(&equation, |_| 0, self.numeric);
            }
        }
    }

    /// Lets the start value of a candidate count, if nothing else determines it.
    fn take(&mut self, k: CandidateId) -> Result<(), Error> {
        let candidate = &self.topology.candidates[k];
        let speed = self.level == Level::Speed;
        let first_order = candidate.prescribed.is_some_and(|(_, second_order)| !second_order);
        let dependent = candidate.linear.terms.keys().any(|v| self.dependent.contains(v));
        // A turn from where a quaternion starts is zero.
        if speed && first_order || !speed && candidate.is_angular_velocity && !dependent {
            return Ok(());
        }
        let fixed = candidate.variable(self.level).start.fixed;
        if candidate.linear.terms.keys().any(|&v| self.selection.massless.has_no_start(v, speed)) {
            self.take_without_inertia(k);
            return Ok(());
        }
        if dependent {
            if fixed {
                let name = &candidate.variable(self.level).name;
                let refusal = self.topology.loops.taken(name, &candidate.linear, self.level);
                self.add_surplus(k, refusal);
            }
            return Ok(());
        }
        self.relate(k)
    }

    /// A start value where nothing has inertia.
    fn take_without_inertia(&mut self, k: CandidateId) {
        let StartVariable { start, name, .. } = self.topology.candidates[k].variable(self.level);
        if self.level == Level::Position && self.selection.massless.first_order.contains(&k) {
            // A state that no other start value can reach.
            self.initial.roles[k][0] = Role::Known;
            if self.initial.searched && !start.fixed {
                self.initial.placeholder(self.topology, self.numeric, self.level, k);
            }
        } else if start.fixed {
            let refusal = format!(
                "{name}: a fixed start value where nothing has inertia: the torques already \
                 determine it"
            );
            self.add_surplus(k, refusal);
        }
    }

    /// Adds a condition on a value that others determine already.
    fn add_surplus(&mut self, k: CandidateId, refusal: String) {
        let (candidate, level) = (&self.topology.candidates[k], self.level);
        let variable = candidate.variable(level);
        let (name, linear, value) =
            (variable.name.clone(), candidate.linear.clone(), variable.slot);
        self.initial.roles[k][level as usize] = Role::Known;
        self.initial.surplus.push(Surplus { name, linear, level, value, refusal });
    }

    /// Adds the equation of a start value, unless others determine the value already.
    fn relate(&mut self, k: CandidateId) -> Result<(), Error> {
        let candidate = &self.topology.candidates[k];
        let &StartVariable { start, slot, ref name, unit, .. } = candidate.variable(self.level);
        let name = name.clone();
        let mut equation = candidate.linear.clone();
        if self.level == Level::Speed {
            equation.constant = Ex::zero();
        }
        let mut left = self.system.reduce(&equation);
        // Coefficients such as (1 + ratio) ratio/(1 + ratio) - ratio are zero only as numbers.
        left.terms.retain(|_, c| self.numeric.one(*c).abs() > 1e-12);
        if !start.fixed && left.terms.is_empty() {
            self.leave_out(k, left.constant);
            return Ok(());
        }
        if left.terms.is_empty() && self.placeholders.decide(left.constant) {
            let others = self.others();
            return Err(Error::Initial(format!(
                "{name}: its fixed start value is one too many{others}"
            )));
        }
        equation.constant -= match self.initial.searched && !start.fixed {
            true => self.initial.placeholder(self.topology, self.numeric, self.level, k),
            false => slot,
        };
        match self.system.relate(&equation, |_| 0, self.numeric) {
            Outcome::Eliminated(_) => {
                self.initial.roles[k][self.level as usize] = Role::Known;
                self.used.push(name);
            }
            Outcome::Redundant => self.assume(&name, &self.system.reduce(&equation), unit),
            Outcome::Contradiction(gap) => {
                let values = [start.value, start.value + gap];
                return Err(self.contradiction(&name, values, unit));
            }
        }
        Ok(())
    }

    /// A fixed start value agrees with others only where these remain as they are.
    fn assume(&mut self, name: &str, equation: &LinearForm, unit: &'static str) {
        let instance = name.rsplit_once('.').map_or(name, |(instance, _)| instance);
        let with = self.used.join(", ");
        let complaint = format!(
            "{name}: its fixed start value cannot be, because the fixed start values of {with} \
             determine another one"
        );
        let zeros = equation.terms.values().map(|&c| (c, "1")).chain([(equation.constant, unit)]);
        self.initial.assumptions.extend(zeros.map(|(residual, unit)| Assumption {
            instance: instance.to_owned(),
            residual,
            unit,
            complaint: complaint.clone(),
        }));
    }

    /// A guess about a value that others determine; it may be where the search for these begins.
    fn leave_out(&mut self, k: CandidateId, determined: Ex) {
        let level = self.level;
        let StartVariable { start, name, slot, unit, .. } =
            self.topology.candidates[k].variable(level);
        if !start.given {
            return;
        }
        if self.placeholders.begin_at(level, *slot) {
            self.initial.roles[k][level as usize] = Role::Guess;
            return;
        }
        let by_signals = self.placeholders.decide(determined);
        let value = self.numeric.one(determined);
        let near = (value - start.value).abs() <= 1e-9 * start.value.abs().max(1.0);
        if by_signals || !near {
            let guess = format!("{name}: its guess {} {unit} has no influence", start.value);
            let others = match by_signals {
                true => "signals determine the value".to_owned(),
                false => format!("other start values determine {value} {unit}"),
            };
            self.initial.left_out.push(format!("{guess}: {others}"));
        }
    }

    /// The error about a fixed start value that contradicts others.
    fn contradiction(&self, name: &str, [given, determined]: [f64; 2], unit: &str) -> Error {
        let others = match &self.used[..] {
            [] => "the connections determine".to_owned(),
            used => format!("with the fixed start values of {} it is", used.join(", ")),
        };
        Error::Initial(format!(
            "{name}: its fixed start value {given} {unit} cannot be: {others} {determined} {unit}"
        ))
    }

    fn others(&self) -> String {
        match &self.used[..] {
            [] => String::new(),
            used => format!(" besides those of {}", used.join(", ")),
        }
    }
}
