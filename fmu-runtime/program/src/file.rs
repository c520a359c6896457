//! A program as a file: how it is written, and how a file that nobody vouches for is read.
//!
//! A line that says what it is, the version of the format (`u32`), the SHA-256 of all that follows
//! the length, that length (`u64`), then the tape and what the run time must know about it, as
//! `postcard` writes them; numbers of the head have their lowest byte first.

use crate::check::{MOST_STATES, MOST_VALUES, check};
use crate::info::Info;
use crate::{Program, Tape};
use kernels::newton::BlockKind;
use kernels::relations::RelationKind;
use kernels::rows::Shape;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::marker::PhantomData;

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

/// Why a file is not taken for a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It does not begin as the file of a program does.
    NoTape,
    /// It has another version of the format.
    Version(u32),
    /// It is longer than any program.
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

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::NoTape => f.write_str("it is not the tape of a model"),
            Refused::Version(version) => {
                write!(f, "it has version {version} of the format, but {VERSION} can be read")
            }
            Refused::TooLong(length) => {
                write!(f, "it has {length} bytes, but at most {MAX_FILE} are read")
            }
            Refused::Length(expected, length) => {
                write!(f, "it has {length} bytes, not the {expected} that it should have")
            }
            Refused::Checksum => f.write_str("it is damaged: its checksum is wrong"),
            Refused::Encoding(why) => write!(f, "its content cannot be read: {why}"),
            Refused::Content(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Refused {}

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
    pub fn from_bytes(bytes: &[u8]) -> Result<Program, Refused> {
        let length = bytes.len() as u64;
        if length > MAX_FILE {
            return Err(Refused::TooLong(length));
        }
        let rest = bytes.strip_prefix(MAGIC).ok_or(Refused::NoTape)?;
        let short = Refused::Length(HEAD as u64, length);
        let (version, rest) = rest.split_first_chunk().ok_or(short.clone())?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(Refused::Version(version));
        }
        let (sum, rest) = rest.split_first_chunk::<32>().ok_or(short.clone())?;
        let (expected, content) = rest.split_first_chunk().ok_or(short)?;
        let expected = u64::from_le_bytes(*expected);
        if expected != content.len() as u64 {
            return Err(Refused::Length(expected.saturating_add(HEAD as u64), length));
        }
        if checksum(content) != *sum {
            return Err(Refused::Checksum);
        }
        let unreadable = |why: postcard::Error| Refused::Encoding(why.to_string());
        let ((modes_at_start, tape), rest) =
            postcard::take_from_bytes::<(bool, Tape)>(content).map_err(unreadable)?;
        // Texts are not copied one by one.
        let rest: &'static [u8] = Vec::leak(rest.to_vec());
        let (info, rest) = postcard::take_from_bytes::<Info>(rest).map_err(unreadable)?;
        if !rest.is_empty() {
            return Err(Refused::Encoding(format!("{} bytes are left over", rest.len())));
        }
        check(&info, &tape).map_err(Refused::Content)?;
        Ok(Program { info: Box::leak(Box::new(info)), modes_at_start, tape })
    }
}

/// A list of no more elements than any program has.
pub(crate) fn few<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    at_most(MOST_VALUES, deserializer)
}

/// A list that lives as long as the process, as those of emitted code do.
pub(crate) fn list<'de, D, T>(deserializer: D) -> Result<&'static [T], D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + 'static,
{
    Ok(Box::leak(few(deserializer)?.into_boxed_slice()))
}

/// One [`list`] for each state.
pub(crate) fn lists<'de, D, T>(deserializer: D) -> Result<&'static [&'static [T]], D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + 'static,
{
    #[derive(Deserialize)]
    #[serde(bound = "T: Deserialize<'de> + 'static")]
    struct One<T: 'static>(#[serde(deserialize_with = "list")] &'static [T]);

    let lists: Vec<One<T>> = at_most(MOST_STATES, deserializer)?;
    Ok(Vec::leak(lists.into_iter().map(|One(list)| list).collect()))
}

/// A list whose length, which stands before its elements, has a limit: an element may be one byte
/// in the file, or none, and many in memory.
fn at_most<'de, D, T>(most: usize, deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct AtMost<T>(usize, PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for AtMost<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "at most {} elements", self.0)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<Vec<T>, A::Error> {
            match elements.size_hint() {
                Some(n) if n <= self.0 => Vec::deserialize(SeqAccessDeserializer::new(elements)),
                n => Err(A::Error::invalid_length(n.unwrap_or(usize::MAX), &self)),
            }
        }
    }

    deserializer.deserialize_seq(AtMost(most, PhantomData))
}

/// How [`BlockKind`] is written.
#[derive(Serialize, Deserialize)]
#[serde(remote = "BlockKind")]
pub(crate) enum OfBlocks {
    Equations,
    Loop,
    Assembly,
}

/// How [`RelationKind`] is written.
#[derive(Serialize, Deserialize)]
#[serde(remote = "RelationKind")]
pub(crate) enum OfRelations {
    State,
    Time,
    Sampled,
}

/// How [`Shape`] is written.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Shape")]
pub(crate) struct OfTables {
    columns: usize,
    jumps: bool,
    periodic: bool,
}
