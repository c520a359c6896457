//! The program `fmu` with the models of this repository.

use std::process::ExitCode;

fn main() -> ExitCode {
    fmu_builder::program::run(&models::MODELS)
}
