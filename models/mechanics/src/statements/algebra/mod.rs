//! Linear forms, graphs, blocks of equations, matrices, and the numbers behind expressions at build
//! time.

pub(crate) mod complex;
pub(crate) mod equation_blocks;
pub(crate) mod graph_search;
pub(crate) mod linear_form;
pub(crate) mod numeric;
pub(crate) mod parts;
pub(crate) mod pivots;
pub(crate) mod row_space;
pub mod turns;
pub mod two_roots;
