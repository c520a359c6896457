//! Impacts: how impulses change the speeds of a whole mechanism at one instant.
//!
//! Positions are frozen. With the independent speeds `u`, the mass matrix `M` and the rows `J`
//! along which impulses `p` act, `M (u+ - u-) = J' p`. What the impulses are is decided with the
//! matrix `W = J inverse(M) J'`, in which every joint, gear and loop has its share. One event
//! iteration strikes everything that approaches, together; the next one what approaches then, until
//! nothing does. Loops stay closed, since dependent speeds follow from the independent ones.

use super::Plan;
use super::coordinates::Motion;
use super::evaluation::Evaluation;
use super::motion;
use super::states::{BallState, State};
use equations::{Bool, Discrete, Ex, Model, impulses, select};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Event iterations at one instant after which nothing rebounds or rubs any more. What rubs may
/// bring back an approach, a little slower each time.
const MOST_PASSES: f64 = 40.0;

/// What is struck.
#[derive(Clone, Copy, Debug)]
pub struct Strike {
    /// Whether the surfaces are in contact.
    pub touches: Bool,
    /// Whether they part.
    pub parts: Bool,
    /// Whether they approach each other as well.
    pub approaches: Bool,
    /// Coefficient of restitution.
    pub elasticity: Ex,
    /// Coefficient of friction; `None`: the contact has a row along its normal only.
    pub friction: Option<Ex>,
    /// Slower approaches are inelastic, in m/s; it counts the less the more elastic the contact is.
    pub v_small: Ex,
}

/// Impulses that are known, from the block of `W` and the speeds that belong to their rows.
pub type Given = Box<dyn FnOnce(&[Vec<Ex>], &[Ex]) -> (Bool, Vec<Ex>)>;

/// What happened along the rows of a blow in an event iteration.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Whether there were impulses.
    pub struck: Bool,
    /// The impulses.
    pub p: Vec<Ex>,
    /// The speeds along the rows before.
    pub before: Vec<Ex>,
    /// Their changes.
    pub change: Vec<Ex>,
}

/// What is told the outcome.
pub type Done = Box<dyn FnOnce(&mut Model, Outcome)>;

/// Rows along which impulses act at events.
pub struct Blow {
    /// The component that states it.
    pub component: usize,
    /// Its rows, from [`Evaluation::add_rows`].
    pub rows: Range<usize>,
    /// A contact: the first row is its normal.
    pub strike: Option<Strike>,
    /// Impulses that the component itself knows.
    pub given: Option<Given>,
    /// Whether its work is put into the mechanism; that of others is what is lost.
    pub source: bool,
    /// What the component does with the impulses.
    pub done: Done,
}

/// The response of independent speeds to a unit of impulse along each row.
type Responses = [BTreeMap<usize, Ex>];

/// Sets the speeds of all states at the events at which something is struck.
pub(super) fn solve(
    plan: &Plan,
    states: &[State],
    balls: &[BallState],
    evaluation: &mut Evaluation<'_>,
) {
    let mut blows = std::mem::take(&mut evaluation.blows);
    if blows.is_empty() {
        return;
    }
    if !plan.structure.unmoved.is_empty() {
        strike_once(evaluation, &mut blows);
    }
    let rows = std::mem::take(&mut evaluation.rows);
    let responses = evaluation.impulse_responses().to_vec();
    let along = |row: &Motion, response: &BTreeMap<usize, Ex>| -> Ex {
        let terms = row.partials.iter().filter_map(|(k, &p)| Some(p * *response.get(k)?));
        terms.sum()
    };
    let w: Vec<Vec<Ex>> = rows
        .iter()
        .map(|row| responses.iter().map(|response| along(row, response)).collect())
        .collect();
    let v: Vec<Ex> = rows.iter().map(|row| row.v).collect();

    let count = evaluation.passes();
    let passes = Passes::new(count, &blows);
    let mut impulse = vec![Ex::zero(); rows.len()];
    let mut struck = vec![Bool::constant(false); blows.len()];
    strike_contacts(&blows, passes, (&w, &v), &mut impulse, &mut struck);
    let mut dones = Vec::new();
    let [mut losing, mut giving] = [BTreeSet::new(), BTreeSet::new()];
    for (k, blow) in blows.into_iter().enumerate() {
        let own = blow.rows;
        if blow.source { &mut giving } else { &mut losing }.extend(own.clone());
        if let Some(given) = blow.given {
            let block: Vec<Vec<Ex>> = own.clone().map(|i| w[i][own.clone()].to_vec()).collect();
            let (when, values) = given(&block, &v[own.clone()]);
            struck[k] = when;
            for (p, value) in impulse[own.clone()].iter_mut().zip(values) {
                *p += select(when, value, 0.0);
            }
        }
        dones.push((blow.component, blow.done, own));
    }
    let change: Vec<Ex> =
        w.iter().map(|row| row.iter().zip(&impulse).map(|(&w, &p)| w * p).sum()).collect();
    let jumps = jumps(&responses, &impulse);
    // Exact whatever the impulses are, since the change of the speeds is linear in them.
    let work = |rows: BTreeSet<usize>| -> Option<Ex> {
        let works = rows.into_iter().map(|i| impulse[i] * (v[i] + change[i] * 0.5));
        works.reduce(|a, b| a + b)
    };
    let works = [work(losing), work(giving)];
    add_up(plan, balls, evaluation, works, &jumps);
    let any = struck.iter().fold(Bool::constant(false), |any, &one| any | one);
    evaluation.model.update(count, select(any, count.pre() + 1.0, 0.0));
    for state in states {
        if let Some(jump) = plan.jump(state, evaluation, &jumps) {
            evaluation.model.reinit(state.v, any, state.v + jump);
        }
    }
    for ((component, done, own), struck) in dones.into_iter().zip(struck) {
        evaluation.component = component;
        let outcome = Outcome {
            struck,
            change: change[own.clone()].to_vec(),
            p: impulse[own.clone()].to_vec(),
            before: v[own].to_vec(),
        };
        done(evaluation.model, outcome);
    }
}

/// Adds up what impacts take and what is put in at them; `works` are those of impulses that take
/// and of sources. What the kinetic energy wins beyond them comes from drives.
fn add_up(
    plan: &Plan,
    balls: &[BallState],
    e: &mut Evaluation<'_>,
    [taking, giving]: [Option<Ex>; 2],
    jumps: &BTreeMap<usize, Ex>,
) {
    let sum = |e: &mut Evaluation<'_>, name: &str, text: &str, energy: Ex| {
        let sum = e.model.discrete(name, 0.0).unit("J").describe(text).done();
        e.model.update(sum, sum.pre() + energy);
    };
    if let Some(work) = taking {
        sum(e, "energy.lost_in_impacts", "Energy lost in impacts since the start", -work);
    }
    let given = match plan.coordinates.numbering().drives().is_empty() {
        true => giving,
        false => {
            Some(motion::kinetic_jump(plan, balls, e, jumps) - taking.unwrap_or_else(Ex::zero))
        }
    };
    if let Some(given) = given {
        let text = "Energy that drives and injections put in at impacts since the start";
        sum(e, "energy.given_in_impacts", text, given);
    }
}

/// Lets frames be struck when they begin to approach. Where impulses leave speeds alone they may go
/// on approaching, and would be struck without end.
fn strike_once(evaluation: &mut Evaluation<'_>, blows: &mut [Blow]) {
    for blow in blows {
        evaluation.component = blow.component;
        let name = evaluation.full("begins to approach");
        if let Some(strike) = &mut blow.strike {
            strike.approaches = evaluation.model.when(&name, strike.approaches);
        }
    }
}

/// Whether anything approaches, and whether it has done so for too many event iterations.
#[derive(Clone, Copy)]
struct Passes {
    any: Bool,
    too_many: Bool,
}

impl Passes {
    fn new(count: Discrete, blows: &[Blow]) -> Passes {
        let strikes = blows.iter().filter_map(|blow| blow.strike);
        let any = strikes.fold(Bool::constant(false), |any, strike| any | strike.approaches);
        Passes { any, too_many: count.pre().ge(MOST_PASSES) }
    }
}

/// The impulses of all contacts that are struck in an event iteration, solved together.
fn strike_contacts(
    blows: &[Blow],
    passes: Passes,
    (w, v): (&[Vec<Ex>], &[Ex]),
    impulse: &mut [Ex],
    struck: &mut [Bool],
) {
    let mut places = Vec::new();
    let mut contacts = Vec::new();
    for (blow, struck) in blows.iter().zip(struck) {
        let own = blow.rows.clone();
        let Some(strike) = blow.strike else { continue };
        // What is fully elastic is never slow, whatever the rounding of a speed that vanishes.
        let small = strike.v_small * (1.0 - strike.elasticity);
        let slow = (-v[own.start]).lt(small) & small.gt(0.0);
        let inelastic = slow | passes.too_many;
        let restitution = select(inelastic, 0.0, strike.elasticity);
        // What is inelastic passes a blow on at once; what is elastic is struck by it next time.
        // After too many passes all that touch take part, and nothing can approach then.
        let supports = passes.too_many | (restitution.le(0.0) & !strike.parts);
        let supports = strike.touches & passes.any & supports;
        *struck = strike.approaches | supports;
        contacts.push(equations::ContactImpact {
            active: *struck,
            restitution,
            friction: strike.friction.map(|mu| select(passes.too_many, 0.0, mu)),
        });
        places.extend(own);
    }
    let block: Vec<Vec<Ex>> =
        places.iter().map(|&i| places.iter().map(|&j| w[i][j]).collect()).collect();
    let speeds: Vec<Ex> = places.iter().map(|&i| v[i]).collect();
    for (place, p) in places.into_iter().zip(impulses(&block, &speeds, &contacts)) {
        impulse[place] = p;
    }
}

/// The changes of the independent speeds.
fn jumps(responses: &Responses, impulse: &[Ex]) -> BTreeMap<usize, Ex> {
    let mut jumps = BTreeMap::new();
    for (response, &p) in responses.iter().zip(impulse) {
        for (&k, &r) in response {
            *jumps.entry(k).or_insert_with(Ex::zero) += r * p;
        }
    }
    jumps
}

impl Plan {
    /// The change of a state's speed; `None` if impulses leave it alone.
    fn jump(
        &self,
        state: &State,
        evaluation: &Evaluation<'_>,
        jumps: &BTreeMap<usize, Ex>,
    ) -> Option<Ex> {
        let numbering = self.coordinates.numbering();
        let terms = &self.forms[state.form].linear.terms;
        let left_alone = |v: &usize| {
            let coordinate = numbering.coordinate_of(*v);
            coordinate.is_some_and(|c| self.structure.unmoved.contains(&c))
        };
        if terms.keys().any(left_alone) {
            return None;
        }
        let jump = terms.iter().map(|(v, &c)| {
            let motion = &evaluation.coordinates.motions()[v];
            let known = motion.partials.iter().filter_map(|(k, &p)| Some(p * *jumps.get(k)?));
            c * known.sum::<Ex>()
        });
        Some(jump.sum())
    }
}
