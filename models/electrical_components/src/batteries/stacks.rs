//! Stacks of cells, with and without transients.

use super::cells::{Cells, RcElement, cells};
use equations::Ex;
use mechanics::declaration::prelude::*;
use signal_blocks::curves::Smoothness;

component! {
    /// Battery of equal cells, with an inner resistance.
    ///
    /// # Equations
    /// `v = ocv.v + (Ns / Np) Ri (1 + alpha (T - T_ref)) i` and `Np Qnom der(SOC) = i - isd`, with
    /// the current `isd` of self-discharge, which is proportional to `ocv.v = Ns OCVmax f(SOC)`. If
    /// `heatPort` is connected, `T` is its temperature.
    ///
    /// # Events
    /// A state of charge beyond its limits ends the simulation with an error.
    pub struct CellStack = "Modelica.Electrical.Batteries.BatteryStacks.CellStack" {
        ..cells: cells,
    }
}

impl Component for CellStack {
    fn contribute(p: CellStackParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.cells.state_laws(Vec::new(), c)
    }
}

component! {
    /// Battery of equal cells, with an inner resistance and elements of resistances and
    /// capacitances.
    ///
    /// # Equations
    /// `v = ocv.v + (Ns / Np) R0 (1 + alpha (T - T_ref)) i` plus the sum of all `capacitor[k].v`,
    /// with `R0 = Ri` less the sum of all `rcData[k].R`. The current `i` flows through each
    /// element, in which `Ns / Np` times the resistance and `Np / Ns` times the capacitance are in
    /// parallel. Charge and self-discharge are those of a [`CellStack`].
    ///
    /// # Events
    /// A state of charge beyond its limits ends the simulation with an error.
    pub struct CellRCStack = "Modelica.Electrical.Batteries.BatteryStacks.CellRCStack" {
        /// Resistance of each element
        rc_resistance "cellData.rcData.R": [Real]["Ohm", > 0],
        /// Capacitance of each element
        rc_capacitance "cellData.rcData.C": [Real]["F", > 0],
        /// Reference temperature of each element; 293.15 K without values
        rc_t_ref "cellData.rcData.T_ref"?: [Real]["K", >= 0],
        /// Temperature coefficient of each element; zero without values
        rc_alpha "cellData.rcData.alpha"?: [Real]["1/K"],
        ..cells: cells,
    }
}

impl Component for CellRCStack {
    fn contribute(p: CellRCStackParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let count = p.rc_resistance.len();
        let t_ref = p.rc_t_ref.unwrap_or_else(|| vec![Ex::from(293.15); count]);
        let alpha = p.rc_alpha.unwrap_or_else(|| vec![Ex::zero(); count]);
        if count == 0 {
            return Err(c.refuse("cellData.rcData.R", "there must be at least one element"));
        }
        for (name, values) in [("C", &p.rc_capacitance), ("T_ref", &t_ref), ("alpha", &alpha)] {
            if values.len() != count {
                let given = values.len();
                let sentence = format!("the elements are {count}, but the values {given}");
                return Err(c.refuse(&format!("cellData.rcData.{name}"), sentence));
            }
        }
        let elements = (0..count).map(|k| RcElement {
            resistance: [p.rc_resistance[k], t_ref[k], alpha[k]],
            capacitance: p.rc_capacitance[k],
        });
        p.cells.state_laws(elements.collect(), c)
    }
}
