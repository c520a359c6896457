//! Why a simulation of a system ends early.

use std::fmt;

use fmus::error::FailedCall;
use fmus::fmi::Status;

use super::slave::Slave;
use crate::run::timed;

/// Why a simulation of a system ended early.
#[derive(Debug)]
pub struct Failure {
    /// The component whose FMU refused; none if the system as a whole cannot continue.
    component: Option<String>,
    /// Whether a smaller step may succeed.
    pub(super) is_discard: bool,
    /// Whether the instance can no longer be used.
    pub(super) is_fatal: bool,
    sentence: String,
}

impl Failure {
    /// A failure of the system as a whole.
    pub(super) fn of_system(sentence: impl Into<String>) -> Failure {
        let sentence = sentence.into();
        Failure { component: None, is_discard: false, is_fatal: false, sentence }
    }

    /// Whether the FMU of a component has refused.
    pub(super) fn is_of(&self, component: &str) -> bool {
        self.component.as_deref() == Some(component)
    }

    /// Whether no component has refused.
    pub(super) fn is_of_system(&self) -> bool {
        self.component.is_none()
    }

    /// The failure with a time, unless its message has one.
    pub(super) fn at(mut self, time: f64) -> Failure {
        self.sentence = timed(time, &self.sentence);
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.component {
            Some(component) => write!(f, "{component}: {}", self.sentence),
            None => f.write_str(&self.sentence),
        }
    }
}

/// Adds the component to a failed call.
pub(super) fn of(slave: &Slave<'_>) -> impl Fn(FailedCall) -> Failure + use<> {
    let name = slave.name.clone();
    move |call| Failure {
        component: Some(name.clone()),
        is_discard: call.status == Status::Discard,
        is_fatal: call.status == Status::Fatal,
        sentence: crate::run::reason(&call),
    }
}
