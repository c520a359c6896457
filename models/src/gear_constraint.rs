//! Gear between two shafts in space and the same drive train in one dimension.
//!
//! A gear in the world connects two cylinders that rotate about the x axis, and a torque drives the
//! first one. For comparison, the model contains two equal inertias that a gear of a drive train
//! connects.
//!
//! The system is the example `GearConstraint` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational;
use std::f64::consts::PI;

/// Moment of inertia in kg.m2 of a cylinder of 0.4 m with this diameter in m about its axis.
fn axial(diameter: f64) -> f64 {
    let square = diameter * diameter / 4.0;
    7700.0 * PI * 0.4 * square * square / 2.0
}

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new().g(0),
        sine: Sine::new().amplitude(2).f(1),
    }

    add! { m,
        gear "gearConstraint":
            GearConstraint::new().ratio(10).phi_b(fixed(0)).w_b(fixed(0)).states(Always),
        cyl1: BodyCylinder::new().r([0.4, 0.0, 0.0]).diameter(0.1),
        cyl2: BodyCylinder::new().r([0.4, 0.0, 0.0]).diameter(0.2),
        torque1: Torque::new(),
        zero: Constant::new().k(0),
    }
    m.connect(world.frame_b, gear.bearing);
    m.chain((cyl1.frame_b, gear, cyl2.frame_a));
    m.connect(torque1.frame_a, world.frame_b);
    m.connect(torque1.frame_b, cyl1.frame_a);
    m.connect([sine.y, zero.y, zero.y], torque1.torque);

    add! { m,
        inertia1: rotational::Inertia::new().J(axial(0.1)).phi(fixed(0)).w(fixed(0)),
        ideal_gear "idealGear": rotational::IdealGear::new().ratio(10),
        inertia2: rotational::Inertia::new().J(axial(0.2)),
        torque2: rotational::Torque::new(),
    }
    m.connect(sine.y, torque2.tau);
    m.chain((torque2.flange, inertia1, ideal_gear, inertia2.flange_a));

    m.output("phi_cylinder", gear.phi_b);
    m.output("w_cylinder", gear.w_b);
    m.output("phi_inertia", inertia2.phi);
    m.output("w_inertia", inertia2.w);
    m.stop_time(5);
}
