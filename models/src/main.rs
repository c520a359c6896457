//! The program `fmu` with the models of this repository.

use std::process::ExitCode;

fn main() -> ExitCode {
    coupler::run(&models::MODELS)
}
