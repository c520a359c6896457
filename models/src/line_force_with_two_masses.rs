//! Hydraulic cylinders with mass, as a joint and as a force along a line.
//!
//! A box hangs on a revolute joint and is supported by a damper between a fixed point and its end.
//! Cylinder and piston rod have masses, which rotate with the line between the two points. On the
//! left they are bodies on the frames of a joint; on the right they are part of the line force.
//! Both have the same motion.
//!
//! The system is the example `LineForceWithTwoMasses` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::translational;

/// Mass of the cylinder, and of the piston rod, in kg.
const MASS: f64 = 1.0;

/// Distance of each mass from its end of the line in m.
const LENGTH: f64 = 0.2;

/// The model.
pub fn model(m: &mut Assembly) {
    let n_axis_ia = [0.7, 1.2, 0.0];
    let size = n_axis_ia.iter().map(|n| n * n).sum::<f64>().sqrt();
    let along = |distance: f64| n_axis_ia.map(|n| distance * n / size);
    add! { m,
        world: World::new(),
        rod1: FixedTranslation::new().r([0.0, -0.9, 0.0]),
        rod2: FixedTranslation::new().r([0.0, 0.3, 0.0]),
        revolute1: Revolute::new().n(Z).phi(fixed(0)).w(fixed(0)),
        box1 "bodyBox1": BodyBox::new().r([0.7, 0.0, 0.0]),
        joint "jointUPS": JointUPS::new().n_axis_ia(n_axis_ia),
        body1: Body::new().m(MASS).r_cm(along(LENGTH)).inertia([0; 3]),
        body2: Body::new().m(MASS).r_cm(along(-LENGTH)).inertia([0; 3]),
        damper1: translational::Damper::new().d(3),
    }
    m.connect(world.frame_b, rod1.frame_a);
    m.chain((world.frame_b, rod2, revolute1, box1.frame_a));
    m.chain((rod1.frame_b, joint, box1.frame_b));
    m.connect(joint.frame_ia, body1.frame_a);
    m.connect(joint.frame_ib, body2.frame_a);
    m.connect(damper1.flange_a, joint.bearing);
    m.connect(damper1.flange_b, joint.axis);

    add! { m,
        rod3: FixedTranslation::new().r([0.0, -0.9, 0.3]),
        rod4: FixedTranslation::new().r([0.0, 0.3, 0.3]),
        revolute2: Revolute::new().n(Z).phi(fixed(0)).w(fixed(0)),
        box2 "bodyBox2": BodyBox::new().r([0.7, 0.0, 0.0]),
        line "lineForceWithTwoMasses":
            LineForceWithTwoMasses::new().m_a(MASS).m_b(MASS).l_a(LENGTH).l_b(LENGTH),
        damper2: translational::Damper::new().d(3),
    }
    m.connect(world.frame_b, rod3.frame_a);
    m.chain((world.frame_b, rod4, revolute2, box2.frame_a));
    m.chain((rod3.frame_b, line, box2.frame_b));
    m.connect(damper2.flange_a, line.flange_a);
    m.connect(damper2.flange_b, line.flange_b);

    m.output("phi1", revolute1.phi);
    m.output("w1", revolute1.w);
    m.output("phi2", revolute2.phi);
    m.output("w2", revolute2.w);
    m.stop_time(3);
}
