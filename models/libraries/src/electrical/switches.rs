//! Switches and diodes.

use super::interfaces::{branch_law, lose, lossy, one_port, pins};
use equations::{Bool, select};
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::velocity_view::VelocityView;

group! {
    /// The contacts of a switch or of a diode.
    pub struct Contacts(contacts) {
        /// Resistance of the closed switch
        Ron: Real["Ohm", > 0] = 1e-5,
        /// Conductance of the open switch
        Goff: Real["S", > 0] = 1e-5,
    }
}

impl Contacts {
    /// States the law of the contacts: their characteristic has two straight parts, which meet at
    /// the voltage `knee`. A position on it is a voltage while the contacts are open, and a current
    /// while they are closed. `is_open` decides by the position, whose sign is the same in both
    /// cases, also with rounding errors.
    pub(super) fn law(
        self,
        c: &mut Contribution<'_>,
        knee: Ex,
        is_open: impl FnOnce(&mut VelocityView<'_>, Ex) -> Result<Bool, Error> + 'static,
    ) {
        let heat_port = c.heat_port("heatPort");
        let position = c.circuit_unknown();
        branch_law(c, move |e, v, i| {
            let s = e.current(position);
            let is_open = is_open(e, s)?;
            lose(e, heat_port, v * i);
            let Contacts { Ron, Goff } = self;
            e.set_branch_law(position, i - select(is_open, Goff, 1.0) * s - Goff * knee);
            Ok(v - select(is_open, 1.0, Ron) * s - knee)
        });
    }

    /// States the law of a switch: whether it is open is a function of its control.
    fn switch(
        self,
        c: &mut Contribution<'_>,
        is_open: impl FnOnce(Bool) -> Bool + 'static,
    ) -> Result<(), Error> {
        let control = c.boolean_input("control")?;
        self.law(c, Ex::zero(), move |e, _| Ok(is_open(e.read_truth(control)?)));
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
        ..pins,
        ..one_port,
        ..lossy,
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
        ..pins,
        ..one_port,
        ..lossy,
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
        ..pins,
        ..one_port,
        ..lossy,
    }
    variables {
        /// Whether the diode blocks
        off: Boolean,
    }
}

impl Component for IdealDiode {
    fn contribute(p: IdealDiodeParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.contacts.law(c, p.Vknee, |e, position| {
            let off = e.relation("off", -position).done();
            e.variable("off", off);
            Ok(off)
        });
        Ok(())
    }
}
