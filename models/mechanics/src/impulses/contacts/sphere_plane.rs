//! A sphere that hits a plane.

use super::collision::{Collision, CollisionPorts, collision_setters};
use super::face::Face;
use crate::compile::contact::Geometry;
use crate::compile::structure::Pose;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::setters;
use crate::vector::{Vector, Y, constant, dot, norm, scale};
use equations::{Ex, Limits};

/// Contact between a sphere and a plane.
///
/// # Equations
/// `frame_a` is in the centre of the sphere, `frame_b` on the plane. With the unit normal `N` of
/// the plane: `gap = N (frame_a.r_0 - frame_b.r_0) - ra`. At an impact `v_n+ = -elasticity v_n-`,
/// and the friction impulse along the plane is at most `mu_R` times the one along the normal: it
/// stops the sliding or is opposite to it. A closed contact keeps its gap with a force `f_n >= 0`;
/// it sticks with a friction force of at most `mu_R f_n` or slides against one of this size. With a
/// face that has edges, `gap` is the distance of the sphere's centre from the closest point of the
/// face, less `ra`, and the normal points from there to the centre: beyond an edge the sphere
/// touches the edge.
///
/// # Variables
/// `ra` in m, default 1; `Nb` without unit, default `{0, 1, 0}`: normal out of the plane in the
/// axes of `frame_b`; `length`, `width` or `radius` of the face in m; `elasticity`, `mu_R`
/// without unit, `v_small` in m/s; with friction in stages `contactDuration` in s, `s_small` in
/// m/s. `gap` in m, `v_n` in m/s, `closed`, `f_n` in N, with friction also `f` in N, `mode` and
/// `lossPower` in W; `impacts`, `impulse` in N.s (and along tangents `impulse_t`): how many
/// impacts there were, and what the last one was.
///
/// # Events
/// The impact; the sphere passes an edge; a closed contact opens, breaks loose, sticks.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Contacts.CollisionSpherePlane, which has no closed contact
/// and another friction: see `rests` and `staged_friction`. It does not normalise `Nb` in the gap,
/// and lets the impulse act at the origin of `frame_b`.
#[derive(Clone, Debug)]
pub struct CollisionSpherePlane {
    ra: f64,
    normal: [f64; 3],
    face: Face,
    collision: Collision,
}

impl Default for CollisionSpherePlane {
    fn default() -> Self {
        CollisionSpherePlane::ra(1.0)
    }
}

impl CollisionSpherePlane {
    /// Of a sphere with radius `ra` in m.
    pub fn ra(ra: f64) -> Self {
        CollisionSpherePlane { ra, normal: Y, face: Face::plane(), collision: Collision::default() }
    }
}

setters! {
    impl CollisionSpherePlane {
        /// Normal out of the plane, in the axes of `frame_b`.
        normal: [f64; 3],
        /// How far the plane reaches, without end unless set. A face with edges is one of a thin
        /// plate: it can be touched from both sides and at its edges, by a sphere with a radius.
        face: Face,
    }
}

collision_setters!(CollisionSpherePlane);

impl OldComponent for CollisionSpherePlane {
    type Ports = CollisionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let ends = [c.frame("frame_a"), c.frame("frame_b")];
        let text = "Radius of the sphere";
        let limits = if self.face.has_edges() { Limits::POSITIVE } else { Limits::NOT_NEGATIVE };
        let ra: Ex = c.limited("ra", self.ra, "m", text, limits)?.into();
        let normal = c.axis("Nb", self.normal, "Normal out of the plane resolved in frame_b")?;
        let law = self.collision.declare(c)?;
        let Some(edges) = self.face.declare(c, normal)? else {
            c.contact(ends, law, move |[a, b]| {
                let n = b.t.transpose() * constant(normal);
                let between = a.r - b.r;
                let height = dot(&n, &between);
                let of_a = scale(&n, -ra);
                let arms = [of_a, between + of_a];
                Geometry { gap: height - ra, normal: n, arms }
            });
            return Ok(());
        };
        let inside = {
            let edges = edges.clone();
            move |[a, b]: [&Pose; 2]| edges.inside(&seen_from(a, b))
        };
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
