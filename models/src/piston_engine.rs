//! Piston engine that is fired by impulses.
//!
//! A flywheel with a crank moves a piston, against a spring and without gravity. Whenever the
//! piston passes a point on its way out, an impulse puts the energy of 2 J into the engine.
//!
//! The system is the example `PistonEngine` of MultiBondLib.Mechanics3DwithImpulses.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::default().g(0.0));
    let fixed1 = m.add("Fixed1", Fixed::default());
    let fixed2 = m.add("Fixed2", Fixed::default().r([0.0, 0.4, 0.0]));
    let insert1 = m.add("InsertImpulse1", InsertImpulse);
    let insert2 = m.add("InsertImpulse2", InsertImpulse);
    let revolute1 = Revolute::n(Z).init_type(InitType::PositionVelocity).w_start(300.0);
    let revolute1 = m.add("Revolute1", revolute1.enforce_states());
    let crank = m.add("FixedTranslation1", FixedTranslation::r([0.1, 0.0, 0.0]));
    let flywheel = m.add("SimpleBody1", SimpleBody::m(2.0).inertia([0.3; 3]));
    let revolute2 = m.add("Revolute2", Revolute::n(Z));
    let rod = m.add("FixedTranslation2", FixedTranslation::r([0.0, -0.25, 0.0]));
    let pin = m.add("PlanarRevolute1", PlanarRevolute::n(Z));
    let prismatic = m.add("Prismatic1", Prismatic::n(Y));
    let piston = m.add("SimpleBody2", SimpleBody::m(1.0).inertia([0.03; 3]));
    let spring = m.add("Spring1", Spring::c(40.0).s0(0.18));
    let ignition = m.add("ignition", GreaterThreshold::threshold(0.07));
    let injection = m.add("EnergyInjection1", EnergyInjection::energy(2.0).n(Y));

    m.connect(fixed2.frame_b, insert1.frame_a);
    m.connect(insert1.frame_b, revolute1.frame_a);
    m.connect(revolute1.frame_b, crank.frame_a);
    m.connect(crank.frame_a, flywheel.frame_a);
    m.connect(crank.frame_b, revolute2.frame_a);
    m.connect(revolute2.frame_b, rod.frame_a);
    m.connect(rod.frame_b, pin.frame_b);
    m.connect(fixed1.frame_b, insert2.frame_a);
    m.connect(insert2.frame_b, prismatic.frame_a);
    m.connect(prismatic.frame_b, piston.frame_a);
    m.connect(pin.frame_a, piston.frame_a);
    m.connect(injection.frame_a, piston.frame_a);
    m.connect(spring.frame_a, piston.frame_a);
    m.connect(spring.frame_b, fixed1.frame_b);
    m.connect(prismatic.s, ignition.u);
    m.connect(ignition.y, injection.u);

    m.output("phi", revolute1.phi);
    m.output("w", revolute1.w);
    m.output("s", prismatic.s);
    m.output("injections", injection.injections);
    m.stop_time(10.0);
    m.step_size(0.004);
}
