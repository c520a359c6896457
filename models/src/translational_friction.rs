//! Sliding masses with stops and Stribeck friction.
//!
//! Three masses have a friction that decreases with the speed before it increases. The first one is
//! driven by a force, the second one is pulled by a spring against a stop, which it hits without
//! rebound, and the third one has its friction as a table. They stick at every reversal.
//!
//! The system is the example `Friction` of Modelica.Mechanics.Translational.

use coupler::prelude::*;
use coupler::translational::*;

/// A mass of 1 kg and 1 m that starts in the middle.
fn rough_mass() -> MassWithStopAndFriction {
    MassWithStopAndFriction::new().m(1).L(1).f_prop(1).fexp(2).s(fixed(0))
}

/// The model.
pub fn model(m: &mut Assembly) {
    let table: Vec<[f64; 2]> = (0..50)
        .map(|i| f64::from(i) * 12.0 / 49.0)
        .map(|v| [v, 5.0 + v + 10.0 * (-2.0 * v).exp()])
        .collect();
    add! { m,
        stop1: rough_mass().f_coulomb(5).f_stribeck(10).smin(-25).smax(25).v(fixed(0)),
        stop2: rough_mass().f_coulomb(3).f_stribeck(5).smin(-0.9).smax(0.9).v(fixed(-5)),
        force: Force::new(),
        sine1 "sineForce1": Sine::new().amplitude(25).f(0.25),
        spring: Spring::new().c(500).s_rel0(1),
        wall "fixed2": Fixed::new().s0(-1.75),
        mass: Mass::new().m(1).L(1).s(fixed(0)).v(fixed(0)),
        friction "supportFriction": SupportFriction::new().f_pos(table),
        force2: Force::new(),
        sine2 "sineForce2": Sine::new().amplitude(25).f(0.25),
    }

    m.connect(force.flange, stop1.flange_a);
    m.connect(sine1.y, force.f);
    m.connect(stop2.flange_a, spring.flange_b);
    m.connect(spring.flange_a, wall.flange);
    m.chain((force2.flange, mass, friction.flange_a));
    m.connect(sine2.y, force2.f);

    m.output("s", mass.s);
    m.output("s1", stop1.s);
    m.output("s2", stop2.s);
    m.stop_time(5);
}
