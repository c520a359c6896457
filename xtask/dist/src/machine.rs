//! The machines on which the program is tried: the present machine, and the machines of emulators.
//!
//! Each has an empty path and an empty home folder.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use fmu_builder::platform::Platform;
use tempfile::TempDir;

/// The compiler of C and the emulator with its arguments for a platform.
const EMULATORS: [(&str, &str, &[&str]); 2] = [
    ("win64", "x86_64-w64-mingw32-gcc", &["/usr/lib/wine/wine64"]),
    ("aarch64-linux", "aarch64-linux-gnu-gcc", &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]),
];

/// A machine with the program.
pub struct Machine {
    platform: String,
    /// The emulator with its arguments.
    emulator: Vec<String>,
    folder: TempDir,
    wine: PathBuf,
}

impl Machine {
    /// A machine with a program for its platform.
    ///
    /// # Errors
    /// What is not installed, as the inner error.
    pub fn with(program: &Path, platform: &str, root: &Path, target: &Path) -> Result<Machine> {
        let folder = tempfile::tempdir()?;
        let emulated = EMULATORS.iter().find(|(name, ..)| *name == platform);
        ensure!(
            emulated.is_some() || platform == Platform::this_machine().folder(),
            "this machine is not {platform}"
        );
        let emulator: &[&str] = emulated.map_or(&[], |(.., emulator)| emulator);
        let emulator = emulator.iter().map(|word| found(word)).collect();
        let machine =
            Machine { platform: platform.to_owned(), emulator, folder, wine: target.join("wine") };
        for folder in ["path", "home", "work"] {
            fs::create_dir(machine.folder.path().join(folder))?;
        }
        fs::copy(program, machine.program()).context("the program cannot be copied")?;
        if let Some(("win64", compiler, _)) = emulated {
            // Wine 8 lacks this library.
            let source = root.join("tests/platforms/bcryptprimitives.c");
            let library = machine.folder.path().join("bcryptprimitives.dll");
            let status =
                Command::new(compiler).arg("-shared").arg(source).arg("-o").arg(library).status();
            ensure!(status.is_ok_and(|status| status.success()), "{compiler} does not work");
        }
        Ok(machine)
    }

    fn program(&self) -> PathBuf {
        let windows = self.platform == "win64";
        self.folder.path().join(if windows { "fmu.exe" } else { "fmu" })
    }

    /// A file in the folder in which the program runs.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("work").join(name)
    }

    /// Whether a program can start itself: QEMU runs one process only.
    pub fn has_processes(&self) -> bool {
        self.platform != "aarch64-linux" || Platform::this_machine().folder() == self.platform
    }

    /// The program with arguments. In an emulator the program cannot start itself, so the arguments
    /// say that the process is the child.
    fn command(&self, arguments: &[&str]) -> Result<Command> {
        let folder = self.folder.path();
        let mut command = match &self.emulator[..] {
            [] => Command::new(self.program()),
            [emulator, options @ ..] => {
                let mut command = Command::new(emulator);
                command.args(options).arg(self.program());
                command
            }
        };
        command
            .args(arguments)
            .current_dir(folder.join("work"))
            .env_clear()
            .env("PATH", folder.join("path"))
            .env("HOME", folder.join("home"))
            .env("WINEPREFIX", &self.wine)
            .env("WINEDEBUG", "-all")
            .stdin(Stdio::piped());
        if !self.has_processes() {
            let own = folder.join("fmu-run-1");
            if own.exists() {
                fs::remove_dir_all(&own)?;
            }
            command.env("TMPDIR", &own).env("COUPLER_CHILD", own);
        }
        Ok(command)
    }

    /// Starts the program.
    pub fn start(&self, arguments: &[&str]) -> Result<Child> {
        let mut command = self.command(arguments)?;
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().with_context(|| format!("{} cannot be started", self.platform))
    }

    /// Runs the program to its end.
    pub fn run(&self, arguments: &[&str]) -> Result<Output> {
        // Services of Wine keep pipes open after the end of the program; files have no end.
        let [out, err] = ["out", "err"].map(|name| self.folder.path().join(name));
        let mut command = self.command(arguments)?;
        command.stdout(fs::File::create(&out)?).stderr(fs::File::create(&err)?);
        let mut child = command.spawn().with_context(|| format!("{command:?}"))?;
        let input = child.stdin.take();
        let status = child.wait()?;
        drop(input);
        Ok(Output { status, stdout: fs::read(out)?, stderr: fs::read(err)? })
    }
}

/// The place of a program in the path, because the tried program has another path.
fn found(program: &str) -> String {
    let path = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&path).map(|folder| folder.join(program));
    let place = places.into_iter().find(|place| place.is_file());
    place.map_or_else(|| program.to_owned(), |place| place.display().to_string())
}
