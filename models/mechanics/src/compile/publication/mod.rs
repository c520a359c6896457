//! Publication: from the solution to the variables of the FMU.

mod assumptions;
mod cut_torques;
pub mod followed_angles;
pub mod generalized;
pub mod motion_variables;
mod prescribed_loads;
mod proportions;
pub mod repeated;
pub mod scene_file;

use super::dynamics::Dynamics;
use super::kinematics::Kinematics;
use super::loads::moving_parts::MovingParts;
use super::states::motion_basis::MotionBasis;
use crate::assembly::Netlist;
use crate::error::Error;
use crate::statements::laws::signal_view::SignalView;
use generalized::{Generalized, Layout};

/// Publishes positions and speeds, and the orientations that a scene needs.
pub fn publish_motions(basis: MotionBasis<'_>, kinematics: &Kinematics, e: &mut SignalView<'_>) {
    motion_variables::kinematics(basis, e);
    followed_angles::publish(basis, e);
    motion_variables::quaternions(basis.topology, kinematics, e);
    scene_file::publish(&basis.topology.structure, e);
}

/// Publishes variables that no component publishes, and the outputs with names of their own; then
/// the model is complete.
///
/// `inspects` requests the equations in generalised coordinates, whose layout is returned.
pub fn publish(
    netlist: &Netlist,
    basis: MotionBasis<'_>,
    kinematics: &Kinematics,
    mut dynamics: Dynamics<'_>,
    inspects: bool,
) -> Result<Option<Layout>, Error> {
    let Dynamics { view, friction, applied, numeric, .. } = &mut dynamics;
    let topology = basis.topology;
    let parts = MovingParts::new(topology, kinematics);
    motion_variables::accelerations(topology, view);
    if let Some(released) = &kinematics.released {
        prescribed_loads::publish(parts, released, view)?;
    }
    motion_variables::energy(parts, view);
    motion_variables::residual(topology, view);
    assumptions::require(basis, view.coordinates(), view.model);
    cut_torques::publish(parts, numeric, view);
    repeated::named_outputs(netlist, view)?;
    view.note_missing_variables();
    let layout = if inspects {
        let (states, friction) = (&kinematics.states[..], friction.as_slice());
        let generalized = Generalized { topology, parts, states, applied, friction };
        Some(generalized::publish(generalized, view)?)
    } else {
        None
    };
    scene_file::output_frames(netlist, parts.structure, view)?;
    scene_file::write(topology.kinematic_tree(), numeric, view)?;
    dynamics.finish(&topology.structure)?;
    Ok(layout)
}
