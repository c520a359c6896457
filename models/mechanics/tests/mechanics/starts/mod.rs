//! Starts: initial conditions, guesses, and what the initial system determines.

mod acceleration_signals;
mod accelerations;
mod assemblies;
mod decisions_of_the_build;
mod drive_train_accelerations;
mod guesses;
mod initial_system;
mod massless_motions;
mod matching;
mod relative_motions;
mod rest_beside_friction;
mod speeds_of_held_bodies;
mod steady_friction;
