//! Sliding masses brought to rest by dampers.
//!
//! Three equal masses run towards a wall: one is held back by a damper, one by a damper and a
//! spring side by side, one by a spring-damper, which is the same.
//!
//! The system is the example `Damper` of Modelica.Mechanics.Translational.

use coupler::prelude::*;
use coupler::translational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let masses = ["mass1", "mass2", "mass3"]
        .map(|name| m.add(name, Mass::m(1.0).L(1.0).s(fixed(3.0)).v(fixed(10.0))));
    let walls = ["fixed1", "fixed2", "fixed3"].map(|name| m.add(name, Fixed::s0(4.5)));
    let damper1 = m.add("damper1", Damper::d(25.0));
    let damper2 = m.add("damper2", Damper::d(25.0));
    let spring2 = m.add("spring2", Spring::c(1.0).s_rel0(1.0));
    let both = m.add("springDamper3", SpringDamper::c_d(1.0, 25.0).s_rel0(1.0));

    m.connect(masses[0].flange_b, damper1.flange_a);
    m.connect(damper1.flange_b, walls[0].flange);
    m.connect(masses[1].flange_b, damper2.flange_a);
    m.connect(damper2.flange_b, walls[1].flange);
    m.connect(masses[1].flange_b, spring2.flange_a);
    m.connect(spring2.flange_b, walls[1].flange);
    m.connect(masses[2].flange_b, both.flange_a);
    m.connect(both.flange_b, walls[2].flange);

    for (name, mass) in ["s1", "s2", "s3"].into_iter().zip(masses) {
        m.output(name, mass.s);
    }
    m.stop_time(1.0);
}
