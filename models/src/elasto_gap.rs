//! Sliding masses between two springs, with and without gap.
//!
//! Two masses move between two walls: one is tied to both by spring-dampers, the other only touches
//! the buffers in front of them.
//!
//! The system is the example `ElastoGap` of Modelica.Mechanics.Translational.

use coupler::prelude::*;
use coupler::translational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        ground "fixed": Fixed::new(),
        rod1: Rod::new().L(2.0),
        rod2: Rod::new().L(2.0),
    }
    let spring = || SpringDamper::new().c(10.0).d(1.5).s_rel0(1.0);
    let springs = [m.add("springDamper1", spring()), m.add("springDamper2", spring())];
    let gap = || ElastoGap::new().c(10.0).d(1.5).s_rel0(1.5);
    let gaps = [m.add("elastoGap1", gap()), m.add("elastoGap2", gap())];
    let mass = || Mass::new().m(1.0).s(fixed(2.0)).v(fixed(0.0));
    let (tied, free) = (m.add("mass1", mass()), m.add("mass2", mass()));

    m.connect(rod1.flange_b, ground.flange);
    m.connect(rod2.flange_a, ground.flange);
    m.chain((rod1.flange_a, springs[0], tied, springs[1], rod2.flange_b));
    m.chain((rod1.flange_a, gaps[0], free, gaps[1], rod2.flange_b));

    m.output("s_tied", tied.s);
    m.output("s_free", free.s);
    m.stop_time(5.0);
}
