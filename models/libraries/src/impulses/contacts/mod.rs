//! Components that give impulses: contacts, and impulses with a given energy.

mod collision;
mod collision_pool;
mod energy_injection;
mod face;
mod sphere_cylinder;
mod sphere_plane;
mod sphere_sphere;

pub use collision_pool::*;
pub use energy_injection::*;
pub use sphere_cylinder::*;
pub use sphere_plane::*;
pub use sphere_sphere::*;
