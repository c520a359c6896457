//! Elements between two flanges whose torque (or force) depends on the relative motion.

use crate::compile::coordinates::Motion;
use crate::compile::evaluation::Evaluation;
use crate::compile::structure::{FlangeEnd, HeatEnd};
use crate::component::{Contribution, Position, Starts};
use crate::domain::Domain;
use crate::error::Error;
use crate::start::StateSelect;
use equations::Ex;

/// Start values and preferences of the relative position and speed of two flanges.
#[derive(Clone, Copy, Debug)]
pub struct RelativeStates {
    /// Start values.
    pub starts: Starts,
    /// Nominal value of the relative position, for error control, in rad or m.
    pub nominal: f64,
    /// Preference as states.
    pub select: StateSelect,
}

impl Default for RelativeStates {
    /// Preferred as states, so that the torque of a stiff element is not the difference of two
    /// large angles; nominal value 1e-4.
    fn default() -> Self {
        let (starts, select) = (Starts::default(), StateSelect::Prefer);
        RelativeStates { starts, nominal: 1e-4, select }
    }
}

/// What a compliant element does at a relative motion.
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
    pub position: Position,
    domain: &'static Domain,
    heat_port: Option<HeatEnd>,
}

impl Compliant {
    /// Declares flanges, relative position and speed, and the heat port.
    pub fn new(c: &mut Contribution<'_>, domain: &'static Domain, states: RelativeStates) -> Self {
        let (a, b) = super::two_flanges(c, domain);
        let RelativeStates { starts, nominal, select } = states;
        let position = c.relative_position(domain, (a, b), starts, nominal, select);
        Compliant { a, b, position, domain, heat_port: c.heat_port("heatPort") }
    }

    /// States the law; its torque (or force) and its loss become variables.
    pub fn law(
        self,
        c: &mut Contribution<'_>,
        law: impl FnOnce(&mut Evaluation<'_>, &Motion) -> Result<Compliance, Error> + 'static,
    ) {
        c.law(move |e| {
            let relative = e.relative(self.a, self.b);
            let Compliance { flow, energy, loss_power } = law(e, &relative)?;
            e.set_flow_between(self.a, self.b, flow);
            e.add_potential(energy);
            let word = &self.domain.flow;
            e.variable(word.local, flow).unit(word.unit).describe("Between the flanges");
            if let Some(loss) = loss_power {
                e.set_loss(self.heat_port, loss);
            }
            Ok(())
        });
    }
}
