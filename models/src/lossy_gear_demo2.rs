//! Gear with mesh losses and a bearing with friction, which stick alternately.
//!
//! This is the drive train of `lossy_gear_demo1` with a bearing on the driven shaft. Bearing and
//! gear have the same motion, so they stick and break loose together. Power flows in both
//! directions.
//!
//! The system is the example `LossyGearDemo2` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        gear: LossyGear::new().ratio(2).loss_table([[0.0, 0.5, 0.5, 0.0, 0.0]]),
        inertia1 "Inertia1": Inertia::new().J(1),
        inertia2 "Inertia2": Inertia::new().J(1.5).phi(fixed(0)).w(fixed(0)),
        bearing "bearingFriction": BearingFriction::new().tau_pos([[0.0, 0.5], [1.0, 1.0]]),
        torque1: Torque::new(),
        torque2: Torque::new(),
        drive_sine "DriveSine": Sine::new().amplitude(10).f(1),
        load: Ramp::new().height(5).duration(2).offset(-10),
        fixed: Fixed::new(),
    }

    m.chain((torque1.flange, bearing, inertia1, gear, inertia2.flange_a));
    m.connect(torque2.flange, inertia2.flange_b);
    for support in [gear.support, bearing.support, torque1.support, torque2.support] {
        m.connect(fixed.flange, support);
    }
    m.connect(drive_sine.y, torque1.tau);
    m.connect(load.y, torque2.tau);

    m.outputs([inertia2.phi, inertia2.w]);
    m.stop_time(0.5);
    // The angle of the shaft is about a thousandth of a radian, so the error must be small compared
    // with this.
    m.tolerance(1e-7);
}
