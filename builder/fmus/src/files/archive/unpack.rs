//! Reads and unpacks archives of any origin, within limits of size.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::vocabulary::error::{Error, FileContext, of_system};

/// An opened archive.
pub type Archive = ZipArchive<BufReader<File>>;

/// Unpacked size in bytes that is allowed for every archive, however small the file is.
const LEAST_ROOM: u64 = 1 << 29;

/// Maximum ratio of unpacked and packed size for large archives: no content of an FMU is compressed
/// by such a factor.
const MAX_EXPANSION: u64 = 100;

/// Maximum number of entries; no FMU has more.
const MAX_ENTRIES: usize = 100_000;

/// The bytes with which an archive begins.
pub const FIRST_ENTRY: [u8; 4] = *b"PK\x03\x04";

/// The bytes with which the end of an archive's directory begins.
const END_OF_DIRECTORY: [u8; 4] = *b"PK\x05\x06";

/// The length of this end without the archive's comment, and the maximum length with it.
const LENGTH_OF_END: usize = 22;
const MAX_END: u64 = LENGTH_OF_END as u64 + 0xffff;

/// Opens an archive whose declared sizes of entries are within limits.
pub fn open(path: &Path) -> Result<Archive, Error> {
    let fail = |reason: String| Error::Content { path: path.to_owned(), reason };
    let metadata = fs::metadata(path).attempt("read", path)?;
    if metadata.is_dir() {
        return Err(fail("it is not an FMU: it is a folder".to_owned()));
    }
    if !metadata.is_file() {
        return Err(fail("it is not an FMU: it is not a file".to_owned()));
    }
    let file = File::open(path).attempt("read", path)?;
    let mut archive = ZipArchive::new(BufReader::new(file))
        .map_err(|_| fail(format!("it is not an FMU: {}", not_opened(path))))?;
    if archive.len() > MAX_ENTRIES {
        return Err(fail(format!("it is not an FMU: it has {} entries", archive.len())));
    }
    let mut size = 0_u64;
    for index in 0..archive.len() {
        // An entry that cannot be read is reported when it is needed.
        size = size.saturating_add(archive.by_index_raw(index).map_or(0, |entry| entry.size()));
    }
    if size > LEAST_ROOM.max(metadata.len().saturating_mul(MAX_EXPANSION)) {
        return Err(fail(format!(
            "it is not unpacked: {} bytes would become {size} bytes",
            metadata.len()
        )));
    }
    Ok(archive)
}

/// What is wrong with a file that cannot be opened as an archive.
fn not_opened(path: &Path) -> &'static str {
    let (beginning, end) = ends(path).unwrap_or_default();
    let has_directory = end.windows(4).any(|four| four == END_OF_DIRECTORY);
    match (beginning == FIRST_ENTRY, has_directory) {
        (true, false) => "it is a truncated ZIP archive, whose directory at the end is missing",
        (_, true) if end.len() >= LENGTH_OF_END => {
            "it is a damaged ZIP archive, whose directory cannot be read"
        }
        _ => "it is not a ZIP archive",
    }
}

/// The first four bytes of a file, and the last ones, in which an archive has its directory's end.
fn ends(path: &Path) -> io::Result<([u8; 4], Vec<u8>)> {
    let (mut file, mut beginning, mut end) = (File::open(path)?, [0; 4], Vec::new());
    file.read_exact(&mut beginning)?;
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(MAX_END)))?;
    file.take(MAX_END).read_to_end(&mut end)?;
    Ok((beginning, end))
}

/// The content of an entry; the archive's reader stops at the size that the entry declares.
pub fn bytes(entry: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What is wrong with an entry, in words.
pub fn reason(error: &ZipError) -> String {
    match error {
        ZipError::Io(error) => of_system(error),
        error if is_encrypted(error) => "it is encrypted".to_owned(),
        error => error.to_string(),
    }
}

/// Whether an entry needs a password.
pub fn is_encrypted(error: &ZipError) -> bool {
    matches!(error, ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED))
}

/// Whether an error of the system is due to the paths in an archive, which do not fit together, or
/// to damaged content, and not to the machine.
fn is_of_archive(error: &io::Error) -> bool {
    use io::ErrorKind::*;
    let of_paths = matches!(
        error.kind(),
        AlreadyExists | InvalidFilename | IsADirectory | NotADirectory | NotFound
    );
    error.raw_os_error().is_none() || of_paths
}

/// Unpacks an archive into an empty folder: only plain files and folders, and nothing outside it.
pub fn unpack<R: Read + Seek>(
    path: &Path,
    archive: &mut ZipArchive<R>,
    folder: &Path,
) -> Result<(), Error> {
    for index in 0..archive.len() {
        let fail = |name: &str, reason: &str| Error::Content {
            path: path.to_owned(),
            reason: format!("it cannot be unpacked: {name}: {reason}"),
        };
        let number = format!("entry {}", index + 1);
        let mut entry = archive.by_index(index).map_err(|e| fail(&number, &reason(&e)))?;
        let name = entry.name().map_err(|e| fail(&number, &reason(&e)))?.into_owned();
        let inside =
            inside(&name).ok_or_else(|| fail(&name, "its path leads out of the archive"))?;
        if entry.is_symlink() {
            return Err(fail(&name, "it is a link"));
        }
        let target = folder.join(inside);
        let failed = |source: io::Error| match is_of_archive(&source) {
            true => fail(&name, &of_system(&source)),
            false => Error::File { action: "write", path: target.clone(), source },
        };
        if entry.is_dir() {
            fs::create_dir_all(&target).map_err(failed)?;
            continue;
        }
        let parent = target.parent().unwrap_or(folder);
        fs::create_dir_all(parent)
            .and_then(|()| File::create(&target))
            .and_then(|mut file| io::copy(&mut entry, &mut file))
            .map_err(failed)?;
        #[cfg(unix)]
        if entry.unix_mode().is_some_and(|mode| mode & 0o111 != 0) {
            use std::os::unix::fs::PermissionsExt;
            let permissions = fs::Permissions::from_mode(0o755);
            fs::set_permissions(&target, permissions).map_err(failed)?;
        }
    }
    Ok(())
}

/// The path of an entry below the folder to which it is unpacked; some tools write backslashes.
fn inside(name: &str) -> Option<PathBuf> {
    let name = name.replace('\\', "/");
    let drive = name.as_bytes().get(1) == Some(&b':');
    if name.is_empty() || name.contains('\0') || drive {
        return None;
    }
    let plain = |c: &Component<'_>| matches!(c, Component::Normal(_) | Component::CurDir);
    Path::new(&name).components().all(|c| plain(&c)).then(|| PathBuf::from(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out_of_the_folder() {
        for name in ["", "/etc/x", "../x", "a/../../x", "a/../x", "C:/x", "c:x", r"..\x", r"\x"] {
            assert_eq!(inside(name), None, "{name}");
        }
        for (name, path) in [("a/b.so", "a/b.so"), ("./a", "./a"), (r"a\b", "a/b"), ("..a", "..a")]
        {
            assert_eq!(inside(name).as_deref(), Some(Path::new(path)), "{name}");
        }
    }
}
