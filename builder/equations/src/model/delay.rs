//! Delayed signals.

use expressions::graph::Leaf;
use expressions::{Ex, select};
use kernels::history::{LEAST_CAPACITY, MOST_CAPACITY};

use crate::model::Model;
use crate::vocabulary::delay::{Delay, DelayEquation};
use crate::vocabulary::error::Error;

impl Model {
    /// A signal, which [`Model::delay_signal`] gives, delayed by `time` in s. The time must depend
    /// on parameters only, which must not change during the simulation, and it must be positive.
    /// The history of the signal has at most `capacity` records within this time.
    ///
    /// Until the time has passed once, the delayed signal is the signal at the start. It depends on
    /// no present value, so a loop through it is no algebraic one.
    pub fn delay(&mut self, name: &str, time: impl Into<Ex>, capacity: i64) -> Delay {
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
        });
        Delay(self.delays.len() as u32 - 1)
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
