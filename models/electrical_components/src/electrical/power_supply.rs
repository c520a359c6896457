//! A power supply of a laboratory.

use super::interfaces::{branch, pins};
use equations::{Bool, Ex, select};
use mechanics::declaration::prelude::*;

component! {
    /// Power supply with limits of voltage, power and current.
    ///
    /// # Equations
    /// `v = V0 + Rcv i` while the voltage is limited (`cv`), `-i = I0 - Gcc v` while the current is
    /// limited (`cc`), and `P0 = -v i` between both, if the product of both limits exceeds `P0`.
    /// The current `i` is negative while the supply delivers power.
    ///
    /// # Events
    /// Another limit becomes the smallest one. A negative voltage, or a current above `iBack`, ends
    /// the simulation.
    pub struct DCPowerSupply = "Modelica.Electrical.Analog.Sources.DCPowerSupply" {
        /// Voltage without load
        V0: Real["V", > 0] = 60,
        /// Current of a short circuit
        I0: Real["A", > 0] = 50,
        /// Highest power
        P0: Real["W", > 0] = 1200,
        /// Inner resistance while the voltage is limited
        Rcv: Real["Ohm", > 0] = 1e-3,
        /// Inner conductance while the current is limited
        Gcc: Real["S", > 0] = 1e-3,
        /// Current into the supply that is allowed
        i_back "iBack": Real["A"] = 1e-3,
        ..pins,
    }
    variables {
        /// Voltage between p and n
        v: Real["V"],
        /// Current from p to n
        i: Real["A"],
        /// Power that the supply takes
        power "P": Real["W"],
    }
}

impl DCPowerSupplyParameters {
    /// The lowest voltage in `cp` or `cv`, the highest current in `cp` or `cc`, and whether `cp` is
    /// between `cv` and `cc`.
    fn limits(&self) -> (Ex, Ex, Bool) {
        let DCPowerSupplyParameters { V0, I0, P0, Rcv, Gcc, .. } = *self;
        let corner = 1.0 - Rcv * Gcc;
        let [v, i] = [(V0 - Rcv * I0) / corner, (I0 - Gcc * V0) / corner];
        let with_power = (v * i).gt(P0);
        // The smaller roots of quadratic equations.
        let root = |of: Ex, inner: Ex| {
            let square = (of.square() - 4.0 * inner * P0).max(0.0);
            2.0 * P0 / (of + square.sqrt())
        };
        let v_lim = select(with_power, root(I0, Gcc), v);
        let i_lim = select(with_power, root(V0, Rcv), i);
        (v_lim, i_lim, with_power)
    }
}

impl Component for DCPowerSupply {
    fn contribute(p: DCPowerSupplyParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let DCPowerSupplyParameters { V0, I0, P0, Rcv, Gcc, .. } = p;
        let (v_lim, i_lim, with_power) = p.limits();
        c.require(&["Rcv", "V0", "I0"], Rcv.lt(V0 / I0), "Rcv must be below V0 / I0")?;
        c.require(&["Gcc", "V0", "I0"], Gcc.lt(I0 / V0), "Gcc must be below I0 / V0")?;
        let low = !with_power | (4.0 * P0 * Rcv).lt(V0.square());
        c.require(&["Rcv", "V0", "P0"], low, "Rcv must be below V0^2 / (4 P0)")?;
        let low = !with_power | (4.0 * P0 * Gcc).lt(I0.square());
        c.require(&["Gcc", "I0", "P0"], low, "Gcc must be below I0^2 / (4 P0)")?;
        let branch = branch(c, ["p", "n"], ["v", "i"]);
        c.law(move |e| {
            let (v, i) = (e.voltage(branch), e.current(branch));
            e.variable("P", v * i);
            let limits_voltage = !e.relation("voltage", -i - i_lim).done();
            let limits_current = !e.relation("current", v - v_lim).done();
            let of_power = i + P0 / v.max(v_lim / 2.0);
            let of_current = i + I0 - Gcc * v;
            let beyond = select(limits_current | !with_power, of_current, of_power);
            e.set_branch_law(branch, select(limits_voltage, i - (v - V0) / Rcv, beyond));
            let checks = [
                ("forward", "v", v + 1e-9 * V0, "the voltage is negative"),
                ("delivers", "i", p.i_back - i, "the current into the supply exceeds iBack"),
            ];
            for (local, of, residual, why) in checks {
                let holds = e.relation(local, residual).done();
                let sentence = format!("{}: {why}", e.full(of));
                e.model().assert(None, holds, &sentence, false);
            }
            Ok(())
        });
        Ok(())
    }
}
