//! Drive trains: their elements, transmissions, friction, losses and heat.

mod adaptors;
mod combinations;
mod elements;
mod friction;
mod friction_tables;
mod heat_networks;
mod lossy_gears;
mod momentum;
mod mounted;
mod prescribed_loads;
mod prescribed_motions;
mod random;
mod sensors;
mod small_trains;
mod thermal;
mod torque_sources;
mod transmissions;
mod vehicles;
