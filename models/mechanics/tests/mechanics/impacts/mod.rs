//! Impacts: the laws, the energy that they take, mechanisms with loops, random cases.

mod cases;
mod energy;
mod laws;
mod loops;
mod random;
