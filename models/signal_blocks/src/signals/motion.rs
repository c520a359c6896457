//! Sources of the fastest motion over given distances, with which several axes move in proportion.

use super::interfaces::{from_instant, give_array};
use equations::{Bool, select};
use mechanics::assembly::Quantity;
use mechanics::declaration::prelude::*;
use mechanics::statements::laws::signal_view::SignalView;
use std::cell::OnceCell;
use std::rc::Rc;

/// The elements of parameters of the same length; a parameter with one element stands for as many
/// elements as the others have.
pub(crate) fn axes<const N: usize>(
    c: &Contribution<'_>,
    parameters: [(&'static str, Vec<Ex>); N],
) -> Result<Vec<[Ex; N]>, Error> {
    let lengths = parameters.iter().map(|(_, elements)| elements.len());
    let count = lengths.max().unwrap_or_default();
    for (name, elements) in &parameters {
        let length = elements.len();
        if length != 1 && length != count {
            return Err(c.refuse(name, format!("{length} elements, but there are {count} axes")));
        }
    }
    let element = |axis: usize| parameters.each_ref().map(|(_, of)| of[axis.min(of.len() - 1)]);
    Ok((0..count).map(element).collect())
}

/// The fastest motion of several axes in proportion: how far, how fast, and when it changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FastestMotion {
    start_time: Ex,
    /// The largest speed of the path, whose length is 1.
    speed: Ex,
    /// The acceleration of the path.
    acceleration: Ex,
    /// Whether any axis moves.
    moves: Bool,
}

/// The present phase of the motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Phase {
    begun: Bool,
    at_speed: Bool,
    brakes: Bool,
    /// Whether the end has been reached.
    pub(crate) over: Bool,
}

impl FastestMotion {
    /// The motion of axes with a distance, a largest speed and a largest acceleration each. If no
    /// distance divided by its limits is above `least`, nothing moves.
    pub(crate) fn new(axes: &[[Ex; 3]], start_time: Ex, least: f64) -> FastestMotion {
        let largest = |limit: usize| {
            let ratios = axes.iter().map(|axis| axis[0].abs() / axis[limit]);
            ratios.reduce(Ex::max).unwrap_or(Ex::zero())
        };
        let [slowest, heaviest] = [largest(1), largest(2)];
        let moves = slowest.gt(least) & heaviest.gt(least);
        let acceleration = 1.0 / heaviest;
        let speed = (1.0 / slowest).min(acceleration.sqrt());
        FastestMotion { start_time, speed, acceleration, moves }
    }

    /// Duration of the acceleration, and of the braking.
    fn ramp_duration(&self) -> Ex {
        self.speed / self.acceleration
    }

    /// Time from the start until the braking.
    fn time_until_braking(&self) -> Ex {
        1.0 / self.speed
    }

    fn duration(&self) -> Ex {
        self.time_until_braking() + self.ramp_duration()
    }

    /// The instant at which the motion ends; `otherwise` if there is none.
    pub(crate) fn end(&self, otherwise: Ex) -> Ex {
        select(self.moves, self.start_time + self.duration(), otherwise)
    }

    /// The present phase, whose ends are time events.
    pub(crate) fn phase(&self, e: &mut SignalView<'_>) -> Phase {
        let after = |duration: Ex| self.start_time + select(self.moves, duration, 0.0);
        Phase {
            begun: e.from(self.start_time),
            at_speed: from_instant(e, "endOfAcceleration", after(self.ramp_duration())),
            brakes: from_instant(e, "beginOfBraking", after(self.time_until_braking())),
            over: from_instant(e, "endTime", self.end(self.start_time)),
        }
    }

    /// A value for each phase: before the motion, while it becomes faster, at constant speed, while
    /// it becomes slower, and after it.
    fn in_phase(&self, phase: Phase, [before, faster, constant, slower, after]: [Ex; 5]) -> Ex {
        let Phase { begun, at_speed, brakes, over } = phase;
        let moving = select(brakes, slower, select(at_speed, constant, faster));
        select(self.moves, select(over, after, select(begun, moving, before)), 0.0)
    }

    /// The acceleration of the path.
    pub(crate) fn acceleration(&self, phase: Phase) -> Ex {
        let zero = Ex::zero();
        self.in_phase(phase, [zero, self.acceleration, zero, -self.acceleration, zero])
    }

    /// The speed of the path.
    pub(crate) fn speed(&self, phase: Phase, time: Ex) -> Ex {
        let (zero, t) = (Ex::zero(), time - self.start_time);
        let [faster, slower] = [t, self.duration() - t].map(|t| self.acceleration * t);
        self.in_phase(phase, [zero, faster, self.speed, slower, zero])
    }

    /// The part of the path that has been covered. The motion is the same backwards.
    pub(crate) fn position(&self, phase: Phase, time: Ex) -> Ex {
        let (one, t) = (Ex::one(), time - self.start_time);
        let [done, left] = [t, self.duration() - t].map(|t| self.acceleration / 2.0 * t.square());
        let steady = self.speed * (t - self.ramp_duration() / 2.0);
        self.in_phase(phase, [Ex::zero(), done, steady, one - left, one])
    }
}

component! {
    /// Acceleration of the fastest motion over distances with limited speeds and accelerations.
    ///
    /// # Equations
    /// `y = deltaq a`, where `a` is the acceleration along a path of the length 1: it is positive
    /// at first, then zero, then negative. The acceleration of one axis is as large as allowed, and
    /// so is the speed of an axis if the distance is long enough; the others move in proportion.
    /// A motion from rest with these accelerations ends at rest after the distances `deltaq`.
    /// Before `startTime` and after the motion, `y = 0`.
    ///
    /// `deltaq` has the unit of the position, for example rad; `qd_max` has that unit per s, and
    /// `qdd_max` that unit per s2. A parameter with one element is the same for all axes.
    ///
    /// # Events
    /// Time events at the changes of the acceleration.
    pub struct KinematicPTP = "Modelica.Blocks.Sources.KinematicPTP" {
        /// Distance of the motion
        deltaq: [Real][fixed] = [1],
        /// Largest speed
        qd_max: [Real][> 0, fixed] = [1],
        /// Largest acceleration
        qdd_max: [Real][> 0, fixed] = [1],
        /// Time at which the motion begins
        start_time "startTime": Real["s", fixed] = 0,
    }
    variables {
        /// Signal
        y: Array,
    }
}

impl KinematicPTPPorts {
    /// The signal of an axis, counted from 1: `y[1]`, `y[2]`...
    pub fn y(self, axis: usize) -> Quantity {
        self.y.element(axis)
    }
}

impl Component for KinematicPTP {
    fn contribute(p: KinematicPTPParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let KinematicPTPParameters { deltaq, qd_max, qdd_max, start_time } = p;
        let axes: Rc<[_]> =
            axes(c, [("deltaq", deltaq), ("qd_max", qd_max), ("qdd_max", qdd_max)])?.into();
        let motion = FastestMotion::new(&axes, start_time, 0.0);
        let phase = Rc::new(OnceCell::new());
        let count = axes.len();
        give_array(c, "y", count, move |e, k| {
            let phase = *phase.get_or_init(|| motion.phase(e));
            Ok(axes[k - 1][0] * motion.acceleration(phase))
        });
        Ok(())
    }
}
