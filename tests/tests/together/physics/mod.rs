//! Tests of the physics of whole models: published results, invariants, singular positions.

mod benchmarks;
mod conservation;
mod coupling;
mod driven_wheel;
mod fixed_steps;
mod flights;
mod goldens;
mod impacts;
mod jacobian;
mod loops;
mod methods;
mod random_trains;
mod rebuild;
mod references;
mod singular;
mod steady_starts;
mod stop_impact;
