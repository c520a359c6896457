//! What gives impulses: contacts, and energy put in at once.

mod collision;
mod collision_pool;
mod energy_injection;
mod face;
mod sphere_cylinder;
mod sphere_plane;
mod sphere_sphere;

pub use collision::CollisionPorts;
pub use collision_pool::{CollisionPool, CollisionPoolPorts};
pub use energy_injection::{EnergyInjection, EnergyInjectionPorts};
pub use face::Face;
pub use sphere_cylinder::CollisionSphereCylinder;
pub use sphere_plane::CollisionSpherePlane;
pub use sphere_sphere::CollisionSphereSphere;
