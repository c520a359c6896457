//! Sensors of force and torque in a rigid connection of two frames.

use super::measure::{CutSensor, cut_sensor};
use crate::multibody::ResolveInFrameA;
use mechanics::declaration::prelude::*;

component! {
    /// Sensor of the cut force in a rigid connection.
    ///
    /// # Equations
    /// `frame_a` and `frame_b` coincide, and the sensor transmits force and torque. `force` is
    /// `frame_a.f`, the force on the sensor at `frame_a`, in the axes of `resolve_in_frame`. If
    /// `positive_sign` is false, it is the opposite.
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
    /// `frame_a` and `frame_b` coincide, and the sensor transmits force and torque. `torque` is
    /// `frame_a.t`, the torque on the sensor at `frame_a`, in the axes of `resolve_in_frame`. If
    /// `positive_sign` is false, it is the opposite.
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
    /// `frame_a` and `frame_b` coincide, and the sensor transmits force and torque. `force` is
    /// `frame_a.f` and `torque` is `frame_a.t`, which act on the sensor at `frame_a`, in the axes
    /// of `resolve_in_frame`. If `positive_sign` is false, they are the opposite.
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
