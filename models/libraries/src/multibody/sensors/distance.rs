//! Sensor of a distance.

use equations::select;
use mechanics::declaration::prelude::*;
use mechanics::vector::dot;

component! {
    /// Ideal sensor of the distance between the origins of two frames.
    ///
    /// # Equations
    /// With `r = frame_b.r_0 - frame_a.r_0`, `distance = |r|`. Below `s_small`, `distance` is the
    /// smooth function `r.r (3 - r.r / s_small^2) / (2 s_small)`, whose derivative is finite where
    /// the origins coincide.
    pub struct Distance = "Modelica.Mechanics.MultiBody.Sensors.Distance" {
        /// Distance below which the smooth approximation is used
        s_small: Real["m", > 0] = 1e-10,
    }
    ports {
        /// First frame
        frame_a: Frame,
        /// Second frame
        frame_b: Frame,
    }
    variables {
        /// Distance between the frames
        distance: Real["m"],
    }
}

impl Component for Distance {
    fn contribute(p: DistanceParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.law(move |e| {
            let r = e.pose(b).r - e.pose(a).r;
            let scaled = r.map(|x| x / p.s_small);
            let ratio = dot(&scaled, &scaled);
            let apart = ratio.gt(1.0);
            let far = select(apart, dot(&r, &r), 1.0).sqrt();
            let near = 0.5 * p.s_small * ratio * (3.0 - ratio);
            e.variable("distance", select(apart, far, near));
            Ok(())
        });
        Ok(())
    }
}
