//! Instances whose calls are timed one by one.

use std::time::Instant;

use coupler_tests::Fmu;
use fmu_builder::Error;
use fmu_builder::fmi::FmuType;
use fmu_builder::fmu;
use fmu_builder::host::Instance;

/// What a function returns for an instance that is initialized at time 0.
///
/// # Panics
/// If a call fails, with the name of the FMU.
pub fn with_instance<T>(
    fmu: &Fmu,
    fmu_type: FmuType,
    tolerance: Option<f64>,
    measure: impl FnOnce(&mut Instance<'_>) -> Result<T, Error>,
) -> T {
    let run = || {
        let opened = fmu::Fmu::open(&fmu.path)?;
        let (d, library) = (&opened.description, opened.load(fmu_type)?);
        let resources = opened.resources();
        let mut instance =
            library.instantiate(&d.model_name, fmu_type, &d.guid, &resources, false)?;
        instance.setup_experiment(tolerance, 0.0, None)?;
        instance.enter_initialization_mode()?;
        instance.exit_initialization_mode()?;
        measure(&mut instance)
    };
    run().unwrap_or_else(|error: Error| panic!("{}: {error}", fmu.name()))
}

/// The time in ns that a function takes.
pub fn nanoseconds(timed: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
    let begin = Instant::now();
    timed()?;
    Ok(begin.elapsed().as_secs_f64() * 1e9)
}
