//! Measures the right-hand side alone, of compiled and of played FMUs.

use coupler_tests::Fmu;
use fmu_builder::Error;
use fmu_builder::fmi::FmuType;
use fmu_builder::host::Instance;

use crate::timing;

/// The number of evaluations in one round, and of rounds.
const EVALUATIONS: u32 = 2000;
const ROUNDS: usize = 25;

/// The shortest time of an evaluation in ns: fmi2SetContinuousStates and fmi2GetDerivatives in
/// Continuous-Time Mode, near the initial values.
pub fn nanoseconds(fmu: &Fmu) -> f64 {
    timing::with_instance(fmu, FmuType::ModelExchange, None, |instance| {
        while instance.new_discrete_states()?.new_discrete_states_needed {}
        instance.enter_continuous_time_mode()?;
        let mut x = vec![0.0; fmu.states().len()];
        let mut dx = x.clone();
        instance.get_continuous_states(&mut x)?;
        let near: Vec<f64> = x.iter().map(|x| x + 1e-9).collect();
        let mut shortest = f64::INFINITY;
        for _ in 0..ROUNDS {
            let taken = timing::nanoseconds(|| {
                (0..EVALUATIONS / 2).try_for_each(|_| {
                    evaluate(instance, &near, &mut dx)?;
                    evaluate(instance, &x, &mut dx)
                })
            })?;
            shortest = shortest.min(taken / f64::from(EVALUATIONS));
        }
        Ok(shortest)
    })
}

fn evaluate(instance: &mut Instance<'_>, x: &[f64], dx: &mut [f64]) -> Result<(), Error> {
    instance.set_continuous_states(x)?;
    instance.get_derivatives(dx)?;
    Ok(())
}
