//! Sliding masses with stops and Stribeck friction.
//!
//! Three masses with friction that falls with the speed before it rises: one driven by a force,
//! one that a spring pulls against a stop, where it hits without rebound, and one whose friction is
//! given as a table. They stick at every reversal.
//!
//! The system is the example `Friction` of Modelica.Mechanics.Translational.

use coupler::prelude::*;
use coupler::translational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let stop1 = MassWithStopAndFriction::m(1.0).L(1.0).s(fixed(0.0)).v(fixed(0.0));
    let stop1 = m.add("stop1", stop1);
    let stop2 = MassWithStopAndFriction::m(1.0)
        .L(1.0)
        .smin(-0.9)
        .smax(0.9)
        .f_coulomb(3.0)
        .f_stribeck(5.0)
        .s(fixed(0.0))
        .v(fixed(-5.0));
    let stop2 = m.add("stop2", stop2);
    let force = m.add("force", Force);
    let sine1 = m.add("sineForce1", Sine::amplitude_f(25.0, 0.25));
    let spring = m.add("spring", Spring::c(500.0).s_rel0(1.0));
    let wall = m.add("fixed2", Fixed::s0(-1.75));

    let mass = m.add("mass", Mass::m(1.0).L(1.0).s(fixed(0.0)).v(fixed(0.0)));
    let table: Vec<[f64; 2]> = (0..50)
        .map(|i| f64::from(i) * 12.0 / 49.0)
        .map(|v| [v, 5.0 + v + 10.0 * (-2.0 * v).exp()])
        .collect();
    let friction = m.add("supportFriction", SupportFriction::f_pos(table));
    let force2 = m.add("force2", Force);
    let sine2 = m.add("sineForce2", Sine::amplitude_f(25.0, 0.25));

    m.connect(force.flange, stop1.flange_a);
    m.connect(sine1.y, force.f);
    m.connect(stop2.flange_a, spring.flange_b);
    m.connect(spring.flange_a, wall.flange);
    m.connect(force2.flange, mass.flange_a);
    m.connect(mass.flange_b, friction.flange_a);
    m.connect(sine2.y, force2.f);

    m.output("s", mass.s);
    m.output("s1", stop1.s);
    m.output("s2", stop2.s);
    m.stop_time(5.0);
}
