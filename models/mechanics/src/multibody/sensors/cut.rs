//! Sensors of what goes through a rigid connection of two frames.

use super::measure::{CutSensor, cut_sensor};
use crate::declaration::prelude::*;
use crate::multibody::ResolveInFrameA;

component! {
    /// Sensor of the cut force in a rigid connection.
    ///
    /// # Equations
    /// `frame_a` and `frame_b` coincide; `force` is `frame_a.f`, what acts on the sensor at
    /// `frame_a`, in the axes of `resolve_in_frame`; the opposite without `positive_sign`. The
    /// sensor only transmits.
    pub struct CutForce = "Modelica.Mechanics.MultiBody.Sensors.CutForce" {
        ..cut: cut_sensor,
    }
    variables {
        /// Cut force, in the chosen axes
        force: Vector["N"],
    }
}

impl Component for CutForce {
    fn contribute(p: CutForceParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.cut.measure(c, [Some("force"), None])
    }
}

component! {
    /// Sensor of the cut torque in a rigid connection.
    ///
    /// # Equations
    /// `frame_a` and `frame_b` coincide; `torque` is `frame_a.t`, what acts on the sensor at
    /// `frame_a`, in the axes of `resolve_in_frame`; the opposite without `positive_sign`. The
    /// sensor only transmits.
    pub struct CutTorque = "Modelica.Mechanics.MultiBody.Sensors.CutTorque" {
        ..cut: cut_sensor,
    }
    variables {
        /// Cut torque, in the chosen axes
        torque: Vector["N.m"],
    }
}

impl Component for CutTorque {
    fn contribute(p: CutTorqueParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.cut.measure(c, [None, Some("torque")])
    }
}

component! {
    /// Sensor of cut force and cut torque in a rigid connection.
    ///
    /// # Equations
    /// `frame_a` and `frame_b` coincide; `force` is `frame_a.f` and `torque` is `frame_a.t`, what
    /// acts on the sensor at `frame_a`, in the axes of `resolve_in_frame`; the opposite without
    /// `positive_sign`. The sensor only transmits.
    pub struct CutForceAndTorque = "Modelica.Mechanics.MultiBody.Sensors.CutForceAndTorque" {
        ..cut: cut_sensor,
    }
    variables {
        /// Cut force, in the chosen axes
        force: Vector["N"],
        /// Cut torque, in the chosen axes
        torque: Vector["N.m"],
    }
}

impl Component for CutForceAndTorque {
    fn contribute(p: CutForceAndTorqueParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.cut.measure(c, [Some("force"), Some("torque")])
    }
}
