//! The rows of a contact: its geometry, and the relative velocities of its points of contact.

use crate::statements::laws::signal_view::SignalView;
use crate::statements::motion::coordinates::Motion;
use crate::statements::motion::ends::FrameEnd;
use crate::statements::motion::rates_along::{End, rates_along};
use crate::statements::spatial::pose::{Pose, Twist};
use crate::vector::{Vector, X, Y, constant, cross, dot, normalize, scale};
use equations::{Ex, select};
use std::rc::Rc;

/// How far frames are from touching, and where and in which direction they do.
#[derive(Clone, Copy, Debug)]
pub struct Geometry {
    /// The gap in m; its derivative is the speed of the first frame's point of contact relative to
    /// the second one's along the normal.
    pub gap: Ex,
    /// Unit vector in world axes that points from the second frame's surface to the first one's.
    pub normal: Vector,
    /// From the origin of each frame to the point of contact in m, in world axes; the same point
    /// for both, so that impulses keep the angular momentum.
    pub arms: [Vector; 2],
}

/// The geometry of a contact as a function of the poses of its two frames.
pub type ContactGeometryLaw = Rc<dyn Fn([&Pose; 2]) -> Geometry>;

/// The rows of a contact: along the normal, then along two tangents.
#[derive(Clone, Debug)]
pub struct ContactRows {
    /// Relative motions of the points of contact; the position is the gap, or means nothing.
    pub motions: Vec<Motion>,
    /// The directions of the rows in world axes.
    pub directions: Vec<Vector>,
    /// The present geometry.
    pub geometry: Geometry,
}

impl ContactRows {
    /// The rows of a contact between two frames.
    pub fn new(
        e: &SignalView<'_>,
        ends: [FrameEnd; 2],
        shape: &ContactGeometryLaw,
        tangents: bool,
    ) -> ContactRows {
        let at = ends.map(|end| End {
            pose: e.pose(end),
            velocity: e.velocity(end),
            acceleration: e.bias_acceleration(end),
        });
        let poses = [&at[0].pose, &at[1].pose];
        let speeds = |poses: [&Pose; 2], velocities: [&Twist; 2]| -> Vec<Ex> {
            let geometry = shape(poses);
            let points = [0, 1].map(|k| point_velocity(poses[k], velocities[k], &geometry.arms[k]));
            let relative = points[0] - points[1];
            directions(&geometry.normal, tangents).iter().map(|d| dot(d, &relative)).collect()
        };
        let (values, rates) = rates_along(&at, speeds);
        let geometry = shape(poses);
        let rows = values.into_iter().zip(rates).enumerate();
        let mut motions: Vec<Motion> = rows
            .map(|(k, (v, bias))| {
                let q = if k == 0 { geometry.gap } else { Ex::zero() };
                Motion::prescribed([q, v, bias])
            })
            .collect();
        for variable in e.frames().moving(&ends) {
            let partials = ends.map(|end| e.frames().partial(end, variable));
            for (motion, partial) in
                motions.iter_mut().zip(speeds(poses, [&partials[0], &partials[1]]))
            {
                if !partial.is_constant_zero() {
                    motion.partials.insert(variable, partial);
                }
            }
        }
        let directions = directions(&geometry.normal, tangents);
        ContactRows { motions, directions, geometry }
    }

    /// The speeds along the rows.
    pub fn speeds(&self) -> Vec<Ex> {
        self.motions.iter().map(|motion| motion.v).collect()
    }

    /// A vector in world axes from its components along the rows.
    pub fn vector(&self, components: &[Ex]) -> Vector {
        let terms = self.directions.iter().zip(components).map(|(d, &c)| scale(d, c));
        terms.reduce(|a, b| a + b).unwrap_or_else(crate::vector::zero)
    }
}

/// The velocity in world axes of a point that moves with a frame.
fn point_velocity(pose: &Pose, velocity: &Twist, arm: &Vector) -> Vector {
    pose.t.transpose() * (velocity.v + cross(&velocity.w, &(pose.t * arm)))
}

/// The normal, and two tangents if they are requested.
fn directions(normal: &Vector, tangents: bool) -> Vec<Vector> {
    if !tangents {
        return vec![*normal];
    }
    let along_x = normal[0].abs().gt(0.8);
    let other = constant(X).zip_map(&constant(Y), |x, y| select(along_x, y, x));
    let first = normalize(&cross(normal, &other));
    vec![*normal, first, cross(normal, &first)]
}
