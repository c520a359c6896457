//! The event iteration in Event Mode.

use crate::run::failure::RunFailure;
use fmus::csv::number;
use fmus::host::Instance;

/// Maximum number of passes at one instant.
const MAX_PASSES: usize = 10_000;

/// The result of an event iteration.
pub(super) struct Iterated {
    /// The time of the next time event in s; infinite if there is none.
    pub(super) next_event: f64,
    /// Whether states have changed.
    pub(super) values_changed: bool,
    /// Whether nominal values of states have changed.
    pub(super) nominals_changed: bool,
}

/// Iterates until the discrete states are consistent; `None` if the FMU wants to end the
/// simulation.
pub(super) fn iterate(
    instance: &mut Instance<'_>,
    time: f64,
) -> Result<Option<Iterated>, RunFailure> {
    let (mut values_changed, mut nominals_changed) = (false, false);
    for _ in 0..MAX_PASSES {
        let info = instance.new_discrete_states()?;
        values_changed |= info.values_of_continuous_states_changed;
        nominals_changed |= info.nominals_of_continuous_states_changed;
        if info.terminate_simulation {
            return Ok(None);
        }
        if info.new_discrete_states_needed {
            continue;
        }
        let next_event = info.next_event_time.unwrap_or(f64::INFINITY);
        if next_event <= time {
            let (time, next) = (number(time), number(next_event));
            let reason =
                format!("at t = {time} s: the next event at {next} s is not in the future");
            return Err(RunFailure(reason));
        }
        return Ok(Some(Iterated { next_event, values_changed, nominals_changed }));
    }
    Err(RunFailure(format!(
        "at t = {} s: the event iteration does not end after {MAX_PASSES} passes",
        number(time)
    )))
}
