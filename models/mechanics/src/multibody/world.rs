//! The world: the inertial frame and gravity.

use crate::compile::structure::Pose;
use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::vector::{constant, scale};
use crate::{ports, setters};
use equations::Ex;

/// Inertial frame with a uniform gravity field.
///
/// # Equations
/// `frame_b.r_0 = 0`, `frame_b.R` is the identity; gravity is `g n / |n|`.
///
/// # Variables
/// `g` in m/s2, default 9.80665; `n` direction of gravity, default `{0, -1, 0}`.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.World.
#[derive(Clone, Debug)]
pub struct World {
    g: f64,
    n: [f64; 3],
}

impl Default for World {
    fn default() -> Self {
        World { g: 9.80665, n: [0.0, -1.0, 0.0] }
    }
}

ports! {
    /// Ports of the [`World`].
    pub struct WorldPorts {
        /// The inertial frame.
        frame_b: frame,
    }
}

setters! {
    impl World {
        /// Gravity acceleration in m/s2; zero for none.
        g: f64,
        /// Direction of gravity.
        n: [f64; 3],
    }
}

impl Component for World {
    type Ports = WorldPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.check("g", self.g, "m/s2", true)?;
        let direction = c.axis("n", self.n, "Direction of gravity resolved in world frame")?;
        let text = "Constant gravity acceleration";
        let g: Ex = if self.g == 0.0 {
            c.constant("g", 0.0, "m/s2", text);
            Ex::zero()
        } else {
            c.parameter("g", self.g).unit("m/s2").describe(text).tunable().into()
        };
        c.gravity(scale(&constant(direction), g));
        let frame_b = c.frame("frame_b");
        c.ground_frame(frame_b, Pose::identity());
        Ok(())
    }
}
