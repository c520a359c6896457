//! Converters of electrical into mechanical power.

use super::interfaces::{branch_law, one_port, pins};
use mechanics::declaration::prelude::*;
use mechanics::domain::{Domain, ROTATIONAL, TRANSLATIONAL};

/// A branch with a voltage in proportion to a speed, and a torque (or force) in proportion to its
/// current. The names are those of the position, the speed, the flow at the flange and its
/// opposite.
fn convert(c: &mut Contribution<'_>, domain: &'static Domain, k: Ex, names: [&'static str; 4]) {
    let flange = c.flange(domain, "flange");
    let support = c.support(domain, "support");
    branch_law(c, move |e, v, i| {
        let motion = e.relative(support, flange);
        e.set_flow_between(support, flange, -k * i);
        let values = [motion.q, motion.v, -k * i, k * i];
        for (name, value) in names.into_iter().zip(values) {
            e.variable(name, value);
        }
        Ok(v - k * motion.v)
    });
}

component! {
    /// Ideal converter of electrical into rotational power, such as the windings of a motor.
    ///
    /// # Equations
    /// `v = k w`, `flange.tau = -k i`, with `phi = flange.phi - support.phi` and `w = der(phi)`.
    pub struct RotationalEMF = "Modelica.Electrical.Analog.Basic.RotationalEMF" {
        /// Torque per current, and voltage per speed
        k: Real["N.m/A"],
        ..pins,
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
        convert(c, &ROTATIONAL, p.k, ["phi", "w", "tau", "tauElectrical"]);
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
        ..pins,
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
        convert(c, &TRANSLATIONAL, p.k, ["s", "vel", "f", "fElectrical"]);
        Ok(())
    }
}
