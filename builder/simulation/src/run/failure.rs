//! The reasons why a simulation ends early.

use std::fmt;

use fmus::csv::number;
use fmus::error::FailedCall;
use fmus::fmi::Status;
use fmus::wording::rounded;

/// Why a simulation ended early: a call failed, or the simulation makes no progress.
#[derive(Debug)]
pub(super) struct RunFailure(pub(super) String);

impl From<FailedCall> for RunFailure {
    fn from(call: FailedCall) -> RunFailure {
        RunFailure(reason(&call))
    }
}

impl fmt::Display for RunFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The message of the FMU; the function that failed is named only if there is none.
pub(crate) fn reason(call: &FailedCall) -> String {
    if call.message.is_empty() { call.to_string() } else { call.message.clone() }
}

/// A failure, with the time unless the message has one.
pub(super) fn at<F: Into<RunFailure>>(time: f64) -> impl Fn(F) -> RunFailure {
    move |failure| RunFailure(timed(time, &failure.into().0))
}

/// A message with a time, unless it has one.
pub(crate) fn timed(time: f64, message: &str) -> String {
    let message = &with_time(message);
    if ["t=", "t = ", "at t = ", "at time "].iter().any(|words| message.starts_with(words)) {
        return message.to_owned();
    }
    format!("at t = {} s: {message}", number(time))
}

/// A message whose own time, if it has one, is readable. The time of a message of the run time,
/// `t=`, is exact, and therefore rounded.
pub(crate) fn with_time(message: &str) -> String {
    let own = message.strip_prefix("t=").and_then(|rest| rest.split_once(' '));
    match own.map(|(time, rest)| (time.parse(), rest)) {
        Some((Ok(time), rest)) => format!("at t = {} s: {rest}", rounded(time, TIME_DIGITS)),
        _ => message.to_owned(),
    }
}

/// Significant digits of times in messages.
const TIME_DIGITS: usize = 6;

/// Whether a failed call may succeed with a smaller step.
pub(super) fn is_discard(call: &FailedCall) -> bool {
    call.status == Status::Discard
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_by_the_message_of_the_fmu_and_has_one_time() {
        let check = |message: &str, sentence: &str| {
            let message = message.to_owned();
            let call = FailedCall { function: "fmi2DoStep", status: Status::Discard, message };
            assert_eq!(at(0.5)(call).to_string(), sentence);
        };
        check("", "at t = 0.5 s: fmi2DoStep returned fmi2Discard");
        check("no solution", "at t = 0.5 s: no solution");
        check("t=0.3147935934842772 j1: a dead point", "at t = 0.314794 s: j1: a dead point");
        check("t = 0.3 s: a dead point", "t = 0.3 s: a dead point");
    }
}
