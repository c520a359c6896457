//! Bounds of what a program may have, and the sentences of what exceeds them.

/// Maximum number of registers, of elements of each vector of an instance, which has some 300 bytes
/// for each of them, and of elements of each list of a file. A drive train of 1000 inertias needs
/// 13 000, EngineV6 1300.
pub(crate) const MAX_VALUES: usize = 1 << 21;

/// Maximum number of continuous states: the integrator has some dense matrices of this size. A
/// drive train of 1000 inertias has 2000.
pub(crate) const MAX_STATES: usize = 4096;

/// Maximum number of relations: the search for consistent ones grows with the square of their
/// number. A drive train of 1000 clutches has some thousands.
pub(crate) const MAX_RELATIONS: usize = 1 << 16;

/// Maximum number of operations of one evaluation of a function, which takes a few seconds. Those
/// of a drive train of 1000 inertias have 60 000, a dense mass matrix of 1000 degrees of freedom
/// takes 330 million.
pub(crate) const MAX_OPERATIONS: u64 = 1 << 30;

/// Refuses a number that is not below an end.
pub(crate) fn below(i: u32, end: usize, what: impl FnOnce() -> String) -> Result<(), String> {
    if (i as usize) < end { Ok(()) } else { Err(format!("{} {i} of {end}", what())) }
}

/// Refuses more than a limit.
pub(crate) fn at_most(n: usize, max: usize, what: &str) -> Result<(), String> {
    if n <= max { Ok(()) } else { Err(format!("{n} {what} are more than {max}")) }
}
