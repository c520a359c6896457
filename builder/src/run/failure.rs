//! The reasons why a simulation ends early.

use std::fmt;

use crate::csv::number;
use crate::error::FailedCall;
use crate::fmi::Status;

/// Why a simulation ended early.
#[derive(Debug)]
pub(super) enum RunFailure {
    /// A function of the FMU failed.
    Call(FailedCall),
    /// No call failed, but the simulation makes no progress: a message with the time.
    Stuck(String),
}

impl From<FailedCall> for RunFailure {
    fn from(call: FailedCall) -> RunFailure {
        RunFailure::Call(call)
    }
}

impl fmt::Display for RunFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunFailure::Call(call) => call.fmt(f),
            RunFailure::Stuck(sentence) => f.write_str(sentence),
        }
    }
}

/// A failed call, with the time unless the message has one.
pub(super) fn at<F: Into<RunFailure>>(time: f64) -> impl Fn(F) -> RunFailure {
    move |failure| {
        let mut failure = failure.into();
        if let RunFailure::Call(FailedCall { message, .. }) = &mut failure {
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
pub(super) fn is_discard(call: &FailedCall) -> bool {
    call.status == Status::Discard
}
