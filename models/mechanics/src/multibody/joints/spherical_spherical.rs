//! A rod with a spherical joint at each end.

use super::rod::mass_on_line;
use super::rod_force::RodForce;
use super::universal_spherical::{RodLength, keep_length, publish_rod};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::scene::Shape;
use crate::{ports, setters};
use equations::{Ex, Limits};

/// Spherical - spherical joint aggregation: one constraint, no states.
///
/// # Equations
/// `rRod_0 = frame_b.r_0 - frame_a.r_0`, `|rRod_0| = rodLength`; a point mass `m` moves with the
/// middle of the rod; no torques.
///
/// # Variables
/// `rodLength` in m, with `computeRodLength` that of the initial configuration; `m` in kg, default
/// 0. `f_rod` in N is the force on the rod at `frame_a`, towards `frame_b`, without the half of the
/// mass's force across the rod; with `check_total_power` there is `totalPower` in W, which
/// vanishes.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.SphericalSpherical.
#[derive(Clone, Debug)]
pub struct SphericalSpherical {
    rod_length: Option<f64>,
    m: f64,
    check_total_power: bool,
}

ports! {
    /// Ports and variables of a [`SphericalSpherical`] joint.
    pub struct SphericalSphericalPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Length of the rod in m.
        rod_length: quantity = "rodLength",
        /// Force along the rod in N: that on it at `frame_a`, towards `frame_b`.
        f_rod: quantity,
    }
}

impl SphericalSpherical {
    /// With the length `rodLength` in m.
    pub fn rod_length(rod_length: f64) -> Self {
        SphericalSpherical { rod_length: Some(rod_length), m: 0.0, check_total_power: false }
    }

    /// With the length that follows from the initial configuration.
    pub fn compute_rod_length() -> Self {
        SphericalSpherical { rod_length: None, m: 0.0, check_total_power: false }
    }
}

setters! {
    impl SphericalSpherical {
        /// Mass in the middle of the rod in kg.
        m: f64,
        /// Whether `totalPower` is published.
        check_total_power: bool,
    }
}

impl OldComponent for SphericalSpherical {
    type Ports = SphericalSphericalPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let mass = c.amount("m", self.m, "kg", "Mass of the rod, a point in its middle")?;
        let ends = [c.frame("frame_a"), c.frame("frame_b")];
        let (length, from_start) = match self.rod_length {
            Some(length) => (rod_length(c, "rodLength", length)?, None),
            None => RodLength(None).declare(c, "rodLength"),
        };
        c.shape("frame_a", Shape::ball);
        c.shape("frame_b", Shape::ball);
        let constraint = keep_length(c, ends, length, from_start);
        let mass = mass_on_line(c, ends, mass, Ex::from(0.5));
        let force = RodForce::new(c, ends, constraint, mass);
        force.publish(c);
        if self.check_total_power {
            force.publish_power(c);
        }
        publish_rod(c, ends);
        Ok(())
    }
}

/// A parameter that is the length of a rod in m.
pub(in crate::multibody) fn rod_length(
    c: &mut Contribution<'_>,
    local: &'static str,
    length: f64,
) -> Result<Ex, Error> {
    let text = "Length of rod (distance between the spherical joints)";
    let length: Ex = c.limited(local, length, "m", text, Limits::POSITIVE)?.into();
    c.law(move |e| {
        e.define(local, length);
        Ok(())
    });
    Ok(length)
}
