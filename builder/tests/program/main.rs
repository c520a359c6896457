//! Tests of the program `fmu` as a person meets it.

#[cfg(unix)]
mod damaged;
mod fixture;
#[cfg(target_os = "linux")]
mod habits;
#[cfg(unix)]
mod hostile;
mod new_models;
#[cfg(unix)]
mod raw_archive;
mod refusals;
mod simulations;
#[cfg(unix)]
mod tables;
