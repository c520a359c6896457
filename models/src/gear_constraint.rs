//! Gear between two shafts in space and the same drive train in one dimension.
//!
//! A gear in the world joins two cylinders that turn about the x axis; a torque drives the first.
//! Beside them two inertias of the same size turn, joined by a gear of a drive train.
//!
//! The system is the example `GearConstraint` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational;
use std::f64::consts::PI;

/// Moment of inertia about its axis of a cylinder of 0.4 m with this diameter in m, in kg.m2.
fn axial(diameter: f64) -> f64 {
    let square = diameter * diameter / 4.0;
    7700.0 * PI * 0.4 * square * square / 2.0
}

/// The model.
pub fn model(m: &mut Assembly) {
    let world = m.add("world", World::default().g(0.0));
    let sine = m.add("sine", Sine::amplitude_f(2.0, 1.0));

    let gear = GearConstraint::ratio(10.0).phi_b(fixed(0.0)).w_b(fixed(0.0)).states(Always);
    let gear = m.add("gearConstraint", gear);
    let cyl1 = m.add("cyl1", BodyCylinder::r([0.4, 0.0, 0.0]).diameter(0.1));
    let cyl2 = m.add("cyl2", BodyCylinder::r([0.4, 0.0, 0.0]).diameter(0.2));
    let torque1 = m.add("torque1", Torque::default());
    let zero = m.add("zero", Constant::k(0.0));
    m.connect(world.frame_b, gear.bearing);
    m.connect(cyl1.frame_b, gear.frame_a);
    m.connect(gear.frame_b, cyl2.frame_a);
    m.connect(torque1.frame_a, world.frame_b);
    m.connect(torque1.frame_b, cyl1.frame_a);
    m.connect([sine.y, zero.y, zero.y], torque1.torque);

    let inertia1 = rotational::Inertia::J(axial(0.1)).phi(fixed(0.0)).w(fixed(0.0));
    let inertia1 = m.add("inertia1", inertia1);
    let ideal_gear = m.add("idealGear", rotational::IdealGear::ratio(10.0));
    let inertia2 = m.add("inertia2", rotational::Inertia::J(axial(0.2)));
    let torque2 = m.add("torque2", rotational::Torque);
    m.connect(sine.y, torque2.tau);
    m.connect(torque2.flange, inertia1.flange_a);
    m.connect(inertia1.flange_b, ideal_gear.flange_a);
    m.connect(ideal_gear.flange_b, inertia2.flange_a);

    m.output("phi_cylinder", gear.phi_b);
    m.output("w_cylinder", gear.w_b);
    m.output("phi_inertia", inertia2.phi);
    m.output("w_inertia", inertia2.w);
    m.stop_time(5.0);
}
