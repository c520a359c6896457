//! Writes FMU archives; equal content gives equal bytes.

use std::io::{Cursor, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

use crate::files::atomic_file;
pub mod unpack;

use crate::vocabulary::error::Error;

/// The folder with the programs in an archive, and that with the libraries of an FMU, whose files
/// can be executed.
pub const PROGRAMS: &str = "bin/";
const LIBRARIES: &str = "binaries/";

/// A file of an archive.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its path in the archive, with `/` between folders.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Entry {
    /// A file of an archive.
    pub fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Entry {
        Entry { path: path.into(), bytes: bytes.into() }
    }

    /// The name of the folder below `binaries/` if the file is inside such a folder.
    pub fn folder_of_platform(&self) -> Option<&str> {
        Some(self.path.strip_prefix("binaries/")?.split_once('/')?.0)
    }
}

/// The bytes of an archive: modelDescription.xml first, then the other files sorted by path.
///
/// # Errors
/// If two files have the same name, or a file is too large for an archive.
pub fn pack(entries: Vec<Entry>) -> Result<Vec<u8>, Error> {
    pack_after(Vec::new(), entries)
}

/// As [`pack`], with other bytes before those of the archive.
pub fn pack_after(bytes: Vec<u8>, mut entries: Vec<Entry>) -> Result<Vec<u8>, Error> {
    entries.sort_by(|a, b| {
        let key = |e: &Entry| e.path != "modelDescription.xml";
        (key(a), &a.path).cmp(&(key(b), &b.path))
    });
    let mut archive = ZipWriter::new(end_of(bytes));
    for entry in &entries {
        let is_code = [PROGRAMS, LIBRARIES].iter().any(|folder| entry.path.starts_with(folder));
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .system(System::Unix)
            .unix_permissions(if is_code { 0o755 } else { 0o644 });
        archive
            .start_file(&*entry.path, options)
            .and_then(|()| Ok(archive.write_all(&entry.bytes)?))
            .map_err(|e| Error::Build(format!("cannot pack {}: {e}", entry.path)))?;
    }
    let bytes =
        archive.finish().map_err(|e| Error::Build(format!("cannot finish the archive: {e}")))?;
    Ok(bytes.into_inner())
}

/// A position at the end of bytes.
fn end_of(bytes: Vec<u8>) -> Cursor<Vec<u8>> {
    let end = bytes.len() as u64;
    let mut cursor = Cursor::new(bytes);
    cursor.set_position(end);
    cursor
}

/// Writes an archive, either completely or not at all.
///
/// # Errors
/// As [`pack`], and if the file cannot be written.
pub fn write(path: &Path, entries: Vec<Entry>) -> Result<(), Error> {
    atomic_file::write(path, &pack(entries)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_content_in_any_order_gives_same_bytes() {
        let a = Entry::new("documentation/index.html", "<p>");
        let b = Entry::new("modelDescription.xml", "<x/>");
        let one = pack(vec![a.clone(), b.clone()]).unwrap();
        assert_eq!(one, pack(vec![b, a]).unwrap());
        // The first local header, which is 30 bytes long, contains the name of the description.
        assert_eq!(&one[30..50], b"modelDescription.xml");
    }
}
