//! Impacts: how impulses change the speeds of a whole mechanism at one instant.
//!
//! Positions are frozen. With the independent speeds `u`, the mass matrix `M` and the rows `J`
//! along which impulses `p` act, `M (u+ - u-) = J' p`. The impulses follow from the Delassus matrix
//! `W = J inverse(M) J'`, in which every joint, gear and loop has its share. In one event
//! iteration, all approaching contacts take part in one impact; the next iteration treats contacts
//! that approach then, until none does. Loops stay closed, since dependent speeds follow from the
//! independent ones.

use super::energy;
use crate::compile::kinematics::Kinematics;
use crate::compile::kinematics::free_motions::FreeState;
use crate::compile::kinematics::state_variables::{OrientationState, StateVariable};
use crate::compile::loads::moving_parts::MovingParts;
use crate::compile::topology::Topology;
use crate::ids::VariableId;
use crate::statements::laws::acceleration_view::AccelerationView;
use crate::statements::laws::impulse_rows::{ImpulseOutcome, ImpulseRows};
use crate::statements::motion::coordinates::Motion;
use equations::{Bool, DiscreteVariable, Ex, impulses, select};
use std::collections::{BTreeMap, BTreeSet};

/// After this number of event iterations at one instant, restitution and friction are switched off,
/// because friction can restore an approach, slower each time.
const MAX_PASSES: f64 = 40.0;

/// The response of independent speeds to a unit of impulse along each row.
type Responses = [BTreeMap<VariableId, Ex>];

/// The mechanism whose speeds impulses change.
#[derive(Clone, Copy)]
pub struct ImpactContext<'a> {
    /// The parts with their motions.
    pub parts: MovingParts<'a>,
    /// The topology.
    pub topology: &'a Topology,
    /// The states.
    pub states: &'a [StateVariable],
    /// The states that are coordinates of free loops.
    pub free: &'a [FreeState],
    /// The states that are quaternions.
    pub orientations: &'a [OrientationState],
}

impl<'a> ImpactContext<'a> {
    /// The mechanism of a topology with its motion.
    pub fn new(topology: &'a Topology, kinematics: &'a Kinematics) -> Self {
        let parts = MovingParts::new(topology, kinematics);
        let Kinematics { states, free, orientations, .. } = kinematics;
        ImpactContext { parts, topology, states, free, orientations }
    }
}

/// Sets the speeds of all states at impacts; `rows` are those along which impulses may act.
pub fn solve(context: ImpactContext<'_>, rows: &[Motion], e: &mut AccelerationView<'_>) {
    let mut all = e.take_impulses();
    if all.is_empty() {
        return;
    }
    if !context.parts.structure.multibody.unmoved.is_empty() {
        require_new_approach(e, &mut all);
    }
    let responses = e.solution().responses.clone();
    let w = delassus_matrix(rows, &responses);
    let v: Vec<Ex> = rows.iter().map(|row| row.v).collect();

    let count = e.passes();
    let passes = Passes::new(count, &all);
    let mut impulse = vec![Ex::zero(); rows.len()];
    let mut active = vec![Bool::constant(false); all.len()];
    contact_impulses(
        &all,
        passes,
        RowSpeeds { delassus: &w, before: &v },
        &mut impulse,
        &mut active,
    );
    let mut outcomes = Vec::new();
    let [mut dissipating, mut supplying] = [BTreeSet::new(), BTreeSet::new()];
    for (k, rows) in all.into_iter().enumerate() {
        let own = rows.rows;
        if rows.source { &mut supplying } else { &mut dissipating }.extend(own.clone());
        if let Some(known) = rows.known {
            let block: Vec<Vec<Ex>> = own.clone().map(|i| w[i][own.clone()].to_vec()).collect();
            let (when, values) = known(&block, &v[own.clone()]);
            active[k] = when;
            for (p, value) in impulse[own.clone()].iter_mut().zip(values) {
                *p += select(when, value, 0.0);
            }
        }
        outcomes.push((rows.component, rows.done, own));
    }
    let change: Vec<Ex> =
        w.iter().map(|row| row.iter().zip(&impulse).map(|(&w, &p)| w * p).sum()).collect();
    let jumps = jumps(&responses, &impulse);
    // This is exact for all impulses, since the change of the speeds is linear in them.
    let work = |rows: BTreeSet<usize>| -> Option<Ex> {
        let works = rows.into_iter().map(|i| impulse[i] * (v[i] + change[i] * 0.5));
        works.reduce(|a, b| a + b)
    };
    let works = [work(dissipating), work(supplying)];
    add_up(context, e, works, &jumps);
    let any = active.iter().fold(Bool::constant(false), |any, &one| any | one);
    e.model.update(count, select(any, count.pre() + 1.0, 0.0));
    for state in context.states {
        if let Some(jump) = jump(state, context, &jumps) {
            e.model.reinit(state.v, any, state.v + jump);
        }
    }
    for state in context.free {
        let motion = &context.parts.coordinates.motions()[&state.variable];
        e.model.reinit(state.v, any, motion.v + gained(motion, &jumps));
    }
    for ((component, done, own), active) in outcomes.into_iter().zip(active) {
        e.component = component;
        let outcome = ImpulseOutcome {
            active,
            change: change[own.clone()].to_vec(),
            p: impulse[own.clone()].to_vec(),
            before: v[own].to_vec(),
        };
        done(e.model, outcome);
    }
}

/// The Delassus matrix `W`: the changes of the speeds along the rows per unit of impulse along each
/// row.
fn delassus_matrix(rows: &[Motion], responses: &Responses) -> Vec<Vec<Ex>> {
    let along = |row: &Motion, response: &BTreeMap<VariableId, Ex>| -> Ex {
        let terms = row.partials.iter().filter_map(|(k, &p)| Some(p * *response.get(k)?));
        terms.sum()
    };
    let of_row = |row| responses.iter().map(|response| along(row, response)).collect();
    rows.iter().map(of_row).collect()
}

/// Adds up the energy that impacts dissipate, and the energy that is supplied at them; the
/// arguments are the works of dissipating impulses and of sources. The remaining gain of kinetic
/// energy comes from prescribed motions.
fn add_up(
    context: ImpactContext<'_>,
    e: &mut AccelerationView<'_>,
    [dissipated, supplied]: [Option<Ex>; 2],
    jumps: &BTreeMap<VariableId, Ex>,
) {
    let sum = |e: &mut AccelerationView<'_>, name: &str, text: &str, energy: Ex| {
        let sum = e.model.discrete(name, 0.0).unit("J").describe(text).done();
        e.model.update(sum, sum.pre() + energy);
    };
    if let Some(work) = dissipated {
        sum(e, "energy.lost_in_impacts", "Energy lost in impacts since the start", -work);
    }
    let given = match context.parts.coordinates.numbering().has_prescribed_motions() {
        false => supplied,
        true => {
            let ImpactContext { parts, topology, orientations, .. } = context;
            let gain = energy::kinetic_jump(parts, &topology.tree, orientations, jumps);
            Some(gain - dissipated.unwrap_or_else(Ex::zero))
        }
    };
    if let Some(given) = given {
        let text = "Energy that drives and injections put in at impacts since the start";
        sum(e, "energy.given_in_impacts", text, given);
    }
}

/// Lets contacts take part in an impact only when they begin to approach. Where impulses leave
/// speeds alone, frames may continue to approach, and impacts would not end.
fn require_new_approach(e: &mut AccelerationView<'_>, all: &mut [ImpulseRows]) {
    for rows in all {
        e.component = rows.component;
        let name = e.full("begins to approach");
        if let Some(contact) = &mut rows.contact {
            contact.approaches = e.model.when(&name, contact.approaches);
        }
    }
}

/// The speeds along the impulse rows, and how impulses change them.
#[derive(Clone, Copy)]
struct RowSpeeds<'a> {
    /// The Delassus matrix.
    delassus: &'a [Vec<Ex>],
    /// The speeds before the impact.
    before: &'a [Ex],
}

/// Whether anything approaches, and whether it has done so for too many event iterations.
#[derive(Clone, Copy)]
struct Passes {
    any: Bool,
    too_many: Bool,
}

impl Passes {
    fn new(count: DiscreteVariable, all: &[ImpulseRows]) -> Passes {
        let contacts = all.iter().filter_map(|rows| rows.contact);
        let any = contacts.fold(Bool::constant(false), |any, contact| any | contact.approaches);
        Passes { any, too_many: count.pre().ge(MAX_PASSES) }
    }
}

/// The impulses of all contacts that are active in an event iteration, solved together.
fn contact_impulses(
    all: &[ImpulseRows],
    passes: Passes,
    speeds: RowSpeeds<'_>,
    impulse: &mut [Ex],
    active: &mut [Bool],
) {
    let RowSpeeds { delassus, before } = speeds;
    let mut places = Vec::new();
    let mut contacts = Vec::new();
    for (rows, active) in all.iter().zip(active) {
        let own = rows.rows.clone();
        let Some(contact) = rows.contact else { continue };
        // A fully elastic contact is never slow, even if its speed vanishes up to rounding errors.
        let small = contact.v_small * (1.0 - contact.elasticity);
        let slow = (-before[own.start]).lt(small) & small.gt(0.0);
        let inelastic = slow | passes.too_many;
        let restitution = select(inelastic, 0.0, contact.elasticity);
        // An inelastic contact transmits an impulse at once; an elastic one is active in the next
        // iteration. After too many passes all contacts that touch take part, and none can approach
        // afterwards.
        let supports = passes.too_many | (restitution.le(0.0) & !contact.separates);
        let supports = contact.touches & passes.any & supports;
        *active = contact.approaches | supports;
        contacts.push(equations::ContactImpact {
            active: *active,
            restitution,
            friction: contact.friction.map(|mu| select(passes.too_many, 0.0, mu)),
        });
        places.extend(own);
    }
    let block: Vec<Vec<Ex>> =
        places.iter().map(|&i| places.iter().map(|&j| delassus[i][j]).collect()).collect();
    let speeds: Vec<Ex> = places.iter().map(|&i| before[i]).collect();
    for (place, p) in places.into_iter().zip(impulses(&block, &speeds, &contacts)) {
        impulse[place] = p;
    }
}

/// The changes of the independent speeds.
fn jumps(responses: &Responses, impulse: &[Ex]) -> BTreeMap<VariableId, Ex> {
    let mut jumps = BTreeMap::new();
    for (response, &p) in responses.iter().zip(impulse) {
        for (&k, &r) in response {
            *jumps.entry(k).or_insert_with(Ex::zero) += r * p;
        }
    }
    jumps
}

/// The change of a state's speed; `None` if impulses leave it alone.
fn jump(
    state: &StateVariable,
    context: ImpactContext<'_>,
    jumps: &BTreeMap<VariableId, Ex>,
) -> Option<Ex> {
    let MovingParts { structure, coordinates, .. } = context.parts;
    let terms = &context.topology.candidates[state.candidate].linear.terms;
    let left_alone = |v: &VariableId| {
        let coordinate = coordinates.numbering().coordinate_of(*v);
        coordinate.is_some_and(|c| structure.multibody.unmoved.contains(&c))
    };
    if terms.keys().any(left_alone) {
        return None;
    }
    Some(terms.iter().map(|(v, &c)| c * gained(&coordinates.motions()[v], jumps)).sum())
}

/// The change of a speed, from those of the independent speeds.
fn gained(motion: &Motion, jumps: &BTreeMap<VariableId, Ex>) -> Ex {
    motion.partials.iter().filter_map(|(k, &p)| Some(p * *jumps.get(k)?)).sum()
}
