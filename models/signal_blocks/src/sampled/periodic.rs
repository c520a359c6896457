//! What blocks with a fixed sample period share: their ticks, and values that change at ticks.

use equations::{Bool, Clock, DiscreteVariable, Ex, Ticks, select};
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;

group! {
    /// A block with a fixed sample period. It ticks at `startTime + i samplePeriod`, with
    /// `i = 0, 1, ..`
    pub struct Sampling(sampling) {
        /// Time between two ticks
        sample_period "samplePeriod": Real["s", > 0, fixed],
        /// Time of the first tick
        start_time "startTime": Real["s", fixed] = 0,
    }
    variables {
        /// Whether the last tick was the first one
        first_trigger "firstTrigger": Boolean,
    }
}

/// When a block with a fixed sample period acts.
#[derive(Clone, Copy)]
pub(super) struct Sampled {
    /// True in the event iteration of a tick.
    pub tick: Bool,
    /// The ticks with their numbers.
    pub ticks: Ticks,
    /// Whether the block takes its first value at the start.
    pub begins: Bool,
    /// True during initialization.
    pub initial: Bool,
    /// Whether a tick is the first one.
    pub is_first: Bool,
    /// The time between two ticks in s.
    pub period: Ex,
}

impl Sampling {
    /// The ticks of the block.
    pub(super) fn begin(self, c: &mut Contribution<'_>) -> Sampled {
        let Sampling { sample_period: period, start_time } = self;
        let name = c.full("sampleTrigger");
        let ticks = c.model().ticks(&name, Clock::periodic(start_time, period));
        let tick = ticks.tick;
        let (time, initial) = (c.model().time(), c.model().initial());
        let first_trigger = c.discrete("firstTrigger", 0.0).boolean().done();
        let is_first = time.le(start_time + period / 2.0);
        let next = select(tick, is_first.as_ex(), first_trigger.pre());
        c.model().update(first_trigger, next);
        let begins = begins(c, start_time);
        Sampled { tick, ticks, begins, initial, is_first, period }
    }
}

/// True in the first pass of initialization, unless a start time is later. In the other passes, a
/// value that the block took may have changed what it was computed from.
pub(super) fn begins(c: &mut Contribution<'_>, start_time: Ex) -> Bool {
    let name = c.full("begun");
    let model = c.model();
    let begun = model.memory(&name, 0.0);
    model.update(begun, 1.0);
    model.initial() & !begun.pre_bool() & model.time().ge(start_time)
}

/// A value that changes at events of its block only.
#[derive(Clone, Copy)]
pub(super) struct Held(DiscreteVariable);

impl Held {
    /// Declares a variable of the block that begins at 0.
    pub fn new(c: &mut Contribution<'_>, local: &str) -> Held {
        Held::starting(c, local, 0.0)
    }

    /// Declares a variable of the block that begins at a value.
    pub fn starting(c: &mut Contribution<'_>, local: &str, start: f64) -> Held {
        Held(c.discrete(local, start).done())
    }

    /// The value before the present event iteration.
    pub fn pre(self) -> Ex {
        self.0.pre()
    }

    /// Changes the value when a condition is true; returns the value in this event iteration.
    pub fn set(self, e: &mut SignalView<'_>, when: Bool, value: Ex) -> Ex {
        let next = select(when, value, self.pre());
        e.model().update(self.0, next);
        next
    }
}

/// Declares a signal that changes when a condition is true, to the value of a law.
pub(super) fn held_signal(
    c: &mut Contribution<'_>,
    local: &'static str,
    when: Bool,
    law: impl FnOnce(&mut SignalView<'_>, Held) -> Result<Ex, Error> + 'static,
) {
    let held = Held::new(c, local);
    c.signal(local, move |e| {
        let value = law(e, held)?;
        Ok(held.set(e, when, value))
    });
}
