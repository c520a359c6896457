//! Slider crank of an engine with gas force.
//!
//! A crankshaft of four bodies, a connecting rod and a piston in its cylinder form a loop. The gas
//! in the cylinder drives the piston; the shaft carries a flywheel. One degree of freedom remains:
//! the angle of the shaft.
//!
//! The system is the example `Engine1b` of Modelica.Mechanics.MultiBody, in which the mass of the
//! connecting rod is beyond the crank pin.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::{rotational, translational};

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
        rod1: FixedTranslation::new().r([0.0, -0.2, 0.0]),
        b1: Revolute::new().n(X),
        rod3: FixedTranslation::new().r([0.0, -0.1, 0.0]),
        piston: BodyCylinder::new().r([0.0, -0.1, 0.0]).diameter(0.1),
        cylinder: Prismatic::new().n([0, -1, 0]),
        top "cylPosition": FixedTranslation::new().r([0.15, 0.45, 0.0]),
        gas "gasForce": translational::GasForce2::new().L(0.35).d(0.1),
    }

    m.connect(world.frame_b, bearing.frame_a);
    m.connect(inertia.flange_b, bearing.axis);
    m.chain((bearing.frame_b, crank1, crank2, crank3, crank4.frame_a));
    m.chain((crank2.frame_b, mid, b2, rod.frame_b));
    m.chain((world.frame_b, top, cylinder, rod3, b1, rod1, b2.frame_b));
    m.connect(cylinder.frame_b, piston.frame_a);
    m.connect(gas.flange_a, cylinder.support);
    m.connect(gas.flange_b, cylinder.axis);

    m.output("phi", inertia.phi);
    m.output("w", inertia.w);
    m.output("press", gas.press);
    m.stop_time(0.5);
    m.step_size(1e-4);
}
