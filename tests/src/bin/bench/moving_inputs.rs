//! Measures a simulation whose inputs change before every step, next to one with constant inputs.

use std::f64::consts::TAU;

use coupler_tests::Fmu;
use fmu_builder::fmi::FmuType;
use program::SolverCount;

use crate::{H, TOLERANCE, timing};

/// The amplitude of the inputs, relative to their start values.
const AMPLITUDE: f64 = 0.05;

/// Times in ns with constant inputs and with changing ones.
#[derive(Clone, Copy, Debug)]
pub struct MovingInputs {
    /// Of a communication step.
    pub step: [f64; 2],
    /// Of a simulation, divided by its number of right-hand sides.
    pub evaluation: [f64; 2],
}

/// The shortest of several simulations of an FMU until its stop time; each step sets the inputs in
/// both cases.
pub fn measure(fmu: &Fmu, inputs: &[&str], rounds: usize) -> MovingInputs {
    let mut shortest = MovingInputs { step: [f64::INFINITY; 2], evaluation: [f64::INFINITY; 2] };
    for _ in 0..rounds {
        for (i, amplitude) in [0.0, AMPLITUDE].into_iter().enumerate() {
            let [step, evaluation] = simulate(fmu, inputs, amplitude);
            shortest.step[i] = shortest.step[i].min(step);
            shortest.evaluation[i] = shortest.evaluation[i].min(evaluation);
        }
    }
    shortest
}

/// The times in ns of a step and of a right-hand side.
fn simulate(fmu: &Fmu, inputs: &[&str], amplitude: f64) -> [f64; 2] {
    let references = fmu.reals(inputs.iter().copied());
    let read = fmu.reals([fmu.signals()[0]]);
    let evaluations = fmu.variable(SolverCount::Evaluations.name()).value_reference;
    let steps = (fmu.stop_time() / H) as usize;
    timing::with_instance(fmu, FmuType::CoSimulation, Some(TOLERANCE), |instance| {
        let mut start = vec![0.0; references.len()];
        instance.get_real(&references, &mut start)?;
        let (mut values, mut value, mut count) = (start.clone(), [0.0], [0]);
        let taken = timing::nanoseconds(|| {
            (0..steps).try_for_each(|step| {
                let t = step as f64 * H;
                for (k, (value, start)) in values.iter_mut().zip(&start).enumerate() {
                    *value = start * (1.0 + amplitude * (TAU * t + k as f64).sin());
                }
                instance.set_real(&references, &values)?;
                instance.do_step(t, H)?;
                instance.get_real(&read, &mut value)?;
                Ok(())
            })
        })?;
        instance.get_integer(&[evaluations], &mut count)?;
        Ok([taken / steps as f64, taken / f64::from(count[0])])
    })
}
