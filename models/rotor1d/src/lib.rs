//! Rotor on one coordinate, placed and oriented in space.

fmu_runtime::export!();
