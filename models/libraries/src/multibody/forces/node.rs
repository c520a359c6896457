//! Nodes: massless frames to which only line forces are connected.

use mechanics::assembly::element;
use mechanics::component::{Contribution, joint_priority};
use mechanics::declaration::{Parameter, Setting};
use mechanics::error::Error;
use mechanics::start::{Start, StateSelect, guess};
use mechanics::statements::contributions::multibody::CoordinateType;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::statements::spatial::pose::Pose;
use mechanics::vector::{X, Y, Z};

/// An end of a line force to which no part may be connected. It then has the axes of the world, and
/// the value is the guess of its position in m.
#[derive(Clone, Copy, Debug)]
pub struct Node([f64; 3]);

impl<T: Into<f64>> From<[T; 3]> for Node {
    fn from(r_0: [T; 3]) -> Self {
        Node(r_0.map(Into::into))
    }
}

impl Setting for Node {
    type Declared = Self;

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<Self, Error> {
        for (i, &r) in self.0.iter().enumerate() {
            c.finite(element(of.name, i + 1), r, of.unit)?;
        }
        Ok(self)
    }
}

impl Node {
    /// States the coordinates of the frame `name`.
    pub(super) fn join(self, c: &mut Contribution<'_>, name: &str, end: FrameEnd) {
        let world = c.ground(Pose::identity());
        let mut slides = Vec::new();
        for (k, axis) in [X, Y, Z].into_iter().enumerate() {
            let local = element(&format!("{name}.r_0"), k + 1);
            let r_0 = c.named_start_variable(local, "m", guess(self.0[k]));
            let local = element(&format!("{name}.v_0"), k + 1);
            let v_0 = c.named_start_variable(local, "m/s", Start::default());
            slides.push(c.coordinate(
                CoordinateType::Prismatic,
                axis,
                [r_0, v_0],
                StateSelect::Avoid,
            ));
        }
        c.optional_joint(world, end, &slides, Some(joint_priority::NODE));
    }
}
