//! Sliding masses between two springs, with and without gap.
//!
//! Two masses move between two walls. One is connected to both walls by spring-dampers; the other
//! one touches the buffers at the walls only temporarily.
//!
//! The system is the example `ElastoGap` of Modelica.Mechanics.Translational.

use coupler::prelude::*;
use coupler::translational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let spring = || SpringDamper::new().c(10).d(1.5).s_rel0(1);
    let gap = || ElastoGap::new().c(10).d(1.5).s_rel0(1.5);
    let mass = || Mass::new().m(1).s(fixed(2)).v(fixed(0));
    add! { m,
        ground "fixed": Fixed::new(),
        rod1: Rod::new().L(2),
        rod2: Rod::new().L(2),
        spring1 "springDamper1": spring(),
        spring2 "springDamper2": spring(),
        gap1 "elastoGap1": gap(),
        gap2 "elastoGap2": gap(),
        tied "mass1": mass(),
        free "mass2": mass(),
    }

    m.connect(rod1.flange_b, ground.flange);
    m.connect(rod2.flange_a, ground.flange);
    m.chain((rod1.flange_a, spring1, tied, spring2, rod2.flange_b));
    m.chain((rod1.flange_a, gap1, free, gap2, rod2.flange_b));

    m.output("s_tied", tied.s);
    m.output("s_free", free.s);
    m.stop_time(5);
}
