//! Sources of voltages and currents that are functions of time.

use super::interfaces::{branch_law, one_port, pins};
use equations::Ex;
use mechanics::declaration::prelude::*;
use mechanics::statements::laws::signal_view::SignalView;
use signal_blocks::waves::{Periods, SignalSource, lines, phase};

/// A branch with the voltage that a law computes.
fn voltage(
    c: &mut Contribution<'_>,
    law: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
) {
    branch_law(c, move |e, v, _| Ok(v - law(e)?));
}

/// A branch with the current that a law computes.
fn current(
    c: &mut Contribution<'_>,
    law: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
) {
    branch_law(c, move |e, _, i| Ok(i - law(e)?));
}

/// A signal that begins at a time.
fn from(offset: Ex, start_time: Ex) -> SignalSource {
    SignalSource { offset, start_time }
}

/// A signal with a number of periods, or with an unlimited number if this is negative.
fn periodic(nperiod: i64, offset: Ex, start_time: Ex) -> Periods {
    Periods { nperiod, offset, start_time }
}

/// Declares a source of a voltage and a source of a current with the same function of time, `y`,
/// which the law computes from the parameters `$p` and from `$a`, the one whose names differ.
macro_rules! sources {
    ($(
        $(#[$($line:tt)*])*
        $Voltage:ident($v:ident $($v_name:literal)?) = $voltage_class:tt: $voltage_text:tt,
        $Current:ident($i:ident $($i_name:literal)?) = $current_class:tt: $current_text:tt,
        $amplitude:tt { $($parameters:tt)* } startTime [$($facts:tt)*] variables { $($variables:tt)* }
        |$p:ident, $a:ident, $e:ident| $law:expr;
    )*) => {
        $(
            sources! {
                @ $voltage_text " `v = y`." voltage "V" $Voltage = $voltage_class
                { #[doc = $amplitude] $v $($v_name)?: Real["V"], $($parameters)* } [$($facts)*]
                { $($variables)* } [$(#[$($line)*])*] |$p, $a = $v, $e| $law
            }
            sources! {
                @ $current_text " `i = y`." current "A" $Current = $current_class
                { #[doc = $amplitude] $i $($i_name)?: Real["A"], $($parameters)* } [$($facts)*]
                { $($variables)* } [$(#[$($line)*])*] |$p, $a = $i, $e| $law
            }
        )*
    };
    (
        @ $text:tt $equation:tt $define:ident $unit:tt $Source:ident = $class:tt
        { $($parameters:tt)* } [$($facts:tt)*] { $($variables:tt)* } [$($lines:tt)*]
        |$p:ident, $a:ident = $field:ident, $e:ident| $law:expr
    ) => {
        component! {
            #[doc = $text]
            #[doc = ""]
            #[doc = " # Equations"]
            #[doc = $equation]
            $($lines)*
            pub struct $Source = $class {
                $($parameters)*
                /// Offset of the signal
                offset: Real[$unit] = 0,
                /// Start time; before it, the signal is the offset
                start_time "startTime": Real["s" $($facts)*] = 0,
                ..pins,
                ..one_port,
            }
            variables { $($variables)* }
        }

        impl Component for $Source {
            fn contribute($p: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
                let $a = $p.$field;
                $define(c, move |$e| Ok($law));
                Ok(())
            }
        }
    };
}

sources! {
    /// `y = offset` before `startTime`, then `y` is higher by the given height.
    ///
    /// # Events
    /// A time event at `startTime`.
    StepVoltage(V) = "Modelica.Electrical.Analog.Sources.StepVoltage":
        " Source of a voltage with a step.",
    StepCurrent(I) = "Modelica.Electrical.Analog.Sources.StepCurrent":
        " Source of a current with a step.",
    " Height of the step" {}
    startTime [] variables {}
    |p, height, e| from(p.offset, p.start_time).step(e, height);

    /// `y = offset` before `startTime`, then `y` rises during `duration` by the given height.
    ///
    /// # Events
    /// Time events at `startTime` and at the end of the ramp.
    RampVoltage(V) = "Modelica.Electrical.Analog.Sources.RampVoltage":
        " Source of a voltage with a ramp.",
    RampCurrent(I) = "Modelica.Electrical.Analog.Sources.RampCurrent":
        " Source of a current with a ramp.",
    " Height of the ramp" {
        /// Duration of the ramp
        duration: Real["s", >= 0],
    }
    startTime [] variables {}
    |p, height, e| from(p.offset, p.start_time).ramp(e, height, p.duration);

    /// `y = offset` before `startTime`, then
    /// `y = offset + A sin(2 pi f (time - startTime) + phase)` with the amplitude `A`.
    ///
    /// # Events
    /// A time event at `startTime`.
    SineVoltage(V) = "Modelica.Electrical.Analog.Sources.SineVoltage":
        " Source of a sinusoidal voltage.",
    SineCurrent(I) = "Modelica.Electrical.Analog.Sources.SineCurrent":
        " Source of a sinusoidal current.",
    " Amplitude of the sine" {
        /// Phase of the sine
        phase: Real["rad"] = 0,
        /// Frequency of the sine
        f: Real["Hz"],
    }
    startTime [] variables {}
    |p, amplitude, e| from(p.offset, p.start_time).wave(
        e, [amplitude, p.f, p.phase], false, Ex::sin,
    );

    /// `y = offset` before `startTime`, then
    /// `y = offset + A cos(2 pi f (time - startTime) + phase)` with the amplitude `A`.
    ///
    /// # Events
    /// A time event at `startTime`.
    CosineVoltage(V) = "Modelica.Electrical.Analog.Sources.CosineVoltage":
        " Source of a voltage that is a cosine.",
    CosineCurrent(I) = "Modelica.Electrical.Analog.Sources.CosineCurrent":
        " Source of a current that is a cosine.",
    " Amplitude of the cosine" {
        /// Phase of the cosine
        phase: Real["rad"] = 0,
        /// Frequency of the cosine
        f: Real["Hz"],
    }
    startTime [] variables {}
    |p, amplitude, e| from(p.offset, p.start_time).wave(
        e, [amplitude, p.f, p.phase], false, Ex::cos,
    );

    /// `y = offset` before `startTime`, then, with `t = time - startTime` and the amplitude `A`,
    /// `y = offset + A exp(-damping t) sin(2 pi f t + phase)`.
    ///
    /// # Events
    /// A time event at `startTime`.
    ExpSineVoltage(V) = "Modelica.Electrical.Analog.Sources.ExpSineVoltage":
        " Source of a sinusoidal voltage whose amplitude decays.",
    ExpSineCurrent(I) = "Modelica.Electrical.Analog.Sources.ExpSineCurrent":
        " Source of a sinusoidal current whose amplitude decays.",
    " Amplitude of the sine at its start" {
        /// Frequency of the sine
        f: Real["Hz"],
        /// Phase of the sine
        phase: Real["rad"] = 0,
        /// Rate at which the amplitude decays
        damping: Real["1/s"],
    }
    startTime [] variables {}
    |p, amplitude, e| from(p.offset, p.start_time).damped_sine(
        e, [amplitude, p.f, p.phase, p.damping],
    );

    /// `y = offset` before `startTime`, then, with `t = time - startTime`, `y - offset` rises as
    /// `1 - exp(-t / riseTimeConst)` towards the given value. From `t = riseTime` on, it decays
    /// with the factor `exp(-(t - riseTime) / fallTimeConst)`.
    ///
    /// # Events
    /// Time events at `startTime` and at the end of the rise.
    ExponentialsVoltage(v_max "vMax") = "Modelica.Electrical.Analog.Sources.ExponentialsVoltage":
        " Source of a voltage that rises and falls exponentially.",
    ExponentialsCurrent(i_max "iMax") = "Modelica.Electrical.Analog.Sources.ExponentialsCurrent":
        " Source of a current that rises and falls exponentially.",
    " Value above the offset after an infinite rise" {
        /// Duration of the rise
        rise_time "riseTime": Real["s", >= 0],
        /// Time constant of the rise
        rise_time_const "riseTimeConst": Real["s", > 0],
        /// Time constant of the fall
        fall_time_const "fallTimeConst": Real["s", > 0] = rise_time_const,
    }
    startTime [] variables {}
    |p, highest, e| from(p.offset, p.start_time).exponentials(
        e, highest, [p.rise_time, p.rise_time_const, p.fall_time_const],
    );

    /// During the first `width` percent of each period, `y - offset` is the amplitude, and zero
    /// otherwise. The first period begins at `startTime`.
    ///
    /// # Events
    /// Time events at the beginning of every period and at the end of every pulse.
    PulseVoltage(V) = "Modelica.Electrical.Analog.Sources.PulseVoltage":
        " Source of a pulsed voltage.",
    PulseCurrent(I) = "Modelica.Electrical.Analog.Sources.PulseCurrent":
        " Source of a pulsed current.",
    " Amplitude of the pulse" {
        /// Width of the pulse in percent of the period
        width: Real["%", 0..=100, fixed],
        /// Time of one period
        period: Real["s", > 0, fixed],
    }
    startTime [, fixed] variables {
        /// Number of the present period, counted from 0, or -1 before the first one
        count: Real["1"],
    }
    |p, amplitude, e| periodic(-1, p.offset, p.start_time).pulse(e, amplitude, [p.period, p.width]);

    /// In each period, `y - offset` rises from zero to the amplitude.
    ///
    /// # Events
    /// A time event at the beginning of every period.
    SawToothVoltage(V) = "Modelica.Electrical.Analog.Sources.SawToothVoltage":
        " Source of a voltage that is a saw tooth.",
    SawToothCurrent(I) = "Modelica.Electrical.Analog.Sources.SawToothCurrent":
        " Source of a current that is a saw tooth.",
    " Amplitude of the saw tooth" {
        /// Time of one period
        period: Real["s", > 0, fixed],
    }
    startTime [, fixed] variables {
        /// Number of the present period, counted from 0, or -1 before the first one
        count: Real["1"],
    }
    |p, amplitude, e| periodic(-1, p.offset, p.start_time).saw_tooth(e, amplitude, p.period);

    /// In each period, `y - offset` rises to the amplitude during `rising`, stays there during
    /// `width`, falls to zero during `falling`, and is zero until the period ends.
    ///
    /// # Events
    /// Time events at the beginning of every period, and at the end of the rise, of the constant
    /// part and of the fall.
    TrapezoidVoltage(V) = "Modelica.Electrical.Analog.Sources.TrapezoidVoltage":
        " Source of a trapezoidal voltage.",
    TrapezoidCurrent(I) = "Modelica.Electrical.Analog.Sources.TrapezoidCurrent":
        " Source of a trapezoidal current.",
    " Amplitude of the trapezoid" {
        /// Duration of the rise
        rising: Real["s", >= 0, fixed],
        /// Duration of the constant part
        width: Real["s", >= 0, fixed],
        /// Duration of the fall
        falling: Real["s", >= 0, fixed],
        /// Time of one period
        period: Real["s", > 0, fixed],
        /// Number of periods; -1 means an unlimited number
        nperiod: Integer["1", >= -1],
    }
    startTime [, fixed] variables {
        /// Number of the present period, counted from 0, or -1 before the first one
        count: Real["1"],
    }
    |p, amplitude, e| periodic(p.nperiod, p.offset, p.start_time).trapezoid(
        e, amplitude, [p.period, p.rising, p.width, p.falling],
    );
}

/// Declares a source whose values are in a table.
macro_rules! tables {
    ($(
        $(#[$($line:tt)*])*
        $Source:ident = $class:tt: $define:ident, $unit:tt, $units:tt;
    )*) => {
        $(
            component! {
                $(#[$($line)*])*
                ///
                /// # Equations
                /// `offset` before `startTime`; then the second number of the table at
                /// `time - startTime` is added, with lines between the rows. Beyond the rows, the
                /// first and the last line continue.
                ///
                /// # Events
                /// A time event at every row, because value or slope jump there. Two rows with the
                /// same time represent a jump.
                pub struct $Source = $class {
                    /// Rows of time and value
                    ///
                    /// The first time is 0.
                    table: [[Real]][$units, constant],
                    /// Offset of the signal
                    offset: Real[$unit] = 0,
                    /// Start time; before it, the signal is the offset
                    start_time "startTime": Real["s", fixed] = 0,
                    ..pins,
                    ..one_port,
                }
                variables {
                    /// Number of rows passed, -1 before startTime
                    row: Integer,
                }
            }

            impl Component for $Source {
                fn contribute(p: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
                    let law = lines(c, &p.table, 1.0, [p.start_time; 2])?;
                    $define(c, move |e| Ok(p.offset + law(e)));
                    Ok(())
                }
            }
        )*
    };
}

tables! {
    /// Source of a voltage from a table of time.
    TableVoltage = "Modelica.Electrical.Analog.Sources.TableVoltage": voltage, "V", "s, V";
    /// Source of a current from a table of time.
    TableCurrent = "Modelica.Electrical.Analog.Sources.TableCurrent": current, "A", "s, A";
}

/// Declares a source with variable frequency and amplitude.
macro_rules! modulated {
    ($(
        $(#[$($line:tt)*])*
        $Source:ident($amplitude:ident) = $class:tt: $define:ident, $unit:tt, $function:expr;
    )*) => {
        $(
            component! {
                $(#[$($line)*])*
                pub struct $Source = $class {
                    /// Amplitude
                    constant_amplitude "constantAmplitude": Real[$unit, for $amplitude] = 1,
                    /// Frequency
                    constant_frequency "constantFrequency": Real["Hz", for f] = 1,
                    /// Offset
                    offset: Real[$unit] = 0,
                    /// Phase; if its start value is not fixed, other initial conditions may
                    /// determine it
                    phi: Start["rad"] = fixed(0),
                    ..pins,
                    ..one_port,
                }
                ports {
                    /// Amplitude
                    $amplitude: Input[$unit],
                    /// Frequency
                    f: Input["Hz"],
                }
                variables {
                    /// Phase
                    phi: Real["rad"],
                }
            }

            impl Component for $Source {
                fn contribute(p: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
                    let phi = phase(c, p.constant_frequency, p.phi);
                    $define(c, move |e| {
                        Ok(p.offset + p.constant_amplitude.read(e)? * $function(phi))
                    });
                    Ok(())
                }
            }
        )*
    };
}

modulated! {
    /// Source of a sinusoidal voltage with variable frequency and amplitude.
    ///
    /// # Equations
    /// `der(phi) = 2 pi f`, `v = offset + V sin(phi)`.
    SineVoltageVariableFrequencyAndAmplitude(V) =
        "Modelica.Electrical.Analog.Sources.SineVoltageVariableFrequencyAndAmplitude":
        voltage, "V", Ex::sin;
    /// Source of a sinusoidal current with variable frequency and amplitude.
    ///
    /// # Equations
    /// `der(phi) = 2 pi f`, `i = offset + I sin(phi)`.
    SineCurrentVariableFrequencyAndAmplitude(I) =
        "Modelica.Electrical.Analog.Sources.SineCurrentVariableFrequencyAndAmplitude":
        current, "A", Ex::sin;
    /// Source of a voltage that is a cosine with variable frequency and amplitude.
    ///
    /// # Equations
    /// `der(phi) = 2 pi f`, `v = offset + V cos(phi)`.
    CosineVoltageVariableFrequencyAndAmplitude(V) =
        "Modelica.Electrical.Analog.Sources.CosineVoltageVariableFrequencyAndAmplitude":
        voltage, "V", Ex::cos;
    /// Source of a current that is a cosine with variable frequency and amplitude.
    ///
    /// # Equations
    /// `der(phi) = 2 pi f`, `i = offset + I cos(phi)`.
    CosineCurrentVariableFrequencyAndAmplitude(I) =
        "Modelica.Electrical.Analog.Sources.CosineCurrentVariableFrequencyAndAmplitude":
        current, "A", Ex::cos;
}
