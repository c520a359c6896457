//! Pendulum with a damper in its joint.
//!
//! A body of 1 kg hangs half a metre from a revolute joint; a rotational damper is connected to the
//! flange of the joint. The pendulum falls from the horizontal position.
//!
//! The system is the example `Pendulum` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        rev: Revolute::new().n(Z).phi(fixed(0)).w(fixed(0)),
        damper: rotational::Damper::new().d(0.1),
        body: Body::new().m(1).r_cm([0.5, 0.0, 0.0]),
    }

    m.chain((world.frame_b, rev, body.frame_a));
    m.chain((rev.support, damper, rev.axis));

    m.output("phi", rev.phi);
    m.output("w", rev.w);
    m.stop_time(5);
}
