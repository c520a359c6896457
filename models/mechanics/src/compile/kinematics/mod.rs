//! Kinematics: from the states to the motions of all coordinates and frames.

mod angles;
mod branches;
pub mod drive_motions;
pub mod frame_motions;
mod loop_motions;
pub mod massless_motions;
mod position_solve;
pub mod state_variables;

use super::algebra::numeric::Numeric;
use super::motion::coordinates::{Coordinates, Motion};
use super::motion::frames::Frames;
use super::motion::variables::Numbering;
use super::states::motion_basis::MotionBasis;
use super::states::prescribed_motion::Drives;
use crate::compile::ids::{DriveId, List};
use crate::error::Error;
use equations::{Ex, Model};
use massless_motions::MasslessMotions;
use state_variables::{OrientationState, StateVariable};

/// Everything that moves, as functions of the states.
pub struct Kinematics {
    /// The states that are a position with its speed, or a speed alone.
    pub states: Vec<StateVariable>,
    /// The states that are quaternions.
    pub orientations: Vec<OrientationState>,
    /// Position, speed and acceleration of each prescribed motion.
    pub drives: List<DriveId, [Ex; 3]>,
    /// Motions of the variables without inertia.
    pub massless: MasslessMotions,
    /// Motions of all coordinates.
    pub coordinates: Coordinates,
    /// The same if prescribed motions gave way; none without prescribed motions.
    pub giving_way: Option<Coordinates>,
    /// Motions of all frames.
    pub frames: Frames,
}

/// Declares the states, and finds the motions of everything else.
pub fn solve(
    basis: MotionBasis<'_>,
    drives: &Drives,
    numeric: &mut Numeric,
    model: &mut Model,
) -> Result<Kinematics, Error> {
    let MotionBasis { topology, selection, initial } = basis;
    let numbering = topology.variables.numbering;
    let mut coordinates = Coordinates::new(topology.variables.clone());
    let states = state_variables::declare_states(basis, numeric, model);
    let drives =
        drive_motions::declare(drives, topology, initial, &mut coordinates, (numeric, model));
    rest_violations(numbering, &mut coordinates);
    state_variables::independent_motions(basis, &states, &mut coordinates, numeric)?;
    let orientations = state_variables::declare_orientations(basis, numeric, model);
    let rolling = state_variables::declare_rolling(basis, &mut coordinates, numeric, model);
    let massless = MasslessMotions::declare(basis, &mut coordinates, (numeric, model));
    loop_motions::close(topology, initial, &mut coordinates, (numeric, model));
    state_variables::rolling_rates(topology, &coordinates, &rolling, model);
    state_variables::orientation_rates(&coordinates, &orientations, model);

    let (coordinates, giving_way) = held_by_drives(coordinates, numbering);
    let mechanism = (&topology.structure, &topology.tree);
    let mut frames =
        frame_motions::frames(mechanism, &selection.independent, &coordinates, &orientations);
    if let Some(giving_way) = &giving_way {
        frames.by_drives =
            frame_motions::by_drives(mechanism, giving_way, &frames.poses, &orientations);
    }
    Ok(Kinematics { states, orientations, drives, massless, coordinates, giving_way, frames })
}

/// Motions of the violations of relations: always zero, but forces are projected on them.
fn rest_violations(numbering: Numbering, coordinates: &mut Coordinates) {
    for variable in numbering.violations() {
        let mut motion = Motion::prescribed([Ex::zero(); 3]);
        motion.partials.insert(variable, Ex::one());
        coordinates.set_motion(variable, motion);
    }
}

/// Motions where prescribed motions do not give way, and the given ones, where they do.
fn held_by_drives(
    giving_way: Coordinates,
    numbering: Numbering,
) -> (Coordinates, Option<Coordinates>) {
    if !numbering.has_drives() {
        return (giving_way, None);
    }
    let mut held = giving_way.clone();
    held.change_motions(|motion| {
        motion.partials.retain(|&variable, _| !numbering.is_drive(variable));
    });
    (held, Some(giving_way))
}
