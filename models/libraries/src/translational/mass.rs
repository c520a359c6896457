//! A rigid sliding mass between two flanges.

use crate::interfaces::rigid;
use mechanics::component::Starts;
use mechanics::declaration::prelude::*;
use mechanics::domain::TRANSLATIONAL;

component! {
    /// Sliding mass with inertia.
    ///
    /// It is a carriage, a piston or any other part of a drive train that slides.
    ///
    /// # Equations
    /// `flange_a.s = s - L/2`, `flange_b.s = s + L/2`, `v = der(s)`, `a = der(v)`,
    /// `m a = flange_a.f + flange_b.f`.
    ///
    /// `L` is fixed because initial values depend on it.
    pub struct Mass = "Modelica.Mechanics.Translational.Components.Mass" {
        /// Mass of the sliding mass
        m: Real["kg", >= 0],
        /// Length from the left to the right flange
        L: Real["m", fixed] = 0,
        /// Start value of the position
        s: Start["m"] = free(),
        /// Start value of the velocity
        v: Start["m/s"] = free(),
        /// Initial acceleration; used only if it is fixed
        a: Start["m/s2"] = free(),
        /// Preference of `s` and `v` as states
        states: StateSelect = StateSelect::Default,
    }
    ports {
        /// Left flange
        flange_a: TranslationalFlange,
        /// Right flange
        flange_b: TranslationalFlange,
    }
    variables {
        /// Absolute position
        s: Real["m"],
        /// Absolute velocity
        v: Real["m/s"],
        /// Absolute acceleration
        a: Real["m/s2"],
    }
}

impl Component for Mass {
    fn contribute(p: MassParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let starts = Starts { position: p.s, speed: p.v };
        let middle = rigid::inertial(c, &TRANSLATIONAL, p.m, Some(p.L), starts, p.states);
        rigid::initial_acceleration(c, middle, p.a);
        Ok(())
    }
}
