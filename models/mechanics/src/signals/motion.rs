//! The acceleration of a motion from one point to another as fast as possible.

use super::{ANY, POSITIVE, SourcePorts, from_instant, give, setting};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::setters;
use equations::{Ex, select};

/// Acceleration of a motion over a distance within limits of speed and acceleration, as fast as
/// possible.
///
/// # Equations
/// With the largest speed reached, `v = min(qd_max, sqrt(|deltaq| qdd_max))`: from `startTime` on
/// `y = sign(deltaq) qdd_max` during `v / qdd_max`; `y = 0` until `|deltaq| / v` after `startTime`;
/// `y = -sign(deltaq) qdd_max` during `v / qdd_max`. Otherwise `y = 0`. Integrated twice from rest,
/// `y` gives `deltaq`, at rest.
///
/// # Variables
/// `deltaq` in the unit of the position (for example rad), `qd_max` in that unit per s, `qdd_max`
/// in that unit per s2, `startTime` in s.
///
/// # Events
/// Time events where the acceleration changes.
///
/// # Reference
/// Modelica.Blocks.Sources.KinematicPTP, for one motion.
#[derive(Clone, Debug)]
pub struct KinematicPTP {
    deltaq: f64,
    qd_max: f64,
    qdd_max: f64,
    start_time: f64,
}

impl KinematicPTP {
    /// Over the distance `deltaq`, with largest speed and largest acceleration.
    pub fn deltaq_qd_max_qdd_max(deltaq: f64, qd_max: f64, qdd_max: f64) -> Self {
        KinematicPTP { deltaq, qd_max, qdd_max, start_time: 0.0 }
    }
}

setters! {
    impl KinematicPTP {
        /// Time in s at which the motion begins.
        start_time: f64,
    }
}

impl OldComponent for KinematicPTP {
    type Ports = SourcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let deltaq = setting(c, "deltaq", self.deltaq, ANY, None, "Distance to move")?.done();
        let text = "Largest speed";
        let qd_max = setting(c, "qd_max", self.qd_max, POSITIVE, None, text)?.done();
        let text = "Largest acceleration";
        let qdd_max = setting(c, "qdd_max", self.qdd_max, POSITIVE, None, text)?.done();
        let text = "Time at which the motion begins";
        let start_time = setting(c, "startTime", self.start_time, ANY, Some("s"), text)?.done();
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
