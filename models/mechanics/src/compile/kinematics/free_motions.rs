//! Free loops: all coordinates and speeds are states, and each evaluation projects them on the
//! positions and speeds with which the loops are closed.
//!
//! The projections and the independent speeds do not depend on a choice of coordinates, so no
//! position of the loop is a dead point. All other values follow from the projected ones; the
//! states return to these within about a second.

use super::change_points;
use super::loop_place::LoopPlace;
use super::projection::Projection;
use super::state_variables::{OrientationState, declare_orientation};
use crate::compile::build_context::BuildContext;
use crate::compile::states::motion_basis::MotionBasis;
use crate::compile::topology::loop_structure::FreeLoop;
use crate::ids::VariableId;
use crate::orientation::{Quaternion, quaternion_rate};
use crate::statements::motion::coordinates::{Coordinates, Motion};
use equations::{Ex, Model};
use std::collections::BTreeMap;

/// A coordinate of a free loop and its speed, which are states.
#[derive(Clone, Copy, Debug)]
pub struct FreeState {
    /// Its variable.
    pub variable: VariableId,
    /// The state that is projected on the coordinate; none for a part of a turn.
    pub q: Option<Ex>,
    /// The state that is projected on its speed.
    pub v: Ex,
    /// How fast both return to their projections, in 1/s.
    pub attraction: Ex,
}

/// Declares the states, and the motions of the coordinates of all free loops, with their
/// orientations.
pub fn declare(
    basis: MotionBasis<'_>,
    coordinates: &mut Coordinates,
    build: &mut BuildContext<'_>,
) -> (Vec<FreeState>, Vec<OrientationState>) {
    let loops = &basis.topology.loops;
    let (mut states, mut orientations) = (Vec::new(), Vec::new());
    for group in &loops.structure.free {
        let own = declare_states(basis, group, build);
        let turned: Vec<OrientationState> = group
            .turning
            .iter()
            .filter_map(|turning| declare_orientation(basis, &turning.orientation, build))
            .collect();
        let before = LoopPlace {
            q: own.iter().map(|(q, _)| q.unwrap_or_else(Ex::zero)).collect(),
            quaternions: turned.iter().map(|state| state.states).collect(),
        };
        let v: Vec<Ex> = own.iter().map(|&(_, v)| v).collect();
        let at = (&before, &v[..]);
        let (motions, place) = match group.changes {
            true => change_points::motions((loops, group), at, coordinates, &build.numeric),
            false => {
                let projection = Projection::new((loops, group), at, coordinates, &build.numeric);
                (projection.motions(coordinates), projection.place)
            }
        };
        let pairs = motions.iter().zip(&group.nominals);
        let speeds: Ex = pairs.map(|(motion, &nominal)| (motion.v / nominal).square()).sum();
        let attraction = (speeds + 1.0).sqrt();
        for ((turning, state), &quaternion) in
            group.turning.iter().zip(turned).zip(&place.quaternions)
        {
            let w = turning.places.map(|k| motions[k].v);
            turn(&state, &quaternion, (w, attraction), build.model);
            coordinates.set_quaternion(turning.orientation.quaternion, quaternion);
            orientations.push(OrientationState { quaternion, ..state });
        }
        for ((unknown, motion), (q, v)) in group.coordinates(loops).zip(motions).zip(own) {
            coordinates.set_motion(unknown.variable, motion);
            states.push(FreeState { variable: unknown.variable, q, v, attraction });
        }
    }
    (states, orientations)
}

/// Gives the states of a quaternion their derivatives: the derivatives of the projected quaternion,
/// which the states approach.
fn turn(
    state: &OrientationState,
    projected: &Quaternion,
    (w, attraction): ([Ex; 3], Ex),
    model: &mut Model,
) {
    let length = projected.iter().map(|q| q.square()).sum::<Ex>().sqrt();
    let rates = quaternion_rate(projected, &w.into());
    for ((q, rate), &projected) in state.states.into_iter().zip(rates).zip(projected) {
        model.derivative(q, rate + attraction * (projected / length - q));
    }
}

/// Declares the states of a loop: position and speed of each coordinate. The position of a part of
/// a turn is zero, because a quaternion describes it.
fn declare_states(
    basis: MotionBasis<'_>,
    group: &FreeLoop,
    build: &mut BuildContext<'_>,
) -> Vec<(Option<Ex>, Ex)> {
    let MotionBasis { topology, initial, .. } = basis;
    let name = free_name(&topology.loops.rows[group.rows[0]].name, build.model);
    let BuildContext { numeric, model } = build;
    let mut declare =
        |place: usize, number: usize, [what, text, unit]: [&str; 3], start: &Starts| {
            let unknown = &topology.loops.unknowns[group.unknowns[place]];
            let name = format!("{name}.{what}[{number}]");
            let text =
                format!("{text} of {} before it is projected on the closed loop", unknown.name);
            model.announce(&name, unit, &text);
            let nominal = group.nominals[place];
            let state = model.state(&name, 0.0).unit(unit).nominal(nominal).done();
            let start = start[&unknown.variable];
            model.start_expr(state, start);
            let number = numeric.one(start);
            numeric.set(state, number);
            state
        };
    let unit = |k: &usize| topology.loops.unknowns[group.unknowns[*k]].unit;
    let all = 0..group.unknowns.len();
    // The elements of an array are declared together.
    let measured: Vec<usize> = all.clone().filter(|&k| !group.turns(k)).collect();
    let q: Vec<Ex> = (1..)
        .zip(&measured)
        .map(|(number, k)| declare(*k, number, ["q", "Value", unit(k)], &initial.q))
        .collect();
    let v = all.map(|k| {
        let unit = if unit(&k) == "m" { "m/s" } else { "rad/s" };
        declare(k, k + 1, ["v", "Speed", unit], &initial.v)
    });
    let v: Vec<Ex> = v.collect();
    let position = |k: usize| Some(q[measured.binary_search(&k).ok()?]);
    v.into_iter().enumerate().map(|(k, v)| (position(k), v)).collect()
}

/// Initial values of variables.
type Starts = BTreeMap<VariableId, Ex>;

/// The name before the variables `q` and `v` of a loop: the name of an instance or, if the instance
/// itself has variables with these names, the name of a part of the instance.
fn free_name(instance: &str, model: &Model) -> String {
    let numbered = (2..).map(|k| format!("{instance}.closure{k}"));
    let all = [instance.to_owned(), format!("{instance}.closure")].into_iter().chain(numbered);
    let is_free = |name: &String| {
        ["q[1]", "v[1]"].iter().all(|own| !model.is_taken(&format!("{name}.{own}")))
    };
    all.into_iter().find(is_free).unwrap_or_else(|| instance.to_owned())
}

impl FreeState {
    /// The derivatives of the states with the projected position and speed: those of these, which
    /// the states approach.
    fn rates(&self, motion: &Motion, acceleration: Ex) -> [Option<Ex>; 2] {
        let FreeState { q, v, attraction, .. } = *self;
        let rate = |state: Ex, [value, rate]: [Ex; 2]| rate + attraction * (value - state);
        let of_position = q.map(|q| rate(q, [motion.q, motion.v]));
        [of_position, Some(rate(v, [motion.v, acceleration]))]
    }
}

/// Gives the states their derivatives.
pub fn rates(
    states: &[FreeState],
    coordinates: &Coordinates,
    independent: &BTreeMap<VariableId, Ex>,
    model: &mut Model,
) {
    for state in states {
        let motion = &coordinates.motions()[&state.variable];
        let rates = state.rates(motion, motion.acceleration(independent));
        for (state, rate) in [state.q, Some(state.v)].into_iter().zip(rates) {
            if let (Some(state), Some(rate)) = (state, rate) {
                model.derivative(state, rate);
            }
        }
    }
}
