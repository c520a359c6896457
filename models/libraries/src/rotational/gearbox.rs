//! A gear with losses, elasticity and backlash: a group of components.

use super::elasto_backlash::ElastoBacklash;
use super::lossy_gear::LossyGear;
use crate::interfaces::losses::losses;
use crate::interfaces::relative_coordinate::rotational::relative_motion;
use mechanics::assembly::{Assembly, Part};
use mechanics::declaration::prelude::*;

component! {
    /// Realistic model of a gearbox (based on [`LossyGear`] and [`ElastoBacklash`]).
    ///
    /// It is a gear of a robot or a machine tool, of which losses, elasticity and play matter.
    ///
    /// # Equations
    /// The equations of its parts, which are connected in series: `flange_a`, `lossyGear`,
    /// `elastoBacklash`, `flange_b`. The support is that of `lossyGear`, and `lossPower` is the sum
    /// of the losses of both parts.
    ///
    /// # Events
    /// Those of its parts.
    pub part Gearbox = "Modelica.Mechanics.Rotational.Components.Gearbox" {
        /// Transmission ratio (flange_a.phi / flange_b.phi)
        ratio "lossyGear.ratio": Real["1", != 0, fixed],
        /// Mesh efficiencies and bearing friction over the speed
        loss_table "lossyGear.lossTable": [[Real]]["rad/s, 1, 1, N.m, N.m", on demand] = [[0, 1, 1, 0, 0]],
        /// Spring constant at the slow flange
        c "elastoBacklash.c": Real["N.m/rad", > 0],
        /// Damping constant at the slow flange
        d "elastoBacklash.d": Real["N.m.s/rad", >= 0, structural zero],
        /// Total backlash
        b "elastoBacklash.b": Real["rad", >= 0, structural zero] = 0,
        /// Start value of the relative angle
        phi_rel "elastoBacklash.phi_rel": Start["rad"] = free(),
        /// Start value of the relative angular velocity
        w_rel "elastoBacklash.w_rel": Start["rad/s"] = free(),
        /// Preference of `phi_rel` and `w_rel` as states
        states: StateSelect = Prefer,
        ..relative_motion,
        ..losses,
    }
    ports {
        /// Fast flange
        flange_a: Flange,
        /// Slow flange
        flange_b: Flange,
        /// Housing
        support: Flange,
    }
    parts {
        /// Gear
        lossy_gear "lossyGear": LossyGear,
        /// Elasticity
        elasto_backlash "elastoBacklash": ElastoBacklash,
    }
}

impl Part for Gearbox {
    type Ports = GearboxPorts;

    fn add_to(self, m: &mut Assembly, name: String) -> GearboxPorts {
        let p = self.given(m, &name);
        let gear = LossyGear::new().ratio(p.ratio).loss_table(p.loss_table);
        let elastic = ElastoBacklash::new().c(p.c).d(p.d).b(p.b);
        let elastic = elastic.phi_rel(p.phi_rel).w_rel(p.w_rel).states(p.states);
        let gear = m.add(format!("{name}.lossyGear"), gear);
        let elastic = m.add(format!("{name}.elastoBacklash"), elastic);
        let whole = m.add(name, Whole::new());
        m.connect(gear.flange_b, elastic.flange_a);
        m.connect(gear.loss_power, whole.loss_of_gear);
        m.connect(elastic.loss_power, whole.loss_of_elasticity);
        m.connect(elastic.phi_rel, whole.elastic_phi_rel);
        m.connect(elastic.w_rel, whole.elastic_w_rel);
        m.connect(elastic.a_rel, whole.elastic_a_rel);
        GearboxPorts {
            flange_a: gear.flange_a,
            flange_b: elastic.flange_b,
            support: gear.support,
            heat_port: whole.heat_port,
            phi_rel: whole.phi_rel,
            w_rel: whole.w_rel,
            a_rel: whole.a_rel,
            loss_power: whole.loss_power,
            lossy_gear: gear,
            elasto_backlash: elastic,
        }
    }
}

component! {
    /// The variables and the heat port of a whole gearbox.
    ///
    /// The parts leave their own heat ports open. If these were connected with each other, they
    /// would need a temperature even if nothing else is connected.
    pub struct Whole {
        ..relative_motion,
        ..losses,
    }
    ports {
        /// Power lost in the gear
        loss_of_gear "lossyGear.lossPower": Input["W"],
        /// Power lost in the elasticity
        loss_of_elasticity "elastoBacklash.lossPower": Input["W"],
        /// Relative rotation angle of the elasticity
        elastic_phi_rel "elastoBacklash.phi_rel": Input["rad"],
        /// Relative angular velocity of the elasticity
        elastic_w_rel "elastoBacklash.w_rel": Input["rad/s"],
        /// Relative angular acceleration of the elasticity
        elastic_a_rel "elastoBacklash.a_rel": Input["rad/s2"],
    }
}

impl Component for Whole {
    fn contribute(_: WholeParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let heat_port = c.heat_port("heatPort");
        let gear = c.input("lossyGear.lossPower")?;
        let elasticity = c.input("elastoBacklash.lossPower")?;
        let relative = [
            ("phi_rel", c.input("elastoBacklash.phi_rel")?),
            ("w_rel", c.input("elastoBacklash.w_rel")?),
            ("a_rel", c.input("elastoBacklash.a_rel")?),
        ];
        c.law(move |e| {
            for (local, input) in relative {
                let value = e.read(input)?;
                e.variable(local, value);
            }
            let loss = e.read(gear)? + e.read(elasticity)?;
            e.set_loss(heat_port, loss);
            Ok(())
        });
        Ok(())
    }
}
