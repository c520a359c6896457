//! A solid between two frames, from which mass and inertia of a body are computed.

use super::body::publish_inner_motion;
use super::fixed_translation::rod;
use super::free::{Free, INNER_ORIENTATION};
use crate::multibody::joints::Orientation;
use mechanics::assembly::{element, place};
use mechanics::declaration::{group, prelude::*};
use mechanics::scene::{self, Length, ShapeType};
use mechanics::vector::{
    Matrix, Vector, constant, from_nxy, norm, normalize, resolve_dyade1, scale,
};

group! {
    /// Variables that are computed from the shape of a body.
    pub struct MassOfShape(mass_of_shape) {}
    variables {
        /// Mass of the body
        m: Real["kg"],
        /// Position vector from frame_a to centre of mass, resolved in frame_a
        r_cm "r_CM": Vector["m"],
        /// Inertia tensor about the centre of mass, resolved in frame_a
        inertia "I": Matrix["kg.m2"],
    }
}

/// A solid with its position, length and direction.
pub(super) struct Solid {
    r: Vector,
    r_shape: Vector,
    length: Ex,
    direction: Vector,
}

impl Solid {
    /// From the parameters of a component; without a given direction, it is along `r - r_shape`.
    pub fn new(
        c: &mut Contribution<'_>,
        (r, r_shape): (Vector, Vector),
        length: Ex,
        direction: Option<[f64; 3]>,
    ) -> Result<Self, Error> {
        let along = r - r_shape;
        if direction.is_none() {
            let why = "r and r_shape are equal, so the shape has no direction";
            let sentence = format!("{}: {why}", c.full("lengthDirection"));
            c.require(&[], norm(&along).gt(0.0), &sentence)?;
        }
        let direction = direction.map_or_else(|| normalize(&along), constant);
        Ok(Solid { r, r_shape, length, direction })
    }

    /// Its shape in pictures, with a width and a height in m.
    pub fn picture(&self, form: ShapeType, [width, height]: [Ex; 2]) -> scene::Shape {
        scene::Shape {
            r_shape: self.r_shape,
            length: Length::Fixed(self.length),
            ..scene::Shape::along(form, self.direction, [width, height])
        }
    }

    /// Adds the body with its mass and its inertia in the axes spanned by `r` and `width`.
    pub fn body(
        &self,
        c: &mut Contribution<'_>,
        mass: Ex,
        (width, diagonal): ([f64; 3], [Ex; 3]),
        (free, orientation): (Free, Orientation),
    ) {
        rod(c, self.r);
        let t = from_nxy(&self.r, &constant(width));
        let inertia = resolve_dyade1(&t, &Matrix::from_diagonal(&Vector::from(diagonal)));
        let r_cm = self.r_shape + scale(&self.direction, self.length * 0.5);
        let frame = c.frame("frame_a");
        c.body(frame, mass, r_cm, inertia);
        free.join(c, frame, orientation, INNER_ORIENTATION);
        c.law(move |e| {
            e.variable("m", mass);
            e.publish("r_CM", &r_cm);
            for k in 0..9 {
                e.variable(element("I", place(k)), inertia[(k / 3, k % 3)]);
            }
            Ok(())
        });
        publish_inner_motion(c, frame);
    }
}
