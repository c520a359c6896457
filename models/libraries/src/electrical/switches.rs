//! Switches and diodes.

use super::interfaces::{branch_law, lose};
use equations::{Bool, select};
use mechanics::component::Contribution;
use mechanics::declaration::{group, prelude::*};

group! {
    /// A switch between two pins, and the power that it loses.
    pub struct Contacts(contacts) {
        /// Resistance of the closed switch
        Ron: Real["Ohm", > 0] = 1e-5,
        /// Conductance of the open switch
        Goff: Real["S", > 0] = 1e-5,
    }
    ports {
        /// Pin at which the current enters
        p: Pin,
        /// Pin at which the current leaves
        n: Pin,
        /// Heat port that receives the lost power
        heat_port "heatPort": HeatPort,
    }
    variables {
        /// Voltage between p and n
        v: Real["V"],
        /// Current from p to n
        i: Real["A"],
        /// Lost power
        loss_power "LossPower": Real["W"],
    }
}

impl Contacts {
    /// States the law of the switch: whether it is open is a function of its control.
    fn switch(
        self,
        c: &mut Contribution<'_>,
        is_open: impl FnOnce(Bool) -> Bool + 'static,
    ) -> Result<(), Error> {
        let control = c.boolean_input("control")?;
        let heat_port = c.heat_port("heatPort");
        branch_law(c, move |e, v, i| {
            let is_open = is_open(e.read_truth(control)?);
            lose(e, heat_port, v * i);
            Ok(i - select(is_open, self.Goff, 1.0 / self.Ron) * v)
        });
        Ok(())
    }
}

component! {
    /// Switch that a signal closes.
    ///
    /// # Equations
    /// `v = Ron i` while `control` is true, else `i = Goff v`.
    pub struct IdealClosingSwitch = "Modelica.Electrical.Analog.Ideal.IdealClosingSwitch" {
        ..contacts: contacts,
    }
    ports {
        /// Whether the switch is closed
        control: BooleanInput,
    }
}

impl Component for IdealClosingSwitch {
    fn contribute(p: IdealClosingSwitchParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.contacts.switch(c, |control| !control)
    }
}

component! {
    /// Switch that a signal opens.
    ///
    /// # Equations
    /// `i = Goff v` while `control` is true, else `v = Ron i`.
    pub struct IdealOpeningSwitch = "Modelica.Electrical.Analog.Ideal.IdealOpeningSwitch" {
        ..contacts: contacts,
    }
    ports {
        /// Whether the switch is open
        control: BooleanInput,
    }
}

impl Component for IdealOpeningSwitch {
    fn contribute(p: IdealOpeningSwitchParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.contacts.switch(c, |control| control)
    }
}

component! {
    /// Diode with two straight characteristics.
    ///
    /// # Equations
    /// `i = Goff v` while the diode blocks, that is, while `v < Vknee`; then
    /// `v - Vknee = Ron (i - Goff Vknee)`, until `i < Goff Vknee`.
    ///
    /// # Events
    /// The diode begins to conduct, or to block.
    pub struct IdealDiode = "Modelica.Electrical.Analog.Ideal.IdealDiode" {
        /// Forward threshold voltage
        Vknee: Real["V", >= 0] = 0,
        ..contacts: contacts,
    }
    variables {
        /// Whether the diode blocks
        off: Boolean,
    }
}

impl Component for IdealDiode {
    fn contribute(p: IdealDiodeParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let IdealDiodeParameters { Vknee, contacts: Contacts { Ron, Goff } } = p;
        let heat_port = c.heat_port("heatPort");
        branch_law(c, move |e, v, i| {
            let name = e.full("off");
            let relation = e.model().declare_relation(&name);
            let off = relation.truth();
            // The path along the characteristic is a voltage here and a current there.
            let path = select(off, v - Vknee, i - Goff * Vknee);
            e.model().define_relation(relation, -path, Bool::constant(true));
            e.variable("off", off);
            lose(e, heat_port, v * i);
            Ok(i - select(off, Goff * v, (v - Vknee) / Ron + Goff * Vknee))
        });
        Ok(())
    }
}
