//! Forces along the line between the origins of two frames.

use super::node::Nodes;
use crate::compile::evaluation::Evaluation;
use crate::compile::structure::{FrameEnd, HeatEnd, Twist};
use crate::component::Contribution;
use crate::error::Error;
use crate::vector::{Vector, dot, norm, scale, zero};
use equations::{Ex, select};

/// Length below which the direction of a line is no longer a unit vector, in m.
pub(super) const S_SMALL: f64 = 1e-10;

/// The line from `frame_a` to `frame_b`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// From `frame_a` to `frame_b`, in world axes; m.
    pub r_rel_0: Vector,
    /// Its length in m.
    pub length: Ex,
    /// Its length, but not less than `s_small`; m.
    pub s: Ex,
    /// `r_rel_0 / s`: of unit length unless the ends coincide.
    pub e_rel_0: Vector,
    /// Derivative of `s` in m/s.
    pub speed: Ex,
}

impl Line {
    /// Along a vector, given with its derivative, in world axes.
    ///
    /// Nothing is divided by a length below `s_small`, so that values and derivatives are finite
    /// where the ends coincide; there `s` rests.
    pub fn new(r_rel_0: Vector, v_rel_0: &Vector, s_small: Ex) -> Self {
        let length = norm(&r_rel_0);
        let apart = length.gt(s_small);
        let s = select(apart, length, s_small);
        let e_rel_0 = scale(&r_rel_0, 1.0 / s);
        let speed = select(apart, dot(&e_rel_0, v_rel_0), 0.0);
        Line { r_rel_0, length, s, e_rel_0, speed }
    }
}

/// What an element does along a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tension {
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
/// `frame_a.f = -R_a e_rel_0 f`, `frame_b.f = R_b e_rel_0 f`; no torques.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineForce {
    a: FrameEnd,
    b: FrameEnd,
    s_small: Ex,
    heat_port: Option<HeatEnd>,
}

impl LineForce {
    /// Declares frames, heat port and `s_small` in m.
    pub fn new(c: &mut Contribution<'_>, s_small: f64, nodes: &Nodes) -> Result<Self, Error> {
        c.check("s_small", s_small, "m", s_small > 0.0)?;
        let text = "Prevents a division by zero where the frames coincide";
        let s_small = c.parameter("s_small", s_small).unit("m").describe(text).min(0.0).into();
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        nodes.join(c, [a, b])?;
        Ok(LineForce { a, b, s_small, heat_port: c.heat_port("heatPort") })
    }

    /// States the law; the line, the force and its loss become variables.
    pub fn law(
        self,
        c: &mut Contribution<'_>,
        law: impl FnOnce(&mut Evaluation<'_>, &Line) -> Result<Tension, Error> + 'static,
    ) {
        c.law(move |e| {
            let line = self.line(e);
            publish(e, &line);
            let Tension { f, energy, loss_power } = law(e, &line)?;
            self.pull(e, &scale(&line.e_rel_0, f));
            e.add_potential(energy);
            let text = "Line force, positive if it pulls the frames towards each other";
            e.variable("f", f).unit("N").describe(text);
            if let Some(loss) = loss_power {
                e.set_loss(self.heat_port, loss);
            }
            Ok(())
        });
    }

    fn line(&self, e: &Evaluation<'_>) -> Line {
        let [(r_a, v_a), (r_b, v_b)] = [self.a, self.b].map(|end| {
            let pose = e.pose(end);
            (pose.r, pose.t.transpose() * e.velocity(end).v)
        });
        Line::new(r_b - r_a, &(v_b - v_a), self.s_small)
    }

    /// Pulls the frames towards each other; `force` acts in world axes on what is connected at `a`.
    fn pull(&self, e: &mut Evaluation<'_>, force: &Vector) {
        for (end, into) in [(self.a, -force), (self.b, *force)] {
            let v = e.pose(end).t * into;
            e.set_wrench(end, Twist { w: zero(), v });
        }
    }
}

fn publish(e: &mut Evaluation<'_>, line: &Line) {
    let text = "Vector from frame_a to frame_b, resolved in world frame";
    e.vector("r_rel_0", &line.r_rel_0, "m", text);
    let text = "Unit vector from frame_a to frame_b, resolved in world frame";
    e.vector("e_rel_0", &line.e_rel_0, "1", text);
    let text = "Distance between the origins of frame_a and frame_b";
    e.variable("length", line.length).unit("m").describe(text);
    let text = "Distance between the origins of frame_a and frame_b, not less than s_small";
    e.variable("s", line.s).unit("m").describe(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::{constant, identity};
    use equations::{differentiate, substitute};

    #[test]
    fn a_line_without_length_has_finite_derivatives() {
        let r = Vector::from_fn(|_, _| Ex::symbol());
        let v = constant([0.3, -0.2, 0.1]);
        let line = Line::new(r, &v, S_SMALL.into());
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
        let (time, s_small) = (Ex::symbol(), S_SMALL.into());
        let r = constant([0.3, -0.2, 0.1]) + scale(&constant([1.0, 0.5, -2.0]), time);
        let line = Line::new(r, &constant([1.0, 0.5, -2.0]), s_small);
        let slope = differentiate(&[line.s], &[(time, Ex::one())])[0];
        let at = |ex: Ex| substitute(&[ex], &[(time, 0.7.into())])[0].constant_value();
        let (one, other) = (at(slope).expect("a number"), at(line.speed).expect("a number"));
        assert!((one - other).abs() < 1e-15 && one.abs() > 1.0, "{one} {other}");
    }
}
