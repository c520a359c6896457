//! Ground, resistors, conductors, wires.

use super::interfaces::{branch_law, lose, lossy, one_port, pins};
use crate::warm_resistance::{self, NOT_POSITIVE};
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::velocity_view::VelocityView;
use mechanics::statements::motion::ends::HeatEnd;

component! {
    /// Node whose potential is zero.
    ///
    /// # Equations
    /// `p.v = 0`.
    pub struct Ground = "Modelica.Electrical.Analog.Basic.Ground" {}
    ports {
        /// Pin at this potential
        p: Pin,
    }
}

impl Component for Ground {
    fn contribute(_: GroundParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let p = c.pin("p");
        c.ground_pin(p);
        Ok(())
    }
}

group! {
    /// A resistance that depends on temperature.
    pub struct Temperatures(temperatures) {
        /// Reference temperature
        T_ref: Real["K"] = 300.15,
        /// Temperature coefficient of the resistance
        alpha: Real["1/K", structural zero] = 0,
        /// Temperature without heat port
        T: Real["K"] = T_ref,
    }
    variables {
        /// Temperature of the heat port, or `T` without one
        t_heat_port "T_heatPort": Real["K"],
    }
}

impl Temperatures {
    /// The resistance at the temperature of the heat port, or `T` without one, divided by that at
    /// `T_ref`; it must be positive.
    fn factor(self, e: &mut VelocityView<'_>, heat_port: Option<HeatEnd>) -> Ex {
        let Temperatures { T_ref, alpha, T } = self;
        let temperature = heat_port.map_or(T, |end| e.temperature(end));
        e.variable("T_heatPort", temperature);
        let given = [temperature, T_ref, alpha];
        if heat_port.is_some() {
            return warm_resistance::factor(e, given, "heatPort.T");
        }
        let factor = warm_resistance::factor_at(given);
        e.require(&["T", "T_ref", "alpha"], factor.gt(0.0), NOT_POSITIVE);
        factor
    }

    /// A branch whose resistance at the reference temperature is given. The last function is the
    /// residual of voltage, current and resistance.
    fn resist(
        self,
        c: &mut Contribution<'_>,
        resistance: impl FnOnce(&mut VelocityView<'_>) -> Result<Ex, Error> + 'static,
        residual: impl FnOnce([Ex; 3]) -> Ex + 'static,
    ) {
        let heat_port = c.heat_port("heatPort");
        branch_law(c, move |e, v, i| {
            let resistance = resistance(e)? * self.factor(e, heat_port);
            e.variable("R_actual", resistance);
            lose(e, heat_port, v * i);
            Ok(residual([v, i, resistance]))
        });
    }

    /// A branch whose conductance at the reference temperature is given.
    fn conduct(
        self,
        c: &mut Contribution<'_>,
        conductance: impl FnOnce(&mut VelocityView<'_>) -> Result<Ex, Error> + 'static,
    ) {
        let heat_port = c.heat_port("heatPort");
        branch_law(c, move |e, v, i| {
            let conductance = conductance(e)? / self.factor(e, heat_port);
            e.variable("G_actual", conductance);
            lose(e, heat_port, v * i);
            Ok(i - conductance * v)
        });
    }
}

component! {
    /// Linear resistor, whose resistance may depend on temperature.
    ///
    /// # Equations
    /// `v = R_actual i` with `R_actual = R (1 + alpha (T_heatPort - T_ref))`. `T_heatPort` is the
    /// temperature of the heat port, or `T` while nothing is connected with it.
    pub struct Resistor = "Modelica.Electrical.Analog.Basic.Resistor" {
        /// Resistance at the reference temperature
        R: Real["Ohm", structural zero],
        ..temperatures: temperatures,
        ..pins,
        ..one_port,
        ..lossy,
    }
    variables {
        /// Resistance at the present temperature
        R_actual: Real["Ohm"],
    }
}

impl Component for Resistor {
    fn contribute(p: ResistorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let is_wire = c.is_zero("R", p.R)?;
        let residual = move |[v, i, r]: [Ex; 3]| if is_wire { v } else { v - r * i };
        p.temperatures.resist(c, move |_| Ok(p.R), residual);
        Ok(())
    }
}

component! {
    /// Linear conductor, whose conductance may depend on temperature.
    ///
    /// # Equations
    /// `i = G_actual v` with `G_actual = G / (1 + alpha (T_heatPort - T_ref))`. `T_heatPort` is the
    /// temperature of the heat port, or `T` while nothing is connected with it.
    pub struct Conductor = "Modelica.Electrical.Analog.Basic.Conductor" {
        /// Conductance at the reference temperature
        G: Real["S"],
        ..temperatures: temperatures,
        ..pins,
        ..one_port,
        ..lossy,
    }
    variables {
        /// Conductance at the present temperature
        G_actual: Real["S"],
    }
}

impl Component for Conductor {
    fn contribute(p: ConductorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.temperatures.conduct(c, move |_| Ok(p.G));
        Ok(())
    }
}

component! {
    /// Resistor whose resistance is a signal, which may also depend on temperature.
    ///
    /// # Equations
    /// `v = R_actual i` with `R_actual = R (1 + alpha (T_heatPort - T_ref))`.
    pub struct VariableResistor = "Modelica.Electrical.Analog.Basic.VariableResistor" {
        ..temperatures: temperatures,
        ..pins,
        ..one_port,
        ..lossy,
    }
    ports {
        /// Resistance at the reference temperature
        R: Input["Ohm"],
    }
    variables {
        /// Resistance at the present temperature
        R_actual: Real["Ohm"],
    }
}

impl Component for VariableResistor {
    fn contribute(p: VariableResistorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let given = c.input("R")?;
        // The resistance may become zero.
        p.temperatures.resist(c, move |e| e.read(given), |[v, i, r]| v - r * i);
        Ok(())
    }
}

component! {
    /// Conductor whose conductance is a signal, which may also depend on temperature.
    ///
    /// # Equations
    /// `i = G_actual v` with `G_actual = G / (1 + alpha (T_heatPort - T_ref))`.
    pub struct VariableConductor = "Modelica.Electrical.Analog.Basic.VariableConductor" {
        ..temperatures: temperatures,
        ..pins,
        ..one_port,
        ..lossy,
    }
    ports {
        /// Conductance at the reference temperature
        G: Input["S"],
    }
    variables {
        /// Conductance at the present temperature
        G_actual: Real["S"],
    }
}

impl Component for VariableConductor {
    fn contribute(p: VariableConductorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let given = c.input("G")?;
        p.temperatures.conduct(c, move |e| e.read(given));
        Ok(())
    }
}

component! {
    /// Resistor with a contact that moves along it.
    ///
    /// # Equations
    /// The resistance from `pin_p` to `contact` is `Rp = R_actual (1 - r)`, and that from `contact`
    /// to `pin_n` is `Rn = R_actual r`, with `R_actual = R (1 + alpha (T_heatPort - T_ref))`, and
    /// `r` between 0 and 1.
    pub struct Potentiometer = "Modelica.Electrical.Analog.Basic.Potentiometer" {
        /// Resistance at the reference temperature
        R: Real["Ohm", > 0],
        /// Reference temperature
        T_ref: Real["K"] = 293.15,
        /// Temperature coefficient of the resistance
        alpha: Real["1/K", structural zero] = 0,
        /// Temperature without heat port
        T: Real["K"] = T_ref,
        /// Position of the contact, from 0 at `pin_n` to 1 at `pin_p`
        r_constant "rConstant": Real["1", 0..=1, for r] = 0.5,
        ..lossy,
    }
    ports {
        /// Pin at the end of the resistor
        pin_p: Pin,
        /// Moving contact
        contact: Pin,
        /// Pin at the beginning of the resistor
        pin_n: Pin,
        /// Position of the contact
        r: Input["1"],
    }
    variables {
        /// Temperature of the heat port, or `T` without one
        t_heat_port "T_heatPort": Real["K"],
        /// Resistance between `pin_p` and the contact
        Rp: Real["Ohm"],
        /// Resistance between the contact and `pin_n`
        Rn: Real["Ohm"],
    }
}

impl Component for Potentiometer {
    fn contribute(p: PotentiometerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let PotentiometerParameters { R, T_ref, alpha, T, r_constant } = p;
        let heat_port = c.heat_port("heatPort");
        let [pin_p, contact, pin_n] = ["pin_p", "contact", "pin_n"].map(|port| c.pin(port));
        let branches = [c.branch(pin_p, contact), c.branch(contact, pin_n)];
        c.law(move |e| {
            let factor = Temperatures { T_ref, alpha, T }.factor(e, heat_port);
            let r = r_constant.read(e)?.max(0.0).min(1.0);
            let parts = [R * factor * (1.0 - r), R * factor * r];
            let mut lost = Ex::zero();
            for ((branch, resistance), name) in branches.into_iter().zip(parts).zip(["Rp", "Rn"]) {
                let (v, i) = (e.voltage(branch), e.current(branch));
                lost += v * i;
                e.variable(name, resistance);
                e.set_branch_law(branch, v - resistance * i);
            }
            lose(e, heat_port, lost);
            Ok(())
        });
        Ok(())
    }
}

component! {
    /// Branch without current.
    ///
    /// # Equations
    /// `i = 0`.
    pub struct Idle = "Modelica.Electrical.Analog.Ideal.Idle" { ..pins, ..one_port }
}

impl Component for Idle {
    fn contribute(_: IdleParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        branch_law(c, |_, _, i| Ok(i));
        Ok(())
    }
}

component! {
    /// Branch without voltage.
    ///
    /// # Equations
    /// `v = 0`.
    pub struct Short = "Modelica.Electrical.Analog.Ideal.Short" { ..pins, ..one_port }
}

impl Component for Short {
    fn contribute(_: ShortParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        branch_law(c, |_, v, _| Ok(v));
        Ok(())
    }
}
