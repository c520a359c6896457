//! Switches between several connections.

use super::controlled_switches::{Control, control};
use super::interfaces::{lose, lossy};
use super::switches::{Contacts, contacts};
use equations::{Bool, Ex};
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::velocity_view::VelocityView;

/// Contacts between pairs of pins. A signal closes some of them, the others are closed without it.
fn select_contacts<const N: usize>(
    c: &mut Contribution<'_>,
    of: Contacts,
    pairs: [([&'static str; 2], bool); N],
    signal: impl FnOnce(&mut VelocityView<'_>) -> Result<Bool, Error> + 'static,
) -> Result<(), Error> {
    of.note_ideal(c)?;
    let heat_port = c.heat_port("heatPort");
    let branches = pairs.map(|([from, to], with)| {
        let ends = (c.pin(from), c.pin(to));
        (c.branch(ends.0, ends.1), c.circuit_unknown(), with)
    });
    c.law(move |e| {
        let signal = signal(e)?;
        let mut lost = Ex::zero();
        for (branch, position, with) in branches {
            let is_open = if with { !signal } else { signal };
            lost += e.voltage(branch) * e.current(branch);
            e.set_switch_law(branch, of.at(position, is_open, Ex::zero()));
        }
        lose(e, heat_port, lost);
        Ok(())
    });
    Ok(())
}

group! {
    /// A switch from one pin to two others.
    pub struct TwoWay(two_way) {}
    ports {
        /// Pin that is connected with one of the others
        p: Pin,
        /// Pin that is connected with `p` by the signal
        n2: Pin,
        /// Pin that is connected with `p` without the signal
        n1: Pin,
    }
}

/// The pairs of pins of a switch from one pin to two others.
const TWO_WAYS: [([&str; 2], bool); 2] = [(["p", "n1"], false), (["p", "n2"], true)];

group! {
    /// A switch that crosses two connections.
    pub struct Intermediate(intermediate) {}
    ports {
        /// First pin of the one side
        p1: Pin,
        /// Second pin of the one side
        p2: Pin,
        /// First pin of the other side
        n1: Pin,
        /// Second pin of the other side
        n2: Pin,
    }
}

/// The pairs of pins of a switch that crosses two connections.
const CROSSED: [([&str; 2], bool); 4] =
    [(["p1", "n1"], false), (["p2", "n2"], false), (["p1", "n2"], true), (["p2", "n1"], true)];

component! {
    /// Switch that a signal moves from one connection to another one.
    ///
    /// # Equations
    /// `p` is connected with `n2` while `control` is true, else with `n1`: `v = Ron i` between
    /// connected pins, and `i = Goff v` between the others.
    pub struct IdealTwoWaySwitch = "Modelica.Electrical.Analog.Ideal.IdealTwoWaySwitch" {
        ..contacts: contacts,
        ..two_way,
        ..lossy,
    }
    ports {
        /// Whether `p` is connected with `n2`
        control: BooleanInput,
    }
}

impl Component for IdealTwoWaySwitch {
    fn contribute(p: IdealTwoWaySwitchParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let control = c.boolean_input("control")?;
        select_contacts(c, p.contacts, TWO_WAYS, move |e| e.read_truth(control))
    }
}

component! {
    /// Switch that a signal crosses.
    ///
    /// # Equations
    /// While `control` is true, `p1` is connected with `n2`, and `p2` with `n1`; else `p1` is
    /// connected with `n1`, and `p2` with `n2`. `v = Ron i` between connected pins, and
    /// `i = Goff v` between the others.
    pub struct IdealIntermediateSwitch = "Modelica.Electrical.Analog.Ideal.IdealIntermediateSwitch" {
        ..contacts: contacts,
        ..intermediate,
        ..lossy,
    }
    ports {
        /// Whether the connections are crossed
        control: BooleanInput,
    }
}

impl Component for IdealIntermediateSwitch {
    fn contribute(p: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let control = c.boolean_input("control")?;
        select_contacts(c, p.contacts, CROSSED, move |e| e.read_truth(control))
    }
}

component! {
    /// Switch that a potential moves from one connection to another one.
    ///
    /// # Equations
    /// `p` is connected with `n2` while `control.v > level`, else with `n1`: `v = Ron i` between
    /// connected pins, and `i = Goff v` between the others.
    ///
    /// # Events
    /// The switch moves.
    pub struct ControlledIdealTwoWaySwitch =
        "Modelica.Electrical.Analog.Ideal.ControlledIdealTwoWaySwitch" {
        ..control: control,
        ..contacts: contacts,
        ..two_way,
        ..lossy,
    }
}

impl Component for ControlledIdealTwoWaySwitch {
    fn contribute(p: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let signal = p.control.beyond(c, |[potential, level]| potential - level);
        select_contacts(c, p.contacts, TWO_WAYS, move |e| Ok(signal(e)))
    }
}

component! {
    /// Switch that a potential crosses.
    ///
    /// # Equations
    /// While `control.v > level`, `p1` is connected with `n2`, and `p2` with `n1`; else `p1` is
    /// connected with `n1`, and `p2` with `n2`. `v = Ron i` between connected pins, and
    /// `i = Goff v` between the others.
    ///
    /// # Events
    /// The switch moves.
    pub struct ControlledIdealIntermediateSwitch =
        "Modelica.Electrical.Analog.Ideal.ControlledIdealIntermediateSwitch" {
        ..control: control,
        ..contacts: contacts,
        ..intermediate,
        ..lossy,
    }
}

impl Component for ControlledIdealIntermediateSwitch {
    fn contribute(p: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let signal = p.control.beyond(c, |[potential, level]| potential - level);
        select_contacts(c, p.contacts, CROSSED, move |e| Ok(signal(e)))
    }
}
