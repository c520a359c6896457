//! Random drive trains are simulated to their end, and their energy is accounted for.

use crate::common::account::{impacts, keep_account, missing};
use crate::common::cores::on_all_cores;
use crate::common::{energy, program, program_with, random_trains, seeds, simulation_of};
use fmu_runtime::Simulation;
use fmu_runtime::simulation::Error;
use mechanics::Assembly;
use std::cell::OnceCell;
use std::sync::Arc;

/// The largest energy that may be missing at the end, as a fraction of the energy turned over.
const MISSING: f64 = 1e-6;

/// The largest influence of the communication step on states, relative to their range, or to 1 rad
/// or 1 rad/s.
const DEPENDENCE: f64 = 1e-10;

/// Simulates the drive train of a seed; returns the number of its events.
fn check(seed: u64) -> Result<usize, String> {
    let sources = OnceCell::new();
    let text = |m: &mut Assembly| drop(sources.set(random_trains::train(m, seed)));
    let program = program_with(text, |m| keep_account(m, sources.get().expect("the text has run")));
    let mut model = simulation_of(&program?);
    let mut run = || {
        model.start(Some(1e-8))?;
        let before = energy(&mut model);
        let mut events = 0;
        while model.run_to_event(2.0)? {
            events += 1;
        }
        Ok((before, events))
    };
    let (before, events) = run().map_err(|why: Error| why.to_string())?;
    let (missing, size) = missing(&mut model, before);
    if missing.abs() > MISSING * size + 1e-9 {
        return Err(format!("{missing:.2e} J of {size:.2e} J are missing"));
    }
    let impacts = impacts(&mut model);
    if impacts < -MISSING * size - 1e-9 {
        return Err(format!("impacts give {:.2e} J", -impacts));
    }
    Ok(events)
}

#[test]
fn random_drive_trains_run_to_their_end_and_account_for_their_energy() {
    // In the train of seed 1406, a gear and two bearings creep while others hold them; in that of
    // seed 3793, a gear transmits no torque.
    let some: Vec<u64> = (0..300).chain([1406, 3793]).collect();
    let seeds = seeds(&some);
    // Errors are printed as they are found.
    let told = |seed| check(seed).inspect_err(|why| eprintln!("seed {seed}: {why}")).ok();
    let events: Vec<usize> = on_all_cores(&seeds, told).into_iter().flatten().collect();
    assert_eq!(events.len(), seeds.len(), "drive trains that run to their end");
    assert!(events.iter().sum::<usize>() > seeds.len(), "{events:?} events");
}

/// The largest difference between simulations of the drive train of a seed with communication steps
/// of 0.1 s and with shorter ones, relative to the range of a state, or to 1.
fn dependence(seed: u64) -> Result<f64, String> {
    let model = Arc::new(program(|m| drop(random_trains::train(m, seed)))?.taped());
    let states = model.info.states;
    let curves = |step: f64| -> Result<Vec<Vec<f64>>, Error> {
        let mut simulation = Simulation::of(&model)?;
        simulation.start(Some(1e-8))?;
        let mut rows = Vec::new();
        for k in 0..=(2.0 / step).round() as usize {
            simulation.run_to(k as f64 * step)?;
            let row = states.iter().map(|state| simulation.read(state.name));
            rows.push(row.collect::<Result<Vec<f64>, _>>()?);
        }
        Ok(rows)
    };
    let of_step = |step: f64| curves(step).map_err(|why| format!("steps of {step} s: {why}"));
    let reference = of_step(0.1)?;
    let mut largest: f64 = 0.0;
    for (step, times) in [(0.05, 2), (0.02, 5)] {
        for (row, expected) in of_step(step)?.iter().step_by(times).zip(&reference) {
            for ((value, expected), k) in row.iter().zip(expected).zip(0..) {
                let range = reference.iter().map(|row| row[k]);
                let (low, high) = range
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
                        (f64::min(low, v), f64::max(high, v))
                    });
                largest = largest.max((value - expected).abs() / (high - low).max(1.0));
            }
        }
    }
    Ok(largest)
}

#[test]
fn random_drive_trains_do_not_depend_on_the_communication_step() {
    let seeds = seeds(&(0..300).collect::<Vec<u64>>());
    let found = on_all_cores(&seeds, |seed| (seed, dependence(seed)));
    let wrong: Vec<_> = found
        .into_iter()
        .filter(|(_, largest)| !largest.as_ref().is_ok_and(|largest| *largest < DEPENDENCE))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
