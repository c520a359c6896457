//! The orientation of a rolling wheel: heading, lean and roll, and the published angles about z, y
//! and x.
//!
//! The angles are singular where the wheel has rolled a quarter turn upright; heading, lean and
//! roll are singular only where it lies flat. With `s` and `c` for sine and cosine of lean and
//! roll, the rotation `T_y(roll) T_x(lean)` is
//!
//! ```text
//! |   c_roll   s_roll s_lean  -s_roll c_lean |
//! |     0          c_lean          s_lean    |
//! |   s_roll  -c_roll s_lean   c_roll c_lean |
//! ```
//!
//! and equals that by the angles, of which the first one is measured from the heading.

use equations::{Anchor, BlockKind, Bool, ClosedFormBlock, Leaf, Slopes, select};
use mechanics::component::CoordinateId;
use mechanics::declaration::prelude::*;
use mechanics::orientation::{Sequence, angle_rates, axes_rotations, axes_rotations_angles};
use mechanics::statements::algebra::turns::nearest_turn;
use mechanics::statements::contributions::constraints::{Holds, Situation};
use mechanics::statements::contributions::multibody::CoordinateType;
use mechanics::statements::contributions::start_variable::StartVariable;
use mechanics::statements::laws::velocity_view::VelocityView;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::statements::spatial::pose::{Pose, Twist};
use std::f64::consts::PI;
use std::rc::Rc;

/// Names of the coordinates and of their derivatives, from the road to the wheel.
const NAMES: [[&str; 2]; 3] =
    [["heading", "der_heading"], ["lean", "der_lean"], ["roll", "der_roll"]];

/// Names of the angles.
const ANGLES: [&str; 3] = ["angles[1]", "angles[2]", "angles[3]"];

/// Names of the derivatives of the angles.
const DER_ANGLES: [&str; 3] = ["der_angles[1]", "der_angles[2]", "der_angles[3]"];

/// The coordinate that an angle resembles most while the wheel is nearly upright.
const RESEMBLES: [usize; 3] = [0, 2, 1];

/// The cosine of the second angle below which the first and the last axis count as parallel.
const PARALLEL: f64 = 1e-10;

/// The cosine of the second angle below which this counts for the derivatives of an upright wheel.
const NEARLY_PARALLEL: f64 = 1e-4;

/// The lean in rad below which the angles of a rolling wheel pass their singular position as those
/// of an upright wheel.
const UPRIGHT: f64 = 1e-6;

/// The turn in rad between accepted points within which angles are known to be the nearest ones.
const LARGEST_TURN: f64 = 0.8;

/// Start values of the angles about z, y and x, and of their derivatives.
pub(super) struct WheelStarts {
    /// Angles in rad.
    pub angles: [Start; 3],
    /// Derivatives in rad/s.
    pub der_angles: [Start; 3],
}

/// The coordinates of a wheel's orientation, with the start variables of its angles.
pub(super) struct WheelOrientation {
    /// Heading, lean and roll.
    pub coordinates: [CoordinateId; 3],
    /// The angles.
    angles: [StartVariable; 3],
    /// Their derivatives.
    der_angles: [StartVariable; 3],
}

impl WheelStarts {
    /// Adds the coordinates, whose start values follow from those of the angles.
    ///
    /// If only some angles are fixed, these are initial conditions, as are fixed derivatives of
    /// angles that are not fixed.
    pub fn coordinates(&self, c: &mut Contribution<'_>) -> WheelOrientation {
        let angles = [0, 1, 2].map(|k| c.named_start_variable(ANGLES[k], "rad", self.angles[k]));
        let der_angles =
            [0, 1, 2].map(|k| c.named_start_variable(DER_ANGLES[k], "rad/s", self.der_angles[k]));
        let values = [self.angles, self.der_angles].map(|all| all.map(|s| Ex::from(s.value)));
        let slots = [&angles, &der_angles].map(|all| all.each_ref().map(|v| v.slot));
        let [known, computed] = [values, slots]
            .map(|[angles, rates]| [wheel_angles(&angles), wheel_rates(&angles, &rates)]);
        let all_fixed = |starts: &[Start; 3]| starts.iter().all(|start| start.fixed);
        let oriented = all_fixed(&self.angles);
        let fixed = [oriented, oriented && all_fixed(&self.der_angles)];
        let given = [&self.angles, &self.der_angles].map(|all| {
            let mut of = [false; 3];
            (0..3).for_each(|k| of[RESEMBLES[k]] = all[k].given || all[k].fixed);
            of
        });
        let coordinates = [0, 1, 2].map(|k| {
            let variable = |c: &mut Contribution<'_>, level: usize, unit| {
                let value = known[level][k].constant_value().unwrap_or(0.0);
                let given = given[level][k] && !fixed[level];
                let start = Start { value, fixed: fixed[level], given };
                let slot = computed[level][k];
                StartVariable { slot, ..c.named_start_variable(NAMES[k][level], unit, start) }
            };
            let motion = [variable(c, 0, "rad"), variable(c, 1, "rad/s")];
            c.coordinate(CoordinateType::Revolute, [Z, X, Y][k], motion, Prefer)
        });
        WheelOrientation { coordinates, angles, der_angles }
    }
}

impl WheelOrientation {
    /// States the initial conditions that are no start values of coordinates.
    pub fn start(&self, c: &mut Contribution<'_>, [road, wheel]: [FrameEnd; 2]) {
        let fixed = |all: &[StartVariable; 3]| all.iter().filter(|v| v.start.fixed).count();
        let oriented = fixed(&self.angles) == 3;
        // Of two triples of angles for one orientation, that near the start value of the first one.
        let first = self.angles[0].slot;
        for k in (0..3).filter(|&k| self.angles[k].start.fixed && !oriented) {
            let slot = self.angles[k].slot;
            let residual = move |at: &Situation<'_>| {
                let t = at.poses[1].t * at.poses[0].t.transpose();
                let angles = axes_rotations_angles(&t, Sequence::ZYX, first);
                vec![nearest_turn(angles[k] - slot, 2.0 * PI, Ex::zero())]
            };
            let holds = Holds::StartPosition { residual: Rc::new(residual), unit: "rad" };
            c.constraint(&[road, wheel], &[], None, holds);
        }
        let moving = oriented && fixed(&self.der_angles) == 3;
        for k in (0..3).filter(|&k| self.der_angles[k].start.fixed && !moving) {
            let slot = self.der_angles[k].slot;
            let residual = move |poses: &[Pose], velocities: &[Twist]| {
                let t = poses[1].t * poses[0].t.transpose();
                let angles = axes_rotations_angles(&t, Sequence::ZYX, first);
                let w = velocities[1].w - t * velocities[0].w;
                vec![angle_rates(Sequence::ZYX, &angles, &w)[k] - slot]
            };
            c.constraint(&[road, wheel], &[], None, Holds::StartSpeed(Rc::new(residual)));
        }
    }

    /// Publishes the angles and their derivatives.
    pub fn publish(self, e: &mut VelocityView<'_>) -> Result<(), Error> {
        let mut read = |level: usize| -> Result<[Ex; 3], Error> {
            let [heading, lean, roll] = NAMES.map(|names| names[level]);
            Ok([e.read_own(heading)?, e.read_own(lean)?, e.read_own(roll)?])
        };
        let (turned, rates) = (WheelTurn::new(read(0)?), read(1)?);
        let start = Followed {
            angles: turned.nearest(&self.angles.each_ref().map(|angle| angle.slot)),
            turned: turned.coordinates(),
        };
        // In a loop the coordinates may be measured, in any turn: then a long step is divided.
        let is_state = |q: Ex| matches!(q.as_leaf(), Some(Leaf::State(_)));
        let continuous = is_state(turned.heading) && is_state(turned.roll);
        let (name, mut found, mut last_sign) = (e.full("angles"), start.angles, Ex::zero());
        let solve = |anchor: &Anchor| {
            let last = Followed::of(&anchor.solution);
            found = turned.nearest(&last.expected(&turned, continuous));
            last_sign = anchor.sign;
            let now = Followed { angles: found, turned: turned.coordinates() };
            let near = now.is_near(&last) | anchor.determinant.le(0.0);
            let regular = if continuous { Bool::constant(true) } else { near };
            let slopes = Slopes { determinant: Ex::one(), by_other: Vec::new() };
            ClosedFormBlock { stored: now.stored(), regular, slopes }
        };
        let initial = start.stored();
        let initial = (&initial[..], Ex::one());
        let sign = e.model().closed_form_block(
            (BlockKind::Loop, &name),
            initial.0.len(),
            initial,
            &[],
            solve,
        );
        let unknown = !last_sign.equals(0.0) & sign.equals(0.0);
        let checked = |angle| if continuous { angle } else { select(unknown, 0.0, angle) };
        let angles = found.map(checked);
        let der_angles = turned.rates(&angles, &rates);
        let all = self.angles.iter().zip(angles).chain(self.der_angles.iter().zip(der_angles));
        for (variable, value) in all {
            e.define(variable.local, value);
            let (name, slot) = (&variable.name, variable.slot);
            let declared = match variable.start.fixed {
                true => e.model().exact_from_slot(name, value, slot),
                false => e.model().approx_from_slot(name, value, slot),
            };
            declared.unit(variable.unit);
        }
        Ok(())
    }
}

/// Heading, lean and roll for angles about z, y and x: the heading and the roll nearest to the
/// first and the second angle, and a lean between minus and plus a quarter turn.
fn wheel_angles([psi, beta, gamma]: &[Ex; 3]) -> [Ex; 3] {
    let ((s_b, c_b), (s_c, c_c)) = (beta.sin_cos(), gamma.sin_cos());
    let across = (c_c.square() + (s_c * s_b).square()).sqrt();
    let turned = (-(s_c * s_b)).atan2(c_c);
    let roll = s_b.atan2(c_c * c_b);
    [*psi + turned, (s_c * c_b).atan2(across), nearest_turn(roll, 2.0 * PI, *beta)]
}

/// The derivatives of heading, lean and roll for angles about z, y and x with these derivatives.
fn wheel_rates([_, beta, gamma]: &[Ex; 3], [d_psi, d_beta, d_gamma]: &[Ex; 3]) -> [Ex; 3] {
    let ((s_b, c_b), (s_c, c_c)) = (beta.sin_cos(), gamma.sin_cos());
    let square = c_c.square() + (s_c * s_b).square();
    let (along, across) = (*d_gamma * c_b, *d_beta);
    let roll = (s_c * s_b * along + c_c * across) / square;
    let lean = (c_c * along - s_c * s_b * across) / square.sqrt();
    [*d_psi - s_b * *d_gamma - roll * s_c * c_b, lean, roll]
}

/// Heading, lean and roll.
struct WheelTurn {
    heading: Ex,
    lean: Ex,
    roll: Ex,
    /// The sine of the lean.
    s_lean: Ex,
    /// The cosine of the lean.
    c_lean: Ex,
    /// Cosine and sine of the first angle, measured from the heading, times the cosine of the
    /// second one.
    first: [Ex; 2],
    /// The sine of the second angle.
    s_second: Ex,
    /// Cosine and sine of the last angle, times the cosine of the second one.
    last: [Ex; 2],
}

impl WheelTurn {
    fn new([heading, lean, roll]: [Ex; 3]) -> Self {
        let ((s_lean, c_lean), (s_roll, c_roll)) = (lean.sin_cos(), roll.sin_cos());
        WheelTurn {
            heading,
            lean,
            roll,
            s_lean,
            c_lean,
            first: [c_roll, s_roll * s_lean],
            s_second: s_roll * c_lean,
            last: [c_roll * c_lean, s_lean],
        }
    }

    fn coordinates(&self) -> [Ex; 3] {
        [self.heading, self.lean, self.roll]
    }

    /// The size of the cosine of the second angle, squared.
    fn cosine_square(&self) -> Ex {
        self.first[0].square() + self.first[1].square()
    }

    /// Angles that change continuously with the roll as long as the lean keeps its sign.
    fn continuous(&self) -> [Ex; 3] {
        let [cosine, sine] = self.first;
        let side = select(self.s_lean.lt(0.0), -1.0, 1.0);
        let first = nearest_turn(sine.atan2(cosine), 2.0 * PI, side * self.roll);
        let second = self.s_second.atan2(self.cosine_square().sqrt());
        [self.heading + first, second, self.last[1].atan2(self.last[0])]
    }

    /// Of all angles of this orientation, those nearest to others.
    fn nearest(&self, to: &[Ex; 3]) -> [Ex; 3] {
        let turned = |angles: [Ex; 3]| {
            let mut angles = angles.into_iter().zip(to);
            [(); 3].map(|()| {
                let (angle, &to) = angles.next().expect("three angles");
                nearest_turn(angle, 2.0 * PI, to)
            })
        };
        let [first, second, last] = self.continuous();
        let (one, other) =
            (turned([first, second, last]), turned([first + PI, PI - second, last + PI]));
        let distance = |angles: &[Ex; 3]| -> Ex {
            angles.iter().zip(to).map(|(&angle, &to)| (angle - to).square()).sum()
        };
        let is_one = distance(&one).le(distance(&other));
        // Where the axes are parallel, only the sum or the difference of two angles is determined.
        let sign = select(self.s_second.lt(0.0), -1.0, 1.0);
        let missing = nearest_turn(self.heading - (to[0] - sign * to[2]), 2.0 * PI, Ex::zero());
        let singular = [to[0] + missing * 0.5, to[1], to[2] - sign * missing * 0.5];
        let is_singular = self.cosine_square().lt(PARALLEL * PARALLEL);
        let chosen = |k: usize| select(is_one, one[k], other[k]);
        let any = |k: usize| select(is_singular, singular[k], chosen(k));
        [any(0), chosen(1), any(2)]
    }

    /// The derivatives of these angles, where `rates` are those of heading, lean and roll.
    fn rates(&self, angles: &[Ex; 3], rates: &[Ex; 3]) -> [Ex; 3] {
        let [d_heading, d_lean, d_roll] = *rates;
        let across = d_roll * self.c_lean;
        // Where the axes are parallel, the derivatives are not determined. Those of an upright
        // wheel would consist of rounding errors.
        let least = select(self.s_lean.abs().lt(UPRIGHT), NEARLY_PARALLEL, PARALLEL);
        let square = self.cosine_square().max(least.square());
        let last = (self.first[0] * d_lean + self.first[1] * across) / square;
        let (sine, cosine) = (angles[0] - self.heading).sin_cos();
        let first = d_heading + d_roll * self.s_lean + self.s_second * last;
        [first, cosine * across - sine * d_lean, last]
    }
}

/// Angles at an accepted point, with heading, lean and roll there.
struct Followed {
    angles: [Ex; 3],
    turned: [Ex; 3],
}

impl Followed {
    fn of(stored: &[Ex]) -> Self {
        let three = |from: usize| std::array::from_fn(|k| stored[from + k]);
        Followed { angles: three(0), turned: three(3) }
    }

    fn stored(&self) -> Vec<Ex> {
        [self.angles, self.turned].concat()
    }

    /// Whether the orientation has not turned too far from the last one for its turn to be known.
    fn is_near(&self, last: &Followed) -> Bool {
        let [now, last] = [self, last].map(|at| axes_rotations(Sequence::ZXY, &at.turned));
        ((now * last.transpose()).trace() - 1.0).ge(2.0 * LARGEST_TURN.cos())
    }

    /// Where the angles are expected at another point: those of an upright wheel turn with it, and
    /// others move along the branch on which they are.
    fn expected(&self, now: &WheelTurn, continuous: bool) -> [Ex; 3] {
        if !continuous {
            return self.angles;
        }
        let then = WheelTurn::new(self.turned);
        let turned = now.heading - then.heading;
        let direction = |of: Ex| select((self.angles[0] - of).cos().lt(0.0), -1.0, 1.0);
        let rolled = direction(then.heading) * then.c_lean.sign() * (now.roll - then.roll);
        let (to, from) = (now.continuous(), then.continuous());
        let along = direction(from[0]);
        let moves = [to[0] - from[0], along * (to[1] - from[1]), to[2] - from[2]];
        let upright = now.s_lean.abs().max(then.s_lean.abs()).lt(UPRIGHT);
        let same_side = (now.s_lean * then.s_lean).gt(0.0);
        let otherwise = [turned, Ex::zero(), Ex::zero()];
        let as_upright = [turned, rolled, Ex::zero()];
        std::array::from_fn(|k| {
            let leaning = select(same_side, moves[k], otherwise[k]);
            self.angles[k] + select(upright, as_upright[k], leaning)
        })
    }
}
