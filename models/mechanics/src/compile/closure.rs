//! What closes a loop: the residuals of cut joints and of constraints.

use super::kinematics::node_pose;
use super::structure::{FromStart, Joint, Pose, Primitive, Structure};
use super::tree::Tree;
use crate::vector::{Vector, constant, dot};
use equations::Ex;

/// One scalar closure equation.
#[derive(Clone)]
pub struct Row {
    /// The residual, scaled to m or rad.
    pub residual: Ex,
    /// The instance that closes the loop.
    pub name: String,
    /// The component that closes the loop.
    pub component: usize,
    /// A parameter chosen so that the row holds in the initial configuration, with the frames it
    /// is computed from.
    pub from_start: Option<(FromStart, Vec<usize>)>,
}

/// All closure equations for the given poses of the links.
pub fn rows(structure: &Structure, tree: &Tree, poses: &[Pose]) -> Vec<Row> {
    let mut rows = Vec::new();
    for &cut in &tree.cuts {
        let joint = &structure.joints[cut];
        let a = node_pose(tree, poses, joint.a.node);
        let b = node_pose(tree, poses, joint.b.node);
        for residual in joint_residuals(joint, &a, &b) {
            let (name, component) = (joint.name.clone(), joint.component);
            rows.push(Row { residual, name, component, from_start: None });
        }
    }
    for constraint in &structure.constraints {
        let nodes: Vec<usize> = constraint.frames.iter().map(|f| f.node).collect();
        let at: Vec<Pose> = nodes.iter().map(|&n| node_pose(tree, poses, n)).collect();
        for residual in (constraint.residual)(&at) {
            let (name, component) = (constraint.name.clone(), constraint.component);
            let from_start = constraint.from_start.clone().map(|f| (f, nodes.clone()));
            rows.push(Row { residual, name, component, from_start });
        }
    }
    rows
}

/// The pose of frame `b` in frame `a`, both given in the world.
pub fn relative(a: &Pose, b: &Pose) -> Pose {
    Pose { r: a.t * (b.r - a.r), t: b.t * a.t.transpose() }
}

/// Two unit axes that complete a unit axis to a right-handed triad `(e, x, y)`.
pub fn triad(e: [f64; 3]) -> (Vector, Vector) {
    let aux = if e[0].abs() > 0.1 {
        [0.0, 1.0, 0.0]
    } else if e[1].abs() > 0.1 {
        [0.0, 0.0, 1.0]
    } else {
        [1.0, 0.0, 0.0]
    };
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let y = crate::vector::unit_axis(cross(e, aux)).unwrap_or(crate::vector::Y);
    (constant(cross(y, e)), constant(y))
}

fn joint_residuals(joint: &Joint, a: &Pose, b: &Pose) -> Vec<Ex> {
    let pose = relative(a, b);
    let r = || pose.r.iter().copied().collect();
    let Some(primitive) = &joint.primitive else { return r() };
    let e = constant(primitive.axis);
    let (x, y) = triad(primitive.axis);
    if primitive.turns {
        let turned = pose.t * e;
        let mut rows: Vec<Ex> = r();
        rows.extend([dot(&x, &turned), dot(&y, &turned)]);
        rows
    } else {
        let half = |i: usize, j: usize| (pose.t[(i, j)] - pose.t[(j, i)]) * 0.5;
        vec![dot(&x, &pose.r), dot(&y, &pose.r), half(1, 2), half(2, 0), half(0, 1)]
    }
}

/// Positive where the frames of a joint that closes a loop are aligned as they must be: the
/// residuals also vanish with the axis turned round. `None` where orientation does not matter.
pub fn alignment(joint: &Joint, tree: &Tree, poses: &[Pose]) -> Option<Ex> {
    let primitive = joint.primitive.as_ref()?;
    let a = node_pose(tree, poses, joint.a.node);
    let b = node_pose(tree, poses, joint.b.node);
    let t = relative(&a, &b).t;
    Some(if primitive.turns {
        let e = constant(primitive.axis);
        dot(&e, &(t * e))
    } else {
        t.trace()
    })
}

/// The coordinate of a cut joint, measured between its frames.
pub fn measured(primitive: &Primitive, a: &Pose, b: &Pose) -> Ex {
    let pose = relative(a, b);
    if primitive.turns {
        let (x, y) = triad(primitive.axis);
        let turned = pose.t * x;
        (-dot(&y, &turned)).atan2(dot(&x, &turned))
    } else {
        dot(&constant(primitive.axis), &pose.r)
    }
}
