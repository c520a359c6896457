//! Shared parts of sensors: ports and parameters, and the quantities that they measure and publish.

use crate::multibody::resolve::{Axes, ResolveInFrameA, ResolveInFrameAB};
use mechanics::declaration::{group, prelude::*};
use mechanics::orientation::axes_rotations_angles;
use mechanics::statements::laws::acceleration_view::AccelerationView;
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::statements::spatial::pose::{Acceleration, Twist};
use mechanics::vector::{Matrix, Vector, cross};

group! {
    /// Measurements of the motion of a frame.
    pub struct OfFrame(of_frame) {
        /// Axes in which vectors are resolved
        resolve_in_frame "resolveInFrame": ResolveInFrameA = ResolveInFrameA::FrameA,
    }
    ports {
        /// Measured frame
        frame_a: Frame,
        /// Frame in which vectors are resolved; used only with FrameResolve
        frame_resolve: Frame,
    }
}

group! {
    /// Measurements of the motion of a frame relative to another one.
    pub struct BetweenFrames(between_frames) {
        /// Axes in which vectors are resolved
        resolve_in_frame "resolveInFrame": ResolveInFrameAB = ResolveInFrameAB::FrameA,
    }
    ports {
        /// Frame of reference
        frame_a: Frame,
        /// Measured frame
        frame_b: Frame,
        /// Frame in which vectors are resolved; used only with FrameResolve
        frame_resolve: Frame,
    }
}

group! {
    /// Three angles of a rotation.
    pub struct Angles(angles) {
        /// Axes of the successive rotations
        sequence: [usize; 3]["1"] = [1, 2, 3],
        /// Guess of the first angle; of two solutions, the nearer one is used
        guess_angle1 "guessAngle1": Real["rad"] = 0,
    }
    variables {
        /// Angles of the rotation
        angles: Vector["rad"],
    }
}

/// Publishes a vector that depends on positions and speeds.
fn publish(
    c: &mut Contribution<'_>,
    local: &'static str,
    value: impl FnOnce(&SignalView<'_>) -> Vector + 'static,
) {
    c.law(move |e| {
        let value = value(e);
        e.publish(local, &value);
        Ok(())
    });
}

/// Publishes a vector that depends on accelerations.
fn publish_after(
    c: &mut Contribution<'_>,
    local: &'static str,
    value: impl FnOnce(&AccelerationView<'_>) -> Vector + 'static,
) {
    c.after(move |e| {
        let value = value(e);
        e.publish(local, &value);
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
    /// The motion of `frame_a`.
    pub fn new(c: &mut Contribution<'_>, resolve: ResolveInFrameA) -> Result<Self, Error> {
        let frame = c.frame("frame_a");
        Ok(Absolute { frame, axes: Axes::new(c, resolve)? })
    }

    /// Publishes the position `r`.
    pub fn position(self, c: &mut Contribution<'_>) {
        publish(c, "r", move |e| Axes::World.resolve_in(self.axes, e, &e.pose(self.frame).r));
    }

    /// Publishes the velocity `v`.
    pub fn velocity(self, c: &mut Contribution<'_>) {
        publish(c, "v", move |e| self.resolve(e, &e.velocity(self.frame).v));
    }

    /// Publishes the acceleration `a`.
    pub fn acceleration(self, c: &mut Contribution<'_>) {
        publish_after(c, "a", move |e| self.resolve(e, &e.acceleration(self.frame).a));
    }

    /// Publishes the angular velocity `w`.
    pub fn angular_velocity(self, c: &mut Contribution<'_>) {
        publish(c, "w", move |e| self.resolve(e, &e.velocity(self.frame).w));
    }

    /// Publishes the angular acceleration `z`.
    pub fn angular_acceleration(self, c: &mut Contribution<'_>) {
        publish_after(c, "z", move |e| self.resolve(e, &e.acceleration(self.frame).z));
    }

    fn resolve(self, e: &SignalView<'_>, v: &Vector) -> Vector {
        Axes::Frame(self.frame).resolve_in(self.axes, e, v)
    }
}

/// The motion of `b` relative to `a`. The vector between them and the relative angular velocity are
/// resolved in the axes `of` and differentiated; the results are then resolved in the axes `shown`.
#[derive(Clone, Copy, Debug)]
pub struct RelativeMeasurement {
    /// The frame of reference.
    pub a: FrameEnd,
    /// The measured frame.
    pub b: FrameEnd,
    /// The axes whose coordinates are differentiated.
    pub of: Axes,
    /// The axes in which derivatives are resolved.
    pub shown: Axes,
}

impl RelativeMeasurement {
    /// The motion of `frame_b` relative to `frame_a`.
    pub fn new(
        c: &mut Contribution<'_>,
        [of, shown]: [ResolveInFrameAB; 2],
    ) -> Result<Self, Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let [of, shown] = Axes::several(c, [of, shown])?;
        Ok(RelativeMeasurement { a, b, of, shown })
    }

    /// Publishes the position `r_rel`.
    pub fn position(self, c: &mut Contribution<'_>) {
        publish(c, "r_rel", move |e| Axes::World.resolve_in(self.of, e, &self.difference(e)));
    }

    /// Publishes the velocity `v_rel`: the derivative of the coordinates of the position.
    pub fn velocity(self, c: &mut Contribution<'_>) {
        publish(c, "v_rel", move |e| {
            let rate = rate(self.of, e, &self.difference(e), &self.velocities(e).v);
            self.of.resolve_in(self.shown, e, &rate)
        });
    }

    /// Publishes the acceleration `a_rel`: the second derivative of the coordinates of the
    /// position.
    pub fn acceleration(self, c: &mut Contribution<'_>) {
        publish_after(c, "a_rel", move |e| {
            let (r, v, a) = (self.difference(e), self.velocities(e).v, self.accelerations(e).a);
            self.of.resolve_in(self.shown, e, &second_rate(self.of, e, &r, &v, &a))
        });
    }

    /// Publishes the angular velocity `w_rel`.
    pub fn angular_velocity(self, c: &mut Contribution<'_>) {
        publish(c, "w_rel", move |e| Axes::World.resolve_in(self.of, e, &self.velocities(e).w));
    }

    /// Publishes the angular acceleration `z_rel`: the derivative of the coordinates of the angular
    /// velocity.
    pub fn angular_acceleration(self, c: &mut Contribution<'_>) {
        publish_after(c, "z_rel", move |e| {
            let rate = rate(self.of, e, &self.velocities(e).w, &self.accelerations(e).z);
            self.of.resolve_in(self.shown, e, &rate)
        });
    }

    /// The vector from the origin of `a` to that of `b`, in world axes.
    fn difference(self, e: &SignalView<'_>) -> Vector {
        e.pose(self.b).r - e.pose(self.a).r
    }

    /// The velocities of `b` minus those of `a`, in world axes.
    fn velocities(self, e: &SignalView<'_>) -> Twist {
        let of = |frame| e.velocity(frame).resolved(&e.pose(frame).t.transpose());
        of(self.b) - of(self.a)
    }

    /// The accelerations of `b` minus those of `a`, in world axes.
    fn accelerations(self, e: &AccelerationView<'_>) -> Acceleration {
        let of = |frame| e.acceleration(frame).resolved(&e.pose(frame).t.transpose());
        of(self.b) - of(self.a)
    }
}

/// The derivative of the coordinates of a vector: for `x = T v` it is `T der(v) - w x (T v)`.
fn rate(axes: Axes, e: &SignalView<'_>, v: &Vector, dv: &Vector) -> Vector {
    let Axes::Frame(frame) = axes else { return *dv };
    let (t, w) = (e.pose(frame).t, e.velocity(frame).w);
    t * dv - cross(&w, &(t * v))
}

/// The second derivative of the coordinates of a vector.
fn second_rate(
    axes: Axes,
    e: &AccelerationView<'_>,
    v: &Vector,
    dv: &Vector,
    ddv: &Vector,
) -> Vector {
    let Axes::Frame(frame) = axes else { return *ddv };
    let (t, w, z) = (e.pose(frame).t, e.velocity(frame).w, e.acceleration(frame).z);
    t * ddv - cross(&w, &(t * dv)) - cross(&z, &(t * v)) - cross(&w, &rate(axes, e, v, dv))
}

impl Angles {
    /// Publishes the `angles` of a rotation.
    pub fn publish(
        self,
        c: &mut Contribution<'_>,
        rotation: impl FnOnce(&SignalView<'_>) -> Matrix + 'static,
    ) {
        publish(c, "angles", move |e| {
            axes_rotations_angles(&rotation(e), self.sequence, self.guess_angle1).into()
        });
    }
}

group! {
    /// The load in a rigid connection of two frames.
    pub struct CutSensor(cut_sensor) {
        /// Axes in which vectors are resolved
        resolve_in_frame "resolveInFrame": ResolveInFrameA = ResolveInFrameA::FrameA,
        /// True for the load on the sensor at frame_a, false for the opposite
        positive_sign "positiveSign": bool[constant] = true,
    }
    ports {
        /// Frame on the first side
        frame_a: Frame,
        /// Frame on the second side
        frame_b: Frame,
        /// Frame in which vectors are resolved; used only with FrameResolve
        frame_resolve: Frame,
    }
}

impl CutSensor {
    /// Joins `frame_a` and `frame_b` and publishes the load on the sensor at `frame_a`. The names
    /// are those of the force and of the torque, if they are published.
    pub fn measure(
        self,
        c: &mut Contribution<'_>,
        shown: [Option<&'static str>; 2],
    ) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let axes = Axes::new(c, self.resolve_in_frame)?;
        let cut = c.cut(a, b);
        c.after(move |e| {
            let load = e.cut_load(&cut);
            for (name, v) in shown.into_iter().zip([load.force, load.torque]) {
                let v = Axes::Frame(a).resolve_in(axes, e, &v);
                if let Some(name) = name {
                    e.publish(name, &if self.positive_sign { v } else { -v });
                }
            }
            Ok(())
        });
        Ok(())
    }
}
