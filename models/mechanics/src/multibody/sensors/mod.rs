//! Sensors: they measure and exert no loads.
