//! Says which step of a chore is running and how long it took.

use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// A chore of a known number of steps.
pub struct Progress {
    steps: usize,
    done: usize,
    start: Instant,
}

impl Progress {
    /// Starts the clock.
    pub fn new(steps: usize) -> Self {
        Progress { steps, done: 0, start: Instant::now() }
    }

    /// Runs one step.
    pub fn step<T>(&mut self, what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.done += 1;
        let begin = Instant::now();
        eprintln!("[{}/{}] {what}", self.done, self.steps);
        let result = work().with_context(|| format!("{what}: failed"))?;
        eprintln!(
            "[{}/{}] {what}: {:.1} s ({:.0} s since the start)",
            self.done,
            self.steps,
            begin.elapsed().as_secs_f64(),
            self.start.elapsed().as_secs_f64(),
        );
        Ok(result)
    }

    /// Runs one step that is a command.
    pub fn command(&mut self, what: &str, command: &mut Command) -> Result<()> {
        self.step(what, || execute(command))
    }
}

/// Runs a command and makes an error of its failure.
pub fn execute(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("`{program}` cannot be started"))?;
    if !status.success() {
        bail!("`{program}` ended with {status}");
    }
    Ok(())
}
