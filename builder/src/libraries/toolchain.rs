//! The toolchain for a target: a compiler that has, or can make, the target's standard library, and
//! a linker.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use fmus::error::{Error, of_system};
use fmus::platform::{Platform, System, Target};

/// The compiler with its linker for a target.
pub struct Toolchain {
    /// The target's name.
    pub triple: String,
    /// The folder of the compiler.
    pub sysroot: PathBuf,
    compiler: Compiler,
    makes_standard_library: bool,
    linker: Linker,
}

/// A compiler: the programs, its own target and its folder.
struct Compiler {
    cargo: OsString,
    rustc: OsString,
    host: String,
    sysroot: PathBuf,
}

/// The linker for a target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Linker {
    /// The one that the compiler or the user's settings name.
    Default,
    /// A cross compiler of C.
    Cross(&'static str),
    /// Zig, through `cargo zigbuild`.
    Zig,
}

/// The cross compilers of C for targets, with their packages in Debian.
const CROSS_COMPILERS: [(&str, &str, &str); 3] = [
    ("x86_64-pc-windows-gnu", "x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64"),
    ("aarch64-unknown-linux-gnu", "aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"),
    ("x86_64-unknown-linux-gnu", "x86_64-linux-gnu-gcc", "gcc-x86-64-linux-gnu"),
];

/// The version of the C library for which Zig links libraries of Linux: that of the oldest systems
/// in use, and the oldest one that Rust's standard library supports.
const GLIBC: &str = "2.17";

/// The variable with the oldest macOS on which libraries shall run, and its value if it is not set:
/// the first one for ARM. By default, each linker chooses another one.
const OF_MACOS: &str = "MACOSX_DEPLOYMENT_TARGET";
const MACOS: &str = "11.0";

/// The packages of Debian's compiler, which can make the standard library of any target.
const SYSTEM: (&str, &str) = ("/usr/bin/cargo", "/usr/bin/rustc");

impl Toolchain {
    /// The toolchain for a target.
    ///
    /// # Errors
    /// If there is no compiler or it does not know the target; or if a part is missing, with the
    /// command that installs it.
    pub fn find(target: &Target) -> Result<Toolchain, Error> {
        let own = Compiler::of(program("CARGO", "cargo"), program("RUSTC", "rustc"))?;
        let triple = target.triple.clone().unwrap_or_else(|| own.host.clone());
        own.knows(&triple)?;
        let linker = match &target.triple {
            None => Linker::Default,
            Some(_) => linker(&triple, triple == own.host)?,
        };
        let (compiler, makes_standard_library) = own.or_system(&triple)?;
        let sysroot = compiler.sysroot.clone();
        Ok(Toolchain { triple, sysroot, compiler, makes_standard_library, linker })
    }

    /// The command of cargo that builds for the target.
    pub fn build(&self) -> Command {
        let mut cargo = Command::new(&self.compiler.cargo);
        cargo.arg(if self.linker == Linker::Zig { "zigbuild" } else { "build" });
        let old = self.linker == Linker::Zig && has_glibc(&self.triple);
        let glibc = if old { format!(".{GLIBC}") } else { String::new() };
        cargo.arg("--target").arg(format!("{}{glibc}", self.triple));
        cargo.env("RUSTC", &self.compiler.rustc);
        if self.makes_standard_library {
            // Libraries print no backtraces, whose code is as large as that of the run time.
            cargo.args(["-Zbuild-std=std,panic_unwind", "-Zbuild-std-features=panic-unwind"]);
            // These options exist in every compiler, but their names may change.
            cargo.env("RUSTC_BOOTSTRAP", "1");
        }
        if let Linker::Cross(command) = self.linker {
            let triple = self.triple.to_ascii_uppercase().replace('-', "_");
            cargo.env(format!("CARGO_TARGET_{triple}_LINKER"), command);
        }
        if self.is_for_darwin() && env::var_os(OF_MACOS).is_none() {
            cargo.env(OF_MACOS, MACOS);
        }
        if self.linker == Linker::Zig && self.is_for_darwin() {
            // The program that strips symbols comes with Apple's linker.
            cargo.env("CARGO_PROFILE_RELEASE_STRIP", "false");
        }
        cargo
    }

    /// The folder of cargo's results, below that of the workspace. Cargo compiles everything again
    /// if the linker differs from that of the last run.
    pub fn results(&self) -> &'static str {
        if self.linker == Linker::Zig { "target-zig" } else { "target" }
    }

    /// Folders of this machine that compiled code must not name, with their replacements, in the
    /// order of replacing. `workspace` is the folder with the sources.
    pub fn folders(&self, workspace: &Path) -> Vec<(PathBuf, &'static str)> {
        let home = env::home_dir().unwrap_or_default();
        let cargo_home =
            env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
        vec![
            (self.sysroot.clone(), "/rust"),
            (cargo_home, "/cargo"),
            (workspace.to_owned(), "/coupler"),
        ]
    }

    /// The compiler's flags, encoded as for cargo: those of the user, then replacements for the
    /// names of folders, so that equal sources give equal bytes in any location, and those for the
    /// target.
    pub fn rust_flags(&self, folders: &[(PathBuf, &'static str)]) -> String {
        let own = match (env::var("CARGO_ENCODED_RUSTFLAGS"), env::var("RUSTFLAGS")) {
            (Ok(encoded), _) => encoded.split('\x1f').map(str::to_owned).collect(),
            (_, Ok(plain)) => plain.split_whitespace().map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let renamed = folders
            .iter()
            .map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()));
        let own = own.into_iter().filter(|f| !f.is_empty());
        let flags = own.chain(renamed).chain(self.flags_of_target());
        flags.collect::<Vec<String>>().join("\x1f")
    }

    fn flags_of_target(&self) -> Vec<String> {
        let mut flags = Vec::new();
        if self.is_for_darwin() {
            // A library contains its own name, by default the path at which it is made.
            flags.push("-Clink-arg=-Wl,-install_name,@rpath/model.dylib".to_owned());
        }
        if self.is_for_darwin() && self.linker == Linker::Zig && self.makes_standard_library {
            // Zig does not read the list of names to export, and would export all.
            flags.push("-Zdefault-visibility=hidden".to_owned());
        }
        flags
    }

    fn is_for_darwin(&self) -> bool {
        Platform::of_target(&self.triple).system == System::Darwin
    }
}

impl Compiler {
    fn of(cargo: OsString, rustc: OsString) -> Result<Compiler, Error> {
        let version = ask(&rustc, &["-vV"])?;
        let host = version.lines().find_map(|l| l.strip_prefix("host: "));
        let host = host.unwrap_or_default().to_owned();
        let sysroot = PathBuf::from(ask(&rustc, &["--print", "sysroot"])?.trim());
        Ok(Compiler { cargo, rustc, host, sysroot })
    }

    /// Refuses a target that the compiler does not know, and that is no file with a target.
    fn knows(&self, target: &str) -> Result<(), Error> {
        let is_own = target == self.host || target.ends_with(".json");
        let list = ["--print", "target-list"];
        if is_own || ask(&self.rustc, &list)?.lines().any(|known| known == target) {
            return Ok(());
        }
        let list = "`rustc --print target-list` lists them";
        Err(Error::Request(format!("rustc does not know the target {target} ({list})")))
    }

    /// The first compiler with the standard library of a target, or else the first with the sources
    /// of the standard library: this compiler, or the compiler of the system. Also, whether the
    /// standard library must be made from sources.
    fn or_system(self, target: &str) -> Result<(Compiler, bool), Error> {
        if self.has_standard_library(target) {
            return Ok((self, false));
        }
        let (cargo, rustc) = SYSTEM;
        let is_installed = Path::new(cargo).is_file() && Path::new(rustc).is_file();
        let system = is_installed.then(|| Compiler::of(cargo.into(), rustc.into()).ok()).flatten();
        let all: Vec<Compiler> = [self].into_iter().chain(system).collect();
        let has = all.iter().position(|compiler| compiler.has_standard_library(target));
        let makes = || all.iter().position(Compiler::has_sources);
        let chosen = has.map(|i| (i, false)).or_else(|| makes().map(|i| (i, true)));
        let (index, from_sources) = chosen.ok_or_else(|| {
            Error::Build(format!(
                "the compiler has no standard library for {target}; \
                 `rustup target add {target}` installs it"
            ))
        })?;
        let compiler = all.into_iter().nth(index);
        compiler.map(|compiler| (compiler, from_sources)).ok_or_else(|| cannot_run(&"rustc"))
    }

    fn has_standard_library(&self, target: &str) -> bool {
        target == self.host
            || target.ends_with(".json")
            || self.sysroot.join("lib/rustlib").join(target).join("lib").is_dir()
    }

    fn has_sources(&self) -> bool {
        self.sysroot.join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file()
    }
}

/// Whether libraries for a target can use the version [`GLIBC`] of the GNU C library, which does
/// not exist for all processors.
fn has_glibc(triple: &str) -> bool {
    let platform = Platform::of_target(triple);
    platform.system == System::Linux && platform.target() == Some(triple)
}

/// The linker for a target that was named: for Linux preferably Zig, for old systems too.
fn linker(triple: &str, is_native: bool) -> Result<Linker, Error> {
    let variable = format!("CARGO_TARGET_{}_LINKER", triple.to_ascii_uppercase().replace('-', "_"));
    let cross = CROSS_COMPILERS.iter().find(|(target, ..)| *target == triple);
    let has_zig = on_path("cargo-zigbuild");
    let needs_zig = || {
        let of_apple = Platform::of_target(triple).system == System::Darwin;
        of_apple && Platform::this_machine().system != System::Darwin
    };
    if env::var_os(variable).is_some() {
        return Ok(Linker::Default);
    }
    if has_zig && has_glibc(triple) {
        return Ok(Linker::Zig);
    }
    match cross {
        _ if is_native => Ok(Linker::Default),
        Some((_, command, _)) if on_path(command) => Ok(Linker::Cross(command)),
        None if !needs_zig() => Ok(Linker::Default),
        _ if has_zig => Ok(Linker::Zig),
        Some((_, command, package)) => Err(Error::Build(format!(
            "there is no linker {command} for {triple}; `apt install {package}` installs it"
        ))),
        None => Err(Error::Build(format!(
            "there is no linker for {triple}; `pip install ziglang cargo-zigbuild` installs it"
        ))),
    }
}

/// Whether a program is in a folder of PATH.
fn on_path(program: &str) -> bool {
    let file = format!("{program}{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(&file).is_file())
}

/// The program that a variable names, or else the one in the path.
fn program(variable: &str, name: &str) -> OsString {
    env::var_os(variable).unwrap_or_else(|| name.into())
}

/// The cargo that runs this program, or else the one in the path.
pub fn cargo() -> Command {
    Command::new(program("CARGO", "cargo"))
}

/// Whether a compiler can be run.
pub fn has_rust() -> bool {
    ask(&program("RUSTC", "rustc"), &["-vV"]).is_ok()
}

/// The error that cargo cannot be run.
pub fn no_cargo(error: io::Error) -> Error {
    Error::Build(format!("cannot run cargo: {}; is Rust installed?", of_system(&error)))
}

fn cannot_run(program: &impl AsRef<Path>) -> Error {
    Error::Build(format!("cannot run {}; is Rust installed?", program.as_ref().display()))
}

/// What the compiler prints.
fn ask(rustc: &OsString, arguments: &[&str]) -> Result<String, Error> {
    let output = Command::new(rustc).args(arguments).output();
    let output = output.ok().filter(|output| output.status.success());
    output
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .ok_or_else(|| cannot_run(&rustc))
}
