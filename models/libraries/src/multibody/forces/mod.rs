//! Force elements between frames: they have no coordinates and, except for point masses, no mass.

mod line_force;
mod line_force_with_masses;
mod loads;
mod node;
mod springs;

pub(crate) use line_force::{LineForce, Tension};
pub use line_force_with_masses::*;
pub use loads::*;
pub use springs::*;
