//! What a component may say: the language in which components speak to the compiler.
//!
//! A component states data (`contributions`) and laws. A law reads values through a view (`laws`),
//! or describes surfaces that touch (`contact`). It speaks of the motions of coordinates and frames
//! (`motion`), of poses and inertias (`spatial`), and of linear forms of variables (`algebra`). A
//! module uses only those before it in the order `algebra`, `spatial`, `motion`, `laws`, `contact`,
//! `contributions`. What only the compiler reads is hidden.

pub mod algebra;
pub mod contact;
pub mod contributions;
pub mod laws;
pub mod motion;
pub mod spatial;
