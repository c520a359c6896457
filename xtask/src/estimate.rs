//! Estimates the duration of a chore from the durations of an earlier run.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::workspace;

/// The expected duration in s of a part that no earlier run had.
const UNKNOWN: f64 = 5.0;

/// After parts that were expected to take this time in s, the speed of the machine is known.
const ENOUGH: f64 = 20.0;

/// The durations of the parts of a chore, in s, in an earlier run and in the present run.
#[derive(Debug)]
pub struct Estimate {
    chore: String,
    expected: Vec<(String, f64)>,
    measured: Vec<(String, f64)>,
    start: Instant,
}

impl Estimate {
    /// Reads the durations of the last run on this machine, or else those recorded in the
    /// repository.
    pub fn read(chore: &str) -> Estimate {
        let recorded = workspace::root().join(format!("tests/durations/{chore}.txt"));
        let text = fs::read_to_string(file(chore)).or_else(|_| fs::read_to_string(recorded));
        Estimate::of(chore, &text.unwrap_or_default())
    }

    fn of(chore: &str, text: &str) -> Estimate {
        let part = |line: &str| {
            let (seconds, name) = line.split_once(' ')?;
            Some((name.to_owned(), seconds.parse().ok()?))
        };
        let expected = text.lines().filter_map(part).collect();
        Estimate { chore: chore.to_owned(), expected, measured: Vec::new(), start: Instant::now() }
    }

    /// Records the duration of a part in s.
    pub fn took(&mut self, part: &str, seconds: f64) {
        self.measured.push((part.to_owned(), seconds));
    }

    /// The approximate durations in s of the rest and of the whole, when `share` of a part is done;
    /// the part began `since` seconds ago.
    pub fn rest_and_whole(&self, part: &str, share: f64, since: f64) -> (f64, f64) {
        let expected = |name: &str| {
            let found = self.expected.iter().find(|(known, _)| known == name);
            found.map_or(UNKNOWN, |(_, seconds)| *seconds)
        };
        let is_over = |name: &str| name == part || self.measured.iter().any(|(n, _)| n == name);
        let parts_to_come = self.expected.iter().filter(|(name, _)| !is_over(name));
        let to_come: f64 = parts_to_come.map(|(_, seconds)| seconds).sum();
        let is_known = self.expected.iter().any(|(known, _)| known == part);
        if !is_known && share > 0.0 {
            // This part was never measured: its remaining time is extrapolated.
            let rest = to_come + since * (1.0 - share) / share;
            return (rest, self.start.elapsed().as_secs_f64() + rest);
        }
        let rest = to_come + expected(part) * (1.0 - share);
        let behind = self.measured.iter().map(|(name, _)| expected(name)).sum::<f64>()
            + expected(part) * share;
        let took = self.measured.iter().map(|(_, seconds)| seconds).sum::<f64>() + since;
        let slower = if behind > ENOUGH { (took / behind).clamp(0.5, 4.0) } else { 1.0 };
        let rest = rest * slower;
        (rest, self.start.elapsed().as_secs_f64() + rest)
    }

    /// Writes the durations of this run below `target`, for the next one.
    pub fn record(&self) -> Result<()> {
        let path = file(&self.chore);
        let line = |(name, seconds): &(String, f64)| format!("{seconds:.1} {name}\n");
        let text: String = self.measured.iter().map(line).collect();
        let folder = path.parent().context("a file in a folder")?;
        fs::create_dir_all(folder).and_then(|()| fs::write(&path, text))?;
        Ok(())
    }
}

/// The file with the durations of the last run on this machine.
fn file(chore: &str) -> PathBuf {
    workspace::target().join("durations").join(format!("{chore}.txt"))
}

/// A duration in words, in seconds or minutes.
pub fn words(seconds: f64) -> String {
    if seconds < 90.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_estimated_by_the_speed_so_far() {
        let mut estimate = Estimate::of("a", "100.0 first part\n40.0 second\n60.0 third\n");
        let (rest, _) = estimate.rest_and_whole("first part", 0.0, 0.0);
        assert_eq!(rest, 200.0);
        estimate.took("first part", 200.0);
        let (rest, _) = estimate.rest_and_whole("second", 0.5, 40.0);
        assert_eq!(rest, 160.0, "everything takes twice as long");
    }

    #[test]
    fn a_part_without_a_recorded_duration_counts_as_short() {
        let (rest, whole) = Estimate::of("a", "").rest_and_whole("new", 0.0, 0.0);
        assert!(rest == UNKNOWN && whole >= rest);
        let (rest, _) = Estimate::of("a", "").rest_and_whole("new", 0.25, 10.0);
        assert_eq!(rest, 30.0, "it continues at the same speed");
    }
}
