//! A rigid rotating mass between two flanges.

use crate::interfaces::rigid;
use mechanics::component::Starts;
use mechanics::declaration::prelude::*;
use mechanics::domain::ROTATIONAL;

component! {
    /// 1-D rotational component with inertia.
    ///
    /// It is a rotor, a flywheel, a gear wheel or any other part of a drive train that turns.
    ///
    /// # Equations
    /// `phi = flange_a.phi = flange_b.phi`, `w = der(phi)`, `a = der(w)`,
    /// `J a = flange_a.tau + flange_b.tau`.
    ///
    /// In a drive train that is mounted on a moving part, `phi`, `w` and `a` are relative to the
    /// part, and the component is a [`Rotor1D`](crate::multibody::Rotor1D).
    pub struct Inertia = "Modelica.Mechanics.Rotational.Components.Inertia" {
        /// Moment of inertia
        J: Real["kg.m2", >= 0],
        /// Start value of the angle
        phi: Start["rad"] = free(),
        /// Start value of the angular velocity
        w: Start["rad/s"] = free(),
        /// Initial acceleration; used only if it is fixed
        a: Start["rad/s2"] = free(),
        /// Preference of `phi` and `w` as states
        states: StateSelect = StateSelect::Default,
    }
    ports {
        /// Left flange
        flange_a: Flange,
        /// Right flange
        flange_b: Flange,
    }
    variables {
        /// Absolute rotation angle
        phi: Real["rad"],
        /// Absolute angular velocity
        w: Real["rad/s"],
        /// Absolute angular acceleration
        a: Real["rad/s2"],
    }
}

impl Component for Inertia {
    fn contribute(p: InertiaParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let starts = Starts { position: p.phi, speed: p.w };
        let end = rigid::inertial(c, &ROTATIONAL, p.J, None, starts, p.states);
        rigid::initial_acceleration(c, end, p.a);
        Ok(())
    }
}
