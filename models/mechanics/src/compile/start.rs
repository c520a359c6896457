//! The initial system: which start values count, and what follows from them.

use super::drives::Drives;
use super::linear::{Elimination, Outcome};
use super::loops::{Block, Unknown};
use super::{Form, Plan};
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
pub struct Initial {
    /// Initial positions of the variables.
    pub q: BTreeMap<usize, Ex>,
    /// Initial speeds of the variables.
    pub v: BTreeMap<usize, Ex>,
    /// For each form how its start value and its start speed count.
    pub roles: Vec<[Role; 2]>,
}

/// Positions or speeds: what differs between the two linear systems.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Positions.
    Position,
    /// Speeds.
    Speed,
}

impl Level {
    fn unit(self, form: &Form) -> &'static str {
        match self {
            Level::Position => form.position.unit,
            Level::Speed => form.speed.unit,
        }
    }

    fn start(self, form: &Form) -> (Start, Ex, &str) {
        let candidate = match self {
            Level::Position => &form.position,
            Level::Speed => &form.speed,
        };
        (candidate.start, candidate.slot, &candidate.name)
    }
}

/// Solves for the initial positions and speeds.
pub fn solve(plan: &mut Plan, drives: &Drives, model: &mut Model) -> Result<Initial, Error> {
    let mut roles = vec![[Role::Unused; 2]; plan.forms.len()];
    let q = positions(plan, drives, model, &mut roles)?;
    let v = speeds(plan, drives, &q, &mut roles)?;
    Ok(Initial { q, v, roles })
}

/// Values of the variables that start values determine without closing loops.
fn known(
    plan: &Plan,
    drives: &Drives,
    level: Level,
    dependent: &BTreeSet<usize>,
    roles: &mut [[Role; 2]],
) -> Result<Elimination, Error> {
    let fixed = |&k: &usize| level.start(&plan.forms[k]).0.fixed;
    let all = 0..plan.forms.len();
    let mut order: Vec<usize> = all.clone().filter(fixed).collect();
    let preferred = || plan.states.iter().chain(&plan.massless.first_order).copied();
    order.extend(preferred().filter(|k| !fixed(k)));
    order.extend(all.filter(|k| !fixed(k) && preferred().all(|s| s != *k)));

    let mut used: Vec<&str> = Vec::new();
    let mut system = given(plan, drives, level, dependent, &mut used)?;
    for k in order {
        let form = &plan.forms[k];
        if level == Level::Speed && form.drive.is_some_and(|(_, second_order)| !second_order) {
            continue;
        }
        if level == Level::Position && form.spin {
            continue;
        }
        let (start, slot, name) = level.start(form);
        let mut equation = form.linear.clone();
        if level == Level::Speed {
            equation.constant = Ex::zero();
        }
        equation.constant -= slot;
        let speed = level == Level::Speed;
        if equation.terms.keys().any(|&v| plan.massless.has_no_start(v, speed)) {
            if !speed && plan.massless.first_order.contains(&k) {
                // A state that no other start value can reach.
                roles[k][0] = Role::Known;
                continue;
            }
            if start.fixed {
                return Err(Error::Initial(format!(
                    "{name}: a fixed start value where nothing has inertia: the torques already \
                     determine it"
                )));
            }
            continue;
        }
        if equation.terms.keys().any(|v| dependent.contains(v)) {
            if start.fixed && form.coordinate.is_none() {
                return Err(Error::Initial(format!(
                    "{name}: a fixed start value on a coordinate that a loop determines"
                )));
            }
            continue;
        }
        let mut left = system.reduce(&equation);
        // Coefficients such as (1 + ratio) ratio/(1 + ratio) - ratio are zero only as numbers.
        left.terms.retain(|_, c| plan.numeric.one(*c).abs() > 1e-12);
        if !start.fixed && left.terms.is_empty() {
            continue;
        }
        if left.terms.is_empty() && drives.decide(left.constant) {
            return Err(Error::Initial(format!(
                "{name}: its fixed start value is one too many{}",
                others(&used)
            )));
        }
        match system.relate(&equation, |_| 0, &plan.numeric) {
            Outcome::Eliminated(_) => {
                roles[k][level as usize] = Role::Known;
                used.push(name);
            }
            Outcome::Redundant => {}
            Outcome::Contradiction(gap) => {
                let unit = level.unit(form);
                return Err(contradiction(name, [start.value, start.value + gap], unit, &used));
            }
        }
    }
    Ok(system)
}

/// The complaint about a fixed start value that is not what others determine.
fn contradiction(name: &str, [given, determined]: [f64; 2], unit: &str, used: &[&str]) -> Error {
    let others = if used.is_empty() {
        "the connections determine".to_owned()
    } else {
        format!("with the fixed start values of {} it is", used.join(", "))
    };
    Error::Initial(format!(
        "{name}: its fixed start value {given} {unit} cannot be: {others} {determined} {unit}"
    ))
}

/// Starts the system with what signals give: prescribed motions and their initial conditions.
fn given<'p>(
    plan: &'p Plan,
    drives: &Drives,
    level: Level,
    dependent: &BTreeSet<usize>,
    used: &mut Vec<&'p str>,
) -> Result<Elimination, Error> {
    let mut system = Elimination::default();
    let mut coordinates = plan.coordinates.elimination.clone();
    for (component, variable, value) in drives.known(plan, level) {
        let name = &plan.names[component];
        let mut equation = coordinates.variable(variable);
        equation.terms.retain(|&v, _| !plan.coordinates.numbering().is_violation(v));
        if level == Level::Speed {
            equation.constant = Ex::zero();
        }
        equation.constant -= value;
        let speed = level == Level::Speed;
        let unreachable =
            |v: &usize| dependent.contains(v) || plan.massless.has_no_start(*v, speed);
        if equation.terms.keys().any(unreachable) {
            return Err(Error::Initial(format!(
                "{name}: an initial condition where a loop or the balance of torques already \
                 determines the motion"
            )));
        }
        match system.relate(&equation, |_| 0, &plan.numeric) {
            Outcome::Eliminated(_) => used.push(name),
            Outcome::Redundant | Outcome::Contradiction(_) => {
                return Err(Error::Initial(format!(
                    "{name}: its initial condition is one too many{}",
                    others(used)
                )));
            }
        }
    }
    Ok(system)
}

fn others(used: &[&str]) -> String {
    if used.is_empty() { String::new() } else { format!(" beside those of {}", used.join(", ")) }
}

fn positions(
    plan: &mut Plan,
    drives: &Drives,
    model: &mut Model,
    roles: &mut [[Role; 2]],
) -> Result<BTreeMap<usize, Ex>, Error> {
    let dependent = plan.dependents(&plan.loops.start);
    let mut system = known(plan, drives, Level::Position, &dependent, roles)?;
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
            if let Some(form) = form {
                roles[form][0] = Role::Guess;
            }
        }
        let residuals = substitute(&plan.residuals(&block), &by);
        let unknowns: Vec<Ex> = block.unknowns.iter().map(|&k| plan.unknowns[k].symbol).collect();
        let solution = newton_assembly(&plan.block_name(&block), &unknowns, &residuals, &guesses);
        q.extend(block.unknowns.iter().map(|&k| plan.unknowns[k].variable).zip(solution));
    }
    define_parameters(plan, model, &q);
    Ok(q)
}

/// Parameters that follow from the initial configuration.
fn define_parameters(plan: &Plan, model: &mut Model, q: &BTreeMap<usize, Ex>) {
    let by = plan.symbols.positions(|v| q.get(&v).copied());
    for &(parameter, value) in &plan.from_start {
        model.define_calculated(parameter, substitute(&[value], &by)[0]);
    }
}

fn speeds(
    plan: &mut Plan,
    drives: &Drives,
    q: &BTreeMap<usize, Ex>,
    roles: &mut [[Role; 2]],
) -> Result<BTreeMap<usize, Ex>, Error> {
    let dependent = plan.dependents(&plan.loops.start_speed);
    let mut system = known(plan, drives, Level::Speed, &dependent, roles)?;
    let mut v = BTreeMap::new();
    for variable in all_variables(plan) {
        if !dependent.contains(&variable) {
            v.insert(variable, system.variable(variable).constant);
        }
    }
    let by = plan.symbols.positions(|v| q.get(&v).copied());
    for block in plan.loops.start_speed.clone() {
        let (_, factor) = plan.block_jacobian(&block, &by);
        let mut at = by.clone();
        at.extend(plan.symbols.speeds(|k| Some(v.get(&k).copied().unwrap_or_else(Ex::zero))));
        let rhs: Vec<Ex> = substitute(&plan.rates(&block), &at).into_iter().map(|r| -r).collect();
        let solution = factor.solve(&rhs);
        v.extend(block.unknowns.iter().map(|&k| plan.unknowns[k].variable).zip(solution));
    }
    Ok(v)
}

/// All variables of which positions and speeds are functions.
fn all_variables(plan: &Plan) -> Vec<usize> {
    let mut all: BTreeSet<usize> = plan.independent.iter().copied().collect();
    all.extend(plan.symbols.variables());
    all.extend(plan.coordinates.numbering().drives());
    all.into_iter().collect()
}

impl Plan {
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
