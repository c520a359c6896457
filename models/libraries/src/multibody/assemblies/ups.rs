//! A linear actuator between a universal and a spherical joint.

use super::power_balance::{self, Attached, DrivenAxis, PowerPort, balance};
use super::{A, S, V, flanges};
use crate::multibody::joints::{CheckedPower, UniversalRod, checked_power};
use mechanics::component::Starts;
use mechanics::declaration::prelude::*;
use mechanics::domain::TRANSLATIONAL;
use mechanics::scene::Shape;
use mechanics::statements::contributions::multibody::CoordinateType;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::vector::{Vector, norm};

component! {
    /// Universal - prismatic - spherical joint aggregation: no constraint, no states.
    ///
    /// It is a leg of variable length, such as a hydraulic cylinder or a leg of a hexapod.
    ///
    /// # Equations
    /// `s + s_offset = |frame_b.r_0 - frame_a.r_0|`. The line between the frames has a universal
    /// joint at `frame_a` whose first rotation is about `n1_a`, and a spherical joint at `frame_b`.
    /// `frame_ia` at the origin of `frame_a` and `frame_ib` at that of `frame_b` rotate with the
    /// line; they have the orientation of `frame_a` if the angles of the universal joint are zero.
    /// The actuator is massless, and the force along the line is that of the flange `axis`.
    pub struct JointUPS = "Modelica.Mechanics.MultiBody.Joints.Assemblies.JointUPS" {
        /// Axis 1 of universal joint resolved in frame_a
        n1_a: Axis["1"] = Z,
        /// Direction of the line resolved in frame_ia
        n_axis_ia "nAxis_ia": [Real; 3]["1", fixed] = X,
        /// Offset of s: the distance of the frames is s + s_offset
        s_offset: Real["m", structural zero, fixed] = 0,
        ..power: checked_power,
    }
    ports {
        /// Frame at the universal joint
        frame_a: Frame,
        /// Frame at the spherical joint
        frame_b: Frame,
        /// Frame fixed to the line, at the origin of frame_a
        frame_ia: Frame,
        /// Frame fixed to the line, at the origin of frame_b
        frame_ib: Frame,
        /// Flange that moves with the length of the line; if it is open, there is no force along it
        axis: TranslationalFlange,
        /// Flange at rest; its force does not act on frame_a
        bearing: TranslationalFlange,
    }
    variables {
        /// Distance along the joint, without its offset
        s: Real["m"],
        /// First derivative of s
        v: Real["m/s"],
        /// Second derivative of s
        a: Real["m/s2"],
    }
}

impl Component for JointUPS {
    fn contribute(p: JointUPSParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let ends = [c.frame("frame_a"), c.frame("frame_b")];
        let (asked, mut attached) = (p.power.check_total_power, Attached::default());
        let (ia, ib) = (c.frame("frame_ia"), c.frame("frame_ib"));
        let ia = attached.frame(c, asked, (ia, "on the line"));
        let ib = attached.frame(c, asked, (ib, "at the far end"));
        let line = UniversalRod::new(c, ("n1_a", p.n1_a), ("nAxis_ia", &p.n_axis_ia))?;
        line.joint_shapes(c, ["frame_a", "frame_ia", "frame_b"]);
        c.shape("frame_a", |nominal| Shape::damper("frame_b", nominal));
        line.derive(c, ends, ia);
        line.derive_far(c, ends, ib);
        let motion = c.start_variables([&S, &V, &A], Starts::default());
        let coordinate = c.coordinate(CoordinateType::Auxiliary, X, motion, StateSelect::Avoid);
        c.measure(&ends, coordinate, move |at| norm(&(at[1].r - at[0].r)) - p.s_offset);
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
    (attached, axis): (Attached, Option<DrivenAxis>),
) {
    c.after(move |e| {
        // First the frame on the line, then the one at the far end.
        let mut ports = attached.ports(e);
        let force = axis.map_or_else(Ex::zero, |axis| e.reaction(axis.reaction));
        let on_far_part = ports[1].f;
        let (pose, mut far) = (e.pose(a), PowerPort::free(e, b));
        let torque: Vector = ports.iter().map(|port| port.t).sum();
        let r = pose.t * (far.r - pose.r);
        let at_far = pose.t.transpose() * line.far_force(&r, force, &(pose.t * torque));
        far.f = at_far - on_far_part;
        ports.push(far);
        let near = balance(e, a, &ports);
        ports.push(near);
        power_balance::publish(e, &ports, axis, Ex::zero());
        Ok(())
    });
}
