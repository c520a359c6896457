//! Frames without mass at which only line forces meet.

use crate::assembly::element;
use crate::compile::structure::{FrameEnd, Freedom, Pose};
use crate::component::Contribution;
use crate::error::Error;
use crate::start::{Start, StateSelect, guess};
use crate::vector::{X, Y, Z};

/// After all parts: a node is held by itself only if no part is connected to it.
const NODE: usize = 2;

/// Which ends of a line force have the axes of the world if nothing else holds them; where the
/// search for their positions begins, in m.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Nodes {
    /// `frame_a`.
    pub a: Option<[f64; 3]>,
    /// `frame_b`.
    pub b: Option<[f64; 3]>,
}

impl Nodes {
    /// States the freedoms of the ends.
    pub fn join(&self, c: &mut Contribution<'_>, ends: [FrameEnd; 2]) -> Result<(), Error> {
        let both = [(self.a, "frame_a"), (self.b, "frame_b")];
        for ((start, name), end) in both.into_iter().zip(ends) {
            let Some(start) = start else { continue };
            let world = c.ground(Pose::identity());
            let mut slides = Vec::new();
            for (k, axis) in [X, Y, Z].into_iter().enumerate() {
                let local = element(&format!("{name}.r_0"), k + 1);
                c.finite(local, start[k], "m")?;
                let text = "Position vector from world frame to the frame, resolved in world frame";
                let start = guess(start[k]);
                let r_0 = c.named_candidate(local, "m", text, start);
                let local = element(&format!("{name}.v_0"), k + 1);
                let text = "Absolute velocity of the frame, resolved in world frame";
                let v_0 = c.named_candidate(local, "m/s", text, Start::default());
                slides.push(c.coordinate(Freedom::Slide, axis, [r_0, v_0], StateSelect::Avoid));
            }
            c.optional_joint(world, end, &slides, Some(NODE));
        }
        Ok(())
    }
}

/// The methods that make nodes of the ends of a line force, kept in its field `nodes`.
macro_rules! node_setters {
    ($Component:ident) => {
        impl $Component {
            /// Gives `frame_a` the axes of the world if no part holds it: its position follows from
            /// the balance of forces, searched from `r_0` in m.
            #[must_use]
            pub fn fixed_rotation_at_frame_a(mut self, r_0: [f64; 3]) -> Self {
                self.nodes.a = Some(r_0);
                self
            }

            /// The same for `frame_b`.
            #[must_use]
            pub fn fixed_rotation_at_frame_b(mut self, r_0: [f64; 3]) -> Self {
                self.nodes.b = Some(r_0);
                self
            }
        }
    };
}
pub(super) use node_setters;
