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
    let ground = m.add("fixed", Fixed::default());
    let rod1 = m.add("rod1", Rod::L(2.0));
    let rod2 = m.add("rod2", Rod::L(2.0));
    let spring = || SpringDamper::c_d(10.0, 1.5).s_rel0(1.0);
    let springs = [m.add("springDamper1", spring()), m.add("springDamper2", spring())];
    let gap = || ElastoGap::c_d(10.0, 1.5).s_rel0(1.5);
    let gaps = [m.add("elastoGap1", gap()), m.add("elastoGap2", gap())];
    let mass = || Mass::m(1.0).s(fixed(2.0)).v(fixed(0.0));
    let (tied, free) = (m.add("mass1", mass()), m.add("mass2", mass()));

    m.connect(rod1.flange_b, ground.flange);
    m.connect(rod2.flange_a, ground.flange);
    m.connect(rod1.flange_a, springs[0].flange_a);
    m.connect(springs[0].flange_b, tied.flange_a);
    m.connect(tied.flange_b, springs[1].flange_a);
    m.connect(springs[1].flange_b, rod2.flange_b);
    m.connect(rod1.flange_a, gaps[0].flange_a);
    m.connect(gaps[0].flange_b, free.flange_a);
    m.connect(free.flange_b, gaps[1].flange_a);
    m.connect(gaps[1].flange_b, rod2.flange_b);

    m.output("s_tied", tied.s);
    m.output("s_free", free.s);
    m.stop_time(5.0);
}
