//! From the topology to the states, and to their initial values in terms of start values.

pub mod first_modes;
pub mod initial;
pub mod initial_system;
pub mod initial_values;
pub mod massless_variables;
pub mod motion_basis;
pub mod motion_placeholders;
pub mod selection;
pub mod start_values;
