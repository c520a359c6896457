//! Poses, velocities and accelerations of links, along the tree.

use super::structure::{Pose, Primitive, Structure, Twist};
use super::tree::{Parent, Place, Tree};
use crate::vector::{Matrix, Vector, constant, cross, identity, planar_rotation, scale, zero};
use equations::Ex;

/// What is known of a coordinate: its value and rates.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// Value, in rad or m.
    pub q: Ex,
    /// Derivative.
    pub v: Ex,
    /// Second derivative (or the part of it that is wanted).
    pub a: Ex,
}

/// A primitive as seen from the parent: its axis, and the sign of its coordinate.
fn seen(primitive: &Primitive, reversed: bool) -> (Vector, [f64; 3]) {
    let axis = if reversed { primitive.axis.map(|c| 0.0 - c) } else { primitive.axis };
    (constant(axis), axis)
}

/// The pose of the child frame in the parent frame of a primitive.
fn primitive_pose(primitive: &Primitive, reversed: bool, q: Ex) -> Pose {
    let (e, axis) = seen(primitive, reversed);
    if primitive.turns {
        Pose { r: zero(), t: planar_rotation(axis, q) }
    } else {
        Pose { r: scale(&e, q), t: identity() }
    }
}

/// The acceleration of a frame with constant pose on a link; accelerations in local axes.
pub fn acceleration_at(velocity: &Twist, acceleration: &Twist, pose: &Pose) -> Twist {
    let (w, r) = (&velocity.w, &pose.r);
    let a = acceleration.v + cross(&acceleration.w, r) + cross(w, &cross(w, r));
    Twist { w: pose.t * acceleration.w, v: pose.t * a }
}

/// Poses of all links in the world; `q` gives the coordinate of a joint.
pub fn poses(structure: &Structure, tree: &Tree, q: impl Fn(usize) -> Ex) -> Vec<Pose> {
    let mut poses = Vec::<Pose>::with_capacity(tree.parents.len());
    for parent in &tree.parents {
        let pose = match parent {
            Parent::World => Pose::identity(),
            Parent::Joint { joint, reversed, link, pose } => {
                let at = poses[*link].then(pose);
                match &structure.joints[*joint].primitive {
                    Some(primitive) => at.then(&primitive_pose(primitive, *reversed, q(*joint))),
                    None => at,
                }
            }
            Parent::Rod { rod } => {
                let rod = &structure.rods[*rod];
                let a = place_pose(tree, &poses, rod.a.node);
                let b = place_pose(tree, &poses, rod.b.node);
                Pose { r: a.r, t: (rod.orientation)(&a, &b) * a.t }
            }
        };
        poses.push(pose);
    }
    poses
}

fn place_pose(tree: &Tree, poses: &[Pose], node: usize) -> Pose {
    let Place { link, pose } = &tree.places[&node];
    poses[*link].then(pose)
}

/// The pose of a node in the world.
pub fn node_pose(tree: &Tree, poses: &[Pose], node: usize) -> Pose {
    place_pose(tree, poses, node)
}

/// Velocities of all links, in their own axes, for given speeds of the coordinates.
///
/// Linear in the speeds: with one speed set to 1 it gives the partial velocities.
pub fn velocities(
    structure: &Structure,
    tree: &Tree,
    poses: &[Pose],
    rate: impl Fn(usize) -> (Ex, Ex),
) -> Vec<Twist> {
    let mut twists = Vec::<Twist>::with_capacity(tree.parents.len());
    for parent in &tree.parents {
        let twist = match parent {
            Parent::World => Twist::zero(),
            Parent::Joint { joint, reversed, link, pose } => {
                let at = twists[*link].at(pose);
                match &structure.joints[*joint].primitive {
                    Some(primitive) => velocity_across(primitive, *reversed, &at, rate(*joint)),
                    None => at,
                }
            }
            Parent::Rod { rod } => {
                let rod = &structure.rods[*rod];
                let (a, b) = (tree.places[&rod.a.node], tree.places[&rod.b.node]);
                let (pa, pb) = (poses[a.link].then(&a.pose), poses[b.link].then(&b.pose));
                let (va, vb) = (twists[a.link].at(&a.pose), twists[b.link].at(&b.pose));
                let w = (rod.angular_velocity)([&pa, &pb], [&va, &vb]);
                Twist { w, v: (rod.orientation)(&pa, &pb) * va.v }
            }
        };
        twists.push(twist);
    }
    twists
}

fn velocity_across(p: &Primitive, reversed: bool, at: &Twist, (q, v): (Ex, Ex)) -> Twist {
    let (e, axis) = seen(p, reversed);
    if p.turns {
        let t = planar_rotation(axis, q);
        Twist { w: t * at.w + scale(&e, v), v: t * at.v }
    } else {
        Twist { w: at.w, v: at.v + cross(&at.w, &scale(&e, q)) + scale(&e, v) }
    }
}

/// Accelerations of all links in their own axes, with gravity as an upward acceleration of the
/// world; `rod` gives the angular acceleration of a rod from its velocity.
pub fn accelerations(
    structure: &Structure,
    tree: &Tree,
    velocities: &[Twist],
    gravity: &Vector,
    rate: impl Fn(usize) -> Rate,
    mut rod: impl FnMut(usize) -> (Matrix, Vector),
) -> Vec<Twist> {
    let mut all = Vec::<Twist>::with_capacity(tree.parents.len());
    for parent in &tree.parents {
        let acceleration = match parent {
            Parent::World => Twist { w: zero(), v: -gravity },
            Parent::Joint { joint, reversed, link, pose } => {
                let velocity = velocities[*link].at(pose);
                let at = acceleration_at(&velocities[*link], &all[*link], pose);
                match &structure.joints[*joint].primitive {
                    Some(p) => acceleration_across(p, *reversed, &velocity, &at, rate(*joint)),
                    None => at,
                }
            }
            Parent::Rod { rod: index } => {
                let a = tree.places[&structure.rods[*index].a.node];
                let at = acceleration_at(&velocities[a.link], &all[a.link], &a.pose);
                let (t, z) = rod(*index);
                Twist { w: z, v: t * at.v }
            }
        };
        all.push(acceleration);
    }
    all
}

fn acceleration_across(
    p: &Primitive,
    reversed: bool,
    velocity: &Twist,
    at: &Twist,
    rate: Rate,
) -> Twist {
    let (e, axis) = seen(p, reversed);
    if p.turns {
        let t = planar_rotation(axis, rate.q);
        let coriolis = cross(&(t * velocity.w), &scale(&e, rate.v));
        Twist { w: t * at.w + coriolis + scale(&e, rate.a), v: t * at.v }
    } else {
        let (r, w) = (scale(&e, rate.q), &velocity.w);
        let coriolis = cross(w, &scale(&e, rate.v)) * Ex::from(2.0);
        let centripetal = cross(w, &cross(w, &r));
        let v = at.v + cross(&at.w, &r) + centripetal + coriolis + scale(&e, rate.a);
        Twist { w: at.w, v }
    }
}
