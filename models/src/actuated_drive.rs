//! The same rotor as a body in space and as part of a drive train.
//!
//! A body with inertia about one axis turns on a joint, driven by a torque in space; beside it a
//! rotor of the same inertia turns, driven by a torque of a drive train whose housing is mounted on
//! the same fixed frame. Both move alike.
//!
//! The system is the example `ActuatedDrive` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational::Torque2;

/// The model.
pub fn model(m: &mut Assembly) {
    let world = m.add("world", World::default().g(0.0));
    let sine = m.add("sine", Sine::amplitude_f(1.0, 1.0));

    let revolute = m.add("revolute", Revolute::n(X).phi(fixed(0.0)).w(fixed(0.0)));
    let body = BodyShape::r_cm_m([0.5, 0.0, 0.0], [0.0; 3], 0.0).inertia([2.0, 0.0, 0.0]);
    let body = m.add("bodyCylinder", body);
    let torque = m.add("torque", Torque::default());
    let zero = m.add("zero", Constant::k(0.0));
    m.connect(world.frame_b, revolute.frame_a);
    m.connect(revolute.frame_b, body.frame_a);
    m.connect(world.frame_b, torque.frame_a);
    m.connect(torque.frame_b, body.frame_b);
    m.connect([sine.y, zero.y, zero.y], torque.torque);

    let housing = m.add("fixed", Fixed::default());
    let rotor = m.add("rotor1D", Rotor1D::J(2.0).phi(fixed(0.0)).w(fixed(0.0)));
    let torque1 = m.add("torque1", Torque2);
    let mounting = m.add("mounting1D", Mounting1D::default());
    m.connect(housing.frame_b, rotor.frame_a);
    m.connect(housing.frame_b, mounting.frame_a);
    m.connect(mounting.flange_b, torque1.flange_a);
    m.connect(torque1.flange_b, rotor.flange_a);
    m.connect(sine.y, torque1.tau);

    m.output("phi_body", revolute.phi);
    m.output("w_body", revolute.w);
    m.output("phi_rotor", rotor.phi);
    m.output("w_rotor", rotor.w);
    m.stop_time(1.1);
}
