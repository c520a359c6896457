//! What is looked at in the initial configuration, once and with numbers.

use super::kinematics::{Configuration, Kinematics};
use super::numeric::Numeric;
use super::structure::{Situation, Structure};
use super::symbols::Symbols;
use super::tree::Tree;
use crate::error::Error;
use crate::orientation::quaternion_rotation;
use crate::vector::{Matrix, constant, unit_axis};
use equations::Ex;

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
