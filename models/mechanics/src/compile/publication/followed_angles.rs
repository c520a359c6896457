//! The angles of an orientation that a quaternion describes, for components that ask for them.
//!
//! Of all angles of the orientation those are published that follow from the angles before. Where
//! the first and the last axis are parallel, only the sum or the difference of the first and the
//! last angle is determined. The part of the last axis that is perpendicular to the first one is
//! zero there: it is a point of a plane, which the first angle and a signed radius describe. A path
//! near the origin of this plane passes through the origin: the radius changes its sign. On other
//! paths, the angle turns.
//!
//! Both are told apart by the straight line from the last point that was far enough from the
//! origin, so that they do not depend on the steps.

use super::motion_variables::declare;
use crate::compile::states::initial::Role;
use crate::compile::states::motion_basis::MotionBasis;
use crate::compile::topology::Topology;
use crate::orientation::{planar_rotation_angle, turns_quaternion, turns_rotation};
use crate::statements::algebra::turns::nearest_turn;
use crate::statements::contributions::multibody::{Joint, QuaternionOrientation};
use crate::statements::laws::signal_view::SignalView;
use crate::vector::{Matrix, Vector, constant, cross, dot, planar_rotation};
use equations::{Anchor, BlockKind, Bool, ClosedFormBlock, Ex, Model, Slopes, select};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The radius within which the first angle does not follow from the one before.
const NEAR: f64 = 0.01;

/// The radius below which the first angle stays as it is, and the rates are limited.
const PARALLEL: f64 = 1e-6;

/// The turn in rad between accepted points within which angles are known to be the nearest ones.
const LARGEST_TURN: f64 = 0.8;

/// Replaces the start values of quaternions by those of angles.
pub fn start(topology: &Topology, model: &mut Model) {
    let mut by = Vec::new();
    for (_, orientation) in start_from_angles(topology) {
        let angles = orientation.turns.each_ref().map(|turn| turn.angle.slot);
        let quaternion = turns_quaternion(orientation.axes(), &angles);
        by.extend(orientation.quaternion.iter().map(|own| own.slot).zip(quaternion));
    }
    if !by.is_empty() {
        model.substitute(&by);
    }
}

/// Publishes the angles and their derivatives.
pub fn publish(basis: MotionBasis<'_>, e: &mut SignalView<'_>) {
    let topology = basis.topology;
    for (joint, orientation) in start_from_angles(topology) {
        let [a, b] = [joint.a, joint.b].map(|end| (e.pose(end).t, e.velocity(end).w));
        let rotation = b.0 * a.0.transpose();
        let w = b.1 - rotation * a.1;
        let axes = orientation.axes();
        e.component = joint.component;
        let slots = orientation.turns.each_ref().map(|turn| turn.angle.slot);
        let name = e.full(orientation.turns[0].angle.local);
        let angles = follow(e.model, name.trim_end_matches("[1]"), (axes, &rotation), &slots);
        let rates = rates(axes, &angles, &w);
        let role = role(basis, joint, orientation);
        for (turn, (angle, rate)) in orientation.turns.iter().zip(angles.into_iter().zip(rates)) {
            let (variable, speed) = (&turn.angle, &turn.speed);
            e.define(variable.local, angle);
            e.define(speed.local, rate);
            declare(e, variable, angle, role);
            declare(e, speed, rate, Role::Unused);
        }
    }
}

/// The joints whose orientations start from angles, but are not described by them.
fn start_from_angles(
    topology: &Topology,
) -> impl Iterator<Item = (&Joint, &QuaternionOrientation)> {
    let in_tree = topology.loops.symbols.orientations().iter().map(|own| own.joint);
    let all = in_tree.chain(topology.tree.cuts.iter().copied()).filter_map(|joint| {
        let joint = &topology.structure.multibody.joints[joint];
        Some((joint, joint.orientation.as_ref()?))
    });
    all.filter(|(_, orientation)| orientation.starts_from_angles)
}

/// How the start values of the angles count.
fn role(basis: MotionBasis<'_>, joint: &Joint, orientation: &QuaternionOrientation) -> Role {
    let MotionBasis { topology, initial, .. } = basis;
    if orientation.quaternion[0].start.fixed {
        return Role::Known;
    }
    let variables = joint.coordinates.last(3).iter();
    let variables = variables.map(|c| topology.variables.numbering.coordinate(c));
    let turns: Option<Vec<Ex>> = variables.map(|v| initial.q.get(&v).copied()).collect();
    match turns {
        Some(turns) if turns.iter().all(|turn| turn.is_constant_zero()) => Role::Known,
        Some(_) => Role::Guess,
        None => Role::Unused,
    }
}

/// Three angles, with the point from which the first one follows.
#[derive(Clone, Copy)]
struct Followed {
    angles: [Ex; 3],
    /// The first angle and the radius where this was large enough for the last time.
    reference: [Ex; 2],
}

impl Followed {
    fn stored(&self) -> Vec<Ex> {
        [&self.angles[..], &self.reference].concat()
    }

    fn of(stored: &[Ex]) -> Self {
        let at = |k: usize| stored[k];
        Followed { angles: [at(0), at(1), at(2)], reference: [at(3), at(4)] }
    }

    /// Angles about these axes that follow from no others.
    fn first(axes: [[f64; 3]; 3], angles: &[Ex; 3]) -> Self {
        let point = Point::of(axes, &turns_rotation(axes, angles));
        Followed { angles: *angles, reference: [angles[0], point.turned_back(angles[0])[0]] }
    }

    /// The angles of another orientation, which follow from these.
    fn to(&self, axes: [[f64; 3]; 3], rotation: &Matrix) -> Self {
        let [_, second, third] = axes.map(constant);
        let point = Point::of(axes, rotation);
        let [from, radius] = self.reference;
        let side = select(radius.lt(0.0), -1.0, 1.0);
        let [along, across] = point.turned_back(from);
        // The line from the reference, at the distance of its radius, to this point.
        let length_square = (along - radius).square() + across.square();
        let passes = (radius * across).square().lt(length_square * (NEAR * FRAC_1_SQRT_2).powi(2));
        let side = select((along * side).lt(0.0) & passes, -side, side);
        let parallel = point.square().lt(PARALLEL * PARALLEL);
        let first = from + select(parallel, 0.0, (across * side).atan2(along * side));
        let t_1 = planar_rotation(axes[0], first);
        let raw_second = planar_rotation_angle(&second, &(t_1 * point.last), &third);
        let before = t_1.transpose() * second;
        let raw_last = planar_rotation_angle(&third, &second, &(rotation * before));
        // Near the origin, the last angle turns back what the first one turns.
        let expected = self.angles[2] - point.height * (first - self.angles[0]);
        let angles = [
            first,
            nearest_turn(raw_second, 2.0 * PI, self.angles[1]),
            nearest_turn(raw_last, 2.0 * PI, expected),
        ];
        let (now, far) = (point.turned_back(first)[0], point.square().gt(NEAR * NEAR));
        let reference = [select(far, first, from), select(far, now, radius)];
        Followed { angles, reference }
    }
}

/// The last axis in the frame that is not turned.
struct Point {
    last: Vector,
    /// Its parts along the second axis, and perpendicular to the first and the second one.
    parts: [Ex; 2],
    /// Its part along the first axis.
    height: Ex,
}

impl Point {
    fn of(axes: [[f64; 3]; 3], rotation: &Matrix) -> Self {
        let [first, second, third] = axes.map(constant);
        let last = rotation.transpose() * third;
        let parts = [dot(&second, &last), dot(&cross(&first, &second), &last)];
        Point { last, parts, height: dot(&first, &last) }
    }

    fn square(&self) -> Ex {
        self.parts[0].square() + self.parts[1].square()
    }

    /// The point in axes of which the first one points to where the first angle is `angle`.
    fn turned_back(&self, angle: Ex) -> [Ex; 2] {
        let ((sine, cosine), [a, b]) = (angle.sin_cos(), self.parts);
        [a * sine - b * cosine, a * cosine + b * sine]
    }
}

/// The angles of a rotation about these axes that follow from those at the last accepted point, and
/// from `slots` at the start.
fn follow(
    model: &mut Model,
    name: &str,
    (axes, rotation): ([[f64; 3]; 3], &Matrix),
    slots: &[Ex; 3],
) -> [Ex; 3] {
    let start = Followed::first(axes, slots).to(axes, rotation);
    let (mut found, mut last_sign) = (start.angles, Ex::zero());
    let solve = |anchor: &Anchor| {
        let last = Followed::of(&anchor.solution);
        let now = last.to(axes, rotation);
        (found, last_sign) = (now.angles, anchor.sign);
        let turned = *rotation * turns_rotation(axes, &last.angles).transpose();
        let near = (turned.trace() - 1.0).ge(2.0 * LARGEST_TURN.cos());
        let slopes = Slopes { determinant: Ex::one(), by_other: Vec::new() };
        let regular: Bool = near | anchor.determinant.le(0.0);
        ClosedFormBlock { stored: now.stored(), regular, slopes }
    };
    let initial = start.stored();
    let initial = (&initial[..], Ex::one());
    let sign =
        model.closed_form_block((BlockKind::Loop, name), initial.0.len(), initial, &[], solve);
    let unknown = !last_sign.equals(0.0) & sign.equals(0.0);
    found.map(|angle| select(unknown, 0.0, angle))
}

/// The derivatives of angles about these axes, for an angular velocity in the turned frame.
fn rates(axes: [[f64; 3]; 3], angles: &[Ex; 3], w: &Vector) -> [Ex; 3] {
    let [first, second, third] = axes.map(constant);
    let t_3 = planar_rotation(axes[2], angles[2]);
    let (second, first) = (t_3 * second, t_3 * planar_rotation(axes[1], angles[1]) * first);
    let across = cross(&third, &second);
    let radius = dot(&first, &across);
    let rate = dot(w, &across) * radius / radius.square().max(PARALLEL * PARALLEL);
    [rate, dot(w, &second), dot(w, &third) - dot(&first, &third) * rate]
}
