//! Tests of the program `fmu` from the point of view of its user.

mod animations;
mod comparisons;
#[cfg(unix)]
mod damaged;
mod fixture;
#[cfg(target_os = "linux")]
mod habits;
#[cfg(unix)]
mod hostile;
mod interpreted;
mod netlists;
mod new_models;
mod outputs;
mod platforms;
mod plots;
#[cfg(unix)]
mod raw_archive;
mod refusals;
mod reports;
mod simulations;
#[cfg(unix)]
mod tables;
#[cfg(target_os = "linux")]
mod views;
