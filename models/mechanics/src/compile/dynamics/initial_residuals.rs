//! The unknowns of the initial system, and all of its residuals except those of accelerations.

use crate::compile::states::initial_system::InitialSystem;
use crate::compile::states::motion_basis::MotionBasis;
use crate::compile::states::resting_friction::RestingFriction;
use crate::error::Error;
use crate::ids::{FrictionId, List};
use crate::statements::contributions::initial_conditions::OfBlocks;
use crate::statements::laws::acceleration_view::AccelerationView;
use crate::statements::laws::friction_element::{Friction, FrictionState};
use crate::statements::laws::signal_view::SignalView;

/// Adds unknowns and residuals to the initial system.
pub fn add(
    basis: MotionBasis<'_>,
    of_blocks: OfBlocks,
    e: &mut SignalView<'_>,
    system: &mut InitialSystem,
) -> Result<(), Error> {
    let MotionBasis { topology, initial, .. } = basis;
    topology.structure.unknown_parameters.iter().for_each(|unknown| system.add_parameter(unknown));
    for surplus in &initial.surplus {
        let residual = surplus.residual(e.coordinates());
        system.add_residual(&surplus.name, surplus.what(), residual, Some(surplus.refusal.clone()));
    }
    for variable in
        topology.candidates.iter().flat_map(|candidate| [&candidate.position, &candidate.speed])
    {
        // Others are calculated from start values.
        if variable.start.fixed && variable.slot.as_leaf().is_some() {
            system.add_fixed(&variable.name, variable.slot);
        }
    }
    for state in of_blocks.states {
        system.add_state(state, e)?;
    }
    for equation in of_blocks.equations {
        e.component = equation.component;
        let residual = (equation.residual)(e)?;
        system.add_residual(&equation.name, "the initial equation", residual, None);
    }
    initial.guessed(topology).into_iter().for_each(|name| system.add_guessed(name));
    initial.free.iter().cloned().for_each(|unknown| system.add_unknown(unknown));
    Ok(())
}

/// The elements of friction with their torques and accelerations.
pub fn resting(
    friction: &List<FrictionId, Friction>,
    e: &AccelerationView<'_>,
) -> Vec<RestingFriction> {
    let states = e.solution().friction.iter();
    let of = |(of, state): (&Friction, &FrictionState)| RestingFriction {
        name: of.name.clone(),
        locked: of.locked,
        tau: state.tau,
        acceleration: of.relative.acceleration(&e.solution().accelerations) + of.stabilisation,
    };
    friction.iter().zip(states).map(of).collect()
}
