//! Drive trains: their elements, transmissions, friction, losses and heat.

mod adaptors;
mod balances;
mod beyond_tables;
mod combinations;
mod elements;
mod friction;
mod lossy_gears;
mod mounted;
mod prescribed_loads;
mod prescribed_motions;
mod random;
mod sensors;
mod sources;
mod thermal;
mod transmissions;
mod vehicles;
