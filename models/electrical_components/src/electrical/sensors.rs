//! Sensors of potentials, voltages, currents and powers.

use super::interfaces::pins;
use mechanics::declaration::{group, prelude::*};

component! {
    /// Sensor of the potential at a pin.
    ///
    /// # Equations
    /// `phi = p.v`, `p.i = 0`.
    pub struct PotentialSensor = "Modelica.Electrical.Analog.Sensors.PotentialSensor" {}
    ports {
        /// Pin at which the potential is measured
        p: Pin,
    }
    variables {
        /// Potential
        phi: Real["V"],
    }
}

impl Component for PotentialSensor {
    fn contribute(_: PotentialSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let p = c.pin("p");
        c.output("phi", move |e| Ok(e.potential(p)));
        Ok(())
    }
}

component! {
    /// Sensor of the voltage between two pins.
    ///
    /// # Equations
    /// `v = p.v - n.v`, `p.i = n.i = 0`.
    pub struct VoltageSensor = "Modelica.Electrical.Analog.Sensors.VoltageSensor" { ..pins }
    variables {
        /// Voltage between p and n
        v: Real["V"],
    }
}

impl Component for VoltageSensor {
    fn contribute(_: VoltageSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (p, n) = (c.pin("p"), c.pin("n"));
        c.output("v", move |e| Ok(e.potential(p) - e.potential(n)));
        Ok(())
    }
}

component! {
    /// Sensor of the current in a branch.
    ///
    /// # Equations
    /// `i = p.i`, `p.v = n.v`.
    pub struct CurrentSensor = "Modelica.Electrical.Analog.Sensors.CurrentSensor" { ..pins }
    variables {
        /// Current from p to n
        i: Real["A"],
    }
}

impl Component for CurrentSensor {
    fn contribute(_: CurrentSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (p, n) = (c.pin("p"), c.pin("n"));
        let branch = c.branch(p, n);
        c.output("i", move |e| Ok(e.current(branch)));
        c.law(move |e| {
            let voltage = e.voltage(branch);
            e.set_branch_law(branch, voltage);
            Ok(())
        });
        Ok(())
    }
}

group! {
    /// A path of the current without voltage from `pc` to `nc`, and a path of the voltage without
    /// current from `pv` to `nv`.
    pub struct TwoPaths(two_paths) {}
    ports {
        /// Pin at which the current enters
        pc: Pin,
        /// Pin at which the current leaves
        nc: Pin,
        /// Positive pin of the voltage
        pv: Pin,
        /// Negative pin of the voltage
        nv: Pin,
    }
    variables {
        /// Power
        power: Real["W"],
    }
}

/// Measures the power, and gives signals of these names for the voltage and for the current.
fn measure(c: &mut Contribution<'_>, names: Option<[&'static str; 2]>) {
    let [pc, nc, pv, nv] = ["pc", "nc", "pv", "nv"].map(|port| c.pin(port));
    let branch = c.branch(pc, nc);
    c.output("power", move |e| Ok((e.potential(pv) - e.potential(nv)) * e.current(branch)));
    if let Some([v, i]) = names {
        c.output(v, move |e| Ok(e.potential(pv) - e.potential(nv)));
        c.output(i, move |e| Ok(e.current(branch)));
    }
    c.law(move |e| {
        let voltage = e.voltage(branch);
        e.set_branch_law(branch, voltage);
        Ok(())
    });
}

component! {
    /// Sensor of the power that flows through a circuit.
    ///
    /// # Equations
    /// `power = v i`. No current flows between pv and nv, whose voltage is `v`; there is no voltage
    /// between pc and nc, whose current is `i`.
    pub struct PowerSensor = "Modelica.Electrical.Analog.Sensors.PowerSensor" { ..two_paths }
}

impl Component for PowerSensor {
    fn contribute(_: PowerSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        measure(c, None);
        Ok(())
    }
}

component! {
    /// Sensor of current, voltage and power.
    ///
    /// # Equations
    /// `power = v i`. No current flows between pv and nv, whose voltage is `v`; there is no voltage
    /// between pc and nc, whose current is `i`.
    pub struct MultiSensor = "Modelica.Electrical.Analog.Sensors.MultiSensor" { ..two_paths }
    variables {
        /// Voltage between pv and nv
        v: Real["V"],
        /// Current from pc to nc
        i: Real["A"],
    }
}

impl Component for MultiSensor {
    fn contribute(_: MultiSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        measure(c, Some(["v", "i"]));
        Ok(())
    }
}
