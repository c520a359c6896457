//! Rules for the archive of an FMU, whose bytes are read without any trust in them.

use std::collections::{BTreeMap, BTreeSet};

use crate::description::rules::by_reason;
use fmus::finding::Finding;
use fmus::platform::is_device_of_windows;
use fmus::wording::hidden_in;

/// An entry of the central directory.
struct Entry {
    name: Vec<u8>,
    flags: u16,
    method: u16,
    version_needed: u16,
    disk: u16,
    unix_mode: Option<u32>,
    sizes: [u32; 2],
    local: usize,
}

const END: [u8; 4] = *b"PK\x05\x06";
const CENTRAL: [u8; 4] = *b"PK\x01\x02";
const LOCAL: [u8; 4] = *b"PK\x03\x04";
/// Bits of the general purpose flags.
const ENCRYPTED: u16 = 1;
const DATA_DESCRIPTOR: u16 = 1 << 3;
const UTF8: u16 = 1 << 11;

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn usize_at(bytes: &[u8], at: usize) -> Option<usize> {
    u32_at(bytes, at).and_then(|n| usize::try_from(n).ok())
}

/// The rules D001 to D005 and D024 that an archive breaks.
pub(crate) fn findings(bytes: &[u8]) -> Vec<Finding> {
    let Some((entries, mut findings)) = directory(bytes) else {
        return vec![Finding::damage("the archive's directory is damaged")];
    };
    for entry in &entries {
        let name = String::from_utf8_lossy(&entry.name).into_owned();
        let wrong_path = path(entry, &name).map(|text| Finding::error("D004", text));
        let of_entry = [storage(entry, bytes), wrong_path, portable(entry, &name)];
        for finding in of_entry.into_iter().flatten() {
            findings.push(Finding { text: format!("{name}: {}", finding.text), ..finding });
        }
    }
    findings.extend(collisions(&entries));
    findings.extend(description(&entries));
    by_reason(findings)
}

/// The entries, and findings about the directory.
fn directory(bytes: &[u8]) -> Option<(Vec<Entry>, Vec<Finding>)> {
    let end = bytes.windows(4).rposition(|w| w == END)?;
    let mut findings = Vec::new();
    let disks = [u16_at(bytes, end + 4)?, u16_at(bytes, end + 6)?];
    if disks != [0, 0] {
        findings.push(Finding::error("D002", "the archive is split over several files"));
    }
    let count = u16_at(bytes, end + 10)?;
    let mut at = usize_at(bytes, end + 16)?;
    if count == u16::MAX || at == u32::MAX as usize {
        findings.push(Finding::error("D001", "the archive is a ZIP64 archive"));
        return Some((Vec::new(), findings));
    }
    let mut entries = Vec::new();
    for _ in 0..count {
        if bytes.get(at..at + 4)? != CENTRAL {
            return None;
        }
        let lengths = [28, 30, 32].map(|field| u16_at(bytes, at + field).map(usize::from));
        let [Some(name), Some(extra), Some(comment)] = lengths else { return None };
        let system = u16_at(bytes, at + 4)? >> 8;
        entries.push(Entry {
            name: bytes.get(at + 46..at + 46 + name)?.to_vec(),
            flags: u16_at(bytes, at + 8)?,
            method: u16_at(bytes, at + 10)?,
            version_needed: u16_at(bytes, at + 6)? & 0xff,
            disk: u16_at(bytes, at + 34)?,
            unix_mode: (system == 3).then_some(u32_at(bytes, at + 38)? >> 16),
            sizes: [u32_at(bytes, at + 20)?, u32_at(bytes, at + 24)?],
            local: usize_at(bytes, at + 42)?,
        });
        at += 46 + name + extra + comment;
    }
    Some((entries, findings))
}

/// The error in the storage of an entry.
fn storage(entry: &Entry, bytes: &[u8]) -> Option<Finding> {
    let local = entry.local;
    if bytes.get(local..local + 4) != Some(&LOCAL) {
        return Some(Finding::damage("its local header is missing"));
    }
    if u16_at(bytes, local + 8) != Some(entry.method) {
        return Some(Finding::damage("its local header names another method"));
    }
    if entry.flags & ENCRYPTED != 0 {
        return Some(Finding::error("D002", "it is encrypted"));
    }
    if entry.method != 0 && entry.method != 8 {
        return Some(Finding::error(
            "D001",
            format!("it is compressed by method {}, not deflate", entry.method),
        ));
    }
    if entry.version_needed > 20 || entry.sizes.contains(&u32::MAX) {
        return Some(Finding::error("D001", "it needs a newer ZIP than 2.0"));
    }
    if entry.flags & DATA_DESCRIPTOR != 0 && entry.method == 0 {
        return Some(Finding::error("D003", "it is stored with a data descriptor"));
    }
    if entry.disk != 0 {
        return Some(Finding::error("D002", "it is on another disk"));
    }
    if entry.unix_mode.is_some_and(|mode| mode & 0o170_000 == 0o120_000) {
        return Some(Finding::error("D002", "it is a link"));
    }
    None
}

/// A reason why some systems cannot unpack an entry.
fn portable(entry: &Entry, name: &str) -> Option<Finding> {
    /// Windows allows 260 characters, including those of the folder to which the FMU is unpacked.
    const LONGEST: usize = 200;
    let refused = |part: &str| {
        part.ends_with(['.', ' ']) && !matches!(part, "." | "..")
            || part.contains(['<', '>', ':', '"', '|', '?', '*'])
            || part.contains(|c: char| c.is_ascii_control())
            || is_device_of_windows(part)
    };
    if let Some(hidden) = hidden_in(name).filter(|_| !name.contains(char::is_control)) {
        return Some(Finding::warning("D004", format!("its name has {hidden}")));
    }
    if !entry.name.is_ascii() {
        return Some(Finding::warning("D004", "its name is not ASCII"));
    }
    if name.len() > LONGEST {
        return Some(Finding::warning("D024", format!("its path has {} characters", name.len())));
    }
    let part = name.split('/').find(|part| refused(part))?;
    Some(Finding::warning("D024", format!("Windows has no files named `{}`", part.escape_debug())))
}

/// The error in the path of an entry.
fn path(entry: &Entry, name: &str) -> Option<String> {
    // Without the flag, a name has an older encoding, which is legal.
    if entry.flags & UTF8 != 0 && std::str::from_utf8(&entry.name).is_err() {
        return Some("its name is not in UTF-8".to_owned());
    }
    if name.is_empty() {
        return Some("it has no name".to_owned());
    }
    if let Some(hidden) = hidden_in(name).filter(|_| name.contains(char::is_control)) {
        return Some(format!("its name has {hidden}"));
    }
    if name.contains('\\') {
        return Some("its name contains a backslash".to_owned());
    }
    if name.starts_with('/') || name.get(1..2) == Some(":") {
        return Some("its path is absolute".to_owned());
    }
    if name.split('/').any(|part| part == "..") {
        return Some("its path leads out of the archive".to_owned());
    }
    None
}

/// D004 and D024: names that are equal, or that are equal for some file systems.
fn collisions(entries: &[Entry]) -> Vec<Finding> {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut findings = Vec::new();
    for entry in entries {
        let name = String::from_utf8_lossy(&entry.name).into_owned();
        if let Some(other) = names.insert(name.to_lowercase(), name.clone()) {
            findings.push(if other == name {
                Finding::error("D004", format!("{name}: the archive contains it twice"))
            } else {
                Finding::warning("D024", format!("{name}: it differs from {other} by case only"))
            });
        }
    }
    for name in names.values() {
        let folders = name.match_indices('/').map(|(at, _)| &name[..at]);
        for folder in folders.filter(|folder| names.contains_key(&folder.to_lowercase())) {
            findings.push(Finding::error("D004", format!("{name}: {folder} is a file")));
        }
    }
    findings
}

/// D005: the description is in the root.
fn description(entries: &[Entry]) -> Option<Finding> {
    let names: BTreeSet<String> =
        entries.iter().map(|e| String::from_utf8_lossy(&e.name).into_owned()).collect();
    if names.contains("modelDescription.xml") {
        return None;
    }
    let lower = |name: &str| name.to_lowercase().ends_with("modeldescription.xml");
    Some(Finding::error(
        "D005",
        match names.iter().find(|name| lower(name)) {
            Some(other) => format!("modelDescription.xml is missing; there is {other}"),
            None => "modelDescription.xml is missing".to_owned(),
        },
    ))
}
