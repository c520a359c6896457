//! Axes of coordinates that are given in frames which do not carry the coordinates.

use crate::compile::tree::forward_kinematics::ForwardKinematics;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::compile::tree::link_joint::CoordinateValues;
use crate::compile::tree::spanning_tree::{Tree, WORLD};
use crate::error::Error;
use crate::ids::{CoordinateId, JointId};
use crate::orientation::quaternion_rotation;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::Structure;
use crate::vector::{Matrix, constant, unit_axis};
use equations::Ex;

/// All coordinates at their start values.
struct AtStart<'a>(&'a Structure);

impl CoordinateValues for AtStart<'_> {
    fn q(&self, coordinate: CoordinateId) -> Ex {
        self.0.multibody.coordinates[coordinate].position.slot
    }

    fn speed(&self, _: CoordinateId) -> Ex {
        Ex::zero()
    }

    fn orientation(&self, joint: JointId) -> Matrix {
        let orientation = self.0.multibody.joints[joint].orientation.as_ref();
        orientation.map_or_else(Matrix::identity, |orientation| {
            quaternion_rotation(&std::array::from_fn(|k| orientation.quaternion[k].slot))
        })
    }
}

/// Turns axes that are given in other frames, by the start values of all coordinates.
pub fn transport(
    mut structure: Structure,
    tree: &Tree,
    numeric: &Numeric,
) -> Result<Structure, Error> {
    for axis in structure.multibody.transported.clone() {
        let at = AtStart(&structure);
        let kinematic_tree = KinematicTree { structure: &structure, tree };
        let poses = ForwardKinematics { kinematic_tree, at: &at, base: WORLD }.poses();
        let [from, to] = [axis.from, axis.to].map(|end| tree.pose(&poses, end.node).t);
        let coordinate = &structure.multibody.coordinates[axis.coordinate];
        let turned = to * (from.transpose() * constant(coordinate.axis));
        let turned: Vec<f64> = numeric.all(turned.as_slice());
        let Some(turned) = unit_axis([turned[0], turned[1], turned[2]]) else {
            return Err(Error::Initial(format!(
                "{}: the start values do not determine its axis",
                structure.names[coordinate.component]
            )));
        };
        structure.multibody.coordinates[axis.coordinate].axis = turned;
    }
    Ok(structure)
}
