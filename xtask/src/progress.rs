//! Reports the present step of a chore, its duration, and an estimate of the remaining time.

use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::estimate::{Estimate, words};

/// A chore with a known number of steps.
pub struct ChoreProgress {
    steps: usize,
    done: usize,
    start: Instant,
    estimate: Option<Estimate>,
}

impl ChoreProgress {
    /// Starts the clock.
    pub fn new(steps: usize) -> Self {
        ChoreProgress { steps, done: 0, start: Instant::now(), estimate: None }
    }

    /// Starts the clock of a chore whose durations are known.
    pub fn with_estimate(steps: usize, estimate: Estimate) -> Self {
        ChoreProgress { estimate: Some(estimate), ..ChoreProgress::new(steps) }
    }

    /// Runs one step.
    pub fn step<T>(&mut self, what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.done += 1;
        let begin = Instant::now();
        eprintln!("[{}/{}] {}{what}", self.done, self.steps, self.left(what, 0.0, 0.0));
        let result = work().with_context(|| format!("{what}: failed"))?;
        let seconds = begin.elapsed().as_secs_f64();
        self.took(what, seconds);
        eprintln!(
            "[{}/{}] {what}: {seconds:.1} s ({})",
            self.done,
            self.steps,
            self.since_the_start(),
        );
        Ok(result)
    }

    /// Runs one step that is a command.
    pub fn command(&mut self, what: &str, command: &mut Command) -> Result<()> {
        self.step(what, || execute(command))
    }

    /// The time since the start, in words.
    pub fn since_the_start(&self) -> String {
        format!("{} since the start", words(self.start.elapsed().as_secs_f64()))
    }

    /// The approximate remaining time in words, when `share` of a part is done; the part began
    /// `since` seconds ago. The text is empty if nothing is known.
    pub fn left(&self, part: &str, share: f64, since: f64) -> String {
        let Some(estimate) = &self.estimate else { return String::new() };
        let (rest, whole) = estimate.rest_and_whole(part, share, since);
        format!("about {} of {} left; ", words(rest), words(whole))
    }

    /// Records the duration of a part in s.
    pub fn took(&mut self, part: &str, seconds: f64) {
        if let Some(estimate) = &mut self.estimate {
            estimate.took(part, seconds);
        }
    }

    /// Stores the durations for the next run.
    pub fn record_durations(&self) -> Result<()> {
        self.estimate.as_ref().map_or(Ok(()), Estimate::record)
    }
}

/// Runs a command; its failure is an error.
pub fn execute(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("`{program}` cannot be started"))?;
    if !status.success() {
        bail!("`{program}` ended with {status}");
    }
    Ok(())
}
