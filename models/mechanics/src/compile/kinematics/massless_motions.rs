//! Flanges without inertia: placeholders of their motions.
//!
//! Along an angle with damping the balance of torques gives the speed, and the angle is a state of
//! first order. Along the other angles it gives the angle itself. Laws are evaluated with
//! placeholders for both, which are replaced when the balances are solved.

use super::state_variables::declare_state;
use crate::compile::build_context::BuildContext;
use crate::compile::states::initial::Role;
use crate::compile::states::motion_basis::MotionBasis;
use crate::ids::VariableId;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::motion::coordinates::{Coordinates, Motion};
use crate::statements::motion::level::Level;
use equations::Ex;

/// Motions of the variables without inertia, as placeholders until the balances are solved.
#[derive(Clone, Debug, Default)]
pub struct MasslessMotions {
    /// States of first order and placeholders of their rates.
    pub rates: Vec<(Ex, Ex)>,
    /// Placeholders of static angles and their speeds.
    pub statics: Vec<(Ex, Ex)>,
}

impl MasslessMotions {
    /// Declares states and placeholders, and the motions of the variables.
    pub fn declare(
        basis: MotionBasis<'_>,
        coordinates: &mut Coordinates,
        build: &mut BuildContext<'_>,
    ) -> MasslessMotions {
        let MotionBasis { topology, selection, initial } = basis;
        let massless = &selection.massless;
        let mut motions = MasslessMotions::default();
        if massless.variables.is_empty() {
            return motions;
        }
        for &candidate in &massless.first_order {
            let at = (candidate, Level::Position);
            let linear = &topology.candidates[candidate].linear;
            let start = match initial.roles[candidate][0] {
                Role::Known => initial.start_of(topology, at),
                _ => linear.value(|v| initial.q[&v]),
            };
            let state = declare_state(topology, initial, build, at, start);
            let rate = placeholder(&mut build.numeric);
            motions.rates.push((state, rate));
            let numbering = topology.variables.numbering;
            let rank =
                |v: VariableId| 2 * numbering.rank(v) + usize::from(massless.statics.contains(&v));
            coordinates.add_state(linear, [state, rate], rank, &build.numeric);
        }
        for &v in &massless.statics {
            let (q, speed) = (placeholder(&mut build.numeric), placeholder(&mut build.numeric));
            motions.statics.push((q, speed));
            let motion = Motion::prescribed([q, speed, Ex::zero()]);
            coordinates.set_motion(v, motion);
        }
        for &v in &massless.variables {
            let motion = coordinates.independent(v);
            coordinates.set_motion(v, motion);
        }
        motions
    }
}

/// A new placeholder whose number is zero.
fn placeholder(numeric: &mut Numeric) -> Ex {
    let symbol = Ex::symbol();
    numeric.set(symbol, 0.0);
    symbol
}
