//! Compiles the program `fmu` for machines without Rust; it knows no folder of this machine, and
//! carries its files ([`crate::own_files::carried`]).

use std::path::Path;

use super::artifacts::{Artifacts, Compiled};
use super::toolchain::Toolchain;
use check;
use fmus::error::Error;
use fmus::platform::Target;
use fmus::shared_library::SharedLibrary;

/// The program of a package in the workspace of Coupler, for a target; `version` is what it prints
/// as its version. The files of cargo are below the folder `results`.
///
/// # Errors
/// If a part of the toolchain is missing, the program cannot be compiled, needs libraries that not
/// every system has, or names folders of this machine.
pub fn program(
    workspace: &Path,
    package: &str,
    target: &Target,
    version: &str,
    results: &Path,
) -> Result<Compiled, Error> {
    let toolchain = Toolchain::find(target)?;
    let folders = toolchain.folders(workspace);
    let results = results.join(toolchain.results());
    let mut cargo = toolchain.build();
    cargo
        .args(["--profile", "distribution", "--locked", "--package", package])
        .current_dir(workspace)
        .arg("--target-dir")
        .arg(&results)
        // As for libraries, a folder that other workspaces share is not used.
        .env("CARGO_BUILD_BUILD_DIR", &results)
        .env("CARGO_ENCODED_RUSTFLAGS", toolchain.rust_flags(&folders))
        .env("COUPLER_DISTRIBUTION", version);
    let platform = &target.platform;
    let artifacts = Artifacts::of(&mut cargo, &toolchain.triple)?.ok_or_else(|| {
        let folder = platform.folder();
        Error::Build(format!("cargo cannot compile the program for {folder}, see above"))
    })?;
    let (path, made) = artifacts.made(package)?;
    check::refuse(path, check::build_paths(&made.bytes, &folders))?;
    let needs = SharedLibrary::read(&made.bytes, Some(platform));
    let needs = needs
        .map_err(|reason| Error::Content { path: path.to_owned(), reason: reason.to_string() })?;
    match &needs.missing(platform, &[])[..] {
        [] => Ok(made),
        missing => Err(Error::Content {
            path: path.to_owned(),
            reason: format!("not every system has what it needs: {}", missing.join(", ")),
        }),
    }
}
