//! The message of a test that cannot run here, so that `cargo xtask test` counts it as skipped.

use std::io::Write;
use std::thread;

/// Reports that this test, or a part of it, is skipped; the message bypasses the capture of test
/// output.
pub fn skipped(reason: &str) {
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {reason}");
}
