//! A source of the position, speed and acceleration of a motion.

use crate::signals::interfaces::give_array;
use crate::signals::motion::{FastestMotion, Phase, axes};
use mechanics::declaration::prelude::*;
use std::cell::OnceCell;
use std::rc::Rc;

/// Distances up to this one are none.
const LEAST: f64 = 10.0 * f64::EPSILON;

component! {
    /// Fastest motion between positions with limited speeds and accelerations.
    ///
    /// # Equations
    /// From `startTime` on, the axes move from `q_begin` to `q_end` in proportion, from rest to
    /// rest, with `qd = der(q)` and `qdd = der(qd)`. The acceleration of one axis is as large as
    /// allowed, and so is the speed of an axis if the distance is long enough. `moving[i]` is true
    /// before `endTime` if the axis moves at all. If no axis moves, `endTime = 0`.
    ///
    /// `q_begin` and `q_end` have the unit of the position, for example rad; `qd_max` has that unit
    /// per s, and `qdd_max` that unit per s2. A parameter with one element is the same for all
    /// axes.
    ///
    /// # Events
    /// Time events at the changes of the acceleration.
    pub struct KinematicPTP2 = "Modelica.Blocks.Sources.KinematicPTP2" {
        /// First position
        q_begin: [Real][fixed] = [0],
        /// Last position
        q_end: [Real][fixed] = [1],
        /// Largest speed
        qd_max: [Real][> 0, fixed] = [1],
        /// Largest acceleration
        qdd_max: [Real][> 0, fixed] = [1],
        /// Time at which the motion begins
        start_time "startTime": Real["s", fixed] = 0,
    }
    variables {
        /// Time at which the motion ends
        endTime: Real["s"],
        /// Position
        q: Array,
        /// Speed
        qd: Array,
        /// Acceleration
        qdd: Array,
        /// Whether an axis has still to move
        moving: [Boolean],
    }
}

impl Component for KinematicPTP2 {
    fn contribute(p: KinematicPTP2Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let KinematicPTP2Parameters { q_begin, q_end, qd_max, qdd_max, start_time } = p;
        let parameters =
            [("q_begin", q_begin), ("q_end", q_end), ("qd_max", qd_max), ("qdd_max", qdd_max)];
        let axes: Rc<[[Ex; 4]]> = axes(c, parameters)?.into();
        let limits = |&[begin, end, qd_max, qdd_max]: &[Ex; 4]| [end - begin, qd_max, qdd_max];
        let limits: Vec<[Ex; 3]> = axes.iter().map(limits).collect();
        let motion = FastestMotion::new(&limits, start_time, LEAST);
        c.output("endTime", move |_| Ok(motion.end(Ex::zero())));

        let phase = Rc::new(OnceCell::new());
        let mut give = |array: &'static str, law: fn(FastestMotion, Phase, Ex, [Ex; 2]) -> Ex| {
            let (phase, axes) = (Rc::clone(&phase), Rc::clone(&axes));
            give_array(c, array, axes.len(), move |e, k| {
                let phase = *phase.get_or_init(|| motion.phase(e));
                let [begin, end, ..] = axes[k - 1];
                Ok(law(motion, phase, e.time(), [begin, end - begin]))
            });
        };
        give("q", |motion, phase, time, [begin, distance]| {
            begin + distance * motion.position(phase, time)
        });
        give("qd", |motion, phase, time, [_, distance]| distance * motion.speed(phase, time));
        give("qdd", |motion, phase, _, [_, distance]| distance * motion.acceleration(phase));
        give_array(c, "moving", axes.len(), move |e, k| {
            let phase = *phase.get_or_init(|| motion.phase(e));
            let [begin, end, ..] = axes[k - 1];
            Ok(!phase.over & (end - begin).abs().gt(LEAST))
        });
        Ok(())
    }
}
