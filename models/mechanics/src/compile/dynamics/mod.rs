//! Dynamics: from loads to accelerations, and from impulses to jumps of the speeds.
//!
//! The equations of motion are formulated for the coordinates of flanges and joints, because their
//! mass matrix is sparse, also where the states are other variables, such as relative angles.

pub mod energy;
mod equations_of_motion;
mod friction_system;
mod impacts;
mod initial_residuals;
mod massless_balance;
mod reactions;

use super::kinematics::Kinematics;
use super::kinematics::frame_motions::{Moving, accelerations, of_coordinates};
use super::kinematics::free_motions;
use super::loads::awaited_values::AwaitedValues;
use super::loads::moving_parts::MovingParts;
use super::loads::summation;
use super::loads::support_reactions::SupportReactions;
use super::loads::temperatures::Temperatures;
use super::loads::{Loads, inertia_check, parallel_axes};
use super::states::motion_basis::MotionBasis;
use super::topology::Topology;
use crate::error::Error;
use crate::ids::{ComponentId, CoordinateId, FrictionId, LinkId, List};
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::Structure;
use crate::statements::contributions::initial_conditions::OfBlocks;
use crate::statements::laws::acceleration_view::{AccelerationLaw, AccelerationView};
use crate::statements::laws::friction_element::Friction;
use crate::statements::laws::signal_view::AppliedLoads;
use crate::statements::laws::solution::Solution;
use crate::statements::laws::velocity_view::Statements;
use crate::statements::spatial::pose::Acceleration;
use equations::Ex;
use impacts::ImpactContext;
use massless_balance::MasslessBalance;
use reactions::Reactions;

/// The solved equations of motion, in the view of laws on accelerations, and the values that are
/// still awaited.
pub struct Dynamics<'a> {
    /// The view with all accelerations and reactions, after all laws.
    pub view: AccelerationView<'a>,
    /// The friction elements.
    pub friction: List<FrictionId, Friction>,
    /// Torques and forces that do not depend on accelerations.
    pub applied: AppliedLoads,
    /// Numbers at the start.
    pub numeric: Numeric,
    temperatures: Temperatures,
    awaited: AwaitedValues,
    massless: MasslessBalance<'a>,
}

/// Solves the equations of motion, evaluates the laws on accelerations, and states impacts and the
/// initial system.
pub fn solve<'a>(
    basis: MotionBasis<'_>,
    kinematics: &'a Kinematics,
    mut loads: Loads<'a>,
    acceleration: Vec<(ComponentId, AccelerationLaw)>,
    of_blocks: OfBlocks,
) -> Result<Dynamics<'a>, Error> {
    let applied = loads.view.applied.clone();
    let (solution, massless) = solve_motion(basis, kinematics, &mut loads)?;
    let Loads { view, numeric, temperatures, statements, mut awaited, targets, .. } = loads;
    let Statements { friction, rows, later } = statements;
    let links = link_accelerations(basis.topology, kinematics, &solution);
    let laws = acceleration.into_iter().chain(later).collect();
    let mut view = AccelerationView::new(view, solution, links).evaluate(laws)?;
    impacts::solve(ImpactContext::new(basis.topology, kinematics), &rows, &mut view);
    for target in targets {
        target.require(&mut view, &mut awaited)?;
    }
    initial_residuals::add(basis, of_blocks, &mut view, &mut awaited.start)?;
    awaited.start.resting = initial_residuals::resting(&friction, &view);
    Ok(Dynamics { view, friction, applied, numeric, temperatures, awaited, massless })
}

impl Dynamics<'_> {
    /// Balances the heat flows, solves the circuits, and replaces all placeholders in the model by
    /// their values.
    pub fn finish(mut self, structure: &Structure) -> Result<(), Error> {
        let of_circuits = circuits::solve(structure, &self.numeric, &mut self.view)?;
        self.awaited.add_circuits(of_circuits, self.view.model);
        self.temperatures.balance(structure, &self.numeric, &mut self.view, &mut self.awaited)?;
        self.awaited.add_early(&self.view)?;
        self.massless.finish(&mut self.awaited);
        self.awaited.finish(self.view.model)
    }
}

/// Solves the equations of motion, and the balances of torques where nothing has inertia.
fn solve_motion<'a>(
    basis: MotionBasis<'_>,
    kinematics: &'a Kinematics,
    loads: &mut Loads<'_>,
) -> Result<(Solution, MasslessBalance<'a>), Error> {
    let MotionBasis { topology, selection, .. } = basis;
    let Loads { view, numeric, statements, .. } = loads;
    let parts = MovingParts::new(topology, kinematics);
    let mut sums = summation::sum(parts, &view.applied);
    parallel_axes::check(parts, numeric, view.model)?;
    let supports = SupportReactions::new(parts)?;
    supports.react(&mut sums);
    inertia_check::check(basis, &sums, numeric, view.model)?;
    inertia_check::require(basis, &sums, numeric, view.model);
    let early = view.early.values().map(|early| early.symbol);
    for symbol in early.chain(view.rates.iter().map(|rate| rate.symbol)) {
        numeric.set(symbol, 0.0);
    }
    let friction = statements.friction.as_slice();
    massless_balance::check_friction(topology, &selection.massless, friction)?;
    let balance = MasslessBalance::solve(basis, kinematics, &sums, numeric, view.model)?;
    let independent = &selection.independent;
    let numbering = kinematics.coordinates.numbering();
    let reactions = Reactions::new(&topology.structure, numbering, independent, &sums);
    let mut solution =
        equations_of_motion::solve(&sums, independent, statements, &reactions, &supports, numeric);
    for state in &kinematics.states {
        let a = state.acceleration(topology, &kinematics.coordinates, &solution.accelerations);
        view.model.derivative(state.v, a);
    }
    free_motions::rates(
        &kinematics.free,
        &kinematics.coordinates,
        &solution.accelerations,
        view.model,
    );
    let light = balance.accelerations(basis, kinematics, &solution.accelerations);
    solution.accelerations.extend(light);
    Ok((solution, balance))
}

/// Accelerations of all links in their axes, with gravity as an upward acceleration.
fn link_accelerations(
    topology: &Topology,
    kinematics: &Kinematics,
    solution: &Solution,
) -> List<LinkId, Acceleration> {
    let Kinematics { coordinates, orientations, frames, .. } = kinematics;
    let motions = of_coordinates(&topology.structure, coordinates);
    let second: List<CoordinateId, Ex> =
        motions.iter().map(|m| m.acceleration(&solution.accelerations)).collect();
    let at = Moving { motions: &motions, orientations };
    accelerations(topology.kinematic_tree(), frames, &at, &second)
}
