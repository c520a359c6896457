//! Forces and torques given by signals, exerted by the world or by another frame.

use crate::multibody::resolve::{Axes, ResolveInFrameAB, ResolveInFrameB};
use mechanics::declaration::{group, prelude::*};
use mechanics::scene::{Load, Shape};
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::statements::spatial::wrench::Wrench;
use mechanics::vector::{Vector, cross, zero};

group! {
    /// A load that the world exerts on a frame.
    pub struct LoadOfWorld(load_of_world) {
        /// Axes in which the inputs are resolved
        resolve_in_frame "resolveInFrame": ResolveInFrameB = ResolveInFrameB::World,
    }
    ports {
        /// Frame on which the load acts
        frame_b: Frame,
        /// Frame in which the inputs are resolved; used only with FrameResolve
        frame_resolve: Frame,
    }
}

group! {
    /// A load that one frame exerts on another one.
    pub struct LoadOfFrame(load_of_frame) {
        /// Axes in which the inputs are resolved
        resolve_in_frame "resolveInFrame": ResolveInFrameAB = ResolveInFrameAB::FrameB,
    }
    ports {
        /// Frame that takes the reaction
        frame_a: Frame,
        /// Frame on which the load acts
        frame_b: Frame,
        /// Frame in which the inputs are resolved; used only with FrameResolve
        frame_resolve: Frame,
    }
}

component! {
    /// External force on `frame_b`, given by three signals.
    ///
    /// It is a load from outside, such as wind or thrust.
    ///
    /// # Equations
    /// `frame_b.f = -force` and `frame_b.t = 0`, with `force` resolved as `resolveInFrame` selects.
    pub struct WorldForce = "Modelica.Mechanics.MultiBody.Forces.WorldForce" {
        ..load: load_of_world,
    }
    ports {
        /// Force on the parts connected to frame_b
        force: [Input; 3]["N"],
    }
}

impl Component for WorldForce {
    fn contribute(p: WorldForceParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let load = LoadFrames::of_world(c, p.load, &[Load::Force])?;
        let force = c.inputs("force")?;
        c.law(move |e| load.act([e.read_vector(force)?, zero()], e));
        Ok(())
    }
}

component! {
    /// External torque on `frame_b`, given by three signals.
    ///
    /// It is a load from outside that turns a part, such as that of a magnetic field on a
    /// satellite.
    ///
    /// # Equations
    /// `frame_b.t = -torque` and `frame_b.f = 0`, with `torque` resolved as `resolveInFrame`
    /// selects.
    pub struct WorldTorque = "Modelica.Mechanics.MultiBody.Forces.WorldTorque" {
        ..load: load_of_world,
    }
    ports {
        /// Torque on the parts connected to frame_b
        torque: [Input; 3]["N.m"],
    }
}

impl Component for WorldTorque {
    fn contribute(p: WorldTorqueParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let load = LoadFrames::of_world(c, p.load, &[Load::Torque])?;
        let torque = c.inputs("torque")?;
        c.law(move |e| load.act([zero(), e.read_vector(torque)?], e));
        Ok(())
    }
}

component! {
    /// External force and torque on `frame_b`, given by six signals.
    ///
    /// It is a load from outside as another program computes it, such as that of a tyre or of a
    /// wing.
    ///
    /// # Equations
    /// `frame_b.f = -force` and `frame_b.t = -torque`, with both resolved as `resolveInFrame`
    /// selects.
    pub struct WorldForceAndTorque = "Modelica.Mechanics.MultiBody.Forces.WorldForceAndTorque" {
        ..load: load_of_world,
    }
    ports {
        /// Force on the parts connected to frame_b
        force: [Input; 3]["N"],
        /// Torque on the parts connected to frame_b
        torque: [Input; 3]["N.m"],
    }
}

impl Component for WorldForceAndTorque {
    fn contribute(p: WorldForceAndTorqueParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let load = LoadFrames::of_world(c, p.load, &BOTH)?;
        let (force, torque) = (c.inputs("force")?, c.inputs("torque")?);
        c.law(move |e| load.act([e.read_vector(force)?, e.read_vector(torque)?], e));
        Ok(())
    }
}

component! {
    /// Force between two frames, given by three signals.
    ///
    /// It is an actuator, or a force law of your own, between two parts.
    ///
    /// # Equations
    /// Let `f` be the force in world axes and `r` the position of `frame_b` relative to `frame_a`.
    /// The force `f` acts on the parts connected to `frame_b`; the reaction `-f` and its moment
    /// `-r x f` act on those connected to `frame_a`. The inputs are resolved as `resolveInFrame`
    /// selects.
    pub struct Force = "Modelica.Mechanics.MultiBody.Forces.Force" {
        ..load: load_of_frame,
    }
    ports {
        /// Force on the parts connected to frame_b
        force: [Input; 3]["N"],
    }
}

impl Component for Force {
    fn contribute(p: ForceParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let load = LoadFrames::of_frame(c, p.load, &[Load::Force])?;
        let force = c.inputs("force")?;
        c.law(move |e| load.act([e.read_vector(force)?, zero()], e));
        Ok(())
    }
}

component! {
    /// Torque between two frames, given by three signals.
    ///
    /// It is an actuator, or a law of your own, that turns two parts against each other.
    ///
    /// # Equations
    /// The torque acts on the parts connected to `frame_b`, and its opposite on those connected to
    /// `frame_a`. The inputs are resolved as `resolveInFrame` selects.
    pub struct Torque = "Modelica.Mechanics.MultiBody.Forces.Torque" {
        ..load: load_of_frame,
    }
    ports {
        /// Torque on the parts connected to frame_b
        torque: [Input; 3]["N.m"],
    }
}

impl Component for Torque {
    fn contribute(p: TorqueParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let load = LoadFrames::of_frame(c, p.load, &[Load::Torque])?;
        let torque = c.inputs("torque")?;
        c.law(move |e| load.act([zero(), e.read_vector(torque)?], e));
        Ok(())
    }
}

component! {
    /// Force and torque between two frames, given by six signals.
    ///
    /// It is a bushing or another law of your own for all six directions.
    ///
    /// # Equations
    /// Those of a [`Force`] and a [`Torque`] between the same frames.
    pub struct ForceAndTorque = "Modelica.Mechanics.MultiBody.Forces.ForceAndTorque" {
        ..load: load_of_frame,
    }
    ports {
        /// Force on the parts connected to frame_b
        force: [Input; 3]["N"],
        /// Torque on the parts connected to frame_b
        torque: [Input; 3]["N.m"],
    }
}

impl Component for ForceAndTorque {
    fn contribute(p: ForceAndTorqueParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let load = LoadFrames::of_frame(c, p.load, &BOTH)?;
        let (force, torque) = (c.inputs("force")?, c.inputs("torque")?);
        c.law(move |e| load.act([e.read_vector(force)?, e.read_vector(torque)?], e));
        Ok(())
    }
}

/// The frames of a load.
#[derive(Clone, Copy, Debug)]
struct LoadFrames {
    /// The frame that takes the reaction; `None`: the world.
    frame_a: Option<FrameEnd>,
    frame_b: FrameEnd,
    /// The axes in which the load is given.
    axes: Axes,
    /// The loads that have arrows, if a scene is wanted.
    drawn: &'static [Load],
}

/// A force and a torque.
const BOTH: [Load; 2] = [Load::Force, Load::Torque];

impl LoadFrames {
    fn of_world(
        c: &mut Contribution<'_>,
        p: LoadOfWorld,
        loads: &'static [Load],
    ) -> Result<Self, Error> {
        let (frame_b, drawn) = (c.frame("frame_b"), arrows(c, loads));
        Ok(LoadFrames { frame_a: None, frame_b, axes: Axes::new(c, p.resolve_in_frame)?, drawn })
    }

    fn of_frame(
        c: &mut Contribution<'_>,
        p: LoadOfFrame,
        loads: &'static [Load],
    ) -> Result<Self, Error> {
        let (frame_a, frame_b) = (Some(c.frame("frame_a")), c.frame("frame_b"));
        let drawn = arrows(c, loads);
        Ok(LoadFrames { frame_a, frame_b, axes: Axes::new(c, p.resolve_in_frame)?, drawn })
    }

    /// Exerts a force and a torque on the parts connected to `frame_b`, and the reaction on those
    /// connected to `frame_a`.
    fn act(self, [force, torque]: [Vector; 2], e: &mut SignalView<'_>) -> Result<(), Error> {
        let at = |frame: FrameEnd| Wrench {
            torque: self.axes.resolve_in(Axes::Frame(frame), e, &torque),
            force: self.axes.resolve_in(Axes::Frame(frame), e, &force),
        };
        let on_b = at(self.frame_b);
        if let Some(frame_a) = self.frame_a {
            let (a, b) = (e.pose(frame_a), e.pose(self.frame_b));
            let mut into_a = at(frame_a);
            into_a.torque += cross(&(a.t * (b.r - a.r)), &into_a.force);
            e.set_wrench(frame_a, into_a);
        }
        let into_b = -on_b;
        for load in self.drawn {
            let (name, unit, text, value) = match load {
                Load::Force => (FORCE, "N", "Cut force, resolved in frame_b", &into_b.force),
                Load::Torque => (TORQUE, "N.m", "Cut torque, resolved in frame_b", &into_b.torque),
            };
            let full = e.full(name);
            e.model().announce(&full, unit, text);
            e.publish(name, value);
        }
        e.set_wrench(self.frame_b, into_b);
        Ok(())
    }
}

/// The load into the component at `frame_b`, which is a variable if it has an arrow.
const FORCE: &str = "frame_b.f";
const TORQUE: &str = "frame_b.t";

/// Adds arrows of loads on the parts connected to `frame_b`; none if no scene is wanted.
fn arrows(c: &mut Contribution<'_>, loads: &'static [Load]) -> &'static [Load] {
    for &load in loads {
        let name = if load == Load::Force { FORCE } else { TORQUE };
        c.shape("frame_b", |nominal| Shape::cut(name, load, nominal));
    }
    if c.has_scene() { loads } else { &[] }
}
