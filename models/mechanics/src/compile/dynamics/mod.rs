//! Dynamics: from loads to accelerations, and from impulses to jumps of the speeds.

pub mod energy;
mod equations_of_motion;
mod friction_system;
pub mod impacts;
pub mod initial_residuals;
pub mod massless_balance;
mod reactions;

use super::algebra::numeric::Numeric;
use super::kinematics::Kinematics;
use super::kinematics::frame_motions::{Moving, accelerations, of_coordinates};
use super::kinematics::state_variables::OrientationState;
use super::laws::signal_view::SignalView;
use super::laws::solution::Solution;
use super::laws::velocity_view::Statements;
use super::loads::inertia_check;
use super::loads::mass_and_forces::mass_and_forces;
use super::loads::moving_parts::MovingParts;
use super::loads::support_reactions::SupportReactions;
use super::spatial::pose::Twist;
use super::states::selection::Selection;
use super::topology::Topology;
use super::tree::spanning_tree::Tree;
use crate::compile::ids::{CoordinateId, LinkId, List};
use crate::compile::tree::linkage::Linkage;
use crate::error::Error;
use equations::Ex;
use massless_balance::MasslessBalance;
use reactions::Reactions;

/// The solved equations of motion.
pub struct Dynamics<'a> {
    /// Accelerations, reactions, states of friction elements.
    pub solution: Solution,
    /// Accelerations of the links in their axes, with gravity as an upward acceleration.
    pub links: List<LinkId, Twist>,
    /// The balances of torques where nothing has inertia.
    pub massless: MasslessBalance<'a>,
}

/// Solves the equations of motion.
pub fn solve<'a>(
    (topology, selection): (&Topology, &Selection),
    kinematics: &'a Kinematics,
    statements: &Statements,
    evaluation: &mut SignalView<'_>,
    numeric: &mut Numeric,
) -> Result<Dynamics<'a>, Error> {
    let Kinematics { states, orientations, coordinates, frames, .. } = kinematics;
    let massless = &selection.massless;
    let parts = MovingParts { structure: &topology.structure, coordinates, frames };
    let mut sums = mass_and_forces(parts, &evaluation.applied);
    let supports = SupportReactions::new(parts)?;
    supports.react(&mut sums);
    inertia_check::check((topology, selection), &sums, numeric)?;
    inertia_check::require((topology, selection), &sums, numeric, evaluation.model);
    for early in evaluation.early.values() {
        numeric.set(early.symbol, 0.0);
    }
    massless_balance::check_friction(topology, massless, statements.friction.as_slice())?;
    let balance = MasslessBalance::solve(
        (&kinematics.massless, states),
        (topology, massless),
        &sums,
        numeric,
        evaluation.model,
    )?;
    let independent = &selection.independent;
    let numbering = coordinates.numbering();
    let reactions = Reactions::new(&topology.structure, numbering, independent, &sums);
    let elements = (statements.friction.as_slice(), &statements.rows[..]);
    let relations = (&reactions, &supports);
    let mut solution = equations_of_motion::solve(&sums, independent, elements, relations, numeric);
    for state in states {
        let a = state.acceleration(topology, coordinates, &solution.accelerations);
        evaluation.model.derivative(state.v, a);
    }
    let light =
        balance.accelerations(states, (topology, massless), coordinates, &solution.accelerations);
    solution.accelerations.extend(light);
    let links = link_accelerations(parts, &topology.tree, orientations, &solution);
    Ok(Dynamics { solution, links, massless: balance })
}

/// Accelerations of all links.
fn link_accelerations(
    parts: MovingParts<'_>,
    tree: &Tree,
    orientations: &[OrientationState],
    solution: &Solution,
) -> List<LinkId, Twist> {
    let motions = of_coordinates(parts.structure, parts.coordinates);
    let second: List<CoordinateId, Ex> =
        motions.iter().map(|m| m.acceleration(&solution.accelerations)).collect();
    let at = Moving { motions: &motions, orientations };
    let linkage = Linkage { structure: parts.structure, tree };
    accelerations(linkage, parts.frames, &at, &second)
}
