//! Opens the archive of an FMU: reads its description and unpacks its files.

pub mod runs_on;

use std::fs;
use std::path::{Path, PathBuf};

use fmu_runtime::equations::RunnableModel;
use tempfile::TempDir;
use zip::result::ZipError;

use crate::files::archive::Entry;
use crate::files::archive::unpack::{self, Archive};
use crate::files::atomic_file;
use crate::files::model_description::{Interface, ModelDescription};
use crate::host::FmuLibrary;
use crate::host::in_process;
use crate::vocabulary::error::{Error, FileContext, of_system};
use crate::vocabulary::fmi::FmuType;
use crate::vocabulary::platform::Platform;
use crate::vocabulary::wording::listed;

/// The name of the description in the archive.
const DESCRIPTION: &str = "modelDescription.xml";

/// An unpacked FMU.
pub struct Fmu {
    /// The archive.
    pub path: PathBuf,
    /// Its description.
    pub description: ModelDescription,
    folder: Folder,
    implementation: Implementation,
}

/// The folder with the files of an FMU.
enum Folder {
    /// A folder of its own, which is deleted when the FMU is dropped.
    Own(TempDir),
    /// The folder of an FMU that another process has unpacked.
    Given(PathBuf),
}

/// The place of the code of an FMU.
#[derive(Clone, Copy)]
pub enum Implementation {
    /// Its library.
    Library,
    /// Its tape, which this program plays.
    Tape,
    /// This program.
    Here(&'static dyn RunnableModel),
}

/// Maximum length of a description in bytes; no FMU has a longer one.
const LONGEST_DESCRIPTION: u64 = 1 << 28;

/// The text of the description in an archive.
fn description_text(path: &Path, archive: &mut Archive) -> Result<String, Error> {
    let fail = |reason: String| Error::Content { path: path.to_owned(), reason };
    let mut entry = archive.by_name(DESCRIPTION).map_err(|error| match error {
        ZipError::FileNotFound => fail(format!("it is not an FMU: it has no {DESCRIPTION}")),
        error => fail(format!("{DESCRIPTION} cannot be read: {}", unpack::reason(&error))),
    })?;
    let size = entry.size();
    if size > LONGEST_DESCRIPTION {
        return Err(fail(format!("{DESCRIPTION} is too long: it has {size} bytes")));
    }
    let bytes = unpack::bytes(&mut entry)
        .map_err(|e| fail(format!("{DESCRIPTION} cannot be read: {}", of_system(&e))))?;
    String::from_utf8(bytes).map_err(|_| fail(format!("{DESCRIPTION} is not UTF-8")))
}

/// Reads the description of an FMU without unpacking it.
///
/// # Errors
/// If the file is not an FMU.
pub fn read_description(path: &Path) -> Result<ModelDescription, Error> {
    let mut archive = unpack::open(path)?;
    parse(path, &mut archive)
}

fn parse(path: &Path, archive: &mut Archive) -> Result<ModelDescription, Error> {
    described(path, &description_text(path, archive)?)
}

fn described(path: &Path, text: &str) -> Result<ModelDescription, Error> {
    ModelDescription::parse(text).map_err(|reason| Error::Content {
        path: path.to_owned(),
        reason: format!("{DESCRIPTION}: {reason}"),
    })
}

fn temporary() -> Result<TempDir, Error> {
    let folder = tempfile::Builder::new().prefix("fmu-").tempdir();
    folder.attempt("create", &std::env::temp_dir())
}

impl Fmu {
    /// Opens and unpacks an FMU.
    ///
    /// # Errors
    /// If the file is not an FMU, or no folder can be made to unpack it.
    pub fn open(path: &Path) -> Result<Fmu, Error> {
        let mut archive = unpack::open(path)?;
        let description = parse(path, &mut archive)?;
        let folder = temporary()?;
        unpack::unpack(path, &mut archive, folder.path())?;
        Ok(Fmu {
            path: path.to_owned(),
            description,
            folder: Folder::Own(folder),
            implementation: Implementation::Library,
        })
    }

    /// Makes an unpacked FMU from files, without an archive.
    ///
    /// # Errors
    /// If the files are not those of an FMU, or there is no folder for them.
    pub fn of(entries: &[Entry], implementation: Implementation) -> Result<Fmu, Error> {
        let folder = temporary()?;
        for Entry { path, bytes } in entries {
            atomic_file::write(&folder.path().join(path), bytes)?;
        }
        let text = entries.iter().find(|entry| entry.path == DESCRIPTION).map(|e| &*e.bytes);
        let text = String::from_utf8_lossy(text.unwrap_or_default());
        let description = described(Path::new(DESCRIPTION), &text)?;
        let path = PathBuf::from(&description.model_name);
        Ok(Fmu { path, description, folder: Folder::Own(folder), implementation })
    }

    /// An FMU that another process has unpacked into a folder.
    ///
    /// # Errors
    /// If the folder has no description of an FMU.
    pub fn unpacked(
        path: PathBuf,
        folder: PathBuf,
        implementation: Implementation,
    ) -> Result<Fmu, Error> {
        let file = folder.join(DESCRIPTION);
        let text = fs::read_to_string(&file).attempt("read", &file)?;
        let description = described(&path, &text)?;
        Ok(Fmu { path, description, folder: Folder::Given(folder), implementation })
    }

    /// The place of its code.
    pub fn implementation(&self) -> Implementation {
        self.implementation
    }

    /// The interface of the description for a type of FMU.
    ///
    /// # Errors
    /// If the FMU does not have the type.
    pub fn interface(&self, fmu_type: FmuType) -> Result<&Interface, Error> {
        let d = &self.description;
        let (interface, other, option) = match fmu_type {
            FmuType::ModelExchange => (&d.model_exchange, &d.co_simulation, "--cs"),
            FmuType::CoSimulation => (&d.co_simulation, &d.model_exchange, "--me"),
        };
        interface.as_ref().ok_or_else(|| Error::Content {
            path: self.path.clone(),
            reason: match other {
                Some(_) => format!("it is not an FMU for {fmu_type}; use {option}"),
                None => "it is an FMU neither for Model Exchange nor for Co-Simulation".to_owned(),
            },
        })
    }

    /// The unpacked library for a type of FMU on this machine.
    ///
    /// # Errors
    /// If the FMU does not have the type, or no library for this machine.
    pub fn library(&self, fmu_type: FmuType) -> Result<PathBuf, Error> {
        let identifier = &self.interface(fmu_type)?.model_identifier;
        if identifier.contains(['/', '\\']) {
            let reason = format!("its modelIdentifier `{identifier}` is not the name of a file");
            return Err(Error::Content { path: self.path.clone(), reason });
        }
        let binaries = self.folder().join("binaries");
        let here = Platform::this_machine();
        let (folders, file) = (here.folders(), here.file(identifier));
        let found = folders.iter().map(|f| binaries.join(f).join(&file)).find(|p| p.is_file());
        found.ok_or_else(|| Error::Content {
            path: self.path.clone(),
            reason: format!(
                "it has no library {}/{file} (there is {})",
                folders[0],
                libraries(&binaries)
            ),
        })
    }

    /// Loads the library for a type of FMU, or uses the functions in this program instead.
    ///
    /// # Errors
    /// As [`Fmu::library`], and if the system cannot load it.
    pub fn load(&self, fmu_type: FmuType) -> Result<FmuLibrary, Error> {
        match self.implementation {
            Implementation::Library => {}
            Implementation::Tape => return Ok(player::functions().into()),
            Implementation::Here(model) => {
                return Ok(in_process::functions(self.resources(), model).into());
            }
        }
        FmuLibrary::load(&self.library(fmu_type)?, fmu_type).map_err(|error| match error {
            Error::Library { reason, .. } => Error::Library { path: self.path.clone(), reason },
            other => other,
        })
    }

    /// The folder with the unpacked files.
    pub fn folder(&self) -> &Path {
        match &self.folder {
            Folder::Own(folder) => folder.path(),
            Folder::Given(folder) => folder,
        }
    }

    /// The URI of the unpacked folder `resources`.
    pub fn resources(&self) -> String {
        uri(&self.folder().join("resources"))
    }
}

/// The content of the folders below `binaries/`, for a message.
fn libraries(binaries: &Path) -> String {
    let inside = |folder: &Path| -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect()
    };
    let mut there: Vec<String> = Vec::new();
    for platform in inside(binaries) {
        let files = inside(&binaries.join(&platform));
        there.extend(files.into_iter().map(|file| format!("{platform}/{file}")));
    }
    there.sort();
    listed(there.iter()).map_or_else(|| "no other".to_owned(), |(_, names)| names)
}

/// The URI of an absolute path.
pub fn uri(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b':' => {
                uri.push(char::from(byte));
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// The text of a file.
///
/// # Errors
/// A sentence if it is not UTF-8.
pub fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}
