//! Random call sequences: whatever the importer calls, the process survives, and a reset restores
//! the instance.

use crate::importer::Fmu;
use crate::systems::*;
use fmu_runtime::fmi2::*;
use fmu_runtime::system::System;
use random::Random;
use std::ptr::{null_mut, without_provenance_mut};

/// A possible or impossible number for a variable, a time or a step.
fn number(random: &mut Random) -> f64 {
    match random.below(12) {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => -1.0,
        3 => 0.0,
        4 => 1e300,
        _ => random.below(1000) as f64 / 500.0,
    }
}

/// Makes one random call and returns its status.
fn call(fmu: &Fmu, random: &mut Random, states: &mut Vec<fmi2FMUstate>, t: &mut f64) -> fmi2Status {
    let reference = random.below(20) as u32;
    let length = random.below(4);
    match random.below(30) {
        0 => fmu.setup(number(random), None),
        1 | 2 => fmu.enter_initialization_mode(),
        3 | 4 => fmu.exit_initialization_mode(),
        5 => fmu.terminate(),
        6 => fmu.reset(),
        7 => fmu.get_real(reference).0,
        8 => fmu.get_integer(reference).0,
        9 => fmu.get_boolean(reference).0,
        10 => fmu.set_real(&[reference], &[number(random)]),
        11 => fmu.set_integer(reference, random.below(5) as i32 - 1),
        12 => fmu.set_boolean(reference, random.below(3) as i32),
        13 => {
            let mut state = null_mut();
            let status = fmu.get_state_into(&mut state);
            states.push(state);
            status
        }
        14 => fmu.set_state(states.last().copied().unwrap_or(without_provenance_mut(4))),
        15 => states.pop().map_or(fmi2OK, |mut state| fmu.free_state(&mut state)),
        16 => {
            let state = states.last().copied().unwrap_or(null_mut());
            let (status, size) = fmu.serialized_size(state);
            if status != fmi2OK {
                return status;
            }
            let (_, bytes) = fmu.serialize(state, size);
            let (status, copy) = fmu.deserialize(&bytes);
            states.push(copy);
            status
        }
        17 => fmu.directional(&[reference], &[random.below(14) as u32], &[1.0]).0,
        18 => fmu.enter_event_mode(),
        19 => fmu.new_discrete_states().0,
        20 => fmu.enter_continuous_time_mode(),
        21 => fmu.completed_integrator_step().0,
        22 => fmu.set_time(number(random)),
        23 => fmu.set_states(&vec![number(random); length]),
        24 => fmu.derivatives(length).0,
        25 => fmu.indicators(length).0,
        26 => fmu.set_slope(reference, random.below(7) as i32, number(random)),
        27 => fmu.slope(reference, random.below(3) as i32).0,
        _ => {
            let h = number(random);
            let h = if h == 1e300 { 1e-300 } else { h };
            let status = fmu.step(*t, h);
            if status == fmi2OK {
                *t += h;
            }
            status
        }
    }
}

/// The bits of the results of a simulation of 1 s.
fn run(fmu: &Fmu, fmu_type: fmi2Type) -> Vec<u64> {
    fmu.initialize(0.0, &[]);
    if fmu_type == fmi2CoSimulation {
        (0..10)
            .map(|i| {
                let _ = fmu.step(f64::from(i) * 0.1, 0.1);
                fmu.get_real(0).1.to_bits()
            })
            .collect()
    } else {
        vec![fmu.get_real(0).1.to_bits()]
    }
}

fn survives<T: System>() {
    for fmu_type in [fmi2ModelExchange, fmi2CoSimulation] {
        let expected = run(&Fmu::new::<T>(fmu_type), fmu_type);
        for seed in 0..60 {
            let mut random = Random(seed);
            let fmu = Fmu::new::<T>(fmu_type);
            let (mut states, mut t) = (Vec::new(), 0.0);
            if seed % 2 == 0 {
                fmu.initialize(0.0, &[]);
            }
            for _ in 0..60 {
                let status = call(&fmu, &mut random, &mut states, &mut t);
                assert!((fmi2OK..=fmi2Error).contains(&status), "{:?}", fmu.messages());
                if status == fmi2Error && random.below(2) == 0 {
                    assert_eq!(fmu.reset(), fmi2OK);
                    t = 0.0;
                    if random.below(4) > 0 {
                        fmu.initialize(0.0, &[]);
                    }
                }
            }
            assert_eq!(fmu.reset(), fmi2OK);
            assert_eq!(run(&fmu, fmu_type), expected, "seed {seed}");
        }
    }
}

#[test]
fn random_calls_return_a_status_and_a_reset_recovers() {
    survives::<Oscillator>();
    survives::<Ball>();
    survives::<Threshold>();
    survives::<Circle<0>>();
    survives::<Implicit>();
    survives::<Clock>();
    survives::<Cliff>();
    survives::<Restless<0>>();
    survives::<Restless<1>>();
}
