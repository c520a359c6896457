//! The distribution of the times that communication steps take, as a simulation in real time sees
//! them.

use std::time::Duration;

/// The times that communication steps took.
#[derive(Clone, Debug, Default)]
pub struct StepTimes {
    all: Vec<Duration>,
    /// The longest step: its start in s of the simulation, and the time it took.
    longest: Option<(f64, Duration)>,
}

impl StepTimes {
    /// Adds the step from a time in s.
    pub(super) fn add(&mut self, start: f64, elapsed: Duration) {
        self.all.push(elapsed);
        if self.longest.is_none_or(|(_, longest)| elapsed > longest) {
            self.longest = Some((start, elapsed));
        }
    }

    /// The times that these parts of the steps, from 0 to 1, do not exceed; `None` without steps.
    #[must_use]
    pub fn quantiles<const N: usize>(&self, parts: [f64; N]) -> Option<[Duration; N]> {
        let mut sorted = self.all.clone();
        sorted.sort_unstable();
        let last = sorted.len().checked_sub(1)?;
        let index = |part: f64| (part * sorted.len() as f64).ceil() as usize;
        Some(parts.map(|part| sorted[index(part).saturating_sub(1).min(last)]))
    }

    /// The longest step: its start in s of the simulation, and the time it took.
    #[must_use]
    pub fn longest(&self) -> Option<(f64, Duration)> {
        self.longest
    }

    /// The number of steps that took longer than a communication step of `h` in s.
    #[must_use]
    pub fn late(&self, h: f64) -> usize {
        self.all.iter().filter(|elapsed| elapsed.as_secs_f64() > h).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_times_of_steps() {
        let mut times = StepTimes::default();
        assert_eq!((times.quantiles([0.5]), times.longest()), (None, None));
        for k in (1..=1000_u32).rev() {
            times.add(f64::from(k), Duration::from_micros(k.into()));
        }
        let quantiles = times.quantiles([0.0, 0.5, 0.99, 0.999, 1.0]);
        let micros = quantiles.map(|all| all.map(|time| time.as_micros()));
        assert_eq!(micros, Some([1, 500, 990, 999, 1000]));
        assert_eq!(times.longest(), Some((1000.0, Duration::from_millis(1))));
        assert_eq!((times.late(0.9e-3), times.late(1e-3)), (100, 0));
    }
}
