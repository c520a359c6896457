//! Two rotors and a bevel gear on a box that rotates about three axes.
//!
//! Three revolute joints, each driven by its own torque, carry a box with two rotors whose axes are
//! perpendicular. A bevel gear connects the rotors, and a motor mounted on the box drives the first
//! one. The reactions of the drive train act on the box. The motion is chaotic: small errors grow
//! fast.
//!
//! The system is the example `BevelGear1D` of Modelica.Mechanics.MultiBody, up to the time at which
//! its published results end.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m, world: World::new() }
    let mut end = world.frame_b;
    let drives = [(X, 110.0, 5.0), (Y, 120.0, 6.0), (Z, 130.0, 7.0)];
    let joints = [1, 2, 3].map(|k| {
        let (axis, amplitude, f) = drives[k - 1];
        add! { m,
            joint [format!("revolute{k}")]: Revolute::new().n(axis).phi(fixed(0)).w(fixed(0)),
            sine [format!("sine{k}")]: Sine::new().amplitude(amplitude).f(f),
            torque [format!("torque{k}")]: rotational::Torque::new(),
        }
        m.connect(sine.y, torque.tau);
        m.connect(torque.flange, joint.axis);
        m.connect(end, joint.frame_a);
        end = joint.frame_b;
        joint
    });

    add! { m,
        body "bodyBox": BodyBox::new().r([0.1; 3]).length(0.1).width(0.1),
        inertia1: Rotor1D::new().J(1.1).phi(fixed(0)).w(fixed(0)),
        gear "bevelGear": BevelGear1D::new().ratio(10).n_a(X).n_b(Y),
        inertia2: Rotor1D::new().J(18.2).n(Y),
        mounting "mounting1D": Mounting1D::new(),
        torque: rotational::Torque2::new(),
        sine: Sine::new().amplitude(140).f(8),
    }
    m.connect(sine.y, torque.tau);
    m.chain((mounting.flange_b, torque, inertia1, gear, inertia2.flange_a));
    let mounted =
        [body.frame_a, inertia1.frame_a, gear.frame_a, inertia2.frame_a, mounting.frame_a];
    for frame in mounted {
        m.connect(end, frame);
    }

    m.output("phi", inertia2.phi);
    m.output("w", inertia2.w);
    for (k, joint) in joints.into_iter().enumerate() {
        m.output(format!("phi{}", k + 1), joint.phi);
    }
    m.stop_time(0.4);
}
