//! A sphere that hits a cylinder or an edge.

use super::collision::{Collision, CollisionPorts, collision_setters};
use super::face::between;
use super::sphere_plane::{seen_from, sphere_geometry};
use crate::compile::structure::Pose;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::setters;
use crate::vector::{Vector, Z, constant, dot, norm, scale};
use equations::{Bool, Ex, Limits, select};

/// Contact between a sphere and a cylinder, or an edge.
///
/// # Equations
/// `frame_a` is in the centre of the sphere, `frame_b` in the middle of the cylinder, whose axis is
/// `n`. `gap` is the distance of the sphere's centre from the cylinder, less `ra`: from the wall,
/// the flat ends, or the rims. A cylinder of radius zero is an edge: the straight line of this
/// length. What happens at an impact and in a closed contact is that of [`CollisionSpherePlane`].
///
/// # Variables
/// `ra` in m; `rb` in m, structure where it is zero; `length` in m; `n`, default `{0, 0, 1}`: axis
/// in `frame_b`; the others are those of [`CollisionSpherePlane`].
///
/// # Events
/// The impact; the sphere passes a rim; a closed contact opens, breaks loose, sticks.
///
/// [`CollisionSpherePlane`]: super::CollisionSpherePlane
#[derive(Clone, Debug)]
pub struct CollisionSphereCylinder {
    radii: [f64; 2],
    length: f64,
    n: [f64; 3],
    collision: Collision,
}

impl CollisionSphereCylinder {
    /// Of a sphere with radius `ra` and a cylinder with radius `rb` and a `length`, all in m.
    pub fn ra_rb_length(ra: f64, rb: f64, length: f64) -> Self {
        let collision = Collision::default();
        CollisionSphereCylinder { radii: [ra, rb], length, n: Z, collision }
    }

    /// Of a sphere with radius `ra` in m and an edge of a `length` in m.
    pub fn edge(ra: f64, length: f64) -> Self {
        CollisionSphereCylinder::ra_rb_length(ra, 0.0, length)
    }
}

setters! {
    impl CollisionSphereCylinder {
        /// Direction of the axis or the edge, in the axes of `frame_b`.
        n: [f64; 3],
    }
}

collision_setters!(CollisionSphereCylinder);

impl OldComponent for CollisionSphereCylinder {
    type Ports = CollisionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let ends = [c.frame("frame_a"), c.frame("frame_b")];
        let mut positive = |name: &str, value: f64, text: &str| -> Result<Ex, Error> {
            Ok(c.limited(name, value, "m", text, Limits::POSITIVE)?.into())
        };
        let ra = positive("ra", self.radii[0], "Radius of the sphere")?;
        let half = positive("length", self.length, "Length of the cylinder")? * 0.5;
        let rb = match self.radii[1] {
            0.0 => None,
            rb => Some(positive("rb", rb, "Radius of the cylinder")?),
        };
        let n = constant(c.axis("n", self.n, "Axis of the cylinder resolved in frame_b")?);
        let law = self.collision.declare(c)?;
        // Along the axis and across it.
        let parts = move |r: &Vector| {
            let z = dot(&n, r);
            (z, r - scale(&n, z))
        };
        let inside = move |[a, b]: [&Pose; 2]| {
            let (z, across) = parts(&seen_from(a, b));
            let ends = vec![half - z, half + z];
            ends.into_iter().chain(rb.map(|rb| rb - norm(&across))).collect()
        };
        c.bordered_contact(ends, law, inside, move |[a, b], within: &[Bool]| {
            let (z, across) = parts(&seen_from(a, b));
            let beyond = scale(&n, between(z, half, [within[0], within[1]]));
            let across = match rb {
                None => across,
                Some(rb) => scale(&across, select(within[2], 0.0, 1.0 - rb / norm(&across))),
            };
            sphere_geometry([a, b], &(beyond + across), ra)
        });
        Ok(())
    }
}
