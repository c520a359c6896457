//! A linear actuator between a universal and a spherical joint.

use super::power::{self, Attached, Axis, Port, balance};
use super::{A, S, V, flanges, offset};
use crate::compile::structure::{FrameEnd, Freedom};
use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::multibody::joints::UniversalRod;
use crate::start::StateSelect;
use crate::vector::{Vector, X, Z, norm};
use crate::{ports, setters};
use equations::Ex;

/// Universal - prismatic - spherical joint aggregation: no constraint, no states.
///
/// # Equations
/// `s + s_offset = |frame_b.r_0 - frame_a.r_0|`. `frame_ia`, at the origin of `frame_a`, and
/// `frame_ib`, at that of `frame_b`, have the axes of the line between them, which hangs on a
/// universal joint at `frame_a` that turns first about `n1_a`; they are parallel to `frame_a` where
/// the universal angles are zero. Nothing has mass; the force along the line is that of the
/// flange `axis`.
///
/// # Variables
/// `n1_a`, default `{0, 0, 1}`, and `nAxis_ia`, along the line in `frame_ia`, default `{1, 0, 0}`,
/// without unit; `s` in m with `v`, `a`; `s_offset` in m, default 0.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Assemblies.JointUPS.
#[derive(Clone, Debug)]
pub struct JointUPS {
    n1_a: [f64; 3],
    n_axis_ia: [f64; 3],
    s_offset: f64,
    check_total_power: bool,
}

ports! {
    /// Ports and variables of a [`JointUPS`].
    pub struct JointUPSPorts {
        /// Frame at the universal joint.
        frame_a: frame,
        /// Frame at the spherical joint.
        frame_b: frame,
        /// Frame of the line, at the origin of `frame_a`.
        frame_ia: frame,
        /// Frame of the line, at the origin of `frame_b`.
        frame_ib: frame,
        /// Flange that moves with the length of the line; open: no force along it.
        axis: translational_flange,
        /// Flange at rest; its reaction does not act on `frame_a`.
        bearing: translational_flange,
        /// Length of the line in m, without its offset.
        s: quantity,
        /// Its derivative in m/s.
        v: quantity,
        /// Its second derivative in m/s2.
        a: quantity,
    }
}

impl Default for JointUPS {
    fn default() -> Self {
        JointUPS { n1_a: Z, n_axis_ia: X, s_offset: 0.0, check_total_power: false }
    }
}

setters! {
    impl JointUPS {
        /// First axis of the universal joint, resolved in `frame_a`.
        n1_a: [f64; 3],
        /// Direction of the line, resolved in `frame_ia`.
        n_axis_ia: [f64; 3],
        /// Offset of `s` in m.
        s_offset: f64,
        /// Whether `totalPower` is published, which vanishes.
        check_total_power: bool,
    }
}

impl OldComponent for JointUPS {
    type Ports = JointUPSPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let ends = [c.frame("frame_a"), c.frame("frame_b")];
        let (asked, mut attached) = (self.check_total_power, Attached::default());
        let (ia, ib) = (c.frame("frame_ia"), c.frame("frame_ib"));
        let ia = attached.frame(c, asked, (ia, "on the line"));
        let ib = attached.frame(c, asked, (ib, "at the far end"));
        let text = "Direction of the line resolved in frame_ia";
        let n1 = c.axis("n1_a", self.n1_a, "Axis 1 of universal joint resolved in frame_a")?;
        let along = c.vector("nAxis_ia", self.n_axis_ia, "1", text)?;
        let line = UniversalRod::new(c, ("n1_a", n1), ("nAxis_ia", &along))?;
        line.derive(c, ends, ia);
        line.derive_far(c, ends, ib);
        let text = "Offset of s: the distance of the frames is s + s_offset";
        let shift = offset(c, "s_offset", self.s_offset, "m", text)?;
        let motion = c.candidates([&S, &V, &A], Starts::default());
        let coordinate = c.coordinate(Freedom::Measured, X, motion, StateSelect::Avoid);
        c.measure(&ends, coordinate, move |at| norm(&(at[1].r - at[0].r)) - shift);
        let axis = flanges(c, &TRANSLATIONAL, coordinate, asked);
        if asked {
            publish_power(c, ends, line, (attached, axis));
        }
        Ok(())
    }
}

/// Publishes the power that flows into an actuator along a line.
fn publish_power(
    c: &mut Contribution<'_>,
    [a, b]: [FrameEnd; 2],
    line: UniversalRod,
    (attached, axis): (Attached, Axis),
) {
    c.after(move |e| {
        // On the line, then at the far end.
        let mut ports = attached.ports(e);
        let force = axis.map_or_else(Ex::zero, |(_, reaction)| e.reaction(reaction));
        let on_far_part = ports[1].f;
        let (pose, mut far) = (e.pose(a), Port::free(e, b));
        let torque: Vector = ports.iter().map(|port| port.t).sum();
        let r = pose.t * (far.r - pose.r);
        let at_far = pose.t.transpose() * line.far_force(&r, force, &(pose.t * torque));
        far.f = at_far - on_far_part;
        ports.push(far);
        let near = balance(e, a, &ports);
        ports.push(near);
        power::publish(e, &ports, axis, Ex::zero());
        Ok(())
    });
}
