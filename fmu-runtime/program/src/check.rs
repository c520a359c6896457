//! What a program must be like so that machine and run time never panic or take memory without
//! limit, whatever its numbers are, and every evaluation ends.
//!
//! Only the time of one evaluation is limited here. How many there are is limited by the run time,
//! for all models alike: a search for consistent relations makes some 100 000, an event iteration
//! 100 such searches, a communication step a million steps. So every call ends, but that of a file
//! that is made to be slow may end later than anybody waits.
//!
//! The machine and the run time look at no index again: what they rely on is checked here, once.

mod code;
mod facts;

use crate::info::Info;
use crate::tape::Tape;

/// Most registers, most elements of each vector of an instance, which has some 300 bytes for each
/// of them, and most elements of each list of a file. A drive train of 1000 inertias needs 13 000,
/// EngineV6 1300.
pub(crate) const MOST_VALUES: usize = 1 << 21;

/// Most continuous states: the integrator has some dense matrices of this size. A drive train of
/// 1000 inertias has 2000.
pub(crate) const MOST_STATES: usize = 4096;

/// Most relations: the search for those that are consistent grows with the square of their number.
/// A drive train of 1000 clutches has some thousands.
const MOST_RELATIONS: usize = 1 << 16;

/// Most operations of one evaluation of a function, a few seconds' worth. Those of a drive train of
/// 1000 inertias have 60 000, a dense mass matrix of 1000 degrees of freedom takes 330 million.
const MOST_OPERATIONS: u64 = 1 << 30;

/// Checks a program.
///
/// # Errors
/// The first thing that cannot be run, by name.
pub fn check(info: &Info, tape: &Tape) -> Result<(), String> {
    check_info(info)?;
    code::check(info, tape)
}

/// Checks what the run time knows of a program, or of a system written by hand.
///
/// # Errors
/// The first thing that the run time cannot rely on, by name.
pub fn check_info(info: &Info) -> Result<(), String> {
    facts::check(info)
}

/// Refuses what is not below an end.
fn below(i: u32, end: usize, what: impl FnOnce() -> String) -> Result<(), String> {
    if (i as usize) < end { Ok(()) } else { Err(format!("{} {i} of {end}", what())) }
}

/// Refuses more than a limit.
fn at_most(n: usize, most: usize, what: &str) -> Result<(), String> {
    if n <= most { Ok(()) } else { Err(format!("{n} {what} are more than {most}")) }
}
