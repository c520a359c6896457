//! Stored FMU states: copies of the plain data of an instance, and their form as bytes.
//!
//! What the importer holds is a number, not an address: a state that was freed, or never was one,
//! is refused instead of read.

use crate::calls::{Function, Kind};
use crate::fmi2::*;
use crate::instance::Instance;
use crate::memory::{Memory, Now};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A copy of the plain data of an instance.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    guid: &'static str,
    kind: Kind,
    memory: Memory,
}

impl Snapshot {
    pub(crate) fn of(instance: &Instance) -> Snapshot {
        Snapshot::with(instance, &instance.evaluation.memory)
    }

    /// A copy of another memory of an instance.
    fn with(instance: &Instance, memory: &Memory) -> Snapshot {
        let (guid, kind) = (instance.evaluation.info.guid, instance.kind);
        Snapshot { guid, kind, memory: memory.clone() }
    }

    /// Gives the copy to an instance; false if it is one of another model or kind. One library may
    /// play several tapes, and nothing keeps a person from giving two of them one GUID.
    pub(crate) fn restore(&self, instance: &mut Instance) -> bool {
        let fits = self.guid == instance.evaluation.info.guid
            && self.kind == instance.kind
            && self.memory.is_like(&instance.evaluation.memory);
        if fits {
            instance.evaluation.memory.copy_from(&self.memory);
        }
        fits
    }
}

/// A copy that an instance has stored.
struct Stored {
    owner: u64,
    snapshot: Snapshot,
}

static STORED: Mutex<BTreeMap<u64, Stored>> = Mutex::new(BTreeMap::new());
static IDENTITIES: AtomicU64 = AtomicU64::new(1);

/// A number that was not given before.
pub(crate) fn new_identity() -> u64 {
    IDENTITIES.fetch_add(1, Ordering::Relaxed)
}

fn stored() -> MutexGuard<'static, BTreeMap<u64, Stored>> {
    STORED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Frees all states that an instance has stored; with the last of them the list itself, which
/// would be lost with the library otherwise.
pub(crate) fn free_all_of(owner: u64) {
    let mut all = stored();
    all.retain(|_, state| state.owner != owner);
    if all.is_empty() {
        *all = BTreeMap::new();
    }
}

fn handle(identity: u64) -> fmi2FMUstate {
    std::ptr::without_provenance_mut(identity as usize)
}

fn identity(handle: fmi2FMUstate) -> u64 {
    handle.addr() as u64
}

const MAGIC: &[u8; 8] = b"FMUstate";
const VERSION: u64 = 3;
/// Magic, version, kind, hash of the GUID, length, checksum.
const HEADER: usize = 6 * 8;

/// FNV-1a, good enough to notice bytes that are not what was written.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn serialized_size(memory: &Memory) -> usize {
    HEADER + 8 * (Now::WORDS + memory.length())
}

fn header(guid: &str, kind: Kind, body: &[u8]) -> [u64; 5] {
    [VERSION, kind as u64, checksum(guid.as_bytes()), body.len() as u64, checksum(body)]
}

/// Writes the bytes of a state; `bytes` has their number.
fn write(state: &Snapshot, bytes: &mut [u8]) {
    let (head, body) = bytes.split_at_mut(HEADER);
    let words = state.memory.now.words().into_iter().chain(state.memory.words());
    for (target, word) in body.chunks_exact_mut(8).zip(words) {
        target.copy_from_slice(&word.to_le_bytes());
    }
    let fields = header(state.guid, state.kind, body);
    let fields = fields.iter().map(|field| field.to_le_bytes());
    for (target, field) in head.chunks_exact_mut(8).zip([*MAGIC].into_iter().chain(fields)) {
        target.copy_from_slice(&field);
    }
}

/// Reads a state of this model and kind into a memory; says what is wrong otherwise.
fn read(bytes: &[u8], guid: &str, kind: Kind, memory: &mut Memory) -> Result<(), &'static str> {
    let (head, body) = bytes.split_at_checked(HEADER).ok_or("it is not a serialised FMU state")?;
    let words = |bytes: &[u8]| -> Vec<[u8; 8]> {
        bytes.chunks_exact(8).filter_map(|word| word.try_into().ok()).collect()
    };
    let head = words(head);
    let expected = header(guid, kind, body);
    if head[0] != *MAGIC {
        return Err("it is not a serialised FMU state");
    }
    let same = |i: usize| u64::from_le_bytes(head[i + 1]) == expected[i];
    if !same(0) {
        return Err("it has another format version");
    }
    if bytes.len() != serialized_size(memory) {
        return Err("its length is not that of a state of this model");
    }
    if !same(1) || !same(2) {
        return Err("it belongs to another model or kind");
    }
    if !same(3) || !same(4) {
        return Err("its checksum is wrong");
    }
    let words: Vec<f64> = words(body).into_iter().map(f64::from_le_bytes).collect();
    let (scalars, rest) = words.split_at(Now::WORDS);
    let scalars: Result<&[f64; Now::WORDS], _> = scalars.try_into();
    match scalars.ok().and_then(Now::from_words) {
        Some(now) if memory.fill(rest.iter().copied()) => {
            memory.now = now;
            Ok(())
        }
        _ => Err("it contains values that no state has"),
    }
}

impl Instance {
    fn no_such_state(&mut self, function: Function) -> fmi2Status {
        let name = function.name();
        self.refuse_because(format_args!("{name}: this is not a stored state of this model"))
    }

    /// Stores a memory: an older copy of this instance is overwritten; anything else that the
    /// handle may mean is left alone, and the handle becomes that of a new copy.
    fn keep(&self, memory: &Memory, state: &mut fmi2FMUstate) {
        let mut all = stored();
        let older = all.get_mut(&identity(*state)).filter(|older| older.owner == self.owner);
        if let Some(older) = older {
            older.snapshot.memory.copy_from(memory);
            return;
        }
        let new = new_identity();
        let snapshot = Snapshot::with(self, memory);
        all.insert(new, Stored { owner: self.owner, snapshot });
        *state = handle(new);
    }

    pub(crate) fn get_fmu_state(&mut self, state: &mut fmi2FMUstate) -> fmi2Status {
        self.keep(&self.evaluation.memory, state);
        fmi2OK
    }

    pub(crate) fn set_fmu_state(&mut self, state: fmi2FMUstate) -> fmi2Status {
        let all = stored();
        match all.get(&identity(state)) {
            Some(stored) if stored.snapshot.restore(self) => fmi2OK,
            _ => {
                drop(all);
                self.no_such_state(Function::SetFMUstate)
            }
        }
    }

    pub(crate) fn free_fmu_state(&mut self, state: &mut fmi2FMUstate) -> fmi2Status {
        if !state.is_null() {
            let freed = stored().remove(&identity(*state));
            *state = std::ptr::null_mut();
            if freed.is_none() {
                return self.no_such_state(Function::FreeFMUstate);
            }
        }
        fmi2OK
    }

    pub(crate) fn serialized_fmu_state_size(
        &mut self,
        state: fmi2FMUstate,
        size: &mut usize,
    ) -> fmi2Status {
        let found =
            stored().get(&identity(state)).map(|stored| serialized_size(&stored.snapshot.memory));
        match found {
            Some(found) => {
                *size = found;
                fmi2OK
            }
            None => self.no_such_state(Function::SerializedFMUstateSize),
        }
    }

    pub(crate) fn serialize_fmu_state(
        &mut self,
        state: fmi2FMUstate,
        bytes: &mut [u8],
    ) -> fmi2Status {
        let all = stored();
        let Some(Stored { snapshot, .. }) = all.get(&identity(state)) else {
            drop(all);
            return self.no_such_state(Function::SerializeFMUstate);
        };
        let wanted = serialized_size(&snapshot.memory);
        if bytes.len() == wanted {
            write(snapshot, bytes);
            return fmi2OK;
        }
        drop(all);
        let given = bytes.len();
        self.refuse_because(format_args!(
            "fmi2SerializeFMUstate: {given} bytes were given, the state has {wanted}"
        ))
    }

    pub(crate) fn deserialize_fmu_state(
        &mut self,
        bytes: &[u8],
        state: &mut fmi2FMUstate,
    ) -> fmi2Status {
        let guid = self.evaluation.info.guid;
        let mut memory = self.evaluation.memory.clone();
        if let Err(reason) = read(bytes, guid, self.kind, &mut memory) {
            return self.refuse_because(format_args!("fmi2DeSerializeFMUstate: {reason}"));
        }
        self.keep(&memory, state);
        fmi2OK
    }
}
