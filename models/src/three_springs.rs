//! Body on three springs that are connected at a massless point.
//!
//! Two springs hold a node, and a third one connects it to a free body. The node is massless: the
//! balance of the three forces determines its position.
//!
//! The system is the example `ThreeSprings` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        bar1: FixedTranslation::new().r([0.3, 0.0, 0.0]),
        bar2: FixedTranslation::new().r([0.0, 0.0, 0.3]),
        spring1:
            Spring::new().c(20).s_unstretched(0.1).fixed_rotation_at_frame_b([0.1, -0.2, 0.2]),
        spring2: Spring::new().c(40).s_unstretched(0.1),
        spring3: Spring::new().c(20).s_unstretched(0.1),
        body1: Body::new()
            .m(0.8).r_cm([0.0, -0.2, 0.0]).inertia([0.1; 3]).r_0(fixed_vector([0.5, -0.3, 0.0]))
            .v_0(fixed_vector([0; 3])).angles_start(fixed_vector([0; 3]))
            .w_0_start(fixed_vector([0; 3])),
    }

    m.chain((world.frame_b, bar1, spring1, spring2, body1.frame_a));
    m.chain((world.frame_b, bar2, spring3, spring1.frame_b));

    for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
        m.output(axis, body1.r_0[k]);
        m.output(format!("w_{axis}"), body1.w_a[k]);
    }
    m.stop_time(10);
    m.step_size(0.002);
}
