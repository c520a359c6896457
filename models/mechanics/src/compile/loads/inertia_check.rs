//! Whether every motion has inertia.

use super::mass_and_forces::MassAndForces;
use crate::compile::states::motion_basis::MotionBasis;
use crate::compile::topology::Topology;
use crate::error::Error;
use crate::ids::VariableId;
use crate::statements::algebra::numeric::Numeric;
use equations::{Ex, Model, Number, substitute};
use nalgebra::DMatrix;
use std::collections::BTreeMap;

/// Units of parameters on which inertia depends.
const INERTIAS: [&str; 3] = ["kg", "kg.m2", "kg/m3"];

/// Maximum number of inertias that a sentence names; beyond it, the sentence names the motion.
const MAX_NAMES: usize = 4;

/// Requires inertia of every motion where an importer sets parameters, too.
pub fn require(basis: MotionBasis<'_>, sums: &MassAndForces, numeric: &Numeric, model: &mut Model) {
    let MotionBasis { topology, selection, .. } = basis;
    for &k in &selection.independent {
        let apparent_inertia = sums.apparent_inertia(k);
        let inertias = model.parameters_in(apparent_inertia, &INERTIAS);
        let without: Vec<(Ex, Ex)> = inertias.iter().map(|i| (i.1, Ex::zero())).collect();
        if inertias.is_empty() || numeric.one(substitute(&[apparent_inertia], &without)[0]) != 0.0 {
            continue;
        }
        let limited = inertias.iter().all(|(name, _)| model.cannot_be_negative(name));
        let moved = match &inertias[..] {
            [(name, _)] if limited => {
                model.exclude_zero(name);
                continue;
            }
            _ if limited => inertias.iter().map(|i| i.1).sum::<Ex>(),
            // Only its followers limit a parameter of the model.
            _ if model.follows_from_parameters(apparent_inertia) => apparent_inertia,
            _ => continue,
        };
        let named = if inertias.len() <= MAX_NAMES { &inertias[..] } else { &[] };
        let of: Vec<&str> = named.iter().map(|i| i.0.as_str()).collect();
        model.require(&of, moved.gt(0.0), &topology.unmoved(k));
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
pub fn check(
    basis: MotionBasis<'_>,
    sums: &MassAndForces,
    numeric: &Numeric,
    model: &Model,
) -> Result<(), Error> {
    let MotionBasis { topology, selection, .. } = basis;
    let apparent_inertia: Vec<Ex> =
        selection.independent.iter().map(|&k| sums.apparent_inertia(k)).collect();
    let apparent_inertia: Vec<f64> =
        numeric.all(&apparent_inertia).into_iter().map(f64::abs).collect();
    let largest = apparent_inertia.iter().copied().fold(0.0, f64::max);
    let light = apparent_inertia.iter().position(|&m| m <= ROUNDED_INERTIA * largest);
    if let Some(k) = light.or_else(|| apparent_inertia.iter().position(|&m| m == 0.0)) {
        let alone = [(selection.independent[k], 1.0)];
        return Err(without_inertia(topology, sums, &alone, numeric, model));
    }
    let core = selection.independent.iter().copied().zip(apparent_inertia);
    let core: Vec<(VariableId, f64)> = core.filter(|&(k, _)| sums.is_in_core(k)).collect();
    let n = core.len();
    let masses = core.iter().flat_map(|&(i, _)| core.iter().map(move |&(j, _)| (i, j)));
    let masses: Vec<Ex> = masses.map(|(i, j)| sums.mass(i, j)).collect();
    let mut matrix = DMatrix::from_row_slice(n, n, &numeric.all(&masses));
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
            Err(without_inertia(topology, sums, &motion, numeric, model))
        }
        _ => Ok(()),
    }
}

/// The error about a motion without inertia of some coordinates, with the coordinates of branches
/// that move with them.
fn without_inertia(
    topology: &Topology,
    sums: &MassAndForces,
    motion: &[(VariableId, f64)],
    numeric: &Numeric,
    model: &Model,
) -> Error {
    let mut whole: BTreeMap<VariableId, f64> = motion.iter().copied().collect();
    for &(k, share) in motion {
        let (variables, induced): (Vec<VariableId>, Vec<Ex>) =
            sums.induced_accelerations(k).into_iter().unzip();
        for (variable, value) in variables.into_iter().zip(numeric.all(&induced)) {
            *whole.entry(variable).or_default() += share * value;
        }
    }
    let size = whole.values().fold(0.0, |size: f64, share| size.max(share.abs()));
    whole.retain(|_, share| share.abs() > SMALLEST_SHARE * size);
    match whole.keys().copied().collect::<Vec<VariableId>>()[..] {
        [alone] => match without_values(sums.apparent_inertia(alone), numeric, model) {
            Some(values) => Error::Structure(format!("{values}: {}", topology.unmoved(alone))),
            None => topology.massless(alone),
        },
        [] => topology.massless(motion[0].0),
        ref together => {
            let names: Vec<String> = together.iter().map(|&k| topology.name_of(k)).collect();
            Error::Structure(format!(
                "{}: at the start these can move together so that no mass moves: give what is \
                 between them a mass, leave one of them out, or start elsewhere",
                names.join(", ")
            ))
        }
    }
}

/// The parameters from which an inertia follows that is zero, with their values.
fn without_values(inertia: Ex, numeric: &Numeric, model: &Model) -> Option<String> {
    let inertias = model.parameters_in(inertia, &INERTIAS);
    let value = |(_, leaf): &(String, Ex)| {
        let (name, unit) = model.parameter_of(*leaf)?;
        Some(format!("{name} = {} {unit}", Number(numeric.one(*leaf))))
    };
    let values: Vec<String> = inertias.iter().filter_map(value).collect();
    (1..=MAX_NAMES).contains(&values.len()).then(|| values.join(", "))
}
