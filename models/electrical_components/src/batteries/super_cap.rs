//! A capacitor that stores as much as a battery.

use super::Housing;
use mechanics::declaration::prelude::*;
use mechanics::start::fixed;

component! {
    /// Supercapacitor.
    ///
    /// # Equations
    /// `v = Rs (1 + alpha (T - T_ref)) i + vc` and `C der(vc) = i - Idis vc / Vnom`, where `vc` is
    /// the variable `capacitor.v`. If `heatPort` is connected, `T` is its temperature.
    pub struct SuperCap = "Modelica.Electrical.Batteries.BatteryStacks.SuperCap" {
        /// Nominal voltage
        Vnom: Real["V", > 0, constant],
        /// Voltage of the capacitance at the start; without it, the nominal one
        V0?: Real["V", constant],
        /// Capacitance
        C: Real["F", > 0],
        /// Resistance in series at the reference temperature
        Rs: Real["Ohm", >= 0],
        /// Reference temperature
        t_ref "T_ref": Real["K", >= 0] = 293.15,
        /// Temperature coefficient of the resistance
        alpha: Real["1/K"] = 0,
        /// Current of self-discharge at the nominal voltage
        Idis: Real["A", >= 0] = 0,
        /// Temperature without heat port
        T: Real["K", >= 0] = 293.15,
    }
    ports {
        /// Positive pin
        p: Pin,
        /// Negative pin
        n: Pin,
        /// Heat port that receives the lost power
        heat_port "heatPort": HeatPort,
    }
    variables {
        /// Voltage between p and n
        v: Real["V"],
        /// Current from p to n
        i: Real["A"],
        /// Voltage of the capacitance
        capacitor_v "capacitor.v": Real["V"],
        /// Lost power
        loss_power "lossPower": Real["W"],
    }
}

impl Component for SuperCap {
    fn contribute(p: SuperCapParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let housing = Housing::new(c, p.T);
        let ends = (c.pin("p"), c.pin("n"));
        let branch = c.branch(ends.0, ends.1);
        let stored = c.named_start_variable("capacitor.v", "V", fixed(p.V0.unwrap_or(p.Vnom)));
        let stored = c.circuit_state(stored);
        c.law(move |e| {
            let (v, i, x) = (e.voltage(branch), e.current(branch), e.circuit_state(stored));
            let resistance = housing.resistance(e, [p.Rs, p.t_ref, p.alpha]);
            let leaking = p.Idis * x / p.Vnom;
            e.set_branch_law(branch, v - resistance * i - x);
            e.set_circuit_rate(stored, (i - leaking) / p.C);
            e.define("capacitor.v", x);
            e.variable("v", v);
            e.variable("i", i);
            housing.lose(e, resistance * i.square() + leaking * x);
            Ok(())
        });
        Ok(())
    }
}
