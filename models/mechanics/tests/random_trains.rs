//! Random drive trains run to their end, and their energy is accounted for.

mod common;

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

/// Runs seeds on all cores; what is wrong is told as it is found.
fn check_all(seeds: &[u64]) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let part = |core: usize| {
        let own = seeds.iter().skip(core).step_by(cores);
        let (mut wrong, mut events) = (0, 0);
        for &seed in own {
            match check(seed) {
                Ok(n) => events += n,
                Err(why) => {
                    eprintln!("seed {seed}: {why}");
                    wrong += 1;
                }
            }
        }
        (wrong, events)
    };
    let found: Vec<(usize, usize)> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..cores)
            .map(|core| {
                scope.spawn({
                    let part = &part;
                    move || part(core)
                })
            })
            .collect();
        running.into_iter().map(|one| one.join().expect("no drive train panics")).collect()
    });
    let wrong: usize = found.iter().map(|(wrong, _)| wrong).sum();
    let events: usize = found.iter().map(|(_, events)| events).sum();
    assert_eq!(wrong, 0, "of {} drive trains, with {events} events", seeds.len());
    assert!(events > seeds.len(), "{events} events");
}

#[test]
fn random_drive_trains_run_to_their_end_and_account_for_their_energy() {
    // In 1406 a gear and two bearings creep while others hold them; in 3793 a gear transmits nothing.
    let some: Vec<u64> = (0..300).chain([1406, 3793]).collect();
    check_all(&seeds(&some));
}
