//! Sensors of potentials, voltages, currents and powers.

use mechanics::declaration::prelude::*;

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
    pub struct VoltageSensor = "Modelica.Electrical.Analog.Sensors.VoltageSensor" {}
    ports {
        /// Positive pin
        p: Pin,
        /// Negative pin
        n: Pin,
    }
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
    pub struct CurrentSensor = "Modelica.Electrical.Analog.Sensors.CurrentSensor" {}
    ports {
        /// Pin at which the current enters
        p: Pin,
        /// Pin at which the current leaves
        n: Pin,
    }
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

component! {
    /// Sensor of the power that flows through a circuit.
    ///
    /// # Equations
    /// `power = v i`. No current flows between pv and nv, whose voltage is `v`; there is no voltage
    /// between pc and nc, whose current is `i`.
    pub struct PowerSensor = "Modelica.Electrical.Analog.Sensors.PowerSensor" {}
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

impl Component for PowerSensor {
    fn contribute(_: PowerSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (pc, nc) = (c.pin("pc"), c.pin("nc"));
        let (pv, nv) = (c.pin("pv"), c.pin("nv"));
        let branch = c.branch(pc, nc);
        c.output("power", move |e| Ok((e.potential(pv) - e.potential(nv)) * e.current(branch)));
        c.law(move |e| {
            let voltage = e.voltage(branch);
            e.set_branch_law(branch, voltage);
            Ok(())
        });
        Ok(())
    }
}
