//! Mechanisms in space: joints, bodies, forces, sensors, wheels, gears and pictures.

mod constraints;
mod cut_forces;
mod forces;
mod free_bodies;
mod gas_forces;
mod gear_constraints;
mod generalized_coordinates;
mod gravity;
mod gyroscopes;
mod joints;
mod line_forces;
mod line_masses;
mod parts;
mod rod_forces;
mod rolling;
mod rolling_orientation;
mod rotors;
mod scene;
mod sensors;
mod trees;
mod visualizers;
