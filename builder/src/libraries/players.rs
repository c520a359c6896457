//! The players: libraries that are compiled once for each platform and play the tape of any model.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::artifacts::Compiled;
use super::compiler::{Compiler, Crate, Profile};
use super::run_time::RunTime;
use crate::own_files::{carried, folders};
use fmus::atomic_file;
use fmus::error::{Error, FileContext};
use fmus::platform::{Platform, SUPPORTED, Target};

/// The variable that names folders with players.
const VARIABLE: &str = "COUPLER_PLAYERS";

/// The player for a platform.
pub struct Player {
    /// The platform.
    pub platform: Platform,
    /// The library.
    pub library: Vec<u8>,
    /// The licence terms of foreign code in it.
    pub terms: String,
}

/// What the file `player.toml` says about the player beside it; it is written last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the program that made it.
    pub version: String,
    /// The checksum of the sources of the run time in it.
    pub sources: String,
    /// The checksum (SHA-256) of the library.
    pub sha256: String,
}

/// A player in a folder.
pub struct Found {
    /// The name of the platform's folder, or `this machine`.
    pub platform: String,
    /// Its folder.
    pub folder: PathBuf,
    /// The size of its library in bytes.
    pub size: usize,
    /// Its manifest.
    pub manifest: Manifest,
    /// Whether this program can use it.
    pub is_current: bool,
}

/// The places of players.
pub struct Players {
    /// Folders with players, in the order in which they are searched. The last folder is for
    /// players that are compiled when a command needs them.
    folders: Vec<PathBuf>,
    /// The workspace in which players are compiled.
    compiled: PathBuf,
    /// The checksum of the sources that players must have, if the sources exist here.
    sources: Option<String>,
}

impl Players {
    /// The players that can be found by a program that compiles libraries in a folder.
    pub fn of(compiled: &Path) -> Players {
        let named = env::var_os(VARIABLE).unwrap_or_default();
        let named = env::split_paths(&named).filter(|folder| !folder.as_os_str().is_empty());
        let others = [beside_the_program(), added(), carried::players()];
        let folders = named.chain(others.into_iter().flatten()).chain([compiled.join("players")]);
        let sources = RunTime::read().ok().map(|run_time| run_time.checksum());
        Players { folders: folders.collect(), compiled: compiled.to_owned(), sources }
    }

    /// The player for a target. It is compiled if there is none yet, or if the run time has changed
    /// since.
    ///
    /// # Errors
    /// If there is no player and it cannot be compiled.
    pub fn find(&self, target: &Target) -> Result<Player, Error> {
        let mut is_old = false;
        // On this machine, the player that is built for all machines with its platform runs too.
        let of_all = target.triple.is_none().then(|| target.platform.target()).flatten();
        let of_all = of_all.map(Target::of_triple);
        for folder in &self.folders {
            for target in of_all.iter().chain([target]) {
                let files = PlayerFiles::of(folder, target);
                if self.can_use(&files) {
                    return files.read();
                }
                is_old |= files.manifest().is_file();
            }
        }
        self.make(target).map_err(|error| match error {
            Error::Request(_) => error,
            _ => {
                let state = if is_old { "is out of date" } else { "is missing" };
                let platform = target.platform.folder();
                Error::Build(format!(
                    "the player for {platform} {state} (`fmu players add` takes one that was made \
                     elsewhere), and {error}"
                ))
            }
        })
    }

    /// Makes the player for a target in the last folder, unless it is there.
    fn make(&self, target: &Target) -> Result<Player, Error> {
        let folder = self.folders.last().map_or(self.compiled.as_path(), PathBuf::as_path);
        self.make_in(folder, target)
    }

    /// Makes the player for a target in a folder, unless it is there.
    ///
    /// # Errors
    /// If it cannot be compiled or written.
    pub fn make_in(&self, folder: &Path, target: &Target) -> Result<Player, Error> {
        let files = PlayerFiles::of(folder, target);
        if self.can_use(&files) {
            return files.read();
        }
        let compiler = Compiler::below(&self.compiled, target)?;
        // Another process may have made it meanwhile.
        if !self.can_use(&files) {
            files
                .write(&compile(&compiler, target)?, self.sources.as_deref().unwrap_or_default())?;
        }
        files.read()
    }

    /// Whether the files are those of a player of this program's version.
    fn can_use(&self, files: &PlayerFiles) -> bool {
        files.read_manifest().is_ok_and(|manifest| self.is_current(&manifest))
            && files.library().is_file()
            && files.terms().is_file()
    }

    fn is_current(&self, manifest: &Manifest) -> bool {
        match &self.sources {
            Some(sources) => *sources == manifest.sources,
            None => manifest.version == env!("CARGO_PKG_VERSION"),
        }
    }

    /// All players for supported platforms and for this machine alone, in the order of the search.
    pub fn list(&self) -> Vec<Found> {
        let in_folder = |folder: &PathBuf| {
            let own = self.found(folder, "this machine", &Target::this_machine());
            self.inside(folder).into_iter().chain(own).collect::<Vec<_>>()
        };
        self.folders.iter().flat_map(in_folder).collect()
    }

    /// The players for supported platforms in a folder.
    fn inside(&self, folder: &Path) -> Vec<Found> {
        let found = |name: &str| self.found(folder, name, &Target::of_folder(name).ok()?);
        SUPPORTED.iter().filter_map(|(name, _)| found(name)).collect()
    }

    /// The player for a target in a folder, if it is there.
    fn found(&self, folder: &Path, platform: &str, target: &Target) -> Option<Found> {
        let files = PlayerFiles::of(folder, target);
        let manifest = files.read_manifest().ok()?;
        let size = fs::metadata(files.library()).ok()?.len() as usize;
        let is_current = self.is_current(&manifest);
        let platform = platform.to_owned();
        Some(Found { platform, folder: folder.to_owned(), size, manifest, is_current })
    }

    /// Copies the players in a folder to the folder of this user, and returns the copied players.
    ///
    /// # Errors
    /// If the folder contains no player, one of another version or a damaged one, or if they cannot
    /// be written.
    pub fn add(&self, from: &Path) -> Result<Vec<Found>, Error> {
        let fail = |reason: String| Error::Content { path: from.to_owned(), reason };
        let to = added().ok_or_else(|| {
            Error::Request(format!(
                "players cannot be added, because this user has no home folder; {VARIABLE} may \
                 name their folder instead"
            ))
        })?;
        if !from.is_dir() {
            return Err(fail("there is no such folder".to_owned()));
        }
        let found = self.inside(from);
        if found.is_empty() {
            return Err(fail("it has no players in folders such as win64".to_owned()));
        }
        let mut players = Vec::new();
        for Found { platform, manifest, is_current, .. } in &found {
            if !is_current {
                let version = &manifest.version;
                let other = "was made from other sources than this program";
                return Err(fail(format!("the player for {platform} {other} (version {version})")));
            }
            let target = Target::of_folder(platform).map_err(Error::Request)?;
            players.push((target.clone(), PlayerFiles::of(from, &target).read()?, manifest));
        }
        for (target, player, manifest) in players {
            let made = Compiled { bytes: player.library, terms: player.terms };
            PlayerFiles::of(&to, &target).write(&made, &manifest.sources)?;
        }
        let is_copy = |there: &Found| found.iter().any(|copied| copied.platform == there.platform);
        Ok(self.inside(&to).into_iter().filter(is_copy).collect())
    }
}

/// The folder `players` beside this program.
pub fn beside_the_program() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    Some(program.parent()?.join("players"))
}

/// The folder of the players that this user has added.
fn added() -> Option<PathBuf> {
    Some(folders::data()?.join("players"))
}

/// The files of a player.
struct PlayerFiles {
    folder: PathBuf,
    platform: Platform,
}

impl PlayerFiles {
    /// The files for a target below a folder. There may be several targets for one platform.
    fn of(folder: &Path, target: &Target) -> PlayerFiles {
        let platform = target.platform.clone();
        let name = match &target.triple {
            None => "this-machine".to_owned(),
            Some(_) if target.is_supported() => platform.folder(),
            Some(triple) => triple.clone(),
        };
        PlayerFiles { folder: folder.join(name), platform }
    }

    fn library(&self) -> PathBuf {
        self.folder.join(self.platform.file("player"))
    }
    fn terms(&self) -> PathBuf {
        self.folder.join("licenses.txt")
    }
    fn manifest(&self) -> PathBuf {
        self.folder.join("player.toml")
    }

    fn read_manifest(&self) -> Result<Manifest, Error> {
        let path = self.manifest();
        if path.exists() && !path.is_file() {
            // To open a pipe would wait for its writer.
            let reason = "it is not a file".to_owned();
            return Err(Error::Content { path, reason });
        }
        let text = fs::read_to_string(&path).attempt("read", &path)?;
        let content = |reason: toml::de::Error| reason.message().to_owned();
        toml::from_str(&text).map_err(|reason| Error::Content { path, reason: content(reason) })
    }

    fn read(&self) -> Result<Player, Error> {
        let (path, terms) = (self.library(), self.terms());
        let library = fs::read(&path).attempt("read", &path)?;
        if checksum(&library) != self.read_manifest()?.sha256 {
            let reason = "the player is damaged: it differs from player.toml".to_owned();
            return Err(Error::Content { path, reason });
        }
        let terms = fs::read_to_string(&terms).attempt("read", &terms)?;
        Ok(Player { platform: self.platform.clone(), library, terms })
    }

    fn write(&self, made: &Compiled, sources: &str) -> Result<(), Error> {
        let manifest = Manifest {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sources: sources.to_owned(),
            sha256: checksum(&made.bytes),
        };
        let text = toml::to_string(&manifest).map_err(|error| Error::Build(error.to_string()))?;
        // If the process ends in between, the player counts as missing, not as damaged.
        let old = self.manifest();
        if old.is_file() {
            fs::remove_file(&old).attempt("remove", &old)?;
        }
        atomic_file::write(&self.library(), &made.bytes)?;
        atomic_file::write(&self.terms(), made.terms.as_bytes())?;
        atomic_file::write(&self.manifest(), text.as_bytes())
    }
}

fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compiles the player for a target.
fn compile(compiler: &Compiler, target: &Target) -> Result<Compiled, Error> {
    let platform = target.triple.as_ref().map(|_| format!(" for {}", target.platform.folder()));
    let platform = platform.unwrap_or_default();
    // A closed standard error is not a failure.
    let _ = writeln!(
        io::stderr(),
        "compiling the player of interpreted FMUs{platform}, which is needed only once"
    );
    let player = Crate {
        // No model can have this name.
        name: "the-player".to_owned(),
        text: "fmu_runtime::export!(player::Player);\n".to_owned(),
        dependencies: &["fmu-runtime", "player"],
        units: 1,
    };
    let made = compiler.compile(Profile::Player, &[player])?.pop();
    made.ok_or_else(|| Error::Build("cargo made no player".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players(folder: &Path, sources: Option<&str>) -> Players {
        let (folder, sources) = (folder.to_owned(), sources.map(str::to_owned));
        Players { folders: vec![folder.join("players")], compiled: folder, sources }
    }

    #[test]
    fn a_player_is_used_only_if_its_sources_agree_and_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let of = players(folder.path(), Some("abc"));
        let target = Target::of_folder("win64").unwrap();
        let files = PlayerFiles::of(&of.folders[0], &target);
        assert!(!of.can_use(&files));
        let made = Compiled { bytes: vec![1, 2, 3], terms: "terms".to_owned() };
        files.write(&made, "abc").unwrap();
        assert_eq!(of.find(&target).unwrap().library, [1, 2, 3]);
        let listed = of.list();
        assert_eq!((listed.len(), listed[0].platform.as_str()), (1, "win64"));
        assert!(listed[0].is_current);
        // Nobody would write to a pipe.
        #[cfg(unix)]
        {
            let path = files.manifest();
            fs::remove_file(&path).unwrap();
            assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
            assert!(!of.can_use(&files) && of.list().is_empty());
            fs::remove_file(&path).unwrap();
            files.write(&made, "abc").unwrap();
        }
        // Without sources, the version decides.
        assert!(players(folder.path(), None).can_use(&files));
        let changed = players(folder.path(), Some("abd"));
        assert!(!changed.can_use(&files) && !changed.list()[0].is_current);
        fs::write(files.library(), [1, 2, 4]).unwrap();
        let message = of.find(&target).err().unwrap().to_string();
        assert!(message.ends_with("the player is damaged: it differs from player.toml"));
    }

    #[test]
    fn a_player_for_this_machine_alone_is_listed_but_not_added() {
        let folder = tempfile::tempdir().unwrap();
        let of = players(folder.path(), Some("abc"));
        let made = Compiled { bytes: vec![1, 2, 3], terms: "terms".to_owned() };
        PlayerFiles::of(&of.folders[0], &Target::this_machine()).write(&made, "abc").unwrap();
        let listed = of.list();
        assert_eq!((listed.len(), listed[0].platform.as_str()), (1, "this machine"));
        assert!(of.inside(&of.folders[0]).is_empty());
    }
}
