//! Free body on two springs.
//!
//! A rigid body without joints hangs on two springs in space. A quaternion describes its
//! orientation, so that no rotation is singular.
//!
//! The system is the example `FreeBody` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        bar2: FixedTranslation::new().r([0.8, 0.0, 0.0]),
        spring1: Spring::new().c(20),
        spring2: Spring::new().c(20),
        body: BodyShape::new()
            .r([0.4, 0.0, 0.0]).r_cm([0.2, 0.0, 0.0]).m(1).inertia([1; 3])
            .r_0(fixed_vector([0.2, -0.5, 0.1])).v_0(fixed_vector([0; 3]))
            .angles_start(fixed_vector([10_f64.to_radians(); 3])).w_0_start(fixed_vector([0; 3])),
    }

    m.chain((world.frame_b, spring1, body.frame_a));
    m.chain((world.frame_b, bar2, spring2, body.frame_b));

    for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
        m.output(axis, body.r_0[k]);
        m.output(format!("w_{axis}"), body.w_a[k]);
    }
    m.stop_time(10);
    m.step_size(0.002);
}
