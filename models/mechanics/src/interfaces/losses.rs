//! Lost power and where it goes.

use crate::declaration::group;

group! {
    /// Lost power.
    pub struct Losses(losses) {}
    ports {
        /// Where the lost power goes
        heat_port "heatPort": HeatPort,
    }
    variables {
        /// Power that leaves the mechanics as heat
        loss_power "lossPower": Real["W"],
    }
}
