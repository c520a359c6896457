//! Sources of voltage and of current.

use super::interfaces::{branch_law, one_port, pins};
use mechanics::declaration::prelude::*;

component! {
    /// Source of a constant voltage.
    ///
    /// # Equations
    /// `v = V`.
    pub struct ConstantVoltage = "Modelica.Electrical.Analog.Sources.ConstantVoltage" {
        /// Voltage
        V: Real["V"],
        ..pins,
        ..one_port,
    }
}

impl Component for ConstantVoltage {
    fn contribute(p: ConstantVoltageParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        branch_law(c, move |_, v, _| Ok(v - p.V));
        Ok(())
    }
}

component! {
    /// Source of a constant current, which flows from p to n inside of the source.
    ///
    /// # Equations
    /// `i = I`.
    pub struct ConstantCurrent = "Modelica.Electrical.Analog.Sources.ConstantCurrent" {
        /// Current
        I: Real["A"],
        ..pins,
        ..one_port,
    }
}

impl Component for ConstantCurrent {
    fn contribute(p: ConstantCurrentParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        branch_law(c, move |_, _, i| Ok(i - p.I));
        Ok(())
    }
}

component! {
    /// Source of a voltage that a signal gives.
    ///
    /// # Equations
    /// The voltage between the pins is the signal `v`.
    pub struct SignalVoltage = "Modelica.Electrical.Analog.Sources.SignalVoltage" { ..pins }
    ports {
        /// Voltage between p and n
        v: Input["V"],
    }
    variables {
        /// Current from p to n
        i: Real["A"],
    }
}

impl Component for SignalVoltage {
    fn contribute(_: SignalVoltageParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let signal = c.input("v")?;
        branch_law(c, move |e, v, _| Ok(v - e.read(signal)?));
        Ok(())
    }
}

component! {
    /// Source of a current that a signal gives, which flows from p to n inside of the source.
    ///
    /// # Equations
    /// The current is the signal `i`.
    pub struct SignalCurrent = "Modelica.Electrical.Analog.Sources.SignalCurrent" { ..pins }
    ports {
        /// Current from p to n
        i: Input["A"],
    }
    variables {
        /// Voltage between p and n
        v: Real["V"],
    }
}

impl Component for SignalCurrent {
    fn contribute(_: SignalCurrentParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let signal = c.input("i")?;
        branch_law(c, move |e, _, i| Ok(i - e.read(signal)?));
        Ok(())
    }
}

component! {
    /// Source of a positive and a negative supply voltage.
    ///
    /// # Equations
    /// `pin_p.v = ground.v + Vps`, `pin_n.v = ground.v + Vns`.
    pub struct SupplyVoltage = "Modelica.Electrical.Analog.Sources.SupplyVoltage" {
        /// Positive supply voltage
        Vps: Real["V"] = 15,
        /// Negative supply voltage
        Vns: Real["V"] = -15,
    }
    ports {
        /// Positive pin
        pin_p: Pin,
        /// Negative pin
        pin_n: Pin,
        /// Pin between both sources
        ground: Pin,
    }
}

impl Component for SupplyVoltage {
    fn contribute(p: SupplyVoltageParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let [pin_p, pin_n, ground] = ["pin_p", "pin_n", "ground"].map(|port| c.pin(port));
        let sources = [(c.branch(pin_p, ground), p.Vps), (c.branch(pin_n, ground), p.Vns)];
        c.law(move |e| {
            for (branch, voltage) in sources {
                let v = e.voltage(branch);
                e.set_branch_law(branch, v - voltage);
            }
            Ok(())
        });
        Ok(())
    }
}
