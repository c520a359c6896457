//! Sensor of a distance.

use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::vector::dot;
use crate::{ports, setters};
use equations::select;

/// Ideal sensor of the distance between the origins of two frames.
///
/// # Equations
/// With `r = frame_b.r_0 - frame_a.r_0`: `distance = |r|`; below `s_small` the smooth
/// `r.r (3 - r.r / s_small^2) / (2 s_small)`, whose derivative is finite where the origins meet.
///
/// # Variables
/// `distance` in m; `s_small` in m, 1e-10 unless given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.Distance.
#[derive(Clone, Debug)]
pub struct Distance {
    s_small: f64,
}

ports! {
    /// Ports and variables of a [`Distance`] sensor.
    pub struct DistancePorts {
        /// One frame.
        frame_a: frame,
        /// The other frame.
        frame_b: frame,
        /// Distance in m.
        distance: quantity,
    }
}

impl Default for Distance {
    fn default() -> Self {
        Distance { s_small: 1e-10 }
    }
}

setters! {
    impl Distance {
        /// Distance in m below which it is approximated.
        s_small: f64,
    }
}

impl OldComponent for Distance {
    type Ports = DistancePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Distance below which it is approximated";
        let s_small = c.positive("s_small", self.s_small, "m", text)?;
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.law(move |e| {
            let r = e.pose(b).r - e.pose(a).r;
            let scaled = r.map(|x| x / s_small);
            let ratio = dot(&scaled, &scaled);
            let apart = ratio.gt(1.0);
            let far = select(apart, dot(&r, &r), 1.0).sqrt();
            let near = 0.5 * s_small * ratio * (3.0 - ratio);
            let distance = select(apart, far, near);
            e.variable("distance", distance).unit("m").describe("Distance between the frames");
            Ok(())
        });
        Ok(())
    }
}
