//! Impacts: the laws, the energy that they take, mechanisms with loops, random cases.

mod balls;
mod energy;
mod loops;
mod multibondlib_models;
mod random;
