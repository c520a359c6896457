//! Machines of other platforms, which emulators provide: a small importer in C simulates FMUs
//! there.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use fmu_builder::model_description::{Base, ModelDescription};
use fmu_builder::platform::Platform;
use tempfile::TempDir;

use crate::fmu::starts;
use crate::fmu_program::within;
use crate::harness::headers;

/// A machine on which the importer runs.
pub struct Machine {
    /// The folder of its platform below `binaries/`.
    pub platform: &'static str,
    compiler: &'static str,
    /// The program that runs the importer, with its arguments.
    emulator: &'static [&'static str],
    folder: TempDir,
}

/// The importer's job in a simulation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// It stores the serialised state of the middle, and repeats two steps there.
    Save,
    /// It continues from the stored state.
    Continue,
}

const MACHINES: [(&str, &str, &[&str]); 3] = [
    ("linux64", "cc", &[]),
    ("win64", "x86_64-w64-mingw32-gcc", &["/usr/lib/wine/wine64"]),
    ("aarch64-linux", "aarch64-linux-gnu-gcc", &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]),
];

impl Machine {
    /// The machine of a platform, with the importer.
    ///
    /// # Errors
    /// The reason, if a program for it is not installed.
    pub fn of(platform: &str) -> Result<Machine, String> {
        let (platform, compiler, emulator) =
            *MACHINES.iter().find(|(name, ..)| *name == platform).expect("a known platform");
        if emulator.is_empty() && platform != Platform::this_machine().folder() {
            return Err(format!("this machine is not {platform}"));
        }
        for program in [compiler].iter().chain(emulator.first()) {
            if !is_in_path(program) {
                return Err(format!("{program} is not installed"));
            }
        }
        let folder = tempfile::tempdir().expect("a folder for the importer");
        let machine = Machine { platform, compiler, emulator, folder };
        machine.compile();
        Ok(machine)
    }

    fn importer(&self) -> PathBuf {
        self.folder.path().join("host.exe")
    }

    fn compile(&self) {
        let source = |name: &str| crate::root().join("tests/platforms").join(name);
        let compile = |options: &[&str], from: &str, to: &Path| {
            let status = Command::new(self.compiler)
                .args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-I"])
                .arg(headers())
                .arg(source(from))
                .args(options)
                .arg("-o")
                .arg(to)
                .status();
            assert!(status.expect("the compiler starts").success(), "{from} compiles");
        };
        if self.platform == "win64" {
            compile(&[], "host.c", &self.importer());
            let library = self.folder.path().join("bcryptprimitives.dll");
            compile(&["-shared"], "bcryptprimitives.c", &library);
        } else {
            compile(&["-ldl"], "host.c", &self.importer());
        }
    }

    /// A path as programs of the machine see it.
    fn path(&self, path: &Path) -> String {
        match self.platform {
            "win64" => format!("Z:{}", path.display()).replace('/', "\\"),
            _ => path.display().to_string(),
        }
    }

    /// The URI of a folder, as importers of the machine write it.
    fn uri(&self, folder: &Path) -> String {
        let drive = if self.platform == "win64" { "/Z:" } else { "" };
        format!("file://{drive}{}", folder.display()).replace(' ', "%20")
    }

    /// Simulates an unpacked FMU over its default experiment; returns the lines that the importer
    /// prints: the bits of all outputs and states at each step, and the messages of events.
    pub fn simulate(&self, fmu: &Path, job: Job, state: &Path) -> Vec<String> {
        let text = fs::read_to_string(fmu.join("modelDescription.xml")).expect("a description");
        let description = ModelDescription::parse(&text).expect("the description parses");
        let name = &description.model_name;
        let platform = Platform::of_folder(self.platform).expect("a platform");
        let library = fmu.join("binaries").join(self.platform).join(platform.file(name));
        let experiment = &description.experiment;
        let number = |value: Option<f64>| value.expect("a complete experiment");
        let stop = number(experiment.stop_time);
        let steps = (stop / number(experiment.step_size)).clamp(10.0, 1000.0).round();
        let mut command = match self.emulator {
            [] => Command::new(self.importer()),
            [emulator, options @ ..] => {
                let mut command = Command::new(emulator);
                command.args(options).arg(self.importer());
                command
            }
        };
        command
            .arg(self.path(&library))
            .arg(self.uri(&fmu.join("resources")))
            .arg(&description.guid)
            .arg(if job == Job::Save { "save" } else { "continue" })
            .arg(self.path(state))
            .args([number(experiment.tolerance), stop, steps].map(|value| value.to_string()))
            .args(selected(&description))
            .args(starts(name).iter().map(|(variable, value)| {
                let reference = description.variable(variable).expect("a start").value_reference;
                format!("{reference}={value}")
            }))
            .env("WINEPREFIX", crate::target().join("wine"))
            .env("WINEDEBUG", "-all");
        // Services of Wine keep the importer's channels open for seconds after its end.
        let output = within(&mut command, Duration::from_secs(120)).expect("the importer ends");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name} on {}: {errors}\n{printed}", self.platform);
        printed.lines().map(str::to_owned).collect()
    }
}

/// Whether a program is in a folder of the variable PATH, or is a path to one.
pub fn is_in_path(program: &str) -> bool {
    env::split_paths(&env::var_os("PATH").unwrap_or_default())
        .any(|folder| folder.join(program).is_file())
}

/// Lets a program find `cargo-zigbuild` and Zig, if these are installed in the path or where
/// `.ci/run` puts them.
///
/// # Errors
/// The reason, if they are not.
pub fn with_zig(command: &mut Command) -> Result<(), String> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> =
        [crate::target().join("zig/bin")].into_iter().chain(env::split_paths(&path)).collect();
    if !folders.iter().any(|folder| folder.join("cargo-zigbuild").is_file()) {
        return Err("cargo-zigbuild is not installed".to_owned());
    }
    command.env("PATH", env::join_paths(folders).expect("a path"));
    Ok(())
}

/// The types and value references of all outputs and continuous states.
fn selected(description: &ModelDescription) -> BTreeSet<String> {
    let outputs = description.variables.iter().filter(|v| v.causality == "output");
    let states = description.states().into_iter().map(|index| &description.variables[index]);
    let letter = |base| match base {
        Base::Real => Some('r'),
        Base::Integer | Base::Enumeration => Some('i'),
        Base::Boolean => Some('b'),
        Base::String => None,
    };
    let named = outputs.chain(states);
    named.filter_map(|v| Some(format!("{}{}", letter(v.base)?, v.value_reference))).collect()
}
