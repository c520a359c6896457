//! Sensors of what goes through a rigid connection of two frames.

use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::multibody::resolve::{Axes, ResolveInFrameA};
use crate::{ports, setters};

/// Which loads a sensor shows.
#[derive(Clone, Copy, PartialEq)]
enum Shown {
    Force,
    Torque,
    Both,
}

/// Joins `frame_a` and `frame_b` and publishes what acts on the sensor at `frame_a`.
fn measure(
    c: &mut Contribution<'_>,
    shown: Shown,
    resolve: ResolveInFrameA,
    positive_sign: bool,
) -> Result<(), Error> {
    let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
    let axes = Axes::new(c, resolve)?;
    let name = c.full("positiveSign");
    let text = "True if what acts on the sensor at frame_a counts, false if the opposite";
    c.model.constant(&name, f64::from(u8::from(positive_sign))).boolean().describe(text);
    let cut = c.cut(a, b);
    c.after(move |e| {
        let load = e.cut_load(&cut);
        let shown_in = |e: &_, v: &_| {
            let v = Axes::Frame(a).resolve_in(axes, e, v);
            if positive_sign { v } else { -v }
        };
        if shown != Shown::Torque {
            let force = shown_in(e, &load.v);
            e.vector("force", &force, "N", "Cut force, in the chosen axes");
        }
        if shown != Shown::Force {
            let torque = shown_in(e, &load.w);
            e.vector("torque", &torque, "N.m", "Cut torque, in the chosen axes");
        }
        Ok(())
    });
    Ok(())
}

/// Sensor of the cut force in a rigid connection.
///
/// # Equations
/// `frame_a` and `frame_b` coincide; `force` is `frame_a.f`, what acts on the sensor at `frame_a`,
/// in the axes of `resolve_in_frame`; the opposite without `positive_sign`. The sensor only
/// transmits.
///
/// # Variables
/// `force` in N; `resolve_in_frame` is `frame_a`, `positive_sign` true unless given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.CutForce.
#[derive(Clone, Debug)]
pub struct CutForce {
    resolve_in_frame: ResolveInFrameA,
    positive_sign: bool,
}

ports! {
    /// Ports and variables of a [`CutForce`] sensor.
    pub struct CutForcePorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// The frame in which the vector is resolved, with that choice only.
        frame_resolve: frame,
        /// Cut force in N.
        force: vector,
    }
}

impl Default for CutForce {
    fn default() -> Self {
        CutForce { resolve_in_frame: ResolveInFrameA::FrameA, positive_sign: true }
    }
}

setters! {
    impl CutForce {
        /// Axes in which the vector is resolved.
        resolve_in_frame: ResolveInFrameA,
        /// Whether what acts on the sensor at `frame_a` counts, or the opposite.
        positive_sign: bool,
    }
}

impl OldComponent for CutForce {
    type Ports = CutForcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        measure(c, Shown::Force, self.resolve_in_frame, self.positive_sign)
    }
}

/// Sensor of the cut torque in a rigid connection.
///
/// # Equations
/// `frame_a` and `frame_b` coincide; `torque` is `frame_a.t`, what acts on the sensor at `frame_a`,
/// in the axes of `resolve_in_frame`; the opposite without `positive_sign`. The sensor only
/// transmits.
///
/// # Variables
/// `torque` in N.m; `resolve_in_frame` is `frame_a`, `positive_sign` true unless given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.CutTorque.
#[derive(Clone, Debug)]
pub struct CutTorque {
    resolve_in_frame: ResolveInFrameA,
    positive_sign: bool,
}

ports! {
    /// Ports and variables of a [`CutTorque`] sensor.
    pub struct CutTorquePorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// The frame in which the vector is resolved, with that choice only.
        frame_resolve: frame,
        /// Cut torque in N.m.
        torque: vector,
    }
}

impl Default for CutTorque {
    fn default() -> Self {
        CutTorque { resolve_in_frame: ResolveInFrameA::FrameA, positive_sign: true }
    }
}

setters! {
    impl CutTorque {
        /// Axes in which the vector is resolved.
        resolve_in_frame: ResolveInFrameA,
        /// Whether what acts on the sensor at `frame_a` counts, or the opposite.
        positive_sign: bool,
    }
}

impl OldComponent for CutTorque {
    type Ports = CutTorquePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        measure(c, Shown::Torque, self.resolve_in_frame, self.positive_sign)
    }
}

/// Sensor of cut force and cut torque in a rigid connection.
///
/// # Equations
/// `frame_a` and `frame_b` coincide; `force` is `frame_a.f` and `torque` is `frame_a.t`, what acts
/// on the sensor at `frame_a`, in the axes of `resolve_in_frame`; the opposite without
/// `positive_sign`. The sensor only transmits.
///
/// # Variables
/// `force` in N, `torque` in N.m; `resolve_in_frame` is `frame_a`, `positive_sign` true unless
/// given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.CutForceAndTorque.
#[derive(Clone, Debug)]
pub struct CutForceAndTorque {
    resolve_in_frame: ResolveInFrameA,
    positive_sign: bool,
}

ports! {
    /// Ports and variables of a [`CutForceAndTorque`] sensor.
    pub struct CutForceAndTorquePorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// The frame in which the vectors are resolved, with that choice only.
        frame_resolve: frame,
        /// Cut force in N.
        force: vector,
        /// Cut torque in N.m.
        torque: vector,
    }
}

impl Default for CutForceAndTorque {
    fn default() -> Self {
        CutForceAndTorque { resolve_in_frame: ResolveInFrameA::FrameA, positive_sign: true }
    }
}

setters! {
    impl CutForceAndTorque {
        /// Axes in which the vectors are resolved.
        resolve_in_frame: ResolveInFrameA,
        /// Whether what acts on the sensor at `frame_a` counts, or the opposite.
        positive_sign: bool,
    }
}

impl OldComponent for CutForceAndTorque {
    type Ports = CutForceAndTorquePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        measure(c, Shown::Both, self.resolve_in_frame, self.positive_sign)
    }
}
