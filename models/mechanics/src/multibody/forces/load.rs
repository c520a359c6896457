//! What the forces and torques that signals give have in common.

use crate::assembly::{PortId, element};
use crate::compile::structure::{FrameEnd, Twist};
use crate::component::Contribution;
use crate::error::Error;
use crate::multibody::resolve::{Axes, ResolveInFrameAB};
use crate::vector::{cross, zero};

/// Default, setter and law of a component that exerts the force and the torque of some inputs on
/// `frame_b`.
macro_rules! load {
    ($Load:ident, $Ports:ident, $Resolve:ident::$default:ident, $reaction:expr,
     $force:expr, $torque:expr) => {
        impl Default for $Load {
            fn default() -> Self {
                $Load { resolve_in_frame: $Resolve::$default }
            }
        }

        $crate::setters! {
            impl $Load {
                /// Axes in which the inputs are given.
                resolve_in_frame: $Resolve,
            }
        }

        impl $crate::component::OldComponent for $Load {
            type Ports = $Ports;

            fn contribute(
                &self,
                c: &mut $crate::component::Contribution<'_>,
            ) -> Result<(), $crate::error::Error> {
                let axes = self.resolve_in_frame;
                $crate::multibody::forces::load::act(c, $reaction, axes, $force, $torque)
            }
        }
    };
}
pub(super) use load;

/// Exerts the force and the torque of two inputs on `frame_b`, and the reaction on the frame
/// `reaction`; without it the world takes that.
pub fn act(
    c: &mut Contribution<'_>,
    reaction: Option<&'static str>,
    resolve: impl Into<ResolveInFrameAB>,
    force: Option<&'static str>,
    torque: Option<&'static str>,
) -> Result<(), Error> {
    let frame_a = reaction.map(|port| c.frame(port));
    let frame_b = c.frame("frame_b");
    let axes = Axes::new(c, resolve)?;
    let mut inputs = |port: Option<&'static str>, unit: &str| {
        let Some(port) = port else { return Ok(None) };
        (1..=3).for_each(|i| c.unit_of(element(port, i), unit));
        c.inputs(port).map(Some)
    };
    let (force, torque) = (inputs(force, "N")?, inputs(torque, "N.m")?);
    c.law(move |e| {
        let mut read = |inputs: Option<[PortId; 3]>| match inputs {
            Some(inputs) => e.read_vector(inputs),
            None => Ok(zero()),
        };
        let (force, torque) = (read(force)?, read(torque)?);
        let at = |frame: FrameEnd| Twist {
            w: axes.resolve_in(Axes::Frame(frame), e, &torque),
            v: axes.resolve_in(Axes::Frame(frame), e, &force),
        };
        let on_b = at(frame_b);
        if let Some(frame_a) = frame_a {
            let (a, b) = (e.pose(frame_a), e.pose(frame_b));
            let mut into_a = at(frame_a);
            into_a.w += cross(&(a.t * (b.r - a.r)), &into_a.v);
            e.set_wrench(frame_a, into_a);
        }
        e.set_wrench(frame_b, Twist { w: -on_b.w, v: -on_b.v });
        Ok(())
    });
    Ok(())
}
