//! Constraints between frames: joints of which each translation can be released.
//!
//! A constraint is a joint like any other. What it leaves free are its coordinates: slides along
//! the released axes of `frame_a`, then turns. In an open chain they may be states, so that nothing
//! can drift; in a loop the constraint gives equations.

mod prismatic;
mod revolute;
mod spherical;
mod universal;

pub use prismatic::{PrismaticConstraint, PrismaticConstraintPorts};
pub use revolute::{RevoluteConstraint, RevoluteConstraintPorts};
pub use spherical::{SphericalConstraint, SphericalConstraintPorts};
pub use universal::{UniversalConstraint, UniversalConstraintPorts};

use crate::compile::structure::Freedom;
use crate::component::{Contribution, CoordinateId, Starts};
use crate::domain::{Word, word};
use crate::start::StateSelect;
use crate::vector::{X, Y, Z};

const POSITION: &str = "Distance between frame_a and frame_b along a released axis of frame_a";
const VELOCITY: &str = "First derivative of s";
const ACCELERATION: &str = "Second derivative of s";

static SLIDES: [[Word; 3]; 3] = [
    [
        word("s[1]", "m", POSITION),
        word("v[1]", "m/s", VELOCITY),
        word("a[1]", "m/s2", ACCELERATION),
    ],
    [
        word("s[2]", "m", POSITION),
        word("v[2]", "m/s", VELOCITY),
        word("a[2]", "m/s2", ACCELERATION),
    ],
    [
        word("s[3]", "m", POSITION),
        word("v[3]", "m/s", VELOCITY),
        word("a[3]", "m/s2", ACCELERATION),
    ],
];

/// Which translations along the axes of `frame_a` are locked.
#[derive(Clone, Copy, Debug)]
struct Locked([bool; 3]);

impl Default for Locked {
    fn default() -> Self {
        Locked([true; 3])
    }
}

impl Locked {
    /// The slides along the axes that are not locked.
    fn slides(self, c: &mut Contribution<'_>) -> Vec<CoordinateId> {
        let free = (0..3).filter(|&k| !self.0[k]);
        free.map(|k| {
            let motion = c.candidates(SLIDES[k].each_ref(), Starts::default());
            c.coordinate(Freedom::Slide, [X, Y, Z][k], motion, StateSelect::Default)
        })
        .collect()
    }
}

/// The methods that release translations, kept in the field `locked`.
macro_rules! locked_setters {
    ($Component:ident) => {
        impl $Component {
            /// Whether the translation along the x-axis of `frame_a` is locked (default).
            #[must_use]
            pub fn x_locked(mut self, locked: bool) -> Self {
                self.locked.0[0] = locked;
                self
            }

            /// Whether the translation along the y-axis of `frame_a` is locked (default).
            #[must_use]
            pub fn y_locked(mut self, locked: bool) -> Self {
                self.locked.0[1] = locked;
                self
            }

            /// Whether the translation along the z-axis of `frame_a` is locked (default).
            #[must_use]
            pub fn z_locked(mut self, locked: bool) -> Self {
                self.locked.0[2] = locked;
                self
            }
        }
    };
}
use locked_setters;
