//! The table of instances, which alone finds the instance of a `fmi2Component`.
//!
//! A component is a handle: the address of a slot in a table that lives as long as the library. A
//! handle that was freed or never existed is detected and not dereferenced. Slots are used in turn:
//! a freed slot is used again only after all others.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::fmi::fmi2::fmi2Component;
use crate::instance::Instance;

/// The address of an instance; null if the slot is free.
type Slot = AtomicPtr<Instance>;

/// Slots of one table.
const SLOTS: usize = 1024;

type SlotTable = [Slot; SLOTS];

static TABLE: SlotTable = [const { Slot::new(null_mut()) }; SLOTS];

/// Further tables for more instances; they are never freed.
static MORE: Mutex<Vec<&'static SlotTable>> = Mutex::new(Vec::new());

/// Where the search for a free slot starts.
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// Registers an instance; returns its component.
pub(crate) fn register(instance: Box<Instance>) -> fmi2Component {
    let instance = Box::into_raw(instance);
    let start = NEXT.fetch_add(1, Ordering::Relaxed);
    if let Some(component) = take_slot(&TABLE, start, instance) {
        return component;
    }
    let mut more = MORE.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let found = more.iter().find_map(|table| take_slot(table, start, instance));
        if let Some(component) = found {
            return component;
        }
        more.push(Box::leak(Box::new([const { Slot::new(null_mut()) }; SLOTS])));
    }
}

fn take_slot(
    table: &'static SlotTable,
    start: usize,
    instance: *mut Instance,
) -> Option<fmi2Component> {
    let mut slots = (0..SLOTS).map(|i| &table[start.wrapping_add(i) % SLOTS]);
    let take = |slot: &&Slot| {
        slot.compare_exchange(null_mut(), instance, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    };
    slots.find(take).map(|slot| std::ptr::from_ref(slot).cast_mut().cast())
}

/// The instance of a component; null if there is none.
#[inline(always)]
pub(crate) fn find(component: fmi2Component) -> *mut Instance {
    match slot(&TABLE, component) {
        Some(slot) => slot.load(Ordering::Acquire),
        None => find_in_more(component, |slot| slot.load(Ordering::Acquire)),
    }
}

/// Removes the instance of a component from its slot and returns it as a raw box; null if there is
/// none.
pub(crate) fn remove(component: fmi2Component) -> *mut Instance {
    let take = |slot: &Slot| slot.swap(null_mut(), Ordering::AcqRel);
    match slot(&TABLE, component) {
        Some(slot) => take(slot),
        None => find_in_more(component, take),
    }
}

#[inline(always)]
fn slot(table: &SlotTable, component: fmi2Component) -> Option<&Slot> {
    let offset = component.addr().wrapping_sub(table.as_ptr().addr());
    let size = size_of::<Slot>();
    // A pointer that is not the address of a slot is no component.
    table.get(offset / size).filter(|_| offset.is_multiple_of(size))
}

#[cold]
fn find_in_more(component: fmi2Component, of: impl Fn(&Slot) -> *mut Instance) -> *mut Instance {
    if component.is_null() {
        return null_mut();
    }
    let more = MORE.lock().unwrap_or_else(PoisonError::into_inner);
    more.iter().find_map(|table| slot(table, component)).map_or(null_mut(), of)
}
