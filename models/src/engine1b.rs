//! Slider crank of an engine with gas force.
//!
//! A crankshaft of four bodies, a connecting rod and a piston in its cylinder, which the gas
//! drives; the shaft carries a flywheel. One freedom remains: the angle of the shaft.
//!
//! The system is the example `Engine1b` of Modelica.Mechanics.MultiBody, in which the mass of the
//! connecting rod hangs beyond the crank pin.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::{rotational, translational};

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
    let rod1 = m.add("rod1", FixedTranslation::r([0.0, -0.2, 0.0]));
    let b1 = m.add("b1", Revolute::n(X));
    let rod3 = m.add("rod3", FixedTranslation::r([0.0, -0.1, 0.0]));
    let piston = m.add("piston", BodyCylinder::r([0.0, -0.1, 0.0]).diameter(0.1));
    let cylinder = m.add("cylinder", Prismatic::n([0.0, -1.0, 0.0]));
    let top = m.add("cylPosition", FixedTranslation::r([0.15, 0.45, 0.0]));
    let gas = m.add("gasForce", translational::GasForce2::L_d(0.35, 0.1));

    m.connect(world.frame_b, bearing.frame_a);
    m.connect(inertia.flange_b, bearing.axis);
    m.connect(bearing.frame_b, crank1.frame_a);
    m.connect(crank1.frame_b, crank2.frame_a);
    m.connect(crank2.frame_b, crank3.frame_a);
    m.connect(crank3.frame_b, crank4.frame_a);
    m.connect(crank2.frame_b, mid.frame_a);
    m.connect(mid.frame_b, b2.frame_a);
    m.connect(b2.frame_b, rod.frame_b);
    m.connect(b2.frame_b, rod1.frame_b);
    m.connect(rod1.frame_a, b1.frame_b);
    m.connect(b1.frame_a, rod3.frame_b);
    m.connect(rod3.frame_a, cylinder.frame_b);
    m.connect(piston.frame_a, cylinder.frame_b);
    m.connect(cylinder.frame_a, top.frame_b);
    m.connect(world.frame_b, top.frame_a);
    m.connect(gas.flange_a, cylinder.support);
    m.connect(gas.flange_b, cylinder.axis);

    m.output("phi", inertia.phi);
    m.output("w", inertia.w);
    m.output("press", gas.press);
    m.stop_time(0.5);
    m.step_size(1e-4);
}
