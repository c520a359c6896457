//! Puts players for further platforms beside the libraries of an FMU that exists.

use std::path::Path;

use super::{Options, contents, library, players, tape};
use crate::models::Traced;
use crate::models::licenses;
use check;
use fmus::archive::unpack::{self, Archive};
use fmus::archive::{self, Entry};
use fmus::error::{Error, of_system};
use fmus::fmu::{self, Fmu, Implementation};
use fmus::model_description::ModelDescription;
use fmus::platform::Platform;

/// Whether an FMU contains a tape, so that players need no model.
///
/// # Errors
/// If the file is not an FMU.
pub fn has_tape(path: &Path) -> Result<bool, Error> {
    let archive = unpack::open(path)?;
    Ok(archive.file_names().filter_map(Result::ok).any(|name| is_tape(&name)))
}

fn is_tape(path: &str) -> bool {
    path.strip_prefix("resources/").is_some_and(|file| file.ends_with(player::EXTENSION))
}

/// Adds players for targets to an FMU, which is replaced in its place. An FMU of compiled libraries
/// gets the tape of its model too, from which it must have been made.
///
/// # Errors
/// If the FMU already has a library for a target, if there is no player for a target, if the
/// players cannot play the tape, or if the model and the FMU have different descriptions. The FMU
/// is then unchanged.
pub fn extended(path: &Path, model: Option<&Traced>, options: &Options) -> Result<(), Error> {
    let fail = |reason: String| Error::Content { path: path.to_owned(), reason };
    let description = fmu::read_description(path)?;
    let mut entries = entries(path, &mut unpack::open(path)?)?;
    let name = &description.model_name;
    for target in &options.targets {
        let of_target =
            |folder: &&str| Platform::of_folder(folder).as_ref() == Some(&target.platform);
        let folders = entries.iter().filter_map(Entry::folder_of_platform);
        if let Some(folder) = folders.into_iter().find(of_target) {
            return Err(fail(format!(
                "there is already a library in binaries/{folder}/; leave {folder} out"
            )));
        }
    }
    if let Some(model) = model {
        let guid = guid(model)?;
        if guid != description.guid {
            let known = &description.guid;
            let reason = format!("it was made from another text of {name}: its GUID is {known}");
            return Err(fail(format!("{reason}, that of the model is {guid}")));
        }
        entries.push(tape(model, model.program()?));
    }
    // A tape of another version is for other players.
    let played = Fmu::of(&entries, Implementation::Tape)?;
    check::refuse(path, check::instantiates(&played))?;
    let players = players(&options.targets, &options.compiled)?;
    let text = match entries.iter().position(|entry| entry.path == licenses::PATH) {
        Some(index) => String::from_utf8_lossy(&entries.swap_remove(index).bytes).into_owned(),
        None => String::new(),
    };
    let terms = players.iter().map(|player| player.terms.as_str());
    let text = licenses::merged([text.as_str()].into_iter().chain(terms));
    entries.push(Entry::new(licenses::PATH, text));
    let interfaces = description.interfaces();
    let identifier = interfaces.first().map_or(name, |(_, interface)| &interface.model_identifier);
    let entry =
        |player: &super::Player| library(&player.platform, identifier, player.library.as_slice());
    entries.extend(players.iter().map(entry));
    archive::write(path, entries)
}

/// The GUID that the FMU of a model would have.
fn guid(model: &Traced) -> Result<String, Error> {
    let entries = contents(model, "")?;
    let description = entries.iter().find(|entry| entry.path == "modelDescription.xml");
    let text = description.map(|entry| String::from_utf8_lossy(&entry.bytes));
    let parsed = ModelDescription::parse(&text.unwrap_or_default());
    parsed.map(|description| description.guid).map_err(Error::Description)
}

/// The files of an archive.
fn entries(path: &Path, archive: &mut Archive) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let fail = |reason: String| Error::Content { path: path.to_owned(), reason };
        let mut entry = archive.by_index(index).map_err(|error| fail(unpack::reason(&error)))?;
        let name = entry.name().map_err(|error| fail(unpack::reason(&error)))?.into_owned();
        if !entry.is_dir() {
            let bytes = unpack::bytes(&mut entry).map_err(|error| fail(of_system(&error)))?;
            entries.push(Entry::new(name, bytes));
        }
    }
    Ok(entries)
}
