//! The player: a library that is compiled once for each platform and plays the tape of any model.

use std::fs;
use std::path::{Path, PathBuf};

use crate::archive;
use crate::check::{self, Severity};
use crate::error::{Attempt, Error};
use crate::libraries::{self, Crate, Libraries};
use crate::{files, fmu, licenses};

/// The player for a platform.
pub struct Player {
    /// The library.
    pub library: Vec<u8>,
    /// The folder of its platform below `binaries/`.
    pub platform: String,
    /// The extension of its file.
    pub extension: &'static str,
    /// The terms of what others wrote of it.
    pub terms: String,
}

impl Player {
    /// The player for a target of the compiler, this machine's unless given. It is compiled where
    /// there is none yet, or where the run time has changed since.
    ///
    /// # Errors
    /// There is none, and it cannot be compiled.
    pub fn find(compiled: &Path, target: Option<&str>) -> Result<Player, Error> {
        let (platform, extension) = target.map_or_else(this_machine, archive::platform);
        let folder = compiled.join("players").join(&platform);
        let place = Place { folder, extension };
        let sources = libraries::checksum_of_run_time();
        let has_changed = |made: String| sources.as_ref().is_some_and(|sources| *sources != made);
        if fs::read_to_string(place.sources()).map_or(true, has_changed) {
            compile(&place, compiled, target).map_err(|error| {
                let reason = format!("there is no player for {platform} yet, and {error}");
                Error::Build(reason)
            })?;
            files::write(&place.sources(), sources.unwrap_or_default().as_bytes())?;
        }
        let (library, terms) = (place.library(), place.terms());
        Ok(Player {
            library: fs::read(&library).attempt("read", &library)?,
            platform,
            extension,
            terms: fs::read_to_string(&terms).attempt("read", &terms)?,
        })
    }
}

/// The files of a player.
struct Place {
    folder: PathBuf,
    extension: &'static str,
}

impl Place {
    fn library(&self) -> PathBuf {
        self.folder.join("player").with_extension(self.extension)
    }
    fn terms(&self) -> PathBuf {
        self.folder.join("licenses.txt")
    }
    /// The checksum of the sources it was made of; written last.
    fn sources(&self) -> PathBuf {
        self.folder.join("sources.txt")
    }
}

fn this_machine() -> (String, &'static str) {
    let (folders, extension) = fmu::this_machine();
    (folders[0].clone(), extension)
}

fn compile(place: &Place, compiled: &Path, target: Option<&str>) -> Result<(), Error> {
    let libraries = Libraries::below(compiled)?;
    let target = target.unwrap_or(libraries.host());
    let player = Crate {
        // Which is no name of a model.
        name: "Player".to_owned(),
        text: "fmu_runtime::export!(player::Player);\n".to_owned(),
        dependencies: &["fmu-runtime", "player"],
    };
    let mut made = libraries.compile(&[player], target)?;
    let libraries::Library { path, embedded } = made.remove(0);
    let bytes = fs::read(&path).attempt("read", &path)?;
    let mut findings = check::library(&bytes, target, check::Interfaces::Both);
    findings.extend(check::build_paths(&bytes, &libraries.folders()));
    findings.retain(|f| f.severity == Severity::Error || f.rule == "D010");
    if !findings.is_empty() {
        return Err(Error::Rejected { path, findings });
    }
    files::write(&place.library(), &bytes)?;
    files::write(&place.terms(), licenses::embedded(&embedded)?.as_bytes())
}
