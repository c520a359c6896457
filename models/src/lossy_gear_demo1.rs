//! Gear with mesh losses between two inertias that drive alternately.
//!
//! A sinusoidal torque acts on one side of a gear with an efficiency of one half; a torque that
//! decreases with time acts on the other side. The driving flange changes, and for some time the
//! gear is stuck, because the torques are not large enough to overcome its losses.
//!
//! The system is the example `LossyGearDemo1` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        gear: LossyGear::new().ratio(2).loss_table([[0.0, 0.5, 0.5, 0.0, 0.0]]),
        inertia1 "Inertia1": Inertia::new().J(1),
        inertia2 "Inertia2": Inertia::new().J(1.5).phi(fixed(0)).w(fixed(0)),
        torque1: Torque::new(),
        torque2: Torque::new(),
        drive_sine "DriveSine": Sine::new().amplitude(10).f(1),
        load: Ramp::new().height(5).duration(2).offset(-10),
        fixed: Fixed::new(),
    }

    m.chain((torque1.flange, inertia1, gear, inertia2.flange_a));
    m.connect(torque2.flange, inertia2.flange_b);
    m.connect(fixed.flange, gear.support);
    m.connect(fixed.flange, torque1.support);
    m.connect(fixed.flange, torque2.support);
    m.connect(drive_sine.y, torque1.tau);
    m.connect(load.y, torque2.tau);

    m.outputs([inertia2.phi, inertia2.w]);
    m.stop_time(0.5);
}
