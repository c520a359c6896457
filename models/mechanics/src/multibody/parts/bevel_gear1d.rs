//! A gear whose flanges have different axes and whose housing moves in space.

use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::two_flanges;
use crate::vector::{X, constant, scale};
use crate::{ports, setters};
use equations::Ex;

/// Gear between two axes of a frame on which its housing is fixed.
///
/// # Equations
/// `flange_a.phi = ratio flange_b.phi`, both relative to `frame_a`; `0 = ratio flange_a.tau +
/// flange_b.tau`; with `e_a = n_a / |n_a|`, `e_b = n_b / |n_b|`: `frame_a.t = -flange_a.tau e_a -
/// flange_b.tau e_b`, `frame_a.f = 0`. With `driveTrainMechanics3D = false` in the world the
/// torques do not act on `frame_a`, which may stay open.
///
/// # Variables
/// `ratio` without unit, not zero; `n_a` and `n_b` without unit, default `{1, 0, 0}`.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.BevelGear1D.
#[derive(Clone, Debug)]
pub struct BevelGear1D {
    ratio: f64,
    n_a: [f64; 3],
    n_b: [f64; 3],
}

ports! {
    /// Ports of a [`BevelGear1D`].
    pub struct BevelGear1DPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Frame to which the housing is fixed.
        frame_a: frame,
    }
}

impl BevelGear1D {
    /// With the transmission ratio `flange_a.phi / flange_b.phi`.
    pub fn ratio(ratio: f64) -> Self {
        BevelGear1D { ratio, n_a: X, n_b: X }
    }
}

setters! {
    impl BevelGear1D {
        /// Axis of `flange_a`, resolved in `frame_a`.
        n_a: [f64; 3],
        /// Axis of `flange_b`, resolved in `frame_a`.
        n_b: [f64; 3],
    }
}

impl OldComponent for BevelGear1D {
    type Ports = BevelGear1DPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Transmission ratio (flange_a.phi / flange_b.phi)";
        let ratio = c.non_zero("ratio", self.ratio, "1", text)?;
        let e_a = c.axis("n_a", self.n_a, "Axis of flange_a resolved in frame_a")?;
        let e_b = c.axis("n_b", self.n_b, "Axis of flange_b resolved in frame_a")?;
        let (a, b) = two_flanges(c, &ROTATIONAL);
        let relation = c.linear(&[(a, Ex::one()), (b, -ratio)], Ex::zero());
        let frame = c.optional_frame("frame_a");
        c.mount(relation, frame, constant(e_a) - scale(&constant(e_b), ratio));
        Ok(())
    }
}
