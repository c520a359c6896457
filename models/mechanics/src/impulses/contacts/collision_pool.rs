//! Spheres of which any two may hit each other.

use super::{CollisionPorts, CollisionSphereSphere};
use crate::assembly::{Assembly, Frame, Part};

/// A pool of equal spheres, any two of which may hit each other.
///
/// It is one [`CollisionSphereSphere`] `contact[i,j]` for each pair `i < j`.
///
/// # Variables
/// Those of the contacts; radius 0.1 m, elastic, without friction, unless set.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses, collision pool.
#[derive(Clone, Debug)]
pub struct CollisionPool {
    spheres: usize,
    radius: f64,
    elasticity: f64,
    mu_r: f64,
    rests: bool,
}

/// Ports of a [`CollisionPool`].
#[derive(Clone, Debug)]
pub struct CollisionPoolPorts {
    /// Frames in the centres of the spheres.
    pub frames: Vec<Frame>,
    /// The contacts of pairs, in the order 1-2, 1-3, ... 2-3, ...
    pub contacts: Vec<CollisionPorts>,
}

impl CollisionPool {
    /// Of a number of spheres, two at least: with less there is no contact, and no frame.
    pub fn of(spheres: usize) -> Self {
        CollisionPool { spheres, radius: 0.1, elasticity: 1.0, mu_r: 0.0, rests: true }
    }
}

crate::setters! {
    impl CollisionPool {
        /// Radius of each sphere in m.
        radius: f64,
        /// Coefficient of restitution from 0 (inelastic) to 1 (elastic).
        elasticity: f64,
        /// Coefficient of friction.
        mu_r: f64,
        /// Whether contacts can stay closed.
        rests: bool,
    }
}

impl Part for CollisionPool {
    type Ports = CollisionPoolPorts;

    fn add_to(self, assembly: &mut Assembly, name: String) -> CollisionPoolPorts {
        let mut frames: Vec<Option<Frame>> = vec![None; self.spheres];
        let mut contacts = Vec::new();
        for i in 0..self.spheres {
            for j in i + 1..self.spheres {
                let contact = CollisionSphereSphere::radii(self.radius, self.radius)
                    .elasticity(self.elasticity)
                    .mu_r(self.mu_r)
                    .rests(self.rests);
                let contact = assembly.add(format!("{name}.contact[{},{}]", i + 1, j + 1), contact);
                for (k, frame) in [(i, contact.frame_a), (j, contact.frame_b)] {
                    match frames[k] {
                        Some(known) => assembly.connect(known, frame),
                        None => frames[k] = Some(frame),
                    }
                }
                contacts.push(contact);
            }
        }
        CollisionPoolPorts { frames: frames.into_iter().flatten().collect(), contacts }
    }
}
