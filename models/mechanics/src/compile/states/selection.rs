//! State selection: which variables are states.

use super::idle_elements;
use super::massless_variables::MasslessVariables;
use crate::compile::build_context::BuildContext;
use crate::compile::topology::Topology;
use crate::compile::topology::loop_structure::LoopBlock;
use crate::compile::topology::state_candidates::StateCandidate;
use crate::error::Error;
use crate::ids::{CandidateId, VariableId};
use crate::start::StateSelect;
use crate::statements::algebra::linear_form::{Elimination, LinearForm, Outcome};
use crate::statements::algebra::numeric::Numeric;
use crate::statements::motion::level::Level;
use equations::Ex;
use std::collections::BTreeSet;

/// The states.
pub struct Selection {
    /// Variables with inertia on which motion is built; those in free loops stand for independent
    /// speeds that belong to no coordinate.
    pub independent: Vec<VariableId>,
    /// Candidates that are states, in the order of the continuous states.
    pub states: Vec<CandidateId>,
    /// Candidates whose position is a state while constraints on speeds determine its speed.
    pub rolling: Vec<CandidateId>,
    /// Variables without inertia.
    pub massless: MasslessVariables,
}

impl Selection {
    /// Selects the states.
    pub fn new(topology: &Topology, build: &mut BuildContext<'_>) -> Result<Self, Error> {
        let free = independent_variables(topology);
        let (independent, massless) = MasslessVariables::split(&free, topology, &build.numeric);
        idle_elements::notes(topology, &massless).into_iter().for_each(|n| build.model.note(n));
        let states = choose_states(topology, &independent, &massless, &build.numeric)?;
        let rolling = rolling_states(topology)?;
        let selection = Selection { independent, states, rolling, massless };
        selection.refuse_unmet_wishes(topology)?;
        Ok(selection)
    }

    /// Whether a loop or the balance of torques determines a part of a form at the start.
    pub fn is_out_of_reach(
        &self,
        form: &LinearForm,
        level: Level,
        dependent: &BTreeSet<VariableId>,
    ) -> bool {
        let speed = level == Level::Speed;
        form.terms.keys().any(|v| dependent.contains(v) || self.massless.has_no_start(*v, speed))
    }

    /// Refuses a model in which a variable that must be a state is none.
    fn refuse_unmet_wishes(&self, topology: &Topology) -> Result<(), Error> {
        let candidates = &topology.candidates;
        let free = topology.loops.free_variables();
        let is_free = |candidate: &StateCandidate| {
            let terms = &candidate.linear.terms;
            !terms.is_empty() && terms.keys().all(|v| free.contains(v))
        };
        let chosen = |k: &CandidateId| {
            candidates[*k].prescribed.is_some()
                || self.states.contains(k)
                || self.massless.first_order.contains(k)
                || self.rolling.contains(k)
                || is_free(&candidates[*k])
        };
        let wanted = |k: &CandidateId| candidates[*k].select == StateSelect::Always;
        match candidates.ids().find(|k| wanted(k) && !chosen(k)) {
            Some(k) => Err(Error::Structure(format!(
                "{}: it cannot be a state as wanted, because {}",
                candidates[k].position.name,
                self.what_determines(topology, &candidates[k])
            ))),
            None => Ok(()),
        }
    }

    /// What determines a candidate that is no state, as the end of a sentence.
    fn what_determines(&self, topology: &Topology, candidate: &StateCandidate) -> String {
        let terms = &candidate.linear.terms;
        let mut sources = terms.keys().filter_map(|&v| source(topology, v));
        if let Some(source) = sources.next() {
            return format!("{source} prescribes its motion");
        }
        let loops = &topology.loops;
        let dependent = |block: &LoopBlock| {
            block.unknowns.iter().any(|&k| terms.contains_key(&loops.unknowns[k].variable))
        };
        let blocks = &loops.structure.speed;
        if let Some(block) = blocks.iter().position(dependent) {
            let mut others = BTreeSet::new();
            independent_in(&loops.speed_jacobian, blocks, block, &mut others);
            let name = |&k: &usize| {
                let unknown = &loops.unknowns[k];
                source(topology, unknown.variable).unwrap_or(&unknown.name).to_owned()
            };
            let others: Vec<String> = others.iter().map(name).collect();
            let closed = format!("in the loop closed by {}", loops.block_name(&blocks[block]));
            return match others.is_empty() {
                true => format!("{closed} it cannot move"),
                false => format!("{closed} it follows from {}", others.join(", ")),
            };
        }
        let shares = |&k: &CandidateId| {
            topology.candidates[k].linear.terms.keys().any(|v| terms.contains_key(v))
        };
        let states = self.states.iter().copied().filter(shares);
        let states: Vec<&str> =
            states.map(|k| topology.candidates[k].position.name.as_str()).collect();
        match states.is_empty() {
            true => "the balance of torques or forces already determines it".to_owned(),
            false => format!("it follows from {}", states.join(", ")),
        }
    }
}

/// The component that prescribes a variable.
fn source(topology: &Topology, variable: VariableId) -> Option<&String> {
    let motion = topology.variables.numbering.prescribed_motion_of(variable)?;
    let structure = &topology.structure;
    Some(&structure.names[structure.flanges.prescribed_motions[motion].component])
}

/// Adds the unknowns on which those of a block depend, by way of other blocks, and which no block
/// determines.
fn independent_in(
    speed_jacobian: &[Vec<Ex>],
    blocks: &[LoopBlock],
    block: usize,
    found: &mut BTreeSet<usize>,
) {
    let own = &blocks[block];
    let width = speed_jacobian.first().map_or(0, Vec::len);
    let touched = |&k: &usize| {
        let touches = |&row: &usize| !speed_jacobian[row][k].is_constant_zero();
        !own.unknowns.contains(&k) && own.rows.iter().any(touches)
    };
    for k in (0..width).filter(touched) {
        // Each block needs only those before.
        match blocks[..block].iter().position(|before| before.unknowns.contains(&k)) {
            Some(before) => independent_in(speed_jacobian, blocks, before, found),
            None => {
                found.insert(k);
            }
        }
    }
}

/// Variables that neither loops nor prescribed motions determine.
fn independent_variables(topology: &Topology) -> Vec<VariableId> {
    let numbering = topology.variables.numbering;
    let dependent = topology.loops.dependents(&topology.loops.structure.speed);
    let mut free: BTreeSet<VariableId> = topology.loops.symbols.variables().collect();
    for end in &topology.structure.flanges.ends {
        free.extend(topology.variables.elimination.variable(end.node.variable()).terms.keys());
    }
    free.difference(&dependent).copied().filter(|&v| !numbering.is_given(v)).collect()
}

/// Chooses as many candidates as there are independent variables, the preferred ones first.
fn choose_states(
    topology: &Topology,
    independent: &[VariableId],
    massless: &MasslessVariables,
    numeric: &Numeric,
) -> Result<Vec<CandidateId>, Error> {
    let candidates = &topology.candidates;
    let dependent = topology.loops.dependents(&topology.loops.structure.speed);
    let free = topology.loops.free_variables();
    let mut order: Vec<CandidateId> = candidates.ids().collect();
    // Relative to a motion that may jump, a state would have to jump with it.
    let follows =
        |k: CandidateId| candidates[k].linear.terms.keys().any(|&v| may_jump(topology, v));
    order.sort_by_key(|&k| match candidates[k].select {
        StateSelect::Always => std::cmp::Reverse((true, StateSelect::Always)),
        select => std::cmp::Reverse((!follows(k), select)),
    });
    let mut chosen = Vec::new();
    let mut known = Elimination::default();
    for k in order {
        let mut form = candidates[k].linear.clone();
        form.constant = Ex::zero();
        form.terms.retain(|&v, _| !topology.variables.numbering.is_prescribed(v));
        let left = |v: &VariableId| {
            dependent.contains(v) || free.contains(v) || massless.variables.contains(v)
        };
        if form.terms.keys().any(left) {
            continue;
        }
        if let Outcome::Eliminated(_) = known.relate(&form, |_| 0, numeric) {
            chosen.push(k);
        }
    }
    let mut others = independent.iter().filter(|v| !free.contains(v));
    let left = others.find(|&&v| !known.variable(v).terms.is_empty());
    if let Some(&v) = left {
        return Err(topology.massless(v));
    }
    chosen.sort_unstable();
    Ok(chosen)
}

/// Whether a variable is a prescribed motion whose position or speed is a signal, not a state.
fn may_jump(topology: &Topology, variable: VariableId) -> bool {
    let motion = topology.variables.numbering.prescribed_motion_of(variable);
    motion
        .is_some_and(|motion| topology.structure.flanges.prescribed_motions[motion].speed.is_none())
}

/// The positions of variables whose speeds follow from constraints on speeds alone.
fn rolling_states(topology: &Topology) -> Result<Vec<CandidateId>, Error> {
    let loops = &topology.loops;
    let positions = loops.dependents(&loops.structure.motion);
    let speeds = loops.dependents(&loops.structure.speed);
    let candidate = |v: &VariableId| {
        let single = |c: &StateCandidate| c.linear.terms.keys().eq([v]) && !c.is_angular_velocity;
        topology.candidates.position(single).ok_or_else(|| {
            Error::Structure("a rolling condition on an orientation without angles".to_owned())
        })
    };
    speeds.difference(&positions).map(candidate).collect()
}
