//! Switches with an electric arc after they have opened.

use super::controlled_switches::{Control, control};
use super::interfaces::{branch, lose, lossy, one_port, pins};
use super::switches::note_ideal;
use equations::{Bool, Ex, select};
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::circuits::SwitchLaw;
use mechanics::statements::laws::velocity_view::VelocityView;

group! {
    /// Contacts with an arc.
    ///
    /// When they have opened, the voltage of the arc is `V0`, and increases with `dVdt` up to
    /// `Vmax`. It has the sign of the current, until this is less than what the open contacts
    /// conduct.
    pub struct Arc(arc) {
        /// Resistance of the closed switch
        Ron: Real["Ohm", >= 0, structural zero] = 1e-5,
        /// Conductance of the open switch
        Goff: Real["S", >= 0, structural zero] = 1e-5,
        /// Initial voltage of the arc
        V0: Real["V", >= 0],
        /// Slope of the voltage of the arc
        dVdt: Real["V/s", > 0],
        /// Highest voltage of the arc
        Vmax: Real["V", >= 0],
        /// Whether the switch is open before the start
        off "off.start": bool = true,
    }
    variables {
        /// Whether the switch is open, with or without an arc
        off: Boolean,
    }
}

/// What an arc remembers of the time before an event.
struct Memory {
    /// Whether the switch was open.
    was_off: Bool,
    /// Whether there was no arc.
    was_quenched: Bool,
    /// The time of the last opening.
    opened: Ex,
    /// The sign of the current in the closed switch.
    direction: Ex,
}

impl Arc {
    /// States the law of the switch; `is_open` says whether it is open.
    fn law(
        self,
        c: &mut Contribution<'_>,
        is_open: impl FnOnce(&mut VelocityView<'_>) -> Result<Bool, Error> + 'static,
    ) -> Result<(), Error> {
        note_ideal(c, [self.Ron, self.Goff])?;
        let heat_port = c.heat_port("heatPort");
        let position = c.circuit_unknown();
        let branch = branch(c, ["p", "n"], ["v", "i"]);
        c.law(move |e| {
            let (v, i) = (e.voltage(branch), e.current(branch));
            let off = is_open(e)?;
            e.variable("off", off);
            let memory = self.remember(e, off, i);
            let quenched = off & memory.was_quenched;
            let burning = off & !memory.was_quenched;
            let voltage = memory.direction * self.voltage(e, memory.opened);
            lose(e, heat_port, v * i);
            // The position is a voltage while the switch is open without an arc, else a current.
            let s = e.current(position);
            e.set_branch_law(position, i - select(quenched, self.Goff, 1.0) * s);
            let resisting = select(quenched, 1.0, self.Ron) * s;
            e.set_branch_law(branch, v - select(burning, voltage, resisting));
            // An arc is a closed contact with a voltage instead of a resistance.
            let [resistance, conductance] =
                [self.Ron, self.Goff].map(|of| select(burning, 0.0, of));
            let (is_open, knee) = (quenched, select(burning, voltage, 0.0));
            e.show_switch(branch, SwitchLaw { position, is_open, resistance, conductance, knee });
            Ok(())
        });
        Ok(())
    }

    /// What the switch remembers, with its updates.
    fn remember(&self, e: &mut VelocityView<'_>, off: Bool, i: Ex) -> Memory {
        let mut memory = |local: &str, start: f64| {
            let name = e.full(local);
            e.model().memory(&name, start)
        };
        let before = memory("off: before", if self.off { 1.0 } else { 0.0 });
        let quenched = memory("quenched", 1.0);
        let [opened, direction] = ["tSwitch", "direction"].map(|local| memory(local, 0.0));
        let was_off = before.pre_bool();
        let opened_now = select(off & !was_off, e.time(), opened.pre());
        let held = Memory {
            was_off,
            was_quenched: quenched.pre_bool(),
            opened: opened_now,
            direction: direction.pre(),
        };
        let forward = e.relation("forward", i).done();
        let sign = select(forward, 1.0, -1.0);
        let residual = self.Goff * self.voltage(e, held.opened) - held.direction * i;
        let ends = e.relation("ends", residual).done();
        let model = e.model();
        model.update(before, off);
        model.update(opened, held.opened);
        model.update(direction, select(off, held.direction, sign));
        model.update(quenched, off & (held.was_quenched | (ends & held.was_off)));
        held
    }

    /// The voltage of the arc of a switch that opened at a time.
    fn voltage(&self, e: &mut VelocityView<'_>, opened: Ex) -> Ex {
        (self.V0 + self.dVdt * (e.time() - opened)).min(self.Vmax)
    }
}

/// Declares a switch with an arc: whether it is open is a function of its control.
macro_rules! with_arc {
    ($($(#[$($line:tt)*])* $Switch:ident = $class:tt: $is_open:expr;)*) => {
        $(
            component! {
                $(#[$($line)*])*
                ///
                /// # Equations
                /// `v = Ron i` while the switch is closed, `i = Goff v` while it is open and no arc
                /// burns.
                ///
                /// # Events
                /// The switch opens or closes; the arc ends.
                pub struct $Switch = $class {
                    ..arc: arc,
                    ..pins,
                    ..one_port,
                    ..lossy,
                }
                ports {
                    /// Signal that controls the switch
                    control: BooleanInput,
                }
            }

            impl Component for $Switch {
                fn contribute(p: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
                    let control = c.boolean_input("control")?;
                    let is_open: fn(Bool) -> Bool = $is_open;
                    p.arc.law(c, move |e| Ok(is_open(e.read_truth(control)?)))
                }
            }
        )*
    };
}

with_arc! {
    /// Switch with an arc that a signal closes.
    CloserWithArc = "Modelica.Electrical.Analog.Ideal.CloserWithArc": |control| !control;
    /// Switch with an arc that a signal opens.
    OpenerWithArc = "Modelica.Electrical.Analog.Ideal.OpenerWithArc": |control| control;
}

/// Declares a switch with an arc: it is open while a function of the potential of its control and
/// of the level is positive.
macro_rules! controlled_with_arc {
    ($($(#[$($line:tt)*])* $Switch:ident = $class:tt: $is_open:expr;)*) => {
        $(
            component! {
                $(#[$($line)*])*
                ///
                /// # Equations
                /// `v = Ron i` while the switch is closed, `i = Goff v` while it is open and no arc
                /// burns.
                ///
                /// # Events
                /// The switch opens or closes; the arc ends.
                pub struct $Switch = $class {
                    ..control: control,
                    ..arc: arc,
                    ..pins,
                    ..one_port,
                    ..lossy,
                }
            }

            impl Component for $Switch {
                fn contribute(p: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
                    let is_open = p.control.beyond(c, $is_open);
                    p.arc.law(c, move |e| Ok(is_open(e)))
                }
            }
        )*
    };
}

controlled_with_arc! {
    /// Switch with an arc that a potential closes.
    ControlledCloserWithArc = "Modelica.Electrical.Analog.Ideal.ControlledCloserWithArc":
        |[potential, level]| level - potential;
    /// Switch with an arc that a potential opens.
    ControlledOpenerWithArc = "Modelica.Electrical.Analog.Ideal.ControlledOpenerWithArc":
        |[potential, level]| potential - level;
}
