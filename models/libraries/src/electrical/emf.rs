//! Converters of electrical into mechanical power.

use super::interfaces::{branch_law, one_port};
use mechanics::declaration::prelude::*;
use mechanics::domain::{ROTATIONAL, TRANSLATIONAL};

component! {
    /// Ideal converter of electrical into rotational power, such as the windings of a motor.
    ///
    /// # Equations
    /// `v = k w`, `flange.tau = -k i`, with `phi = flange.phi - support.phi` and `w = der(phi)`.
    pub struct RotationalEMF = "Modelica.Electrical.Analog.Basic.RotationalEMF" {
        /// Torque per current, and voltage per speed
        k: Real["N.m/A"],
        ..one_port,
    }
    ports {
        /// Shaft
        flange: Flange,
        /// Housing, fixed if it is not connected
        support: Flange,
    }
    variables {
        /// Angle of the shaft relative to the housing
        phi: Real["rad"],
        /// Speed of the shaft relative to the housing
        w: Real["rad/s"],
        /// Torque at the flange
        tau: Real["N.m"],
        /// Torque on the shaft
        tau_electrical "tauElectrical": Real["N.m"],
    }
}

impl Component for RotationalEMF {
    fn contribute(p: RotationalEMFParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let flange = c.flange(&ROTATIONAL, "flange");
        let support = c.support(&ROTATIONAL, "support");
        branch_law(c, move |e, v, i| {
            let motion = e.relative(support, flange);
            e.set_flow_between(support, flange, -p.k * i);
            e.variable("phi", motion.q);
            e.variable("w", motion.v);
            e.variable("tau", -p.k * i);
            e.variable("tauElectrical", p.k * i);
            Ok(v - p.k * motion.v)
        });
        Ok(())
    }
}

component! {
    /// Ideal converter of electrical into translational power, such as a voice coil.
    ///
    /// # Equations
    /// `v = k vel`, `flange.f = -k i`, with `s = flange.s - support.s` and `vel = der(s)`.
    pub struct TranslationalEMF = "Modelica.Electrical.Analog.Basic.TranslationalEMF" {
        /// Force per current, and voltage per speed
        k: Real["N/A"],
        ..one_port,
    }
    ports {
        /// Moving part
        flange: TranslationalFlange,
        /// Housing, fixed if it is not connected
        support: TranslationalFlange,
    }
    variables {
        /// Position of the flange relative to the housing
        s: Real["m"],
        /// Speed of the flange relative to the housing
        vel: Real["m/s"],
        /// Force at the flange
        f: Real["N"],
        /// Force on the moving part
        f_electrical "fElectrical": Real["N"],
    }
}

impl Component for TranslationalEMF {
    fn contribute(p: TranslationalEMFParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let flange = c.flange(&TRANSLATIONAL, "flange");
        let support = c.support(&TRANSLATIONAL, "support");
        branch_law(c, move |e, v, i| {
            let motion = e.relative(support, flange);
            e.set_flow_between(support, flange, -p.k * i);
            e.variable("s", motion.q);
            e.variable("vel", motion.v);
            e.variable("f", -p.k * i);
            e.variable("fElectrical", p.k * i);
            Ok(v - p.k * motion.v)
        });
        Ok(())
    }
}
