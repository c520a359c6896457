//! Engine with six cylinders in two rows.
//!
//! Six slider cranks on one shaft, inclined by 30 deg to either side; the gas in the cylinders
//! drives the shaft against a load that grows with the square of the speed. Every cylinder is a
//! closed loop of its own. A filter smooths the torque that the engine gives to the load.
//!
//! The system is the example `EngineV6` of Modelica.Mechanics.MultiBody.

mod cylinder;

use cylinder::Cylinder;
use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational;

/// Angle of the crank and inclination of each cylinder in deg.
const CYLINDERS: [[f64; 2]; 6] =
    [[-30.0, -30.0], [90.0, 30.0], [210.0, -30.0], [210.0, 30.0], [90.0, -30.0], [-30.0, 30.0]];

/// The model.
pub fn model(m: &mut Assembly) {
    let world = m.add("world", World::default());
    let bearing = m.add("bearing", Revolute::n(X));
    m.connect(world.frame_b, bearing.frame_a);
    let (mut crank, mut block) = (bearing.frame_b, world.frame_b);
    for (k, [crank_angle_offset, inclination]) in CYLINDERS.into_iter().enumerate() {
        let cylinder = Cylinder { crank_angle_offset, inclination };
        let cylinder = m.add(format!("cylinder{}", k + 1), cylinder);
        m.connect(crank, cylinder.crank_a);
        m.connect(block, cylinder.cylinder_a);
        (crank, block) = (cylinder.crank_b, cylinder.cylinder_b);
    }
    let load = rotational::Inertia::J(1.0).phi(fixed(0.0)).w(fixed(10.0)).states(Always);
    let load = m.add("load", load);
    let torque = rotational::QuadraticSpeedDependentTorque::tau_nominal_w_nominal(-100.0, 200.0);
    let torque = m.add("load2", torque);
    let sensor = m.add("torqueSensor", rotational::TorqueSensor);
    let filter = m.add("filter", CriticalDamping::n_f(2, 5.0).steady_state());
    m.connect(bearing.axis, sensor.flange_a);
    m.connect(sensor.flange_b, load.flange_a);
    m.connect(load.flange_b, torque.flange);
    m.connect(sensor.tau, filter.u);

    m.output("phi", load.phi);
    m.output("w", load.w);
    m.output("engineTorque", filter.y);
    m.stop_time(1.01);
    m.step_size(2e-4);
}
