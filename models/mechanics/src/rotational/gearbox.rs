//! A gear with losses, elasticity and backlash: a group of components.

use super::elasto_backlash::{ElastoBacklash, ElastoBacklashPorts};
use super::lossy_gear::{LossTable, LossyGear, LossyGearPorts};
use crate::assembly::{Assembly, Flange, HeatPort, Part, Quantity};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use crate::start::{Start, StateSelect};

/// Realistic model of a gearbox (based on [`LossyGear`] and [`ElastoBacklash`]).
///
/// # Equations
/// Those of its parts in series: `flange_a`, `lossyGear`, `elastoBacklash`, `flange_b`; the support
/// is that of `lossyGear`. `lossPower` is the sum of both.
///
/// # Variables
/// `lossyGear.ratio`, `lossyGear.lossTable`; `elastoBacklash.c` in N.m/rad, `elastoBacklash.d` in
/// N.m.s/rad, `elastoBacklash.b` in rad, all at the slow flange; `phi_rel` in rad, `w_rel` in rad/s
/// and `a_rel` in rad/s2 of the elasticity; `lossPower` in W.
///
/// # Events
/// Those of its parts.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.Gearbox.
#[derive(Clone, Debug)]
pub struct Gearbox {
    lossy_gear: LossyGear,
    elasto_backlash: ElastoBacklash,
}

/// Ports and variables of a [`Gearbox`].
#[derive(Clone, Copy, Debug)]
pub struct GearboxPorts {
    /// Fast flange.
    pub flange_a: Flange,
    /// Slow flange.
    pub flange_b: Flange,
    /// Housing.
    pub support: Flange,
    /// Where the lost power goes.
    pub heat_port: HeatPort,
    /// Relative angle of the elasticity in rad.
    pub phi_rel: Quantity,
    /// Relative angular velocity of the elasticity in rad/s.
    pub w_rel: Quantity,
    /// Relative angular acceleration of the elasticity in rad/s2.
    pub a_rel: Quantity,
    /// Power lost in W.
    pub loss_power: Quantity,
    /// The gear.
    pub lossy_gear: LossyGearPorts,
    /// The elasticity.
    pub elasto_backlash: ElastoBacklashPorts,
}

impl Gearbox {
    /// With transmission ratio `flange_a.phi / flange_b.phi`, and at the slow flange stiffness `c`
    /// in N.m/rad and damping `d` in N.m.s/rad; without other losses and without backlash.
    pub fn ratio_c_d(ratio: f64, c: f64, d: f64) -> Self {
        let lossy_gear = LossyGear::new().ratio(ratio);
        let elasto_backlash = ElastoBacklash::new().c(c).d(d);
        Gearbox { lossy_gear, elasto_backlash }
    }

    /// Mesh efficiencies and bearing friction over the speed.
    #[must_use]
    pub fn loss_table(self, loss_table: impl Into<LossTable>) -> Self {
        Gearbox { lossy_gear: self.lossy_gear.loss_table(loss_table), ..self }
    }

    fn elastic(self, change: impl FnOnce(ElastoBacklash) -> ElastoBacklash) -> Self {
        Gearbox { elasto_backlash: change(self.elasto_backlash), ..self }
    }

    /// Total backlash in rad.
    #[must_use]
    pub fn b(self, b: f64) -> Self {
        self.elastic(|x| x.b(b))
    }

    /// Start value of the relative angle in rad.
    #[must_use]
    pub fn phi_rel(self, phi_rel: Start) -> Self {
        self.elastic(|x| x.phi_rel(phi_rel))
    }

    /// Start value of the relative angular velocity in rad/s.
    #[must_use]
    pub fn w_rel(self, w_rel: Start) -> Self {
        self.elastic(|x| x.w_rel(w_rel))
    }

    /// Preference of `phi_rel` and its rate as states.
    #[must_use]
    pub fn states(self, states: StateSelect) -> Self {
        self.elastic(|x| x.states(states))
    }
}

impl Part for Gearbox {
    type Ports = GearboxPorts;

    fn add_to(self, m: &mut Assembly, name: String) -> GearboxPorts {
        let gear = m.add(format!("{name}.lossyGear"), self.lossy_gear);
        let elastic = m.add(format!("{name}.elastoBacklash"), self.elasto_backlash);
        let sums = m.add(name, Sums);
        m.connect(gear.flange_b, elastic.flange_a);
        m.connect(gear.loss_power, sums.loss_of_gear);
        m.connect(elastic.loss_power, sums.loss_of_elasticity);
        m.connect(elastic.phi_rel, sums.elastic_phi_rel);
        m.connect(elastic.w_rel, sums.elastic_w_rel);
        m.connect(elastic.a_rel, sums.elastic_a_rel);
        GearboxPorts {
            flange_a: gear.flange_a,
            flange_b: elastic.flange_b,
            support: gear.support,
            heat_port: sums.heat_port,
            phi_rel: sums.phi_rel,
            w_rel: sums.w_rel,
            a_rel: sums.a_rel,
            loss_power: sums.loss_power,
            lossy_gear: gear,
            elasto_backlash: elastic,
        }
    }
}

/// What belongs to the whole of a gearbox: its variables and its heat port.
///
/// The parts leave their own heat ports open, because connected with each other they would need a
/// temperature even if nothing else is connected.
#[derive(Clone, Debug)]
struct Sums;

ports! {
    /// Ports and variables of the whole.
    pub struct SumsPorts {
        /// Power lost in the gear in W.
        loss_of_gear: input = "lossyGear.lossPower",
        /// Power lost in the elasticity in W.
        loss_of_elasticity: input = "elastoBacklash.lossPower",
        /// Relative angle in rad.
        elastic_phi_rel: input = "elastoBacklash.phi_rel",
        /// Relative angular velocity in rad/s.
        elastic_w_rel: input = "elastoBacklash.w_rel",
        /// Relative angular acceleration in rad/s2.
        elastic_a_rel: input = "elastoBacklash.a_rel",
        /// Where the lost power goes.
        heat_port: heat_port = "heatPort",
        /// Relative angle in rad.
        phi_rel: quantity,
        /// Relative angular velocity in rad/s.
        w_rel: quantity,
        /// Relative angular acceleration in rad/s2.
        a_rel: quantity,
        /// Power lost in W.
        loss_power: quantity = "lossPower",
    }
}

impl OldComponent for Sums {
    type Ports = SumsPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let heat_port = c.heat_port("heatPort");
        let losses = [c.input("lossyGear.lossPower")?, c.input("elastoBacklash.lossPower")?];
        let relative = [
            (c.input("elastoBacklash.phi_rel")?, "phi_rel", "rad", "Relative rotation angle"),
            (c.input("elastoBacklash.w_rel")?, "w_rel", "rad/s", "Relative angular velocity"),
            (c.input("elastoBacklash.a_rel")?, "a_rel", "rad/s2", "Relative angular acceleration"),
        ];
        c.law(move |e| {
            for (input, local, unit, text) in relative {
                let value = e.read(input)?;
                e.variable(local, value).unit(unit).describe(text);
            }
            let loss = e.read(losses[0])? + e.read(losses[1])?;
            e.set_loss(heat_port, loss);
            Ok(())
        });
        Ok(())
    }
}
