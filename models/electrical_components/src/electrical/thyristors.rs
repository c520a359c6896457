//! Thyristors: diodes that conduct only after a signal has fired them.

use super::basic::Resistor;
use super::interfaces::{lossy, one_port, pins};
use super::storage::Capacitor;
use super::switches::{Contacts, contacts};
use equations::Bool;
use mechanics::assembly::{Assembly, Part};
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::velocity_view::VelocityView;

group! {
    /// A semiconductor that a signal fires.
    pub struct Fired(fired) {
        /// Forward threshold voltage
        Vknee: Real["V", >= 0] = 0,
    }
    ports {
        /// Whether the gate is fired
        fire: BooleanInput,
    }
    variables {
        /// Whether the semiconductor blocks
        off: Boolean,
    }
}

impl Fired {
    /// States the law of the semiconductor. A function of two truth values says whether it blocks:
    /// whether the voltage is below the knee, and whether there is a signal at the gate.
    fn law(
        self,
        c: &mut Contribution<'_>,
        contacts: Contacts,
        blocks: impl FnOnce(&mut VelocityView<'_>, [Bool; 2]) -> Bool + 'static,
    ) -> Result<(), Error> {
        let fire = c.boolean_input("fire")?;
        contacts.law(c, self.Vknee, move |e, position| {
            let below = e.relation("below", -position).done();
            let fire = e.read_truth(fire)?;
            let off = blocks(e, [below, fire]);
            e.variable("off", off);
            Ok(off)
        })
    }
}

component! {
    /// Thyristor with two straight characteristics.
    ///
    /// # Equations
    /// While the thyristor blocks, `i = Goff v`. It begins to conduct, with
    /// `v - Vknee = Ron (i - Goff Vknee)`, when it is fired and `v > Vknee`, and it conducts until
    /// `i < Goff Vknee`.
    ///
    /// # Events
    /// The thyristor begins to conduct, or to block.
    pub struct IdealThyristor = "Modelica.Electrical.Analog.Ideal.IdealThyristor" {
        /// Whether the thyristor blocks before the start
        off "off.start": bool = true,
        ..contacts: contacts,
        ..fired: fired,
        ..pins,
        ..one_port,
        ..lossy,
    }
}

impl Component for IdealThyristor {
    fn contribute(p: IdealThyristorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let start = if p.off { 1.0 } else { 0.0 };
        p.fired.law(c, p.contacts, move |e, [below, fire]| {
            let name = e.full("off: before");
            let before = e.model().memory(&name, start);
            let off = below | (before.pre_bool() & !fire);
            e.model().update(before, off);
            off
        })
    }
}

component! {
    /// Thyristor that a signal also turns off, with two straight characteristics.
    ///
    /// # Equations
    /// `v - Vknee = Ron (i - Goff Vknee)` while the thyristor is fired and `v >= Vknee`, else
    /// `i = Goff v`.
    ///
    /// # Events
    /// The thyristor begins to conduct, or to block.
    pub struct IdealGTOThyristor = "Modelica.Electrical.Analog.Ideal.IdealGTOThyristor" {
        ..contacts: contacts,
        ..fired: fired,
        ..pins,
        ..one_port,
        ..lossy,
    }
}

impl Component for IdealGTOThyristor {
    fn contribute(p: IdealGTOThyristorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.fired.law(c, p.contacts, |_, [below, fire]| below | !fire)
    }
}

component! {
    /// Two thyristors for both directions, with a resistor and a capacitor against disturbances.
    ///
    /// # Equations
    /// The equations of its parts: `idealThyristor` conducts from `n` to `p`, `idealThyristor1`
    /// from `p` to `n`, and beside them are `resistor` and `capacitor` in series.
    ///
    /// # Events
    /// Those of its parts.
    pub part IdealTriac = "Modelica.Electrical.Analog.Ideal.IdealTriac" {
        /// Resistance of a conducting thyristor
        Ron "idealThyristor.Ron": Real["Ohm", >= 0, structural zero] = 1e-5,
        /// Conductance of a blocking thyristor
        Goff "idealThyristor.Goff": Real["S", >= 0, structural zero] = 1e-5,
        /// Forward threshold voltage
        Vknee "idealThyristor.Vknee": Real["V", >= 0] = 0.8,
        /// Resistance of the resistor
        Rdis "resistor.R": Real["Ohm", structural zero] = 100,
        /// Whether `idealThyristor` blocks before the start
        off "idealThyristor.off.start": bool = true,
        /// Whether `idealThyristor1` blocks before the start
        off1 "idealThyristor1.off.start": bool = true,
        /// Start value of the voltage of the capacitor
        v "capacitor.v": Start["V"] = free(),
        /// Capacitance of the capacitor
        Cdis "capacitor.C": Real["F", >= 0, structural zero] = 0.005,
    }
    ports {
        /// Anode
        p: Pin,
        /// Cathode
        n: Pin,
        /// Whether the gate is fired
        fire1: BooleanInput,
    }
    parts {
        /// Thyristor from n to p
        ideal_thyristor "idealThyristor": IdealThyristor,
        /// Thyristor from p to n
        ideal_thyristor1 "idealThyristor1": IdealThyristor,
        /// Resistor
        resistor: Resistor,
        /// Capacitor
        capacitor: Capacitor,
    }
}

impl Part for IdealTriac {
    type Ports = IdealTriacPorts;

    fn add_to(self, m: &mut Assembly, name: String) -> IdealTriacPorts {
        let p = self.given(m, &name);
        let thyristor = || IdealThyristor::new().Ron(p.Ron).Goff(p.Goff).Vknee(p.Vknee);
        let backward = m.add(format!("{name}.idealThyristor"), thyristor().off(p.off));
        let forward = m.add(format!("{name}.idealThyristor1"), thyristor().off(p.off1));
        let resistor = m.add(format!("{name}.resistor"), Resistor::new().R(p.Rdis));
        let capacitor = m.add(format!("{name}.capacitor"), Capacitor::new().C(p.Cdis).v(p.v));
        let gate = m.add(name, Gate::new());
        for thyristor in [backward, forward] {
            m.connect(gate.fire, thyristor.fire);
        }
        m.connect(backward.p, resistor.p);
        m.connect(forward.n, resistor.p);
        m.connect(resistor.n, capacitor.p);
        m.connect(backward.n, capacitor.n);
        m.connect(forward.p, capacitor.n);
        IdealTriacPorts {
            p: forward.p,
            n: forward.n,
            fire1: gate.fire1,
            ideal_thyristor: backward,
            ideal_thyristor1: forward,
            resistor,
            capacitor,
        }
    }
}

component! {
    /// The gate of a triac, which fires two thyristors.
    pub struct Gate {}
    ports {
        /// Whether the gate is fired
        fire1: BooleanInput,
    }
    variables {
        /// Whether the gate is fired
        fire: Boolean,
    }
}

impl Component for Gate {
    fn contribute(_: GateParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let given = c.boolean_input("fire1")?;
        c.boolean_output("fire", move |e| e.read_truth(given));
        Ok(())
    }
}
