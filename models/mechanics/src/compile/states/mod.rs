//! From the topology to the states, and to their initial values in terms of start values.

pub mod first_modes;
pub mod idle_elements;
pub mod initial;
pub mod initial_loops;
pub mod initial_system;
pub mod initial_values;
pub mod massless_variables;
pub mod motion_basis;
pub mod motion_placeholders;
pub mod resting_friction;
pub mod selection;
pub mod start_values;

use super::build_context::BuildContext;
use super::topology::Topology;
use crate::error::Error;
use crate::statements::contributions::flanges::PrescribedMotion;
use crate::statements::contributions::initial_conditions::Condition;
use initial::Initial;
use motion_placeholders::MotionPlaceholders;
use selection::Selection;
use start_values::InitialData;

/// The states, and where they start.
pub struct SelectedStates {
    /// Which variables are states.
    pub selection: Selection,
    /// Initial values in terms of start values.
    pub initial: Initial,
    /// Placeholders of prescribed motions and of initial conditions, until signals are evaluated.
    pub placeholders: MotionPlaceholders,
}

/// Selects the states and determines their initial values.
///
/// `searched` says that the initial system determines the initial values of states of blocks.
pub fn determine(
    topology: &Topology,
    prescribed: Vec<PrescribedMotion>,
    conditions: Vec<Condition>,
    searched: bool,
    build: &mut BuildContext<'_>,
) -> Result<SelectedStates, Error> {
    let selection = Selection::new(topology, build)?;
    let placeholders =
        MotionPlaceholders::new(prescribed, conditions, topology, &mut build.numeric);
    let data = InitialData { topology, selection: &selection, placeholders: &placeholders };
    let initial = initial_values::solve(&data, searched, build)?;
    Ok(SelectedStates { selection, initial, placeholders })
}
