//! Linear springs and dampers between two frames.

use super::line_force::{LineEnds, LineForce, Tension, line_ends};
use crate::interfaces::losses::losses;
use mechanics::declaration::prelude::*;
use mechanics::scene::Shape;

component! {
    /// Linear translational spring between two frames.
    ///
    /// It is a coil spring or a rope between two parts; its own mass may be in its middle.
    ///
    /// # Equations
    /// `f = c (s - s_unstretched)` along the line between the frames, where `s` is the length of
    /// the line, but not less than `s_small`. A point mass `m` moves with the line, at
    /// `lengthFraction` of the distance from `frame_a` to `frame_b`.
    pub struct Spring = "Modelica.Mechanics.MultiBody.Forces.Spring" {
        /// Spring constant
        c: Real["N/m", >= 0, structural zero],
        /// Unstretched length of the spring
        s_unstretched: Real["m"] = 0,
        /// Mass, a point mass on the line between the frames
        m: Real["kg", >= 0, structural zero] = 0,
        /// Relative position of the mass: 0 at frame_a, 1 at frame_b
        length_fraction "lengthFraction": Real["1", 0..=1, on demand, fixed] = 0.5,
        ..line: line_ends,
    }
    variables {
        /// Line force, positive if it pulls the frames towards each other
        f: Real["N"],
    }
}

impl Component for Spring {
    fn contribute(p: SpringParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.shape("frame_a", |nominal| Shape::spring("frame_b", nominal));
        let line = LineForce::new(c, p.line);
        line.mass(c, p.m, p.length_fraction)?;
        line.law(c, move |_, line| {
            let stretch = line.s - p.s_unstretched;
            let energy = p.c * stretch.square() * 0.5;
            Tension { f: p.c * stretch, energy, loss_power: None }
        });
        Ok(())
    }
}

component! {
    /// Linear translational damper between two frames.
    ///
    /// It is a shock absorber without its spring.
    ///
    /// # Equations
    /// `f = d der(s)` along the line between the frames, where `s` is the length of the line, but
    /// not less than `s_small`. `lossPower = f der(s)`.
    pub struct Damper = "Modelica.Mechanics.MultiBody.Forces.Damper" {
        /// Damping constant
        d: Real["N.s/m", >= 0, structural zero],
        ..line: line_ends,
        ..losses,
    }
    variables {
        /// Line force, positive if it pulls the frames towards each other
        f: Real["N"],
    }
}

impl Component for Damper {
    fn contribute(p: DamperParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.shape("frame_a", |nominal| Shape::damper("frame_b", nominal));
        LineForce::new(c, p.line).law(c, move |_, line| {
            let f = p.d * line.speed;
            Tension { f, energy: Ex::zero(), loss_power: Some(f * line.speed) }
        });
        Ok(())
    }
}

component! {
    /// Linear spring and linear damper in parallel between two frames.
    ///
    /// It is the spring strut of a vehicle, or an elastic support.
    ///
    /// # Equations
    /// `f = c (s - s_unstretched) + f_d` with `f_d = d der(s)` along the line between the frames,
    /// where `s` is the length of the line, but not less than `s_small`. `lossPower = f_d der(s)`.
    pub struct SpringDamperParallel =
        "Modelica.Mechanics.MultiBody.Forces.SpringDamperParallel"
    {
        /// Spring constant
        c: Real["N/m", >= 0, structural zero],
        /// Damping constant
        d: Real["N.s/m", >= 0, structural zero] = 0,
        /// Unstretched length of the spring
        s_unstretched: Real["m"] = 0,
        ..line: line_ends,
        ..losses,
    }
    variables {
        /// Line force, positive if it pulls the frames towards each other
        f: Real["N"],
        /// Damping force
        f_d: Real["N"],
    }
}

impl Component for SpringDamperParallel {
    fn contribute(
        p: SpringDamperParallelParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        c.shape("frame_a", |nominal| Shape::spring("frame_b", nominal));
        LineForce::new(c, p.line).law(c, move |e, line| {
            let stretch = line.s - p.s_unstretched;
            let f_d = p.d * line.speed;
            e.variable("f_d", f_d);
            Tension {
                f: p.c * stretch + f_d,
                energy: p.c * stretch.square() * 0.5,
                loss_power: Some(f_d * line.speed),
            }
        });
        Ok(())
    }
}

component! {
    /// Linear spring and linear damper in series between two frames.
    ///
    /// It is a damper with elastic mounts, or a material that creeps.
    ///
    /// # Equations
    /// `f = c (s - s_unstretched - s_damper)` and `d der(s_damper) = f` along the line between the
    /// frames, where `s` is the length of the line, but not less than `s_small`.
    /// `lossPower = f der(s_damper)`.
    pub struct SpringDamperSeries = "Modelica.Mechanics.MultiBody.Forces.SpringDamperSeries" {
        /// Spring constant
        c: Real["N/m", >= 0, structural zero],
        /// Damping constant
        d: Real["N.s/m", > 0],
        /// Unstretched length of the spring
        s_unstretched: Real["m"] = 0,
        /// Start value of the length of the damper
        s_damper_start: Real["m", structural] = 0,
        ..line: line_ends,
        ..losses,
    }
    variables {
        /// Line force, positive if it pulls the frames towards each other
        f: Real["N"],
        /// Length of the damper
        s_damper: Real["m"],
    }
}

impl Component for SpringDamperSeries {
    fn contribute(p: SpringDamperSeriesParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.shape("frame_a", |nominal| Shape::spring("frame_b", nominal));
        let name = c.full("s_damper");
        let s_damper = c.model().state(&name, p.s_damper_start).done();
        LineForce::new(c, p.line).law(c, move |e, line| {
            let stretch = line.s - p.s_unstretched - s_damper;
            let f = p.c * stretch;
            let speed = f / p.d;
            e.define("s_damper", s_damper);
            e.model().derivative(s_damper, speed);
            let energy = p.c * stretch.square() * 0.5;
            Tension { f, energy, loss_power: Some(f * speed) }
        });
        Ok(())
    }
}
