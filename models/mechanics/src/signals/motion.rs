//! The acceleration of a motion from one point to another as fast as possible.

use super::interfaces::{from_instant, give};
use crate::declaration::prelude::*;
use equations::select;

component! {
    /// Acceleration of a motion over a distance within limits of speed and acceleration, as fast as
    /// possible.
    ///
    /// # Equations
    /// With the largest speed reached, `v = min(qd_max, sqrt(|deltaq| qdd_max))`: from `startTime`
    /// on `y = sign(deltaq) qdd_max` during `v / qdd_max`; `y = 0` until `|deltaq| / v` after
    /// `startTime`; `y = -sign(deltaq) qdd_max` during `v / qdd_max`. Otherwise `y = 0`. Integrated
    /// twice from rest, `y` gives `deltaq`, at rest.
    ///
    /// The unit of `deltaq` is that of the position, for example rad; `qd_max` is in that unit per
    /// s, `qdd_max` in that unit per s2. The Modelica class has one motion or several, this has
    /// one.
    ///
    /// # Events
    /// Time events where the acceleration changes.
    pub struct KinematicPTP = "Modelica.Blocks.Sources.KinematicPTP" {
        /// Distance to move
        deltaq: Real[fixed],
        /// Largest speed
        qd_max: Real[> 0, fixed],
        /// Largest acceleration
        qdd_max: Real[> 0, fixed],
        /// Time at which the motion begins
        start_time "startTime": Real["s", fixed] = 0,
    }
    variables {
        /// Signal
        y: Real,
    }
}

impl Component for KinematicPTP {
    fn contribute(p: KinematicPTPParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let KinematicPTPParameters { deltaq, qd_max, qdd_max, start_time } = p;
        give(c, "y", move |e| {
            let distance = deltaq.abs();
            let v = qd_max.min((distance * qdd_max).sqrt());
            let speeding = v / qdd_max;
            // Without a distance there is no motion.
            let braking: Ex = select(v.gt(0.0), distance / v, 0.0);
            let begun = e.from(start_time);
            let fast = from_instant(e, "endOfAcceleration", start_time + speeding);
            let brakes = from_instant(e, "beginOfBraking", start_time + braking);
            let over = from_instant(e, "endTime", start_time + braking + speeding);
            let moving = select(brakes, -1.0, select(fast, 0.0, select(begun, 1.0, 0.0)));
            Ok(deltaq.sign() * qdd_max * select(over, 0.0, moving))
        });
        Ok(())
    }
}
