//! Pulse width modulation, whose edges are computed and not located.

use super::periodic::{Held, begins};
use crate::signals::interfaces::from_instant;
use equations::{Bool, Clock, Ticks, select, select_bool};
use mechanics::declaration::{InputOr, choice, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;
use std::cell::OnceCell;
use std::rc::Rc;

choice! {
    /// Signal with which a duty cycle is compared.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum SingleReferenceType {
        /// It rises from 0 to 1 in each period: a pulse begins with the period.
        #[default]
        Sawtooth,
        /// It rises to 1 and falls to 0 in each period: a pulse is in the middle between two halves
        /// of periods.
        Triangle,
    }
}

component! {
    /// Modulation of the width of pulses by a duty cycle.
    ///
    /// # Equations
    /// The duty cycle, limited to 0 .. 1, is sampled at `startTime + i / f`, with `i = 0, 1, ..`.
    /// `fire` is true while the sample `zeroOrderHold.y` is above a reference from 0 to 1, a
    /// sawtooth or a triangle with the frequency `f`. `notFire = not fire`; without
    /// `commonComparison`, `notFire` is true while `1 - zeroOrderHold.y` is above the reference.
    ///
    /// # Events
    /// A time event at the beginning of each period, and at each edge. There are no pulses at the
    /// duty cycle 0, and no edges at 1.
    pub struct SignalPWM = "Modelica.Electrical.PowerConverters.DCDC.Control.SignalPWM" {
        /// Duty cycle
        constant_duty_cycle "constantDutyCycle": Real[for dutyCycle] = 0,
        /// Switching frequency
        f: Real["Hz", > 0, fixed] = 1000,
        /// Type of the reference signal
        ref_type "refType": SingleReferenceType = SingleReferenceType::Sawtooth,
        /// Whether one comparison gives both signals
        common_comparison "commonComparison": bool = true,
        /// Time of the beginning of the first period
        start_time "startTime": Real["s", fixed] = 0,
    }
    ports {
        /// Duty cycle
        duty_cycle "dutyCycle": Input,
    }
    variables {
        /// Sampled duty cycle
        sample "zeroOrderHold.y": Real,
        /// Whether the first switch is closed
        fire: Boolean,
        /// Whether the second switch is closed
        not_fire "notFire": Boolean,
    }
}

/// The periods of a modulation.
#[derive(Clone, Copy)]
struct Periods {
    ticks: Ticks,
    clock: Clock,
    reference: SingleReferenceType,
}

impl Periods {
    /// Whether a duty cycle is above the reference: its value in the present event iteration, and
    /// before.
    fn pulse(&self, e: &mut SignalView<'_>, local: [&str; 3], now: Ex, before: Ex) -> Bool {
        let begun = self.ticks.number.pre() - 1.0;
        let has_edges = before.gt(0.0) & before.lt(1.0);
        let mut passed = |local: &str, fraction: Ex| {
            let instant = self.clock.instant(begun + fraction);
            from_instant(e, local, select(has_edges, instant, f64::INFINITY))
        };
        let between = match self.reference {
            SingleReferenceType::Sawtooth => !passed(local[0], before),
            SingleReferenceType::Triangle => {
                !passed(local[0], before / 2.0) | passed(local[1], 1.0 - before / 2.0)
            }
        };
        let holds = before.ge(1.0) | (has_edges & between);
        // A relation, because what depends on it is a signal of type Boolean.
        let name = e.full(local[2]);
        let is_positive = e.model().sampled(&name, now);
        select_bool(self.ticks.tick, is_positive, holds)
    }
}

const NO_PULSES: &str = "dutyCycle is not connected, so there are no pulses";

impl Component for SignalPWM {
    fn contribute(p: SignalPWMParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let clock = Clock::with_quotient(p.start_time, 1.0, p.f);
        let name = c.full("period");
        let ticks = c.model().ticks(&name, clock);
        let begins = begins(c, p.start_time);
        let sample = Held::new(c, "zeroOrderHold.y");
        let duty_cycle = p.constant_duty_cycle;
        if let InputOr::Parameter(duty) = duty_cycle {
            let (name, why) = (c.full("constantDutyCycle"), NO_PULSES);
            c.model().remark(&[&name], !duty.equals(0.0), why);
        }
        let periods = Periods { ticks, clock, reference: p.ref_type };
        let pulses = Rc::new(OnceCell::new());
        let read = move |e: &mut SignalView<'_>| -> Result<[Bool; 2], Error> {
            if let Some(pulses) = pulses.get() {
                return Ok(*pulses);
            }
            let duty = duty_cycle.read(e)?.min(1.0).max(0.0);
            let before = sample.pre();
            let now = sample.set(e, ticks.tick | begins, duty);
            let fire = periods.pulse(e, ["fall", "rise", "begins"], now, before);
            let not_fire = match p.common_comparison {
                true => !fire,
                false => {
                    let local = ["notFire: fall", "notFire: rise", "notFire: begins"];
                    periods.pulse(e, local, 1.0 - now, 1.0 - before)
                }
            };
            Ok(*pulses.get_or_init(|| [fire, not_fire]))
        };
        let of_not_fire = read.clone();
        c.boolean_output("fire", move |e| read(e).map(|[fire, _]| fire));
        c.boolean_output("notFire", move |e| of_not_fire(e).map(|[_, not_fire]| not_fire));
        Ok(())
    }
}
