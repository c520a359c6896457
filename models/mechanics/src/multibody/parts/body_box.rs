//! A rigid box.

use super::body_shape::BodyShapePorts;
use super::free::{Free, free_setters};
use super::shape::{Shape, shape_setters, size, solid_body};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::scene::{Form, Shape as Picture};
use crate::setters;
use crate::vector::constant;
use equations::Ex;

/// Rigid body with box shape; mass and inertia follow from it.
///
/// # Equations
/// `m = mo - mi` with `mo = density length width height`, `mi = density length innerWidth
/// innerHeight`; `r_CM = r_shape + e length / 2` with `e` along `lengthDirection`. About axes along
/// `r`, along `widthDirection` and across both, `I` has the diagonal elements `(mo (width^2 +
/// height^2) - mi (innerWidth^2 + innerHeight^2)) / 12`, and likewise with length and height,
/// length and width.
///
/// # Variables
/// `r`, `r_shape` (default 0), `length` (default `|r - r_shape|`), `width` (default a twentieth of
/// the length), `height` (default `width`), `innerWidth` (default 0), `innerHeight` (default
/// `innerWidth`) in m, `lengthDirection` (default `r - r_shape`), `widthDirection` (default y),
/// `density` in kg/m3, default 7700; `m`, `r_CM`, `I[i,j]` follow; motion as that of a `BodyShape`.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.BodyBox.
#[derive(Clone, Debug)]
pub struct BodyBox {
    shape: Shape,
    free: Free,
    width_direction: [f64; 3],
    width: Option<f64>,
    height: Option<f64>,
    inner_width: f64,
    inner_height: Option<f64>,
}

impl BodyBox {
    /// From `frame_a` to `frame_b` by `r` in m, resolved in `frame_a`.
    pub fn r(r: [f64; 3]) -> Self {
        BodyBox {
            shape: Shape::new(r),
            free: Free::default(),
            width_direction: crate::vector::Y,
            width: None,
            height: None,
            inner_width: 0.0,
            inner_height: None,
        }
    }
}

shape_setters!(BodyBox);
free_setters!(BodyBox);

setters! {
    impl BodyBox {
        /// Direction of the width, resolved in `frame_a`.
        width_direction: [f64; 3],
        /// Width in m.
        width: Option<f64>,
        /// Height in m.
        height: Option<f64>,
        /// Width of the hollow in m.
        inner_width: f64,
        /// Height of the hollow in m; by default its width.
        inner_height: Option<f64>,
    }
}

impl OldComponent for BodyBox {
    type Ports = BodyShapePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let solid = self.shape.declare(c)?;
        c.axis("widthDirection", self.width_direction, "Direction of the width of the box")?;
        let width = self.width.unwrap_or(self.shape.default_width());
        let height = self.height.unwrap_or(width);
        let inner_height = self.inner_height.unwrap_or(self.inner_width);
        let w = size(c, "width", width, "Width of the box")?;
        let h = size(c, "height", height, "Height of the box")?;
        let wi = size(c, "innerWidth", self.inner_width, "Width of the hollow")?;
        let hi = size(c, "innerHeight", inner_height, "Height of the hollow")?;
        let why = "the hollow must fit into the box";
        c.require(&["innerWidth", "width"], wi.le(w), why)?;
        c.require(&["innerHeight", "height"], hi.le(h), why)?;
        let brick = |w: Ex, h: Ex| solid.density * solid.length * w * h;
        let (mo, mi) = (brick(w, h), brick(wi, hi));
        let (l2, w2, h2) = (solid.length.square(), w.square(), h.square());
        let (wi2, hi2) = (wi.square(), hi.square());
        let moment = |a: Ex, b: Ex, ai: Ex, bi: Ex| (mo * (a + b) - mi * (ai + bi)) / 12.0;
        let diagonal = [moment(w2, h2, wi2, hi2), moment(l2, h2, l2, hi2), moment(l2, w2, l2, wi2)];
        let width_direction = constant(self.width_direction);
        c.shape("frame_a", |_| Picture { width_direction, ..solid.picture(Form::Box, [w, h]) });
        solid_body(c, &solid, &self.free, self.width_direction, mo - mi, diagonal)
    }
}
