//! From a netlist to equations, in phases: each makes one value of those before.
//!
//! The structural values (`Structure`, `Topology`, `SelectedStates`, `Kinematics`) do not change
//! after their phase. The `Model` and the numbers at the start (`Numeric`) pass through all phases:
//! until `kinematics` as a `BuildContext`, then inside `Loads` and `Dynamics`. Placeholders stand
//! for values that are read before they are known; the end of the last phase replaces them
//! (`Dynamics::finish`).
//!
//! What components may say is in [`statements`](crate::statements), which knows nothing of this
//! module; `ids` has a type for each kind of number. The first phase, `collection`, lets the
//! components speak; the others work on what they said.

mod build_context;
mod collection;
mod dynamics;
mod kinematics;
mod loads;
pub(crate) mod publication;
mod states;
mod topology;
mod tree;

use crate::assembly::Netlist;
use crate::error::Error;
use crate::statements::contributions::{Contributions, Laws, Structure};
use build_context::BuildContext;
use collection::collect;
use equations::Model;
use loads::Loads;
use publication::generalized::Layout;
use states::motion_basis::MotionBasis;

/// Turns a netlist into equations of `model`.
pub fn compile(netlist: &Netlist, model: &mut Model) -> Result<(), Error> {
    let Contributions { structure, laws, units, .. } = collect(netlist, model)?;
    solve(netlist, structure, laws, model, false)?;
    let names = netlist.components.iter().map(|c| c.name.clone()).collect();
    if !netlist.mixes_units {
        return units.check(&netlist.connections, &names, model);
    }
    for mismatch in units.mismatches(&netlist.connections, &names, model) {
        model.note(mismatch.sentence);
    }
    Ok(())
}

/// [`compile`], with the equations in generalised coordinates as further variables.
pub fn inspect(netlist: &Netlist, model: &mut Model) -> Result<Layout, Error> {
    let Contributions { structure, laws, .. } = collect(netlist, model)?;
    Ok(solve(netlist, structure, laws, model, true)?.unwrap_or_default())
}

/// The phases after the contributions; `inspects` requests the equations in generalised
/// coordinates.
fn solve(
    netlist: &Netlist,
    structure: Structure,
    laws: Laws,
    model: &mut Model,
    inspects: bool,
) -> Result<Option<Layout>, Error> {
    let mut build = BuildContext::new(model);
    let topology = &topology::find(structure, &laws.conditions, &mut build)?;
    let searched = !laws.of_blocks.is_empty();
    let (prescribed, conditions) = (laws.prescribed_motions, laws.conditions);
    let states = states::determine(topology, prescribed, conditions, searched, &mut build)?;
    let basis = MotionBasis { topology, selection: &states.selection, initial: &states.initial };
    let kinematics = &kinematics::solve(basis, &states.placeholders, &mut build)?;

    // Signals may read motions, which are therefore published before any signal is evaluated.
    let mut loads = Loads::new(basis, kinematics, laws.signals, build)?;
    publication::publish_motions(basis, kinematics, &mut loads.view);
    let loads = loads.evaluate(laws.velocity, states.placeholders, kinematics)?;
    let dynamics = dynamics::solve(basis, kinematics, loads, laws.acceleration, laws.of_blocks)?;
    let layout = publication::publish(netlist, basis, kinematics, dynamics, inspects)?;
    publication::followed_angles::start(basis.topology, model);
    publication::repeated::complete(netlist, model)?;
    Ok(layout)
}
