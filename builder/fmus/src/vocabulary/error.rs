//! Errors, each with a message of one sentence for the user.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::vocabulary::finding::Finding;
use crate::vocabulary::fmi::Status;

/// The reason for a failure.
#[derive(Debug)]
pub enum Error {
    /// A file or folder could not be read or written.
    File {
        /// What was attempted, as a verb: `read`, `write`, ...
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The content of a file is not valid.
    Content {
        /// The file.
        path: PathBuf,
        /// The reason, as the rest of the message.
        reason: String,
    },
    /// A request is not valid: a name, a value or an option.
    Request(String),
    /// Cargo or the workspace failed.
    Build(String),
    /// A model description cannot be written.
    Description(String),
    /// The library of an FMU cannot be used.
    Library {
        /// The FMU or library.
        path: PathBuf,
        /// The reason, as the rest of the message.
        reason: String,
    },
    /// A function of an FMU did not succeed.
    Call(FailedCall),
    /// An FMU breaks rules.
    Rejected {
        /// The FMU.
        path: PathBuf,
        /// The rules broken, at least one.
        findings: Vec<Finding>,
    },
}

/// A function of an FMU that did not succeed.
#[derive(Clone, Debug)]
pub struct FailedCall {
    /// Name of the function.
    pub function: &'static str,
    /// The status that it returned.
    pub status: Status,
    /// The last message that the FMU logged during the call; may be empty.
    pub message: String,
}

impl fmt::Display for FailedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} returned {}", self.function, self.status)?;
        if self.message.is_empty() { Ok(()) } else { write!(f, ": {}", self.message) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::File { action, path, source } => {
                write!(f, "cannot {action} {}: {}", path.display(), reason(action, source))
            }
            Error::Content { path, reason } | Error::Library { path, reason } => {
                write!(f, "{}: {reason}", path.display())
            }
            Error::Request(sentence) | Error::Build(sentence) | Error::Description(sentence) => {
                f.write_str(sentence)
            }
            Error::Call(call) => call.fmt(f),
            Error::Rejected { path, findings } => {
                write!(f, "{} was not written: {}", path.display(), findings[0])?;
                match findings.len() - 1 {
                    0 => Ok(()),
                    more => write!(f, " (and {more} more)"),
                }
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::File { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<FailedCall> for Error {
    fn from(call: FailedCall) -> Error {
        Error::Call(call)
    }
}

impl Error {
    /// Whether it is not about the content of a file, but about what this machine can do.
    pub fn is_of_machine(&self) -> bool {
        use io::ErrorKind::{IsADirectory, NotADirectory, NotFound};
        match self {
            Error::File { action: "read", source, .. } => {
                !matches!(source.kind(), NotFound | IsADirectory | NotADirectory)
            }
            Error::File { .. } => true,
            Error::Request(_) => true,
            _ => false,
        }
    }
}

/// An error of the system in words.
pub fn of_system(error: &io::Error) -> String {
    reason("", error)
}

/// The error of the system without its number.
fn reason(action: &str, source: &io::Error) -> String {
    match source.kind() {
        // The folder above exists, or was made just before.
        io::ErrorKind::NotFound if action == "create" => "no folder can be made there".to_owned(),
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::AlreadyExists => "there is a file of this name".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "a part of its path is a file, not a folder".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        io::ErrorKind::StorageFull => "there is no space left".to_owned(),
        _ => {
            let text = source.to_string();
            text.split(" (os error").next().unwrap_or_default().to_lowercase()
        }
    }
}

/// Attaches a file to an error of the system.
pub trait FileContext<T> {
    /// Names what was attempted (a verb) on which file.
    fn attempt(self, action: &'static str, path: &Path) -> Result<T, Error>;
}

impl<T> FileContext<T> for io::Result<T> {
    fn attempt(self, action: &'static str, path: &Path) -> Result<T, Error> {
        self.map_err(|source| Error::File { action, path: path.to_owned(), source })
    }
}
