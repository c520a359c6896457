//! Spheres of which any two can collide.

use super::{CollisionSphereSphere, CollisionSphereSpherePorts};
use equations::Limits;
use mechanics::assembly::{AnyPort, Assembly, NamedPorts, Part};
use mechanics::declaration::prelude::*;
use mechanics::port::indices;

component! {
    /// Equal spheres of which any two can collide.
    ///
    /// It describes billiard balls, or grains in a box, without one contact for each pair in the
    /// text.
    ///
    /// The pool consists of a [`CollisionSphereSphere`] `contact[i,j]` for each pair `i < j`.
    pub part CollisionPool = "MultiBondLib.Mechanics3DwithImpulses.World3D" {
        /// Number of spheres; with less than two there are no contacts and no frames
        spheres: Integer["1", >= 0] = 2,
        /// Radius of each sphere
        radius: Real["m", >= 0, fixed] = 0.1,
        /// Coefficient of restitution: 0 is inelastic, 1 is elastic
        elasticity: Real["1", 0..=1] = 1,
        /// Coefficient of friction
        mu_r "mu_R": Real["1", >= 0, structural zero] = 0,
        /// Whether contacts can stay closed
        rests: bool = true,
    }
}

/// Ports of a [`CollisionPool`].
#[derive(Clone, Debug)]
pub struct CollisionPoolPorts {
    /// Frames at the centres of the spheres.
    pub frames: Vec<Frame>,
    /// Contacts of the pairs, in the order 1-2, 1-3, ... 2-3, ...
    pub contacts: Vec<CollisionSphereSpherePorts>,
}

/// `frames[1]`, ... and `contact[1,2].frame_a`, ...
impl NamedPorts for CollisionPoolPorts {
    fn named(&self, name: &str) -> Vec<AnyPort> {
        if let Some(rest) = name.strip_prefix("frames") {
            return self.frames.named(rest);
        }
        let contact = name.strip_prefix("contact").and_then(indices);
        let Some(([i, j], rest)) = contact else { return Vec::new() };
        let spheres = 1..=self.frames.len();
        let mut pairs = spheres.clone().flat_map(|i| (i + 1..=*spheres.end()).map(move |j| (i, j)));
        let contact = pairs.position(|pair| pair == (i, j)).map(|k| &self.contacts[k]);
        let rest = contact.zip(rest.strip_prefix('.'));
        rest.map(|(contact, name)| contact.named(name)).unwrap_or_default()
    }
}

impl Part for CollisionPool {
    type Ports = CollisionPoolPorts;

    fn add_to(self, assembly: &mut Assembly, name: String) -> CollisionPoolPorts {
        let p = self.given(assembly, &name);
        let given = p.spheres.number();
        let spheres = usize::try_from(given).unwrap_or_else(|_| {
            let why = Limits::NOT_NEGATIVE.refuse(&format!("{name}.spheres"), given as f64, "1");
            assembly.refuse(Error::Parameter(why));
            0
        });
        let contact = CollisionSphereSphere::new().ra(p.radius).rb(p.radius);
        let contact = contact.elasticity(p.elasticity).mu_r(p.mu_r).rests(p.rests);
        let mut frames: Vec<Option<Frame>> = vec![None; spheres];
        let mut contacts = Vec::new();
        for i in 0..spheres {
            for j in i + 1..spheres {
                let name = format!("{name}.contact[{},{}]", i + 1, j + 1);
                let contact = assembly.add(name, contact.clone());
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
