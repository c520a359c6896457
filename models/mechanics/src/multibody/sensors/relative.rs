//! Sensor of the whole motion of a frame relative to another one.

use super::measure::{Angles, Relative};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::multibody::resolve::{Axes, ResolveInFrameAB};
use crate::{ports, setters};

/// Ideal sensor of the motion of `frame_b` relative to `frame_a`.
///
/// # Equations
/// With `T` of the frame `resolve_in_frame`: `r_rel = T (frame_b.r_0 - frame_a.r_0)`, `v_rel =
/// der(r_rel)`, `a_rel = der(v_rel)`; `w_rel = T (w_b - w_a)` with the angular velocities in world
/// axes, `z_rel = der(w_rel)`. These are derivatives of coordinates: in a frame that turns they
/// differ from a difference of velocities. The derivatives are then turned into the axes of
/// `resolve_in_frame_after_differentiation`. `angles` turn `frame_a`, about the axes of `sequence`,
/// into `frame_b`.
///
/// # Variables
/// Each exists if its `get_` is set: `r_rel` in m, `v_rel` in m/s, `a_rel` in m/s2, `angles` in
/// rad, `w_rel` in rad/s, `z_rel` in rad/s2. `resolve_in_frame` is `frame_a`, the frame after
/// differentiation is the same, `sequence` is `{1, 2, 3}` and `guess_angle1` is 0 rad unless given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.RelativeSensor.
#[derive(Clone, Debug)]
pub struct RelativeSensor {
    resolve_in_frame: ResolveInFrameAB,
    resolve_in_frame_after_differentiation: Option<ResolveInFrameAB>,
    get_r_rel: bool,
    get_v_rel: bool,
    get_a_rel: bool,
    get_angles: bool,
    get_w_rel: bool,
    get_z_rel: bool,
    sequence: [usize; 3],
    guess_angle1: f64,
}

ports! {
    /// Ports and variables of a [`RelativeSensor`].
    pub struct RelativeSensorPorts {
        /// The frame from which it is measured.
        frame_a: frame,
        /// The frame that is measured.
        frame_b: frame,
        /// The frame in which vectors are resolved, with that choice only.
        frame_resolve: frame,
        /// Position in m.
        r_rel: vector,
        /// Velocity in m/s.
        v_rel: vector,
        /// Acceleration in m/s2.
        a_rel: vector,
        /// Angles in rad.
        angles: vector,
        /// Angular velocity in rad/s.
        w_rel: vector,
        /// Angular acceleration in rad/s2.
        z_rel: vector,
    }
}

impl Default for RelativeSensor {
    fn default() -> Self {
        let Angles { sequence, guess_angle1 } = Angles::default();
        RelativeSensor {
            resolve_in_frame: ResolveInFrameAB::FrameA,
            resolve_in_frame_after_differentiation: None,
            get_r_rel: false,
            get_v_rel: false,
            get_a_rel: false,
            get_angles: false,
            get_w_rel: false,
            get_z_rel: false,
            sequence,
            guess_angle1,
        }
    }
}

setters! {
    impl RelativeSensor {
        /// Axes in which the vectors are resolved before they are differentiated.
        resolve_in_frame: ResolveInFrameAB,
        /// Axes into which derivatives are turned.
        resolve_in_frame_after_differentiation: Option<ResolveInFrameAB>,
        /// Whether the position is measured.
        get_r_rel: bool,
        /// Whether the velocity is measured.
        get_v_rel: bool,
        /// Whether the acceleration is measured.
        get_a_rel: bool,
        /// Whether the angles are measured.
        get_angles: bool,
        /// Whether the angular velocity is measured.
        get_w_rel: bool,
        /// Whether the angular acceleration is measured.
        get_z_rel: bool,
        /// Axes of the three rotations, 1 to 3.
        sequence: [usize; 3],
        /// Near which value the first angle is, in rad.
        guess_angle1: f64,
    }
}

impl OldComponent for RelativeSensor {
    type Ports = RelativeSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let before = self.resolve_in_frame;
        let after = self.resolve_in_frame_after_differentiation.unwrap_or(before);
        let [of, shown] = Axes::several(c, [before, after])?;
        let motion = Relative { a, b, of, shown };
        if self.get_r_rel {
            motion.position(c);
        }
        if self.get_v_rel {
            motion.velocity(c);
        }
        if self.get_a_rel {
            motion.acceleration(c);
        }
        if self.get_angles {
            let angles = Angles { sequence: self.sequence, guess_angle1: self.guess_angle1 };
            angles.publish(c, move |e| e.pose(b).t * e.pose(a).t.transpose())?;
        }
        if self.get_w_rel {
            motion.angular_velocity(c);
        }
        if self.get_z_rel {
            motion.angular_acceleration(c);
        }
        Ok(())
    }
}
