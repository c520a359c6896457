//! Joints from the world with six degrees of freedom.

use super::free_orientation::{OrientationStarts, orientation_starts};
use super::init::{InitType, States, states};
use mechanics::assembly::element;
use mechanics::component::{CoordinateId, joint_priority};
use mechanics::declaration::{group, prelude::*};
use mechanics::domain::word;
use mechanics::statements::contributions::multibody::CoordinateType;
use mechanics::statements::contributions::start_variable::StartVariable;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::statements::spatial::pose::Pose;

group! {
    /// Start values of a free translation.
    pub struct TranslationStarts(translation_starts) {
        /// Start value of the position, resolved in the world
        x_start?: [Real; 3]["m", structural],
        /// Start value of the velocity, resolved in the world
        v_start?: [Real; 3]["m/s", structural],
        /// Initial acceleration, resolved in the world
        a_start?: [Real; 3]["m/s2", structural],
    }
}

impl TranslationStarts {
    /// Three translations along the axes of the world; `rates` states whether they publish their
    /// accelerations.
    pub fn slides(
        self,
        c: &mut Contribution<'_>,
        states: &States,
        rates: bool,
    ) -> [CoordinateId; 3] {
        let [x, v, a] = states.init_type.vectors([self.x_start, self.v_start, self.a_start]);
        [0, 1, 2].map(|k| {
            let mut candidate = |local: &str, unit, start: Start| {
                c.named_start_variable(element(local, k + 1), unit, start)
            };
            let (position, speed) = (candidate("x", "m", x[k]), candidate("v", "m/s", v[k]));
            let rate = rates.then(|| word(element("a", k + 1), "m/s2"));
            let motion = [position, StartVariable { rate, ..speed }];
            let slide =
                c.coordinate(CoordinateType::Prismatic, [X, Y, Z][k], motion, states.select());
            if a[k].fixed {
                c.initial_acceleration(slide, a[k].value);
            }
            slide
        })
    }
}

group! {
    /// The motion of a frame in the world.
    pub struct WorldMotion(world_motion) {}
    variables {
        /// Position vector from the world to the frame, resolved in the world
        x: Vector["m"],
        /// Absolute velocity of the frame, resolved in the world
        v: Vector["m/s"],
        /// Absolute acceleration of the frame, resolved in the world
        a: Vector["m/s2"],
        /// Absolute angular velocity of the frame, resolved in its own axes
        w: Vector["rad/s"],
        /// Absolute angular acceleration of the frame, resolved in its own axes
        z: Vector["rad/s2"],
    }
}

/// Adds a joint with six degrees of freedom from the world to a frame, and publishes the motion of
/// the frame. Unless it is `needed`, the joint is used only if nothing else connects the frame.
pub(super) fn join(
    c: &mut Contribution<'_>,
    frame: FrameEnd,
    (translation, orientation): (TranslationStarts, OrientationStarts),
    states: &States,
    needed: bool,
) -> Result<(), Error> {
    let world = c.ground(Pose::identity());
    let slides = translation.slides(c, states, false);
    let optional = (!needed).then_some(joint_priority::BODY);
    orientation.join(c, [world, frame], &slides, states, optional)?;
    c.law(move |e| {
        let (pose, velocity) = (e.pose(frame), e.velocity(frame));
        e.publish("x", &pose.r);
        e.publish("v", &(pose.t.transpose() * velocity.v));
        e.publish("w", &velocity.w);
        Ok(())
    });
    c.after(move |e| {
        let (pose, acceleration) = (e.pose(frame), e.acceleration(frame));
        e.publish("a", &(pose.t.transpose() * acceleration.a));
        e.publish("z", &acceleration.z);
        Ok(())
    });
    Ok(())
}

component! {
    /// Free movement relative to the world: no constraint, but coordinates that may be states.
    ///
    /// It gives a free body coordinates whose start values are known, such as those of a throw.
    ///
    /// # Equations
    /// `frame_b.r_0 = x`, `v = der(x)`, `a = der(v)`, `z = der(w)`. There are no forces, torques or
    /// impulses. States are `x`, `v`, the quaternion `Q` of `frame_b` and `w`. In a loop whose
    /// angles stay away from singular positions or that cannot be free, the angles `phi` and their
    /// derivatives `phi_d` replace `Q` and `w`. With `use_quaternions(false)`, these angles are
    /// variables everywhere.
    pub struct FreeBodyMovement = "MultiBondLib.Mechanics3DwithImpulses.Joints.FreeBodyMovement" {
        ..translation: translation_starts,
        ..orientation: orientation_starts,
        ..states: states,
        ..world_motion,
    }
    ports {
        /// Moving frame
        frame_b: Frame,
    }
}

impl Component for FreeBodyMovement {
    fn contribute(p: FreeBodyMovementParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_b");
        join(c, frame, (p.translation, p.orientation), &p.states, true)
    }
}

component! {
    /// Free movement relative to the world that is used only if nothing else connects its frame to
    /// the world.
    ///
    /// It is a part of `Body`; a component of your own uses it for a body that may be free.
    ///
    /// # Equations
    /// Those of [`FreeBodyMovement`], or none. With `enforce_states` the joint is always used.
    pub struct PotentialFBM = "MultiBondLib.Mechanics3DwithImpulses.Joints.PotentialFBM" {
        ..translation: translation_starts,
        ..orientation: orientation_starts,
        ..states: states,
        ..world_motion,
    }
    ports {
        /// Moving frame
        frame_b: Frame,
    }
}

impl Component for PotentialFBM {
    fn contribute(p: PotentialFBMParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_b");
        let needed = p.states.enforce_states;
        join(c, frame, (p.translation, p.orientation), &p.states, needed)
    }
}
