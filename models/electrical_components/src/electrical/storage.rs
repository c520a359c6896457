//! Capacitors and inductors.

use super::interfaces::{Stored, branch_law, one_port, pins};
use equations::{Ex, select};
use mechanics::component::CircuitStateId;
use mechanics::declaration::prelude::*;
use mechanics::statements::laws::velocity_view::VelocityView;
use std::f64::consts::FRAC_PI_2;

impl Stored {
    /// A branch whose state is its voltage or its current. The law computes the derivative of the
    /// state from the state and from the other variable.
    fn state(
        self,
        c: &mut Contribution<'_>,
        start: Start,
        rate: impl FnOnce(&mut VelocityView<'_>, [Ex; 2]) -> Ex + 'static,
    ) -> CircuitStateId {
        let (branch, state) = self.branch(c, ["p", "n"], ["v", "i"], start);
        c.law(move |e| {
            let [_, other] = self.pick([e.voltage(branch), e.current(branch)]);
            let x = e.circuit_state(state);
            let rate = rate(e, [x, other]);
            e.set_circuit_rate(state, rate);
            Ok(())
        });
        state
    }

    /// A branch with a capacitance or an inductance. If this is zero, the branch is open or a wire.
    fn linear(
        self,
        c: &mut Contribution<'_>,
        amount: Ex,
        start: Start,
        is_steady: bool,
    ) -> Result<(), Error> {
        let [local, _] = self.pick(["v", "i"]);
        if is_steady && start.fixed {
            return Err(c.refuse(local, "in steady state, its start value cannot be fixed"));
        }
        let [of, _] = self.pick(["C", "L"]);
        match c.is_zero(of, amount)? {
            false => {
                let state = self.state(c, start, move |_, [_, other]| other / amount);
                if is_steady {
                    c.steady_circuit_state(state);
                }
            }
            true if start.fixed => {
                let [what, _] = self.pick(["capacitance", "inductance"]);
                let why = format!("without {what}, its start value cannot be fixed");
                return Err(c.refuse(local, why));
            }
            true => branch_law(c, move |_, v, i| Ok(self.pick([v, i])[1])),
        }
        Ok(())
    }

    /// A branch whose state `local` is the product of its variable and of an amount that a signal
    /// gives, at least `least`. Its initial value follows from that of the variable, if it is
    /// given.
    fn variable(
        self,
        c: &mut Contribution<'_>,
        [local, unit, signal]: [&'static str; 3],
        least: Ex,
        initial: Option<Ex>,
    ) -> Result<(), Error> {
        let given = c.input(signal)?;
        let start = if initial.is_some() { fixed(0) } else { free() };
        let product = c.named_start_variable(local, unit, start);
        let product = c.circuit_state(product);
        c.signal(local, move |e| Ok(e.circuit_state(product)));
        branch_law(c, move |e, v, i| {
            let amount = e.read(given)?;
            let [what, _] = self.pick(["capacitance", "inductance"]);
            let sentence = format!("{}: the {what} must not be negative", e.full(signal));
            e.model().assert(None, amount.ge(0.0), &sentence, false);
            let amount = amount.max(least);
            let [own, other] = self.pick([v, i]);
            e.set_circuit_rate(product, other);
            if let Some(initial) = initial {
                e.set_circuit_start(product, amount * initial);
            }
            Ok(own - e.circuit_state(product) / amount)
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
        /// Whether the voltage begins in steady state: without current
        steady_state: bool = false,
        ..pins,
        ..one_port,
    }
}

impl Component for Capacitor {
    fn contribute(p: CapacitorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        Stored::Voltage.linear(c, p.C, p.v, p.steady_state)
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
        /// Whether the current begins in steady state: without voltage
        steady_state: bool = false,
        ..pins,
        ..one_port,
    }
}

impl Component for Inductor {
    fn contribute(p: InductorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        Stored::Current.linear(c, p.L, p.i, p.steady_state)
    }
}

component! {
    /// Capacitor whose capacitance is a signal.
    ///
    /// # Equations
    /// `i = der(Q)` with `Q = max(C, Cmin) v`. The charge is a state, and zero at the start, unless
    /// `UIC`.
    pub struct VariableCapacitor = "Modelica.Electrical.Analog.Basic.VariableCapacitor" {
        /// Least capacitance
        Cmin: Real["F", > 0] = f64::EPSILON,
        /// Initial voltage, if `UIC`
        IC: Real["V"] = 0,
        /// Whether the initial voltage is `IC`
        UIC: bool[constant] = false,
        ..pins,
        ..one_port,
    }
    ports {
        /// Capacitance
        C: Input["F"],
    }
    variables {
        /// Charge
        Q: Real["C"],
    }
}

impl Component for VariableCapacitor {
    fn contribute(p: VariableCapacitorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        Stored::Voltage.variable(c, ["Q", "C", "C"], p.Cmin, p.UIC.then_some(p.IC))
    }
}

component! {
    /// Inductor whose inductance is a signal.
    ///
    /// # Equations
    /// `v = der(Psi)` with `Psi = max(L, Lmin) i`. The flux is a state, and zero at the start,
    /// unless `UIC`.
    pub struct VariableInductor = "Modelica.Electrical.Analog.Basic.VariableInductor" {
        /// Least inductance
        Lmin: Real["H", > 0] = f64::EPSILON,
        /// Initial current, if `UIC`
        IC: Real["A"] = 0,
        /// Whether the initial current is `IC`
        UIC: bool[constant] = false,
        ..pins,
        ..one_port,
    }
    ports {
        /// Inductance
        L: Input["H"],
    }
    variables {
        /// Flux
        Psi: Real["Wb"],
    }
}

impl Component for VariableInductor {
    fn contribute(p: VariableInductorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        Stored::Current.variable(c, ["Psi", "Wb", "L"], p.Lmin, p.UIC.then_some(p.IC))
    }
}

component! {
    /// Inductor with saturation.
    ///
    /// # Equations
    /// `v = der(Psi)` with `Psi = Linf i + (Lzer - Linf) Ipar atan(i / Ipar)`; `Ipar` is such that
    /// `Psi = Lnom Inom` at `i = Inom`, up to the part of the saturated flux.
    pub struct SaturatingInductor = "Modelica.Electrical.Analog.Basic.SaturatingInductor" {
        /// Nominal current
        Inom: Real["A", > 0],
        /// Inductance at the nominal current
        Lnom: Real["H", > 0],
        /// Inductance near the current 0
        Lzer: Real["H", > 0] = 2.0 * Lnom,
        /// Inductance at large currents
        Linf: Real["H", > 0] = Lnom / 2.0,
        /// Start value of the current
        i: Start["A"] = free(),
        ..pins,
        ..one_port,
    }
    variables {
        /// Present inductance, the flux divided by the current
        Lact: Real["H"],
        /// Flux
        Psi: Real["Wb"],
    }
}

/// The arc tangent.
fn atan(x: Ex) -> Ex {
    x.atan2(1.0)
}

impl Component for SaturatingInductor {
    fn contribute(p: SaturatingInductorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let SaturatingInductorParameters { Inom, Lnom, Lzer, Linf, .. } = p;
        c.require(&["Lzer", "Lnom"], Lzer.gt(Lnom), "Lzer must exceed Lnom")?;
        c.require(&["Linf", "Lnom"], Linf.lt(Lnom), "Linf must be below Lnom")?;
        // The function increases, and its slope decreases: from below, no step is too long.
        let (x, part) = (Ex::symbol(), (Lnom - Linf) / (Lzer - Linf));
        let residual = x * Ex::from(1.0).atan2(x) - part;
        let name = c.full("Ipar");
        let [x] = c.model().newton(&name, &[x], &[residual], &[part / FRAC_PI_2])[..] else {
            unreachable!("there is one unknown")
        };
        let (i_par, excess) = (x * Inom, Lzer - Linf);
        Stored::Current.state(c, p.i, move |e, [i, v]| {
            let x = i / i_par;
            let mean = select(x.is_true(), atan(x) / x, 1.0);
            e.variable("Lact", Linf + excess * mean);
            e.variable("Psi", Linf * i + excess * i_par * atan(x));
            v / (Linf + excess / (1.0 + x.square()))
        });
        Ok(())
    }
}
