//! Checks that a program cannot make the machine or the run time panic, take memory without limit
//! or evaluate without end, whatever its numbers are.
//!
//! Only the time of one evaluation is limited here. The number of evaluations is limited by the run
//! time, for all models alike: a search for consistent relations makes some 100 000, an event
//! iteration 100 such searches, a communication step a million steps. So every call terminates, but
//! with a malicious file that may take very long.
//!
//! The machine and the run time do not check any index again: this is the only place.

mod declarations;
mod instructions;

use crate::info::Info;
use crate::tape::Tape;

/// Checks a program.
///
/// # Errors
/// The first thing that cannot be run, by name.
pub fn check(info: &Info, tape: &Tape) -> Result<(), String> {
    check_info(info)?;
    instructions::check(info, tape)
}

/// Checks the declarations of a program, or of a system written by hand.
///
/// # Errors
/// The first thing that the run time cannot rely on, by name.
pub fn check_info(info: &Info) -> Result<(), String> {
    declarations::check(info)
}
