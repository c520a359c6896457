//! A massless rod with a universal joint at one end and a spherical joint at the other.

use super::rod::{UniversalRod, keep_length, length_at_start, publish_rod};
use super::rod_force::{CheckedPower, RodForce, checked_power};
use mechanics::declaration::prelude::*;
use mechanics::vector::norm;

component! {
    /// Universal - spherical joint aggregation: one constraint, no states.
    ///
    /// It is a connecting rod in space to which other parts may be attached.
    ///
    /// # Equations
    /// `rRod_0 = frame_b.r_0 - frame_a.r_0`, `|rRod_0| = rodLength`. The first rotation of the
    /// universal joint at `frame_a` is about `n1_a`. `frame_ia` is fixed to the rod at the origin
    /// of `frame_a`, and has the orientation of `frame_a` if the angles of the universal joint are
    /// zero. If `constrained` is false, the length is not constrained: other joints must
    /// keep it, and no force acts along the rod.
    pub struct UniversalSpherical = "Modelica.Mechanics.MultiBody.Joints.UniversalSpherical" {
        /// Axis 1 of universal joint resolved in frame_a
        n1_a: Axis["1"] = Z,
        /// Vector from frame_a to frame_b, resolved in frame_ia; with computeRodLength, only its
        /// direction is used
        r_rod_ia "rRod_ia": [Real; 3]["m", fixed] = X,
        /// Whether the length of the rod is computed from the initial configuration
        compute_rod_length "computeRodLength": bool = false,
        /// Whether the length of the rod is constrained
        constrained: bool = true,
        ..power: checked_power,
    }
    ports {
        /// Frame at the universal joint
        frame_a: Frame,
        /// Frame at the spherical joint
        frame_b: Frame,
        /// Frame fixed to the rod
        frame_ia: Frame,
    }
    variables {
        /// Length of rod (distance between origin of frame_a and origin of frame_b)
        rod_length "rodLength": Real["m"],
        /// Position vector from frame_a to frame_b, resolved in world frame
        r_rod_0 "rRod_0": Vector["m"],
        /// Force along the rod; it acts on the rod at frame_a and is positive towards frame_b
        f_rod: Real["N"],
    }
}

impl Component for UniversalSpherical {
    fn contribute(p: UniversalSphericalParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let rod = UniversalRod::new(c, ("n1_a", p.n1_a), ("rRod_ia", &p.r_rod_ia))?;
        let (a, b, ia) = (c.frame("frame_a"), c.frame("frame_b"), c.frame("frame_ia"));
        let (length, from_start) = match p.constrained && p.compute_rod_length {
            true => length_at_start(c),
            false => (norm(&p.r_rod_ia), None),
        };
        if from_start.is_none() {
            c.law(move |e| {
                e.variable("rodLength", length);
                Ok(())
            });
        }
        let mut of_rod = ia;
        if p.constrained {
            let constraint = keep_length(c, [a, b], length, from_start);
            let force = RodForce::new(c, [a, b], constraint, None);
            force.publish(c);
            if p.power.check_total_power {
                of_rod = c.hidden_frame("rod");
                rod.derive(c, [a, b], of_rod);
                let cut = c.cut(of_rod, ia);
                force.publish_universal_power(c, rod, cut);
            }
        } else {
            // There is no force along the rod.
            c.law(|e| {
                e.variable("f_rod", Ex::zero());
                Ok(())
            });
        }
        rod.shapes(c, ["frame_a", "frame_ia", "frame_b"], length);
        if of_rod == ia {
            rod.derive(c, [a, b], ia);
        }
        publish_rod(c, [a, b]);
        Ok(())
    }
}
