//! A rigid body, and the variables of every body.

use super::free::{Free, ORIENTATION, free};
use super::inertia_tensor::{InertiaTensor, inertia_setters, inertia_tensor};
use crate::multibody::joints::{Orientation, orientation};
use mechanics::declaration::{group, prelude::*};
use mechanics::scene::Shape;
use mechanics::statements::motion::ends::FrameEnd;

group! {
    /// The motion of the origin of `frame_a`.
    pub struct Translation(translation) {}
    variables {
        /// Position vector from world frame to frame_a, resolved in world frame
        r_0: Vector["m"],
        /// Absolute velocity of frame_a, resolved in world frame
        v_0: Vector["m/s"],
        /// Absolute acceleration of frame_a, resolved in world frame
        a_0: Vector["m/s2"],
    }
}

group! {
    /// The rotation of `frame_a` of a body inside another component.
    pub struct InnerRotation(inner_rotation) {}
    variables {
        /// Position vector from world frame to the frame, resolved in world frame
        inner_r_0 "body.frame_a.r_0": Vector["m"],
        /// Absolute angular velocity of frame_a, resolved in frame_a
        w_a "body.w_a": Vector["rad/s"],
        /// Absolute angular acceleration of frame_a, resolved in frame_a
        z_a "body.z_a": Vector["rad/s2"],
    }
}

component! {
    /// Rigid body with mass, inertia tensor and one frame.
    ///
    /// It gives a part its mass and inertia where these are known from a drawing or a measurement.
    ///
    /// # Equations
    /// With the orientation `R` of `frame_a`, `frame_a.f = m (R (a_0 - g(r_0 + R' r_CM)) + z_a x
    /// r_CM + w_a x (w_a x r_CM))` and `frame_a.t = I z_a + w_a x (I w_a) + r_CM x frame_a.f`.
    ///
    /// If nothing else connects the body to the world, `r_0`, `v_0`, the quaternion `Q` of
    /// `frame_a` and `w_a` are states (or, instead of `Q` and `w_a`, the angles `phi` and their
    /// derivatives `phi_d`). Then `a_0` and `z_0_start` may be initial conditions, which determine
    /// start values that are not fixed. If the body is connected to the world, such initial
    /// conditions are errors.
    pub struct Body = "Modelica.Mechanics.MultiBody.Parts.Body" {
        /// Mass of rigid body
        m: Real["kg", >= 0, structural zero],
        /// Vector from frame_a to centre of mass, resolved in frame_a
        r_cm "r_CM": [Real; 3]["m", fixed],
        ..inertia: inertia_tensor,
        ..free: free,
        ..orientation: orientation,
        ..translation,
    }
    ports {
        /// Frame fixed to the body
        frame_a: Frame,
    }
    variables {
        /// Absolute angular velocity of frame_a, resolved in frame_a
        w_a: Vector["rad/s"],
        /// Absolute angular acceleration of frame_a, resolved in frame_a
        z_a: Vector["rad/s2"],
        /// Quaternion from the world frame to frame_a; the fourth component is the scalar part
        q "Q"?: Quaternion["1"],
        /// Angles of the successive rotations from the world frame to frame_a about the axes of
        /// sequence_angleStates
        phi?: Vector["rad"],
        /// Derivatives of phi
        phi_d?: Vector["rad/s"],
    }
}

inertia_setters!(Body);

impl Component for Body {
    fn contribute(p: BodyParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_a");
        let inertia = p.inertia.tensor(c)?;
        c.body(frame, p.m, p.r_cm, inertia);
        c.shape("frame_a", |nominal| Shape::body_rod(p.r_cm, nominal));
        c.shape("frame_a", |nominal| Shape::body_sphere(&p.r_cm, nominal));
        p.free.join(c, frame, p.orientation, ORIENTATION);
        publish_translation(c, frame);
        publish_rotation(c, frame, ["w_a", "z_a"]);
        Ok(())
    }
}

/// Publishes the motion of a frame, with the names of an inner body's frame for its rotation.
pub(in crate::multibody) fn publish_inner_motion(c: &mut Contribution<'_>, frame: FrameEnd) {
    publish_translation(c, frame);
    c.law(move |e| {
        let r_0 = e.pose(frame).r;
        e.publish("body.frame_a.r_0", &r_0);
        Ok(())
    });
    publish_rotation(c, frame, ["body.w_a", "body.z_a"]);
}

/// Publishes position, velocity and acceleration of a frame.
pub(in crate::multibody) fn publish_translation(c: &mut Contribution<'_>, frame: FrameEnd) {
    c.law(move |e| {
        let pose = e.pose(frame);
        let v_0 = pose.t.transpose() * e.velocity(frame).v;
        e.publish("r_0", &pose.r);
        e.publish("v_0", &v_0);
        Ok(())
    });
    c.after(move |e| {
        let a_0 = e.pose(frame).t.transpose() * e.acceleration(frame).a;
        e.publish("a_0", &a_0);
        Ok(())
    });
}

/// Publishes angular velocity and angular acceleration of a frame in its own axes.
fn publish_rotation(c: &mut Contribution<'_>, frame: FrameEnd, [w, z]: [&'static str; 2]) {
    c.law(move |e| {
        let w_a = e.velocity(frame).w;
        e.publish(w, &w_a);
        Ok(())
    });
    c.after(move |e| {
        let z_a = e.acceleration(frame).z;
        e.publish(z, &z_a);
        Ok(())
    });
}
