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

/// Adds the drive train of a seed; returns the names of the torques and speeds of its sources.
type Text = fn(&mut Assembly, u64) -> Vec<[String; 2]>;

/// Numbers of equal communication steps of a simulation.
const COUNTS: [u32; 3] = [20, 40, 200];

/// Simulates the drive train of a seed; returns the number of its events.
fn check(text: Text, seed: u64) -> Result<usize, String> {
    let sources = OnceCell::new();
    let traced = |m: &mut Assembly| drop(sources.set(text(m, seed)));
    let program =
        program_with(traced, |m| keep_account(m, sources.get().expect("the text has run")));
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
    run_to_their_end(random_trains::train, &seeds);
}

#[test]
fn rough_drive_trains_run_to_their_end_and_account_for_their_energy() {
    // In the train of seed 1292, other elements hold a starting element that has a residual speed
    // from sticking. In the train of seed 2963, a small sum of large speeds passes zero.
    let some: Vec<u64> = (0..200).chain([1292, 2963]).collect();
    run_to_their_end(random_trains::rough_train, &seeds(&some));
}

fn run_to_their_end(text: Text, seeds: &[u64]) {
    // Errors are printed as they are found.
    let told = |seed| check(text, seed).inspect_err(|why| eprintln!("seed {seed}: {why}")).ok();
    let events: Vec<usize> = on_all_cores(seeds, told).into_iter().flatten().collect();
    assert_eq!(events.len(), seeds.len(), "drive trains that run to their end");
    assert!(events.iter().sum::<usize>() > seeds.len(), "{events:?} events");
}

/// The first difference between simulations of the drive train of a seed with communication steps
/// of 0.1 s and with shorter ones, if there is any.
fn dependence(text: Text, seed: u64) -> Result<Option<String>, String> {
    let model = Arc::new(program(|m| drop(text(m, seed)))?.taped());
    let names: Vec<&str> = model.info.states.iter().map(|state| state.name).collect();
    let curves = |count: u32| -> Result<Vec<Vec<f64>>, Error> {
        let mut simulation = Simulation::of(&model)?;
        simulation.start(Some(1e-8))?;
        let mut rows = Vec::new();
        for k in 0..=count {
            simulation.run_to(2.0 * f64::from(k) / f64::from(count))?;
            let row = names.iter().map(|name| simulation.read(name));
            rows.push(row.collect::<Result<Vec<f64>, _>>()?);
        }
        Ok(rows)
    };
    let of_count = |count| curves(count).map_err(|why| format!("{count} steps: {why}"));
    let [first, others @ ..] = COUNTS;
    let reference = of_count(first)?;
    for count in others {
        let rows = of_count(count)?;
        for (k, expected) in reference.iter().enumerate() {
            let row = &rows[k * (count / first) as usize];
            let pairs = row.iter().zip(expected).zip(&names);
            for ((value, expected), name) in pairs {
                if value.to_bits() != expected.to_bits() {
                    let t = 2.0 * k as f64 / f64::from(first);
                    return Ok(Some(format!("{count} steps: {name} differs at {t} s")));
                }
            }
        }
    }
    Ok(None)
}

#[test]
fn random_drive_trains_have_the_same_bits_for_all_communication_steps() {
    let seeds = seeds(&(0..150).collect::<Vec<u64>>());
    for text in [random_trains::train, random_trains::rough_train] {
        let found = on_all_cores(&seeds, |seed| (seed, dependence(text, seed)));
        let wrong = found.into_iter().filter(|(_, first)| *first != Ok(None));
        let wrong: Vec<_> = wrong.collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
