//! A massless rod with a universal joint at one end and a spherical joint at the other.

use super::rod::{RodParameters, UniversalRod, length_residual};
use super::rod_force::RodForce;
use crate::compile::structure::{FrameEnd, FromStart, Holds, Pose};
use crate::component::{ConstraintId, Contribution, OldComponent};
use crate::error::Error;
use crate::vector::{Vector, X, Z, norm};
use crate::{ports, setters};
use equations::Ex;
use std::rc::Rc;

/// Universal - spherical joint aggregation: one constraint, no states.
///
/// # Equations
/// `rRod_0 = frame_b.r_0 - frame_a.r_0`, `|rRod_0| = rodLength`. The universal joint at `frame_a`
/// turns first about `n1_a`; `frame_ia` is fixed to the rod at the origin of `frame_a` and is
/// parallel to it where the universal angles are zero. With `kinematicConstraint = false` the
/// length is not imposed: something else keeps it, and no force acts along the rod.
///
/// # Variables
/// `n1_a` without unit, resolved in `frame_a`; `rRod_ia` in m, the rod in `frame_ia`; with
/// `computeRodLength` only its direction counts and `rodLength` (m) follows from the initial
/// configuration. `f_rod` in N is the force on the rod at `frame_a`, towards `frame_b`; with
/// `check_total_power` there is `totalPower` in W, which vanishes.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.UniversalSpherical.
#[derive(Clone, Debug)]
pub struct UniversalSpherical {
    n1_a: [f64; 3],
    r_rod_ia: [f64; 3],
    compute_rod_length: bool,
    kinematic_constraint: bool,
    check_total_power: bool,
}

ports! {
    /// Ports and variables of a [`UniversalSpherical`] joint.
    pub struct UniversalSphericalPorts {
        /// Frame at the universal joint.
        frame_a: frame,
        /// Frame at the spherical joint.
        frame_b: frame,
        /// Frame fixed to the rod.
        frame_ia: frame,
        /// Length of the rod in m.
        rod_length: quantity = "rodLength",
        /// Force along the rod in N: that on it at `frame_a`, towards `frame_b`.
        f_rod: quantity,
    }
}

impl Default for UniversalSpherical {
    fn default() -> Self {
        UniversalSpherical::n1_a_r_rod_ia(Z, X)
    }
}

impl UniversalSpherical {
    /// With the first axis of the universal joint `n1_a`, resolved in `frame_a`, and the rod
    /// `rRod_ia` in m, resolved in `frame_ia`.
    pub fn n1_a_r_rod_ia(n1_a: [f64; 3], r_rod_ia: [f64; 3]) -> Self {
        UniversalSpherical {
            n1_a,
            r_rod_ia,
            compute_rod_length: false,
            kinematic_constraint: true,
            check_total_power: false,
        }
    }

    /// The length of the rod follows from the initial configuration.
    #[must_use]
    pub fn compute_rod_length(self) -> Self {
        UniversalSpherical { compute_rod_length: true, ..self }
    }
}

setters! {
    impl UniversalSpherical {
        /// Whether the rod keeps its length.
        kinematic_constraint: bool,
        /// Whether `totalPower` is published.
        check_total_power: bool,
    }
}

impl OldComponent for UniversalSpherical {
    type Ports = UniversalSphericalPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Vector from frame_a to frame_b, resolved in frame_ia";
        let along = ("rRod_ia", self.r_rod_ia, "m", text);
        let parameters = RodParameters { n1_a: ("n1_a", self.n1_a), along };
        let (rod, r_rod_ia) = UniversalRod::declare(c, parameters)?;
        let (a, b, ia) = (c.frame("frame_a"), c.frame("frame_b"), c.frame("frame_ia"));
        let mut shown = norm(&r_rod_ia);
        if self.kinematic_constraint {
            let given = (!self.compute_rod_length).then(|| norm(&r_rod_ia));
            let (length, from_start) = RodLength(given).declare(c, "rodLength");
            let constraint = keep_length(c, [a, b], length, from_start);
            let force = RodForce::new(c, [a, b], constraint, None);
            force.publish(c);
            if self.check_total_power {
                let on_rod = c.hidden_frame("rod");
                rod.derive(c, [a, b], on_rod);
                let cut = c.cut(on_rod, ia);
                force.publish_universal_power(c, rod, cut);
            }
            shown = length;
        } else {
            RodLength(Some(shown)).declare(c, "rodLength");
            c.law(|e| {
                let text = "Force along the rod: none without a constraint";
                e.variable("f_rod", Ex::zero()).unit("N").describe(text);
                Ok(())
            });
        }
        rod.shapes(c, ["frame_a", "frame_ia", "frame_b"], shown);
        if !(self.kinematic_constraint && self.check_total_power) {
            rod.derive(c, [a, b], ia);
        }
        publish_rod(c, [a, b]);
        Ok(())
    }
}

/// The length of a rod in m: given, or that of the initial configuration.
pub(super) struct RodLength(pub Option<Ex>);

impl RodLength {
    /// The length and how it follows from the initial configuration.
    pub fn declare(self, c: &mut Contribution<'_>, local: &'static str) -> (Ex, Option<FromStart>) {
        let text = "Length of rod (distance between origin of frame_a and origin of frame_b)";
        if let Some(length) = self.0 {
            c.law(move |e| {
                e.variable(local, length).unit("m").describe(text);
                Ok(())
            });
            return (length, None);
        }
        let name = c.full(local);
        let parameter: Ex = c.model.calculated(&name, Ex::zero()).unit("m").describe(text).into();
        let value = |at: &[Pose]| norm(&(at[1].r - at[0].r));
        c.law(move |e| {
            e.define(local, parameter);
            Ok(())
        });
        (parameter, Some(FromStart { parameter, value: Rc::new(value) }))
    }
}

/// Keeps the distance of two origins.
pub(super) fn keep_length(
    c: &mut Contribution<'_>,
    ends: [FrameEnd; 2],
    length: Ex,
    from_start: Option<FromStart>,
) -> ConstraintId {
    let closure = Holds::Position(Rc::new(move |at| {
        vec![length_residual(&at.poses[0], &at.poses[1], length)]
    }));
    c.constraint(&ends, &[], from_start, closure)
}

/// Publishes the vector from one frame to another.
pub(super) fn publish_rod(c: &mut Contribution<'_>, [a, b]: [FrameEnd; 2]) {
    c.law(move |e| {
        let rod: Vector = e.pose(b).r - e.pose(a).r;
        let text = "Position vector from frame_a to frame_b, resolved in world frame";
        e.vector("rRod_0", &rod, "m", text);
        Ok(())
    });
}
