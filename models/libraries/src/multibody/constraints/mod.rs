//! Constraints between frames: joints of which each translation can be released.
//!
//! A constraint is a joint like any other one. Its free motions are its coordinates: translations
//! along the released axes of `frame_a`, then rotations. In an open chain they may be states, so
//! that constraints cannot drift; in a loop the constraint gives equations.

mod prismatic;
mod revolute;
mod spherical;
mod universal;

pub use prismatic::*;
pub use revolute::*;
pub use spherical::*;
pub use universal::*;

use super::joints::slide;
use mechanics::assembly::element;
use mechanics::component::CoordinateId;
use mechanics::declaration::{group, prelude::*};

group! {
    /// Which translations along the axes of `frame_a` are locked.
    pub struct Locked(locked) {
        /// Whether the translation along the x-axis of frame_a is locked
        x_locked: bool = true,
        /// Whether the translation along the y-axis of frame_a is locked
        y_locked: bool = true,
        /// Whether the translation along the z-axis of frame_a is locked
        z_locked: bool = true,
    }
    ports {
        /// Frame on the first side
        frame_a: Frame,
        /// Frame on the second side
        frame_b: Frame,
    }
    variables {
        /// Distance between frame_a and frame_b along a released axis of frame_a
        s?: Vector["m"],
        /// First derivative of s
        v?: Vector["m/s"],
        /// Second derivative of s
        a?: Vector["m/s2"],
    }
}

impl Locked {
    /// The translations along the axes that are not locked.
    fn slides(&self, c: &mut Contribution<'_>) -> Vec<CoordinateId> {
        let axes = [(self.x_locked, X), (self.y_locked, Y), (self.z_locked, Z)];
        let released = (1..).zip(axes).filter(|(_, (locked, _))| !locked);
        released
            .map(|(k, (_, axis))| {
                let names = ["s", "v", "a"].map(|name| element(name, k));
                slide(c, axis, names, [free(); 3], StateSelect::Default)
            })
            .collect()
    }
}
