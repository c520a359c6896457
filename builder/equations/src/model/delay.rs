//! Delayed signals.

use expressions::graph::Leaf;
use expressions::{Ex, evaluate, select};
use kernels::history::{LEAST_CAPACITY, MOST_CAPACITY};

use crate::model::Model;
use crate::vocabulary::delay::{Delay, DelayEquation};
use crate::vocabulary::error::Error;

/// The number of records of a delay whose capacity nobody chose, besides those for ticks.
const LEAST_UNCHOSEN: u32 = 1 << 13;

/// The number of records for a tick: two at its instant, and some for the steps to the next one.
const RECORDS_OF_TICK: f64 = 6.0;

impl Model {
    /// A signal, which [`Model::delay_signal`] gives, delayed by `time` in s. The time must depend
    /// on parameters only, which must not change during the simulation, and it must be positive.
    /// The history of the signal has at most `capacity` records within this time. Without this
    /// number, it follows from the ticks of the clocks within the delay time.
    ///
    /// Until the time has passed once, the delayed signal is the signal at the start. It depends on
    /// no present value, so a loop through it is no algebraic one.
    pub fn delay(
        &mut self,
        name: &str,
        time: impl Into<Ex>,
        capacity: impl Into<Option<i64>>,
    ) -> Delay {
        let chosen: Option<i64> = capacity.into();
        let capacity = chosen.unwrap_or(i64::from(LEAST_UNCHOSEN));
        let range = i64::from(LEAST_CAPACITY)..=i64::from(MOST_CAPACITY);
        if !range.contains(&capacity) {
            let (least, most) = range.into_inner();
            let text = format!("{name}: its capacity is {capacity}, but must be {least} to {most}");
            self.refuse(Error::Definition(text));
        }
        let time = time.into();
        self.require(&[], time.gt(0.0), &format!("{name}: its delay time must be positive"));
        let start = self.calculated.len() as u32;
        self.calculated.push((name.to_owned(), Ex::zero()));
        self.delays.push(DelayEquation {
            name: name.to_owned(),
            time,
            signal: None,
            start,
            capacity: u32::try_from(capacity).unwrap_or(LEAST_CAPACITY),
            is_chosen: chosen.is_some(),
        });
        Delay(self.delays.len() as u32 - 1)
    }

    /// Gives room for the ticks of all clocks within the delay time, for the default values of
    /// parameters, to delays whose capacity nobody chose.
    pub(crate) fn complete_delays(&mut self) {
        if self.delays.iter().all(|delay| delay.is_chosen) {
            return;
        }
        let numbers = |values: Vec<Ex>| -> Vec<f64> {
            let of = |value: Ex| {
                let known = evaluate(&[value], &mut |leaf| match leaf {
                    Leaf::Parameter(i) => self.parameters[i as usize],
                    _ => f64::NAN,
                });
                known.map_or(f64::NAN, |known| known[0])
            };
            values.into_iter().map(of).collect()
        };
        let intervals = numbers(self.intervals.iter().map(|(_, every)| *every).collect());
        let rate: f64 = intervals.into_iter().filter(|every| *every > 0.0).map(f64::recip).sum();
        let times = numbers(self.delays.iter().map(|delay| delay.time).collect());
        for (delay, time) in self.delays.iter_mut().zip(times).filter(|(of, _)| !of.is_chosen) {
            // Conversion to whole numbers keeps to their range.
            let more = (RECORDS_OF_TICK * time * rate) as u32;
            delay.capacity = LEAST_UNCHOSEN.saturating_add(more).min(MOST_CAPACITY);
        }
    }

    /// The signal of a delay.
    pub fn delay_signal(&mut self, Delay(i): Delay, signal: impl Into<Ex>) {
        let signal = signal.into();
        let delay = &mut self.delays[i as usize];
        self.calculated[delay.start as usize].1 = signal;
        if delay.signal.replace(signal).is_some() {
            let text = format!("{}: its signal is given twice", delay.name);
            self.refuse(Error::Definition(text));
        }
    }

    /// The delayed signal.
    #[must_use]
    pub fn delayed(&self, Delay(i): Delay) -> Ex {
        let start = Ex::leaf(Leaf::Calculated(self.delays[i as usize].start));
        select(self.initial(), start, Ex::leaf(Leaf::Delayed(i, 0)))
    }
}
