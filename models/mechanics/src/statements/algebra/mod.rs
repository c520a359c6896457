//! Linear forms, graphs, blocks of equations, matrices, and the numbers behind expressions at build
//! time.

pub mod complex;
pub mod equation_blocks;
pub mod graph_search;
pub mod linear_form;
pub mod numeric;
pub mod parts;
pub mod pivots;
pub mod row_space;
pub mod turns;
pub mod two_roots;
