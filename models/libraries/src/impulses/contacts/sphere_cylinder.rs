//! A sphere that collides with a cylinder or an edge.

use super::collision::{Collision, ball, collision};
use super::face::between;
use super::sphere_plane::{seen_from, sphere_geometry};
use equations::{Bool, select};
use mechanics::declaration::prelude::*;
use mechanics::scene::{Length, ROD_COLOR, Shape, ShapeType};
use mechanics::statements::spatial::pose::Pose;
use mechanics::vector::{Vector, constant, dot, norm, scale};

component! {
    /// Contact between a sphere and a cylinder, or an edge.
    ///
    /// It lets a ball bounce off a pipe, a roller or the edge of a table.
    ///
    /// # Equations
    /// `frame_a` is at the centre of the sphere, and `frame_b` is in the middle of the cylinder,
    /// whose axis is `n`. `gap` is the distance of the sphere's centre from the surface of the
    /// cylinder (wall, flat ends or rims), minus `ra`. A cylinder of radius zero is an edge: a
    /// straight line of this length. Impacts and the closed contact are those of
    /// `CollisionSpherePlane`.
    ///
    /// # Events
    /// The impact; the sphere passes a rim; a closed contact opens, starts to slide or sticks.
    pub struct CollisionSphereCylinder {
        /// Radius of the sphere
        ra: Real["m", > 0, fixed],
        /// Length of the cylinder
        length: Real["m", > 0, fixed],
        /// Radius of the cylinder; zero for an edge
        rb: Real["m", >= 0, structural zero, fixed] = 0,
        /// Axis of the cylinder resolved in frame_b
        n: Axis["1"] = Z,
        ..collision: collision,
    }
}

/// The diameter of an edge in pictures, in nominal lengths.
const THIN: f64 = 0.005;

impl Component for CollisionSphereCylinder {
    fn contribute(
        p: CollisionSphereCylinderParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        let ends = [c.frame("frame_a"), c.frame("frame_b")];
        let (half, n) = (p.length * 0.5, constant(p.n));
        ball(c, "frame_a", p.ra);
        p.collision.arrow(c);
        let is_edge = p.rb.is_constant_zero();
        c.shape("frame_b", |nominal| {
            let diameter = if is_edge { nominal * THIN } else { p.rb * 2.0 };
            let cylinder = Shape::along(ShapeType::Cylinder, n, [diameter; 2]);
            let (r_shape, length) = (scale(&n, -half), Length::Fixed(p.length));
            Shape { r_shape, length, color: ROD_COLOR, ..cylinder }
        });
        let rb = (!p.rb.is_constant_zero()).then_some(p.rb);
        let law = p.collision.law(c)?;
        // Coordinates along the axis and perpendicular to it.
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
            sphere_geometry([a, b], &(beyond + across), p.ra)
        });
        Ok(())
    }
}
