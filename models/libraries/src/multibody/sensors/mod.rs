//! Ideal sensors, which exert no loads.

mod absolute;
mod absolute_single;
mod cut;
mod distance;
mod measure;
mod power;
mod relative;
mod relative_single;
mod transform;

pub use absolute::*;
pub use absolute_single::*;
pub use cut::*;
pub use distance::*;
pub use power::*;
pub use relative::*;
pub use relative_single::*;
pub use transform::*;
