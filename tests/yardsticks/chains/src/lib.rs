//! What the yardsticks that are chains of any length have in common.

use fmu_runtime::system::{Info, State, Variable};

/// The number of parts of a chain: `COUPLER_CHAIN` at build time, or else `usual`.
pub const fn length(usual: usize) -> usize {
    match option_env!("COUPLER_CHAIN") {
        Some(text) => match usize::from_str_radix(text, 10) {
            Ok(length) => length,
            Err(_) => panic!("COUPLER_CHAIN is a number of parts"),
        },
        None => usual,
    }
}

/// The rows of the derivatives that depend on a state, at most `MOST`.
#[derive(Clone, Copy, Debug)]
pub struct Column<const MOST: usize> {
    rows: [u32; MOST],
    count: usize,
}

impl<const MOST: usize> Column<MOST> {
    /// No rows.
    pub const EMPTY: Column<MOST> = Column { rows: [0; MOST], count: 0 };

    /// Adds a row below all others.
    pub const fn push(&mut self, row: usize) {
        self.rows[self.count] = row as u32;
        self.count += 1;
    }
}

/// The pattern of the Jacobian as the run time reads it.
pub const fn jacobian<const STATES: usize, const MOST: usize>(
    columns: &'static [Column<MOST>; STATES],
) -> [&'static [u32]; STATES] {
    let mut jacobian: [&[u32]; STATES] = [&[]; STATES];
    let mut state = 0;
    while state < STATES {
        jacobian[state] = columns[state].rows.split_at(columns[state].count).0;
        state += 1;
    }
    jacobian
}

/// The declarations of a chain whose parameters are the start values of its states; the variable is
/// the one that is read.
pub const fn info<const STATES: usize>(
    name: &'static str,
    start: &'static [f64; STATES],
    states: &'static [State; STATES],
    jacobian: &'static [&'static [u32]; STATES],
    variable: &'static [Variable; 1],
) -> Info {
    Info::new(name)
        .guid("yardstick")
        .parameters(start)
        .states(states)
        .jacobian(jacobian)
        .reals(variable)
}
