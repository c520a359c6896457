//! Sensor of the motion of a frame relative to another one.

use super::measure::{Angles, RelativeMeasurement};
use crate::multibody::ResolveInFrameAB;
use mechanics::declaration::prelude::*;
use mechanics::statements::laws::signal_view::SignalView;

component! {
    /// Ideal sensor of the motion of `frame_b` relative to `frame_a`.
    ///
    /// # Equations
    /// With the orientation `T` of the frame `resolve_in_frame`,
    /// `r_rel = T (frame_b.r_0 - frame_a.r_0)`, `v_rel = der(r_rel)`, `a_rel = der(v_rel)`,
    /// `w_rel = T (w_b - w_a)` with the angular velocities in world axes, and `z_rel = der(w_rel)`.
    /// Because coordinates are differentiated, these derivatives differ from differences of
    /// velocities if the frame rotates. The derivatives are then resolved in the axes of
    /// `resolve_in_frame_after_differentiation`. Successive rotations by `angles` about the axes of
    /// `sequence` lead from `frame_a` to `frame_b`. Each output exists only if its `get_` parameter
    /// is true.
    pub struct RelativeSensor = "Modelica.Mechanics.MultiBody.Sensors.RelativeSensor" {
        /// Axes in which vectors are resolved before they are differentiated
        resolve_in_frame "resolveInFrame": ResolveInFrameAB = ResolveInFrameAB::FrameA,
        /// Axes in which the derivatives are resolved
        resolve_in_frame_after_differentiation "resolveInFrameAfterDifferentiation":
            ResolveInFrameAB = resolve_in_frame,
        /// True if the position is measured
        get_r_rel: bool = false,
        /// True if the velocity is measured
        get_v_rel: bool = false,
        /// True if the acceleration is measured
        get_a_rel: bool = false,
        /// True if the angles are measured
        get_angles: bool = false,
        /// True if the angular velocity is measured
        get_w_rel: bool = false,
        /// True if the angular acceleration is measured
        get_z_rel: bool = false,
        /// Axes of the successive rotations
        sequence: [usize; 3]["1", on demand] = [1, 2, 3],
        /// Guess of the first angle; of two solutions, the nearer one is used
        guess_angle1 "guessAngle1": Real["rad", on demand] = 0,
    }
    ports {
        /// Frame of reference
        frame_a: Frame,
        /// Measured frame
        frame_b: Frame,
        /// Frame in which vectors are resolved; used only with FrameResolve
        frame_resolve: Frame,
    }
    variables {
        /// Relative position vector
        r_rel?: Vector["m"],
        /// Relative velocity vector
        v_rel?: Vector["m/s"],
        /// Relative acceleration vector
        a_rel?: Vector["m/s2"],
        /// Angles of the rotation
        angles?: Vector["rad"],
        /// Relative angular velocity vector
        w_rel?: Vector["rad/s"],
        /// Relative angular acceleration vector
        z_rel?: Vector["rad/s2"],
    }
}

impl Component for RelativeSensor {
    fn contribute(p: RelativeSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let after = p.resolve_in_frame_after_differentiation;
        let motion = RelativeMeasurement::new(c, [p.resolve_in_frame, after])?;
        if p.get_r_rel {
            motion.position(c);
        }
        if p.get_v_rel {
            motion.velocity(c);
        }
        if p.get_a_rel {
            motion.acceleration(c);
        }
        if p.get_angles {
            let (sequence, guess_angle1) = (p.sequence.declare(c)?, p.guess_angle1.declare(c)?);
            let RelativeMeasurement { a, b, .. } = motion;
            let rotation = move |e: &SignalView<'_>| e.pose(b).t * e.pose(a).t.transpose();
            Angles { sequence, guess_angle1 }.publish(c, rotation);
        }
        if p.get_w_rel {
            motion.angular_velocity(c);
        }
        if p.get_z_rel {
            motion.angular_acceleration(c);
        }
        Ok(())
    }
}
