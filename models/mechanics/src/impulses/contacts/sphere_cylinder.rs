//! A sphere that hits a cylinder or an edge.

use super::collision::{Collision, collision};
use super::face::between;
use super::sphere_plane::{seen_from, sphere_geometry};
use crate::compile::spatial::pose::Pose;
use crate::declaration::prelude::*;
use crate::vector::{Vector, constant, dot, norm, scale};
use equations::{Bool, select};

component! {
    /// Contact between a sphere and a cylinder, or an edge.
    ///
    /// # Equations
    /// `frame_a` is in the centre of the sphere, `frame_b` in the middle of the cylinder, whose
    /// axis is `n`. `gap` is the distance of the sphere's centre from the cylinder, less `ra`: from
    /// the wall, the flat ends, or the rims. A cylinder of radius zero is an edge: the straight
    /// line of this length. What happens at an impact and in a closed contact is that of
    /// `CollisionSpherePlane`.
    ///
    /// # Events
    /// The impact; the sphere passes a rim; a closed contact opens, breaks loose, sticks.
    pub struct CollisionSphereCylinder {
        /// Radius of the sphere
        ra: Real["m", > 0, fixed],
        /// Length of the cylinder
        length: Real["m", > 0, fixed],
        /// Radius of the cylinder; zero is an edge
        rb: Amount["m", >= 0, fixed] = 0,
        /// Axis of the cylinder resolved in frame_b
        n: Axis["1"] = Z,
        ..collision: collision,
    }
}

impl Component for CollisionSphereCylinder {
    fn contribute(
        p: CollisionSphereCylinderParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        let ends = [c.frame("frame_a"), c.frame("frame_b")];
        let (half, n) = (p.length * 0.5, constant(p.n));
        let rb = (!p.rb.is_constant_zero()).then_some(p.rb);
        let law = p.collision.law(c)?;
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
            sphere_geometry([a, b], &(beyond + across), p.ra)
        });
        Ok(())
    }
}
