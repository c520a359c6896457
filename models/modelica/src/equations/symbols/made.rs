//! Symbols that are made of data, not of a text.

use super::{Condition, Meaning, Relation, Symbols};
use crate::source::{File, Span};
use equations::{Bool, Ex};
use std::path::PathBuf;
use std::rc::Rc;

impl Symbols {
    fn made(&self, meaning: Meaning) -> usize {
        let file = Rc::new(File { path: PathBuf::new(), text: String::new() });
        self.number(meaning, None, &Span { file, start: 0, end: 0 })
    }

    /// The number of a signal with this full name.
    pub fn signal(&self, name: &str) -> usize {
        self.made(Meaning::Variable(name.into()))
    }

    /// The number of the value before the event of a signal with this full name.
    pub fn signal_before(&self, name: &str) -> usize {
        self.made(Meaning::Pre(self.signal(name)))
    }

    /// A truth value `residual > 0` whose changes are events with this text.
    pub fn positive_with_text(&self, residual: Ex, text: &str) -> Bool {
        self.relations.borrow_mut().push(Relation { residual, text: text.to_owned() });
        let number = self.relations.borrow().len() - 1;
        self.ex(self.made(Meaning::Relation(number))).is_true()
    }

    /// True at the instants of a sample.
    pub fn sampled(&self, start: Ex, interval: Ex) -> Bool {
        self.samples.borrow_mut().push((start, interval));
        let number = self.samples.borrow().len() - 1;
        let truth = self.ex(self.made(Meaning::Sample(number))).is_true();
        self.samples_by_key.borrow_mut().insert(truth.key(), number);
        truth
    }

    /// Whether a truth value is that of a sample.
    pub fn is_sample(&self, truth: Bool) -> bool {
        self.samples_by_key.borrow().contains_key(&truth.key())
    }

    /// True at the event at which one of the conditions becomes true.
    pub fn when(&self, conditions: Vec<Condition>, text: &str) -> Bool {
        self.edges.borrow_mut().push((conditions, text.to_owned()));
        let number = self.edges.borrow().len() - 1;
        self.ex(self.made(Meaning::Edge(number))).is_true()
    }

    /// The largest whole number that is not larger than a value.
    pub fn whole(&self, x: Ex) -> Ex {
        self.wholes.borrow_mut().push(x);
        let number = self.wholes.borrow().len() - 1;
        self.ex(self.made(Meaning::Whole(number)))
    }
}
