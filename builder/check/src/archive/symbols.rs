//! Undefined symbols of a Linux library that none of its dependencies defines.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use object::{Architecture, BinaryFormat, Object, ObjectSymbol};

use fmus::shared_library::needed;
use fmus::wording::{counted, listed};

/// The library that every process has.
const EVERYWHERE: &str = "libc.so.6";

/// Libraries that are often forgotten, because most processes have them.
const OFTEN: [&str; 6] =
    ["libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libgcc_s.so.1", "libstdc++.so.6"];

/// The content of a library, from the archive or from the system.
type Bytes<'a> = std::borrow::Cow<'a, [u8]>;

/// A message for each library of this machine that is used but not declared as needed, and a
/// message for all symbols without a definition. There are no messages if a needed library is not
/// on this machine.
pub(crate) fn undefined(bytes: &[u8], beside: &BTreeMap<&str, &[u8]>) -> Vec<String> {
    let Ok(file) = object::File::parse(bytes) else { return Vec::new() };
    if file.format() != BinaryFormat::Elf {
        return Vec::new();
    }
    let symbols = file.dynamic_symbols().filter(|s| s.is_undefined() && !s.is_weak());
    let mut left: BTreeSet<&str> = symbols.filter_map(|s| s.name().ok()).collect();
    left.remove("");
    let loader = Loader { beside, architecture: file.architecture() };
    let mut waiting = needed(&file);
    waiting.push(EVERYWHERE.to_owned());
    let mut seen = BTreeSet::new();
    while let Some(name) = waiting.pop().filter(|_| !left.is_empty()) {
        if seen.insert(name.clone()) {
            let Some(library) = loader.find(&name) else { return Vec::new() };
            waiting.extend(take_defined(&library, &mut left));
        }
    }
    let mut texts = Vec::new();
    for name in OFTEN.into_iter().filter(|name| !seen.contains(*name)) {
        let before = left.clone();
        if let Some(library) = loader.find(name).filter(|_| !left.is_empty()) {
            take_defined(&library, &mut left);
        }
        texts.extend(listed(before.difference(&left)).map(|(count, names)| {
            format!("does not name {name} as needed, but uses {count} of its symbols: {names}")
        }));
    }
    texts.extend(listed(left.iter()).map(|(count, names)| {
        let symbols = counted(count, "symbol");
        format!("uses {symbols} that neither it nor the libraries it names define: {names}")
    }));
    texts
}

/// Removes the symbols that a library defines, and returns the libraries that it needs.
fn take_defined(library: &[u8], left: &mut BTreeSet<&str>) -> Vec<String> {
    let Ok(file) = object::File::parse(library) else { return Vec::new() };
    for symbol in file.dynamic_symbols().filter(|s| !s.is_undefined()) {
        left.remove(symbol.name().unwrap_or_default());
    }
    needed(&file)
}

/// Finds libraries as the system's loader does.
struct Loader<'a> {
    beside: &'a BTreeMap<&'a str, &'a [u8]>,
    architecture: Architecture,
}

impl<'a> Loader<'a> {
    fn find(&self, name: &str) -> Option<Bytes<'a>> {
        if let Some(bytes) = self.beside.get(name) {
            return Some(Bytes::Borrowed(bytes));
        }
        // A name with slashes is a path on the machine that built it.
        let places = if name.contains('/') { Vec::new() } else { places(name) };
        let libraries = places.into_iter().filter_map(|path| fs::read(path).ok());
        libraries.into_iter().find(|bytes| self.fits(bytes)).map(Bytes::Owned)
    }

    fn fits(&self, bytes: &[u8]) -> bool {
        let is = object::File::parse(bytes).map(|f| (f.format(), f.architecture()));
        is == Ok((BinaryFormat::Elf, self.architecture))
    }
}

/// The possible paths of a library of the system.
fn places(name: &str) -> Vec<PathBuf> {
    let variable = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&variable)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .collect();
    let cache = fs::read("/etc/ld.so.cache").unwrap_or_default();
    places.extend(cached(&cache, name));
    let folders = ["/lib64", "/usr/lib64", "/lib", "/usr/lib"];
    places.extend(folders.map(|folder| Path::new(folder).join(name)));
    places
}

/// The paths of a library in the loader's cache: the cache has a header of 48 bytes, with the
/// number of entries at byte 20, and entries of 24 bytes, with the offsets of name and path at
/// bytes 4 and 8.
fn cached(cache: &[u8], name: &str) -> Vec<PathBuf> {
    let number = |at: usize| {
        let bytes = cache.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_ne_bytes(bytes)).ok()
    };
    let text = |at: usize| {
        let bytes = cache.get(at..)?.split(|b| *b == 0).next()?;
        std::str::from_utf8(bytes).ok()
    };
    if !cache.starts_with(b"glibc-ld.so.cache1.1") {
        return Vec::new();
    }
    let entries = (0..number(20).unwrap_or(0)).map(|k| 48 + 24 * k);
    entries
        .take_while(|at| at + 24 <= cache.len())
        .filter(|at| number(at + 4).and_then(text) == Some(name))
        .filter_map(|at| number(at + 8).and_then(text).map(PathBuf::from))
        .collect()
}
