//! The FMU's resources: the location of their folder, and the tables that are read from it.

use crate::model::system::{Data, Info, Table};
use kernels::rows::Rows;
use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Maximum length of a table's file in bytes. Its numbers take at most four times as much memory.
const MAX_TABLE_FILE: u64 = 1 << 26;

/// Reads the tables of a model; the location is that of the importer, a URI.
///
/// # Errors
/// A message about the location or a file.
pub(crate) fn load(info: &Info, location: Option<&CStr>) -> Result<Box<[Rows]>, String> {
    load_from(info, |file| folder(location, file))
}

/// Reads the tables of a model; `folder` is called with the name of the file for each table that is
/// in a file.
///
/// # Errors
/// A message that there is no folder, or about the folder or a file.
pub fn load_from(
    info: &Info,
    folder: impl Fn(&str) -> Result<PathBuf, String>,
) -> Result<Box<[Rows]>, String> {
    let rows = |table: &Table| match table.data {
        Data::Rows(rows) => Rows::new(rows, &table.shape),
        Data::File(file) => {
            let path = folder(file)?.join(file);
            let named = |reason: String| format!("{}: {reason}", path.display());
            let bytes = read(&path, MAX_TABLE_FILE).map_err(|error| named(error.to_string()))?;
            let text = String::from_utf8(bytes).map_err(|error| named(error.to_string()))?;
            Rows::parse(&text, &table.shape).map_err(named)
        }
    };
    let named = |table: &Table| rows(table).map_err(|reason| format!("{}: {reason}", table.name));
    info.tables.iter().map(named).collect()
}

/// The content of a file.
///
/// # Errors
/// If it cannot be read, or has more than `most` bytes; further bytes are not read.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let mut length = file.metadata()?.len();
    let mut bytes = Vec::new();
    if length <= most {
        // The file may grow meanwhile, or have no length.
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        length = bytes.len() as u64;
    }
    if length > most {
        let reason = format!("it has {length} bytes, but at most {most} are read");
        return Err(io::Error::other(reason));
    }
    Ok(bytes)
}

/// The folder of resources at a URI that the importer gives; `wanted` is what is needed from it.
///
/// # Errors
/// A message about the location.
pub fn folder(location: Option<&CStr>, wanted: &str) -> Result<PathBuf, String> {
    let missing = || format!("{wanted} is needed, but the resource location is missing");
    folder_of(location.ok_or_else(missing)?, cfg!(windows))
}

/// The folder that a `file` URI denotes. The URI may have one, two (with the host `localhost`) or
/// three slashes and percent-encoded bytes; on Windows also a drive letter or the host of a network
/// path.
fn folder_of(location: &CStr, windows: bool) -> Result<PathBuf, String> {
    let shown = location.to_string_lossy();
    let refuse = |why: &str| format!("the resource location {shown} {why}");
    let uri = location.to_bytes();
    let (scheme, rest) = uri.split_at_checked(5).unwrap_or((uri, b""));
    if !scheme.eq_ignore_ascii_case(b"file:") {
        return Err(refuse("is not a file URI"));
    }
    let (host, path) = match rest.strip_prefix(b"//") {
        Some(rest) => rest.split_at(rest.iter().position(|&b| b == b'/').unwrap_or(rest.len())),
        None => (&b""[..], rest),
    };
    if !path.starts_with(b"/") {
        return Err(refuse("has no absolute path"));
    }
    let path = decoded(path).ok_or_else(|| refuse("is not properly percent-encoded"))?;
    let drive = path.get(1).is_some_and(u8::is_ascii_alphabetic) && path.get(2) == Some(&b':');
    let path = if windows && drive { path[1..].to_vec() } else { path };
    match host {
        b"" => path_of(path),
        host if host.eq_ignore_ascii_case(b"localhost") => path_of(path),
        host if windows => path_of([b"//", host, &path].concat()),
        _ => return Err(refuse("is on another computer")),
    }
    .ok_or_else(|| refuse("is not a path in this system"))
}

/// The bytes of a percent-encoded text.
fn decoded(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            let digit = |byte: u8| char::from(byte).to_digit(16);
            bytes.push((digit(digits[0])? * 16 + digit(digits[1])?) as u8);
            rest = after;
        } else {
            bytes.push(first);
        }
    }
    (!bytes.contains(&0)).then_some(bytes)
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(uri: &CStr, windows: bool) -> Result<String, String> {
        folder_of(uri, windows).map(|path| path.to_string_lossy().into_owned())
    }

    #[test]
    fn all_forms_of_a_file_uri_are_understood() {
        for (uri, path) in [
            (c"file:///data/fmu/resources", "/data/fmu/resources"),
            (c"file:/data/fmu/resources", "/data/fmu/resources"),
            (c"file://localhost/data/fmu/resources", "/data/fmu/resources"),
            (c"FILE:///data/", "/data/"),
            (c"file:///data/a%20b%c3%a4%25", "/data/a bä%"),
        ] {
            assert_eq!(shown(uri, false).as_deref(), Ok(path), "{uri:?}");
        }
        for (uri, path) in [
            (c"file:///C:/Users/a%20b", "C:/Users/a b"),
            (c"file:/d:/x", "d:/x"),
            (c"file://localhost/C:/x", "C:/x"),
            (c"file:///C%3A/x", "C:/x"),
            (c"file://server/share/x", "//server/share/x"),
        ] {
            assert_eq!(shown(uri, true).as_deref(), Ok(path), "{uri:?}");
        }
    }

    #[test]
    fn other_locations_are_refused_by_name() {
        for (uri, why) in [
            (c"", "is not a file URI"),
            (c"/data/fmu/resources", "is not a file URI"),
            (c"http://a.b/c", "is not a file URI"),
            (c"file:", "has no absolute path"),
            (c"file:resources", "has no absolute path"),
            (c"file://localhost", "has no absolute path"),
            (c"file:///data/%2", "is not properly percent-encoded"),
            (c"file:///data/%zz", "is not properly percent-encoded"),
            (c"file:///data/%00", "is not properly percent-encoded"),
            (c"file://server/share", "is on another computer"),
        ] {
            let text = uri.to_string_lossy();
            let expected = format!("the resource location {text} {why}");
            assert_eq!(shown(uri, false), Err(expected));
        }
    }
}
