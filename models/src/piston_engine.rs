//! Piston engine driven by impulses.
//!
//! A flywheel with a crank moves a piston against a spring, without gravity. Whenever the piston
//! passes a certain position outwards, an impulse adds an energy of 2 J to the engine.
//!
//! The system is the example `PistonEngine` of MultiBondLib.Mechanics3DwithImpulses.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::new().g(0));
    add! { m,
        fixed1 "Fixed1": Fixed::new(),
        fixed2 "Fixed2": Fixed::new().r([0.0, 0.4, 0.0]),
        insert1 "InsertImpulse1": InsertImpulse::new(),
        insert2 "InsertImpulse2": InsertImpulse::new(),
        revolute1 "Revolute1": Revolute::new()
            .n(Z).init_type(InitType::PositionVelocity).w_start(300).enforce_states(true),
        crank "FixedTranslation1": FixedTranslation::new().r([0.1, 0.0, 0.0]),
        flywheel "SimpleBody1": SimpleBody::new().m(2).inertia([0.3; 3]),
        revolute2 "Revolute2": Revolute::new().n(Z),
        rod "FixedTranslation2": FixedTranslation::new().r([0.0, -0.25, 0.0]),
        pin "PlanarRevolute1": PlanarRevolute::new().n(Z),
        prismatic "Prismatic1": Prismatic::new().n(Y),
        piston "SimpleBody2": SimpleBody::new().m(1).inertia([0.03; 3]),
        spring "Spring1": Spring::new().c(40).s0(0.18),
        ignition: GreaterThreshold::new().threshold(0.07),
        injection "EnergyInjection1": EnergyInjection::new().energy(2).n(Y),
    }

    m.chain((fixed2.frame_b, insert1, revolute1, crank.frame_a));
    m.connect(crank.frame_a, flywheel.frame_a);
    m.chain((crank.frame_b, revolute2, rod, pin.frame_b));
    m.chain((fixed1.frame_b, insert2, prismatic, piston.frame_a));
    m.connect(pin.frame_a, piston.frame_a);
    m.connect(injection.frame_a, piston.frame_a);
    m.connect(spring.frame_a, piston.frame_a);
    m.connect(spring.frame_b, fixed1.frame_b);
    m.chain((prismatic.s, ignition, injection.u));

    m.output("phi", revolute1.phi);
    m.output("w", revolute1.w);
    m.output("s", prismatic.s);
    m.output("injections", injection.injections);
    m.stop_time(10);
    m.step_size(0.004);
}
