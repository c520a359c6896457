//! The player: a library that is compiled once for each platform and plays the tape of any model.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::compiler::{Compiled, Compiler, Crate};
use super::run_time::RunTime;
use crate::error::{Error, FileContext};
use crate::fmi;

/// The player for a platform.
pub struct Player {
    /// The library.
    pub library: Vec<u8>,
    /// The folder of its platform below `binaries/`.
    pub platform: String,
    /// The extension of its file.
    pub extension: &'static str,
    /// The licence terms of foreign code in it.
    pub terms: String,
}

impl Player {
    /// The player for a target of the compiler, by default that of this machine. It is compiled if
    /// there is none yet, or if the run time has changed since.
    ///
    /// # Errors
    /// If there is no player and it cannot be compiled.
    pub fn find(compiled: &Path, target: Option<&str>) -> Result<Player, Error> {
        let (platform, extension) = target.map_or_else(this_machine, fmi::platform);
        // There may be several targets for one platform.
        let folder = compiled.join("players").join(target.unwrap_or(&platform));
        let files = PlayerFiles { folder, extension };
        let sources = RunTime::read().ok().map(|run_time| run_time.checksum());
        if !files.are_of(sources.as_deref()) {
            let state = if files.sources().is_file() { "is out of date" } else { "is missing" };
            make(&files, sources.as_deref(), compiled, target).map_err(|error| match error {
                Error::Request(_) => error,
                _ => Error::Build(format!("the player for {platform} {state}, and {error}")),
            })?;
        }
        let (library, terms) = (files.library(), files.terms());
        Ok(Player {
            library: fs::read(&library).attempt("read", &library)?,
            platform,
            extension,
            terms: fs::read_to_string(&terms).attempt("read", &terms)?,
        })
    }
}

/// The files of a player.
struct PlayerFiles {
    folder: PathBuf,
    extension: &'static str,
}

impl PlayerFiles {
    /// Whether all files exist and were made from these sources, if the sources are known.
    fn are_of(&self, sources: Option<&str>) -> bool {
        let made = fs::read_to_string(self.sources());
        let fresh = made.is_ok_and(|made| sources.is_none_or(|sources| sources == made));
        fresh && self.library().is_file() && self.terms().is_file()
    }
    fn library(&self) -> PathBuf {
        self.folder.join("player").with_extension(self.extension)
    }
    fn terms(&self) -> PathBuf {
        self.folder.join("licenses.txt")
    }
    /// The file with the checksum of the sources from which it was made; it is written last.
    fn sources(&self) -> PathBuf {
        self.folder.join("sources.txt")
    }
}

fn this_machine() -> (String, &'static str) {
    let (folders, extension) = fmi::this_machine();
    (folders[0].clone(), extension)
}

fn make(
    files: &PlayerFiles,
    sources: Option<&str>,
    compiled: &Path,
    target: Option<&str>,
) -> Result<(), Error> {
    let compiler = Compiler::below(compiled, target)?;
    // Another process may have made it meanwhile.
    if files.are_of(sources) {
        return Ok(());
    }
    // A closed standard error is not a failure.
    let _ = writeln!(
        io::stderr(),
        "compiling the player of interpreted FMUs, which is needed only once"
    );
    let player = Crate {
        // No model can have this name.
        name: "the-player".to_owned(),
        text: "fmu_runtime::export!(player::Player);\n".to_owned(),
        dependencies: &["fmu-runtime", "player"],
        units: 1,
    };
    let made = compiler.compile(&[player])?;
    for Compiled { bytes, terms } in made {
        crate::atomic_file::write(&files.library(), &bytes)?;
        crate::atomic_file::write(&files.terms(), terms.as_bytes())?;
    }
    crate::atomic_file::write(&files.sources(), sources.unwrap_or_default().as_bytes())
}
