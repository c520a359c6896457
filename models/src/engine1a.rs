//! Slider crank of an engine without gas force.
//!
//! A crankshaft of four bodies, a connecting rod and a piston in its cylinder form a loop; the
//! shaft carries a flywheel. The joint between the crank pin and the connecting rod closes the loop
//! in the plane of the mechanism only. One degree of freedom remains: the angle of the shaft.
//!
//! The system is the example `Engine1a` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational;

/// The model.
pub fn model(m: &mut Assembly) {
    let web = |y: f64| BodyBox::new().r([0.0, y, 0.0]).width_direction(X).width(0.02);
    add! { m,
        world: World::new(),
        inertia: rotational::Inertia::new().J(1).phi(fixed(0)).w(fixed(10)).states(Always),
        bearing: Revolute::new().n(X),
        crank1: BodyCylinder::new().r([0.1, 0.0, 0.0]).diameter(0.05),
        crank2: web(0.1).height(0.05),
        crank3: BodyCylinder::new().r([0.1, 0.0, 0.0]).diameter(0.03),
        crank4: web(-0.1).height(0.05),
        mid: FixedTranslation::new().r([0.05, 0.0, 0.0]),
        b2: RevolutePlanarLoopConstraint::new().n(X),
        rod "connectingRod": web(-0.2).height(0.06),
        b1: Revolute::new().n(X),
        piston: BodyCylinder::new().r([0.0, -0.1, 0.0]).diameter(0.1),
        cylinder: Prismatic::new().n([0, -1, 0]).s(guess(0.15)),
        top "cylPosition": FixedTranslation::new().r([0.15, 0.45, 0.0]),
    }

    m.connect(world.frame_b, bearing.frame_a);
    m.connect(inertia.flange_b, bearing.axis);
    m.chain((bearing.frame_b, crank1, crank2, crank3, crank4.frame_a));
    m.chain((crank2.frame_b, mid, b2, rod.frame_b));
    m.chain((world.frame_b, top, cylinder, piston, b1, rod.frame_a));

    m.output("phi", inertia.phi);
    m.output("w", inertia.w);
    m.output("s", cylinder.s);
    m.stop_time(5);
}
