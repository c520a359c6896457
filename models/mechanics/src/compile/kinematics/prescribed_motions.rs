//! The motions of prescribed variables: placeholders, or states that take their places.

use super::state_variables::declare_state;
use crate::compile::build_context::BuildContext;
use crate::compile::states::initial::Initial;
use crate::compile::states::motion_placeholders::MotionPlaceholders;
use crate::compile::topology::Topology;
use crate::ids::{List, PrescribedMotionId};
use crate::statements::motion::coordinates::{Coordinates, Motion};
use crate::statements::motion::level::Level;
use equations::Ex;

/// Declares the states of prescribed motions, and the motions of their variables; returns position,
/// speed and acceleration of each.
pub fn declare(
    placeholders: &MotionPlaceholders,
    topology: &Topology,
    initial: &Initial,
    coordinates: &mut Coordinates,
    build: &mut BuildContext<'_>,
) -> List<PrescribedMotionId, [Ex; 3]> {
    let numbering = topology.variables.numbering;
    let mut motions: List<PrescribedMotionId, [Ex; 3]> =
        placeholders.motions.iter().map(|one| one.motion).collect();
    for (id, candidate) in topology.candidates.enumerate() {
        let Some((k, second_order)) = candidate.prescribed else { continue };
        let variable = numbering.prescribed_motion(k);
        let (q_0, v_0) = (initial.q[&variable], initial.v.get(&variable));
        let position = (id, Level::Position);
        motions[k][0] = declare_state(topology, initial, build, position, q_0);
        if let Some(&v_0) = v_0.filter(|_| second_order) {
            let speed = (id, Level::Speed);
            motions[k][1] = declare_state(topology, initial, build, speed, v_0);
        }
        build.model.derivative(motions[k][0], motions[k][1]);
        if second_order {
            build.model.derivative(motions[k][1], motions[k][2]);
        }
    }
    for (k, &motion) in motions.enumerate() {
        let (mut motion, variable) = (Motion::prescribed(motion), numbering.prescribed_motion(k));
        // The degree of freedom of the released motion: see `prescribed_loads`.
        motion.partials.insert(variable, Ex::one());
        coordinates.set_motion(variable, motion);
    }
    motions
}
