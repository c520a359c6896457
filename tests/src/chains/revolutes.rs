//! A chain of bodies joined by revolute joints in space.
//!
//! The axes differ from joint to joint, the bodies have no symmetry, and the chain falls from rest.

use libraries::multibody::*;
use libraries::prelude::*;

/// The axes, which repeat.
const AXES: [[f64; 3]; 3] = [Z, Y, [1.0, 1.0, 0.0]];

/// The model with `n` joints.
pub fn chain_of_revolutes(m: &mut Assembly, n: usize) {
    let world = m.add("world", World::new());
    let mut last = world.frame_b;
    for k in 1..=n {
        let revolute = Revolute::new().n(AXES[(k - 1) % 3]).phi(fixed(0.2)).w(fixed(0.0));
        let revolute = m.add(format!("revolute{k}"), revolute);
        let body = BodyShape::new()
            .r([0.3, 0.05, 0.1])
            .r_cm([0.1, 0.02, 0.05])
            .m(2.0)
            .inertia([0.03, 0.05, 0.04])
            .products([0.002, -0.003, 0.004]);
        let body = m.add(format!("body{k}"), body);
        m.connect(last, revolute.frame_a);
        m.connect(revolute.frame_b, body.frame_a);
        if k == 1 {
            m.output("w", revolute.w);
        }
        last = body.frame_b;
    }
    m.stop_time(1.0);
}
