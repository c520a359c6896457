//! A sphere that collides with a plane.

use super::collision::{Collision, ball, collision};
use super::face::{Face, face, floor};
use mechanics::declaration::prelude::*;
use mechanics::statements::contact::Geometry;
use mechanics::statements::spatial::pose::Pose;
use mechanics::vector::{Vector, constant, dot, norm, scale};

component! {
    /// Contact between a sphere and a plane.
    ///
    /// It lets a ball bounce, slide and roll on a floor or a wall.
    ///
    /// # Equations
    /// `frame_a` is at the centre of the sphere, and `frame_b` is on the plane with the unit normal
    /// `N`. `gap = N (frame_a.r_0 - frame_b.r_0) - ra`. At an impact `v_n+ = -elasticity v_n-`, and
    /// the friction impulse along the plane is at most `mu_R` times the normal impulse: it either
    /// stops the sliding or is opposite to it. A closed contact keeps its gap with a force
    /// `f_n >= 0`. It sticks with a friction force of at most `mu_R f_n`, or it slides with a
    /// friction force of this magnitude against the motion.
    ///
    /// The plane is infinite, unless it is a face with edges: a half plane (`towards`), a strip
    /// (`along`, `width`), a rectangle (`along`, `length`, `width`) or a disc (`radius`). A face
    /// belongs to a thin plate, which a sphere with a radius can touch from both sides and at its
    /// edges. Then `gap` is the distance of the sphere's centre from the closest point of the face,
    /// minus `ra`, and the normal points from this point to the centre.
    ///
    /// MultiBondLib has no closed contact and a different friction: see `rests` and
    /// `delayed_friction`. It does not normalize `Nb` in the gap, and its impulse acts at the
    /// origin of `frame_b`.
    ///
    /// # Events
    /// The impact; the sphere passes an edge; a closed contact opens, starts to slide or sticks.
    pub struct CollisionSpherePlane
        = "MultiBondLib.Mechanics3DwithImpulses.Contacts.CollisionSpherePlane"
    {
        /// Radius of the sphere
        ra: Real["m", >= 0, fixed] = 1,
        /// Outward normal of the plane resolved in frame_b
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
        ball(c, "frame_a", p.ra);
        p.collision.arrow(c);
        let (ra, law) = (p.ra, p.collision.law(c)?);
        let edges = p.face.edges(c, p.normal)?;
        c.shape("frame_b", |nominal| match &edges {
            Some(edges) => edges.shape(nominal),
            None => floor(p.normal, nominal),
        });
        let Some(edges) = edges else {
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
        // The distance of a point from an edge that it touches is zero, which defines no normal.
        c.require(&["ra"], ra.gt(0.0), "must be positive where the face has edges")?;
        let of = edges.clone();
        let inside = move |[a, b]: [&Pose; 2]| of.inside(&seen_from(a, b));
        c.bordered_contact(ends, law, inside, move |[a, b], within| {
            sphere_geometry([a, b], &edges.to(&seen_from(a, b), within), ra)
        });
        Ok(())
    }
}

/// The vector from the origin of frame `b` to that of frame `a`, resolved in `b`.
pub(super) fn seen_from(a: &Pose, b: &Pose) -> Vector {
    b.t * (a.r - b.r)
}

/// The geometry of a sphere in frame `a`; `to` points from the closest point of the other surface
/// to the centre of the sphere, resolved in `b`.
pub(super) fn sphere_geometry([a, b]: [&Pose; 2], to: &Vector, ra: Ex) -> Geometry {
    let distance = norm(to);
    let normal = b.t.transpose() * scale(to, 1.0 / distance);
    let of_a = scale(&normal, -ra);
    Geometry { gap: distance - ra, normal, arms: [of_a, a.r - b.r + of_a] }
}
