//! The lost power of a component, and the heat port that receives it.

use mechanics::declaration::group;

group! {
    /// Lost power.
    pub struct Losses(pub losses) {}
    ports {
        /// Heat port that receives the lost power
        heat_port "heatPort": HeatPort,
    }
    variables {
        /// Power that leaves the mechanics as heat
        loss_power "lossPower": Real["W"],
    }
}
