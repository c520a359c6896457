//! Faces: how far a plane surface reaches.

use crate::component::Contribution;
use crate::error::Error;
use crate::vector::{Vector, constant, dot, scale};
use equations::{Bool, Ex, Limits, select};
use nalgebra::Vector3;

/// How far a plane surface reaches, and where its edges are.
///
/// Positions and directions are those of the frame that carries the surface; a direction counts
/// with its part along the surface.
#[derive(Clone, Copy, Debug)]
pub struct Face(Outline);

#[derive(Clone, Copy, Debug)]
enum Outline {
    Plane,
    HalfPlane { towards: [f64; 3] },
    Strip { along: [f64; 3], width: f64 },
    Rectangle { along: [f64; 3], length: f64, width: f64 },
    Disc { radius: f64 },
}

impl Face {
    /// Without edges.
    pub fn plane() -> Self {
        Face(Outline::Plane)
    }

    /// From an edge through the origin of the frame on in the direction `towards`, which is
    /// perpendicular to the edge.
    pub fn half_plane(towards: [f64; 3]) -> Self {
        Face(Outline::HalfPlane { towards })
    }

    /// A strip of a `width` in m with the origin of the frame in the middle, without end `along` a
    /// direction.
    pub fn strip(along: [f64; 3], width: f64) -> Self {
        Face(Outline::Strip { along, width })
    }

    /// A rectangle with the origin of the frame in its middle: its `length` in m `along` a
    /// direction and its `width` across.
    pub fn rectangle(along: [f64; 3], length: f64, width: f64) -> Self {
        Face(Outline::Rectangle { along, length, width })
    }

    /// A disc about the origin of the frame.
    pub fn disc(radius: f64) -> Self {
        Face(Outline::Disc { radius })
    }

    /// Whether it ends anywhere.
    pub(super) fn has_edges(self) -> bool {
        !matches!(self.0, Outline::Plane)
    }

    /// Declares the sizes; `None` without edges.
    pub(super) fn declare(
        self,
        c: &mut Contribution<'_>,
        normal: [f64; 3],
    ) -> Result<Option<Edges>, Error> {
        let mut size = |name: &'static str, value: f64, text: &str| -> Result<Ex, Error> {
            Ok(c.limited(name, value, "m", text, Limits::POSITIVE)?.into())
        };
        let (direction, reach) = match self.0 {
            Outline::Plane => return Ok(None),
            Outline::HalfPlane { towards } => (Some(("towards", towards)), Reach::HalfPlane),
            Outline::Strip { along, width } => {
                let width = size("width", width, "Width of the face")?;
                (Some(("along", along)), Reach::Sides([None, Some(width * 0.5)]))
            }
            Outline::Rectangle { along, length, width } => {
                let length = size("length", length, "Length of the face")?;
                let width = size("width", width, "Width of the face")?;
                (Some(("along", along)), Reach::Sides([length, width].map(|s| Some(s * 0.5))))
            }
            Outline::Disc { radius } => {
                (None, Reach::Disc(size("radius", radius, "Radius of the face")?))
            }
        };
        let n = Vector3::from(normal);
        let across = [Vector3::x(), Vector3::y()].map(|axis| axis - n * n.dot(&axis));
        let longer = across[usize::from(across[1].norm() > across[0].norm())];
        let first = match direction {
            None => longer,
            Some((name, direction)) => {
                let axis = Vector3::from(c.axis(name, direction, "Direction of the face")?);
                axis - n * n.dot(&axis)
            }
        };
        if first.norm() < 1e-6 {
            let why = "it is perpendicular to the surface, and has to have a part along it";
            return Err(c.refuse(direction.map_or("along", |d| d.0), why));
        }
        let first = first.normalize();
        let axes = [first, n.cross(&first)].map(|axis| constant(axis.into()));
        Ok(Some(Edges { normal: constant(normal), axes, reach }))
    }
}

/// A face with edges.
#[derive(Clone, Debug)]
pub(super) struct Edges {
    normal: Vector,
    /// Two axes along the surface.
    axes: [Vector; 2],
    reach: Reach,
}

#[derive(Clone, Debug)]
enum Reach {
    HalfPlane,
    /// How far it reaches to both sides along each axis.
    Sides([Option<Ex>; 2]),
    Disc(Ex),
}

impl Edges {
    fn place(&self, r: &Vector) -> [Ex; 2] {
        [0, 1].map(|k| dot(&self.axes[k], r))
    }

    /// For each edge how far inside of it a point is; `r` is resolved in the frame of the face.
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

    /// From the closest point of the face to a point; `within` tells inside which edges that is.
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

/// How far a place is beyond the ends of a piece that reaches to both sides of zero.
pub(super) fn between(x: Ex, side: Ex, [below_end, above_start]: [Bool; 2]) -> Ex {
    select(below_end, select(above_start, 0.0, x + side), x - side)
}

fn distance([x, y]: [Ex; 2]) -> Ex {
    (x.square() + y.square()).sqrt()
}
