//! Tables of Coupler and of other tools.

pub mod csv;
pub mod csv_of_any_tool;
