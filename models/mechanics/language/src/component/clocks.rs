//! Clocks of signals: which component gives one, and which passes signals on to another clock.

use super::Contribution;
use crate::port::PortId;
use crate::statements::contributions::clocks::{Derivation, DerivedClock};
use equations::Clock;

impl Contribution<'_> {
    /// Gives a clock to the signals of this component, except at ports with clocks of their own.
    pub fn give_clock(&mut self, clock: Clock) {
        self.structure.clocks.given.push((self.component, clock));
    }

    /// The signal at a port need not have the clock of the component's other signals.
    pub fn leave_clock(&mut self, port: &'static str) {
        self.structure.clocks.apart.insert(PortId { component: self.component, port });
    }

    /// The clock of the component follows from that at a port, and the other way round.
    pub fn derive_clock(&mut self, port: &'static str, by: Derivation) {
        self.leave_clock(port);
        let from = PortId { component: self.component, port };
        self.structure.clocks.derived.push(DerivedClock { from, by });
    }
}
