//! A source of the acceleration of the fastest motion over a given distance.

use super::interfaces::from_instant;
use equations::select;
use mechanics::declaration::prelude::*;

component! {
    /// Acceleration of the fastest motion over a distance with limited speed and acceleration.
    ///
    /// # Equations
    /// The largest speed that is reached is `v = min(qd_max, sqrt(|deltaq| qdd_max))`. From
    /// `startTime` on, `y = sign(deltaq) qdd_max` for the time `v / qdd_max`; then `y = 0` until
    /// `|deltaq| / v` after `startTime`; then `y = -sign(deltaq) qdd_max` for the time
    /// `v / qdd_max`. Before and afterwards `y = 0`. A motion from rest with this acceleration ends
    /// at rest after the distance `deltaq`.
    ///
    /// `deltaq` has the unit of the position, for example rad; `qd_max` has that unit per s, and
    /// `qdd_max` that unit per s2. The class of the Modelica Standard Library has one or several
    /// motions; this component has one.
    ///
    /// # Events
    /// Time events at the changes of the acceleration.
    pub struct KinematicPTP = "Modelica.Blocks.Sources.KinematicPTP" {
        /// Distance of the motion
        deltaq: Real[fixed] = 1,
        /// Largest speed
        qd_max: Real[> 0, fixed] = 1,
        /// Largest acceleration
        qdd_max: Real[> 0, fixed] = 1,
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
        c.output("y", move |e| {
            let distance = deltaq.abs();
            let v = qd_max.min((distance * qdd_max).sqrt());
            let ramp_duration = v / qdd_max;
            // If the distance is zero, there is no motion.
            let time_until_braking: Ex = select(v.gt(0.0), distance / v, 0.0);
            let begun = e.from(start_time);
            let at_speed = from_instant(e, "endOfAcceleration", start_time + ramp_duration);
            let brakes = from_instant(e, "beginOfBraking", start_time + time_until_braking);
            let end = start_time + time_until_braking + ramp_duration;
            let over = from_instant(e, "endTime", end);
            let moving = select(brakes, -1.0, select(at_speed, 0.0, select(begun, 1.0, 0.0)));
            Ok(deltaq.sign() * qdd_max * select(over, 0.0, moving))
        });
        Ok(())
    }
}
