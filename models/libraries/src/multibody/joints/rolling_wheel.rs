//! A wheel's contact with the road.

use super::wheel_orientation::WheelStarts;
use mechanics::declaration::{group, prelude::*};
use mechanics::scene::Shape;
use mechanics::statements::contributions::constraints::Holds;
use mechanics::statements::contributions::multibody::CoordinateType;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::statements::spatial::pose::{Pose, Twist};
use mechanics::vector::{Vector, constant, cross, dot, scale};
use std::rc::Rc;

component! {
    /// Massless joint of a wheel that rolls without slip on the plane z = 0 of the world.
    ///
    /// It carries the wheel of a bicycle or a coin whose body is a part of its own.
    ///
    /// # Equations
    /// `frame_a.r_0 = {x, y, z}`, and successive rotations by `heading`, `lean` and `roll` about z,
    /// x and y lead from the world frame to `frame_a`. The lowest point of the wheel, at `delta`
    /// from its centre, is in the plane. Its velocity `v_0 + w_0 x delta` has no component along
    /// the track of the wheel or perpendicular to it. The force of the road acts at this point.
    /// Orientations in which the wheel lies flat are singular.
    ///
    /// Rotations by `angles` about z, y and x lead to the same orientation, and so do the start
    /// values: if those of all `angles` are fixed, or none, they are converted to heading, lean and
    /// roll; fixed ones among others are initial conditions. Of all `angles` of an orientation, the
    /// published ones continue those at the last step. With `angles[2]` of a quarter turn,
    /// `angles[1]` and `angles[3]` turn about one axis. There, and where a wheel that leans by less
    /// than 1e-6 rad passes such a position, they are the nearest ones, so that `angles[2]` of an
    /// upright wheel is its roll through many turns. Near such a position `der_angles` grow without
    /// bound if the wheel leans.
    pub struct RollingWheelJoint = "Modelica.Mechanics.MultiBody.Joints.RollingWheel" {
        /// Radius of the wheel
        radius: Real["m", > 0, fixed],
        /// Start value of the centre's x-coordinate
        x: Start["m"] = free(),
        /// Start value of the centre's y-coordinate
        y: Start["m"] = free(),
        /// Start values of the angles of the successive rotations about z, y and x
        angles: [Start; 3]["rad"] = [free(); 3],
        /// Start values of the derivatives of the angles
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
        /// Angle of the wheel's track about the vertical
        heading: Real["rad"],
        /// Angle by which the wheel leans about its track
        lean: Real["rad"],
        /// Angle of the wheel about its axle
        roll: Real["rad"],
        /// Derivative of heading
        der_heading: Real["rad/s"],
        /// Derivative of lean
        der_lean: Real["rad/s"],
        /// Derivative of roll
        der_roll: Real["rad/s"],
        /// Angle of a rotation from the world frame to frame_a, about z, y and x in this order
        angles: Vector["rad"],
        /// Derivative of an angle
        der_angles: Vector["rad/s"],
        /// Position vector from world frame to the contact point, resolved in world frame
        r_road_0: Vector["m"],
        /// Force of the road on the wheel along the normal
        f_n: Real["N"],
        /// Force of the road on the wheel along the track; positive to the left, seen along the
        /// axle
        f_long: Real["N"],
        /// Force of the road on the wheel in the plane, perpendicular to the track
        f_lat: Real["N"],
        /// Force of the road on the wheel, resolved in world frame
        f_wheel_0: Vector["N"],
    }
}

/// Dimensions and start values of a wheel that rolls on the road.
#[derive(Clone, Debug)]
pub(in crate::multibody) struct Rolling {
    /// Radius in m.
    pub radius: Ex,
    /// Coordinate of the centre in m.
    pub x: Start,
    /// Coordinate of the centre in m.
    pub y: Start,
    /// Angles about z, y and x in rad.
    pub angles: [Start; 3],
    /// Derivatives of the angles in rad/s.
    pub der_angles: [Start; 3],
}

/// The breadth of a wheel in pictures, relative to its radius.
pub(in crate::multibody) const BREADTH: f64 = 0.2;

impl Rolling {
    /// Adds the joint of a wheel with its centre at `frame`, and the constraints of rolling.
    pub fn join(&self, c: &mut Contribution<'_>, frame: FrameEnd) {
        let radius = self.radius;
        c.shape("frame_a", |_| Shape::wheel(constant(Y), radius, radius * BREADTH));
        c.shape("frame_a", |nominal| Shape::force("f_wheel_0", nominal));
        c.shape_at_rest(Shape::road);
        let above = guess(c.magnitude(radius));
        let mut slide = |axis, [q, v]: [&'static str; 2], start, select| {
            let position = c.named_start_variable(q, "m", start);
            let speed = c.named_start_variable(v, "m/s", free());
            c.coordinate(CoordinateType::Prismatic, axis, [position, speed], select)
        };
        let x = slide(X, ["x", "der_x"], self.x, StateSelect::Default);
        let y = slide(Y, ["y", "der_y"], self.y, StateSelect::Default);
        let z = slide(Z, ["z", "der_z"], above, Avoid);
        let starts = WheelStarts { angles: self.angles, der_angles: self.der_angles };
        let orientation = starts.coordinates(c);
        let [heading, lean, roll] = orientation.coordinates;
        let road = c.ground(Pose::identity());
        c.joint(road, frame, &[x, y, z, heading, lean, roll]);
        orientation.start(c, [road, frame]);

        let frames = [road, frame];
        let on_road = c.closure(&frames, &[], "m", move |at| {
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
            orientation.publish(e)
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

/// The contact of a wheel with the plane z = 0, in world axes.
struct Contact {
    /// Vector from the wheel's centre to the contact point.
    delta: Vector,
    /// Direction of the wheel's track.
    e_long: Vector,
    /// Direction perpendicular to the track, in the plane.
    e_lat: Vector,
}

impl Contact {
    /// The contact of a wheel that rotates about the y-axis of a frame.
    fn new(frame: &Pose, radius: Ex) -> Self {
        let e_axis = frame.t.transpose() * constant(Y);
        let inclined = (e_axis[0].square() + e_axis[1].square()).sqrt();
        let e_long = Vector::new(-e_axis[1] / inclined, e_axis[0] / inclined, Ex::zero());
        let delta = cross(&e_long, &e_axis) * radius;
        Contact { delta, e_long, e_lat: cross(&e_long, &constant(Z)) }
    }

    /// The velocity of the wheel's lowest point, along the track and perpendicular to it.
    fn slip(&self, frame: &Pose, velocity: &Twist) -> [Ex; 2] {
        let out = frame.t.transpose();
        let v = out * velocity.v + cross(&(out * velocity.w), &self.delta);
        [dot(&v, &self.e_long), dot(&v, &self.e_lat)]
    }
}
