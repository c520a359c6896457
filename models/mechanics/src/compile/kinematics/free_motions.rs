//! Free loops: all coordinates and speeds are states, and each evaluation projects them on the
//! positions and speeds with which the loops are closed.
//!
//! The projections and the independent speeds do not depend on a choice of coordinates, so no
//! position of the loop is a dead point. All other values follow from the projected ones; the
//! states return to these within about a second.

use super::change_points;
use super::projection::Projection;
use crate::compile::build_context::BuildContext;
use crate::compile::ids::VariableId;
use crate::compile::motion::coordinates::{Coordinates, Motion};
use crate::compile::states::motion_basis::MotionBasis;
use crate::compile::topology::loops::{FreeLoop, LoopUnknown};
use equations::{Ex, Model};
use std::collections::BTreeMap;

/// A coordinate of a free loop and its speed, which are states.
#[derive(Clone, Copy, Debug)]
pub struct FreeState {
    /// Its variable.
    pub variable: VariableId,
    /// The state that is projected on the coordinate.
    pub q: Ex,
    /// The state that is projected on its speed.
    pub v: Ex,
    /// How fast both return to their projections, in 1/s.
    pub attraction: Ex,
}

/// Declares the states, and the motions of the coordinates of all free loops.
pub fn declare(
    basis: MotionBasis<'_>,
    coordinates: &mut Coordinates,
    build: &mut BuildContext<'_>,
) -> Vec<FreeState> {
    let loops = &basis.topology.loops;
    let mut states = Vec::new();
    for group in &loops.structure.free {
        let own = declare_states(basis, group, build);
        let [q, v] = [0, 1].map(|k: usize| own.iter().map(|state| state[k]).collect::<Vec<Ex>>());
        let motions = match group.changes {
            true => change_points::motions((loops, group), [&q, &v], coordinates, &build.numeric),
            false => Projection::new((loops, group), [&q, &v], coordinates, &build.numeric)
                .motions(coordinates),
        };
        let pairs = motions.iter().zip(&group.nominals);
        let speeds: Ex = pairs.map(|(motion, &nominal)| (motion.v / nominal).square()).sum();
        let attraction = (speeds + 1.0).sqrt();
        for ((unknown, motion), [q, v]) in group.coordinates(loops).zip(motions).zip(own) {
            coordinates.set_motion(unknown.variable, motion);
            states.push(FreeState { variable: unknown.variable, q, v, attraction });
        }
    }
    states
}

/// Declares the states of a loop: position and speed of each coordinate.
fn declare_states(
    basis: MotionBasis<'_>,
    group: &FreeLoop,
    build: &mut BuildContext<'_>,
) -> Vec<[Ex; 2]> {
    let MotionBasis { topology, initial, .. } = basis;
    let name = free_name(&topology.loops.rows[group.rows[0]].name, build.model);
    let BuildContext { numeric, model } = build;
    let mut declare = |what: &str, text: &str, unit: fn(&LoopUnknown) -> &str, start: &Starts| {
        let coordinates = group.coordinates(&topology.loops).zip(&group.nominals);
        let states = coordinates.enumerate().map(|(k, (unknown, &nominal))| {
            let name = format!("{name}.{what}[{}]", k + 1);
            let unit = unit(unknown);
            let text =
                format!("{text} of {} before it is projected on the closed loop", unknown.name);
            model.announce(&name, unit, &text);
            let state = model.state(&name, 0.0).unit(unit).nominal(nominal).done();
            let start = start[&unknown.variable];
            model.start_expr(state, start);
            let number = numeric.one(start);
            numeric.set(state, number);
            state
        });
        states.collect::<Vec<Ex>>()
    };
    // The elements of an array are declared together.
    let q = declare("q", "Value", |unknown| unknown.unit, &initial.q);
    let of_speed = |unknown: &LoopUnknown| if unknown.unit == "m" { "m/s" } else { "rad/s" };
    let v = declare("v", "Speed", of_speed, &initial.v);
    q.into_iter().zip(v).map(|(q, v)| [q, v]).collect()
}

/// Initial values of variables.
type Starts = BTreeMap<VariableId, Ex>;

/// The name under which a loop has the variables `q` and `v`: that of an instance or, if it has
/// such variables itself, of a part of it.
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
    fn rates(&self, motion: &Motion, acceleration: Ex) -> [Ex; 2] {
        let FreeState { q, v, attraction, .. } = *self;
        [motion.v + attraction * (motion.q - q), acceleration + attraction * (motion.v - v)]
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
        let [q, v] = state.rates(motion, motion.acceleration(independent));
        model.derivative(state.q, q);
        model.derivative(state.v, v);
    }
}
