//! The language of mechanical components: what they declare, and the data and laws that they state.
//!
//! The package `mechanics` re-exports these modules. What only its compiler reads is hidden, or in
//! the module [`ids`].

pub mod component;
pub mod declaration;
pub mod domain;
pub mod error;
pub mod ids;
pub mod orientation;
pub mod port;
pub mod scene;
pub mod start;
pub mod statements;
pub mod vector;

#[doc(hidden)]
pub use mechanics_macros as expand;
