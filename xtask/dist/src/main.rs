//! `cargo xtask dist`: makes the program `fmu`, with the models of this repository, as one file for
//! machines without Rust, and tries it.

mod contents;
mod machine;
mod trial;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use fmu_builder::archive::{self, Entry};
use fmu_builder::platform::{System, Target};
use fmu_builder::{carried, libraries};

use contents::Contents;

/// The package with the program.
const PACKAGE: &str = "models";

/// The platforms of the program; players exist for more.
const PLATFORMS: [&str; 3] = ["linux64", "aarch64-linux", "win64"];

const USAGE: &str = "cargo xtask dist [--platform NAME,..] [--out DIR] [--check]";

/// The arguments.
struct Options {
    platforms: Vec<String>,
    out: PathBuf,
    check: bool,
}

fn main() -> ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Result<Options> {
    let platforms = PLATFORMS.map(str::to_owned).to_vec();
    let mut options = Options { platforms, out: target().join("dist"), check: false };
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--platform" => options.platforms = value()?.split(',').map(str::to_owned).collect(),
            "--out" => options.out = value()?.into(),
            "--check" => options.check = true,
            other => bail!("there is no argument `{other}`: {USAGE}"),
        }
    }
    let other = options.platforms.iter().find(|name| !PLATFORMS.contains(&name.as_str()));
    if let Some(other) = other {
        bail!("there is no program for the platform `{other}`, only for {}", PLATFORMS.join(", "));
    }
    Ok(options)
}

fn run(options: &Options) -> Result<()> {
    let contents = Contents::of(&root(), &target())?;
    for platform in &options.platforms {
        let program = make(platform, &contents, &options.out)?;
        if options.check {
            trial::passes(platform, &program, &contents.version, &root(), &target())?;
        }
    }
    Ok(())
}

/// Makes the program for a platform: its file, and an archive with it and its licences.
fn make(platform: &str, contents: &Contents, out: &Path) -> Result<PathBuf> {
    let target = Target::of_folder(platform).map_err(anyhow::Error::msg)?;
    let results = self::target().join("dist/cargo");
    eprintln!("compiling the program for {platform}");
    let made =
        libraries::distribution::program(&root(), PACKAGE, &target, &contents.version, &results)?;
    let licenses = contents.licenses(&made.terms);
    let mut files = contents.files.clone();
    files.push(Entry::new(contents::LICENSES, licenses.as_str()));
    let bytes = carried::attach(made.bytes, files)?;
    let name = if target.platform.system == System::Windows { "fmu.exe" } else { "fmu" };
    let program = out.join(platform).join(name);
    let entries = [
        Entry::new(format!("{}{name}", archive::PROGRAMS), bytes.clone()),
        Entry::new(contents::LICENSES, licenses),
    ];
    let packed = archive::pack(entries.into())?;
    let package = out.join(format!("fmu-{}-{platform}.zip", env!("CARGO_PKG_VERSION")));
    write(&program, &bytes)?;
    #[cfg(unix)]
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    write(&package, &packed)?;
    let megabytes = |bytes: &[u8]| bytes.len() as f64 / 1e6;
    for (path, bytes) in [(&program, &bytes), (&package, &packed)] {
        println!("{platform:<14} {:>5.1} MB {}", megabytes(bytes), path.display());
    }
    Ok(program)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, bytes))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// The root of the repository.
fn root() -> PathBuf {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    folder.canonicalize().unwrap_or(folder)
}

/// The target folder of cargo.
fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
