//! A sphere that hits a plane.

use super::collision::{Collision, collision};
use super::face::{Face, face};
use crate::compile::contact::Geometry;
use crate::compile::spatial::pose::Pose;
use crate::declaration::prelude::*;
use crate::vector::{Vector, constant, dot, norm, scale};

component! {
    /// Contact between a sphere and a plane.
    ///
    /// # Equations
    /// `frame_a` is in the centre of the sphere, `frame_b` on the plane. With the unit normal `N`
    /// of the plane: `gap = N (frame_a.r_0 - frame_b.r_0) - ra`. At an impact `v_n+ = -elasticity
    /// v_n-`, and the friction impulse along the plane is at most `mu_R` times the one along the
    /// normal: it stops the sliding or is opposite to it. A closed contact keeps its gap with a
    /// force `f_n >= 0`; it sticks with a friction force of at most `mu_R f_n` or slides against
    /// one of this size.
    ///
    /// The plane is without end, unless it is a face with edges: a half plane (`towards`), a strip
    /// (`along`, `width`), a rectangle (`along`, `length`, `width`) or a disc (`radius`). That is
    /// one of a thin plate, which a sphere with a radius can touch from both sides and at its
    /// edges: `gap` is the distance of the sphere's centre from the closest point of the face, less
    /// `ra`, and the normal points from there to the centre.
    ///
    /// The source has no closed contact and another friction: see `rests` and `delayed_friction`.
    /// It does not normalize `Nb` in the gap, and lets the impulse act at the origin of `frame_b`.
    ///
    /// # Events
    /// The impact; the sphere passes an edge; a closed contact opens, breaks loose, sticks.
    pub struct CollisionSpherePlane
        = "MultiBondLib.Mechanics3DwithImpulses.Contacts.CollisionSpherePlane"
    {
        /// Radius of the sphere
        ra: Real["m", >= 0, fixed] = 1,
        /// Normal out of the plane resolved in frame_b
        normal "Nb": Axis["1"] = Y,
        ..collision: collision,
        ..face: face,
    }
}

impl Component for CollisionSpherePlane {
    fn contribute(
        p: CollisionSpherePlaneParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        let ends = [c.frame("frame_a"), c.frame("frame_b")];
        let (ra, law) = (p.ra, p.collision.law(c)?);
        let Some(edges) = p.face.edges(c, p.normal)? else {
            c.contact(ends, law, move |[a, b]| {
                let n = b.t.transpose() * constant(p.normal);
                let between = a.r - b.r;
                let height = dot(&n, &between);
                let of_a = scale(&n, -ra);
                let arms = [of_a, between + of_a];
                Geometry { gap: height - ra, normal: n, arms }
            });
            return Ok(());
        };
        // A point has no distance from an edge that it touches.
        c.require(&["ra"], ra.gt(0.0), "must be positive where the face has edges")?;
        let of = edges.clone();
        let inside = move |[a, b]: [&Pose; 2]| of.inside(&seen_from(a, b));
        c.bordered_contact(ends, law, inside, move |[a, b], within| {
            sphere_geometry([a, b], &edges.to(&seen_from(a, b), within), ra)
        });
        Ok(())
    }
}

/// From the origin of frame `b` to that of frame `a`, resolved in `b`.
pub(super) fn seen_from(a: &Pose, b: &Pose) -> Vector {
    b.t * (a.r - b.r)
}

/// The geometry of a sphere in frame `a`; `to` points from the closest point of what it may hit to
/// its centre, resolved in `b`.
pub(super) fn sphere_geometry([a, b]: [&Pose; 2], to: &Vector, ra: Ex) -> Geometry {
    let distance = norm(to);
    let normal = b.t.transpose() * scale(to, 1.0 / distance);
    let of_a = scale(&normal, -ra);
    Geometry { gap: distance - ra, normal, arms: [of_a, a.r - b.r + of_a] }
}
