//! Spherical - spherical - revolute and spherical - spherical - prismatic joints.

use super::dyad::{Dyad, FirstRod, Guide, dyad_setters};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use crate::vector::{X, Z};

/// Spherical - spherical - revolute joint aggregation with mass.
///
/// # Equations
/// Rod 1 has spherical joints at `frame_a` and at its other end, and a point mass `rod1Mass` in its
/// middle; rod 2 leads from there to a revolute joint about `n_b` at `frame_b`. `frame_ib` and
/// `frame_im` are fixed to rod 2. `phi + phi_offset` is what rod 1 needs to have its length. No
/// states.
///
/// The coordinate has two solutions: the one nearer to `phi_guess` at the start is kept, as
/// `branch` tells. Where they meet there is none beyond, and the evaluation fails.
///
/// # Variables
/// `rod1Length` in m, `rod1Mass` in kg, default 0; `rRod2_ib` in m, from the revolute joint to the
/// spherical joint in `frame_ib`, default `{1, 0, 0}`; `n_b` without unit, default `{0, 0, 1}`;
/// `phi` in rad with `w`, `a`; `phi_offset` and `phi_guess` in deg, default 0.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Assemblies.JointSSR.
#[derive(Clone, Debug)]
pub struct JointSSR {
    dyad: Dyad,
}

ports! {
    /// Ports and variables of a [`JointSSR`].
    pub struct JointSSRPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Frame behind the joint at `frame_b`, fixed to rod 2.
        frame_ib: frame,
        /// Frame at the spherical joint, fixed to rod 2.
        frame_im: frame,
        /// Flange that moves with the joint at `frame_b`; open: no torque along it.
        axis: flange,
        /// Flange of that joint's housing; its reaction does not act on `frame_b`.
        bearing: flange,
        /// Angle of the joint at `frame_b` in rad, without its offset.
        phi: quantity,
        /// Its derivative in rad/s.
        w: quantity,
        /// Its second derivative in rad/s2.
        a: quantity,
    }
}

impl JointSSR {
    /// With a first rod of length `rod1Length` in m.
    pub fn rod1_length(rod1_length: f64) -> Self {
        let first = FirstRod::Spherical { length: rod1_length, mass: 0.0 };
        JointSSR { dyad: Dyad::new(first, Guide::Revolute(Z), X) }
    }

    /// Mass of rod 1 in kg, a point in its middle.
    #[must_use]
    pub fn rod1_mass(mut self, rod1_mass: f64) -> Self {
        self.dyad.first.set_mass(rod1_mass);
        self
    }

    /// Axis of the revolute joint, resolved in `frame_b`.
    #[must_use]
    pub fn n_b(mut self, n_b: [f64; 3]) -> Self {
        self.dyad.guide = Guide::Revolute(n_b);
        self
    }

    /// From the revolute joint to the spherical joint in m, resolved in `frame_ib`.
    #[must_use]
    pub fn r_rod2_ib(mut self, r_rod2_ib: [f64; 3]) -> Self {
        self.dyad.r_rod2_ib = r_rod2_ib;
        self
    }
}

dyad_setters!(JointSSR, phi_offset, phi_guess, "deg");

impl OldComponent for JointSSR {
    type Ports = JointSSRPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        self.dyad.contribute(c)
    }
}

/// Spherical - spherical - prismatic joint aggregation with mass.
///
/// # Equations
/// Rod 1 has spherical joints at `frame_a` and at its other end, and a point mass `rod1Mass` in its
/// middle; rod 2 leads from there to a prismatic joint along `n_b` at `frame_b`. `frame_ib` and
/// `frame_im` are fixed to rod 2. `s + s_offset` is what rod 1 needs to have its length. No states.
///
/// The coordinate has two solutions: the one nearer to `s_guess` at the start is kept, as `branch`
/// tells. Where they meet there is none beyond, and the evaluation fails.
///
/// The whole reaction of the mass acts on the prismatic joint; Modelica's formula for the force in
/// the rod leaves it out there.
///
/// # Variables
/// `rod1Length` in m, `rod1Mass` in kg, default 0; `rRod2_ib` in m, from the prismatic joint to the
/// spherical joint in `frame_ib`, default `{1, 0, 0}`; `n_b` without unit, default `{0, 0, 1}`; `s`
/// in m with `v`, `a`; `s_offset` and `s_guess` in m, default 0.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Assemblies.JointSSP.
#[derive(Clone, Debug)]
pub struct JointSSP {
    dyad: Dyad,
}

ports! {
    /// Ports and variables of a [`JointSSP`].
    pub struct JointSSPPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Frame behind the joint at `frame_b`, fixed to rod 2.
        frame_ib: frame,
        /// Frame at the spherical joint, fixed to rod 2.
        frame_im: frame,
        /// Flange that moves with the joint at `frame_b`; open: no force along it.
        axis: translational_flange,
        /// Flange of that joint's housing; its reaction does not act on `frame_b`.
        bearing: translational_flange,
        /// Distance along the joint at `frame_b` in m, without its offset.
        s: quantity,
        /// Its derivative in m/s.
        v: quantity,
        /// Its second derivative in m/s2.
        a: quantity,
    }
}

impl JointSSP {
    /// With a first rod of length `rod1Length` in m.
    pub fn rod1_length(rod1_length: f64) -> Self {
        let first = FirstRod::Spherical { length: rod1_length, mass: 0.0 };
        JointSSP { dyad: Dyad::new(first, Guide::Prismatic(Z), X) }
    }

    /// Mass of rod 1 in kg, a point in its middle.
    #[must_use]
    pub fn rod1_mass(mut self, rod1_mass: f64) -> Self {
        self.dyad.first.set_mass(rod1_mass);
        self
    }

    /// Axis of the prismatic joint, resolved in `frame_b`.
    #[must_use]
    pub fn n_b(mut self, n_b: [f64; 3]) -> Self {
        self.dyad.guide = Guide::Prismatic(n_b);
        self
    }

    /// From the prismatic joint to the spherical joint in m, resolved in `frame_ib`.
    #[must_use]
    pub fn r_rod2_ib(mut self, r_rod2_ib: [f64; 3]) -> Self {
        self.dyad.r_rod2_ib = r_rod2_ib;
        self
    }
}

dyad_setters!(JointSSP, s_offset, s_guess, "m");

impl OldComponent for JointSSP {
    type Ports = JointSSPPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        self.dyad.contribute(c)
    }
}
