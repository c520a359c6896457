//! Electrical components, with the names and equations of `Modelica.Electrical`.
//!
//! [`electrical`] contains what circuits consist of, [`machines`] motors with direct current,
//! [`power_converters`] converters, averaged or with switches, and [`batteries`] cells, their
//! stacks and a charger.

pub mod batteries;
pub mod electrical;
pub mod machines;
pub mod power_converters;
mod warm_resistance;

/// Compiles and runs the code in the guides.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../README.md")]
    mod readme {}
}
