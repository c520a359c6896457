//! Gravity between bodies.

use crate::assembly::{At, Frame, element};
use crate::compile::structure::{FrameEnd, Twist};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::vector::{dot, norm, scale, zero};
use equations::Ex;

/// Newton's constant in m3/(kg.s2), as the Modelica Standard Library 2.2 has it.
const G: f64 = 6.6742e-11;

/// Gravity between any number of bodies.
///
/// # Equations
/// Between each two frames, with masses `m_i` and `m_j` at a distance `r`, the force `G m_i m_j /
/// r^2` pulls them together; potential energy `-G m_i m_j / r`. It comes on top of the gravity of
/// the world.
///
/// # Variables
/// `m` in kg, one for each frame: that of the body there, which has to be given beside; `G` in
/// m3/(kg.s2), default 6.6742e-11.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.World3D with `gravityPoolSize`.
#[derive(Clone, Debug)]
pub struct GravityPool {
    m: Vec<f64>,
    constant: f64,
}

/// The ports of a [`GravityPool`].
#[derive(Clone, Copy, Debug)]
pub struct GravityPoolPorts {
    at: At,
}

impl From<At> for GravityPoolPorts {
    fn from(at: At) -> Self {
        GravityPoolPorts { at }
    }
}

impl GravityPoolPorts {
    /// The frame of a mass, counted from 1: `frames[1]`, `frames[2]`...
    pub fn frame(self, number: usize) -> Frame {
        self.at.frame(element("frames", number))
    }
}

impl GravityPool {
    /// Of bodies with masses in kg.
    pub fn m(m: impl IntoIterator<Item = f64>) -> Self {
        GravityPool { m: m.into_iter().collect(), constant: G }
    }

    /// Newton's constant in m3/(kg.s2).
    #[must_use]
    pub fn gravitational_constant(self, constant: f64) -> Self {
        GravityPool { constant, ..self }
    }
}

impl OldComponent for GravityPool {
    type Ports = GravityPoolPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let constant = c.amount("G", self.constant, "m3/(kg.s2)", "Newton's constant")?;
        let mut bodies: Vec<(Ex, FrameEnd)> = Vec::new();
        for (k, &m) in self.m.iter().enumerate() {
            let m = c.amount(element("m", k + 1), m, "kg", "Mass of the body at the frame")?;
            bodies.push((m, c.frame(element("frames", k + 1))));
        }
        c.law(move |e| {
            let mut forces = vec![zero(); bodies.len()];
            for (i, (m_i, frame_i)) in bodies.iter().enumerate() {
                for (j, (m_j, frame_j)) in bodies.iter().enumerate().skip(i + 1) {
                    let r = e.pose(*frame_j).r - e.pose(*frame_i).r;
                    let energy = constant * *m_i * *m_j / norm(&r);
                    e.add_potential(-energy);
                    let pull = scale(&r, energy / dot(&r, &r));
                    forces[i] += pull;
                    forces[j] -= pull;
                }
            }
            for ((_, frame), force) in bodies.into_iter().zip(forces) {
                let into = -(e.pose(frame).t * force);
                e.set_wrench(frame, Twist { v: into, ..Twist::zero() });
            }
            Ok(())
        });
        Ok(())
    }
}
