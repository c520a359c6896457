//! The files that a distributed program carries: an archive at the end of the program's own file,
//! with the players and the sources of Coupler, which is unpacked when it is first needed.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, io};

use sha2::{Digest, Sha256};
use zip::ZipArchive;

use crate::own_files::folders;
use fmus::archive::{self, Entry, unpack};
use fmus::child_process;
use fmus::error::{Error, FileContext};

/// The version of this program; if it is distributed, with the commit of its sources.
pub const VERSION: &str = match option_env!("COUPLER_DISTRIBUTION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// The folder with the players.
pub const PLAYERS: &str = "players";

/// The folder with the sources, as in the repository.
pub const SOURCES: &str = "sources";

/// The folder of a package whose sources are known as `folder` ([`kernels::folder!`]): itself, or
/// that of the copy which this program carries.
///
/// # Errors
/// If the copy cannot be unpacked.
pub fn source(folder: &str) -> Result<PathBuf, Error> {
    Ok(match unpacked()? {
        Some(carried) if Path::new(folder).is_relative() => carried.join(SOURCES).join(folder),
        _ => PathBuf::from(folder),
    })
}

/// The folder of the players that this program carries.
pub fn players() -> Option<PathBuf> {
    Some(unpacked().ok()??.join(PLAYERS))
}

/// A program with an archive of these files at its end.
///
/// # Errors
/// As [`archive::pack`].
pub fn attach(program: Vec<u8>, files: Vec<Entry>) -> Result<Vec<u8>, Error> {
    archive::pack_after(program, files)
}

/// The folder with the files that this program carries, if it is distributed.
fn unpacked() -> Result<Option<PathBuf>, Error> {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    if option_env!("COUPLER_DISTRIBUTION").is_none() {
        return Ok(None);
    }
    if let Some(folder) = FOLDER.get() {
        return Ok(Some(folder.clone()));
    }
    let program = env::current_exe().attempt("find", Path::new("this program"))?;
    let lasting = folders::data().ok_or_else(|| {
        Error::Request(format!(
            "the files in this program cannot be unpacked, because this user has no home folder; \
             {} may name another one",
            folders::DATA
        ))
    });
    let folder = unpack_below_one_of(&program, lasting, child_process::temporary())?;
    Ok(Some(FOLDER.get_or_init(|| folder).clone()))
}

/// As [`unpack_below`], in a lasting folder. If nobody may write there (for example to the home
/// folder), in a temporary folder, if there is one.
fn unpack_below_one_of(
    program: &Path,
    lasting: Result<PathBuf, Error>,
    temporary: Option<PathBuf>,
) -> Result<PathBuf, Error> {
    let unpacked = lasting.and_then(|data| unpack_below(program, &data));
    match (unpacked, temporary) {
        (Err(_), Some(temporary)) => unpack_below(program, &temporary),
        (outcome, _) => outcome,
    }
}

/// The folder below another one with the files at the end of a program; they are unpacked unless it
/// is there. Its name contains their checksum.
fn unpack_below(program: &Path, data: &Path) -> Result<PathBuf, Error> {
    let damaged = |reason: String| Error::Content { path: program.to_owned(), reason };
    let file = File::open(program).attempt("read", program)?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|_| {
        damaged("the program is incomplete: the files that it carries are missing".to_owned())
    })?;
    let folder = data.join(format!("{}-{}", env!("CARGO_PKG_VERSION"), checksum(&mut archive)));
    if folder.is_dir() {
        return Ok(folder);
    }
    fs::create_dir_all(data).attempt("create", data)?;
    let beside = tempfile::Builder::new().prefix(".unpacked-").tempdir_in(data);
    let beside = beside.attempt("create a folder in", data)?;
    unpack::unpack(program, &mut archive, beside.path())?;
    match fs::rename(beside.path(), &folder) {
        // Another process may have been faster.
        Err(_) if folder.is_dir() => Ok(folder),
        outcome => outcome.attempt("write", &folder).map(|()| folder),
    }
}

/// The checksum of the names and contents in an archive, of which only the directory is read.
fn checksum<R: io::Read + io::Seek>(archive: &mut ZipArchive<R>) -> String {
    let mut hash = Sha256::new();
    for index in 0..archive.len() {
        if let Ok(entry) = archive.by_index_raw(index) {
            hash.update(entry.name_raw());
            hash.update(entry.size().to_le_bytes());
            hash.update(entry.crc32().to_le_bytes());
        }
    }
    hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_carries_is_unpacked_once() {
        let folder = tempfile::tempdir().unwrap();
        let (program, data) = (folder.path().join("fmu"), folder.path().join("data"));
        let carry = |text: &str| {
            let files = vec![Entry::new("players/a.so", text), Entry::new("sources/b.rs", "b")];
            let bytes = attach(b"\x7fELF of a program".to_vec(), files).unwrap();
            assert!(bytes.starts_with(b"\x7fELF of a program"));
            fs::write(&program, bytes).unwrap();
            unpack_below(&program, &data).unwrap()
        };
        let one = carry("a");
        assert_eq!(fs::read(one.join("players/a.so")).unwrap(), b"a");
        assert_eq!(fs::read(one.join("sources/b.rs")).unwrap(), b"b");
        fs::write(one.join("sources/b.rs"), "kept").unwrap();
        assert_eq!(carry("a"), one);
        assert_eq!(fs::read(one.join("sources/b.rs")).unwrap(), b"kept");
        assert_ne!(carry("c"), one, "other files have another folder");
        assert_eq!(fs::read_dir(&data).unwrap().count(), 2, "nothing else remains");
    }

    #[test]
    fn without_a_home_folder_files_are_unpacked_beside_those_of_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let (program, run) = (folder.path().join("fmu"), folder.path().join("run"));
        fs::write(&program, attach(Vec::new(), vec![Entry::new("a", "a")]).unwrap()).unwrap();
        let none = || Err(Error::Request("no home".to_owned()));
        let there = unpack_below_one_of(&program, none(), Some(run.clone())).unwrap();
        assert!(there.starts_with(run) && there.join("a").is_file());
        let not_writable = Ok(program.join("home"));
        assert!(unpack_below_one_of(&program, not_writable, Some(there)).is_ok());
        let message = unpack_below_one_of(&program, none(), None).unwrap_err().to_string();
        assert_eq!(message, "no home");
    }

    #[test]
    fn a_program_that_was_cut_off_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("fmu");
        fs::write(&program, "a program").unwrap();
        let message = unpack_below(&program, folder.path()).unwrap_err().to_string();
        let reason = "the program is incomplete: the files that it carries are missing";
        assert_eq!(message, format!("{}: {reason}", program.display()));
    }

    #[test]
    fn a_program_that_is_not_distributed_knows_its_sources() {
        assert_eq!(source(kernels::FOLDER).unwrap(), Path::new(kernels::FOLDER));
        assert!(players().is_none());
        for file in ["fmu-runtime/kernels/src/lib.rs", "fmu-runtime/kernels/src/newton/mod.rs"] {
            assert_eq!(kernels::folder_of(file), "fmu-runtime/kernels");
        }
    }
}
