//! What the build concludes from the values of parameters is checked again where they change.
//!
//! The build leaves conditions out that it finds to follow from others. Such a conclusion is a
//! residual, which is zero at the values of the build. Conclusions that depend on no parameter hold
//! for good and cost nothing.

use crate::compile::states::motion_basis::MotionBasis;
use crate::compile::topology::Topology;
use crate::compile::topology::assumption::Assumption;
use crate::compile::topology::checks::RIGID_TOLERANCE;
use crate::compile::topology::closure::{self, When};
use crate::ids::VariableId;
use crate::port::full_name;
use crate::statements::motion::coordinates::{Coordinates, Motion};
use equations::{Ex, Model, substitute};
use std::collections::{BTreeMap, BTreeSet};

/// What is published of quantities that must be zero.
struct Zero {
    /// The last part of the name.
    name: &'static str,
    text: &'static str,
    /// The largest value that counts as zero.
    tolerance: f64,
}

/// A residual in m or rad: lengths that a user rounds to eight digits fit.
const RESIDUAL: Zero = Zero {
    name: "gap",
    text: "Largest residual of conditions that follow from others, as the build found",
    tolerance: RIGID_TOLERANCE,
};

/// The change of a residual with a motion of the mechanism.
const CHANGE: Zero = Zero {
    name: "drift",
    text: "Largest change of such a residual with an independent motion, for each m or rad",
    tolerance: 1e-7,
};

/// Requires everything that the build concluded of the values that an importer sets, too.
pub fn require(basis: MotionBasis<'_>, coordinates: &Coordinates, model: &mut Model) {
    let MotionBasis { topology, initial, .. } = basis;
    let by = topology.loops.symbols.moving(coordinates);
    let mut zeros = Zeros::default();
    for assumption in topology.assumptions.iter().chain(&initial.assumptions) {
        let Assumption { instance, residual, unit, complaint } = assumption;
        let residual = substitute(&[*residual], &by)[0];
        zeros.entry((instance.clone(), *unit, complaint.clone())).or_default().push(residual);
    }
    require_zeros(&RESIDUAL, zeros, model);
    require_redundant(topology, coordinates, &by, model);
    require_alignment(topology, &by, model);
}

/// Requires that the joints at which loops are cut close with their axes in the same direction.
fn require_alignment(topology: &Topology, by: &[(Ex, Ex)], model: &mut Model) {
    for (cut, measure) in closure::alignments(topology.kinematic_tree(), &topology.loops.symbols) {
        let measure = substitute(&[measure], by)[0];
        if model.can_be_set(measure) {
            let name = &topology.structure.multibody.joints[cut].name;
            let complaint = format!("{name}: the loop closes only with this joint turned round");
            model.require(&[], measure.gt(0.0), &complaint);
        }
    }
}

/// Quantities that must be zero, by instance, unit and complaint.
type Zeros = BTreeMap<(String, &'static str, String), Vec<Ex>>;

/// Requires that the loops stay closed although some of their conditions are left out.
fn require_redundant(
    topology: &Topology,
    coordinates: &Coordinates,
    by: &[(Ex, Ex)],
    model: &mut Model,
) {
    let loops = &topology.loops;
    let (mut gaps, mut drifts) = (Zeros::default(), Zeros::default());
    for &r in &loops.structure.redundant {
        let row = &loops.rows[r];
        if row.when() == When::AtStart {
            continue;
        }
        let name = &row.name;
        let open = format!("the loop closed by {name} stays open, because its parts do not fit");
        let apart = format!("the loop closed by {name} comes apart when it moves");
        let residual = row.residual().map(|residual| substitute(&[residual], by)[0]);
        gaps.entry((name.clone(), row.unit, open)).or_default().extend(residual);
        let drift = drift(topology, coordinates, r, by);
        drifts.entry((name.clone(), "1", apart)).or_default().extend(drift);
    }
    require_zeros(&RESIDUAL, gaps, model);
    require_zeros(&CHANGE, drifts, model);
}

/// How a row's residual changes with each independent motion.
fn drift(topology: &Topology, coordinates: &Coordinates, row: usize, by: &[(Ex, Ex)]) -> Vec<Ex> {
    let loops = &topology.loops;
    let derivatives = substitute(&loops.speed_jacobian[row], by);
    let motions: Vec<(&Motion, Ex)> = loops
        .unknowns
        .iter()
        .zip(derivatives)
        .filter(|(_, derivative)| !derivative.is_constant_zero())
        .filter_map(|(u, derivative)| Some((coordinates.motions().get(&u.variable)?, derivative)))
        .collect();
    let numbering = coordinates.numbering();
    let independent: BTreeSet<VariableId> = motions
        .iter()
        .flat_map(|(motion, _)| motion.partials.keys().copied())
        .filter(|&variable| !numbering.is_violation(variable))
        .collect();
    let along = |variable: VariableId| {
        let share = |(motion, derivative): &(&Motion, Ex)| {
            motion.partials.get(&variable).map(|&partial| *derivative * partial)
        };
        motions.iter().filter_map(share).sum::<Ex>()
    };
    independent.into_iter().map(along).collect()
}

/// Requires quantities of an instance to be zero; they are published as one variable, the largest.
fn require_zeros(zero: &Zero, zeros: Zeros, model: &mut Model) {
    for ((instance, unit, complaint), quantities) in zeros {
        let checked = quantities.into_iter().filter(|&quantity| model.can_be_set(quantity));
        let Some(largest) = checked.map(Ex::abs).reduce(Ex::max) else { continue };
        let free = |name: &String| !model.has_variable(name);
        let base = full_name(&instance, zero.name);
        let numbered = (2..).map(|k| format!("{base}{k}"));
        let Some(name) = [base.clone()].into_iter().chain(numbered).find(free) else { continue };
        model.announce(&name, unit, zero.text);
        model.local(&name, largest).unit(unit);
        model.require(&[&name], largest.le(zero.tolerance), &complaint);
    }
}
