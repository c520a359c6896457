//! Which instances live: the only way from a `fmi2Component` to its instance.
//!
//! A component is the address of a place in a table that lives as long as the library. So a
//! component that was freed, or never was one, is noticed and not followed. Places are taken in
//! turn: one that was freed stands for another instance only after all others have been taken.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::fmi2::fmi2Component;
use crate::instance::Instance;

/// Where the address of an instance is; null if it is free.
type Place = AtomicPtr<Instance>;

/// Places of one table.
const PLACES: usize = 1024;

type Table = [Place; PLACES];

static TABLE: Table = [const { Place::new(null_mut()) }; PLACES];

/// Tables for instances beyond the first; none is ever given up.
static MORE: Mutex<Vec<&'static Table>> = Mutex::new(Vec::new());

/// Where the search for a free place begins.
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// Takes an instance in and gives it its component.
pub(crate) fn enter(instance: Box<Instance>) -> fmi2Component {
    let instance = Box::into_raw(instance);
    let start = NEXT.fetch_add(1, Ordering::Relaxed);
    if let Some(component) = take_place(&TABLE, start, instance) {
        return component;
    }
    let mut more = MORE.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let found = more.iter().find_map(|table| take_place(table, start, instance));
        if let Some(component) = found {
            return component;
        }
        more.push(Box::leak(Box::new([const { Place::new(null_mut()) }; PLACES])));
    }
}

fn take_place(
    table: &'static Table,
    start: usize,
    instance: *mut Instance,
) -> Option<fmi2Component> {
    let mut places = (0..PLACES).map(|i| &table[start.wrapping_add(i) % PLACES]);
    let take = |place: &&Place| {
        place.compare_exchange(null_mut(), instance, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    };
    places.find(take).map(|place| std::ptr::from_ref(place).cast_mut().cast())
}

/// The instance of a component; null if there is none, or no more.
#[inline(always)]
pub(crate) fn find(component: fmi2Component) -> *mut Instance {
    match place(&TABLE, component) {
        Some(place) => place.load(Ordering::Acquire),
        None => find_in_more(component, |place| place.load(Ordering::Acquire)),
    }
}

/// Takes the instance of a component, a box, out of its place; null if there is none, or no more.
pub(crate) fn leave(component: fmi2Component) -> *mut Instance {
    let take = |place: &Place| place.swap(null_mut(), Ordering::AcqRel);
    match place(&TABLE, component) {
        Some(place) => take(place),
        None => find_in_more(component, take),
    }
}

#[inline(always)]
fn place(table: &Table, component: fmi2Component) -> Option<&Place> {
    let offset = component.addr().wrapping_sub(table.as_ptr().addr());
    let size = size_of::<Place>();
    // What does not point to the beginning of a place is no component.
    table.get(offset / size).filter(|_| offset.is_multiple_of(size))
}

#[cold]
fn find_in_more(component: fmi2Component, of: impl Fn(&Place) -> *mut Instance) -> *mut Instance {
    if component.is_null() {
        return null_mut();
    }
    let more = MORE.lock().unwrap_or_else(PoisonError::into_inner);
    more.iter().find_map(|table| place(table, component)).map_or(null_mut(), of)
}
