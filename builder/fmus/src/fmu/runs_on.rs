//! The platforms on which an FMU runs, as its libraries say.

use std::path::Path;

use crate::files::archive::unpack::{self, Archive};
use crate::files::model_description::ModelDescription;
use crate::files::shared_library::{SharedLibrary, expected};
use crate::vocabulary::error::Error;
use crate::vocabulary::platform::{Platform, System};

/// The known platforms of an FMU in words: `linux64 (glibc 2.34 or newer)`, `win64`, or
/// `win64 (with odd.dll)` if a library is needed that is neither in the FMU nor on every system.
///
/// # Errors
/// If the file is not an archive.
pub fn platforms(path: &Path, description: &ModelDescription) -> Result<Vec<String>, Error> {
    let mut archive = unpack::open(path)?;
    let names: Vec<String> =
        archive.file_names().filter_map(Result::ok).map(|name| name.into_owned()).collect();
    let mut platforms: Vec<String> = Vec::new();
    for index in 0..archive.len() {
        let words = library(&mut archive, index, &names, description);
        platforms.extend(words.filter(|words| !platforms.contains(words)));
    }
    platforms.sort();
    Ok(platforms)
}

/// The platform of an entry in words, if the entry is a library of the FMU for a known platform;
/// `names` are those of all files.
fn library(
    archive: &mut Archive,
    index: usize,
    names: &[String],
    d: &ModelDescription,
) -> Option<String> {
    let mut entry = archive.by_index(index).ok()?;
    let name = entry.name().ok()?.into_owned();
    let (folder, file) = name.strip_prefix("binaries/")?.split_once('/')?;
    let platform = Platform::of_folder(folder)?;
    let is_library = |identifier: &str| file == platform.file(identifier);
    d.interfaces().iter().find(|(_, interface)| is_library(&interface.model_identifier))?;
    let library = SharedLibrary::read(&unpack::bytes(&mut entry).ok()?, Some(&platform)).ok()?;
    let fits = expected(&platform).is_some_and(|e| e == (library.format, library.architecture));
    let of_system = match platform.system {
        System::Linux => "glibc",
        System::Windows | System::Darwin => "macOS",
    };
    // Without it, nothing can run.
    let is_fmu = library.exports.iter().any(|name| name == "fmi2Instantiate");
    let age = library.oldest_system.map(|version| format!("{of_system} {version} or newer"));
    let inside = format!("binaries/{folder}/");
    let beside: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix(&*inside)).collect();
    let needed = library.missing(&platform, &beside).into_iter();
    let needs: Vec<String> = age.into_iter().chain(needed.map(|n| format!("with {n}"))).collect();
    (fits && is_fmu).then(|| match needs.is_empty() {
        true => folder.to_owned(),
        false => format!("{folder} ({})", needs.join(", ")),
    })
}
