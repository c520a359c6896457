//! Shared parts of sources: their ports, and a torque (or force) between a flange and its support.

use equations::Ex;
use mechanics::component::{Contribution, PositionId, Starts};
use mechanics::domain::two_domains;
use mechanics::domain::{Domain, Word};
use mechanics::error::Error;
use mechanics::start::StateSelect;
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::motion::ends::FlangeEnd;

/// Ports and variables of sources.
#[two_domains]
pub mod rotational {
    use mechanics::declaration::group;

    group! {
        /// A driven flange and its support.
        pub struct Supported(pub supported) {}
        ports {
            /// Driven flange
            flange: Flange,
            /// Housing; fixed if it is not connected
            support: Flange,
        }
        variables {
            /// Angle relative to the support
            phi: Real["rad"],
            /// Angular velocity relative to the support
            w: Real["rad/s"],
            /// Angular acceleration relative to the support
            a: Real["rad/s2"],
        }
    }

    group! {
        /// Variables of sources.
        pub struct Accelerating(pub accelerating) {}
        variables {
            // For forces, the Modelica Standard Library shows the cut force.
            #[doc = either!("Torque that accelerates the flange", "Cut force of the flange")]
            tau: Real["N.m"],
        }
    }

    group! {
        /// Variables of drives.
        pub struct Driving(pub driving) {}
        variables {
            /// Torque of the drive on the flange; the support takes the reaction
            tau: Real["N.m"],
        }
    }
}

/// Applies the signal of the input `tau` (or `f`) so that it accelerates `b` and brakes `a`.
pub fn act_between(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    (a, b): (FlangeEnd, FlangeEnd),
) -> Result<(), Error> {
    let Word { local, .. } = domain.flow;
    let input = c.input(local)?;
    c.law(move |e| {
        let flow = e.read(input)?;
        e.set_flow_between(a, b, -flow);
        e.variable(local, flow);
        Ok(())
    });
    Ok(())
}

/// A source on `flange` whose reaction acts on `support`.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The driven flange.
    pub flange: FlangeEnd,
    /// Housing.
    pub support: FlangeEnd,
    /// The position of the flange relative to the support.
    pub position: PositionId,
    domain: &'static Domain,
}

impl Source {
    /// Declares flange and support, and the position of one relative to the other.
    pub fn new(c: &mut Contribution<'_>, domain: &'static Domain) -> Source {
        let (flange, support) = super::flange_and_support(c, domain);
        let ends = (support, flange);
        let position = c.supported_position(domain, ends, Starts::default(), StateSelect::Avoid);
        Source { flange, support, position, domain }
    }

    /// Sets the torque (or force) that drives the connected parts, as a function of the speed
    /// relative to the support.
    pub fn law(
        self,
        c: &mut Contribution<'_>,
        law: impl FnOnce(&mut SignalView<'_>, Ex) -> Result<Ex, Error> + 'static,
    ) {
        let Domain { flow, shows_accelerating, .. } = self.domain;
        c.law(move |e| {
            let speed = e.relative(self.support, self.flange).v;
            let accelerating = law(e, speed)?;
            self.act(e, -accelerating);
            let shown = if *shows_accelerating { accelerating } else { -accelerating };
            e.variable(flow.local, shown);
            Ok(())
        });
    }

    /// Sets the cut torque (or force) of the flange; the support takes the opposite.
    pub fn act(self, e: &mut SignalView<'_>, cut: Ex) {
        e.set_flow_between(self.support, self.flange, cut);
    }
}
