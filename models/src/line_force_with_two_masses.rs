//! Hydraulic cylinders with mass, as a joint and as a force along a line.
//!
//! A box hangs on a hinge and leans on a damper between a fixed point and its end. Cylinder and
//! piston rod have masses, which turn with the line between the two points. On the left they are
//! bodies on the frames of a joint, on the right part of the line force. Both move alike.
//!
//! The system is the example `LineForceWithTwoMasses` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::translational;

/// Mass of cylinder and of piston rod in kg, and their distances from the ends in m.
const MASS: f64 = 1.0;
const LENGTH: f64 = 0.2;

/// The model.
pub fn model(m: &mut Assembly) {
    let world = m.add("world", World::default());

    let rod1 = m.add("rod1", FixedTranslation::r([0.0, -0.9, 0.0]));
    let rod2 = m.add("rod2", FixedTranslation::r([0.0, 0.3, 0.0]));
    let revolute1 = m.add("revolute1", Revolute::n(Z).phi(fixed(0.0)).w(fixed(0.0)));
    let box1 = m.add("bodyBox1", BodyBox::r([0.7, 0.0, 0.0]));
    let n_axis_ia = [0.7, 1.2, 0.0];
    let joint = m.add("jointUPS", JointUPS::default().n_axis_ia(n_axis_ia));
    let size = n_axis_ia.iter().map(|n| n * n).sum::<f64>().sqrt();
    let along = |distance: f64| n_axis_ia.map(|n| distance * n / size);
    let body1 = m.add("body1", Body::m_r_cm(MASS, along(LENGTH)).inertia([0.0; 3]));
    let body2 = m.add("body2", Body::m_r_cm(MASS, along(-LENGTH)).inertia([0.0; 3]));
    let damper1 = m.add("damper1", translational::Damper::d(3.0));
    m.connect(world.frame_b, rod1.frame_a);
    m.connect(world.frame_b, rod2.frame_a);
    m.connect(rod2.frame_b, revolute1.frame_a);
    m.connect(revolute1.frame_b, box1.frame_a);
    m.connect(rod1.frame_b, joint.frame_a);
    m.connect(joint.frame_b, box1.frame_b);
    m.connect(joint.frame_ia, body1.frame_a);
    m.connect(joint.frame_ib, body2.frame_a);
    m.connect(damper1.flange_a, joint.bearing);
    m.connect(damper1.flange_b, joint.axis);

    let rod3 = m.add("rod3", FixedTranslation::r([0.0, -0.9, 0.3]));
    let rod4 = m.add("rod4", FixedTranslation::r([0.0, 0.3, 0.3]));
    let revolute2 = m.add("revolute2", Revolute::n(Z).phi(fixed(0.0)).w(fixed(0.0)));
    let box2 = m.add("bodyBox2", BodyBox::r([0.7, 0.0, 0.0]));
    let line = LineForceWithTwoMasses::m_a_m_b(MASS, MASS).l_a_l_b(LENGTH, LENGTH);
    let line = m.add("lineForceWithTwoMasses", line);
    let damper2 = m.add("damper2", translational::Damper::d(3.0));
    m.connect(world.frame_b, rod3.frame_a);
    m.connect(world.frame_b, rod4.frame_a);
    m.connect(rod4.frame_b, revolute2.frame_a);
    m.connect(revolute2.frame_b, box2.frame_a);
    m.connect(rod3.frame_b, line.frame_a);
    m.connect(line.frame_b, box2.frame_b);
    m.connect(damper2.flange_a, line.flange_a);
    m.connect(damper2.flange_b, line.flange_b);

    m.output("phi1", revolute1.phi);
    m.output("w1", revolute1.w);
    m.output("phi2", revolute2.phi);
    m.output("w2", revolute2.w);
    m.stop_time(3.0);
}
