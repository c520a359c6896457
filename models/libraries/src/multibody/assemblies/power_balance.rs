//! The power that flows into a massless assembly of joints, which must be zero.

use crate::multibody::joints::publish_power;
use equations::Ex;
use mechanics::component::{Contribution, CutReactions, Reaction};
use mechanics::statements::laws::acceleration_view::AccelerationView;
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::motion::ends::{FlangeEnd, FrameEnd};
use mechanics::vector::{Vector, cross, dot, zero};

/// Force and torque on the assembly, and the motion of the frame at which they act, in world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct PowerPort {
    pub f: Vector,
    pub t: Vector,
    pub r: Vector,
    pub v: Vector,
    pub w: Vector,
}

impl PowerPort {
    /// A frame without load.
    pub fn free(e: &SignalView<'_>, frame: FrameEnd) -> Self {
        let (pose, velocity) = (e.pose(frame), e.velocity(frame));
        let to_world = pose.t.transpose();
        let (v, w) = (to_world * velocity.v, to_world * velocity.w);
        PowerPort { f: zero(), t: zero(), r: pose.r, v, w }
    }

    /// A frame behind a cut.
    fn behind(e: &AccelerationView<'_>, (frame, cut): &(FrameEnd, CutReactions)) -> Self {
        let (load, to_world) = (e.cut_load(cut), e.pose(*frame).t.transpose());
        let (f, t) = (-(to_world * load.force), -(to_world * load.torque));
        PowerPort { f, t, ..PowerPort::free(e, *frame) }
    }

    /// The torque of the load about a point.
    fn moment(&self, point: &Vector) -> Vector {
        self.t + cross(&(self.r - point), &self.f)
    }

    /// The power of the load.
    pub fn power(&self) -> Ex {
        dot(&self.f, &self.v) + dot(&self.t, &self.w)
    }
}

/// The parts that are fixed to an assembly behind cuts, so that their loads are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Attached {
    cuts: Vec<(FrameEnd, CutReactions)>,
}

impl Attached {
    /// The frame of the assembly for the port `frame`: the same frame, or the one behind a cut if
    /// the power is asked for.
    pub fn frame(
        &mut self,
        c: &mut Contribution<'_>,
        asked: bool,
        (frame, hidden): (FrameEnd, &'static str),
    ) -> FrameEnd {
        if !asked {
            return frame;
        }
        let own = c.hidden_frame(hidden);
        let cut = c.cut(own, frame);
        self.cuts.push((frame, cut));
        own
    }

    /// The loads at all cuts.
    pub fn ports(&self, e: &AccelerationView<'_>) -> Vec<PowerPort> {
        self.cuts.iter().map(|cut| PowerPort::behind(e, cut)).collect()
    }
}

/// The load at a frame that balances the others.
pub(super) fn balance(e: &SignalView<'_>, frame: FrameEnd, others: &[PowerPort]) -> PowerPort {
    let free = PowerPort::free(e, frame);
    let add = |sum: PowerPort, other: &PowerPort| PowerPort {
        f: sum.f - other.f,
        t: sum.t - other.moment(&free.r),
        ..sum
    };
    others.iter().fold(free, add)
}

/// The connected flange `axis` of an assembly.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrivenAxis {
    /// The flange.
    pub end: FlangeEnd,
    /// Its torque (or force).
    pub reaction: Reaction,
}

/// Publishes the sum of the power of all ports.
pub(super) fn publish(
    e: &mut AccelerationView<'_>,
    ports: &[PowerPort],
    axis: Option<DrivenAxis>,
    stored: Ex,
) {
    let sum: Ex = ports.iter().map(PowerPort::power).sum();
    let driven =
        axis.map_or_else(Ex::zero, |axis| e.reaction(axis.reaction) * e.flange(axis.end).v);
    publish_power(e, sum + driven - stored);
}
