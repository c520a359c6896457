//! Kinematics: from the states to the motions of all coordinates and frames.

mod angles;
mod block_closed_form;
mod branches;
mod change_points;
mod closed_form_solution;
mod followed;
pub mod frame_motions;
pub mod free_motions;
mod loop_limits;
mod loop_motions;
mod loop_place;
pub mod massless_motions;
mod newton_solution;
pub mod prescribed_motions;
mod projection;
pub mod state_variables;

use super::states::motion_basis::MotionBasis;
use super::states::motion_placeholders::MotionPlaceholders;
use crate::compile::build_context::BuildContext;
use crate::error::Error;
use crate::ids::{List, PrescribedMotionId};
use crate::statements::motion::coordinates::{Coordinates, Motion};
use crate::statements::motion::frames::FrameMotions;
use crate::statements::motion::variables::Numbering;
use equations::Ex;
use free_motions::FreeState;
use massless_motions::MasslessMotions;
use state_variables::{OrientationState, StateVariable};

/// Everything that moves, as functions of the states.
pub struct Kinematics {
    /// The states that are a position with its speed, or a speed alone.
    pub states: Vec<StateVariable>,
    /// The states that are coordinates of free loops.
    pub free: Vec<FreeState>,
    /// The states that are quaternions.
    pub orientations: Vec<OrientationState>,
    /// Position, speed and acceleration of each prescribed motion.
    pub prescribed_motions: List<PrescribedMotionId, [Ex; 3]>,
    /// Motions of the variables without inertia.
    pub massless: MasslessMotions,
    /// Motions of all coordinates.
    pub coordinates: Coordinates,
    /// The same with the prescribed motions as degrees of freedom; none without them.
    pub released: Option<Coordinates>,
    /// Motions of all frames.
    pub frames: FrameMotions,
}

/// Declares the states, and finds the motions of everything else.
pub fn solve(
    basis: MotionBasis<'_>,
    placeholders: &MotionPlaceholders,
    build: &mut BuildContext<'_>,
) -> Result<Kinematics, Error> {
    let MotionBasis { topology, selection, initial } = basis;
    let numbering = topology.variables.numbering;
    let mut coordinates = Coordinates::new(topology.variables.clone());
    let states = state_variables::declare_states(basis, build);
    let prescribed_motions =
        prescribed_motions::declare(placeholders, topology, initial, &mut coordinates, build);
    rest_violations(numbering, &mut coordinates);
    state_variables::independent_motions(basis, &states, &mut coordinates, &build.numeric)?;
    let mut orientations = state_variables::declare_orientations(basis, build);
    let rolling = state_variables::declare_rolling(basis, &mut coordinates, build);
    let massless = MasslessMotions::declare(basis, &mut coordinates, build);
    let (free, turned) = free_motions::declare(basis, &mut coordinates, build);
    loop_motions::solve(basis, &mut coordinates, build);
    state_variables::rolling_rates(topology, &coordinates, &rolling, build.model);
    state_variables::orientation_rates(&coordinates, &orientations, build.model);
    orientations.extend(turned);

    let (coordinates, released) = hold_prescribed(coordinates, numbering);
    let kinematic_tree = topology.kinematic_tree();
    let mut frames =
        frame_motions::frames(kinematic_tree, &selection.independent, &coordinates, &orientations);
    if let Some(released) = &released {
        frames.by_prescribed_motions = frame_motions::by_prescribed_motions(
            kinematic_tree,
            released,
            &frames.poses,
            &orientations,
        );
    }
    Ok(Kinematics {
        states,
        free,
        orientations,
        prescribed_motions,
        massless,
        coordinates,
        released,
        frames,
    })
}

/// Motions of the violations of flange constraints: always zero, but forces are projected on them.
fn rest_violations(numbering: Numbering, coordinates: &mut Coordinates) {
    for variable in numbering.violations() {
        let mut motion = Motion::prescribed([Ex::zero(); 3]);
        motion.partials.insert(variable, Ex::one());
        coordinates.set_motion(variable, motion);
    }
}

/// Motions without the degrees of freedom of prescribed motions, and the given ones, which have
/// them.
fn hold_prescribed(
    released: Coordinates,
    numbering: Numbering,
) -> (Coordinates, Option<Coordinates>) {
    if !numbering.has_prescribed_motions() {
        return (released, None);
    }
    let mut held = released.clone();
    held.change_motions(|motion| {
        motion.partials.retain(|&variable, _| !numbering.is_prescribed(variable));
    });
    (held, Some(released))
}
