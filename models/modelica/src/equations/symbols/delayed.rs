//! Delayed values.

use super::{Meaning, Symbols, short_text};
use crate::source::{Checked, Complaint, Span};
use crate::value::Value;
use equations::Ex;
use std::collections::BTreeSet;

/// A value, its delay in s, and its text.
#[derive(Clone, Debug)]
pub struct Delayed {
    /// The value.
    pub of: Ex,
    /// The delay in s.
    pub time: Ex,
    /// The text.
    pub text: String,
}

impl Symbols {
    /// `delay(value, time)`.
    pub(super) fn delay(&self, value: &Value, time: Ex, span: &Span) -> Checked<Value> {
        if let Some(other) = value.scalars().iter().find(|of| !matches!(of, Value::Real(_))) {
            let sentence = format!("only a Real is delayed, and this is {}", other.kind());
            return Err(Complaint::at(span, sentence));
        }
        if !self.are_fixed(&[time]) {
            let sentence = "a delay time that varies is not supported: it must be a parameter";
            return Err(Complaint::at(span, sentence));
        }
        let seconds = time.constant_value();
        if let Some(seconds) = seconds.filter(|seconds| seconds.is_nan() || *seconds <= 0.0) {
            let sentence = format!("the delay time is {seconds} s, but must be positive");
            return Err(Complaint::at(span, sentence));
        }
        Symbols::each(value, span, &|of| Ok(Value::Real(self.delayed(of, time, span))))
    }

    /// The symbol of a delayed value.
    pub(super) fn delayed(&self, of: Ex, time: Ex, span: &Span) -> Ex {
        let mut delays = self.delays.borrow_mut();
        let keys = [of.key(), time.key()];
        let known = delays.iter().position(|known| [known.of.key(), known.time.key()] == keys);
        let delay = known.unwrap_or_else(|| {
            delays.push(Delayed { of, time, text: short_text(span) });
            delays.len() - 1
        });
        drop(delays);
        self.ex(self.number(Meaning::Delay(delay), None, span))
    }

    /// The delay with a number.
    pub fn delay_of(&self, number: usize) -> Delayed {
        self.delays.borrow()[number].clone()
    }

    /// The numbers of all symbols in expressions, also of those behind truth values and of those
    /// that are delayed. A value does not depend on the present value of the latter.
    pub fn all_needed_by(&self, values: &[Ex]) -> Vec<usize> {
        let (mut open, mut found) = (self.all_of(values), BTreeSet::new());
        while let Some(number) = open.pop() {
            if found.insert(number)
                && let Meaning::Delay(delay) = self.get(number).meaning
            {
                open.extend(self.all_of(&[self.delay_of(delay).of]));
            }
        }
        found.into_iter().collect()
    }
}
