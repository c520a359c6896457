//! The rotation of joints that also slide.

use super::turn;
use mechanics::component::CoordinateId;
use mechanics::declaration::{group, prelude::*};

group! {
    /// A rotation of `frame_b` about `n`.
    pub struct Rotation(rotation) {
        /// Start value of the angle
        phi: Start["rad"] = free(),
        /// Start value of the angular velocity
        w: Start["rad/s"] = free(),
        /// Initial angular acceleration; used only if it is fixed
        wd: Start["rad/s2"] = free(),
    }
    variables {
        /// Rotation angle from frame_a to frame_b about n
        phi: Real["rad"],
        /// First derivative of angle phi
        w: Real["rad/s"],
        /// Second derivative of angle phi
        wd: Real["rad/s2"],
    }
}

impl Rotation {
    /// The coordinate of the rotation.
    pub(super) fn about(
        self,
        n: [f64; 3],
        states: StateSelect,
        c: &mut Contribution<'_>,
    ) -> CoordinateId {
        turn(c, n, ["phi", "w", "wd"], [self.phi, self.w, self.wd], states)
    }
}
