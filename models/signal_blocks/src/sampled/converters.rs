//! Samplers and holds with the effects of converters between analog and digital signals.

use super::clocked::{begin_with, clocked_output};
use super::periodic::Held;
use crate::signals::interfaces::block;
use equations::{Bool, Ticks, select};
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;

group! {
    /// Limits of a converter, and the steps of its values.
    pub struct Converter(converter) {
        /// Whether the output is limited
        limited: bool = false,
        /// Whether a limited output is rounded to steps
        quantized: bool = false,
        /// Upper limit of the output
        y_max "yMax": Real = 1,
        /// Lower limit of the output
        y_min "yMin": Real = -y_max,
        /// There are `2^bits` steps between the limits
        bits: Integer["1", 1..=52] = 8,
    }
}

impl Converter {
    /// Requires that the limits are in order.
    fn check(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let in_order = self.y_min.le(self.y_max);
        c.require(&["yMin", "yMax"], in_order, "yMin must not be above yMax")?;
        let differ = self.y_min.lt(self.y_max);
        match self.limited && self.quantized {
            true => c.require(&["yMin", "yMax"], differ, "the limits of steps must differ"),
            false => Ok(()),
        }
    }

    /// The nearest step, half a step away from zero, within the limits.
    fn convert(&self, u: Ex) -> Ex {
        if !self.limited {
            return u;
        }
        let limited = u.min(self.y_max).max(self.y_min);
        if !self.quantized {
            return limited;
        }
        let step = (self.y_max - self.y_min) / 2f64.powi(self.bits as i32);
        let steps = ((limited / step).abs() + 0.5).floor();
        step * steps * select(limited.ge(0.0), 1.0, -1.0)
    }
}

component! {
    /// Sampler with the effects of a converter from analog to digital signals. Its clock follows
    /// from connections.
    ///
    /// # Equations
    /// At each tick, `y` is the value of `u` before the tick, plus noise between `noise.noiseMin`
    /// and `noise.noiseMax`, then limited, then rounded to a multiple of `(yMax - yMin) /
    /// 2^bits`, half away from zero; without limits it is not rounded. The noise is uniform, by
    /// the algorithm of Wichmann and Hill.
    pub struct SampleWithADeffects =
        "Modelica.Clocked.RealSignals.Sampler.SampleWithADeffects" {
        /// Whether noise is added
        noisy: bool = false,
        ..converter: converter,
        /// Upper limit of the noise
        noise_max "noise.noiseMax": Real = 0.1,
        /// Lower limit of the noise
        noise_min "noise.noiseMin": Real = -noise_max,
        ..block,
    }
}

/// The numbers that begin the sequence of noise.
const FIRST_SEED: [f64; 3] = [23.0, 87.0, 187.0];

/// Factor and modulus of each of the three sequences.
const SEQUENCES: [[f64; 2]; 3] = [[171.0, 30269.0], [172.0, 30307.0], [170.0, 30323.0]];

/// The remainder of a division of positive numbers.
fn remainder(of: Ex, by: f64) -> Ex {
    of - (of / by).floor() * by
}

/// A number between 0 and 1, another one at each tick.
fn random(e: &mut SignalView<'_>, tick: Bool) -> Ex {
    let mut sum = Ex::zero();
    for (k, (first, [factor, modulus])) in FIRST_SEED.into_iter().zip(SEQUENCES).enumerate() {
        let name = e.full(&format!("noise.seedState[{}]", k + 1));
        let seed = e.model().memory(&name, first);
        let next = remainder(factor * seed.pre(), modulus);
        // Zero would remain.
        let next = select(next.is_true(), next, 1.0);
        e.model().update(seed, select(tick, next, seed.pre()));
        sum += next / modulus;
    }
    remainder(sum, 1.0)
}

impl Component for SampleWithADeffects {
    fn contribute(p: SampleWithADeffectsParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let SampleWithADeffectsParameters { noisy, converter, noise_max, noise_min } = p;
        converter.check(c)?;
        let u = c.input("u")?;
        c.leave_clock("u");
        clocked_output(c, Ex::zero(), move |e| {
            let Ticks { tick, .. } = e.ticks()?.1;
            let u = e.read(u)?;
            let mut value = e.model().left_limit(u);
            if noisy {
                value = value + noise_min + (noise_max - noise_min) * random(e, tick);
            }
            Ok(converter.convert(value))
        });
        Ok(())
    }
}

component! {
    /// Hold with the effects of a converter from digital to analog signals, and with the time that
    /// a computation takes.
    ///
    /// # Equations
    /// `y` is `u`, limited and then rounded to a multiple of `(yMax - yMin) / 2^bits`, half away
    /// from zero. With `computationalDelay`, `y` changes later than `u` by
    /// `shiftCounter / resolution` of the time between two ticks. `y = y_start` before.
    ///
    /// # Events
    /// A time event at each change.
    pub struct HoldWithDAeffects = "Modelica.Clocked.RealSignals.Sampler.HoldWithDAeffects" {
        /// Output before the first tick
        y_start: Real = 0,
        /// Whether the output changes later than the input
        computational_delay "computationalDelay": bool = false,
        /// Numerator of the delay
        shift_counter "shiftCounter": Integer["1", >= 0] = 0,
        /// Denominator of the delay
        resolution: Integer["1", >= 1] = 1,
        ..converter: converter,
        ..block,
    }
}

impl Component for HoldWithDAeffects {
    fn contribute(p: HoldWithDAeffectsParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let HoldWithDAeffectsParameters { y_start, shift_counter, resolution, converter, .. } = p;
        converter.check(c)?;
        let u = c.input("u")?;
        c.leave_clock("y");
        if !p.computational_delay {
            clocked_output(c, y_start, move |e| Ok(converter.convert(e.read(u)?)));
            return Ok(());
        }
        if shift_counter > resolution {
            let why = format!("{shift_counter} exceeds the resolution {resolution}");
            return Err(c.refuse("shiftCounter", why));
        }
        let y = Held::new(c, "y");
        c.signal("y", move |e| {
            let (clock, Ticks { tick, .. }) = e.ticks()?;
            let value = converter.convert(e.read(u)?);
            let (name, late) = (e.full("delay"), e.full("buffer"));
            let Some(shifted) = clock.shift(shift_counter, resolution) else {
                let name = e.full("shiftCounter");
                return Err(Error::Parameter(format!("{name}: the clock counts too far")));
            };
            let shifted = e.model().ticks(&name, shifted).tick;
            let buffer = e.model().memory(&late, 0.0);
            let now = select(tick, value, buffer.pre());
            e.model().update(buffer, now);
            // After a whole interval, the next value comes at the same instant.
            let delayed = if shift_counter < resolution { now } else { buffer.pre() };
            Ok(begin_with(e, y, y_start, shifted, delayed))
        });
        Ok(())
    }
}
