//! Linear forms, graphs, blocks of equations, matrices, and the numbers behind expressions at build
//! time.

#[doc(hidden)]
pub mod complex;
#[doc(hidden)]
pub mod equation_blocks;
#[doc(hidden)]
pub mod graph_search;
#[doc(hidden)]
pub mod linear_equation;
#[doc(hidden)]
pub mod linear_form;
#[doc(hidden)]
pub mod numeric;
#[doc(hidden)]
pub mod parts;
#[doc(hidden)]
pub mod pivots;
#[doc(hidden)]
pub mod row_space;
pub mod turns;
pub mod two_roots;
