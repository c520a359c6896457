//! A rigid cylinder.

use super::body::{inner_rotation, translation};
use super::fixed_translation::two_frames;
use super::free::{Free, free, inner_orientation};
use super::shape::{Solid, mass_of_shape};
use crate::multibody::joints::{Orientation, orientation};
use mechanics::declaration::prelude::*;
use mechanics::scene::{Shape, ShapeType};
use mechanics::vector::distance;
use std::f64::consts::PI;

component! {
    /// Rigid body with cylinder shape, from which mass and inertia are computed.
    ///
    /// It is a shaft, a rod or a pipe, also as a link between two joints.
    ///
    /// # Equations
    /// `m = mo - mi` with `mo = density length pi diameter^2 / 4` and
    /// `mi = density length pi innerDiameter^2 / 4`. `r_CM = r_shape + e length / 2` with `e` along
    /// `lengthDirection`. The moment of inertia about `e` is
    /// `(mo diameter^2 - mi innerDiameter^2) / 8`; that about an axis perpendicular to `e` is `(mo
    /// (length^2 + 3/4 diameter^2) - mi (length^2 + 3/4 innerDiameter^2)) / 12`.
    pub struct BodyCylinder = "Modelica.Mechanics.MultiBody.Parts.BodyCylinder" {
        /// Vector from frame_a to frame_b resolved in frame_a
        r: [Real; 3]["m", fixed],
        /// Vector from frame_a to the beginning of the shape, resolved in frame_a
        r_shape: [Real; 3]["m", fixed] = [0; 3],
        /// Density of the shape
        density: Real["kg/m3", >= 0] = 7700,
        /// Length of the shape
        length: Real["m", > 0, fixed, follows] = distance(r_shape, r),
        /// Direction of the shape's axis resolved in frame_a; the default is along r - r_shape
        length_direction "lengthDirection"?: Axis["1"],
        /// Diameter of the cylinder
        diameter: Real["m", >= 0, structural zero, fixed] = length / 20.0,
        /// Inner diameter
        inner_diameter "innerDiameter": Real["m", >= 0, structural zero, fixed] = 0,
        ..free: free,
        ..orientation: orientation,
        ..two_frames,
        ..translation,
        ..inner_rotation,
        ..inner_orientation,
        ..mass_of_shape,
    }
}

impl Component for BodyCylinder {
    fn contribute(p: BodyCylinderParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (outer, inner) = (p.diameter * 0.5, p.inner_diameter * 0.5);
        let why = "the inner diameter must be less than the diameter";
        c.require(&["innerDiameter", "diameter"], inner.lt(outer), why)?;
        let solid = Solid::new(c, (p.r, p.r_shape), p.length, p.length_direction)?;
        let [l2, o2, i2] = [p.length, outer, inner].map(Ex::square);
        let cylinder = |r2: Ex| p.density * PI * p.length * r2;
        let (mo, mi) = (cylinder(o2), cylinder(i2));
        let across = (mo * (l2 + o2 * 3.0) - mi * (l2 + i2 * 3.0)) / 12.0;
        let axial = (mo * o2 - mi * i2) * 0.5;
        c.shape("frame_a", |_| {
            let extra = inner / outer;
            Shape { extra, ..solid.picture(ShapeType::Cylinder, [outer * 2.0; 2]) }
        });
        solid.body(c, mo - mi, (Y, [axial, across, across]), (p.free, p.orientation));
        Ok(())
    }
}
