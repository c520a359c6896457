//! Players for all platforms in one FMU, and libraries that Zig links: for old systems of Linux,
//! and for macOS, of which only the files are examined.

use std::fs;
use std::path::{Path, PathBuf};

use coupler_tests::fmu_program::{fmu, succeeds};
use coupler_tests::machines::{Job, Machine, with_zig};
use coupler_tests::{skipped, target};
use fmu_builder::fmi::FUNCTIONS;
use fmu_builder::platform::{Platform, System};
use fmu_builder::shared_library::{SharedLibrary, Version, expected};

use super::{built, passes_checkers, unpacked};

const ALL: [&str; 5] = ["linux64", "win64", "aarch64-linux", "darwin64", "aarch64-darwin"];

/// The library of a model for a platform in an unpacked FMU.
fn library(folder: &Path, name: &str, platform: &str) -> Vec<u8> {
    let file = Platform::of_folder(platform).expect("a platform").file(name);
    fs::read(folder.join("binaries").join(platform).join(file)).expect("a library")
}

/// Asserts that a library is for its platform, needs only what every system has, and exports the
/// functions of FMI and, if Zig links it, at most a few names of Zig.
fn is_for(platform: &str, bytes: &[u8]) {
    let of = Platform::of_folder(platform).expect("a platform");
    let library = SharedLibrary::read(bytes, Some(&of)).expect("a library");
    assert_eq!(Some((library.format, library.architecture)), expected(&of), "{platform}");
    let none: [&str; 0] = [];
    assert_eq!(library.missing(&of, &[]), none, "{platform}");
    assert!(!library.needed.is_empty(), "{platform}");
    let has = |name: &&&str| library.exports.iter().any(|export| export == **name);
    assert_eq!(FUNCTIONS.iter().filter(has).count(), FUNCTIONS.len(), "{platform}");
    let is_other = |name: &&String| !FUNCTIONS.contains(&name.as_str());
    let others: Vec<&String> = library.exports.iter().filter(is_other).collect();
    let of_zig = if of.system == System::Darwin { 4 } else { 0 };
    if of.system == System::Darwin {
        assert_eq!(library.oldest_system, Some(Version(11, 0)), "{platform}");
    }
    assert!(others.len() <= of_zig, "{platform}: {others:?}");
}

/// A folder with the players that Zig links.
///
/// # Errors
/// What is not installed.
fn players_of_zig() -> Result<PathBuf, String> {
    let folder = target().join("players-of-zig");
    let mut build = fmu();
    build.args(["players", "build", "--platform", "linux64,darwin64,aarch64-darwin", "--out"]);
    with_zig(&mut build)?;
    built(build.arg(&folder))?;
    Ok(folder)
}

#[test]
fn an_fmu_with_players_for_all_platforms_is_small_and_passes_checkers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut build = fmu();
    build.args(["build", "coupled_clutches", "--interpreted", "--platform", "all", "--out"]);
    build.arg(folder.path());
    let made = players_of_zig().and_then(|players| {
        build.env("COUPLER_PLAYERS", players);
        built(&mut build)
    });
    if let Err(reason) = made {
        return skipped(&reason);
    }
    let path = folder.path().join("CoupledClutches.fmu");
    let size = fs::metadata(&path).expect("the FMU").len();
    assert!(size <= 2_500_000, "{size} bytes");
    passes_checkers(&path, &ALL);
    let folder = unpacked(&path);
    for platform in ALL {
        is_for(platform, &library(&folder, "CoupledClutches", platform));
    }
    // Whoever has the FMU sees which systems are new enough.
    let text = succeeds(fmu().arg("inspect").arg(&path));
    assert!(text.contains("linux64 (glibc 2."), "{text}");
}

#[test]
fn libraries_that_zig_links_need_an_old_glibc_and_compute_the_same_bits() {
    let machine = match Machine::of("linux64") {
        Ok(machine) => machine,
        Err(reason) => return skipped(&reason),
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let build = |out: &str, platforms: &[&str]| {
        let out = folder.path().join(out);
        let mut build = fmu();
        build.args(["build", "coupled_clutches"]).args(platforms).arg("--out").arg(&out);
        if !platforms.is_empty() {
            with_zig(&mut build)?;
        }
        built(&mut build)?;
        Ok::<_, String>(unpacked(&out.join("CoupledClutches.fmu")))
    };
    let old = match build("old", &["--platform", "linux64,aarch64-darwin"]) {
        Ok(old) => old,
        Err(reason) => return skipped(&reason),
    };
    let own = build("own", &[]).expect("the compiler of this machine");
    let linux = Platform::of_folder("linux64").expect("a platform");
    let glibc = |fmu: &Path| {
        let bytes = library(fmu, "CoupledClutches", "linux64");
        SharedLibrary::read(&bytes, Some(&linux)).expect("a library").oldest_system
    };
    let version = glibc(&old).expect("a version of glibc");
    assert!(version <= Version(2, 17), "glibc {version}");
    assert_ne!(glibc(&own), Some(version));
    for platform in ["linux64", "aarch64-darwin"] {
        is_for(platform, &library(&old, "CoupledClutches", platform));
    }
    let simulate = |fmu: &Path| machine.simulate(fmu, Job::Save, &fmu.join("state"));
    assert!(simulate(&old) == simulate(&own));
}
