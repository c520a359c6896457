//! Checks of the initial configuration, made once and with numbers.

use super::assumption::Assumption;
use super::closure;
use super::gap::rounded;
use super::placeholders::Placeholders;
use crate::compile::build_context::BuildContext;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::error::Error;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::Structure;
use crate::statements::contributions::constraints::{Check, Situation};
use crate::statements::contributions::initial_conditions::{Condition, FlangeOrCoordinate};
use crate::statements::contributions::multibody::WorldGravity;
use equations::Ex;
use nalgebra::{DVector, Matrix3, Vector3};

/// Largest distance in m, or angle in rad, that counts as none.
const TOLERANCE: f64 = 1e-10;

/// Refuses an initial configuration that violates the checks of components.
pub fn hold(
    kinematic_tree: KinematicTree<'_>,
    symbols: &Placeholders,
    numeric: &Numeric,
) -> Result<(), Error> {
    let structure = kinematic_tree.structure;
    for check in &structure.multibody.checks {
        let values = check_values(check, kinematic_tree, symbols);
        let values = DVector::from_vec(numeric.all(&values));
        if values.iter().any(|value| value.is_nan() || value.abs() > TOLERANCE) {
            return Err(Error::Initial(format!(
                "{}: {}: a gap of {} {} in the initial configuration",
                check.name,
                check.complaint,
                rounded(values.norm()),
                check.unit
            )));
        }
    }
    Ok(())
}

/// The checks of components, as quantities that must remain zero, in terms of the placeholders.
pub fn assumed(kinematic_tree: KinematicTree<'_>, symbols: &Placeholders) -> Vec<Assumption> {
    let structure = kinematic_tree.structure;
    let of_check = |check: &Check| {
        let values = check_values(check, kinematic_tree, symbols).into_iter();
        let (instance, complaint) = (check.name.clone(), check.complaint.to_owned());
        let assumption = move |residual| Assumption {
            instance: instance.clone(),
            residual,
            unit: check.unit,
            complaint: complaint.clone(),
        };
        values.map(assumption).collect::<Vec<Assumption>>()
    };
    structure.multibody.checks.iter().flat_map(of_check).collect()
}

/// The values that must be zero by a check.
fn check_values(
    check: &Check,
    kinematic_tree: KinematicTree<'_>,
    symbols: &Placeholders,
) -> Vec<Ex> {
    let structure = kinematic_tree.structure;
    let poses = symbols.closure(kinematic_tree).poses(&check.frames);
    let axes = check.coordinates.iter().map(|&c| structure.multibody.coordinates[c].axis);
    let axes: Vec<[f64; 3]> = axes.collect();
    (check.values)(&Situation { poses: &poses, q: &[], axes: &axes })
}

/// Refuses a second world.
pub fn one_world(structure: &Structure) -> Result<(), Error> {
    match structure.multibody.gravity[..] {
        [WorldGravity { component: first, .. }, WorldGravity { component: second, .. }, ..] => {
            Err(Error::Structure(format!(
                "{} and {}: there can be only one world",
                structure.names[first], structure.names[second]
            )))
        }
        _ => Ok(()),
    }
}

/// Largest gap in m, or difference of elements of rotations, that counts as zero where rigid parts
/// are joined: lengths that a user rounds to eight digits fit.
pub const RIGID_TOLERANCE: f64 = 1e-7;

/// Refuses rigid parts that close a loop without fitting; the gaps are those that must remain zero.
pub fn rigid_loops(
    kinematic_tree: KinematicTree<'_>,
    build: &mut BuildContext<'_>,
) -> Result<Vec<Assumption>, Error> {
    let KinematicTree { structure, tree } = kinematic_tree;
    let mut assumptions = Vec::new();
    for (node, first, second) in &tree.rigid_loops {
        let ports: Vec<(&str, _)> = structure
            .multibody
            .frames
            .iter()
            .filter(|frame| frame.node == *node)
            .map(|frame| (structure.names[frame.port.component].as_str(), frame.port.port))
            .collect();
        let instance = ports.first().map_or("", |(component, _)| component).to_owned();
        let ports: Vec<String> =
            ports.iter().map(|(component, port)| format!("{component}.{port}")).collect();
        let ports = ports.join(", ");
        if first.link != second.link {
            return Err(Error::Connection(format!(
                "{ports}: rigid parts join here two links that also move against each other"
            )));
        }
        let gap = first.pose.r - second.pose.r;
        let turn = first.pose.t - second.pose.t;
        let all: Vec<Ex> = gap.iter().chain(turn.iter()).copied().collect();
        let gaps = build.numeric.all(&all);
        if gaps.iter().any(|gap| gap.is_nan() || gap.abs() > RIGID_TOLERANCE) {
            return Err(Error::Structure(format!(
                "{ports}: rigid parts form a loop that does not close here: {}",
                rigid_gap(&gaps)
            )));
        }
        build.model.note(format!(
            "{ports}: rigid parts form a loop here, so one of the connections is redundant; the \
             force that it transmits is not determined"
        ));
        for (k, residual) in all.into_iter().enumerate() {
            assumptions.push(Assumption {
                instance: instance.clone(),
                residual,
                unit: if k < 3 { "m" } else { "1" },
                complaint: format!("rigid parts form a loop that does not close at {ports}"),
            });
        }
    }
    Ok(assumptions)
}

/// The gap between rigid parts in words, from the differences of positions and of rotations.
fn rigid_gap(differences: &[f64]) -> String {
    let (r, t) = differences.split_at(3);
    let distance = Vector3::from_column_slice(r).norm();
    // The norm of the difference of two rotations is sqrt(8) times the sine of half the angle.
    let half = Matrix3::from_column_slice(t).norm() / 8_f64.sqrt();
    let angle = 2.0 * half.min(1.0).asin();
    let gaps = [(distance, "m"), (angle, "rad")];
    let open = gaps.iter().filter(|(gap, _)| gap.is_nan() || *gap > 0.5 * RIGID_TOLERANCE);
    let open: Vec<String> = open.map(|(gap, unit)| format!("{} {unit}", rounded(*gap))).collect();
    format!("a gap of {}", open.join(" and "))
}

/// Refuses initial accelerations of joints that close a loop.
pub fn initial_accelerations(
    kinematic_tree: KinematicTree<'_>,
    conditions: &[Condition],
) -> Result<(), Error> {
    let KinematicTree { structure, tree } = kinematic_tree;
    for condition in conditions {
        let FlangeOrCoordinate::Coordinate(c) = condition.subject else { continue };
        if condition.order == 2 && tree.coordinates(structure).all(|used| used != c) {
            return Err(Error::Initial(format!(
                "{}: an acceleration cannot be an initial condition here, because other joints hold \
                 both frames; fix accelerations of these",
                structure.multibody.coordinates[c].position.name
            )));
        }
    }
    Ok(())
}

/// Refuses joints at which a loop is cut, if it closes with their axes in opposite directions.
pub fn alignment(
    kinematic_tree: KinematicTree<'_>,
    symbols: &Placeholders,
    numeric: &Numeric,
) -> Result<(), Error> {
    for (cut, measure) in closure::alignments(kinematic_tree, symbols) {
        if numeric.one(measure) <= 0.0 {
            return Err(Error::Initial(format!(
                "{}: the loop closes only with this joint turned round; give start values nearer \
                 to the wanted assembly",
                kinematic_tree.multibody().joints[cut].name
            )));
        }
    }
    Ok(())
}
