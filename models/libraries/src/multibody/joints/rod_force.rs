//! The force along a rod, and the power that flows into a rod, which must be zero.

use super::rod::UniversalRod;
use mechanics::component::{ConstraintId, CutReactions, Multiplier};
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::acceleration_view::AccelerationView;
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::vector::{Vector, cross, dot, normalize, scale};

group! {
    /// The power that flows into a joint, as a check that it is zero.
    pub struct CheckedPower(checked_power) {
        /// Whether `totalPower` is published
        check_total_power "checkTotalPower": bool = false,
    }
    variables {
        /// Power that flows into the joint; it is zero except for rounding
        total_power "totalPower"?: Real["W"],
    }
}

/// A mass in the middle of a rod.
#[derive(Clone, Copy, Debug)]
pub(in crate::multibody) struct RodMass {
    /// The frame that moves with the mass.
    pub frame: FrameEnd,
    /// The mass in kg.
    pub mass: Ex,
}

impl RodMass {
    /// The force that accelerates the mass, in addition to gravity, in N and world axes.
    fn force(self, e: &AccelerationView<'_>) -> Vector {
        let pose = e.pose(self.frame);
        let a = pose.t.transpose() * e.acceleration(self.frame).a;
        scale(&(a - e.gravity(&pose.r)), self.mass)
    }
}

/// A rod that keeps the distance of two origins.
#[derive(Clone, Copy, Debug)]
pub(in crate::multibody) struct RodForce {
    ends: [FrameEnd; 2],
    multiplier: Multiplier,
    mass: Option<RodMass>,
}

impl RodForce {
    /// The force of the constraint whose residual grows with the distance of the origins.
    pub fn new(
        c: &mut Contribution<'_>,
        ends: [FrameEnd; 2],
        constraint: ConstraintId,
        mass: Option<RodMass>,
    ) -> Self {
        RodForce { ends, multiplier: c.multiplier(constraint, 0), mass }
    }

    /// The direction of the rod in world axes.
    fn along(&self, e: &SignalView<'_>) -> Vector {
        let [a, b] = self.ends.map(|end| e.pose(end).r);
        normalize(&(b - a))
    }

    /// The force in N on the rod at its first end, towards the second one. It includes half of the
    /// component along the rod of the force that the mass requires.
    pub fn value(&self, e: &AccelerationView<'_>) -> Ex {
        let of_mass =
            self.mass.map_or_else(Ex::zero, |mass| dot(&mass.force(e), &self.along(e)) * 0.5);
        e.multiplier(self.multiplier) + of_mass
    }

    /// Publishes the force as `f_rod`.
    pub fn publish(self, c: &mut Contribution<'_>) {
        c.after(move |e| {
            let value = self.value(e);
            e.variable("f_rod", value);
            Ok(())
        });
    }

    /// Forces on the ends of a rod between spherical joints in N and world axes, and the power in W
    /// that its mass absorbs.
    pub fn loads(&self, e: &AccelerationView<'_>) -> ([Vector; 2], Ex) {
        let along = scale(&self.along(e), e.multiplier(self.multiplier));
        let Some(mass) = self.mass else { return ([along, -along], Ex::zero()) };
        let force = mass.force(e);
        let half = scale(&force, Ex::from(0.5));
        let v = e.pose(mass.frame).t.transpose() * e.velocity(mass.frame).v;
        ([half + along, half - along], dot(&force, &v))
    }

    /// Publishes the power that flows into a rod between spherical joints from its ends.
    pub fn publish_power(self, c: &mut Contribution<'_>) {
        c.after(move |e| {
            let (forces, taken) = self.loads(e);
            let power = |(end, force): (&FrameEnd, &Vector)| {
                dot(force, &(e.pose(*end).t.transpose() * e.velocity(*end).v))
            };
            let given: Ex = self.ends.iter().zip(&forces).map(power).sum();
            publish_power(e, given - taken);
            Ok(())
        });
    }

    /// Publishes the power that flows into a rod with a universal joint, from the ends of the rod
    /// and from parts fixed to it; `cut` is between the rod and `frame_ia`.
    pub fn publish_universal_power(
        self,
        c: &mut Contribution<'_>,
        rod: UniversalRod,
        cut: CutReactions,
    ) {
        let [a, b] = self.ends;
        c.after(move |e| {
            let f_rod = self.value(e);
            let (pose, other) = (e.pose(a), e.pose(b));
            let (of_a, of_b) = (e.velocity(a), e.velocity(b));
            let v_b = pose.t * (other.t.transpose() * of_b.v);
            let t_rel = rod.rotation(&pose, &other);
            // The load of the cut acts on the parts that are fixed to the rod.
            let given = e.cut_load(&cut);
            let ia = -given.resolved(&t_rel.transpose());
            let r = pose.t * (other.r - pose.r);
            let f_b = rod.far_force(&r, f_rod, &ia.torque);
            let (f_a, t_a) = (-(f_b + ia.force), -(ia.torque + cross(&r, &f_b)));
            let w_ia = t_rel.transpose() * rod.angular_velocity([&pose, &other], [&of_a, &of_b]);
            let power = dot(&(f_a + ia.force), &of_a.v)
                + dot(&t_a, &of_a.w)
                + dot(&f_b, &v_b)
                + dot(&ia.torque, &w_ia);
            publish_power(e, power);
            Ok(())
        });
    }
}

/// Publishes `totalPower` in W.
pub(in crate::multibody) fn publish_power(e: &mut SignalView<'_>, power: Ex) {
    e.variable("totalPower", power);
}
