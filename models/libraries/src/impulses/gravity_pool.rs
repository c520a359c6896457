//! Gravity between bodies.

use mechanics::assembly::{AnyPort, At, NamedPorts, PortEntry, element};
use mechanics::declaration::prelude::*;
use mechanics::port::indices;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::statements::spatial::wrench::Wrench;
use mechanics::vector::{dot, norm, scale, zero};

component! {
    /// Gravity between any number of bodies.
    ///
    /// It describes planets, moons and satellites that attract each other.
    ///
    /// # Equations
    /// For each pair of frames with masses `m_i` and `m_j` at a distance `r`, an attractive force
    /// `G m_i m_j / r^2` acts; the potential energy is `-G m_i m_j / r`. These forces act in
    /// addition to the gravity of the world.
    ///
    /// The default of `G` is that of the Modelica Standard Library 2.2.
    pub struct GravityPool = "MultiBondLib.Mechanics3DwithImpulses.World3D" {
        /// Newton's constant
        gravitational_constant "G": Real["m3/(kg.s2)", >= 0, structural zero] = 6.6742e-11,
        /// Mass of the body at the frame
        m: [Real]["kg", >= 0],
    }
    ports {
        /// Frames of the bodies, whose masses must be given as well
        frames: Frames,
    }
}

impl Component for GravityPool {
    fn contribute(p: GravityPoolParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = |k: usize| c.frame(element("frames", k + 1));
        let frames: Vec<FrameEnd> = (0..p.m.len()).map(frame).collect();
        c.law(move |e| {
            let mut forces = vec![zero(); frames.len()];
            for (i, &m_i) in p.m.iter().enumerate() {
                for (j, &m_j) in p.m.iter().enumerate().skip(i + 1) {
                    let r = e.pose(frames[j]).r - e.pose(frames[i]).r;
                    let energy = p.gravitational_constant * m_i * m_j / norm(&r);
                    e.add_potential(-energy);
                    let pull = scale(&r, energy / dot(&r, &r));
                    forces[i] += pull;
                    forces[j] -= pull;
                }
            }
            for (frame, force) in frames.into_iter().zip(forces) {
                let into = -(e.pose(frame).t * force);
                e.set_wrench(frame, Wrench::of_force(into));
            }
            Ok(())
        });
        Ok(())
    }
}

/// The frames of a [`GravityPool`].
#[derive(Clone, Copy, Debug)]
pub struct Frames(At, &'static str);

impl PortEntry for Frames {
    fn at(at: At, name: &'static str) -> Self {
        Frames(at, name)
    }
}

impl NamedPorts for Frames {
    fn named(&self, name: &str) -> Vec<AnyPort> {
        let Frames(at, frames) = self;
        match indices(name) {
            Some(([number], rest)) => at.frame(element(frames, number)).named(rest),
            None => Vec::new(),
        }
    }
}

impl GravityPoolPorts {
    /// The frame of a mass, counted from 1: `frames[1]`, `frames[2]`...
    pub fn frame(self, number: usize) -> Frame {
        let Frames(at, name) = self.frames;
        at.frame(element(name, number))
    }
}
