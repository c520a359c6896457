//! Sliding masses that dampers bring to rest.
//!
//! Three equal masses move towards a wall. The first one is connected to it by a damper, the second
//! one by a damper and a spring in parallel, and the third one by a spring-damper, which is
//! equivalent.
//!
//! The system is the example `Damper` of Modelica.Mechanics.Translational.

use coupler::prelude::*;
use coupler::translational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let masses = ["mass1", "mass2", "mass3"]
        .map(|name| m.add(name, Mass::new().m(1).L(1).s(fixed(3)).v(fixed(10))));
    let walls = ["fixed1", "fixed2", "fixed3"].map(|name| m.add(name, Fixed::new().s0(4.5)));
    add! { m,
        damper1: Damper::new().d(25),
        damper2: Damper::new().d(25),
        spring2: Spring::new().c(1).s_rel0(1),
        both "springDamper3": SpringDamper::new().c(1).d(25).s_rel0(1),
    }

    m.chain((masses[0].flange_b, damper1, walls[0].flange));
    m.chain((masses[1].flange_b, damper2, walls[1].flange));
    m.chain((masses[1].flange_b, spring2, walls[1].flange));
    m.chain((masses[2].flange_b, both, walls[2].flange));

    for (name, mass) in ["s1", "s2", "s3"].into_iter().zip(masses) {
        m.output(name, mass.s);
    }
    m.stop_time(1);
}
