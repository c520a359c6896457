//! A program as a file: writing it, and reading an untrusted file.
//!
//! The file consists of a magic line, the version of the format (`u32`), the SHA-256 of the
//! content, its length (`u64`), and the content: tape and declarations in the encoding of
//! `postcard`. The numbers of the header are little-endian.

use crate::check::check;
use crate::info::{Delay, Info};
use crate::program::Program;
use crate::tape::Tape;
use sha2::{Digest, Sha256};
use std::fmt;

const MAGIC: &[u8; 21] = b"Tape of an FMU model\n";

/// It changes with the encoding of tapes or declarations.
const VERSION: u32 = 5;

/// Magic line, version, checksum, length.
const HEAD: usize = MAGIC.len() + 4 + 32 + 8;

/// The longest file that is read: thirty times as long as that of a drive train of 1000 inertias.
///
/// Each list has a limit of its own. The elements that grow most are relations: three bytes in the
/// file take 56 in memory. The data in memory are therefore at most nineteen times as long as the
/// file; lists that grow during reading may occupy up to twice the necessary memory.
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
    /// Its length is wrong: the expected length in bytes, and the actual one.
    Length(u64, u64),
    /// Its checksum is wrong.
    Checksum,
    /// Its content cannot be decoded.
    Encoding(String),
    /// The program cannot be executed: the reason.
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

/// The bytes of the file of a [`Program`] with these parts.
pub fn to_bytes(modes_at_start: bool, tape: &Tape, info: &Info) -> Vec<u8> {
    let content = (modes_at_start, tape, info);
    // Writing a program cannot fail; without content its file would be refused.
    let mut content = postcard::to_allocvec(&content).unwrap_or_default();
    if !info.delays.is_empty() {
        content.extend(postcard::to_allocvec(&Delays(info.delays)).unwrap_or_default());
    }
    let mut bytes = Vec::with_capacity(HEAD + content.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(checksum(&content));
    bytes.extend((content.len() as u64).to_le_bytes());
    bytes.extend(content);
    bytes
}

/// The end of the content, which only programs with delays have.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
struct Delays(#[serde(deserialize_with = "crate::encoding::static_list")] &'static [Delay]);

impl Program {
    /// The bytes of its file; equal programs give equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self.modes_at_start, &self.tape, self.info)
    }

    /// Reads the bytes of a file. Texts and lists of [`Program::info`] live as long as the process,
    /// also those of a file that has the right checksum and is refused for another reason.
    ///
    /// # Errors
    /// If the file is damaged, or if its program cannot be executed.
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
        // The texts refer to this memory instead of being copied one by one.
        let rest: &'static [u8] = Vec::leak(rest.to_vec());
        let (mut info, rest) = postcard::take_from_bytes::<Info>(rest).map_err(unreadable)?;
        let left_over = || ReadError::Encoding(format!("{} bytes are left over", rest.len()));
        if !rest.is_empty() {
            let end;
            (Delays(info.delays), end) =
                postcard::take_from_bytes(rest).map_err(|_| left_over())?;
            if !end.is_empty() {
                return Err(left_over());
            }
        }
        check(&info, &tape).map_err(ReadError::Content)?;
        Ok(Program { info: Box::leak(Box::new(info)), modes_at_start, tape })
    }
}
