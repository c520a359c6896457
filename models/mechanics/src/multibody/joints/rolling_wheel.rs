//! A wheel's contact with the road.

use crate::assembly::element;
use crate::compile::contributions::constraints::Holds;
use crate::compile::contributions::multibody::Freedom;
use crate::compile::motion::ends::FrameEnd;
use crate::compile::spatial::pose::{Pose, Twist};
use crate::declaration::{group, prelude::*};
use crate::vector::{Vector, constant, cross, dot, scale};
use std::rc::Rc;

component! {
    /// Joint, without mass, of a wheel that rolls without slip on the plane z = 0 of the world.
    ///
    /// # Equations
    /// `frame_a.r_0 = {x, y, z}`; `angles` about z, y and x turn the world frame into `frame_a`.
    /// The wheel's lowest point, at `delta` from its centre, is in the plane, and its velocity `v_0
    /// + w_0 x delta` has no component along the wheel's track or across it. The road acts with a
    /// force there.
    ///
    /// A wheel that lies flat is singular.
    pub struct RollingWheelJoint = "Modelica.Mechanics.MultiBody.Joints.RollingWheel" {
        /// Radius of the wheel
        radius: Real["m", > 0, fixed],
        /// Start value of the centre's x-coordinate
        x: Start["m"] = free(),
        /// Start value of the centre's y-coordinate
        y: Start["m"] = free(),
        /// Start values of the angles about z, y and x
        angles: [Start; 3]["rad"] = [free(); 3],
        /// Start values of their derivatives
        der_angles: [Start; 3]["rad/s"] = [free(); 3],
        ..rolling,
    }
}

impl Component for RollingWheelJoint {
    fn contribute(p: RollingWheelJointParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let RollingWheelJointParameters { radius, x, y, angles, der_angles } = p;
        let frame = c.frame("frame_a");
        Rolling { radius, x, y, angles, der_angles }.join(c, frame);
        Ok(())
    }
}

group! {
    /// A wheel that rolls on the road.
    pub struct RollingWheels(rolling) {}
    ports {
        /// Frame in the wheel's centre; its y-axis is the axle
        frame_a: Frame,
    }
    variables {
        /// x-coordinate of the wheel's centre
        x: Real["m"],
        /// y-coordinate of the wheel's centre
        y: Real["m"],
        /// Height of the wheel's centre
        z: Real["m"],
        /// Velocity of the wheel's centre along x
        der_x: Real["m/s"],
        /// Velocity of the wheel's centre along y
        der_y: Real["m/s"],
        /// Velocity of the wheel's centre along z
        der_z: Real["m/s"],
        /// Angle that turns the world frame into frame_a, about z, y, x in this order
        angles: Vector["rad"],
        /// Derivative of the angle
        der_angles: Vector["rad/s"],
        /// Position vector from world frame to the point of contact, in world axes
        r_road_0: Vector["m"],
        /// Force of the road on the wheel along the normal
        f_n: Real["N"],
        /// Force of the road on the wheel along the track, to the left of the axle's direction
        f_long: Real["N"],
        /// Force of the road on the wheel across the track
        f_lat: Real["N"],
        /// Force of the road on the wheel, in world axes
        f_wheel_0: Vector["N"],
    }
}

/// How a wheel that rolls on the road starts.
#[derive(Clone, Debug)]
pub(in crate::multibody) struct Rolling {
    /// In m.
    pub radius: Ex,
    /// Of the centre, in m.
    pub x: Start,
    /// Of the centre, in m.
    pub y: Start,
    /// About z, y and x, in rad.
    pub angles: [Start; 3],
    /// Their derivatives in rad/s.
    pub der_angles: [Start; 3],
}

impl Rolling {
    /// Adds the joint of a wheel with its centre at `frame`, and the constraints of rolling.
    pub fn join(&self, c: &mut Contribution<'_>, frame: FrameEnd) {
        let radius = self.radius;
        let above = guess(c.magnitude(radius));
        let mut slide = |axis, [q, v]: [&'static str; 2], start, select| {
            let position = c.named_start_variable(q, "m", start);
            let speed = c.named_start_variable(v, "m/s", free());
            c.coordinate(Freedom::Prismatic, axis, [position, speed], select)
        };
        let x = slide(X, ["x", "der_x"], self.x, StateSelect::Default);
        let y = slide(Y, ["y", "der_y"], self.y, StateSelect::Default);
        let z = slide(Z, ["z", "der_z"], above, Avoid);
        let turns = [0, 1, 2].map(|k| {
            let [angle, rate] = ["angles", "der_angles"].map(|name| element(name, k + 1));
            let position = c.named_start_variable(angle, "rad", self.angles[k]);
            let speed = c.named_start_variable(rate, "rad/s", self.der_angles[k]);
            c.coordinate(Freedom::Revolute, [Z, Y, X][k], [position, speed], Prefer)
        });
        let road = c.ground(Pose::identity());
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
            e.publish("r_road_0", &r_road);
            Ok(())
        });
        c.after(move |e| {
            let Contact { e_long, e_lat, .. } = Contact::new(&e.pose(frame), radius);
            let [f_n, f_long, f_lat] = forces.map(|force| e.multiplier(force));
            e.variable("f_n", f_n);
            e.variable("f_long", f_long);
            e.variable("f_lat", f_lat);
            let f_wheel = scale(&constant(Z), f_n) + scale(&e_long, f_long) + scale(&e_lat, f_lat);
            e.publish("f_wheel_0", &f_wheel);
            Ok(())
        });
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
