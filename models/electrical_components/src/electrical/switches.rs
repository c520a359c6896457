//! Switches and diodes.

use super::interfaces::{branch, lose, lossy, one_port, pins};
use equations::{Bool, Ex};
use mechanics::component::BranchId;
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::circuits::SwitchLaw;
use mechanics::statements::laws::velocity_view::VelocityView;

group! {
    /// The contacts of a switch or of a diode.
    pub struct Contacts(contacts) {
        /// Resistance of the closed switch
        Ron: Real["Ohm", >= 0, structural zero] = 1e-5,
        /// Conductance of the open switch
        Goff: Real["S", >= 0, structural zero] = 1e-5,
    }
}

/// Notes a switch without resistance or without conductance.
pub(super) fn note_ideal(c: &mut Contribution<'_>, [ron, goff]: [Ex; 2]) -> Result<(), Error> {
    for (name, of) in [("Ron", ron), ("Goff", goff)] {
        if c.is_zero(name, of)? {
            c.has_ideal_switch();
        }
    }
    Ok(())
}

impl Contacts {
    /// Notes contacts without resistance or without conductance.
    pub(super) fn note_ideal(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        note_ideal(c, [self.Ron, self.Goff])
    }

    /// The law of the contacts with a position on their characteristic.
    pub(super) fn at(&self, position: BranchId, is_open: Bool, knee: Ex) -> SwitchLaw {
        let Contacts { Ron: resistance, Goff: conductance } = *self;
        SwitchLaw { position, is_open, resistance, conductance, knee }
    }

    /// States the law of the contacts: their characteristic has two straight parts, which meet at
    /// the voltage `knee`. `is_open` decides by the position on it.
    pub(super) fn law(
        self,
        c: &mut Contribution<'_>,
        knee: Ex,
        is_open: impl FnOnce(&mut VelocityView<'_>, Ex) -> Result<Bool, Error> + 'static,
    ) -> Result<(), Error> {
        self.note_ideal(c)?;
        let heat_port = c.heat_port("heatPort");
        let position = c.circuit_unknown();
        let branch = branch(c, ["p", "n"], ["v", "i"]);
        c.law(move |e| {
            let s = e.decisive_position(position);
            let is_open = is_open(e, s)?;
            let power = e.voltage(branch) * e.current(branch);
            lose(e, heat_port, power);
            e.set_switch_law(branch, self.at(position, is_open, knee));
            Ok(())
        });
        Ok(())
    }

    /// States the law of a switch: whether it is open is a function of its control.
    fn switch(
        self,
        c: &mut Contribution<'_>,
        is_open: impl FnOnce(Bool) -> Bool + 'static,
    ) -> Result<(), Error> {
        let control = c.boolean_input("control")?;
        self.law(c, Ex::zero(), move |e, _| Ok(is_open(e.read_truth(control)?)))
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
        })
    }
}
