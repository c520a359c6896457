//! Checks that a program cannot make the interpreter or the run time panic, use unlimited memory or
//! evaluate without end, whatever its numbers are.
//!
//! These checks limit the time of one evaluation only. The run time limits the number of
//! evaluations, in the same way for all models: a search for consistent relations makes up to about
//! 100 000 evaluations, an event iteration up to 100 such searches, and a communication step up to
//! a million steps. Every call therefore terminates, but with a malicious file it may take very
//! long.
//!
//! The interpreter and the run time check no index again.

mod declarations;
mod instructions;

use crate::info::Info;
use crate::tape::Tape;

/// Checks a program.
///
/// # Errors
/// A message that names the first part of the program that cannot be executed.
pub fn check(info: &Info, tape: &Tape) -> Result<(), String> {
    check_info(info)?;
    instructions::check(info, tape)
}

/// Checks the declarations of a program, or of a system written by hand.
///
/// # Errors
/// A message that names the first invalid declaration.
pub fn check_info(info: &Info) -> Result<(), String> {
    declarations::check(info)
}
