//! What is looked at in the initial configuration, once and with numbers.

use super::closure;
use super::plan::Plan;
use crate::compile::algebra::numeric::Numeric;
use crate::compile::contributions::{FlangePort, Place, Situation, Structure};
use crate::compile::kinematics::recursion::{Configuration, Kinematics};
use crate::compile::loads::mass_matrix::Sums;
use crate::compile::topology::symbols::Symbols;
use crate::compile::topology::tree::Tree;
use crate::error::Error;
use crate::orientation::quaternion_rotation;
use crate::vector::{Matrix, constant, unit_axis};
use equations::{Ex, Model, substitute};
use nalgebra::DMatrix;
use std::collections::BTreeMap;

/// Largest distance in m, or angle in rad, that counts as none.
const TOLERANCE: f64 = 1e-10;

/// Refuses an initial configuration that components do not allow.
pub fn hold(
    structure: &Structure,
    tree: &Tree,
    symbols: &Symbols,
    numeric: &Numeric,
) -> Result<(), Error> {
    for check in &structure.checks {
        let poses = symbols.closure(structure, tree).poses(&check.frames);
        let axes = check.coordinates.iter().map(|&c| structure.coordinates[c].axis);
        let axes: Vec<[f64; 3]> = axes.collect();
        let values = (check.values)(&Situation { poses: &poses, q: &[], axes: &axes });
        let mut values = numeric.all(&values).into_iter().map(f64::abs);
        if let Some(gap) = values.find(|gap| gap.is_nan() || *gap > TOLERANCE) {
            return Err(Error::Initial(format!(
                "{}: {}: a gap of {gap:.2e} m (or rad) in the initial configuration",
                check.name, check.complaint
            )));
        }
    }
    Ok(())
}

/// Refuses a second world.
pub fn one_world(structure: &Structure, names: &[String]) -> Result<(), Error> {
    match structure.gravity[..] {
        [(first, _), (second, _), ..] => Err(Error::Structure(format!(
            "{} and {}: there can be only one world",
            names[first], names[second]
        ))),
        _ => Ok(()),
    }
}

/// Largest gap in m, or difference of elements of rotations, that counts as none where rigid parts
/// meet.
const RIGID_TOLERANCE: f64 = 1e-9;

/// Refuses rigid parts that close a loop without fitting.
pub fn rigid_loops(
    structure: &Structure,
    names: &[String],
    tree: &Tree,
    numeric: &Numeric,
) -> Result<(), Error> {
    for (node, first, second) in &tree.rigid_loops {
        let ports: Vec<String> = structure
            .frame_ends
            .iter()
            .filter(|(n, _)| n == node)
            .map(|(_, port)| format!("{}.{}", names[port.component], port.port))
            .collect();
        let ports = ports.join(", ");
        if first.link != second.link {
            return Err(Error::Connection(format!(
                "{ports}: rigid parts join here two links that also move against each other"
            )));
        }
        let gap = first.pose.r - second.pose.r;
        let turn = first.pose.t - second.pose.t;
        let all: Vec<Ex> = gap.iter().chain(turn.iter()).copied().collect();
        let gaps: Vec<f64> = numeric.all(&all).into_iter().map(f64::abs).collect();
        if let Some(worst) = gaps.iter().find(|gap| gap.is_nan() || **gap > RIGID_TOLERANCE) {
            return Err(Error::Structure(format!(
                "{ports}: rigid parts form a loop that does not close here: a gap of {worst:.2e} m \
                 (or rad)"
            )));
        }
    }
    Ok(())
}

/// Refuses initial accelerations of joints that close a loop.
pub fn initial_accelerations(structure: &Structure, tree: &Tree) -> Result<(), Error> {
    for condition in &structure.conditions {
        let Place::Coordinate(c) = condition.place else { continue };
        if condition.order == 2 && tree.coordinates(structure).all(|used| used != c) {
            return Err(Error::Initial(format!(
                "{}: an acceleration cannot be an initial condition here, because other joints hold \
                 both frames; fix accelerations of these",
                structure.coordinates[c].position.name
            )));
        }
    }
    Ok(())
}

/// Refuses joints at which a loop is cut, if it closes with their axes in opposite directions.
pub fn alignment(
    structure: &Structure,
    tree: &Tree,
    symbols: &Symbols,
    numeric: &Numeric,
) -> Result<(), Error> {
    for &cut in &tree.cuts {
        let joint = &structure.joints[cut];
        let at = symbols.closure(structure, tree).poses(&[joint.a, joint.b]);
        let own = &structure.coordinates[joint.coordinates.clone()];
        let measure = closure::alignment(joint, own, &at[0], &at[1]);
        if measure.is_some_and(|m| numeric.one(m) <= 0.0) {
            return Err(Error::Initial(format!(
                "{}: the loop closes only with this joint turned round; give start values nearer \
                 to the wanted assembly",
                joint.name
            )));
        }
    }
    Ok(())
}

/// Notes about ends of elements without inertia to which nothing is connected.
pub fn open_ends(plan: &mut Plan) -> Vec<String> {
    let ends = &plan.structure.flange_ends;
    let named = |end: &FlangePort| !end.port.port.is_empty();
    let alone = |end: &&FlangePort| {
        named(end) && ends.iter().filter(|e| e.node == end.node && named(e)).count() == 1
    };
    let open: Vec<FlangePort> = ends.iter().filter(alone).copied().collect();
    let mut notes = Vec::new();
    for FlangePort { node, port, domain } in open {
        let form = plan.coordinates.elimination.variable(node);
        let light = |v: &usize| plan.massless.variables.contains(v);
        if !form.terms.is_empty() && form.terms.keys().all(light) {
            let name = &plan.names[port.component];
            let flow = if domain.flow.unit == "N" { "force" } else { "torque" };
            notes.push(format!(
                "{name}.{}: nothing is connected to it, so {name} transmits no {flow} there",
                port.port
            ));
        }
    }
    notes
}

/// All coordinates at their start values.
struct AtStart<'a>(&'a Structure);

impl Configuration for AtStart<'_> {
    fn q(&self, coordinate: usize) -> Ex {
        self.0.coordinates[coordinate].position.slot
    }

    fn speed(&self, _: usize) -> Ex {
        Ex::zero()
    }

    fn ball(&self, joint: usize) -> Matrix {
        let ball = self.0.joints[joint].ball.as_ref();
        ball.map_or_else(Matrix::identity, |ball| {
            quaternion_rotation(&std::array::from_fn(|k| ball.quaternion[k].slot))
        })
    }
}

/// Turns axes that are given in other frames, by the start values of all coordinates.
pub fn transport_axes(
    structure: &mut Structure,
    tree: &Tree,
    names: &[String],
    numeric: &Numeric,
) -> Result<(), Error> {
    for axis in structure.transported.clone() {
        let at = AtStart(structure);
        let poses = Kinematics { structure, tree, at: &at, base: 0 }.poses();
        let [from, to] = [axis.from, axis.to].map(|end| tree.pose(&poses, end.node).t);
        let coordinate = &structure.coordinates[axis.coordinate];
        let turned = to * (from.transpose() * constant(coordinate.axis));
        let turned: Vec<f64> = numeric.all(turned.as_slice());
        let Some(turned) = unit_axis([turned[0], turned[1], turned[2]]) else {
            return Err(Error::Initial(format!(
                "{}: the start values do not determine its axis",
                names[coordinate.component]
            )));
        };
        structure.coordinates[axis.coordinate].axis = turned;
    }
    Ok(())
}

/// Units of parameters on which inertia depends.
const INERTIAS: [&str; 3] = ["kg", "kg.m2", "kg/m3"];

/// Inertias that a sentence names; where it would be more, the sentence itself names the motion.
const MOST_NAMED: usize = 4;

/// Requires inertia of every motion where an importer sets parameters, too.
pub fn require_inertia(plan: &Plan, sums: &Sums, model: &mut Model) {
    for &k in &plan.independent {
        let felt = sums.felt(k);
        let inertias = model.parameters_in(felt, &INERTIAS);
        let without: Vec<(Ex, Ex)> = inertias.iter().map(|i| (i.1, Ex::zero())).collect();
        if inertias.is_empty() || plan.numeric.one(substitute(&[felt], &without)[0]) != 0.0 {
            continue;
        }
        if let [(name, _)] = &inertias[..] {
            model.exclude_zero(name);
            continue;
        }
        let sum: Ex = inertias.iter().map(|i| i.1).sum();
        let named = if inertias.len() <= MOST_NAMED { &inertias[..] } else { &[] };
        let of: Vec<&str> = named.iter().map(|i| i.0.as_str()).collect();
        model.require(&of, sum.gt(0.0), &plan.unmoved(k));
    }
}

/// Smallest singular value of a mass matrix with a diagonal of ones that is more than rounding.
const SMALLEST_INERTIA: f64 = 1e-13;

/// Largest ratio of an inertia that is nothing but rounding to the largest inertia: the motion of a
/// mass that should rest is rounded, and squared.
const ROUNDED_INERTIA: f64 = 1e-26;

/// Share in a motion, of the largest, that is more than rounding.
const SMALLEST_SHARE: f64 = 1e-6;

/// Refuses motions without inertia at the start.
pub fn inertia(plan: &Plan, sums: &Sums) -> Result<(), Error> {
    let felt: Vec<Ex> = plan.independent.iter().map(|&k| sums.felt(k)).collect();
    let felt: Vec<f64> = plan.numeric.all(&felt).into_iter().map(f64::abs).collect();
    let largest = felt.iter().copied().fold(0.0, f64::max);
    let light = felt.iter().position(|&m| m <= ROUNDED_INERTIA * largest);
    if let Some(k) = light.or_else(|| felt.iter().position(|&m| m == 0.0)) {
        return Err(without_inertia(plan, sums, &[(plan.independent[k], 1.0)]));
    }
    let core = plan.independent.iter().copied().zip(felt);
    let core: Vec<(usize, f64)> = core.filter(|&(k, _)| sums.is_in_core(k)).collect();
    let n = core.len();
    let masses = core.iter().flat_map(|&(i, _)| core.iter().map(move |&(j, _)| (i, j)));
    let masses: Vec<Ex> = masses.map(|(i, j)| sums.mass(i, j)).collect();
    let mut matrix = DMatrix::from_row_slice(n, n, &plan.numeric.all(&masses));
    for i in 0..n {
        for j in 0..n {
            matrix[(i, j)] /= (core[i].1 * core[j].1).sqrt();
        }
    }
    if n == 0 || matrix.iter().any(|m| !m.is_finite()) {
        return Ok(());
    }
    let svd = matrix.svd(false, true);
    let (least, value) = svd.singular_values.argmin();
    match svd.v_t {
        Some(motions) if value <= SMALLEST_INERTIA => {
            let shares = motions.row(least);
            let motion = core.iter().zip(shares.iter());
            let motion: Vec<_> = motion.map(|(&(k, m), &share)| (k, share / m.sqrt())).collect();
            Err(without_inertia(plan, sums, &motion))
        }
        _ => Ok(()),
    }
}

/// The complaint about a motion without inertia of some coordinates, which those of branches
/// follow.
fn without_inertia(plan: &Plan, sums: &Sums, motion: &[(usize, f64)]) -> Error {
    let mut whole: BTreeMap<usize, f64> = motion.iter().copied().collect();
    for &(k, share) in motion {
        let (variables, follow): (Vec<usize>, Vec<Ex>) = sums.follow(k).into_iter().unzip();
        for (variable, value) in variables.into_iter().zip(plan.numeric.all(&follow)) {
            *whole.entry(variable).or_default() += share * value;
        }
    }
    let size = whole.values().fold(0.0, |size: f64, share| size.max(share.abs()));
    whole.retain(|_, share| share.abs() > SMALLEST_SHARE * size);
    match whole.keys().copied().collect::<Vec<usize>>()[..] {
        [alone] => plan.massless(alone),
        [] => plan.massless(motion[0].0),
        ref together => {
            let names: Vec<String> = together.iter().map(|&k| plan.name_of(k)).collect();
            Error::Structure(format!(
                "{}: at the start these can move together so that no mass moves: give what is \
                 between them a mass, leave one of them out, or start elsewhere",
                names.join(", ")
            ))
        }
    }
}
