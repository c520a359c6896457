//! The reasons why a simulation ends early.

use std::fmt;

use crate::csv::number;
use crate::error::Call;
use crate::fmi::Status;

/// Why a simulation ended early.
#[derive(Debug)]
pub(super) enum Failure {
    /// A function of the FMU failed.
    Call(Call),
    /// No call fails, but the simulation makes no progress: a message with the time.
    Stuck(String),
}

impl From<Call> for Failure {
    fn from(call: Call) -> Failure {
        Failure::Call(call)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Call(call) => call.fmt(f),
            Failure::Stuck(sentence) => f.write_str(sentence),
        }
    }
}

/// A failed call, with the time unless the message has one.
pub(super) fn at<F: Into<Failure>>(time: f64) -> impl Fn(F) -> Failure {
    move |failure| {
        let mut failure = failure.into();
        if let Failure::Call(Call { message, .. }) = &mut failure {
            *message = timed(time, message);
        }
        failure
    }
}

/// A message with a time, unless it has one.
pub(super) fn timed(time: f64, message: &str) -> String {
    if ["t=", "t = ", "at t = ", "at time "].iter().any(|words| message.starts_with(words)) {
        return message.to_owned();
    }
    let separator = if message.is_empty() { "" } else { ": " };
    format!("at t = {} s{separator}{message}", number(time))
}

/// Whether a failed call may succeed with a smaller step.
pub(super) fn is_discard(call: &Call) -> bool {
    call.status == Status::Discard
}
