//! Panics in the code of an author, as messages.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// The name of the author's code that this thread runs, and after a panic its place and reason;
    /// `None` while other code runs.
    static PANIC: Cell<Option<String>> = const { Cell::new(None) };
}

/// Runs an author's code; a panic becomes a message with its place.
pub fn caught<T>(what: &'static str, text: impl FnOnce() -> T) -> Result<T, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let Some(what) = PANIC.take() else { return usual(info) };
            let place = info.location().map(|l| format!(" at {}:{}", l.file(), l.line()));
            let reason = reason_of(info.payload());
            let text = format!("{what} panicked{}: {reason}", place.unwrap_or_default());
            PANIC.set(Some(text));
        }));
    });
    PANIC.set(Some(what.to_owned()));
    let done = panic::catch_unwind(AssertUnwindSafe(text));
    let message = PANIC.take();
    done.map_err(|_| message.unwrap_or_default())
}

fn reason_of(payload: &dyn Any) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason")
}
