//! Bullet that hits a pendulum.

fmu_runtime::export!();
