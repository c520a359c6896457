//! From a netlist to equations, in phases: each makes one value of those before.

pub mod algebra;
pub mod contact;
pub mod contributions;
mod dynamics;
pub mod ids;
mod kinematics;
pub mod laws;
mod loads;
pub mod motion;
pub(crate) mod publication;
pub mod spatial;
mod states;
mod topology;
mod tree;

use crate::assembly::Netlist;
use crate::error::Error;
use crate::port::PortId;
use algebra::numeric::Numeric;
use contributions::collect::collect;
use contributions::{Contributions, Laws, Structure};
use dynamics::{Dynamics, impacts, initial_residuals};
use equations::Model;
use laws::acceleration_view::AccelerationView;
use laws::signal_view::{KnownMotion, SignalView};
use laws::velocity_view::Statements;
use loads::Loads;
use loads::moving_parts::MovingParts;
use loads::temperatures::Temperatures;
use publication::generalized::{Generalized, Layout};
use publication::{motion_variables, scene_file};
use states::motion_basis::MotionBasis;
use states::motion_placeholders::MotionPlaceholders;
use states::selection::Selection;
use states::{initial_values, start_values};

/// Turns a netlist into equations of `model`.
pub fn compile(netlist: &Netlist, model: &mut Model) -> Result<(), Error> {
    let Contributions { structure, laws, units, .. } = collect(netlist, model)?;
    solve(netlist, structure, laws, model, false)?;
    let names = netlist.components.iter().map(|c| c.name.clone()).collect();
    units.check(&netlist.connections, &names, model)
}

/// [`compile`], with the equations in generalised coordinates as further variables.
pub fn inspect(netlist: &Netlist, model: &mut Model) -> Result<Layout, Error> {
    let Contributions { structure, laws, .. } = collect(netlist, model)?;
    Ok(solve(netlist, structure, laws, model, true)?.unwrap_or_default())
}

/// The phases from contributions to publication; `inspects` asks for the equations in generalised
/// coordinates.
fn solve(
    netlist: &Netlist,
    structure: Structure,
    laws: Laws,
    model: &mut Model,
    inspects: bool,
) -> Result<Option<Layout>, Error> {
    let Laws { signals, velocity, acceleration, prescribed_motions, conditions, unknown_states } =
        laws;
    let numeric = &mut Numeric::new(model);
    let topology = &topology::find(structure, &conditions, numeric, model)?;
    let selection = &Selection::new(topology, numeric, model)?;
    let placeholders = MotionPlaceholders::new(&prescribed_motions, conditions, topology, numeric);
    let known = start_values::InitialData { topology, selection, placeholders: &placeholders };
    let initial = &initial_values::solve(&known, !unknown_states.is_empty(), numeric, model)?;
    let basis = MotionBasis { topology, selection, initial };
    let kinematics = &kinematics::solve(basis, &placeholders, numeric, model)?;

    let structure = &topology.structure;
    let temperatures = Temperatures::declare(structure, model, numeric)?;
    let by_node = &temperatures.by_node();
    let known = KnownMotion {
        coordinates: &kinematics.coordinates,
        frames: &kinematics.frames,
        names: &structure.names,
        temperatures: by_node,
        impulsive: structure.impulsive,
        searches_start: initial.searched,
    };
    let order: Vec<PortId> = signals.iter().map(|signal| signal.0).collect();
    let mut evaluation = SignalView::new(model, known, signals);
    motion_variables::kinematics(basis, &mut evaluation);
    scene_file::publish(structure, &mut evaluation);
    let prescribed = (placeholders, &kinematics.prescribed_motions, prescribed_motions);
    let loads = loads::evaluate(evaluation, velocity, &order, prescribed)?;

    let Loads { mut evaluation, statements, mut deferred, targets } = loads;
    let applied = evaluation.applied.clone();
    let solved = (topology, selection);
    let dynamics = dynamics::solve(solved, kinematics, &statements, &mut evaluation, numeric)?;
    let Dynamics { solution, links, massless } = dynamics;
    let Statements { friction, rows, later } = statements;
    let laws = acceleration.into_iter().chain(later).collect();
    let mut view = AccelerationView::new(evaluation, solution, links).evaluate(laws)?;
    let kinematics::Kinematics { states, orientations, coordinates, frames, released, .. } =
        kinematics;
    let parts = MovingParts { structure, coordinates, frames };
    impacts::solve(
        impacts::ImpactContext { parts, topology, states, orientations },
        &rows,
        &mut view,
    );
    for target in targets {
        target.require(&mut view, &mut deferred)?;
    }
    initial_residuals::add(basis, unknown_states, &mut view, &mut deferred.start)?;

    let (applied, friction) = (&applied, friction.as_slice());
    let generalized = Generalized { topology, parts, states, applied, friction };
    let generalized = inspects.then_some(generalized);
    let moving = (parts, released.as_ref());
    let layout = publication::publish(netlist, topology, moving, generalized, numeric, &mut view)?;
    temperatures.balance(structure, numeric, &mut view, &mut deferred)?;
    deferred.add_early(&view)?;
    massless.finish(&mut deferred);
    deferred.finish(view.model)?;
    Ok(layout)
}
