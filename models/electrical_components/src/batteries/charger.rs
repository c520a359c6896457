//! A charger.

use equations::select;
use mechanics::declaration::prelude::*;

component! {
    /// Charger with a constant current, and then a constant voltage.
    ///
    /// The current rises during `rampTime`. Where the voltage would exceed `Vend`, the current is
    /// smaller, until the voltage is below `Vend` with the whole current again. In the Modelica
    /// Standard Library, the charger keeps `Vend` from then on, however large the current is.
    ///
    /// # Equations
    /// `v = Vend` and `-i < Ir` while `CV` is true, else `i = -Ir` and `v < Vend`, with
    /// `Ir = I min(1, (time - startTime) / rampTime)` from `startTime` on, and 0 before.
    ///
    /// # Events
    /// `CV` changes; `startTime`, and the end of the ramp.
    pub struct CCCVcharger = "Modelica.Electrical.Batteries.Utilities.CCCVcharger" {
        /// Charging current
        I: Real["A", > 0],
        /// Start of charging
        start_time "startTime": Real["s", fixed] = 0,
        /// Duration of the rise of the current
        ramp_time "rampTime": Real["s", > 0, fixed] = 60,
        /// Voltage at the end of charging
        Vend: Real["V"],
    }
    ports {
        /// Positive pin
        p: Pin,
        /// Negative pin
        n: Pin,
    }
    variables {
        /// Voltage between p and n
        v: Real["V"],
        /// Current from p to n, negative while charging
        i: Real["A"],
        /// Whether the voltage is constant
        cv "CV": Boolean,
    }
}

impl Component for CCCVcharger {
    fn contribute(p: CCCVchargerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let ends = (c.pin("p"), c.pin("n"));
        let (branch, position) = (c.branch(ends.0, ends.1), c.circuit_unknown());
        c.law(move |e| {
            let (v, i, s) = (e.voltage(branch), e.current(branch), e.current(position));
            // The position is how much less the current is, or how far the voltage is below.
            let at_end = e.relation("CV", s).done();
            let begun = e.from(p.start_time);
            let name = e.full("rampTime");
            let risen = e.model().time_relation(&name, p.start_time + p.ramp_time);
            let part = (e.time() - p.start_time) / p.ramp_time;
            let whole = p.I * select(risen, 1.0, select(begun, part, 0.0));
            e.set_branch_law(branch, v - p.Vend - select(at_end, 0.0, s));
            e.set_branch_law(position, i + whole - select(at_end, s, 0.0));
            e.variable("CV", at_end);
            e.variable("v", v);
            e.variable("i", i);
            Ok(())
        });
        Ok(())
    }
}
