//! Bodies on springs and dampers in three arrangements.
//!
//! Three free bodies hang on line forces: the first one on a spring and a damper in parallel, the
//! second one on one component that combines them, and the third one on a component of a spring and
//! a damper in series, in parallel with a further spring. The first two bodies have the same
//! motion.
//!
//! The system is the example `HeatLosses` of Modelica.Mechanics.MultiBody, whose heat ports have a
//! constant temperature.

use coupler::multibody::*;
use coupler::prelude::*;

/// A body that starts below `x` in m.
fn body_at(x: f64) -> Body {
    Body::new()
        .m(1)
        .r_cm([0.0, -0.2, 0.0])
        .inertia([0.1; 3])
        .r_0(fixed_vector([x, -0.2, 0.0]))
        .v_0(fixed_vector([0; 3]))
        .angles_start(fixed_vector([0; 3]))
        .w_0_start(fixed_vector([0.0, 0.0, 2_f64.to_radians()]))
}

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        bar1: FixedTranslation::new().r([0.3, 0.0, 0.0]),
        bar2: FixedTranslation::new().r([0.3, 0.0, 0.0]),
        bar3: FixedTranslation::new().r([0.3, 0.0, 0.0]),
        body1: body_at(0.3),
        body2: body_at(0.6),
        body3: body_at(0.9),
        spring1: Spring::new().c(30).s_unstretched(0.1),
        damper1: Damper::new().d(2),
        parallel "springDamperParallel":
            SpringDamperParallel::new().c(30).d(2).s_unstretched(0.1),
        series "springDamperSeries": SpringDamperSeries::new().c(30).d(2).s_unstretched(0.1),
        spring2 "spring": Spring::new().c(30).s_unstretched(0.2),
    }

    m.chain((world.frame_b, bar1, bar2, bar3.frame_a));
    m.chain((bar1.frame_b, spring1, body1.frame_a));
    m.chain((bar1.frame_b, damper1, body1.frame_a));
    m.chain((bar2.frame_b, parallel, body2.frame_a));
    m.chain((bar3.frame_b, series, body3.frame_a));
    m.chain((bar3.frame_b, spring2, body3.frame_a));

    m.output("y1", body1.r_0[1]);
    m.output("y2", body2.r_0[1]);
    m.output("y3", body3.r_0[1]);
    m.stop_time(3);
}
