//! The axes in which vectors of forces and sensors are resolved.

use mechanics::component::Contribution;
use mechanics::declaration::choice;
use mechanics::error::Error;
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::vector::Vector;

choice! {
    /// Axes in which a vector of a component with `frame_a` is resolved.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ResolveInFrameA {
        /// The axes of the world.
        World,
        /// The axes of `frame_a`.
        FrameA,
        /// The axes of `frame_resolve`, which must be connected.
        FrameResolve,
    }
}

choice! {
    /// Axes in which a vector of a component with `frame_b` is resolved.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ResolveInFrameB {
        /// The axes of the world.
        World,
        /// The axes of `frame_b`.
        FrameB,
        /// The axes of `frame_resolve`, which must be connected.
        FrameResolve,
    }
}

choice! {
    /// Axes in which a vector of a component with `frame_a` and `frame_b` is resolved.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ResolveInFrameAB {
        /// The axes of the world.
        World,
        /// The axes of `frame_a`.
        FrameA,
        /// The axes of `frame_b`.
        FrameB,
        /// The axes of `frame_resolve`, which must be connected.
        FrameResolve,
    }
}

impl From<ResolveInFrameA> for ResolveInFrameAB {
    fn from(resolve: ResolveInFrameA) -> Self {
        match resolve {
            ResolveInFrameA::World => ResolveInFrameAB::World,
            ResolveInFrameA::FrameA => ResolveInFrameAB::FrameA,
            ResolveInFrameA::FrameResolve => ResolveInFrameAB::FrameResolve,
        }
    }
}

impl From<ResolveInFrameB> for ResolveInFrameAB {
    fn from(resolve: ResolveInFrameB) -> Self {
        match resolve {
            ResolveInFrameB::World => ResolveInFrameAB::World,
            ResolveInFrameB::FrameB => ResolveInFrameAB::FrameB,
            ResolveInFrameB::FrameResolve => ResolveInFrameAB::FrameResolve,
        }
    }
}

/// Axes, as a law uses them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::multibody) enum Axes {
    /// The axes of the world.
    World,
    /// The axes of a frame.
    Frame(FrameEnd),
}

impl Axes {
    /// The axes that a component has chosen. `frame_resolve` must be connected if, and only if,
    /// they are its own.
    pub fn new(
        c: &mut Contribution<'_>,
        resolve: impl Into<ResolveInFrameAB>,
    ) -> Result<Self, Error> {
        let [axes] = Axes::several(c, [resolve.into()])?;
        Ok(axes)
    }

    /// Several axes that a component has chosen. `frame_resolve` must be connected if, and only if,
    /// some of them are its own.
    pub fn several<const N: usize>(
        c: &mut Contribution<'_>,
        resolve: [ResolveInFrameAB; N],
    ) -> Result<[Self; N], Error> {
        let given = c.optional_frame("frame_resolve");
        let port = c.full("frame_resolve");
        let wanted = resolve.contains(&ResolveInFrameAB::FrameResolve);
        let frame_resolve = match given {
            Some(_) if !wanted => {
                return Err(Error::Connection(format!(
                    "{port}: it is connected, but vectors are resolved in other axes ({})",
                    resolve.map(|resolve| format!("{resolve:?}")).join(", ")
                )));
            }
            None if wanted => {
                return Err(Error::Connection(format!(
                    "{port}: vectors are resolved in this frame, but it is not connected"
                )));
            }
            given => given.map_or(Axes::World, Axes::Frame),
        };
        Ok(resolve.map(|resolve| match resolve {
            ResolveInFrameAB::World => Axes::World,
            ResolveInFrameAB::FrameA => Axes::Frame(c.frame("frame_a")),
            ResolveInFrameAB::FrameB => Axes::Frame(c.frame("frame_b")),
            ResolveInFrameAB::FrameResolve => frame_resolve,
        }))
    }

    /// The coordinates in other axes of a vector that is resolved in these.
    pub fn resolve_in(self, other: Axes, e: &SignalView<'_>, v: &Vector) -> Vector {
        if self == other {
            return *v;
        }
        let world = match self {
            Axes::World => *v,
            Axes::Frame(frame) => e.pose(frame).t.transpose() * v,
        };
        match other {
            Axes::World => world,
            Axes::Frame(frame) => e.pose(frame).t * world,
        }
    }
}
