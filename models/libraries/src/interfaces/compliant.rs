//! The shared part of elements between two flanges whose torque (or force) depends on the relative
//! motion.

use crate::interfaces::relative_coordinate::RelativeCoordinate;
use equations::Ex;
use mechanics::component::{Contribution, PositionId};
use mechanics::domain::Domain;
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::motion::coordinates::Motion;
use mechanics::statements::motion::ends::{FlangeEnd, HeatEnd};

/// The effects of a compliant element at a relative motion.
#[derive(Clone, Copy, Debug)]
pub struct Compliance {
    /// Torque (or force) that flows into the element at `flange_b`, in N.m or N.
    pub flow: Ex,
    /// Energy stored in the element, in J.
    pub energy: Ex,
    /// Power lost in the element, in W; `None` if it cannot lose any.
    pub loss_power: Option<Ex>,
}

/// A compliant element between `flange_a` and `flange_b`.
#[derive(Clone, Copy, Debug)]
pub struct Compliant {
    /// The left flange.
    pub a: FlangeEnd,
    /// The right flange.
    pub b: FlangeEnd,
    /// The relative position.
    pub position: PositionId,
    domain: &'static Domain,
    heat_port: Option<HeatEnd>,
}

impl Compliant {
    /// Declares flanges, relative position and speed, and the heat port.
    pub fn new(
        c: &mut Contribution<'_>,
        domain: &'static Domain,
        relative: impl Into<RelativeCoordinate>,
    ) -> Self {
        let (a, b) = super::two_flanges(c, domain);
        let position = relative.into().declare(c, domain, (a, b));
        Compliant { a, b, position, domain, heat_port: c.heat_port("heatPort") }
    }

    /// Declares a damping. Whether it is zero is structural, because without damping the position
    /// of a flange without inertia is determined statically.
    pub fn damped(self, c: &mut Contribution<'_>, d: Ex) -> Self {
        if !d.is_constant_zero() {
            c.damped(self.position);
        }
        self
    }

    /// States the law; its torque (or force) and its loss become variables.
    pub fn law(
        self,
        c: &mut Contribution<'_>,
        law: impl FnOnce(&mut SignalView<'_>, &Motion) -> Compliance + 'static,
    ) {
        c.law(move |e| {
            let relative = e.relative(self.a, self.b);
            let Compliance { flow, energy, loss_power } = law(e, &relative);
            e.set_flow_between(self.a, self.b, flow);
            e.add_potential(energy);
            e.variable(self.domain.flow.local, flow);
            if let Some(loss) = loss_power {
                e.set_loss(self.heat_port, loss);
            }
            Ok(())
        });
    }
}
