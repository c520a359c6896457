//! Random drive trains run to their end, and their energy is accounted for.

mod common;

use common::cores::on_all_cores;
use common::motion::Motion;
use common::{energy, interpret, seeds, trains};

/// The part of the energy turned over that may be missing at the end.
const MISSING: f64 = 1e-6;

/// Runs the drive train of a seed.
fn check(seed: u64) -> Result<usize, String> {
    let mut sources = Vec::new();
    let mut model = interpret(|m| sources = trains::train(m, seed))?;
    model.start()?;
    model.initial = false;
    model.settle()?;
    model.anchor = model.z.clone();
    let before = energy(&mut model);
    let mut motion = Motion::new(model, sources);
    motion.run(2.0)?;
    let (missing, size) = motion.missing(before);
    if missing.abs() > MISSING * size + 1e-9 {
        return Err(format!("{missing:.2e} J of {size:.2e} J are missing"));
    }
    let impacts = motion.impacts();
    if impacts < -MISSING * size - 1e-9 {
        return Err(format!("impacts give {:.2e} J", -impacts));
    }
    Ok(motion.events)
}

#[test]
fn random_drive_trains_run_to_their_end_and_account_for_their_energy() {
    // In 1406 a gear and two bearings creep while others hold them; in 3793 a gear transmits
    // nothing.
    let some: Vec<u64> = (0..300).chain([1406, 3793]).collect();
    let seeds = seeds(&some);
    // What is wrong is told as it is found.
    let told = |seed| check(seed).inspect_err(|why| eprintln!("seed {seed}: {why}")).ok();
    let events: Vec<usize> = on_all_cores(&seeds, told).into_iter().flatten().collect();
    assert_eq!(events.len(), seeds.len(), "drive trains that run to their end");
    assert!(events.iter().sum::<usize>() > seeds.len(), "{events:?} events");
}
