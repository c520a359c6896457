//! Which variables have no inertia: their angles follow from the balance of torques.

use crate::compile::topology::Topology;
use crate::ids::{CandidateId, LinkId, VariableId};
use crate::statements::algebra::linear_form::{Elimination, Outcome};
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::multibody::RigidBody;
use equations::Ex;
use std::collections::BTreeSet;

/// Which variables have no inertia, and which angles of them are states.
#[derive(Clone, Debug, Default)]
pub struct MasslessVariables {
    /// Variables without inertia.
    pub variables: BTreeSet<VariableId>,
    /// Candidates whose angle is a state of first order.
    pub first_order: Vec<CandidateId>,
    /// Variables whose angle the balance of torques gives.
    pub statics: Vec<VariableId>,
}

impl MasslessVariables {
    /// Splits variables into those that have inertia and others.
    pub fn split(
        all: &[VariableId],
        topology: &Topology,
        numeric: &Numeric,
    ) -> (Vec<VariableId>, MasslessVariables) {
        let Topology { structure, variables, candidates, .. } = topology;
        let mut carried = moving_masses(topology);
        let inertias = structure.flanges.inertias.iter().map(|inertial| inertial.end);
        for end in inertias.chain(structure.drive_trains.rotors.iter().map(|rotor| rotor.end)) {
            let form = variables.elimination.variable(end.node.variable());
            carried.extend(form.terms.keys());
        }
        let (massive, massless) =
            all.iter().partition::<Vec<VariableId>, _>(|v| carried.contains(v));
        let variables: BTreeSet<VariableId> = massless.into_iter().collect();

        let mut order: Vec<CandidateId> =
            candidates.ids().filter(|&k| candidates[k].damped).collect();
        order.sort_by_key(|&k| std::cmp::Reverse(candidates[k].select));
        let mut known = Elimination::default();
        let mut damped = BTreeSet::new();
        let mut first_order = Vec::new();
        for k in order {
            let mut form = candidates[k].linear.clone();
            form.constant = Ex::zero();
            form.terms.retain(|v, _| variables.contains(v));
            if let Outcome::Eliminated(v) = known.relate(&form, |_| 0, numeric) {
                first_order.push(k);
                damped.insert(v);
            }
        }
        first_order.sort_unstable();
        let statics = variables.difference(&damped).copied().collect();
        (massive, MasslessVariables { variables, first_order, statics })
    }

    /// Whether a variable has no initial value of its own: of its speed, or of its angle.
    pub fn has_no_start(&self, variable: VariableId, speed: bool) -> bool {
        if speed { self.variables.contains(&variable) } else { self.statics.contains(&variable) }
    }
}

/// Variables of coordinates that may move a mass: of coordinates in loops, and of joints that carry
/// a body or a drive train.
fn moving_masses(topology: &Topology) -> BTreeSet<VariableId> {
    let Topology { structure, variables, tree, loops, .. } = topology;
    let mut carried: BTreeSet<VariableId> = loops.unknowns.iter().map(|u| u.variable).collect();
    let has_mass = |body: &&RigidBody| {
        let tensor = body.inertia.iter().all(|c| c.is_constant_zero());
        !(body.mass.is_constant_zero() && tensor)
    };
    let bodies = structure.multibody.bodies.iter().filter(has_mass);
    let frames = bodies.map(|body| body.frame).chain(structure.carriers());
    let links: Vec<LinkId> = frames.map(|frame| tree.placements[&frame.node].link).collect();
    for link in links {
        for c in tree.coordinates_behind(structure, link) {
            let form = variables.elimination.variable(variables.numbering.coordinate(c));
            carried.extend(form.terms.keys());
        }
    }
    carried
}
