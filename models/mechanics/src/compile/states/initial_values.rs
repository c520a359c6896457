//! Solves for initial positions and speeds: first what follows from start values by linear
//! relations, then what loops determine.

use super::initial::{Initial, Role};
use super::initial_loops;
use super::selection::Selection;
use super::start_values::{self, InitialData};
use crate::compile::build_context::BuildContext;
use crate::compile::topology::Topology;
use crate::error::Error;
use crate::ids::{List, VariableId};
use crate::statements::algebra::numeric::Numeric;
use crate::statements::motion::level::Level;
use equations::{Ex, Model, substitute};
use std::collections::{BTreeMap, BTreeSet};

/// Solves for the initial positions and speeds.
///
/// `searched` says that other conditions may determine some of the guesses.
pub fn solve(
    known: &InitialData<'_>,
    searched: bool,
    build: &mut BuildContext<'_>,
) -> Result<Initial, Error> {
    let mut initial = attempt(known, build, false)?;
    if searched || known.placeholders.determine_more() || !initial.surplus.is_empty() {
        initial = attempt(known, build, true)?;
    }
    initial.left_out.drain(..).for_each(|note| build.model.note(note));
    Ok(initial)
}

/// Solves for them; guesses that count are placeholders if some of them are `searched`.
fn attempt(
    known: &InitialData<'_>,
    build: &mut BuildContext<'_>,
    searched: bool,
) -> Result<Initial, Error> {
    let topology = known.topology;
    let roles = List::of_each(&topology.candidates, [Role::Unused; 2]);
    let mut initial = Initial { roles, searched, ..Initial::default() };
    positions(known, build, &mut initial)?;
    speeds(known, &mut build.numeric, &mut initial)?;
    Ok(initial)
}

fn positions(
    known: &InitialData<'_>,
    build: &mut BuildContext<'_>,
    initial: &mut Initial,
) -> Result<(), Error> {
    let InitialData { topology, selection, .. } = *known;
    let dependent = topology.loops.dependents(&topology.loops.structure.start);
    let system =
        start_values::eliminate(known, &mut build.numeric, Level::Position, &dependent, initial)?;
    let mut q = BTreeMap::new();
    let damped = selection
        .massless
        .variables
        .iter()
        .filter(|&&v| !selection.massless.has_no_start(v, false));
    for v in all_variables(topology, selection).into_iter().chain(damped.copied()) {
        if !dependent.contains(&v) {
            q.insert(v, system.variable(v).constant);
        }
    }
    let driven = |value: Ex| known.placeholders.decide(value);
    for group in initial_loops::groups(&topology.loops) {
        let by = topology.loops.symbols.positions(|v| q.get(&v).copied());
        let solution =
            initial_loops::positions(&topology.loops, &group, &by, driven, &mut build.numeric)?;
        for &k in &group.unknowns {
            let name = &topology.loops.unknowns[k].name;
            let candidate = topology
                .candidates
                .position(|f| f.position.name == *name && !f.is_angular_velocity);
            if let Some(candidate) = candidate.filter(|&k| initial.roles[k][0] == Role::Unused) {
                initial.roles[candidate][0] = Role::Guess;
            }
        }
        q.extend(group.unknowns.iter().map(|&k| topology.loops.unknowns[k].variable).zip(solution));
    }
    define_parameters(topology, build.model, &q);
    initial.q = q;
    Ok(())
}

/// Parameters that follow from the initial configuration.
fn define_parameters(topology: &Topology, model: &mut Model, q: &BTreeMap<VariableId, Ex>) {
    let by = topology.loops.symbols.positions(|v| q.get(&v).copied());
    for &(parameter, value) in &topology.loops.from_start {
        model.define_calculated(parameter, substitute(&[value], &by)[0]);
    }
}

fn speeds(
    known: &InitialData<'_>,
    numeric: &mut Numeric,
    initial: &mut Initial,
) -> Result<(), Error> {
    let InitialData { topology, selection, .. } = *known;
    let dependent = topology.loops.dependents(&topology.loops.structure.start_speed);
    let system = start_values::eliminate(known, numeric, Level::Speed, &dependent, initial)?;
    let mut v = BTreeMap::new();
    for variable in all_variables(topology, selection) {
        if !dependent.contains(&variable) {
            v.insert(variable, system.variable(variable).constant);
        }
    }
    let by = topology.loops.symbols.positions(|v| initial.q.get(&v).copied());
    for block in topology.loops.structure.start_speed.clone() {
        let (_, factor) = topology.loops.block_jacobian(&block, &by);
        let mut at = by.clone();
        at.extend(
            topology.loops.symbols.speeds(|k| Some(v.get(&k).copied().unwrap_or_else(Ex::zero))),
        );
        let rhs: Vec<Ex> =
            substitute(&topology.loops.rates(&block), &at).into_iter().map(|r| -r).collect();
        let solution = factor.solve(&rhs);
        v.extend(block.unknowns.iter().map(|&k| topology.loops.unknowns[k].variable).zip(solution));
    }
    initial.v = v;
    Ok(())
}

/// All variables of which positions and speeds are functions.
fn all_variables(topology: &Topology, selection: &Selection) -> Vec<VariableId> {
    let mut all: BTreeSet<VariableId> = selection.independent.iter().copied().collect();
    all.extend(topology.loops.symbols.variables());
    all.extend(topology.variables.numbering.prescribed_motions());
    all.into_iter().collect()
}
