//! Circuits, and theorems on random ones.

mod amplifiers;
mod averaged_converters;
mod batteries;
mod closed_forms;
mod data_sheets;
mod dc_machines;
mod elements;
mod extremes;
mod grids;
mod ideal_couplings;
mod ideal_switches;
mod messages_of_jumps;
mod networks;
mod open_phases;
mod pencils;
mod random_converters;
mod semiconductors;
mod sentences;
mod sources;
mod stores_at_ideal_switches;
mod switched_converters;
mod switches;
mod synchronous_machines;
mod theorems;

use libraries::electrical::Ground;
use libraries::prelude::*;
use mechanics::port::Pin;

#[track_caller]
fn near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value}, not {expected}");
}

/// Connects branches in a ring, the end of each with the beginning of the next one; the first one
/// begins at the ground.
fn ring<const N: usize>(m: &mut Assembly, branches: [[Pin; 2]; N]) {
    let ground = m.add("ground", Ground::new());
    m.connect(ground.p, branches[0][0]);
    for k in 0..N {
        m.connect(branches[k][1], branches[(k + 1) % N][0]);
    }
}
