//! A rigid box.

use super::body::{inner_rotation, translation};
use super::fixed_translation::two_frames;
use super::free::{Free, free, inner_orientation};
use super::shape::{Solid, mass_of_shape};
use crate::multibody::joints::{Orientation, orientation};
use mechanics::declaration::prelude::*;
use mechanics::scene::{Shape, ShapeType};
use mechanics::vector::{constant, distance};

component! {
    /// Rigid body with box shape, from which mass and inertia are computed.
    ///
    /// It is a beam, a plate or a box section, also as a link between two joints.
    ///
    /// # Equations
    /// `m = mo - mi` with `mo = density length width height` and
    /// `mi = density length innerWidth innerHeight`. `r_CM = r_shape + e length / 2` with `e` along
    /// `lengthDirection`. In the axes along `e`, along `widthDirection` and perpendicular to both,
    /// `I` is diagonal. Its first element is
    /// `(mo (width^2 + height^2) - mi (innerWidth^2 + innerHeight^2)) / 12`; the second one has
    /// length and height in this formula, and the third one length and width.
    pub struct BodyBox = "Modelica.Mechanics.MultiBody.Parts.BodyBox" {
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
        /// Direction of the width of the box resolved in frame_a
        width_direction "widthDirection": Axis["1"] = Y,
        /// Width of the box
        width: Real["m", >= 0, structural zero, fixed] = length / 20.0,
        /// Height of the box
        height: Real["m", >= 0, structural zero, fixed] = width,
        /// Width of the hollow
        inner_width "innerWidth": Real["m", >= 0, structural zero, fixed] = 0,
        /// Height of the hollow
        inner_height "innerHeight": Real["m", >= 0, structural zero, fixed] = inner_width,
        ..free: free,
        ..orientation: orientation,
        ..two_frames,
        ..translation,
        ..inner_rotation,
        ..inner_orientation,
        ..mass_of_shape,
    }
}

impl Component for BodyBox {
    fn contribute(p: BodyBoxParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (w, h, wi, hi) = (p.width, p.height, p.inner_width, p.inner_height);
        let why = "the hollow must fit into the box";
        c.require(&["innerWidth", "width"], wi.le(w), why)?;
        c.require(&["innerHeight", "height"], hi.le(h), why)?;
        let solid = Solid::new(c, (p.r, p.r_shape), p.length, p.length_direction)?;
        let brick = |w: Ex, h: Ex| p.density * p.length * w * h;
        let (mo, mi) = (brick(w, h), brick(wi, hi));
        let [l2, w2, h2, wi2, hi2] = [p.length, w, h, wi, hi].map(Ex::square);
        let moment = |a: Ex, b: Ex, ai: Ex, bi: Ex| (mo * (a + b) - mi * (ai + bi)) / 12.0;
        let diagonal = [moment(w2, h2, wi2, hi2), moment(l2, h2, l2, hi2), moment(l2, w2, l2, wi2)];
        let width_direction = constant(p.width_direction);
        c.shape("frame_a", |_| Shape { width_direction, ..solid.picture(ShapeType::Box, [w, h]) });
        solid.body(c, mo - mi, (p.width_direction, diagonal), (p.free, p.orientation));
        Ok(())
    }
}
