//! Planar assemblies: three revolute joints, or two and a prismatic one.

use super::dyad::{Dyad, FirstRod, Guide, dyad_setters};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use crate::vector::{X, Z};

/// Planar revolute - revolute - revolute joint aggregation.
///
/// # Equations
/// Rod 1 turns about `n_a` at `frame_a`, rod 2 about the same direction at `frame_b`, and both
/// against each other about it. `frame_ia` is fixed to rod 1, `frame_ib` and `frame_im` to rod 2.
/// That the frames move in a plane across `n_a` is up to what is connected: the middle joint is a
/// spherical one and the joint at `frame_a` a universal one, so that no equation is redundant. The
/// axis in `frame_b` follows from the start values. Nothing has mass; no states.
///
/// The coordinate has two solutions: the one nearer to `phi_guess` at the start is kept, as
/// `branch` tells. Where they meet there is none beyond, and the evaluation fails.
///
/// # Variables
/// `rRod1_ia` in m, from `frame_a` to the middle joint in `frame_ia`; `rRod2_ib` in m, from the
/// joint at `frame_b` to the middle joint in `frame_ib`; `n_a` without unit, default `{0, 0, 1}`;
/// `phi` in rad with `w`, `a`; `phi_offset` and `phi_guess` in deg, default 0.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Assemblies.JointRRR.
#[derive(Clone, Debug)]
pub struct JointRRR {
    dyad: Dyad,
}

ports! {
    /// Ports and variables of a [`JointRRR`].
    pub struct JointRRRPorts {
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

impl Default for JointRRR {
    fn default() -> Self {
        JointRRR::rods(X, [-1.0, 0.0, 0.0])
    }
}

impl JointRRR {
    /// With the rods `rRod1_ia` and `rRod2_ib` in m.
    pub fn rods(r_rod1_ia: [f64; 3], r_rod2_ib: [f64; 3]) -> Self {
        let first = FirstRod::Universal { n1_a: ("n_a", Z), r_rod1_ia };
        JointRRR { dyad: Dyad::new(first, Guide::RevoluteLike(Z), r_rod2_ib) }
    }

    /// Axis across the plane of motion, resolved in `frame_a`.
    #[must_use]
    pub fn n_a(mut self, n_a: [f64; 3]) -> Self {
        self.dyad.first.set_n1_a(n_a);
        self.dyad.guide = Guide::RevoluteLike(n_a);
        self
    }
}

dyad_setters!(JointRRR, phi_offset, phi_guess, "deg");

impl OldComponent for JointRRR {
    type Ports = JointRRRPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        self.dyad.contribute(c)
    }
}

/// Planar revolute - revolute - prismatic joint aggregation.
///
/// # Equations
/// Rod 1 turns about `n_a` at `frame_a` and against rod 2 about the same direction; rod 2 slides
/// along `n_b`, across `n_a`, at `frame_b`. `frame_ia` is fixed to rod 1, `frame_ib` and `frame_im`
/// to rod 2. That the frames move in a plane across `n_a` is up to what is connected: the middle
/// joint is a spherical one and the joint at `frame_a` a universal one, so that no equation is
/// redundant. Nothing has mass; no states.
///
/// The coordinate has two solutions: the one nearer to `s_guess` at the start is kept, as `branch`
/// tells. Where they meet there is none beyond, and the evaluation fails.
///
/// # Variables
/// `rRod1_ia` in m, from `frame_a` to the middle joint in `frame_ia`; `rRod2_ib` in m, from the
/// prismatic to the middle joint in `frame_ib`; `n_a`, default `{0, 0, 1}`, and `n_b`, default
/// `{-1, 0, 0}`, without unit; `s` in m with `v`, `a`; `s_offset` and `s_guess` in m, default 0.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Assemblies.JointRRP.
#[derive(Clone, Debug)]
pub struct JointRRP {
    dyad: Dyad,
}

ports! {
    /// Ports and variables of a [`JointRRP`].
    pub struct JointRRPPorts {
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

impl Default for JointRRP {
    fn default() -> Self {
        JointRRP::rods(X, [-1.0, 0.0, 0.0])
    }
}

impl JointRRP {
    /// With the rods `rRod1_ia` and `rRod2_ib` in m.
    pub fn rods(r_rod1_ia: [f64; 3], r_rod2_ib: [f64; 3]) -> Self {
        let first = FirstRod::Universal { n1_a: ("n_a", Z), r_rod1_ia };
        JointRRP { dyad: Dyad::new(first, Guide::Prismatic([-1.0, 0.0, 0.0]), r_rod2_ib) }
    }

    /// Axis across the plane of motion, resolved in `frame_a`.
    #[must_use]
    pub fn n_a(mut self, n_a: [f64; 3]) -> Self {
        self.dyad.first.set_n1_a(n_a);
        self
    }

    /// Axis of the prismatic joint, resolved in `frame_b`.
    #[must_use]
    pub fn n_b(mut self, n_b: [f64; 3]) -> Self {
        self.dyad.guide = Guide::Prismatic(n_b);
        self
    }
}

dyad_setters!(JointRRP, s_offset, s_guess, "m");

impl OldComponent for JointRRP {
    type Ports = JointRRPPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        self.dyad.contribute(c)
    }
}
