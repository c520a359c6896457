//! The files of an archive that is checked.

use std::collections::BTreeMap;

use zip::result::ZipError;

use crate::archive::unpack::{self, Archive};
use crate::finding::Finding;

/// The files of an archive by path.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// The files of an archive, and D001 for entries that cannot be read.
pub(super) fn read(zip: &mut Archive) -> (Files, Vec<Finding>) {
    let (mut files, mut findings) = (Files::new(), Vec::new());
    for index in 0..zip.len() {
        let mut entry = match zip.by_index(index) {
            Ok(entry) => entry,
            Err(e) => {
                let text = format!("entry {}: {e}", index + 1);
                match e {
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
            Err(e) => findings.push(Finding::damage(format!("{name}: {e}"))),
        }
    }
    (files, findings)
}
