//! Measures the right-hand side alone, of compiled and of played FMUs.

use std::time::Instant;

use coupler_tests::Fmu;
use fmu_builder::Error;
use fmu_builder::error::FailedCall;
use fmu_builder::fmi::FmuType;
use fmu_builder::fmu;
use fmu_builder::host::Instance;

/// The number of evaluations in one round, and of rounds.
const EVALUATIONS: u32 = 2000;
const ROUNDS: usize = 25;

/// Initializes an instance at time 0.
pub fn initialize(instance: &mut Instance<'_>, tolerance: Option<f64>) -> Result<(), FailedCall> {
    instance.setup_experiment(tolerance, 0.0, None)?;
    instance.enter_initialization_mode()?;
    instance.exit_initialization_mode()
}

/// The shortest time of an evaluation in ns: fmi2SetContinuousStates and fmi2GetDerivatives in
/// Continuous-Time Mode, near the initial values.
pub fn nanoseconds(fmu: &Fmu) -> f64 {
    measure(fmu).unwrap_or_else(|error| panic!("{}: {error}", fmu.name()))
}

fn measure(fmu: &Fmu) -> Result<f64, Error> {
    let fmu = fmu::Fmu::open(&fmu.path)?;
    let (d, fmu_type) = (&fmu.description, FmuType::ModelExchange);
    let library = fmu.load(fmu_type)?;
    let mut instance =
        library.instantiate(&d.model_name, fmu_type, &d.guid, &fmu.resources(), false)?;
    initialize(&mut instance, None)?;
    while instance.new_discrete_states()?.new_discrete_states_needed {}
    instance.enter_continuous_time_mode()?;
    let mut x = vec![0.0; d.derivatives.len()];
    let mut dx = x.clone();
    instance.get_continuous_states(&mut x)?;
    let near: Vec<f64> = x.iter().map(|x| x + 1e-9).collect();
    let mut shortest = f64::INFINITY;
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        for _ in 0..EVALUATIONS / 2 {
            evaluate(&mut instance, &near, &mut dx)?;
            evaluate(&mut instance, &x, &mut dx)?;
        }
        shortest = shortest.min(begin.elapsed().as_secs_f64() * 1e9 / f64::from(EVALUATIONS));
    }
    Ok(shortest)
}

fn evaluate(instance: &mut Instance<'_>, x: &[f64], dx: &mut [f64]) -> Result<(), Error> {
    instance.set_continuous_states(x)?;
    instance.get_derivatives(dx)?;
    Ok(())
}
