//! The continuous states with their initial values, and the motions that are functions of them
//! alone.

use super::Plan;
use super::coordinates::Motion;
use super::start::{Initial, Role};
use super::structure::Candidate;
use crate::error::Error;
use crate::orientation::{quaternion_from_rotation, quaternion_rate};
use crate::vector::Vector;
use equations::{Ex, Model};

/// States of a chosen form: position and speed; a spin has no position.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub form: usize,
    pub q: Option<Ex>,
    pub v: Ex,
}

/// Declares the continuous states with their initial values; tells the numbers behind them.
pub(super) fn declare_states(plan: &mut Plan, initial: &Initial, model: &mut Model) -> Vec<State> {
    let mut states = Vec::new();
    for form in plan.states.clone() {
        let linear = &plan.forms[form].linear;
        let mut speed_form = linear.clone();
        speed_form.constant = Ex::zero();
        let (position, speed) =
            (linear.value(|v| initial.q[&v]), speed_form.value(|v| initial.v[&v]));
        let spin = plan.forms[form].spin;
        let q = (!spin).then(|| declare_state(plan, initial, model, (form, 0), position));
        let v = declare_state(plan, initial, model, (form, 1), speed);
        states.push(State { form, q, v });
    }
    for state in &states {
        if let Some(q) = state.q {
            model.derivative(q, state.v);
        }
    }
    states
}

/// Declares the position (0) or the speed (1) of a form as a state with its initial value.
pub(super) fn declare_state(
    plan: &mut Plan,
    initial: &Initial,
    model: &mut Model,
    (form, which): (usize, usize),
    value: Ex,
) -> Ex {
    let f = &plan.forms[form];
    let candidate = if which == 0 { &f.position } else { &f.speed };
    let role = initial.roles[form][which];
    let slot = candidate.start_slot(model);
    let declared = model
        .state_from_slot(&candidate.name, slot)
        .unit(candidate.unit)
        .nominal(candidate.nominal);
    let given = role == Role::Known && slot.key() == candidate.slot.key();
    let guessed = role == Role::Guess || slot.key() != candidate.slot.key();
    let leaf = if guessed { declared.guess().done() } else { declared.done() };
    let start = if role == Role::Known { initial.start_of(plan, (form, which)) } else { value };
    if given {
        model.replace_start(leaf, start);
    } else {
        model.start_expr(leaf, start);
    }
    let number = plan.numeric.one(start);
    plan.numeric.set(leaf, number);
    leaf
}

/// Independent coordinates as linear forms of the states.
pub(super) fn independent_motions(plan: &mut Plan, states: &[State]) -> Result<(), Error> {
    let regular = states.iter().map(|state| {
        let q = state.q.unwrap_or_else(Ex::zero);
        plan.regular_angle(&plan.forms[state.form].linear, q)
    });
    let regular: Vec<Ex> = regular.collect::<Result<_, Error>>()?;
    let Plan { coordinates, forms, independent, numeric, .. } = plan;
    let numbering = coordinates.numbering();
    for (state, q) in states.iter().zip(regular) {
        let form = &forms[state.form].linear;
        coordinates.add_state(form, [q, state.v], |v| numbering.rank(v), numeric);
    }
    for &v in &*independent {
        let motion = coordinates.independent(v);
        coordinates.set_motion(v, motion);
    }
    Ok(())
}

/// The orientation of a joint's ball: its quaternion, whose components are states.
#[derive(Clone, Copy, Debug)]
pub(super) struct BallState {
    pub joint: usize,
    pub quaternion: [Ex; 4],
    /// The first of its spins.
    first: usize,
}

/// Declares the quaternions of balls as states.
pub(super) fn declare_balls(
    plan: &mut Plan,
    initial: &Initial,
    model: &mut Model,
) -> Vec<BallState> {
    let balls: Vec<_> = plan.symbols.balls().collect();
    let mut states = Vec::new();
    for (joint, slots, first) in balls {
        let Some(ball) = plan.structure.joints[joint].ball.clone() else { continue };
        let numbering = plan.coordinates.numbering();
        let turns = std::array::from_fn(|k| initial.q[&numbering.coordinate(first + k)]);
        let turned = turns.iter().any(|turn: &Ex| !turn.is_constant_zero());
        let start = plan.symbols.start_rotation(joint, &turns);
        let start = if turned { quaternion_from_rotation(&start, &slots) } else { slots };
        let quaternion = std::array::from_fn(|k| {
            let Candidate { name, slot, unit, .. } = &ball.quaternion[k];
            let declared = model.state_from_slot(name, *slot).unit(unit);
            let leaf = if turned { declared.guess().done() } else { declared.done() };
            if turned {
                model.start_expr(leaf, start[k]);
            }
            let number = plan.numeric.one(start[k]);
            plan.numeric.set(leaf, number);
            leaf
        });
        states.push(BallState { joint, quaternion, first });
    }
    states
}

/// How fast the norm of a quaternion returns to one, in 1/s. The orientation does not depend on it.
const RENORMALIZATION: f64 = 1.0;

/// The derivatives of quaternions.
pub(super) fn balls_rates(plan: &Plan, balls: &[BallState], model: &mut Model) {
    for ball in balls {
        let numbering = plan.coordinates.numbering();
        let speed = |k| plan.coordinates.motions()[&numbering.coordinate(ball.first + k)].v;
        let w = Vector::new(speed(0), speed(1), speed(2));
        let rates = quaternion_rate(&ball.quaternion, &w);
        let square: Ex = ball.quaternion.iter().map(|q| q.square()).sum();
        for (q, rate) in ball.quaternion.into_iter().zip(rates) {
            model.derivative(q, rate + q * (Ex::one() - square) * RENORMALIZATION);
        }
    }
}

/// Declares positions as states whose speeds follow from constraints on speeds.
pub(super) fn declare_rolling(
    plan: &mut Plan,
    initial: &Initial,
    model: &mut Model,
) -> Vec<(usize, Ex)> {
    let mut states = Vec::new();
    for form in plan.rolling.clone() {
        let linear = plan.forms[form].linear.clone();
        let value = linear.value(|v| initial.q[&v]);
        let state = declare_state(plan, initial, model, (form, 0), value);
        let Some((&variable, &slope)) = linear.terms.first_key_value() else { continue };
        let q = (state - linear.constant) / slope;
        let motion = Motion::prescribed([q, Ex::zero(), Ex::zero()]);
        plan.coordinates.set_motion(variable, motion);
        states.push((form, state));
    }
    states
}

/// The derivatives of those states.
pub(super) fn rolling_rates(plan: &Plan, rolling: &[(usize, Ex)], model: &mut Model) {
    for &(form, state) in rolling {
        let terms = plan.forms[form].linear.terms.iter();
        let speed: Ex = terms.map(|(v, &c)| c * plan.coordinates.motions()[v].v).sum();
        model.derivative(state, speed);
    }
}
