//! Joints from the world that leave all six freedoms.

use super::free_orientation::{Orientation, orientation_setters};
use super::init::{Names, States, check_vectors, states_setters};
use crate::assembly::element;
use crate::compile::structure::{FrameEnd, Freedom, Pose};
use crate::component::{Contribution, CoordinateId, OldComponent};
use crate::error::Error;
use crate::ports;
use crate::start::Start;
use crate::vector::{X, Y, Z};

/// Names and units of the start of a translation.
pub(super) const LINEAR: Names = [("x_start", "m"), ("v_start", "m/s"), ("a_start", "m/s2")];

const POSITION: &str = "Position vector from the world to the frame, resolved in the world";
const VELOCITY: &str = "Absolute velocity of the frame, resolved in the world";

/// Start values of a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Translation {
    /// Position in m.
    pub x_start: Option<[f64; 3]>,
    /// Velocity in m/s.
    pub v_start: Option<[f64; 3]>,
    /// Acceleration in m/s2.
    pub a_start: Option<[f64; 3]>,
}

impl Translation {
    /// Three slides along the axes of the world.
    pub fn slides(
        &self,
        c: &mut Contribution<'_>,
        states: States,
    ) -> Result<[CoordinateId; 3], Error> {
        let given = [self.x_start, self.v_start, self.a_start];
        check_vectors(c, LINEAR, given)?;
        let [x, v, a] = states.init_type.vectors(given);
        let mut slide = |k: usize| {
            let mut candidate = |local: &str, unit, text, start: Start| {
                c.named_candidate(element(local, k + 1), unit, text, start)
            };
            let motion =
                [candidate("x", "m", POSITION, x[k]), candidate("v", "m/s", VELOCITY, v[k])];
            let axis = [X, Y, Z][k];
            let slide = c.coordinate(Freedom::Slide, axis, motion, states.select());
            if a[k].fixed {
                c.initial_acceleration(slide, a[k].value);
            }
            slide
        };
        Ok([slide(0), slide(1), slide(2)])
    }
}

/// Six freedoms between the world and a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Movement {
    /// How the position starts.
    pub translation: Translation,
    /// How the orientation starts.
    pub orientation: Orientation,
}

/// Number of a joint that is used if nothing else holds a body: before those of point masses.
const BODY: usize = 0;

impl Movement {
    /// The joint; it is used only if nothing else holds the frame, unless it is `needed`.
    pub fn join(
        &self,
        c: &mut Contribution<'_>,
        frame: FrameEnd,
        states: States,
        needed: bool,
    ) -> Result<(), Error> {
        let world = c.ground(Pose::identity());
        let slides = self.translation.slides(c, states)?;
        let optional = (!needed).then_some(BODY);
        self.orientation.join(c, [world, frame], &slides, states, optional)?;
        publish_motion(c, frame);
        Ok(())
    }
}

/// Publishes the motion of a frame.
fn publish_motion(c: &mut Contribution<'_>, frame: FrameEnd) {
    c.law(move |e| {
        let (pose, velocity) = (e.pose(frame), e.velocity(frame));
        e.vector("x", &pose.r, "m", POSITION);
        e.vector("v", &(pose.t.transpose() * velocity.v), "m/s", VELOCITY);
        let text = "Absolute angular velocity of the frame, resolved in its own axes";
        e.vector("w", &velocity.w, "rad/s", text);
        Ok(())
    });
    c.after(move |e| {
        let (pose, acceleration) = (e.pose(frame), e.acceleration(frame));
        let text = "Absolute acceleration of the frame, resolved in the world";
        e.vector("a", &(pose.t.transpose() * acceleration.v), "m/s2", text);
        let text = "Absolute angular acceleration of the frame, resolved in its own axes";
        e.vector("z", &acceleration.w, "rad/s2", text);
        Ok(())
    });
}

/// The methods that set the start of a translation, kept in the field `translation`.
macro_rules! translation_setters {
    ($Component:ident) => {
        impl $Component {
            /// Start value of the position in m, resolved in the world.
            #[must_use]
            pub fn x_start(mut self, x_start: [f64; 3]) -> Self {
                self.translation.x_start = Some(x_start);
                self
            }

            /// Start value of the velocity in m/s, resolved in the world.
            #[must_use]
            pub fn v_start(mut self, v_start: [f64; 3]) -> Self {
                self.translation.v_start = Some(v_start);
                self
            }

            /// Initial acceleration in m/s2, resolved in the world.
            #[must_use]
            pub fn a_start(mut self, a_start: [f64; 3]) -> Self {
                self.translation.a_start = Some(a_start);
                self
            }
        }
    };
}
pub(super) use translation_setters;

/// Free movement against the world: no constraint, but coordinates that may be states.
///
/// # Equations
/// `frame_b.r_0 = x`, `v = der(x)`, `a = der(v)`; `z = der(w)`; no forces and torques, and no
/// impulses.
///
/// # Variables
/// `x` in m, `v` in m/s, `a` in m/s2, resolved in the world; the angular velocity `w` in rad/s and
/// its derivative `z` in rad/s2, resolved in `frame_b`. States are `x`, `v`, the quaternion `Q` of
/// `frame_b` and `w`; where the joint is part of a loop, or with `use_quaternions(false)`, the
/// angles `phi` in rad and their derivatives `phi_d` instead of the last two. `x_start` in m,
/// `v_start` in m/s, `a_start` in m/s2; given in degrees: `phi_start` in deg, `w_start` in deg/s
/// and `z_start` in deg/s2; default 0.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Joints.FreeBodyMovement.
#[derive(Clone, Debug, Default)]
pub struct FreeBodyMovement {
    translation: Translation,
    orientation: Orientation,
    states: States,
}

ports! {
    /// Ports and variables of a [`FreeBodyMovement`] or a [`PotentialFBM`].
    pub struct FreeMovementPorts {
        /// The frame that moves.
        frame_b: frame,
        /// Position in m, in world axes.
        x: vector,
        /// Velocity in m/s, in world axes.
        v: vector,
        /// Acceleration in m/s2, in world axes.
        a: vector,
        /// Angular velocity in rad/s, in the axes of `frame_b`.
        w: vector,
        /// Angular acceleration in rad/s2, in the axes of `frame_b`.
        z: vector,
    }
}

translation_setters!(FreeBodyMovement);
orientation_setters!(FreeBodyMovement);
states_setters!(FreeBodyMovement);

impl OldComponent for FreeBodyMovement {
    type Ports = FreeMovementPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_b");
        let movement = Movement { translation: self.translation, orientation: self.orientation };
        movement.join(c, frame, self.states, true)
    }
}

/// Free movement against the world that is used only if nothing else holds its frame.
///
/// # Equations
/// Those of [`FreeBodyMovement`], or none. With `enforce_states` it is always used.
///
/// # Variables
/// Those of [`FreeBodyMovement`].
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Joints.PotentialFBM.
#[derive(Clone, Debug, Default)]
pub struct PotentialFBM {
    translation: Translation,
    orientation: Orientation,
    states: States,
}

translation_setters!(PotentialFBM);
orientation_setters!(PotentialFBM);
states_setters!(PotentialFBM);

impl OldComponent for PotentialFBM {
    type Ports = FreeMovementPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_b");
        let movement = Movement { translation: self.translation, orientation: self.orientation };
        movement.join(c, frame, self.states, self.states.enforce)
    }
}
