//! Sensor of the whole motion of a frame.

use super::measure::{Absolute, Angles};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::multibody::resolve::{Axes, ResolveInFrameA};
use crate::{ports, setters};

/// Ideal sensor of the absolute motion of a frame.
///
/// # Equations
/// With `v_0 = der(frame_a.r_0)`: `r`, `v`, `a` are the vectors `frame_a.r_0`, `v_0`, `der(v_0)`;
/// `w` is the angular velocity of `frame_a`, `z` its derivative in the world; all in the axes of
/// `resolve_in_frame`. `angles` turn the world, about the axes of `sequence`, into `frame_a`.
///
/// # Variables
/// Each exists if its `get_` is set: `r` in m, `v` in m/s, `a` in m/s2, `angles` in rad, `w` in
/// rad/s, `z` in rad/s2. `resolve_in_frame` is `frame_a`, `sequence` is `{1, 2, 3}` and
/// `guess_angle1` is 0 rad unless given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.AbsoluteSensor.
#[derive(Clone, Debug)]
pub struct AbsoluteSensor {
    resolve_in_frame: ResolveInFrameA,
    get_r: bool,
    get_v: bool,
    get_a: bool,
    get_angles: bool,
    get_w: bool,
    get_z: bool,
    sequence: [usize; 3],
    guess_angle1: f64,
}

ports! {
    /// Ports and variables of an [`AbsoluteSensor`].
    pub struct AbsoluteSensorPorts {
        /// The measured frame.
        frame_a: frame,
        /// The frame in which vectors are resolved, with that choice only.
        frame_resolve: frame,
        /// Position in m.
        r: vector,
        /// Velocity in m/s.
        v: vector,
        /// Acceleration in m/s2.
        a: vector,
        /// Angles in rad.
        angles: vector,
        /// Angular velocity in rad/s.
        w: vector,
        /// Angular acceleration in rad/s2.
        z: vector,
    }
}

impl Default for AbsoluteSensor {
    fn default() -> Self {
        let Angles { sequence, guess_angle1 } = Angles::default();
        AbsoluteSensor {
            resolve_in_frame: ResolveInFrameA::FrameA,
            get_r: false,
            get_v: false,
            get_a: false,
            get_angles: false,
            get_w: false,
            get_z: false,
            sequence,
            guess_angle1,
        }
    }
}

setters! {
    impl AbsoluteSensor {
        /// Axes in which the vectors are resolved.
        resolve_in_frame: ResolveInFrameA,
        /// Whether the position is measured.
        get_r: bool,
        /// Whether the velocity is measured.
        get_v: bool,
        /// Whether the acceleration is measured.
        get_a: bool,
        /// Whether the angles are measured.
        get_angles: bool,
        /// Whether the angular velocity is measured.
        get_w: bool,
        /// Whether the angular acceleration is measured.
        get_z: bool,
        /// Axes of the three rotations, 1 to 3.
        sequence: [usize; 3],
        /// Near which value the first angle is, in rad.
        guess_angle1: f64,
    }
}

impl OldComponent for AbsoluteSensor {
    type Ports = AbsoluteSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_a");
        let motion = Absolute { frame, axes: Axes::new(c, self.resolve_in_frame)? };
        if self.get_r {
            motion.position(c);
        }
        if self.get_v {
            motion.velocity(c);
        }
        if self.get_a {
            motion.acceleration(c);
        }
        if self.get_angles {
            let angles = Angles { sequence: self.sequence, guess_angle1: self.guess_angle1 };
            angles.publish(c, move |e| e.pose(frame).t)?;
        }
        if self.get_w {
            motion.angular_velocity(c);
        }
        if self.get_z {
            motion.angular_acceleration(c);
        }
        Ok(())
    }
}
