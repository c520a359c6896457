//! A spring between two frames.

use crate::multibody::two_frames;
use crate::multibody::{LineForce, Tension};
use equations::select;
use mechanics::declaration::prelude::*;
use mechanics::scene::Shape;

component! {
    /// Linear spring between two frames.
    ///
    /// It is a coil spring or a rubber rope between two parts in a model with impacts.
    ///
    /// # Equations
    /// The force `f = c (length - s0)` pulls both frames towards each other. Below `s_small` it is
    /// multiplied by `length / s_small`, so that the force is defined everywhere. There are no
    /// torques and no impulses.
    pub struct Spring = "MultiBondLib.Mechanics3DwithImpulses.Forces.Spring" {
        /// Spring constant
        c: Real["N/m", >= 0, structural zero],
        /// Unstretched length of the spring
        s0: Real["m"] = 0,
        /// Small distance that prevents a division by zero where the frames coincide
        s_small: Real["m", > 0, fixed] = 1e-4,
        ..two_frames,
    }
    variables {
        /// Vector from frame_a to frame_b, resolved in world frame
        r_rel_0: Vector["m"],
        /// Unit vector from frame_a to frame_b, resolved in world frame
        e_rel_0: Vector["1"],
        /// Distance between the origins of frame_a and frame_b
        length: Real["m"],
        /// Distance between the origins of frame_a and frame_b, not less than s_small
        s: Real["m"],
        /// Line force, positive if it pulls the frames towards each other
        f: Real["N"],
    }
}

impl Component for Spring {
    fn contribute(p: SpringParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.shape("frame_a", |nominal| Shape::spring("frame_b", nominal));
        LineForce::between(c, p.s_small).law(c, move |_, line| {
            // Below `s_small` the force is `c (length - s0) length / s_small`. Its integral from
            // the length to `s_small`, divided by `c`, is `missing / s`.
            let (l, s, s0) = (line.length, line.s, p.s0);
            let missing = (s - l) * (s * s + s * l + l * l) / 3.0 - s0 * (s * s - l * l) / 2.0;
            let near = (s - s0).square() / 2.0 - missing / s;
            let energy = select(l.lt(s), near, (l - s0).square() / 2.0);
            Tension { f: p.c * (l - s0), energy: p.c * energy, loss_power: None }
        });
        Ok(())
    }
}
