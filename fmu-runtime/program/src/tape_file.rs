//! A program as a file: how it is written, and how an untrusted file is read.
//!
//! A magic line, the version of the format (`u32`), the SHA-256 of the content, its length (`u64`),
//! then the content: tape and declarations in the encoding of `postcard`. Numbers of the header are
//! little-endian.

use crate::check::check;
use crate::info::Info;
use crate::program::Program;
use crate::tape::Tape;
use sha2::{Digest, Sha256};
use std::fmt;

const MAGIC: &[u8; 21] = b"Tape of an FMU model\n";

const VERSION: u32 = 1;

/// Magic line, version, checksum, length.
const HEAD: usize = MAGIC.len() + 4 + 32 + 8;

/// The longest file that is read: thirty times as long as that of a drive train of 1000 inertias.
///
/// Each list has a limit of its own. The shortest elements are those of requirements, three bytes
/// that take 48 in memory: what is read is at most sixteen times as long as the file, and lists
/// that grow while they are read may have up to twice the memory that they need.
pub const MAX_FILE: u64 = 1 << 25;

/// Why a file is not a program that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// It does not start with the magic line.
    NoTape,
    /// It has another version of the format.
    Version(u32),
    /// It is longer than [`MAX_FILE`].
    TooLong(u64),
    /// It ends before or after its last byte: the length that was expected, and its own.
    Length(u64, u64),
    /// It is not what was written.
    Checksum,
    /// What was written cannot be read.
    Encoding(String),
    /// No machine can run it, and why.
    Content(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NoTape => f.write_str("it is not the tape of a model"),
            ReadError::Version(version) => {
                write!(f, "it has version {version} of the format, but {VERSION} can be read")
            }
            ReadError::TooLong(length) => {
                write!(f, "it has {length} bytes, but at most {MAX_FILE} are read")
            }
            ReadError::Length(expected, length) => {
                write!(f, "it has {length} bytes, not the {expected} that it should have")
            }
            ReadError::Checksum => f.write_str("it is damaged: its checksum is wrong"),
            ReadError::Encoding(why) => write!(f, "its content cannot be read: {why}"),
            ReadError::Content(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ReadError {}

/// The SHA-256 of some bytes.
pub fn checksum(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The content of the file of a [`Program`] with these parts.
pub fn to_bytes(modes_at_start: bool, tape: &Tape, info: &Info) -> Vec<u8> {
    let content = (modes_at_start, tape, info);
    // Nothing in a program can fail to be written; without content its file would be refused.
    let content = postcard::to_allocvec(&content).unwrap_or_default();
    let mut bytes = Vec::with_capacity(HEAD + content.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(checksum(&content));
    bytes.extend((content.len() as u64).to_le_bytes());
    bytes.extend(content);
    bytes
}

impl Program {
    /// The content of its file; the same program gives the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self.modes_at_start, &self.tape, self.info)
    }

    /// Reads the content of a file. Texts and lists of [`Program::info`] live as long as the
    /// process, also those of a file whose checksum is right and that is refused after all.
    ///
    /// # Errors
    /// If no machine can run it, or if it is not what was written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Program, ReadError> {
        let length = bytes.len() as u64;
        if length > MAX_FILE {
            return Err(ReadError::TooLong(length));
        }
        let rest = bytes.strip_prefix(MAGIC).ok_or(ReadError::NoTape)?;
        let short = ReadError::Length(HEAD as u64, length);
        let (version, rest) = rest.split_first_chunk().ok_or(short.clone())?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(ReadError::Version(version));
        }
        let (sum, rest) = rest.split_first_chunk::<32>().ok_or(short.clone())?;
        let (expected, content) = rest.split_first_chunk().ok_or(short)?;
        let expected = u64::from_le_bytes(*expected);
        if expected != content.len() as u64 {
            return Err(ReadError::Length(expected.saturating_add(HEAD as u64), length));
        }
        if checksum(content) != *sum {
            return Err(ReadError::Checksum);
        }
        let unreadable = |why: postcard::Error| ReadError::Encoding(why.to_string());
        let ((modes_at_start, tape), rest) =
            postcard::take_from_bytes::<(bool, Tape)>(content).map_err(unreadable)?;
        // Texts are not copied one by one.
        let rest: &'static [u8] = Vec::leak(rest.to_vec());
        let (info, rest) = postcard::take_from_bytes::<Info>(rest).map_err(unreadable)?;
        if !rest.is_empty() {
            return Err(ReadError::Encoding(format!("{} bytes are left over", rest.len())));
        }
        check(&info, &tape).map_err(ReadError::Content)?;
        Ok(Program { info: Box::leak(Box::new(info)), modes_at_start, tape })
    }
}
