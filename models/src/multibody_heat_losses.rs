//! Bodies on springs and dampers in three arrangements.
//!
//! Three free bodies hang on line forces: a spring and a damper side by side, the two in one
//! component, and in series with a further spring. The first two move alike.
//!
//! The system is the example `HeatLosses` of Modelica.Mechanics.MultiBody, whose heat ports have a
//! constant temperature.

use coupler::multibody::*;
use coupler::prelude::*;

/// A body that starts below `x` in m.
fn body_at(x: f64) -> Body {
    Body::m_r_cm(1.0, [0.0, -0.2, 0.0])
        .inertia([0.1; 3])
        .r_0(fixed_vector([x, -0.2, 0.0]))
        .v_0(fixed_vector([0.0; 3]))
        .angles_start(fixed_vector([0.0; 3]))
        .w_0_start(fixed_vector([0.0, 0.0, 2_f64.to_radians()]))
}

/// The model.
pub fn model(m: &mut Assembly) {
    let world = m.add("world", World::default());
    let bar1 = m.add("bar1", FixedTranslation::r([0.3, 0.0, 0.0]));
    let bar2 = m.add("bar2", FixedTranslation::r([0.3, 0.0, 0.0]));
    let bar3 = m.add("bar3", FixedTranslation::r([0.3, 0.0, 0.0]));
    let body1 = m.add("body1", body_at(0.3));
    let body2 = m.add("body2", body_at(0.6));
    let body3 = m.add("body3", body_at(0.9));
    let spring1 = m.add("spring1", Spring::c(30.0).s_unstretched(0.1));
    let damper1 = m.add("damper1", Damper::d(2.0));
    let parallel = SpringDamperParallel::c_d(30.0, 2.0).s_unstretched(0.1);
    let parallel = m.add("springDamperParallel", parallel);
    let series = SpringDamperSeries::c_d(30.0, 2.0).s_unstretched(0.1);
    let series = m.add("springDamperSeries", series);
    let spring2 = m.add("spring", Spring::c(30.0).s_unstretched(0.2));

    m.connect(world.frame_b, bar1.frame_a);
    m.connect(bar1.frame_b, bar2.frame_a);
    m.connect(bar2.frame_b, bar3.frame_a);
    m.connect(spring1.frame_a, bar1.frame_b);
    m.connect(spring1.frame_b, body1.frame_a);
    m.connect(damper1.frame_a, bar1.frame_b);
    m.connect(damper1.frame_b, body1.frame_a);
    m.connect(parallel.frame_a, bar2.frame_b);
    m.connect(parallel.frame_b, body2.frame_a);
    m.connect(series.frame_a, bar3.frame_b);
    m.connect(series.frame_b, body3.frame_a);
    m.connect(spring2.frame_a, bar3.frame_b);
    m.connect(spring2.frame_b, body3.frame_a);

    m.output("y1", body1.r_0[1]);
    m.output("y2", body2.r_0[1]);
    m.output("y3", body3.r_0[1]);
    m.stop_time(3.0);
}
