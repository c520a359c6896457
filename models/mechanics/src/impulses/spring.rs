//! A spring between two frames.

use crate::component::{Contribution, OldComponent};
use crate::declaration::Real;
use crate::error::Error;
use crate::multibody::{LineForce, Tension};
use crate::{ports, setters};
use equations::{Limits, select};

/// Linear spring between two frames.
///
/// # Equations
/// Both frames are pulled towards each other by `f = c (length - s0)`; below `s_small` by `length /
/// s_small` times that, so that the force has a direction everywhere. No torques, and no impulses.
///
/// # Variables
/// `c` in N/m (if zero, a constant), `s0` unstretched length in m, default 0, `s_small` in m,
/// default 1e-4; `f` in N, positive if stretched; `length` and `s`, not less than `s_small`, in m;
/// `r_rel_0` in m, `e_rel_0` without unit, in world axes.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Forces.Spring.
#[derive(Clone, Debug)]
pub struct Spring {
    c: Real,
    s0: f64,
    s_small: f64,
}

ports! {
    /// Ports and variables of a [`Spring`].
    pub struct SpringPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Distance of the frames in m.
        length: quantity,
        /// Distance of the frames in m, not less than `s_small`.
        s: quantity,
        /// Force in N; positive pulls the frames towards each other.
        f: quantity,
    }
}

impl Spring {
    /// With stiffness `c` in N/m, unstretched at length zero.
    pub fn c(c: impl Into<Real>) -> Self {
        Spring { c: c.into(), s0: 0.0, s_small: 1e-4 }
    }
}

setters! {
    impl Spring {
        /// Unstretched length in m.
        s0: f64,
        /// Length in m below which the spring has no definite direction.
        s_small: f64,
    }
}

impl OldComponent for Spring {
    type Ports = SpringPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let stiffness = c.amount_or_unknown("c", self.c, "N/m", "Spring constant")?;
        let s0 = c.value("s0", self.s0, "m", "Unstretched length of the spring")?;
        let text = "Prevents a division by zero where the frames coincide";
        let s_small = c.limited("s_small", self.s_small, "m", text, Limits::POSITIVE)?.into();
        LineForce::between(c, s_small).law(c, move |_, line| {
            // Within `s_small` the force falls to zero as length^2 / s_small and length / s_small.
            let (l, s) = (line.length, line.s);
            let missing = (s - l) * (s * s + s * l + l * l) / 3.0 - s0 * (s * s - l * l) / 2.0;
            let near = (s - s0).square() / 2.0 - missing / s;
            let energy = select(l.lt(s), near, (l - s0).square() / 2.0);
            Tension { f: stiffness * (l - s0), energy: stiffness * energy, loss_power: None }
        });
        Ok(())
    }
}
