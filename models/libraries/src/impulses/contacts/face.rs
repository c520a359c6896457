//! Faces: the extent of a plane surface.

use equations::{Bool, select};
use mechanics::declaration::{group, prelude::*};
use mechanics::scene::{GROUND_COLOR, Length, Shape, ShapeType};
use mechanics::vector::{Vector, constant, dot, scale, zero};
use nalgebra::Vector3 as Point;

group! {
    /// Extent of a plane surface with edges: a half plane `towards` a direction, a strip `along` a
    /// direction, a rectangle with a `length` along it, or a disc. Only the component of a
    /// direction along the surface is used. The origin of the frame is in the middle of the face,
    /// or on the edge of the half plane.
    pub struct Face(face) {
        /// Length of the face
        length?: Real["m", > 0, fixed],
        /// Width of the face
        width?: Real["m", > 0, fixed],
        /// Radius of the face
        radius?: Real["m", > 0, fixed],
        /// Direction of the length of the face
        ///
        /// The width is perpendicular to it.
        along?: Axis["1"],
        /// Direction of a half plane, perpendicular to its edge
        towards?: Axis["1"],
    }
}

impl Face {
    /// The edges of a face in the plane with this normal; `None` without edges.
    pub fn edges(self, c: &Contribution<'_>, normal: [f64; 3]) -> Result<Option<Edges>, Error> {
        let Face { length, width, radius, along, towards } = self;
        let half = |size: Ex| Some(size * 0.5);
        let (name, direction, reach) = match (towards, along, length, width, radius) {
            (None, None, None, None, None) => return Ok(None),
            (Some(e), None, None, None, None) => ("towards", Some(e), Reach::HalfPlane),
            (None, Some(e), None, Some(width), None) => {
                ("along", Some(e), Reach::Sides([None, half(width)]))
            }
            (None, Some(e), Some(length), Some(width), None) => {
                ("along", Some(e), Reach::Sides([half(length), half(width)]))
            }
            (None, None, None, None, Some(radius)) => ("radius", None, Reach::Disc(radius)),
            _ => {
                let why = "a face must be given by towards, by along and width, by along, length \
                           and width, or by radius";
                return Err(c.refuse("along", why));
            }
        };
        let n = Point::from(normal);
        let across = |axis: Point<f64>| axis - n * n.dot(&axis);
        let first = direction.map_or_else(|| in_plane(n), |direction| across(direction.into()));
        if first.norm() < 1e-6 {
            let why = "it must not be perpendicular to the surface";
            return Err(c.refuse(name, why));
        }
        let first = first.normalize();
        let axes = [first, n.cross(&first)].map(|axis| constant(axis.into()));
        Ok(Some(Edges { normal: constant(normal), axes, reach }))
    }
}

/// A face with edges.
#[derive(Clone, Debug)]
pub struct Edges {
    normal: Vector,
    /// Two axes along the surface.
    axes: [Vector; 2],
    reach: Reach,
}

#[derive(Clone, Debug)]
enum Reach {
    HalfPlane,
    /// The extent to both sides along each axis.
    Sides([Option<Ex>; 2]),
    Disc(Ex),
}

/// The extent of an unlimited face in pictures, in nominal lengths.
const FLOOR: f64 = 2.0;

/// The thickness of a disc in pictures, in nominal lengths.
const THIN: f64 = 0.005;

/// A direction along a plane with this normal.
fn in_plane(n: Point<f64>) -> Point<f64> {
    let [x, y] = [Point::x(), Point::y()].map(|axis| axis - n * n.dot(&axis));
    if y.norm() > x.norm() { y } else { x }
}

/// The shape of a plane without edges through the origin.
pub(super) fn floor(normal: [f64; 3], nominal: Ex) -> Shape {
    let n = Point::from(normal);
    let first = in_plane(n).normalize();
    let axes = [first, n.cross(&first)].map(|axis| constant(axis.into()));
    Shape::plane(zero(), axes, [nominal * FLOOR; 2])
}

impl Edges {
    /// The shape of the face, of which a part represents what has no end.
    pub fn shape(&self, nominal: Ex) -> Shape {
        let far = nominal * FLOOR;
        match &self.reach {
            Reach::HalfPlane => {
                let middle = scale(&self.axes[0], far * 0.5);
                Shape::plane(middle, self.axes, [far; 2])
            }
            Reach::Sides(sides) => {
                let sizes = sides.map(|side| side.map_or(far, |side| side * 2.0));
                Shape::plane(zero(), self.axes, sizes)
            }
            Reach::Disc(radius) => {
                let thickness = nominal * THIN;
                Shape {
                    r_shape: scale(&self.normal, thickness * -0.5),
                    length: Length::Fixed(thickness),
                    color: GROUND_COLOR,
                    ..Shape::along(ShapeType::Cylinder, self.normal, [*radius * 2.0; 2])
                }
            }
        }
    }

    fn place(&self, r: &Vector) -> [Ex; 2] {
        [0, 1].map(|k| dot(&self.axes[k], r))
    }

    /// For each edge, the distance of a point from it, positive inside; `r` is resolved in the
    /// frame of the face.
    pub fn inside(&self, r: &Vector) -> Vec<Ex> {
        let place = self.place(r);
        match &self.reach {
            Reach::HalfPlane => vec![place[0]],
            Reach::Sides(sides) => {
                let both = |(x, side): (Ex, &Option<Ex>)| side.map(|side| [side - x, side + x]);
                place.into_iter().zip(sides).filter_map(both).flatten().collect()
            }
            Reach::Disc(radius) => vec![*radius - distance(place)],
        }
    }

    /// The vector from the closest point of the face to a point. `within` states for each edge
    /// whether the point is inside.
    pub fn to(&self, r: &Vector, within: &[Bool]) -> Vector {
        let place = self.place(r);
        let mut within = within.iter().copied();
        let mut next = || within.next().unwrap_or(Bool::constant(true));
        let beyond: [Ex; 2] = match &self.reach {
            Reach::HalfPlane => [select(next(), 0.0, place[0]), Ex::zero()],
            Reach::Sides(sides) => [0, 1].map(|k| match sides[k] {
                None => Ex::zero(),
                Some(side) => between(place[k], side, [next(), next()]),
            }),
            Reach::Disc(radius) => {
                let part = select(next(), 0.0, 1.0 - *radius / distance(place));
                place.map(|x| x * part)
            }
        };
        let along = scale(&self.axes[0], beyond[0]) + scale(&self.axes[1], beyond[1]);
        scale(&self.normal, dot(&self.normal, r)) + along
    }
}

/// The part of a coordinate beyond the ends of an interval around zero: positive beyond the upper
/// end, negative beyond the lower one, and zero inside.
pub(super) fn between(x: Ex, side: Ex, [below_end, above_start]: [Bool; 2]) -> Ex {
    select(below_end, select(above_start, 0.0, x + side), x - side)
}

fn distance([x, y]: [Ex; 2]) -> Ex {
    (x.square() + y.square()).sqrt()
}
