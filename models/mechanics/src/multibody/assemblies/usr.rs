//! Universal - spherical - revolute and universal - spherical - prismatic joints.

use super::dyad::{Dyad, FirstRod, Guide, dyad_setters};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use crate::vector::{X, Z};

/// Universal - spherical - revolute joint aggregation.
///
/// # Equations
/// Rod 1 has a universal joint at `frame_a`, that turns first about `n1_a`, and ends in a spherical
/// joint; rod 2 leads from there to a revolute joint about `n_b` at `frame_b`. `frame_ia` is fixed
/// to rod 1, `frame_ib` and `frame_im` to rod 2. `phi + phi_offset` is what rod 1 needs to have its
/// length. Nothing has mass; no states.
///
/// The coordinate has two solutions: the one nearer to `phi_guess` at the start is kept, as
/// `branch` tells. Where they meet there is none beyond, and the evaluation fails.
///
/// # Variables
/// `rRod1_ia` in m, from `frame_a` to the spherical joint in `frame_ia`; `rRod2_ib` in m, from the
/// revolute joint to the spherical joint in `frame_ib`; `n1_a` and `n_b` without unit, default
/// `{0, 0, 1}`; `phi` in rad with `w`, `a`; `phi_offset` and `phi_guess` in deg, default 0.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Assemblies.JointUSR.
#[derive(Clone, Debug)]
pub struct JointUSR {
    dyad: Dyad,
}

ports! {
    /// Ports and variables of a [`JointUSR`].
    pub struct JointUSRPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Frame fixed to rod 1, at the origin of `frame_a`.
        frame_ia: frame,
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

impl Default for JointUSR {
    fn default() -> Self {
        JointUSR::rods(X, [-1.0, 0.0, 0.0])
    }
}

impl JointUSR {
    /// With the rods `rRod1_ia` and `rRod2_ib` in m.
    pub fn rods(r_rod1_ia: [f64; 3], r_rod2_ib: [f64; 3]) -> Self {
        let first = FirstRod::Universal { n1_a: ("n1_a", Z), r_rod1_ia };
        JointUSR { dyad: Dyad::new(first, Guide::Revolute(Z), r_rod2_ib) }
    }

    /// First axis of the universal joint, resolved in `frame_a`.
    #[must_use]
    pub fn n1_a(mut self, n1_a: [f64; 3]) -> Self {
        self.dyad.first.set_n1_a(n1_a);
        self
    }

    /// Axis of the revolute joint, resolved in `frame_b`.
    #[must_use]
    pub fn n_b(mut self, n_b: [f64; 3]) -> Self {
        self.dyad.guide = Guide::Revolute(n_b);
        self
    }
}

dyad_setters!(JointUSR, phi_offset, phi_guess, "deg");

impl OldComponent for JointUSR {
    type Ports = JointUSRPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        self.dyad.contribute(c)
    }
}

/// Universal - spherical - prismatic joint aggregation.
///
/// # Equations
/// Rod 1 has a universal joint at `frame_a`, that turns first about `n1_a`, and ends in a spherical
/// joint; rod 2 leads from there to a prismatic joint along `n_b` at `frame_b`. `frame_ia` is fixed
/// to rod 1, `frame_ib` and `frame_im` to rod 2. `s + s_offset` is what rod 1 needs to have its
/// length. Nothing has mass; no states.
///
/// The coordinate has two solutions: the one nearer to `s_guess` at the start is kept, as `branch`
/// tells. Where they meet there is none beyond, and the evaluation fails.
///
/// # Variables
/// `rRod1_ia` in m, from `frame_a` to the spherical joint in `frame_ia`; `rRod2_ib` in m, from the
/// prismatic joint to the spherical joint in `frame_ib`; `n1_a`, default `{0, 0, 1}`, and `n_b`,
/// default `{-1, 0, 0}`, without unit; `s` in m with `v`, `a`; `s_offset` and `s_guess` in m,
/// default 0.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Assemblies.JointUSP.
#[derive(Clone, Debug)]
pub struct JointUSP {
    dyad: Dyad,
}

ports! {
    /// Ports and variables of a [`JointUSP`].
    pub struct JointUSPPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Frame fixed to rod 1, at the origin of `frame_a`.
        frame_ia: frame,
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

impl Default for JointUSP {
    fn default() -> Self {
        JointUSP::rods(X, [-1.0, 0.0, 0.0])
    }
}

impl JointUSP {
    /// With the rods `rRod1_ia` and `rRod2_ib` in m.
    pub fn rods(r_rod1_ia: [f64; 3], r_rod2_ib: [f64; 3]) -> Self {
        let first = FirstRod::Universal { n1_a: ("n1_a", Z), r_rod1_ia };
        JointUSP { dyad: Dyad::new(first, Guide::Prismatic([-1.0, 0.0, 0.0]), r_rod2_ib) }
    }

    /// First axis of the universal joint, resolved in `frame_a`.
    #[must_use]
    pub fn n1_a(mut self, n1_a: [f64; 3]) -> Self {
        self.dyad.first.set_n1_a(n1_a);
        self
    }

    /// Axis of the prismatic joint, resolved in `frame_b`.
    #[must_use]
    pub fn n_b(mut self, n_b: [f64; 3]) -> Self {
        self.dyad.guide = Guide::Prismatic(n_b);
        self
    }
}

dyad_setters!(JointUSP, s_offset, s_guess, "m");

impl OldComponent for JointUSP {
    type Ports = JointUSPPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        self.dyad.contribute(c)
    }
}
