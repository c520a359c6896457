//! Slider crank of an engine without gas force.
//!
//! A crankshaft of four bodies, a connecting rod and a piston in its cylinder; the shaft carries a
//! flywheel. The joint between the crank pin and the connecting rod closes the loop in the plane of
//! the mechanism only. One freedom remains: the angle of the shaft.
//!
//! The system is the example `Engine1a` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational;

/// The model.
pub fn model(m: &mut Assembly) {
    let world = m.add("world", World::default());
    let inertia = rotational::Inertia::J(1.0).phi(fixed(0.0)).w(fixed(10.0)).states(Always);
    let inertia = m.add("inertia", inertia);
    let bearing = m.add("bearing", Revolute::n(X));
    let crank1 = m.add("crank1", BodyCylinder::r([0.1, 0.0, 0.0]).diameter(0.05));
    let web = |y: f64| BodyBox::r([0.0, y, 0.0]).width_direction(X).width(0.02);
    let crank2 = m.add("crank2", web(0.1).height(0.05));
    let crank3 = m.add("crank3", BodyCylinder::r([0.1, 0.0, 0.0]).diameter(0.03));
    let crank4 = m.add("crank4", web(-0.1).height(0.05));
    let mid = m.add("mid", FixedTranslation::r([0.05, 0.0, 0.0]));
    let b2 = m.add("b2", RevolutePlanarLoopConstraint::n(X));
    let rod = m.add("connectingRod", web(-0.2).height(0.06));
    let b1 = m.add("b1", Revolute::n(X));
    let piston = m.add("piston", BodyCylinder::r([0.0, -0.1, 0.0]).diameter(0.1));
    let cylinder = m.add("cylinder", Prismatic::n([0.0, -1.0, 0.0]).s(guess(0.15)));
    let top = m.add("cylPosition", FixedTranslation::r([0.15, 0.45, 0.0]));

    m.connect(world.frame_b, bearing.frame_a);
    m.connect(inertia.flange_b, bearing.axis);
    m.connect(bearing.frame_b, crank1.frame_a);
    m.connect(crank1.frame_b, crank2.frame_a);
    m.connect(crank2.frame_b, crank3.frame_a);
    m.connect(crank3.frame_b, crank4.frame_a);
    m.connect(crank2.frame_b, mid.frame_a);
    m.connect(mid.frame_b, b2.frame_a);
    m.connect(b2.frame_b, rod.frame_b);
    m.connect(rod.frame_a, b1.frame_b);
    m.connect(b1.frame_a, piston.frame_b);
    m.connect(piston.frame_a, cylinder.frame_b);
    m.connect(cylinder.frame_a, top.frame_b);
    m.connect(world.frame_b, top.frame_a);

    m.output("phi", inertia.phi);
    m.output("w", inertia.w);
    m.output("s", cylinder.s);
    m.stop_time(5.0);
}
