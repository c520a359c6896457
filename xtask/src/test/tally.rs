//! Counts tests while they run, reports the running ones, and prints a summary.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use super::lines::{Line, TestOutcome};
use crate::progress::ChoreProgress;

/// The interval between printed lines if there is no terminal. (On a terminal, one line changes.)
const INTERVAL: Duration = Duration::from_secs(15);

/// Maximum length of a line on a terminal.
const COLUMNS: usize = 100;

/// A test program with its tests and results.
#[derive(Debug, Default)]
struct TestProgram {
    name: String,
    /// Its tests, in the order in which they begin.
    tests: Vec<String>,
    ended: BTreeSet<String>,
    failed: usize,
    skipped: usize,
    has_result: bool,
}

/// All test programs.
#[derive(Debug, Default)]
pub struct Tally {
    programs: Vec<TestProgram>,
    /// The running program, and its start.
    running: Option<(usize, Instant)>,
    /// The lines that it printed besides results.
    output: Vec<String>,
    failed: Vec<String>,
    /// Names of tests with the reason why they, or a part of them, were skipped.
    skipped: BTreeSet<(String, String)>,
    printed: Option<Instant>,
}

impl Tally {
    /// Processes a line of the list of tests.
    pub fn list(&mut self, line: &Line) {
        match (line, self.programs.last_mut()) {
            (Line::Program(name), _) => {
                self.programs.push(TestProgram { name: name.clone(), ..TestProgram::default() });
            }
            (Line::Listed(test), Some(program)) => program.tests.push((*test).to_owned()),
            _ => (),
        }
    }

    /// Processes a line that was printed while tests ran.
    pub fn take(&mut self, line: &Line, text: &str, progress: &mut ChoreProgress) {
        match line {
            Line::Program(name) => {
                self.end_of_program(progress);
                let index = self.programs.iter().position(|program| program.name == *name);
                self.running = index.map(|index| (index, Instant::now()));
            }
            Line::Ended(test, outcome) => self.ended(test, outcome),
            Line::Skipped { test, reason } => self.skip(test, reason),
            Line::Result => {
                if let Some(program) = self.program() {
                    program.has_result = true;
                }
            }
            Line::Listed(_) | Line::Other => self.output.push(text.to_owned()),
        }
        if matches!(line, Line::Program(_) | Line::Ended(..)) {
            self.status(progress);
        }
    }

    fn program(&mut self) -> Option<&mut TestProgram> {
        let (index, _) = self.running?;
        self.programs.get_mut(index)
    }

    fn ended(&mut self, test: &str, outcome: &TestOutcome) {
        match outcome {
            TestOutcome::Passed => (),
            TestOutcome::Failed => {
                print_line(&format!("FAILED: {test}"));
                self.failed.push(test.to_owned());
            }
            TestOutcome::Ignored(reason) => self.skip(test, reason),
        }
        if let Some(program) = self.program() {
            program.failed += usize::from(*outcome == TestOutcome::Failed);
            program.ended.insert(test.to_owned());
        }
    }

    fn skip(&mut self, test: &str, reason: &str) {
        if self.skipped.insert((test.to_owned(), reason.to_owned())) {
            print_line(&format!("skipped: {test}: {reason}"));
            if let Some(program) = self.program() {
                program.skipped += 1;
            }
        }
    }

    /// Prints the result of the program that has ended, and its output if tests failed.
    pub fn end_of_program(&mut self, progress: &mut ChoreProgress) {
        let Some((index, begin)) = self.running.take() else { return };
        let program = &self.programs[index];
        let TestProgram { name, tests, ended, failed, skipped, .. } = program;
        let seconds = begin.elapsed().as_secs_f64();
        let mut text = format!("{name}: {} of {} tests ended", ended.len(), tests.len());
        if *failed > 0 {
            text += &format!(", {failed} failed");
        }
        if *skipped > 0 {
            text += &format!(", {skipped} skipped");
        }
        if !tests.is_empty() {
            print_line(&format!("{text}; {seconds:.1} s"));
        }
        if !program.has_result {
            self.failed.push(format!("{name}, which ended before its tests did"));
        }
        if *failed > 0 || !program.has_result {
            self.output.iter().for_each(|line| eprintln!("{line}"));
        }
        progress.took(name, seconds);
        self.output.clear();
    }

    /// The number of tests that have ended.
    fn count(&self) -> usize {
        self.programs.iter().map(|program| program.ended.len()).sum()
    }

    /// The number of all tests.
    fn total(&self) -> usize {
        self.programs.iter().map(|program| program.tests.len()).sum()
    }

    /// Prints the number of tests that have ended, the running ones, and the estimated remaining
    /// time.
    fn status(&mut self, progress: &ChoreProgress) {
        let Some((index, begin)) = self.running else { return };
        let terminal = std::io::stderr().is_terminal();
        if !terminal && self.printed.is_some_and(|printed| printed.elapsed() < INTERVAL) {
            return;
        }
        self.printed = Some(Instant::now());
        let program = &self.programs[index];
        let share = program.ended.len() as f64 / program.tests.len().max(1) as f64;
        let left = progress.left(&program.name, share, begin.elapsed().as_secs_f64());
        let text = format!(
            "[{}/{}] {left}{}: {}",
            self.count(),
            self.total(),
            program.name,
            program.begun(threads()).join(", ")
        );
        if terminal {
            let short: String = text.chars().take(COLUMNS).collect();
            eprint!("\r\x1b[2K{short}");
        } else {
            eprintln!("{text}");
        }
    }

    /// Prints the summary; returns whether all tests passed.
    pub fn summary(&self, progress: &ChoreProgress) -> bool {
        let (count, total) = (self.count(), self.total());
        let skipped: BTreeSet<&String> = self.skipped.iter().map(|(test, _)| test).collect();
        print_line(&format!(
            "{total} tests: {} passed, {} failed, {} skipped; {}",
            count.saturating_sub(self.failed.len() + skipped.len()),
            self.failed.len(),
            skipped.len(),
            progress.since_the_start(),
        ));
        self.skipped.iter().for_each(|(test, reason)| eprintln!("  skipped: {test}: {reason}"));
        self.failed.iter().for_each(|test| eprintln!("  FAILED: {test}"));
        if count < total {
            eprintln!("  {} tests did not end", total - count);
        }
        self.failed.is_empty() && count == total
    }
}

impl TestProgram {
    /// The running tests: as many as there are threads, in order, after those that have ended.
    fn begun(&self, threads: usize) -> Vec<&str> {
        let begun = self.tests.iter().take(self.ended.len() + threads);
        begun.filter(|test| !self.ended.contains(*test)).map(String::as_str).collect()
    }
}

/// The number of tests of a program that run at the same time.
fn threads() -> usize {
    let named = std::env::var("RUST_TEST_THREADS").ok().and_then(|text| text.parse().ok());
    named.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Prints a line, which overwrites the one that changes.
fn print_line(text: &str) {
    let clear = if std::io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
    eprintln!("{clear}{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_tests_have_begun_and_not_ended() {
        let tests = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let ended = BTreeSet::from(["b".to_owned()]);
        let program = TestProgram { tests, ended, ..TestProgram::default() };
        assert_eq!(program.begun(2), ["a", "c"]);
    }

    #[test]
    fn a_program_that_dies_has_failed() {
        let mut progress = ChoreProgress::new(1);
        let mut tally = Tally::default();
        let listed = ["     Running tests/a.rs (target/a-1f)", "one: test", "two: test"];
        listed.iter().for_each(|line| tally.list(&Line::read(line)));
        for line in [listed[0], "test one ... ok"] {
            tally.take(&Line::read(line), line, &mut progress);
        }
        tally.end_of_program(&mut progress);
        assert!(!tally.summary(&progress));
        assert_eq!((tally.count(), tally.total()), (1, 2));
    }

    #[test]
    fn a_test_that_was_skipped_has_not_passed() {
        let mut progress = ChoreProgress::new(1);
        let mut tally = Tally::default();
        let listed = ["     Running tests/a.rs (target/a-1f)", "one: test"];
        listed.iter().for_each(|line| tally.list(&Line::read(line)));
        let lines = [listed[0], "skipped: one: no valgrind", "test one ... ok", "test result: ok."];
        lines.iter().for_each(|line| tally.take(&Line::read(line), line, &mut progress));
        tally.end_of_program(&mut progress);
        assert!(tally.summary(&progress), "that is no failure");
        assert_eq!((tally.skipped.len(), tally.failed.len()), (1, 0));
    }
}
