//! Free body that tumbles about its axis of intermediate inertia.
//!
//! Without gravity, a body spins approximately about the axis of its intermediate moment of
//! inertia. This spin is unstable, and the body turns over periodically. Energy and angular
//! momentum are conserved. A quaternion describes the orientation, so no orientation is singular.

use coupler::multibody::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("world", World::new().g(0));
    add! { m,
        body: Body::new()
            .m(2).r_cm([0; 3]).inertia([0.01, 0.02, 0.03])
            .v_0(fixed_vector([0.1, 0.0, 0.0])).w_0_start(fixed_vector([1e-3, 3.0, 0.0])),
    }
    m.output_frame("frame", body.frame_a);
    m.stop_time(20);
}
