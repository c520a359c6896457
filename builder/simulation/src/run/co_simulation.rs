//! Simulates a Co-Simulation FMU step by step.

use std::time::Instant;

use super::failure::{RunFailure, at, is_discard};
use super::job::Job;
use fmus::host::Instance;
use fmus::model_description::Interface;

/// Runs an initialized instance from start to stop.
pub(super) fn run(
    instance: &mut Instance<'_>,
    job: &mut Job<'_>,
    interface: &Interface,
) -> Result<(), RunFailure> {
    let any_step = interface.flag("canHandleVariableCommunicationStepSize");
    let slopes = interface.flag("canInterpolateInputs");
    let mut time = job.experiment.start;
    job.sample(instance, time)?;
    for (next, record) in job.points(any_step) {
        let step = if any_step { next - time } else { job.experiment.step };
        if !any_step && next - time < 0.999 * step {
            // An FMU with a fixed step size cannot make a shorter last step.
            break;
        }
        job.inputs.set_all(instance, time).map_err(at(time))?;
        if slopes {
            job.inputs.set_slopes(instance, time, time + step).map_err(at(time))?;
        }
        let begin = Instant::now();
        let done = do_step(instance, time, step);
        let elapsed = begin.elapsed();
        job.statistics.elapsed += elapsed;
        if let Some(times) = &mut job.step_times {
            times.add(time, elapsed);
        }
        if let Some(terminated) = done? {
            let end = terminated.0;
            job.terminated = Some(terminated);
            return Ok(job.sample(instance, end)?);
        }
        time = next;
        job.statistics.steps += 1;
        if record {
            job.sample(instance, time).map_err(at(time))?;
        }
    }
    Ok(())
}

/// Makes a communication step. If the model ends the simulation: the time in s, and its message.
///
/// # Errors
/// If the step fails.
pub(super) fn do_step(
    instance: &mut Instance<'_>,
    time: f64,
    step: f64,
) -> Result<Option<(f64, String)>, RunFailure> {
    match instance.do_step(time, step) {
        Ok(()) => Ok(None),
        Err(error) if is_discard(&error) && instance.is_terminated().unwrap_or(false) => {
            let end = instance.last_successful_time().unwrap_or(time);
            Ok(Some((end, error.message)))
        }
        Err(error) => Err(at(time)(error)),
    }
}
