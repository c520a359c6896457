//! The contact of two wheels on one axle with the road.

use super::rolling_wheel::BREADTH;
use super::turn;
use mechanics::component::CoordinateId;
use mechanics::declaration::{group, prelude::*};
use mechanics::domain::ROTATIONAL;
use mechanics::scene::{ROD_COLOR, Shape, joint_width};
use mechanics::statements::contributions::constraints::Holds;
use mechanics::statements::contributions::multibody::CoordinateType;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::statements::spatial::pose::{Pose, Twist};
use mechanics::vector::{Vector, constant, cross, dot, identity, scale};
use std::rc::Rc;

component! {
    /// Massless joint of two wheels on one axle that roll without slip on the plane z = 0 of the
    /// world.
    ///
    /// It carries an axle of a cart whose bodies are parts of their own.
    ///
    /// # Equations
    /// The position of `frameMiddle` is `{x, y, radius}`, and it is rotated by `phi` about the
    /// vertical. Wheel 1 at `{0, track/2, 0}` and wheel 2 at `{0, -track/2, 0}` of this frame are
    /// rotated by `theta1` and `theta2` about the axle (y). The lowest points of both wheels have
    /// no velocity along their tracks, and that of wheel 1 has none along the axle. The flanges
    /// `axis1` and `axis2` rotate with the wheels. The torque of `support` acts on `frameMiddle`
    /// about the axle, where the constraint of the axle balances it.
    pub struct RollingWheelSetJoint = "Modelica.Mechanics.MultiBody.Joints.RollingWheelSet" {
        /// Radius of one wheel
        radius: Real["m", > 0, fixed],
        /// Distance between the two wheels
        track: Real["m", > 0, fixed],
        /// Start value of the x-coordinate of the middle
        x: Start["m"] = free(),
        /// Start value of the y-coordinate of the middle
        y: Start["m"] = free(),
        /// Start value of the angle of the axle about the vertical
        phi: Start["rad"] = free(),
        /// Start value of the angle of wheel 1
        theta1: Start["rad"] = free(),
        /// Start value of the angle of wheel 2
        theta2: Start["rad"] = free(),
        /// Start value of the derivative of theta1
        der_theta1: Start["rad/s"] = free(),
        /// Start value of the derivative of theta2
        der_theta2: Start["rad/s"] = free(),
        ..rolling_set,
    }
}

impl Component for RollingWheelSetJoint {
    fn contribute(
        p: RollingWheelSetJointParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        let (theta, der_theta) = ([p.theta1, p.theta2], [p.der_theta1, p.der_theta2]);
        let (radius, track) = (p.radius, p.track);
        RollingSet { radius, track, x: p.x, y: p.y, phi: p.phi, theta, der_theta }.join(c);
        Ok(())
    }
}

group! {
    /// Two wheels on one axle that roll on the road.
    pub struct RollingSets(rolling_set) {}
    ports {
        /// Frame in the middle of the axle: y along the axle, z upwards
        frame_middle "frameMiddle": Frame,
        /// Frame on wheel 1, on the left
        frame1: Frame,
        /// Frame on wheel 2, on the right
        frame2: Frame,
        /// Flange that rotates with wheel 1
        axis1: Flange,
        /// Flange that rotates with wheel 2
        axis2: Flange,
        /// Housing of the drives of the wheels
        support: Flange,
    }
    variables {
        /// x-coordinate of the middle between the wheels
        x: Real["m"],
        /// y-coordinate of the middle between the wheels
        y: Real["m"],
        /// Angle of the axle about the vertical
        phi: Real["rad"],
        /// Angle of wheel 1
        theta1: Real["rad"],
        /// Angle of wheel 2
        theta2: Real["rad"],
        /// Derivative of x
        der_x: Real["m/s"],
        /// Derivative of y
        der_y: Real["m/s"],
        /// Derivative of phi
        der_phi: Real["rad/s"],
        /// Derivative of theta1
        der_theta1: Real["rad/s"],
        /// Derivative of theta2
        der_theta2: Real["rad/s"],
        /// Second derivative of theta1
        der2_theta1: Real["rad/s2"],
        /// Second derivative of theta2
        der2_theta2: Real["rad/s2"],
        /// Force of the road on wheel 1 along the tracks, towards -x of frameMiddle
        rolling1_f_long "rolling1.f_long": Real["N"],
        /// Force of the road on wheel 2 along the tracks, towards -x of frameMiddle
        rolling2_f_long "rolling2.f_long": Real["N"],
        /// Force of the road on wheel 1 along the axle
        rolling1_f_lat "rolling1.f_lat": Real["N"],
    }
}

/// Dimensions and start values of the wheels of an axle.
#[derive(Clone, Debug)]
pub(in crate::multibody) struct RollingSet {
    /// Radius of the wheels in m.
    pub radius: Ex,
    /// Distance of the wheels in m.
    pub track: Ex,
    /// Coordinate of the middle in m.
    pub x: Start,
    /// Coordinate of the middle in m.
    pub y: Start,
    /// Angle of the axle in rad.
    pub phi: Start,
    /// Angles of the wheels in rad.
    pub theta: [Start; 2],
    /// Angular velocities of the wheels in rad/s.
    pub der_theta: [Start; 2],
}

impl RollingSet {
    /// Adds the joints of the axle and the constraints of rolling; returns the frames of the
    /// wheels.
    pub fn join(&self, c: &mut Contribution<'_>) -> [FrameEnd; 2] {
        let (radius, track) = (self.radius, self.track);
        let middle = c.frame("frameMiddle");
        let wheels = [c.frame("frame1"), c.frame("frame2")];
        let road = c.ground(Pose { r: scale(&constant(Z), radius), t: identity() });
        let guide = self.guide(c);
        c.joint(road, middle, &guide);
        c.shape("frameMiddle", |nominal| {
            let beam = Shape::rod(scale(&constant(Y), track), ROD_COLOR);
            let diameter = joint_width(nominal) * 0.5;
            let r_shape = scale(&constant(Y), track * -0.5);
            Shape {
                r_shape,
                width_direction: constant(X),
                width: diameter,
                height: diameter,
                ..beam
            }
        });
        let names =
            [["theta1", "der_theta1", "der2_theta1"], ["theta2", "der_theta2", "der2_theta2"]];
        c.shape_at_rest(Shape::road);
        for (k, hub) in ["hub 1", "hub 2"].into_iter().enumerate() {
            let hub = c.hidden_frame(hub);
            let side = if k == 0 { 0.5 } else { -0.5 };
            c.rigid(middle, hub, scale(&constant(Y), track * side), identity());
            let starts = [self.theta[k], self.der_theta[k], free()];
            let theta = turn(c, Y, names[k], starts, Prefer);
            c.joint(hub, wheels[k], &[theta]);
            let wheel = ["frame1", "frame2"][k];
            c.shape(wheel, |_| Shape::wheel(constant(Y), radius, radius * BREADTH));
            let axis = ["axis1", "axis2"][k];
            if c.is_connected(axis) {
                let axis = c.flange(&ROTATIONAL, axis);
                c.axis_flange(axis, theta, Ex::zero());
            }
        }
        if c.is_connected("support") {
            let support = c.flange(&ROTATIONAL, "support");
            let housing = c.linear(&[(support, Ex::one())], Ex::zero());
            c.support_reaction(housing, Some(middle), &[Y]);
        }
        let slip = move |poses: &[Pose], velocities: &[Twist]| {
            let [first, second] = [1, 2].map(|k| slip(&poses[k], &velocities[k], radius));
            vec![first[0], second[0], first[1]]
        };
        let frames = [road, wheels[0], wheels[1]];
        let rolls = c.constraint(&frames, &[], None, Holds::Rolling(Rc::new(slip)));
        let forces = ["rolling1.f_long", "rolling2.f_long", "rolling1.f_lat"];
        for (k, name) in forces.into_iter().enumerate() {
            let force = c.multiplier(rolls, k);
            c.after(move |e| {
                let force = e.multiplier(force);
                e.variable(name, force);
                Ok(())
            });
        }
        wheels
    }

    /// The motion of the middle in its plane.
    fn guide(&self, c: &mut Contribution<'_>) -> [CoordinateId; 3] {
        let mut slide = |axis, [q, v]: [&'static str; 2], start| {
            let position = c.named_start_variable(q, "m", start);
            let speed = c.named_start_variable(v, "m/s", free());
            c.coordinate(CoordinateType::Prismatic, axis, [position, speed], StateSelect::Default)
        };
        let (x, y) = (slide(X, ["x", "der_x"], self.x), slide(Y, ["y", "der_y"], self.y));
        let phi = c.named_start_variable("phi", "rad", self.phi);
        let rate = c.named_start_variable("der_phi", "rad/s", free());
        [x, y, c.coordinate(CoordinateType::Revolute, Z, [phi, rate], StateSelect::Default)]
    }
}

/// The velocity of the lowest point of a vertical wheel, along its track and along its axle.
fn slip(frame: &Pose, velocity: &Twist, radius: Ex) -> [Ex; 2] {
    let out = frame.t.transpose();
    let arm: Vector = scale(&constant(Z), -radius);
    let e_axis = out * constant(Y);
    let v = out * velocity.v + cross(&(out * velocity.w), &arm);
    [dot(&v, &cross(&constant(Z), &e_axis)), dot(&v, &e_axis)]
}
