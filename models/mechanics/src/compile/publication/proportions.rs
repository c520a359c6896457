//! What a picture shows best: the sizes of parts, and the plane in which they move.

use super::scene_file::{base, pose};
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::compile::tree::spanning_tree::Parent;
use crate::port::PortId;
use crate::scene::{Length, Shapes};
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::Structure;
use crate::statements::contributions::multibody::CoordinateType;
use crate::statements::laws::signal_view::SignalView;
use crate::vector::{constant, norm};
use equations::Ex;
use nalgebra::Vector3;

/// The components of a unit vector that are rounding.
const ROUNDING: f64 = 1e-9;

/// The largest size in m of a rigid part, or of a shape that does not depend on the nominal length;
/// half a metre if none is known.
pub fn largest_part(
    structure: &Structure,
    shapes: &Shapes,
    numeric: &Numeric,
    e: &SignalView<'_>,
) -> f64 {
    let mut numeric = numeric.clone();
    numeric.set(shapes.nominal, 0.0);
    let at = |port: PortId| pose(structure, e, base(shapes, port));
    let rigid = structure.multibody.rigid_connections.iter();
    let mut sizes: Vec<Ex> = rigid.map(|connection| norm(&connection.pose.r)).collect();
    for placed in &shapes.all {
        let shape = &placed.shape;
        sizes.extend([norm(&shape.r_shape), shape.width, shape.height]);
        match shape.length {
            Length::Fixed(length) => sizes.push(length),
            Length::To(port) => {
                let to = PortId { component: placed.component, port };
                let ends = shapes.frame(placed).and_then(at).zip(at(to));
                sizes.extend(ends.map(|(from, to)| norm(&(to.r - from.r))));
            }
            Length::Variable(_) | Length::Vector(_) | Length::Load { .. } => (),
        }
    }
    let sizes = numeric.all(&sizes).into_iter().map(f64::abs).filter(|size| size.is_finite());
    let largest = sizes.fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 0.5 }
}

/// The normal of the plane to which all parts move in parallel, in axes of the world.
pub fn normal(
    KinematicTree { structure, tree }: KinematicTree<'_>,
    numeric: &Numeric,
    e: &SignalView<'_>,
) -> Option<[f64; 3]> {
    let (mut turns, mut slides) = (Vec::new(), Vec::new());
    for parent in &tree.parents {
        let Parent::Joint { joint, coordinates, .. } = parent else { continue };
        let frame = e.pose(structure.multibody.joints[*joint].a);
        for coordinate in structure.multibody.coordinates.of(*coordinates) {
            let axis = frame.t.transpose() * constant(coordinate.axis);
            let axis = Vector3::from_column_slice(&numeric.all(axis.as_slice()));
            match coordinate.coordinate_type {
                CoordinateType::Revolute => turns.push(axis),
                CoordinateType::Prismatic => slides.push(axis),
                CoordinateType::AngularVelocity | CoordinateType::Auxiliary => return None,
            }
        }
    }
    let normal = *turns.first()?;
    let parallel = turns.iter().all(|axis| axis.cross(&normal).norm() <= ROUNDING);
    let level = slides.iter().all(|axis| axis.dot(&normal).abs() <= ROUNDING);
    let clean = |x: f64| if x.abs() <= ROUNDING { 0.0 } else { x };
    (parallel && level).then(|| normal.map(clean).into())
}
