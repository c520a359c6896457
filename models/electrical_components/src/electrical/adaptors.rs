//! Adaptors between two pins and signals, which divide a circuit into separate models.

use super::interfaces::branch;
use equations::Ex;
use mechanics::declaration::{group, prelude::*};

group! {
    /// Two pins whose voltage and current are signals.
    pub struct Border(border) {}
    ports {
        /// Pin at which the current enters
        pin_p: Pin,
        /// Pin at which the current leaves
        pin_n: Pin,
    }
    variables {
        /// Voltage between pin_p and pin_n
        v: Real["V"],
        /// Current from pin_p to pin_n
        i: Real["A"],
    }
}

/// A branch between the pins whose first variable is the signal `given`, and whose second variable
/// is the signal `result`, multiplied by `sign`, with its derivative.
fn exchange(
    c: &mut Contribution<'_>,
    [given, given_rate]: [&'static str; 2],
    [result, result_rate]: [&'static str; 2],
    sign: f64,
    pick: fn([Ex; 2]) -> [Ex; 2],
) -> Result<(), Error> {
    let input = c.input(given)?;
    // The derivatives of connected signals are exact.
    c.optional_input(given_rate);
    let branch = branch(c, ["pin_p", "pin_n"], ["v", "i"]);
    c.output(result, move |e| Ok(sign * pick([e.voltage(branch), e.current(branch)])[1]));
    c.output(result_rate, move |e| {
        let value = e.read_own(result)?;
        Ok(e.rate(value))
    });
    c.law(move |e| {
        let own = pick([e.voltage(branch), e.current(branch)])[0];
        let wanted = e.read(input)?;
        e.set_branch_law(branch, own - wanted);
        Ok(())
    });
    Ok(())
}

component! {
    /// Signal adaptor with current as input, and with voltage and its derivative as outputs; its
    /// names are the same in all domains.
    ///
    /// # Equations
    /// `i = f`, `p = v`, `pder = der(v)`. The derivative of a connected signal is known, so `fder`
    /// has no influence.
    pub struct GeneralCurrentToVoltageAdaptor =
        "Modelica.Electrical.Analog.Basic.GeneralCurrentToVoltageAdaptor" { ..border }
    ports {
        /// Current
        f: Input["A"],
        /// Derivative of the current
        fder: Input["A/s"],
    }
    variables {
        /// Voltage
        p: Real["V"],
        /// Derivative of the voltage
        pder: Real["V/s"],
    }
}

impl Component for GeneralCurrentToVoltageAdaptor {
    fn contribute(_: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        exchange(c, ["f", "fder"], ["p", "pder"], 1.0, |[v, i]| [i, v])
    }
}

component! {
    /// Signal adaptor with voltage as input, and with current and its derivative as outputs; its
    /// names are the same in all domains.
    ///
    /// # Equations
    /// `v = p`, `f = -i`, `fder = der(f)`. The derivative of a connected signal is known, so `pder`
    /// has no influence.
    pub struct GeneralVoltageToCurrentAdaptor =
        "Modelica.Electrical.Analog.Basic.GeneralVoltageToCurrentAdaptor" { ..border }
    ports {
        /// Voltage
        p: Input["V"],
        /// Derivative of the voltage
        pder: Input["V/s"],
    }
    variables {
        /// Current, which flows out of the adaptor at pin_p
        f: Real["A"],
        /// Derivative of this current
        fder: Real["A/s"],
    }
}

impl Component for GeneralVoltageToCurrentAdaptor {
    fn contribute(_: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        exchange(c, ["p", "pder"], ["f", "fder"], -1.0, |vi| vi)
    }
}
