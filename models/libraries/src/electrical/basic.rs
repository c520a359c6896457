//! Ground, resistors, capacitors and inductors.

use super::interfaces::{branch_law, lose, one_port};
use mechanics::declaration::prelude::*;
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

/// The resistance at the temperature of the heat port, or `t` without one, divided by that at
/// `t_ref`; it must be positive.
fn of_temperature(
    e: &mut VelocityView<'_>,
    heat_port: Option<HeatEnd>,
    [t, t_ref, alpha]: [Ex; 3],
) -> Ex {
    let temperature = heat_port.map_or(t, |end| e.temperature(end));
    e.variable("T_heatPort", temperature);
    let factor = 1.0 + alpha * (temperature - t_ref);
    let is_positive = factor.gt(0.0);
    match heat_port {
        None => e.require(&["T", "T_ref", "alpha"], is_positive, NOT_POSITIVE),
        Some(_) if alpha.is_constant_zero() => {}
        Some(_) => {
            let sentence = format!("{}: {NOT_POSITIVE}", e.full("heatPort.T"));
            e.model().assert(None, is_positive, &sentence, false);
        }
    }
    factor
}

/// Why a temperature is refused.
const NOT_POSITIVE: &str = "at this temperature, 1 + alpha (T - T_ref) is not positive";

component! {
    /// Linear resistor, whose resistance may depend on temperature.
    ///
    /// # Equations
    /// `v = R_actual i` with `R_actual = R (1 + alpha (T_heatPort - T_ref))`. `T_heatPort` is the
    /// temperature of the heat port, or `T` while nothing is connected with it.
    pub struct Resistor = "Modelica.Electrical.Analog.Basic.Resistor" {
        /// Resistance at the reference temperature
        R: Real["Ohm", structural zero],
        /// Reference temperature
        T_ref: Real["K"] = 300.15,
        /// Temperature coefficient of the resistance
        alpha: Real["1/K", structural zero] = 0,
        /// Temperature without heat port
        T: Real["K"] = T_ref,
        ..one_port,
    }
    ports {
        /// Heat port that receives the lost power
        heat_port "heatPort": HeatPort,
    }
    variables {
        /// Lost power
        loss_power "LossPower": Real["W"],
        /// Temperature of the heat port, or `T` without one
        t_heat_port "T_heatPort": Real["K"],
        /// Resistance at the present temperature
        R_actual: Real["Ohm"],
    }
}

impl Component for Resistor {
    fn contribute(p: ResistorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let heat_port = c.heat_port("heatPort");
        let is_wire = c.fixed_number(p.R) == Some(0.0);
        if !is_wire {
            let why = "whether a resistance is zero is decided when the FMU is built";
            c.require(&["R"], !p.R.equals(0.0), why)?;
        }
        branch_law(c, move |e, v, i| {
            let resistance = p.R * of_temperature(e, heat_port, [p.T, p.T_ref, p.alpha]);
            e.variable("R_actual", resistance);
            lose(e, heat_port, v * i);
            Ok(if is_wire { v } else { i - v / resistance })
        });
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
        /// Reference temperature
        T_ref: Real["K"] = 300.15,
        /// Temperature coefficient of the conductance
        alpha: Real["1/K", structural zero] = 0,
        /// Temperature without heat port
        T: Real["K"] = T_ref,
        ..one_port,
    }
    ports {
        /// Heat port that receives the lost power
        heat_port "heatPort": HeatPort,
    }
    variables {
        /// Lost power
        loss_power "LossPower": Real["W"],
        /// Temperature of the heat port, or `T` without one
        t_heat_port "T_heatPort": Real["K"],
        /// Conductance at the present temperature
        G_actual: Real["S"],
    }
}

impl Component for Conductor {
    fn contribute(p: ConductorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let heat_port = c.heat_port("heatPort");
        branch_law(c, move |e, v, i| {
            let conductance = p.G / of_temperature(e, heat_port, [p.T, p.T_ref, p.alpha]);
            e.variable("G_actual", conductance);
            lose(e, heat_port, v * i);
            Ok(i - conductance * v)
        });
        Ok(())
    }
}

component! {
    /// Linear capacitor.
    ///
    /// # Equations
    /// `i = C der(v)`. Its voltage is a state, unless the circuit determines it.
    pub struct Capacitor = "Modelica.Electrical.Analog.Basic.Capacitor" {
        /// Capacitance
        C: Real["F", >= 0, structural zero],
        /// Start value of the voltage
        v: Start["V"] = free(),
    }
    ports {
        /// Pin at which the current enters
        p: Pin,
        /// Pin at which the current leaves
        n: Pin,
    }
    variables {
        /// Voltage between p and n
        v: Real["V"],
        /// Current from p to n
        i: Real["A"],
    }
}

impl Component for Capacitor {
    fn contribute(p: CapacitorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        if c.fixed_number(p.C) == Some(0.0) {
            if p.v.fixed {
                return Err(c.refuse("v", "without capacitance, its start value cannot be fixed"));
            }
            branch_law(c, |_, _, i| Ok(i));
            return Ok(());
        }
        let voltage = c.named_start_variable("v", "V", p.v);
        let state = c.circuit_state(voltage);
        let ends = (c.pin("p"), c.pin("n"));
        let branch = c.branch(ends.0, ends.1);
        c.law(move |e| {
            let (v, i, x) = (e.voltage(branch), e.current(branch), e.circuit_state(state));
            e.define("v", x);
            e.variable("i", i);
            e.set_branch_law(branch, v - x);
            e.set_circuit_rate(state, i / p.C);
            Ok(())
        });
        Ok(())
    }
}

component! {
    /// Linear inductor.
    ///
    /// # Equations
    /// `v = L der(i)`. Its current is a state, unless the circuit determines it.
    pub struct Inductor = "Modelica.Electrical.Analog.Basic.Inductor" {
        /// Inductance
        L: Real["H", >= 0, structural zero],
        /// Start value of the current
        i: Start["A"] = free(),
    }
    ports {
        /// Pin at which the current enters
        p: Pin,
        /// Pin at which the current leaves
        n: Pin,
    }
    variables {
        /// Voltage between p and n
        v: Real["V"],
        /// Current from p to n
        i: Real["A"],
    }
}

impl Component for Inductor {
    fn contribute(p: InductorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        if c.fixed_number(p.L) == Some(0.0) {
            if p.i.fixed {
                return Err(c.refuse("i", "without inductance, its start value cannot be fixed"));
            }
            branch_law(c, |_, v, _| Ok(v));
            return Ok(());
        }
        let current = c.named_start_variable("i", "A", p.i);
        let state = c.circuit_state(current);
        let ends = (c.pin("p"), c.pin("n"));
        let branch = c.branch(ends.0, ends.1);
        c.law(move |e| {
            let (v, i, x) = (e.voltage(branch), e.current(branch), e.circuit_state(state));
            e.define("i", x);
            e.variable("v", v);
            e.set_branch_law(branch, i - x);
            e.set_circuit_rate(state, v / p.L);
            Ok(())
        });
        Ok(())
    }
}
