//! The programs that were read, each once: their declarations exist as long as the process.

use program::{Program, ReadError, checksum};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What became of a content.
type ReadResult = Result<&'static Arc<Program>, ReadError>;

/// By the checksum of the whole content. What was refused is remembered too: reading it again would
/// need memory again that is never given back.
static READ: Mutex<BTreeMap<[u8; 32], ReadResult>> = Mutex::new(BTreeMap::new());

/// The program in the content of a file.
pub fn program(bytes: &[u8]) -> ReadResult {
    let mut all = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let read = all.entry(checksum(bytes)).or_insert_with(|| {
        Program::from_bytes(bytes).map(|program| &*Box::leak(Box::new(Arc::new(program))))
    });
    read.clone()
}
