//! Vehicles on a driving cycle, one of them with a trailer.
//!
//! A vehicle is driven by a torque from a table of time, which also contains the inclination of the
//! road. A second vehicle, with twice the torque, tows an equal vehicle. The table is a file in the
//! `resources` of the FMU, which can be replaced. Its columns are the time in s, the driving torque
//! as a multiple of the one for 25 km/h on a level road, and the tangent of the inclination.
//!
//! The system is the example `Vehicle` of Modelica.Mechanics.Translational.

use coupler::prelude::*;
use coupler::rotational::Torque;
use coupler::translational::*;

/// Mass of a vehicle in kg.
const MASS: f64 = 100.0;
/// Radius of its wheels in m.
const RADIUS: f64 = 0.25;
/// Its frontal area times its drag coefficient in m2.
const DRAG_AREA: f64 = 0.5;
/// Its coefficient of rolling resistance.
const ROLLING: f64 = 0.01;
/// Density of the air in kg/m3 that scales the driving torque; that of the vehicles is different.
const RHO: f64 = 1.18;

/// The model.
pub fn model(m: &mut Assembly) {
    let speed: f64 = 25.0 / 3.5;
    let drag = DRAG_AREA * RHO * speed * speed / 2.0;
    let gain = (drag + ROLLING * MASS * 9.80665) * RADIUS;

    let vehicle = || Vehicle::new().m(MASS).J(0).R(RADIUS).A(1).Cd(DRAG_AREA).cr_constant(ROLLING);
    let started = || vehicle().s(fixed(0)).v(fixed(0));
    add! { m,
        cycle: CombiTimeTable::new().file("cycle.csv"),
        alone "vehicle": started(),
        towing "vehicle1": started(),
        trailer: vehicle(),
        sensor "multiSensor": MultiSensor::new(),
    }
    m.chain((towing.flange_t, sensor, trailer.flange_t));

    for (name, vehicle, factor) in [("", alone, 1.0), ("1", towing, 2.0)] {
        add! { m,
            scaled [format!("gain{name}")]: Gain::new().k(factor * gain),
            torque [format!("torque{name}")]: Torque::new(),
        }
        m.chain((cycle.y(1), scaled, torque.tau));
        m.connect(torque.flange, vehicle.flange_r);
    }
    for vehicle in [alone, towing, trailer] {
        m.connect(cycle.y(2), vehicle.inclination);
    }

    m.output("v", alone.v);
    m.output("v1", towing.v);
    m.output("f_trailer", sensor.f);
    m.stop_time(60);
    m.step_size(0.01);
}
