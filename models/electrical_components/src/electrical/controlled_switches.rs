//! Switches that the potential of a pin controls.

use super::interfaces::{lossy, one_port, pins};
use super::switches::{Contacts, contacts};
use equations::{Bool, Ex};
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::velocity_view::VelocityView;

group! {
    /// A pin that controls a switch, and into which no current flows.
    pub struct Control(control) {
        /// Potential of the pin at which the switch changes
        level: Real["V"] = 0.5,
    }
    ports {
        /// Pin whose potential controls the switch
        control: Pin,
    }
}

impl Control {
    /// Whether a function of the potential of the pin and of the level is positive: a relation.
    pub(super) fn beyond(
        self,
        c: &mut Contribution<'_>,
        difference: fn([Ex; 2]) -> Ex,
    ) -> impl FnOnce(&mut VelocityView<'_>) -> Bool + 'static {
        let pin = c.pin("control");
        move |e| {
            let residual = difference([e.potential(pin), self.level]);
            e.relation("control", residual).done()
        }
    }

    /// States the law of a switch that is open while a function of the potential of the pin and of
    /// the level is positive.
    fn switch(
        self,
        c: &mut Contribution<'_>,
        contacts: Contacts,
        is_open: fn([Ex; 2]) -> Ex,
    ) -> Result<(), Error> {
        let is_open = self.beyond(c, is_open);
        contacts.law(c, Ex::zero(), move |e, _| Ok(is_open(e)))
    }
}

component! {
    /// Switch that a potential closes.
    ///
    /// # Equations
    /// `i = Goff v` while `control.v < level`, else `v = Ron i`.
    ///
    /// # Events
    /// The switch opens or closes.
    pub struct ControlledIdealClosingSwitch =
        "Modelica.Electrical.Analog.Ideal.ControlledIdealClosingSwitch" {
        ..control: control,
        ..contacts: contacts,
        ..pins,
        ..one_port,
        ..lossy,
    }
}

impl Component for ControlledIdealClosingSwitch {
    fn contribute(p: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.control.switch(c, p.contacts, |[potential, level]| level - potential)
    }
}

component! {
    /// Switch that a potential opens.
    ///
    /// # Equations
    /// `i = Goff v` while `control.v > level`, else `v = Ron i`.
    ///
    /// # Events
    /// The switch opens or closes.
    pub struct ControlledIdealOpeningSwitch =
        "Modelica.Electrical.Analog.Ideal.ControlledIdealOpeningSwitch" {
        ..control: control,
        ..contacts: contacts,
        ..pins,
        ..one_port,
        ..lossy,
    }
}

impl Component for ControlledIdealOpeningSwitch {
    fn contribute(p: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.control.switch(c, p.contacts, |[potential, level]| potential - level)
    }
}
