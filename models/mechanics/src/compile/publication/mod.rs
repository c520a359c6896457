//! Publication: from the solution to the variables of the FMU.

mod cut_torques;
pub mod generalized;
pub mod motion_variables;
mod prescribed_loads;
pub mod scene_file;

use super::algebra::numeric::Numeric;
use super::laws::acceleration_view::AccelerationView;
use super::loads::moving_parts::MovingParts;
use super::motion::coordinates::Coordinates;
use super::topology::Topology;
use crate::assembly::Netlist;
use crate::error::Error;
use generalized::{Generalized, Layout};

/// Publishes variables that no component publishes, and the outputs. Returns the layout of the
/// equations in generalised coordinates, if these are requested.
///
/// `released` are the motions of all coordinates with the prescribed motions as freedoms.
pub fn publish(
    netlist: &Netlist,
    topology: &Topology,
    (parts, released): (MovingParts<'_>, Option<&Coordinates>),
    inspected: Option<Generalized<'_>>,
    numeric: &Numeric,
    e: &mut AccelerationView<'_>,
) -> Result<Option<Layout>, Error> {
    motion_variables::accelerations(topology, e);
    if let Some(released) = released {
        prescribed_loads::publish(parts, released, e)?;
    }
    motion_variables::energy(parts, e);
    motion_variables::residual(topology, e);
    cut_torques::publish(parts, numeric, e);
    motion_variables::outputs(netlist, e)?;
    let layout = inspected.map(|inspected| generalized::publish(inspected, e)).transpose()?;
    scene_file::output_frames(netlist, parts.structure, e)?;
    scene_file::write(parts.structure, numeric, e)?;
    Ok(layout)
}
