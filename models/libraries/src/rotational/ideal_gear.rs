//! A gear without inertia, losses or elasticity.

use crate::interfaces::two_flanges_and_support;
use mechanics::declaration::prelude::*;
use mechanics::domain::ROTATIONAL;

component! {
    /// Ideal gear without inertia.
    ///
    /// It is a gear, a belt or a chain whose losses and elasticity do not matter.
    ///
    /// # Equations
    /// `phi_a = ratio phi_b`, where both angles are relative to the support (absolute if it is not
    /// connected), and `0 = ratio flange_a.tau + flange_b.tau`. The torque of the support balances
    /// those of both flanges.
    ///
    /// `ratio` is fixed because initial values depend on it.
    pub struct IdealGear = "Modelica.Mechanics.Rotational.Components.IdealGear" {
        /// Transmission ratio (flange_a.phi / flange_b.phi)
        ratio: Real["1", != 0, fixed],
    }
    ports {
        /// Fast flange
        flange_a: Flange,
        /// Slow flange
        flange_b: Flange,
        /// Housing
        support: Flange,
    }
}

impl Component for IdealGear {
    fn contribute(p: IdealGearParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let [a, b, support] = two_flanges_and_support(c, &ROTATIONAL);
        c.linear(&[(a, Ex::one()), (b, -p.ratio), (support, p.ratio - 1.0)], Ex::zero());
        Ok(())
    }
}
