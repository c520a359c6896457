//! A rigid cylinder.

use super::body_shape::BodyShapePorts;
use super::free::{Free, free_setters};
use super::shape::{Shape, shape_setters, size, solid_body};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::scene::{Form, Shape as Picture};
use crate::setters;
use equations::Ex;

/// Rigid body with cylinder shape; mass and inertia follow from it.
///
/// # Equations
/// `m = mo - mi` with `mo = density length pi diameter^2 / 4`, `mi` the same of the bore; with `e`
/// along `lengthDirection`: `r_CM = r_shape + e length / 2`. `I` is `(mo diameter^2 - mi
/// innerDiameter^2) / 8` about `r`, `(mo (length^2 + 3/4 diameter^2) - mi (length^2 + 3/4
/// innerDiameter^2)) / 12` across it.
///
/// # Variables
/// `r`, `r_shape` (default 0), `length` (default `|r - r_shape|`), `diameter` (default a twentieth
/// of the length), `innerDiameter` (default 0, less than the diameter) in m, `lengthDirection`
/// (default `r - r_shape`), `density` in kg/m3, default 7700; `m`, `r_CM`, `I[i,j]` follow; motion
/// as that of a `BodyShape`.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.BodyCylinder.
#[derive(Clone, Debug)]
pub struct BodyCylinder {
    shape: Shape,
    free: Free,
    diameter: Option<f64>,
    inner_diameter: f64,
}

impl BodyCylinder {
    /// From `frame_a` to `frame_b` by `r` in m, resolved in `frame_a`.
    pub fn r(r: [f64; 3]) -> Self {
        BodyCylinder {
            shape: Shape::new(r),
            free: Free::default(),
            diameter: None,
            inner_diameter: 0.0,
        }
    }
}

shape_setters!(BodyCylinder);
free_setters!(BodyCylinder);

setters! {
    impl BodyCylinder {
        /// Diameter in m.
        diameter: Option<f64>,
        /// Diameter of the bore in m.
        inner_diameter: f64,
    }
}

impl OldComponent for BodyCylinder {
    type Ports = BodyShapePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let solid = self.shape.declare(c)?;
        let diameter = self.diameter.unwrap_or(self.shape.default_width());
        let outer = size(c, "diameter", diameter, "Diameter of the cylinder")? * 0.5;
        let inner = size(c, "innerDiameter", self.inner_diameter, "Inner diameter")? * 0.5;
        let why = "the inner diameter must be less than the diameter";
        c.require(&["innerDiameter", "diameter"], inner.lt(outer), why)?;
        let (l2, o2, i2) = (solid.length.square(), outer.square(), inner.square());
        let cylinder = |r2: Ex| solid.density * std::f64::consts::PI * solid.length * r2;
        let (mo, mi) = (cylinder(o2), cylinder(i2));
        let across = (mo * (l2 + o2 * 3.0) - mi * (l2 + i2 * 3.0)) / 12.0;
        let axial = (mo * o2 - mi * i2) * 0.5;
        c.shape("frame_a", |_| {
            let extra = inner / outer;
            Picture { extra, ..solid.picture(Form::Cylinder, [outer * 2.0; 2]) }
        });
        solid_body(c, &solid, &self.free, crate::vector::Y, mo - mi, [axial, across, across])
    }
}
