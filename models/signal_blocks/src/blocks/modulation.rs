//! Waves whose amplitude and frequency are signals.

use crate::signals::waves::phase;
use mechanics::declaration::{group, prelude::*};

group! {
    /// A wave with variable frequency and amplitude.
    pub struct Wave(wave) {
        /// Amplitude
        constant_amplitude "constantAmplitude": Real[for amplitude] = 1,
        /// Frequency
        constant_frequency "constantFrequency": Real["Hz", for f] = 1,
        /// Offset of the signal
        offset: Real = 0,
        /// Phase; if its start value is not fixed, other initial conditions may determine it
        phi: Start["rad"] = fixed(0),
    }
    ports {
        /// Amplitude
        amplitude: Input,
        /// Frequency
        f: Input["Hz"],
    }
    variables {
        /// Phase
        phi: Real["rad"],
        /// Signal
        y: Real,
    }
}

impl Wave {
    /// Defines the phase, and the output by the function of the phase that is the wave.
    fn give(self, c: &mut Contribution<'_>, wave: impl FnOnce(Ex) -> Ex + 'static) {
        let Wave { constant_amplitude: amplitude, constant_frequency: f, offset, phi: start } =
            self;
        let phi = phase(c, f, start);
        c.output("y", move |e| Ok(offset + amplitude.read(e)? * wave(phi)));
    }
}

component! {
    /// Sine signal with variable frequency and amplitude.
    ///
    /// # Equations
    /// `der(phi) = 2 pi f`, `y = offset + amplitude sin(phi)`.
    pub struct SineVariableFrequencyAndAmplitude =
        "Modelica.Blocks.Sources.SineVariableFrequencyAndAmplitude" { ..of: wave }
}

impl Component for SineVariableFrequencyAndAmplitude {
    fn contribute(p: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.of.give(c, Ex::sin);
        Ok(())
    }
}

component! {
    /// Cosine signal with variable frequency and amplitude.
    ///
    /// # Equations
    /// `der(phi) = 2 pi f`, `y = offset + amplitude cos(phi)`.
    pub struct CosineVariableFrequencyAndAmplitude =
        "Modelica.Blocks.Sources.CosineVariableFrequencyAndAmplitude" { ..of: wave }
}

impl Component for CosineVariableFrequencyAndAmplitude {
    fn contribute(p: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.of.give(c, Ex::cos);
        Ok(())
    }
}
