//! Nodes: massless frames to which only line forces are connected.

use mechanics::assembly::element;
use mechanics::component::{Contribution, joint_priority};
use mechanics::start::{Start, StateSelect, guess};
use mechanics::statements::contributions::multibody::CoordinateType;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::statements::spatial::pose::Pose;
use mechanics::vector::{X, Y, Z};

/// Makes the frame `name` a node: an end of a line force to which no part may be connected. It then
/// has the axes of the world and three coordinates, and `guess_r_0` is the guess of its position.
pub(super) fn join(c: &mut Contribution<'_>, name: &str, end: FrameEnd, guess_r_0: [f64; 3]) {
    let world = c.ground(Pose::identity());
    let mut slides = Vec::new();
    for (k, axis) in [X, Y, Z].into_iter().enumerate() {
        let local = element(&format!("{name}.r_0"), k + 1);
        let r_0 = c.named_start_variable(local, "m", guess(guess_r_0[k]));
        let local = element(&format!("{name}.v_0"), k + 1);
        let v_0 = c.named_start_variable(local, "m/s", Start::default());
        slides.push(c.coordinate(CoordinateType::Prismatic, axis, [r_0, v_0], StateSelect::Avoid));
    }
    c.optional_joint(world, end, &slides, Some(joint_priority::NODE));
}
