//! The force along a rod, and the power that a rod takes from its ends, which vanishes.

use super::rod::UniversalRod;
use crate::compile::laws::acceleration_view::AccelerationView;
use crate::compile::laws::signal_view::SignalView;
use crate::compile::motion::ends::FrameEnd;
use crate::compile::spatial::pose::Twist;
use crate::component::{ConstraintId, CutReactions, Multiplier};
use crate::declaration::{group, prelude::*};
use crate::vector::{Vector, cross, dot, normalize, scale};

group! {
    /// The power that flows into a joint, to check that it vanishes.
    pub struct CheckedPower(checked_power) {
        /// Whether `totalPower` is published
        check_total_power "checkTotalPower": bool = false,
    }
    variables {
        /// Power that flows into the joint; it vanishes up to rounding
        total_power "totalPower": Real["W"],
    }
}

/// A mass on a rod, at half its length.
#[derive(Clone, Copy, Debug)]
pub(in crate::multibody) struct RodMass {
    /// The frame that moves with it.
    pub frame: FrameEnd,
    /// The mass in kg.
    pub mass: Ex,
}

impl RodMass {
    /// What moves it against gravity, in N and world axes.
    fn force(self, e: &AccelerationView<'_>) -> Vector {
        let pose = e.pose(self.frame);
        let a = pose.t.transpose() * e.acceleration(self.frame).v;
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
    /// Of the constraint whose residual grows with the distance of the origins.
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

    /// The force in N: that on the rod at its first end, towards the second one. Of the force of a
    /// mass along the rod half counts.
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

    /// Forces on the ends of a rod between spherical joints in N and world axes, and the power that
    /// its mass takes in W.
    pub fn loads(&self, e: &AccelerationView<'_>) -> ([Vector; 2], Ex) {
        let along = scale(&self.along(e), e.multiplier(self.multiplier));
        let Some(mass) = self.mass else { return ([along, -along], Ex::zero()) };
        let force = mass.force(e);
        let half = scale(&force, Ex::from(0.5));
        let v = e.pose(mass.frame).t.transpose() * e.velocity(mass.frame).v;
        ([half + along, half - along], dot(&force, &v))
    }

    /// Publishes the power that a rod between spherical joints takes from its ends.
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

    /// Publishes the power that a rod with a universal joint takes from its ends and from what is
    /// fixed to it: `cut` leads from the rod to `frame_ia`.
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
            // What is fixed to the rod takes what goes through the cut.
            let given = e.cut_load(&cut);
            let ia = Twist { w: -(t_rel.transpose() * given.w), v: -(t_rel.transpose() * given.v) };
            let r = pose.t * (other.r - pose.r);
            let f_b = rod.far_force(&r, f_rod, &ia.w);
            let (f_a, t_a) = (-(f_b + ia.v), -(ia.w + cross(&r, &f_b)));
            let w_ia = t_rel.transpose() * rod.angular_velocity([&pose, &other], [&of_a, &of_b]);
            let power = dot(&(f_a + ia.v), &of_a.v)
                + dot(&t_a, &of_a.w)
                + dot(&f_b, &v_b)
                + dot(&ia.w, &w_ia);
            publish_power(e, power);
            Ok(())
        });
    }
}

/// Publishes `totalPower` in W.
pub(in crate::multibody) fn publish_power(e: &mut SignalView<'_>, power: Ex) {
    e.variable("totalPower", power);
}
