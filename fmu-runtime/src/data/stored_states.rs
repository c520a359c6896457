//! The FMU states of all instances of the process that importers have stored.
//!
//! The importer receives a number, not an address: a state that was freed or never existed is
//! refused instead of read.

use crate::data::snapshot::Snapshot;
use crate::fmi::fmi2::fmi2FMUstate;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A copy that an instance has stored.
pub(crate) struct Stored {
    pub owner: u64,
    pub snapshot: Snapshot,
}

static STORED: Mutex<BTreeMap<u64, Stored>> = Mutex::new(BTreeMap::new());
static IDENTITIES: AtomicU64 = AtomicU64::new(1);

/// A number that was not used before.
pub(crate) fn new_identity() -> u64 {
    IDENTITIES.fetch_add(1, Ordering::Relaxed)
}

/// All stored states by their identity.
pub(crate) fn stored() -> MutexGuard<'static, BTreeMap<u64, Stored>> {
    STORED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Frees all states that an instance has stored, and with the last of them the list, whose memory
/// would otherwise leak when the library is unloaded.
pub(crate) fn free_all_of(owner: u64) {
    let mut all = stored();
    all.retain(|_, state| state.owner != owner);
    if all.is_empty() {
        *all = BTreeMap::new();
    }
}

/// The handle that an importer holds.
pub(crate) fn handle(identity: u64) -> fmi2FMUstate {
    std::ptr::without_provenance_mut(identity as usize)
}

/// The identity in a handle.
pub(crate) fn identity(handle: fmi2FMUstate) -> u64 {
    handle.addr() as u64
}
