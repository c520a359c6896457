//! A rod with a spherical joint at each end.

use super::rod::{keep_length, length_at_start, mass_on_line, publish_rod, readable};
use super::rod_force::{CheckedPower, RodForce, checked_power};
use crate::multibody::parts::two_frames;
use mechanics::declaration::prelude::*;
use mechanics::scene::{Shape, joint_length};

component! {
    /// Spherical - spherical joint aggregation: one constraint, no states.
    ///
    /// It is a rod with ball joints at both ends, such as a tie rod, where the spin of the rod does
    /// not matter.
    ///
    /// # Equations
    /// `rRod_0 = frame_b.r_0 - frame_a.r_0`, `|rRod_0| = rodLength`. A point mass `m` moves with
    /// the middle of the rod. There are no torques.
    ///
    /// Either `rodLength` is given, or `computeRodLength` is true and the length is that of the
    /// initial configuration. The force on the rod at `frame_a` also has a component perpendicular
    /// to the rod, half of the one that the mass requires, which `f_rod` does not include.
    pub struct SphericalSpherical = "Modelica.Mechanics.MultiBody.Joints.SphericalSpherical" {
        /// Mass of the rod, a point mass in its middle
        m: Real["kg", >= 0, structural zero] = 0,
        /// Length of rod (distance between the spherical joints)
        rod_length "rodLength"?: Real["m", > 0, fixed],
        /// Whether the length of the rod is computed from the initial configuration
        compute_rod_length "computeRodLength": bool = false,
        ..power: checked_power,
        ..two_frames,
    }
    variables {
        /// Length of rod (distance between the spherical joints)
        rod_length "rodLength": Real["m"],
        /// Position vector from frame_a to frame_b, resolved in world frame
        r_rod_0 "rRod_0": Vector["m"],
        /// Force along the rod; it acts on the rod at frame_a and is positive towards frame_b
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
                let text = "either rodLength must be given or computeRodLength must be true";
                return Err(c.refuse("rodLength", text));
            }
        };
        c.shape("frame_a", Shape::ball);
        c.shape("frame_b", Shape::ball);
        c.shape("frame_a", |nominal| Shape::rod_to("frame_b", joint_length(nominal) * 0.5));
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
