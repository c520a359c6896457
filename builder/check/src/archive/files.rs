//! The files of an archive that is checked.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use zip::result::ZipError;

use fmus::archive::unpack::{self, Archive};
use fmus::error::of_system;
use fmus::finding::Finding;

/// The files of an archive by path.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// The files of an archive, D001 for entries that cannot be read, and whether all are there.
pub(crate) fn read(zip: &mut Archive) -> (Files, Vec<Finding>, bool) {
    let (mut files, mut findings, mut unread) = (Files::new(), Vec::new(), false);
    for index in 0..zip.len() {
        let mut entry = match zip.by_index(index) {
            Ok(entry) => entry,
            Err(e) => {
                let text = format!("entry {}: {}", index + 1, unpack::reason(&e));
                match e {
                    // The rules for archives name it.
                    e if unpack::is_encrypted(&e) => unread = true,
                    ZipError::InvalidArchive(_) | ZipError::Io(_) => {
                        findings.push(Finding::damage(text))
                    }
                    _ => findings.push(Finding::error("D001", text)),
                }
                continue;
            }
        };
        let name = entry.name().map(|n| n.into_owned()).unwrap_or_default();
        // Only the rules for archives report backslashes.
        let path = name.replace('\\', "/");
        if path.ends_with('/') {
            continue;
        }
        let size = entry.size();
        match unpack::bytes(&mut entry) {
            Ok(bytes) if bytes.len() as u64 == size => drop(files.insert(path, bytes)),
            Ok(bytes) => {
                findings.push(Finding::damage(format!(
                    "{name}: it has {} bytes, not {size}",
                    bytes.len()
                )));
                files.insert(path, bytes);
            }
            // The rules for archives name it.
            Err(e) if e.kind() == ErrorKind::Unsupported => unread = true,
            Err(e) => findings.push(Finding::damage(format!("{name}: {}", of_system(&e)))),
        }
    }
    let complete = findings.is_empty() && !unread;
    (files, findings, complete)
}
