//! A wheel's contact with the road.

use crate::assembly::element;
use crate::compile::structure::{FrameEnd, Freedom, Holds, Pose, Twist};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use crate::start::{Start, StateSelect, free, guess};
use crate::vector::{Vector, X, Y, Z, constant, cross, dot, scale};
use equations::{Ex, Limits};
use std::rc::Rc;

/// How a wheel that rolls on the road starts.
#[derive(Clone, Debug)]
pub(in crate::multibody) struct Rolling {
    pub radius: f64,
    pub x: Start,
    pub y: Start,
    pub angles: [Start; 3],
    pub der_angles: [Start; 3],
}

impl Rolling {
    /// A wheel of a radius in m; its start values are zero, and initial conditions if `fixed`.
    pub fn new(radius: f64, fixed: bool) -> Self {
        let start = if fixed { crate::start::fixed(0.0) } else { free() };
        Rolling { radius, x: start, y: start, angles: [start; 3], der_angles: [start; 3] }
    }

    /// Adds the joint of a wheel with its centre at `frame`, and the constraints of rolling.
    pub fn join(&self, c: &mut Contribution<'_>, frame: FrameEnd) -> Result<(), Error> {
        let text = "Radius of the wheel";
        let radius: Ex = c.limited("radius", self.radius, "m", text, Limits::POSITIVE)?.into();
        let mut slide = |axis, [q, v]: [&'static str; 2], text, start: Start, select| {
            c.finite(q, start.value, "m")?;
            let position = c.named_candidate(q, "m", text, start);
            let text = "Velocity of the wheel's centre in the world frame";
            let speed = c.named_candidate(v, "m/s", text, Start::default());
            Ok::<_, Error>(c.coordinate(Freedom::Slide, axis, [position, speed], select))
        };
        let above = guess(self.radius);
        let slides = [
            slide(
                X,
                ["x", "der_x"],
                "x-coordinate of the wheel's centre",
                self.x,
                StateSelect::Default,
            )?,
            slide(
                Y,
                ["y", "der_y"],
                "y-coordinate of the wheel's centre",
                self.y,
                StateSelect::Default,
            )?,
            slide(Z, ["z", "der_z"], "Height of the wheel's centre", above, StateSelect::Avoid)?,
        ];
        let mut turn = |k: usize, axis| {
            let (angle, rate) = (element("angles", k + 1), element("der_angles", k + 1));
            c.finite(angle, self.angles[k].value, "rad")?;
            c.finite(rate, self.der_angles[k].value, "rad/s")?;
            let text = "Angle that turns the world frame into frame_a, about z, y, x in this order";
            let position = c.named_candidate(angle, "rad", text, self.angles[k]);
            let text = "Derivative of the angle";
            let speed = c.named_candidate(rate, "rad/s", text, self.der_angles[k]);
            let motion = [position, speed];
            Ok::<_, Error>(c.coordinate(Freedom::Turn, axis, motion, StateSelect::Prefer))
        };
        let turns = [turn(0, Z)?, turn(1, Y)?, turn(2, X)?];
        let road = c.ground(Pose::identity());
        let [x, y, z] = slides;
        c.joint(road, frame, &[x, y, z, turns[0], turns[1], turns[2]]);

        let frames = [road, frame];
        let on_road = c.closure(&frames, &[], move |at| {
            let contact = Contact::new(&at.poses[1], radius);
            vec![at.poses[1].r[2] + contact.delta[2]]
        });
        let slip = move |poses: &[Pose], velocities: &[Twist]| {
            let contact = Contact::new(&poses[1], radius);
            contact.slip(&poses[1], &velocities[1]).to_vec()
        };
        let rolls = c.constraint(&frames, &[], None, Holds::Rolling(Rc::new(slip)));
        let forces = [c.multiplier(on_road, 0), c.multiplier(rolls, 0), c.multiplier(rolls, 1)];
        c.law(move |e| {
            let pose = e.pose(frame);
            let r_road = pose.r + Contact::new(&pose, radius).delta;
            let text = "Position vector from world frame to the point of contact, in world axes";
            e.vector("r_road_0", &r_road, "m", text);
            Ok(())
        });
        c.after(move |e| {
            let Contact { e_long, e_lat, .. } = Contact::new(&e.pose(frame), radius);
            let [f_n, f_long, f_lat] = forces.map(|force| e.multiplier(force));
            let text = "Force of the road on the wheel along the normal, the track, across it";
            for (name, force) in [("f_n", f_n), ("f_long", f_long), ("f_lat", f_lat)] {
                e.variable(name, force).unit("N").describe(text);
            }
            let f_wheel = scale(&constant(Z), f_n) + scale(&e_long, f_long) + scale(&e_lat, f_lat);
            e.vector("f_wheel_0", &f_wheel, "N", "Force of the road on the wheel, in world axes");
            Ok(())
        });
        Ok(())
    }
}

/// Where a wheel touches the plane z = 0, in world axes.
struct Contact {
    /// From the wheel's centre to the point of contact.
    delta: Vector,
    /// Along the wheel's track.
    e_long: Vector,
    /// Across it, in the plane.
    e_lat: Vector,
}

impl Contact {
    /// Of a wheel that turns about the y-axis of a frame.
    fn new(frame: &Pose, radius: Ex) -> Self {
        let e_axis = frame.t.transpose() * constant(Y);
        let inclined = (e_axis[0].square() + e_axis[1].square()).sqrt();
        let e_long = Vector::new(-e_axis[1] / inclined, e_axis[0] / inclined, Ex::zero());
        let delta = cross(&e_long, &e_axis) * radius;
        Contact { delta, e_long, e_lat: cross(&e_long, &constant(Z)) }
    }

    /// The velocity of the wheel's lowest point, along the track and across it.
    fn slip(&self, frame: &Pose, velocity: &Twist) -> [Ex; 2] {
        let out = frame.t.transpose();
        let v = out * velocity.v + cross(&(out * velocity.w), &self.delta);
        [dot(&v, &self.e_long), dot(&v, &self.e_lat)]
    }
}

/// A wheel rolls without slip on the plane z = 0 of the world: a joint without mass.
///
/// # Equations
/// `frame_a` lies in the wheel's centre with its y-axis along the wheel's axle:
/// `frame_a.r_0 = {x, y, z}`; `angles` about z, y and x turn the world frame into it. The wheel's
/// lowest point, at `delta` from its centre, is in the plane, and its velocity
/// `v_0 + w_0 x delta` has no component along the wheel's track or across it. The road acts with a
/// force there.
///
/// # Variables
/// `radius` in m; `x`, `y`, `z` in m, `der_x`, `der_y`, `der_z` in m/s, `angles` in rad,
/// `der_angles` in rad/s; `r_road_0`, the point of contact, in m; the force of the road in N: `f_n`
/// along the normal, `f_long` along the track, to the left of the axle's direction, `f_lat` across
/// it, and as a vector `f_wheel_0`. A wheel that lies flat is singular.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.RollingWheel.
#[derive(Clone, Debug)]
pub struct RollingWheelJoint {
    rolling: Rolling,
}

ports! {
    /// Ports and variables of a [`RollingWheelJoint`].
    pub struct RollingWheelJointPorts {
        /// Frame in the wheel's centre; its y-axis is the axle.
        frame_a: frame,
        /// Position of the centre in m.
        x: quantity,
        /// Position of the centre in m.
        y: quantity,
        /// Height of the centre in m.
        z: quantity,
        /// Angles about z, y and x in rad.
        angles: vector,
        /// Their derivatives in rad/s.
        der_angles: vector,
        /// Force of the road along the normal in N.
        f_n: quantity,
        /// Force of the road along the track in N.
        f_long: quantity,
        /// Force of the road across the track in N.
        f_lat: quantity,
    }
}

impl RollingWheelJoint {
    /// Of a radius in m.
    pub fn radius(radius: f64) -> Self {
        RollingWheelJoint { rolling: Rolling::new(radius, false) }
    }
}

/// The methods that set how a wheel starts, kept in the field `rolling`.
macro_rules! rolling_setters {
    ($Component:ident) => {
        impl $Component {
            /// Start value of the centre's x-coordinate in m.
            #[must_use]
            pub fn x(mut self, x: crate::start::Start) -> Self {
                self.rolling.x = x;
                self
            }

            /// Start value of the centre's y-coordinate in m.
            #[must_use]
            pub fn y(mut self, y: crate::start::Start) -> Self {
                self.rolling.y = y;
                self
            }

            /// Start values of the angles about z, y and x in rad.
            #[must_use]
            pub fn angles(mut self, angles: [crate::start::Start; 3]) -> Self {
                self.rolling.angles = angles;
                self
            }

            /// Start values of their derivatives in rad/s.
            #[must_use]
            pub fn der_angles(mut self, der_angles: [crate::start::Start; 3]) -> Self {
                self.rolling.der_angles = der_angles;
                self
            }
        }
    };
}
pub(in crate::multibody) use rolling_setters;

rolling_setters!(RollingWheelJoint);

impl OldComponent for RollingWheelJoint {
    type Ports = RollingWheelJointPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_a");
        self.rolling.join(c, frame)
    }
}
