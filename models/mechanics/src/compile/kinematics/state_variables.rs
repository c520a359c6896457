//! The continuous states with their initial values, and the motions that are functions of them
//! alone.

use super::angles::regular_angle;
use crate::compile::build_context::BuildContext;
use crate::compile::states::initial::{Initial, Role};
use crate::compile::states::motion_basis::MotionBasis;
use crate::compile::topology::Topology;
use crate::compile::topology::placeholders::PlacedOrientation;
use crate::error::Error;
use crate::ids::{CandidateId, JointId, VariableId};
use crate::orientation::{Quaternion, quaternion_rate, turned_quaternion};
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::start_variable::StartVariable;
use crate::statements::motion::coordinates::{Coordinates, Motion};
use crate::statements::motion::level::Level;
use equations::{Ex, Model};
use std::collections::BTreeMap;

/// States of a chosen form: position and speed; a component of an angular velocity has none.
#[derive(Clone, Copy, Debug)]
pub struct StateVariable {
    pub candidate: CandidateId,
    pub q: Option<Ex>,
    pub v: Ex,
}

/// Declares the continuous states with their initial values, and sets their numbers.
pub fn declare_states(basis: MotionBasis<'_>, build: &mut BuildContext<'_>) -> Vec<StateVariable> {
    let MotionBasis { topology, selection, initial } = basis;
    let mut states = Vec::new();
    for &candidate in &selection.states {
        let linear = &topology.candidates[candidate].linear;
        let mut speed_form = linear.clone();
        speed_form.constant = Ex::zero();
        let (position, speed) =
            (linear.value(|v| initial.q[&v]), speed_form.value(|v| initial.v[&v]));
        let only_speed = topology.candidates[candidate].is_angular_velocity;
        let q = (!only_speed).then(|| {
            declare_state(topology, initial, build, (candidate, Level::Position), position)
        });
        let v = declare_state(topology, initial, build, (candidate, Level::Speed), speed);
        states.push(StateVariable { candidate, q, v });
    }
    for state in &states {
        if let Some(q) = state.q {
            build.model.derivative(q, state.v);
        }
    }
    states
}

/// Declares the position or the speed of a candidate as a state with its initial value.
pub fn declare_state(
    topology: &Topology,
    initial: &Initial,
    build: &mut BuildContext<'_>,
    (candidate, level): (CandidateId, Level),
    value: Ex,
) -> Ex {
    let BuildContext { numeric, model } = build;
    let variable = topology.candidates[candidate].variable(level);
    let role = initial.roles[candidate][level as usize];
    let slot = variable.start_slot(model);
    let declared =
        model.state_from_slot(&variable.name, slot).unit(variable.unit).nominal(variable.nominal);
    let given = role == Role::Known && slot.key() == variable.slot.key();
    let guessed = role == Role::Guess;
    let leaf = if guessed { declared.guess().done() } else { declared.done() };
    let start =
        if role == Role::Known { initial.start_of(topology, (candidate, level)) } else { value };
    if given {
        model.replace_start(leaf, start);
    } else {
        model.start_expr(leaf, start);
    }
    let number = numeric.one(start);
    numeric.set(leaf, number);
    leaf
}

/// Independent coordinates as linear forms of the states.
pub fn independent_motions(
    basis: MotionBasis<'_>,
    states: &[StateVariable],
    coordinates: &mut Coordinates,
    numeric: &Numeric,
) -> Result<(), Error> {
    let MotionBasis { topology, selection, .. } = basis;
    let regular = states.iter().map(|state| {
        let q = state.q.unwrap_or_else(Ex::zero);
        regular_angle(topology, &topology.candidates[state.candidate].linear, q, numeric)
    });
    let regular: Vec<Ex> = regular.collect::<Result<_, Error>>()?;
    let numbering = coordinates.numbering();
    for (state, q) in states.iter().zip(regular) {
        let form = &topology.candidates[state.candidate].linear;
        coordinates.add_state(form, [q, state.v], |v| numbering.rank(v), numeric);
    }
    let free = topology.loops.free_variables();
    for &v in selection.independent.iter().filter(|v| !free.contains(v)) {
        let motion = coordinates.independent(v);
        coordinates.set_motion(v, motion);
    }
    Ok(())
}

/// The free orientation of a joint.
#[derive(Clone, Copy, Debug)]
pub struct OrientationState {
    pub joint: JointId,
    /// The components of its quaternion.
    pub states: Quaternion,
    /// The quaternion of the orientation: these states or, in a free loop, their projection.
    pub quaternion: Quaternion,
    /// The variables of its angular velocity.
    pub angular_velocity: [VariableId; 3],
}

/// Declares the quaternions of free orientations as states.
pub fn declare_orientations(
    basis: MotionBasis<'_>,
    build: &mut BuildContext<'_>,
) -> Vec<OrientationState> {
    let free = basis.topology.loops.free_variables();
    let all = basis.topology.loops.symbols.orientations().iter();
    let others = all.filter(|own| !free.contains(&own.variables[0]));
    others.filter_map(|own| declare_orientation(basis, own, build)).collect()
}

/// Declares the quaternion of a free orientation as states.
pub fn declare_orientation(
    MotionBasis { topology, initial, .. }: MotionBasis<'_>,
    own: &PlacedOrientation,
    build: &mut BuildContext<'_>,
) -> Option<OrientationState> {
    let orientation = topology.structure.multibody.joints[own.joint].orientation.as_ref()?;
    let turn = own.variables.map(|v| initial.q[&v]);
    let turned = turn.iter().any(|turn| !turn.is_constant_zero());
    let start = turned_quaternion(&own.quaternion, &turn);
    let given = !orientation.starts_from_angles;
    let states = std::array::from_fn(|k| {
        let StartVariable { name, slot, unit, .. } = &orientation.quaternion[k];
        let declared = build.model.state_from_slot(name, *slot).unit(unit);
        let leaf = if turned && given { declared.guess().done() } else { declared.done() };
        if turned || !given {
            build.model.start_expr(leaf, start[k]);
        }
        let number = build.numeric.one(start[k]);
        build.numeric.set(leaf, number);
        leaf
    });
    let (joint, angular_velocity) = (own.joint, own.variables);
    Some(OrientationState { joint, states, quaternion: states, angular_velocity })
}

impl OrientationState {
    /// The derivatives of the quaternion.
    pub fn rates(&self, coordinates: &Coordinates) -> Quaternion {
        let w = self.angular_velocity.map(|v| coordinates.motions()[&v].v);
        quaternion_rate(&self.quaternion, &w.into())
    }
}

/// How fast the norm of a quaternion returns to one, in 1/s. The orientation does not depend on it.
const RENORMALIZATION: f64 = 1.0;

/// The derivatives of quaternions.
pub fn orientation_rates(
    coordinates: &Coordinates,
    orientations: &[OrientationState],
    model: &mut Model,
) {
    for orientation in orientations {
        let square: Ex = orientation.states.iter().map(|q| q.square()).sum();
        for (q, rate) in orientation.states.into_iter().zip(orientation.rates(coordinates)) {
            model.derivative(q, rate + q * (Ex::one() - square) * RENORMALIZATION);
        }
    }
}

/// Declares positions as states whose speeds follow from constraints on speeds.
pub fn declare_rolling(
    basis: MotionBasis<'_>,
    coordinates: &mut Coordinates,
    build: &mut BuildContext<'_>,
) -> Vec<(CandidateId, Ex)> {
    let MotionBasis { topology, selection, initial } = basis;
    let mut states = Vec::new();
    for &candidate in &selection.rolling {
        let linear = topology.candidates[candidate].linear.clone();
        let value = linear.value(|v| initial.q[&v]);
        let at = (candidate, Level::Position);
        let state = declare_state(topology, initial, build, at, value);
        let Some((&variable, &slope)) = linear.terms.first_key_value() else { continue };
        let q = (state - linear.constant) / slope;
        let motion = Motion::prescribed([q, Ex::zero(), Ex::zero()]);
        coordinates.set_motion(variable, motion);
        states.push((candidate, state));
    }
    states
}

/// The derivatives of those states.
pub fn rolling_rates(
    topology: &Topology,
    coordinates: &Coordinates,
    rolling: &[(CandidateId, Ex)],
    model: &mut Model,
) {
    for &(candidate, state) in rolling {
        let terms = topology.candidates[candidate].linear.terms.iter();
        let speed: Ex = terms.map(|(v, &c)| c * coordinates.motions()[v].v).sum();
        model.derivative(state, speed);
    }
}

impl StateVariable {
    /// Its second derivative, from the accelerations of the independent coordinates and those of
    /// prescribed motions.
    pub fn acceleration(
        &self,
        topology: &Topology,
        coordinates: &Coordinates,
        independent: &BTreeMap<VariableId, Ex>,
    ) -> Ex {
        let terms = &topology.candidates[self.candidate].linear.terms;
        terms.iter().map(|(v, &c)| c * coordinates.motions()[v].acceleration(independent)).sum()
    }
}
