//! The initial system: positions and speeds in terms of the start values that count.

use super::start_values;
use crate::compile::algebra::linear_form::Linear;
use crate::compile::motion::coordinates::Coordinates;
use crate::compile::states::initial_system::{Priority, StartValue};
use crate::compile::states::prescribed_motion::Drives;
use crate::compile::topology::loops::{Block, Taken, Unknown};
use crate::compile::topology::plan::{Form, Plan};
use crate::error::Error;
use crate::start::Start;
use equations::{Ex, Factor, Model, newton_assembly, substitute};
use std::collections::{BTreeMap, BTreeSet};

/// How a form takes part in the initial system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its start value is its initial value.
    Known,
    /// Its start value is where the search for its initial value begins.
    Guess,
    /// Its start value has no influence.
    Unused,
}

/// Initial values in terms of start values.
#[derive(Default)]
pub struct Initial {
    /// Initial positions of the variables.
    pub q: BTreeMap<usize, Ex>,
    /// Initial speeds of the variables.
    pub v: BTreeMap<usize, Ex>,
    /// For each form how its start value and its start speed count.
    pub roles: Vec<[Role; 2]>,
    /// Start values that count though they are no initial conditions: what follows from them may
    /// determine them instead.
    pub free: Vec<StartValue>,
    /// Placeholders of those, by form and level.
    placeholders: BTreeMap<(usize, usize), Ex>,
    /// Conditions on what others determine already.
    pub surplus: Vec<Surplus>,
    /// Whether conditions on what follows determine some of them.
    pub searched: bool,
}

impl Initial {
    /// The names of start values that are no initial conditions and yet initial values.
    pub fn guessed(&self, plan: &Plan) -> Vec<String> {
        let mut names = Vec::new();
        for (form, roles) in plan.forms.iter().zip(&self.roles) {
            for (candidate, role) in [&form.position, &form.speed].into_iter().zip(roles) {
                if *role == Role::Known && !candidate.start.fixed {
                    names.push(candidate.name.clone());
                }
            }
        }
        for (joint, ..) in plan.symbols.balls() {
            let ball = plan.structure.joints[joint].ball.as_ref();
            if let Some(first) = ball.map(|ball| &ball.quaternion[0]).filter(|q| !q.start.fixed) {
                names.push(first.name.trim_end_matches("[1]").to_owned());
            }
        }
        let capacities = &plan.structure.heat_capacities;
        let fixed = |node: usize| {
            capacities.iter().any(|other| other.node == node && other.temperature.start.fixed)
        };
        let open = capacities.iter().filter(|capacity| !fixed(capacity.node));
        names.extend(open.map(|capacity| capacity.temperature.name.clone()));
        names
    }

    /// A placeholder for the start value of a form, which is a guess.
    pub fn placeholder(&mut self, plan: &mut Plan, level: Level, form: usize) -> Ex {
        let (start, guess, name) = level.start(&plan.forms[form]);
        let (name, symbol) = (name.to_owned(), Ex::symbol());
        let priority = if start.given { Priority::Guessed } else { Priority::Free };
        plan.numeric.set(symbol, start.value);
        self.free.push(StartValue { name, symbol, guess, priority });
        self.placeholders.insert((form, level as usize), symbol);
        symbol
    }

    /// The start value of a form whose start value is its initial value.
    pub fn start_of(&self, plan: &Plan, (form, which): (usize, usize)) -> Ex {
        let slot = [plan.forms[form].position.slot, plan.forms[form].speed.slot][which];
        self.placeholders.get(&(form, which)).copied().unwrap_or(slot)
    }
}

/// A condition on a position or a speed that others determine already: it may be met by what they
/// depend on.
#[derive(Clone, Debug)]
pub struct Surplus {
    /// Who states it.
    pub name: String,
    /// What has a given position or speed.
    pub linear: Linear,
    /// Which of them.
    pub level: Level,
    /// The value.
    pub value: Ex,
    /// What is said where nothing can meet it.
    pub refusal: String,
}

impl Surplus {
    /// What vanishes at the start.
    pub fn gap(&self, coordinates: &mut Coordinates) -> Ex {
        let mut linear = self.linear.clone();
        if self.level == Level::Speed {
            linear.constant = Ex::zero();
        }
        let motion = coordinates.motion(&linear);
        let value = if self.level == Level::Position { motion.q } else { motion.v };
        value - self.value
    }

    /// What it is a condition on, for messages.
    pub fn what(&self) -> &'static str {
        match self.level {
            Level::Position => "the initial position",
            Level::Speed => "the initial speed",
        }
    }
}

/// Positions or speeds: what differs between the two linear systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Positions.
    Position,
    /// Speeds.
    Speed,
}

impl Level {
    /// The unit of a form.
    pub fn unit(self, form: &Form) -> &'static str {
        match self {
            Level::Position => form.position.unit,
            Level::Speed => form.speed.unit,
        }
    }

    /// The start value of a form, its place and its name.
    pub fn start(self, form: &Form) -> (Start, Ex, &str) {
        let candidate = match self {
            Level::Position => &form.position,
            Level::Speed => &form.speed,
        };
        (candidate.start, candidate.slot, &candidate.name)
    }
}

/// Solves for the initial positions and speeds.
pub fn solve(plan: &mut Plan, drives: &Drives, model: &mut Model) -> Result<Initial, Error> {
    let initial = attempt(plan, drives, model, false)?;
    let more = drives.determine_more() || !plan.structure.steady.is_empty();
    if more || !initial.surplus.is_empty() {
        return attempt(plan, drives, model, true);
    }
    Ok(initial)
}

/// Solves for them; guesses that count are placeholders if some of them are `searched`.
fn attempt(
    plan: &mut Plan,
    drives: &Drives,
    model: &mut Model,
    searched: bool,
) -> Result<Initial, Error> {
    let roles = vec![[Role::Unused; 2]; plan.forms.len()];
    let mut initial = Initial { roles, searched, ..Initial::default() };
    positions(plan, drives, model, &mut initial)?;
    speeds(plan, drives, &mut initial)?;
    Ok(initial)
}

fn positions(
    plan: &mut Plan,
    drives: &Drives,
    model: &mut Model,
    initial: &mut Initial,
) -> Result<(), Error> {
    let dependent = plan.dependents(&plan.loops.start);
    let mut system = start_values::eliminate(plan, drives, Level::Position, &dependent, initial)?;
    let mut q = BTreeMap::new();
    let damped = plan.massless.variables.iter().filter(|&&v| !plan.massless.has_no_start(v, false));
    for v in all_variables(plan).into_iter().chain(damped.copied()) {
        if !dependent.contains(&v) {
            q.insert(v, system.variable(v).constant);
        }
    }
    for block in plan.loops.start.clone() {
        let by = plan.symbols.positions(|v| q.get(&v).copied());
        if let Some(explicit) = plan.explicit(&block) {
            let Unknown { variable, guess, .. } = plan.unknowns[block.unknowns[0]];
            q.insert(variable, plan.assembled(&block, &explicit, &by, guess));
            continue;
        }
        let guesses: Vec<Ex> = block.unknowns.iter().map(|&k| plan.unknowns[k].guess).collect();
        for &k in &block.unknowns {
            let name = &plan.unknowns[k].name;
            let form = plan.forms.iter().position(|f| f.position.name == *name && !f.spin);
            if let Some(form) = form.filter(|&k| initial.roles[k][0] == Role::Unused) {
                initial.roles[form][0] = Role::Guess;
            }
        }
        let residuals = substitute(&plan.residuals(&block), &by);
        let unknowns: Vec<Ex> = block.unknowns.iter().map(|&k| plan.unknowns[k].symbol).collect();
        let solution = newton_assembly(&plan.block_name(&block), &unknowns, &residuals, &guesses);
        q.extend(block.unknowns.iter().map(|&k| plan.unknowns[k].variable).zip(solution));
    }
    define_parameters(plan, model, &q);
    initial.q = q;
    Ok(())
}

/// Parameters that follow from the initial configuration.
fn define_parameters(plan: &Plan, model: &mut Model, q: &BTreeMap<usize, Ex>) {
    let by = plan.symbols.positions(|v| q.get(&v).copied());
    for &(parameter, value) in &plan.from_start {
        model.define_calculated(parameter, substitute(&[value], &by)[0]);
    }
}

fn speeds(plan: &mut Plan, drives: &Drives, initial: &mut Initial) -> Result<(), Error> {
    let dependent = plan.dependents(&plan.loops.start_speed);
    let mut system = start_values::eliminate(plan, drives, Level::Speed, &dependent, initial)?;
    let mut v = BTreeMap::new();
    for variable in all_variables(plan) {
        if !dependent.contains(&variable) {
            v.insert(variable, system.variable(variable).constant);
        }
    }
    let by = plan.symbols.positions(|v| initial.q.get(&v).copied());
    for block in plan.loops.start_speed.clone() {
        let (_, factor) = plan.block_jacobian(&block, &by);
        let mut at = by.clone();
        at.extend(plan.symbols.speeds(|k| Some(v.get(&k).copied().unwrap_or_else(Ex::zero))));
        let rhs: Vec<Ex> = substitute(&plan.rates(&block), &at).into_iter().map(|r| -r).collect();
        let solution = factor.solve(&rhs);
        v.extend(block.unknowns.iter().map(|&k| plan.unknowns[k].variable).zip(solution));
    }
    initial.v = v;
    Ok(())
}

/// All variables of which positions and speeds are functions.
fn all_variables(plan: &Plan) -> Vec<usize> {
    let mut all: BTreeSet<usize> = plan.independent.iter().copied().collect();
    all.extend(plan.symbols.variables());
    all.extend(plan.coordinates.numbering().drives());
    all.into_iter().collect()
}

impl Plan {
    /// A variable as a form of those that have initial values.
    pub fn start_form(&self, variable: usize) -> Linear {
        let mut form = self.coordinates.elimination.clone().variable(variable);
        form.terms.retain(|&v, _| !self.coordinates.numbering().is_violation(v));
        form
    }

    /// Whether a loop or the balance of torques determines a part of a form at the start.
    pub fn is_out_of_reach(
        &self,
        form: &Linear,
        level: Level,
        dependent: &BTreeSet<usize>,
    ) -> bool {
        let speed = level == Level::Speed;
        form.terms.keys().any(|v| dependent.contains(v) || self.massless.has_no_start(*v, speed))
    }

    /// The complaint about a start value that is given where a loop determines it.
    pub fn taken(&self, name: &str, form: &Linear, level: Level) -> String {
        let which = level as usize;
        let own = |t: &&Taken| t.which == which && form.terms.keys().eq([&t.variable]);
        let what = ["start value", "start speed"][which];
        match self.loops.taken.iter().find(own) {
            Some(taken) => format!(
                "{name}: its fixed {what} is one too many: the loop closed by {} already \
                 determines it",
                taken.row
            ),
            None => {
                format!("{name}: a fixed {what} on a coordinate that a loop determines")
            }
        }
    }

    /// The instances that close the loops of a block, and what the block determines where several
    /// blocks have the same instances.
    pub fn block_name(&self, block: &Block) -> String {
        let instances = |block: &Block| {
            let mut names: Vec<&str> =
                block.rows.iter().map(|&r| self.rows[r].name.as_str()).collect();
            names.dedup();
            names.join(", ")
        };
        let name = instances(block);
        let all = [&self.loops.motion, &self.loops.start];
        let same = |blocks: &Vec<Block>| blocks.iter().filter(|b| instances(b) == name).count();
        if all.into_iter().all(|blocks| same(blocks) < 2) {
            return name;
        }
        let unknowns = block.unknowns.iter().map(|&k| self.unknowns[k].name.as_str());
        format!("{name} for {}", unknowns.collect::<Vec<_>>().join(", "))
    }

    /// The residuals of a block.
    pub fn residuals(&self, block: &Block) -> Vec<Ex> {
        block.rows.iter().filter_map(|&r| self.rows[r].residual).collect()
    }

    /// The derivatives of a block's residuals with respect to time.
    pub fn rates(&self, block: &Block) -> Vec<Ex> {
        block.rows.iter().filter_map(|&r| self.rows[r].rate).collect()
    }

    /// The rates of a block differentiated with respect to the speeds of all unknowns, where the
    /// positions are those given, and the factorised part that belongs to the block's own unknowns.
    pub fn block_jacobian(&self, block: &Block, by: &[(Ex, Ex)]) -> (Vec<Vec<Ex>>, Factor) {
        let matrix: Vec<Vec<Ex>> =
            block.rows.iter().map(|&r| substitute(&self.speed_jacobian[r], by)).collect();
        let own: Vec<Vec<Ex>> =
            matrix.iter().map(|row| block.unknowns.iter().map(|&k| row[k]).collect()).collect();
        (matrix, Factor::general(&own))
    }
}
