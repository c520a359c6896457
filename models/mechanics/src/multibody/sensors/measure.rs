//! What sensors measure, and under which names.

use crate::compile::evaluation::Evaluation;
use crate::compile::structure::{FrameEnd, Twist};
use crate::component::Contribution;
use crate::error::Error;
use crate::multibody::resolve::Axes;
use crate::orientation::axes_rotations_angles;
use crate::vector::{Matrix, Vector, cross};

/// How a measured vector is called.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    local: &'static str,
    unit: &'static str,
    describe: &'static str,
}

const fn label(local: &'static str, unit: &'static str, describe: &'static str) -> Label {
    Label { local, unit, describe }
}

const R: Label = label("r", "m", "Absolute position vector");
const V: Label = label("v", "m/s", "Absolute velocity vector");
const A: Label = label("a", "m/s2", "Absolute acceleration vector");
const W: Label = label("w", "rad/s", "Absolute angular velocity vector");
const Z: Label = label("z", "rad/s2", "Absolute angular acceleration vector");
const R_REL: Label = label("r_rel", "m", "Relative position vector");
const V_REL: Label = label("v_rel", "m/s", "Relative velocity vector");
const A_REL: Label = label("a_rel", "m/s2", "Relative acceleration vector");
const W_REL: Label = label("w_rel", "rad/s", "Relative angular velocity vector");
const Z_REL: Label = label("z_rel", "rad/s2", "Relative angular acceleration vector");

/// Publishes a vector that positions and speeds determine.
fn publish(
    c: &mut Contribution<'_>,
    label: Label,
    value: impl FnOnce(&Evaluation<'_>) -> Vector + 'static,
) {
    c.law(move |e| {
        let value = value(e);
        e.vector(label.local, &value, label.unit, label.describe);
        Ok(())
    });
}

/// Publishes a vector that accelerations determine.
fn publish_after(
    c: &mut Contribution<'_>,
    label: Label,
    value: impl FnOnce(&Evaluation<'_>) -> Vector + 'static,
) {
    c.after(move |e| {
        let value = value(e);
        e.vector(label.local, &value, label.unit, label.describe);
        Ok(())
    });
}

/// The motion of a frame, as vectors in chosen axes.
#[derive(Clone, Copy, Debug)]
pub struct Absolute {
    /// The frame.
    pub frame: FrameEnd,
    /// The axes.
    pub axes: Axes,
}

impl Absolute {
    /// Publishes the position `r`.
    pub fn position(self, c: &mut Contribution<'_>) {
        publish(c, R, move |e| Axes::World.resolve_in(self.axes, e, &e.pose(self.frame).r));
    }

    /// Publishes the velocity `v`.
    pub fn velocity(self, c: &mut Contribution<'_>) {
        publish(c, V, move |e| self.resolve(e, &e.velocity(self.frame).v));
    }

    /// Publishes the acceleration `a`.
    pub fn acceleration(self, c: &mut Contribution<'_>) {
        publish_after(c, A, move |e| self.resolve(e, &e.acceleration(self.frame).v));
    }

    /// Publishes the angular velocity `w`.
    pub fn angular_velocity(self, c: &mut Contribution<'_>) {
        publish(c, W, move |e| self.resolve(e, &e.velocity(self.frame).w));
    }

    /// Publishes the angular acceleration `z`.
    pub fn angular_acceleration(self, c: &mut Contribution<'_>) {
        publish_after(c, Z, move |e| self.resolve(e, &e.acceleration(self.frame).w));
    }

    fn resolve(self, e: &Evaluation<'_>, v: &Vector) -> Vector {
        Axes::Frame(self.frame).resolve_in(self.axes, e, v)
    }
}

/// The motion of `b` relative to `a`: coordinates of the vector between them and of the relative
/// angular velocity in the axes `of`, and their derivatives, turned into the axes `shown`.
#[derive(Clone, Copy, Debug)]
pub struct Relative {
    /// Where it is measured from.
    pub a: FrameEnd,
    /// Where it is measured to.
    pub b: FrameEnd,
    /// The axes whose coordinates are differentiated.
    pub of: Axes,
    /// The axes in which derivatives are shown.
    pub shown: Axes,
}

impl Relative {
    /// Publishes the position `r_rel`.
    pub fn position(self, c: &mut Contribution<'_>) {
        publish(c, R_REL, move |e| Axes::World.resolve_in(self.of, e, &self.difference(e)));
    }

    /// Publishes the velocity `v_rel`: the derivative of the coordinates of the position.
    pub fn velocity(self, c: &mut Contribution<'_>) {
        publish(c, V_REL, move |e| {
            let rate = rate(self.of, e, &self.difference(e), &self.velocities(e).v);
            self.of.resolve_in(self.shown, e, &rate)
        });
    }

    /// Publishes the acceleration `a_rel`: the second derivative of the coordinates of the
    /// position.
    pub fn acceleration(self, c: &mut Contribution<'_>) {
        publish_after(c, A_REL, move |e| {
            let (r, v, a) = (self.difference(e), self.velocities(e).v, self.accelerations(e).v);
            self.of.resolve_in(self.shown, e, &second_rate(self.of, e, &r, &v, &a))
        });
    }

    /// Publishes the angular velocity `w_rel`.
    pub fn angular_velocity(self, c: &mut Contribution<'_>) {
        publish(c, W_REL, move |e| Axes::World.resolve_in(self.of, e, &self.velocities(e).w));
    }

    /// Publishes the angular acceleration `z_rel`: the derivative of the coordinates of the angular
    /// velocity.
    pub fn angular_acceleration(self, c: &mut Contribution<'_>) {
        publish_after(c, Z_REL, move |e| {
            let rate = rate(self.of, e, &self.velocities(e).w, &self.accelerations(e).w);
            self.of.resolve_in(self.shown, e, &rate)
        });
    }

    /// From the origin of `a` to that of `b`, in world axes.
    fn difference(self, e: &Evaluation<'_>) -> Vector {
        e.pose(self.b).r - e.pose(self.a).r
    }

    /// Velocities of `b` minus those of `a`, in world axes.
    fn velocities(self, e: &Evaluation<'_>) -> Twist {
        let of = |frame| in_world(e, frame, &e.velocity(frame));
        minus(&of(self.b), &of(self.a))
    }

    /// Accelerations of `b` minus those of `a`, in world axes.
    fn accelerations(self, e: &Evaluation<'_>) -> Twist {
        let of = |frame| in_world(e, frame, &e.acceleration(frame));
        minus(&of(self.b), &of(self.a))
    }
}

fn in_world(e: &Evaluation<'_>, frame: FrameEnd, twist: &Twist) -> Twist {
    let t = e.pose(frame).t.transpose();
    Twist { w: t * twist.w, v: t * twist.v }
}

fn minus(b: &Twist, a: &Twist) -> Twist {
    Twist { w: b.w - a.w, v: b.v - a.v }
}

/// The derivative of the coordinates of a vector: with `x = T v` it is `T der(v) - w x (T v)`.
fn rate(axes: Axes, e: &Evaluation<'_>, v: &Vector, dv: &Vector) -> Vector {
    let Axes::Frame(frame) = axes else { return *dv };
    let (t, w) = (e.pose(frame).t, e.velocity(frame).w);
    t * dv - cross(&w, &(t * v))
}

/// The second derivative of the coordinates of a vector.
fn second_rate(axes: Axes, e: &Evaluation<'_>, v: &Vector, dv: &Vector, ddv: &Vector) -> Vector {
    let Axes::Frame(frame) = axes else { return *ddv };
    let (t, w, z) = (e.pose(frame).t, e.velocity(frame).w, e.acceleration(frame).w);
    t * ddv - cross(&w, &(t * dv)) - cross(&z, &(t * v)) - cross(&w, &rate(axes, e, v, dv))
}

/// How three angles are measured.
#[derive(Clone, Copy, Debug)]
pub struct Angles {
    /// The axes.
    pub sequence: [usize; 3],
    /// Near which value the first angle is, in rad.
    pub guess_angle1: f64,
}

impl Default for Angles {
    fn default() -> Self {
        Angles { sequence: [1, 2, 3], guess_angle1: 0.0 }
    }
}

impl Angles {
    /// Publishes the `angles` of a rotation.
    pub fn publish(
        self,
        c: &mut Contribution<'_>,
        rotation: impl FnOnce(&Evaluation<'_>) -> Matrix + 'static,
    ) -> Result<(), Error> {
        let text = "Axes of the rotations, one after the other";
        let sequence = c.sequence("sequence", self.sequence, text)?;
        let text = "Of the two solutions the one whose first angle is nearer to this is shown";
        let guess = c.value("guessAngle1", self.guess_angle1, "rad", text)?;
        c.law(move |e| {
            let angles = axes_rotations_angles(&rotation(e), sequence, guess);
            e.vector("angles", &Vector::from(angles), "rad", "Angles of the rotation");
            Ok(())
        });
        Ok(())
    }
}
