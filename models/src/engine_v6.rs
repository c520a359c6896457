//! Engine with six cylinders in two rows.
//!
//! Six slider cranks on one shaft are inclined by 30 deg to either side. The gas in the cylinders
//! drives the shaft against a load that grows with the square of the speed. Every cylinder is a
//! separate closed loop. A filter smooths the torque between engine and load.
//!
//! The system is the example `EngineV6` of Modelica.Mechanics.MultiBody.

mod cylinder;

pub use cylinder::PistonJoints;

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational::{Inertia, QuadraticSpeedDependentTorque, TorqueSensor};
use cylinder::Cylinder;

/// Crank angle and inclination of each cylinder in deg.
const CYLINDERS: [[f64; 2]; 6] =
    [[-30.0, -30.0], [90.0, 30.0], [210.0, -30.0], [210.0, 30.0], [90.0, -30.0], [-30.0, 30.0]];

/// The model.
pub fn model(m: &mut Assembly) {
    with_joints(m, PistonJoints::Single);
}

/// The engine with these joints between cranks and pistons.
pub fn with_joints(m: &mut Assembly, joints: PistonJoints) {
    add! { m,
        world: World::new(),
        bearing: Revolute::new().n(X),
    }
    m.connect(world.frame_b, bearing.frame_a);
    let (mut crank, mut block) = (bearing.frame_b, world.frame_b);
    for (k, [crank_angle_offset, inclination]) in CYLINDERS.into_iter().enumerate() {
        add! { m,
            cylinder [format!("cylinder{}", k + 1)]:
                Cylinder { crank_angle_offset, inclination, joints },
        }
        m.connect(crank, cylinder.crank_a);
        m.connect(block, cylinder.cylinder_a);
        (crank, block) = (cylinder.crank_b, cylinder.cylinder_b);
    }
    add! { m,
        load: Inertia::new().J(1).phi(fixed(0)).w(fixed(10)).states(Always),
        load2: QuadraticSpeedDependentTorque::new().tau_nominal(-100).w_nominal(200),
        sensor "torqueSensor": TorqueSensor::new(),
        filter: CriticalDamping::new().n(2).f(5).steady_state(true),
    }
    m.chain((bearing.axis, sensor, load, load2.flange));
    m.connect(sensor.tau, filter.u);

    m.output("phi", load.phi);
    m.output("w", load.w);
    m.output("engineTorque", filter.y);
    m.stop_time(1.01);
    m.step_size(2e-4);
}
