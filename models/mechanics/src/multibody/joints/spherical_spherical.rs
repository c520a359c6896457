//! A rod with a spherical joint at each end.

use super::rod::{keep_length, length_at_start, mass_on_line, publish_rod, readable};
use super::rod_force::{CheckedPower, RodForce, checked_power};
use crate::declaration::prelude::*;
use crate::multibody::parts::two_frames;
use crate::scene::Shape;

component! {
    /// Spherical - spherical joint aggregation: one constraint, no states.
    ///
    /// # Equations
    /// `rRod_0 = frame_b.r_0 - frame_a.r_0`, `|rRod_0| = rodLength`; a point mass `m` moves with
    /// the middle of the rod; no torques.
    ///
    /// Either `rodLength` is given, or with `computeRodLength` it is that of the initial
    /// configuration. `f_rod` is without the half of the mass's force across the rod.
    pub struct SphericalSpherical = "Modelica.Mechanics.MultiBody.Joints.SphericalSpherical" {
        /// Mass of the rod, a point in its middle
        m: Amount["kg"] = 0,
        /// Length of rod (distance between the spherical joints)
        rod_length "rodLength"?: Real["m", > 0, fixed],
        /// Whether the length of the rod follows from the initial configuration
        compute_rod_length "computeRodLength": bool = false,
        ..power: checked_power,
        ..two_frames,
    }
    variables {
        /// Length of rod (distance between the spherical joints)
        rod_length "rodLength": Real["m"],
        /// Position vector from frame_a to frame_b, resolved in world frame
        r_rod_0 "rRod_0": Vector["m"],
        /// Force along the rod: that on it at frame_a, towards frame_b
        f_rod: Real["N"],
    }
}

impl Component for SphericalSpherical {
    fn contribute(p: SphericalSphericalParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let ends = [c.frame("frame_a"), c.frame("frame_b")];
        let (length, from_start) = match (p.rod_length, p.compute_rod_length) {
            (Some(length), false) => {
                readable(c, "rodLength", length);
                (length, None)
            }
            (None, true) => length_at_start(c),
            _ => {
                let text = "it is given, or else computeRodLength is true";
                return Err(c.refuse("rodLength", text));
            }
        };
        c.shape("frame_a", Shape::ball);
        c.shape("frame_b", Shape::ball);
        let constraint = keep_length(c, ends, length, from_start);
        let mass = mass_on_line(c, ends, p.m, Ex::from(0.5));
        let force = RodForce::new(c, ends, constraint, mass);
        force.publish(c);
        if p.power.check_total_power {
            force.publish_power(c);
        }
        publish_rod(c, ends);
        Ok(())
    }
}
