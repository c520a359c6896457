//! The log categories that a simulation requests, and the information that it reads from messages.

use super::outcome::Event;
use fmus::error::FailedCall;
use fmus::fmi::FmuType;
use fmus::fmu::Fmu;
use fmus::host::{self, FmuLibrary, Instance};
use fmus::model_description::ModelDescription;

/// The events of the messages that begin with their time.
pub(crate) fn logged_events(messages: &[host::Message]) -> Vec<Event> {
    let event = |text: &str| {
        let text = text.strip_prefix("t=")?;
        let (time, cause) = text.split_once(' ').unwrap_or((text, ""));
        Some(Event { time: time.parse().ok()?, cause: cause.to_owned() })
    };
    messages.iter().filter_map(|message| event(&message.text)).collect()
}

/// An instance that logs failures, and events if `events` is true. If the categories cannot be
/// chosen, the instance logs nothing, and there is a note.
pub(crate) fn instantiate<'l>(
    fmu: &Fmu,
    library: &'l FmuLibrary,
    (name, fmu_type): (&str, FmuType),
    events: bool,
) -> Result<(Instance<'l>, Option<String>), FailedCall> {
    let description = &fmu.description;
    let guid = &description.guid;
    let new = |logging_on| library.instantiate(name, fmu_type, guid, &fmu.resources(), logging_on);
    let mut instance = new(true)?;
    let wanted = categories(description, events);
    // An empty list of categories would mean all of them.
    match instance.set_debug_logging(!wanted.is_empty(), &wanted) {
        Ok(()) => Ok((instance, None)),
        Err(call) => {
            // A failed instance may only be freed.
            drop(instance);
            Ok((new(false)?, Some(format!("{call}; the run continues without logging"))))
        }
    }
}

/// The categories of messages about failures, and if wanted about changes at events.
pub(super) fn categories(description: &ModelDescription, events: bool) -> Vec<&str> {
    let all = description.log_categories.iter().map(String::as_str);
    all.filter(|name| explains_failures(name) || events && *name == EVENTS).collect()
}

/// The standard's category of messages about events.
pub(super) const EVENTS: &str = "logEvents";

/// Whether messages of a category explain a failure: `logStatusError` and similar ones in the
/// standard, and `logError` of other exporters.
fn explains_failures(category: &str) -> bool {
    let name = category.to_lowercase();
    ["warning", "discard", "error", "fatal"].iter().any(|word| name.contains(word))
}

/// Ends a simulation; returns the statistics of the FMU's own solver, if it logs them.
pub(crate) fn terminate(
    instance: &mut Instance<'_>,
    description: &ModelDescription,
) -> Result<Option<String>, FailedCall> {
    let declared = description.log_categories.iter().any(|c| c == EVENTS);
    if declared && instance.set_debug_logging(true, &[EVENTS]).is_err() {
        // The simulation is over, and a failed instance may only be freed.
        return Ok(None);
    }
    instance.take_messages();
    instance.terminate()?;
    let messages = instance.take_messages();
    Ok(messages.iter().find_map(|m| m.text.strip_prefix("solver: ").map(str::to_owned)))
}
