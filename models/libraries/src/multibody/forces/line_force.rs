//! Forces along the line between the origins of two frames.

use super::node;
use crate::multibody::joints::mass_on_line;
use equations::select;
use mechanics::component::Starts;
use mechanics::declaration::{Pending, group, prelude::*};
use mechanics::domain::{TRANSLATIONAL, Word, word};
use mechanics::statements::contributions::multibody::CoordinateType;
use mechanics::statements::contributions::start_variable::StartVariable;
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::motion::ends::{FrameEnd, HeatEnd};
use mechanics::statements::spatial::pose::{Pose, Twist};
use mechanics::statements::spatial::wrench::Wrench;
use mechanics::vector::{Matrix, Vector, cross, dot, norm, scale, zero};

group! {
    /// The line from `frame_a` to `frame_b`.
    pub struct LineEnds(line_ends) {
        /// Small distance that prevents a division by zero where the frames coincide
        s_small: Real["m", > 0, fixed] = 1e-10,
        /// Guess of the position of frame_a for the case that no part is connected to it; the frame
        /// then has the axes of the world, and the balance of forces determines its position
        fixed_rotation_at_frame_a "fixedRotationAtFrame_a"?: [Real; 3]["m", structural],
        /// Guess of the position of frame_b for the case that no part is connected to it; the frame
        /// then has the axes of the world, and the balance of forces determines its position
        fixed_rotation_at_frame_b "fixedRotationAtFrame_b"?: [Real; 3]["m", structural],
    }
    ports {
        /// Frame on the first side
        frame_a: Frame,
        /// Frame on the second side
        frame_b: Frame,
    }
    variables {
        /// Vector from frame_a to frame_b, resolved in world frame
        r_rel_0: Vector["m"],
        /// Unit vector from frame_a to frame_b, resolved in world frame
        e_rel_0: Vector["1"],
        /// Distance between the origins of frame_a and frame_b
        length: Real["m"],
        /// Distance between the origins of frame_a and frame_b, not less than s_small
        s: Real["m"],
        /// Absolute velocity of frame_a with fixedRotationAtFrame_a, resolved in world frame
        v_a "frame_a.v_0"?: Vector["m/s"],
        /// Absolute velocity of frame_b with fixedRotationAtFrame_b, resolved in world frame
        v_b "frame_b.v_0"?: Vector["m/s"],
    }
}

static DISTANCE: Word = word("distance", "m");
static SPEED: Word = word("der_distance", "m/s");
static ACCELERATION: Word = word("der2_distance", "m/s2");

/// The line from `frame_a` to `frame_b`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Vector in m from `frame_a` to `frame_b`, in world axes.
    pub r_rel_0: Vector,
    /// Its length in m.
    pub length: Ex,
    /// Its length in m, but not less than `s_small`.
    pub s: Ex,
    /// `r_rel_0 / s`, which has length 1 unless the ends coincide.
    pub e_rel_0: Vector,
    /// Derivative of `s` in m/s.
    pub speed: Ex,
}

impl Line {
    /// The line along a vector, which is given with its derivative in world axes.
    ///
    /// No division by a length below `s_small` occurs, so that values and derivatives are finite
    /// where the ends coincide; there `s` is constant.
    pub fn new(r_rel_0: Vector, v_rel_0: &Vector, s_small: Ex) -> Self {
        let length = norm(&r_rel_0);
        let apart = length.gt(s_small);
        let s = select(apart, length, s_small);
        let e_rel_0 = scale(&r_rel_0, 1.0 / s);
        let speed = select(apart, dot(&e_rel_0, v_rel_0), 0.0);
        Line { r_rel_0, length, s, e_rel_0, speed }
    }
}

/// The effects of an element along a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tension {
    /// Force in N; positive pulls the frames towards each other.
    pub f: Ex,
    /// Energy stored in the element, in J.
    pub energy: Ex,
    /// Power lost in the element, in W; `None` if it cannot lose any.
    pub loss_power: Option<Ex>,
}

/// A massless element between two frames, with a force along their line.
///
/// # Equations
/// `frame_a.f = -R_a e_rel_0 f` and `frame_b.f = R_b e_rel_0 f`; there are no torques.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineForce {
    a: FrameEnd,
    b: FrameEnd,
    s_small: Ex,
    heat_port: Option<HeatEnd>,
}

impl LineForce {
    /// An element between `frame_a` and `frame_b`; `s_small` in m.
    pub fn between(c: &mut Contribution<'_>, s_small: Ex) -> Self {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        LineForce { a, b, s_small, heat_port: c.heat_port("heatPort") }
    }

    /// Does the same as [`LineForce::between`] for ends that may be nodes.
    pub fn new(c: &mut Contribution<'_>, line: LineEnds) -> Self {
        let force = LineForce::between(c, line.s_small);
        if let Some(r_0) = line.fixed_rotation_at_frame_a {
            node::join(c, "frame_a", force.a, r_0);
        }
        if let Some(r_0) = line.fixed_rotation_at_frame_b {
            node::join(c, "frame_b", force.b, r_0);
        }
        force
    }

    /// States the law; the line, the force and its loss become variables.
    pub fn law(
        self,
        c: &mut Contribution<'_>,
        law: impl FnOnce(&mut SignalView<'_>, &Line) -> Tension + 'static,
    ) {
        c.law(move |e| {
            let line = self.line(e);
            publish(e, &line);
            let Tension { f, energy, loss_power } = law(e, &line);
            self.pull(e, &scale(&line.e_rel_0, f));
            e.add_potential(energy);
            e.variable("f", f);
            if let Some(loss) = loss_power {
                e.set_loss(self.heat_port, loss);
            }
            Ok(())
        });
    }

    /// A point mass on the line, at `fraction` of the distance from `frame_a` to `frame_b`;
    /// `fraction` is a constant if there is no mass.
    pub fn mass(
        &self,
        c: &mut Contribution<'_>,
        mass: Ex,
        fraction: Pending<Real>,
    ) -> Result<(), Error> {
        if mass.is_constant_zero() {
            return fraction.constant(c);
        }
        let fraction = fraction.declare(c)?;
        mass_on_line(c, [self.a, self.b], mass, fraction);
        Ok(())
    }

    /// A point mass on the line at a distance in m from `frame_a`, or from `frame_b` if `far`.
    pub fn mass_at(&self, c: &mut Contribution<'_>, mass: Ex, distance: Ex, far: bool) {
        if mass.is_constant_zero() {
            return;
        }
        let frame = c.hidden_frame(if far { "mass at the far end" } else { "mass at the end" });
        let ends = if far { [self.b, self.a] } else { [self.a, self.b] };
        let s_small = self.s_small;
        let line = move |a: &Pose, b: &Pose, v: &Vector| Line::new(a.t * (b.r - a.r), v, s_small);
        let pose = move |a: &Pose, b: &Pose| {
            let e = line(a, b, &zero()).e_rel_0;
            Pose { r: a.r + a.t.transpose() * scale(&e, distance), t: a.t }
        };
        c.derived(ends, frame, pose, move |[a, b], [va, vb]| {
            let r = a.t * (b.r - a.r);
            let v = a.t * (b.t.transpose() * vb.v) - va.v - cross(&va.w, &r);
            let line = line(a, b, &v);
            let turn = scale(&(v - scale(&line.e_rel_0, line.speed)), 1.0 / line.s);
            let arm = scale(&line.e_rel_0, distance);
            Twist { w: va.w, v: va.v + cross(&va.w, &arm) + scale(&turn, distance) }
        });
        c.body(frame, mass, zero(), Matrix::zeros());
    }

    /// The flanges between which an element of 1-D mechanics acts along the line: `flange_a` rests
    /// at zero, and the position of `flange_b` is the length. If only one is connected, its force
    /// is that of the line.
    pub fn flanges(&self, c: &mut Contribution<'_>) {
        let ends = [self.a, self.b];
        let at = |c: &mut Contribution<'_>, port| {
            c.is_connected(port).then(|| c.flange(&TRANSLATIONAL, port))
        };
        let flange_a = at(c, "flange_a");
        let housing = flange_a.map(|end| (end, c.linear(&[(end, Ex::one())], Ex::zero())));
        let flange_b = at(c, "flange_b");
        if let Some((_, rest)) = housing {
            let shares = if flange_b.is_some() { [1.0, 0.0] } else { [1.0, -1.0] };
            c.line_reaction(rest, ends, shares, self.s_small);
        }
        let Some(flange_b) = flange_b else { return };
        let distance = c.start_variables([&DISTANCE, &SPEED, &ACCELERATION], Starts::default());
        let distance = distance.map(|c| StartVariable { published: false, ..c });
        let coordinate = c.coordinate(CoordinateType::Auxiliary, X, distance, StateSelect::Avoid);
        let s_small = self.s_small;
        c.measure(&ends, coordinate, move |at| {
            let length = norm(&(at[1].r - at[0].r));
            select(length.gt(s_small), length, s_small)
        });
        match housing {
            Some((flange_a, _)) => c.coordinate_between(flange_a, flange_b, coordinate),
            None => c.axis_flange(flange_b, coordinate, Ex::zero()),
        };
    }

    /// Publishes the line.
    pub fn publish(self, c: &mut Contribution<'_>) {
        c.law(move |e| {
            let line = self.line(e);
            publish(e, &line);
            Ok(())
        });
    }

    fn line(&self, e: &SignalView<'_>) -> Line {
        let [(r_a, v_a), (r_b, v_b)] = [self.a, self.b].map(|end| {
            let pose = e.pose(end);
            (pose.r, pose.t.transpose() * e.velocity(end).v)
        });
        Line::new(r_b - r_a, &(v_b - v_a), self.s_small)
    }

    /// Pulls the frames towards each other; in world axes, `force` acts on the parts that are
    /// connected to `a`.
    fn pull(&self, e: &mut SignalView<'_>, force: &Vector) {
        for (end, into) in [(self.a, -force), (self.b, *force)] {
            let force = e.pose(end).t * into;
            e.set_wrench(end, Wrench::of_force(force));
        }
    }
}

fn publish(e: &mut SignalView<'_>, line: &Line) {
    e.publish("r_rel_0", &line.r_rel_0);
    e.publish("e_rel_0", &line.e_rel_0);
    e.variable("length", line.length);
    e.variable("s", line.s);
}

#[cfg(test)]
mod tests {
    use super::*;
    use equations::{differentiate, substitute};
    use mechanics::vector::{constant, identity};

    #[test]
    fn a_line_without_length_has_finite_derivatives() {
        let r = Vector::from_fn(|_, _| Ex::symbol());
        let v = constant([0.3, -0.2, 0.1]);
        let line = Line::new(r, &v, 1e-10.into());
        let mut values = vec![line.length, line.s, line.speed];
        values.extend(line.e_rel_0.iter());
        for direction in identity().column_iter() {
            let seeds: Vec<(Ex, Ex)> = r.iter().copied().zip(direction.iter().copied()).collect();
            let slopes = differentiate(&values, &seeds);
            let origin: Vec<(Ex, Ex)> = r.iter().map(|&x| (x, Ex::zero())).collect();
            for all in [&values, &slopes] {
                for ex in substitute(all, &origin) {
                    let number = ex.constant_value().expect("a number");
                    assert!(number.is_finite(), "{number}");
                }
            }
        }
    }

    #[test]
    fn the_speed_is_the_derivative_of_the_length() {
        let (time, s_small) = (Ex::symbol(), 1e-10.into());
        let r = constant([0.3, -0.2, 0.1]) + scale(&constant([1.0, 0.5, -2.0]), time);
        let line = Line::new(r, &constant([1.0, 0.5, -2.0]), s_small);
        let slope = differentiate(&[line.s], &[(time, Ex::one())])[0];
        let at = |ex: Ex| substitute(&[ex], &[(time, 0.7.into())])[0].constant_value();
        let (one, other) = (at(slope).expect("a number"), at(line.speed).expect("a number"));
        assert!((one - other).abs() < 1e-15 && one.abs() > 1.0, "{one} {other}");
    }
}
