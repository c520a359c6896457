//! Signals as functions of time, which sources of signals, of voltages and of currents share.

use super::interfaces::{SignalSource, from_instant};
use equations::{Bool, select};
use mechanics::declaration::{InputOr, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;
use std::f64::consts::TAU;

impl SignalSource {
    /// A function of the angle `2 pi f t + phase`, such as the sine. With `continuous`, the signal
    /// has its first value before the start time too.
    pub fn wave(
        self,
        e: &mut SignalView<'_>,
        [amplitude, f, phase]: [Ex; 3],
        continuous: bool,
        function: fn(Ex) -> Ex,
    ) -> Ex {
        let SignalSource { offset, start_time } = self;
        let on = e.from(start_time);
        let t = select(on, e.time() - start_time, 0.0);
        let wave = amplitude * function(f * t * TAU + phase);
        offset + select(on | Bool::constant(continuous), wave, 0.0)
    }

    /// A sine whose amplitude decays exponentially.
    pub fn damped_sine(
        self,
        e: &mut SignalView<'_>,
        [amplitude, f, phase, damping]: [Ex; 4],
    ) -> Ex {
        let SignalSource { offset, start_time } = self;
        let on = e.from(start_time);
        let t = e.time() - start_time;
        let sine = (f * t * TAU + phase).sin();
        let decay = (-damping * t).exp();
        offset + select(on, amplitude * decay * sine, 0.0)
    }

    /// A step.
    pub fn step(self, e: &mut SignalView<'_>, height: Ex) -> Ex {
        let SignalSource { offset, start_time } = self;
        let on = e.from(start_time);
        offset + select(on, height, 0.0)
    }

    /// A ramp.
    pub fn ramp(self, e: &mut SignalView<'_>, height: Ex, duration: Ex) -> Ex {
        let SignalSource { offset, start_time } = self;
        let on = e.from(start_time);
        let over = from_instant(e, "endTime", start_time + duration);
        let rising = height * (e.time() - start_time) / duration;
        offset + select(over, height, select(on, rising, 0.0))
    }

    /// An exponential rise to `highest`, and an exponential fall from `rise_time` on.
    pub fn exponentials(
        self,
        e: &mut SignalView<'_>,
        highest: Ex,
        [rise_time, rise_time_const, fall_time_const]: [Ex; 3],
    ) -> Ex {
        let SignalSource { offset, start_time } = self;
        let on = e.from(start_time);
        let falls = from_instant(e, "endOfRise", start_time + rise_time);
        let t = e.time() - start_time;
        let risen = |t: Ex| highest * (1.0 - (-t / rise_time_const).exp());
        let decay = ((rise_time - t) / fall_time_const).exp();
        let fallen = risen(rise_time) * decay;
        offset + select(falls, fallen, select(on, risen(t), 0.0))
    }
}

/// The phase `phi` of a wave with a frequency.
pub fn phase(c: &mut Contribution<'_>, f: InputOr, start: Start) -> Ex {
    let phi = c.state("phi", start.value).done();
    if !start.fixed {
        c.open_state("phi", phi, start.given);
    }
    c.signal("phi", move |_| Ok(phi));
    c.law(move |e| {
        let f = f.read(e)?;
        e.model().derivative(phi, TAU * f);
        Ok(())
    });
    phi
}
