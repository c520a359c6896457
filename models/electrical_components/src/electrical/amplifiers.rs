//! Operational amplifiers.

use super::interfaces::{Pair, pair_law, two_port};
use equations::{Bool, Ex, select};
use mechanics::component::BranchId;
use mechanics::declaration::{choice, group, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::laws::velocity_view::VelocityView;
use mechanics::statements::motion::ends::PinEnd;

component! {
    /// Ideal operational amplifier with four pins.
    ///
    /// # Equations
    /// `v1 = 0`, `i1 = 0`. The rest of the circuit determines `v2` and `i2`.
    pub struct IdealOpAmp = "Modelica.Electrical.Analog.Ideal.IdealOpAmp" { ..two_port }
}

impl Component for IdealOpAmp {
    fn contribute(_: IdealOpAmpParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        pair_law(c, |_, Pair { v1, i1, .. }| Ok([i1, v1]));
        Ok(())
    }
}

group! {
    /// An amplifier whose output refers to the ground.
    pub struct Amplifier(amplifier) {}
    ports {
        /// Positive pin of the input
        in_p: Pin,
        /// Negative pin of the input
        in_n: Pin,
        /// Output
        out: Pin,
    }
}

/// The input and the output of an amplifier. No current flows into the input.
#[derive(Clone, Copy)]
struct Gain {
    input: [PinEnd; 2],
    out: PinEnd,
    output: BranchId,
}

impl Gain {
    fn of(c: &mut Contribution<'_>) -> Self {
        let input = [c.pin("in_p"), c.pin("in_n")];
        let (out, earth) = (c.pin("out"), c.earth());
        Gain { input, out, output: c.branch(out, earth) }
    }

    /// The voltage of the input.
    fn v_in(self, e: &VelocityView<'_>) -> Ex {
        e.potential(self.input[0]) - e.potential(self.input[1])
    }
}

component! {
    /// Ideal operational amplifier whose output refers to the ground.
    ///
    /// # Equations
    /// `in_p.v = in_n.v`, `in_p.i = in_n.i = 0`. The rest of the circuit determines the output.
    pub struct IdealOpAmp3Pin = "Modelica.Electrical.Analog.Ideal.IdealOpAmp3Pin" { ..amplifier }
}

impl Component for IdealOpAmp3Pin {
    fn contribute(_: IdealOpAmp3PinParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let gain = Gain::of(c);
        c.law(move |e| {
            let v_in = gain.v_in(e);
            e.set_branch_law(gain.output, v_in);
            Ok(())
        });
        Ok(())
    }
}

/// Begins the search for the potentials of a supply where they are different.
fn guess_supply(c: &mut Contribution<'_>, pins: [PinEnd; 2]) {
    for (pin, guess) in pins.into_iter().zip([15.0, -15.0]) {
        c.guess_potential(pin, guess);
    }
}

group! {
    /// An amplifier whose output is between the potentials of two pins, into which no current
    /// flows.
    pub struct Limits(limits) {}
    ports {
        /// Pin with the highest potential of the output
        VMax: Pin,
        /// Pin with the lowest potential of the output
        VMin: Pin,
    }
    variables {
        /// Voltage of the input
        vin: Real["V"],
    }
}

component! {
    /// Ideal operational amplifier whose output is limited by the potentials of two pins.
    ///
    /// # Equations
    /// `vin = in_p.v - in_n.v`. Either `vin = 0` and `VMin.v < out.v < VMax.v`, or `vin > 0` and
    /// `out.v = VMax.v`, or `vin < 0` and `out.v = VMin.v`.
    ///
    /// # Events
    /// The output reaches a limit, or leaves it.
    pub struct IdealOpAmpLimited = "Modelica.Electrical.Analog.Ideal.IdealOpAmpLimited" {
        ..amplifier,
        ..limits,
    }
}

impl Component for IdealOpAmpLimited {
    fn contribute(_: IdealOpAmpLimitedParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let gain = Gain::of(c);
        let limits = ["VMax", "VMin"].map(|port| c.pin(port));
        let position = c.circuit_unknown();
        c.law(move |e| {
            let vin = gain.v_in(e);
            let [highest, lowest] = limits.map(|pin| e.potential(pin));
            // The position is from -1 to 1 between the limits; beyond them, it is the input.
            let s = e.current(position);
            let above = e.relation("above", s - 1.0).done();
            let below = e.relation("below", -1.0 - s).done();
            let beyond = select(above, s - 1.0, select(below, s + 1.0, 0.0));
            let within = (highest - lowest) * s / 2.0 + (highest + lowest) / 2.0;
            let limited = select(above, highest, select(below, lowest, within));
            let out = e.potential(gain.out);
            e.variable("vin", vin);
            e.set_branch_law(position, vin - beyond);
            e.set_branch_law(gain.output, out - limited);
            Ok(())
        });
        Ok(())
    }
}

component! {
    /// Operational amplifier with a smooth characteristic between the potentials of two pins.
    ///
    /// # Equations
    /// `out.v = (VMax.v + VMin.v) / 2 + Slope vin / (1 + Slope |f vin|)` with
    /// `vin = in_p.v - in_n.v` and `f = 2 / (VMax.v - VMin.v)`.
    pub struct OpAmp = "Modelica.Electrical.Analog.Basic.OpAmp" {
        /// Slope of the characteristic at `vin = 0`; its sign has no meaning
        slope "Slope": Real["1", != 0],
        ..amplifier,
        ..limits,
    }
}

impl Component for OpAmp {
    fn contribute(p: OpAmpParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let gain = Gain::of(c);
        let limits = ["VMax", "VMin"].map(|port| c.pin(port));
        guess_supply(c, limits);
        c.law(move |e| {
            let vin = gain.v_in(e);
            let [highest, lowest] = limits.map(|pin| e.potential(pin));
            let amplified = p.slope.abs() * vin;
            let reduced = amplified / (1.0 + (amplified * 2.0 / (highest - lowest)).abs());
            let out = e.potential(gain.out);
            e.variable("vin", vin);
            e.set_branch_law(gain.output, out - (highest + lowest) / 2.0 - reduced);
            Ok(())
        });
        Ok(())
    }
}

choice! {
    /// How the output voltage of an amplifier with a lag begins.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum InitOpAmp {
        /// The amplified voltage of the input, within the limits.
        #[default]
        Linear,
        /// The positive supply voltage.
        UpperLimit,
        /// The negative supply voltage.
        LowerLimit,
    }
}

group! {
    /// An amplifier that a supply limits.
    pub struct Supplied(supplied) {
        /// No-load amplification
        V0: Real["1", > 0] = 15000,
        /// Positive supply voltage, if the pin `s_p` is not connected
        Vps: Real["V"] = 15,
        /// Negative supply voltage, if the pin `s_n` is not connected
        Vns: Real["V"] = -15,
    }
    ports {
        /// Positive supply
        s_p: Pin,
        /// Negative supply
        s_n: Pin,
    }
    variables {
        /// Positive supply voltage
        vps: Real["V"],
        /// Negative supply voltage
        vns: Real["V"],
        /// Voltage of the input
        v_in: Real["V"],
        /// Voltage of the output to the ground
        v_out: Real["V"],
        /// Power into the input
        p_in: Real["W"],
        /// Power into the output
        p_out: Real["W"],
        /// Power of the supply
        p_s: Real["W"],
        /// Current of the supply
        i_s: Real["A"],
    }
}

/// Where an amplifier gets its power.
#[derive(Clone, Copy)]
enum Supply {
    /// Two pins.
    Pins([PinEnd; 2]),
    /// Voltages.
    Voltages([Ex; 2]),
}

impl Supplied {
    /// The supply: pins if they are connected, voltages otherwise.
    fn supply(&self, c: &mut Contribution<'_>) -> Result<Supply, Error> {
        let connected = ["s_p", "s_n"].map(|port| c.is_connected(port));
        if connected == [false, false] {
            let why = "Vps must exceed Vns";
            c.require(&["Vps", "Vns"], self.Vps.gt(self.Vns), why)?;
            return Ok(Supply::Voltages([self.Vps, self.Vns]));
        }
        if let Some(open) = ["s_p", "s_n"].into_iter().zip(connected).find(|(_, is)| !is) {
            return Err(c.refuse(open.0, "the other pin of the supply is connected"));
        }
        Ok(Supply::Pins(["s_p", "s_n"].map(|port| c.pin(port))))
    }

    /// States the law of the output: its voltage is computed from that of the input and from the
    /// supply voltages.
    fn amplify(
        self,
        c: &mut Contribution<'_>,
        law: impl FnOnce(&mut VelocityView<'_>, [Ex; 3]) -> Ex + 'static,
    ) -> Result<BranchId, Error> {
        let supply = self.supply(c)?;
        let gain = Gain::of(c);
        let flowing = match supply {
            Supply::Pins([s_p, s_n]) => {
                guess_supply(c, [s_p, s_n]);
                Some(c.branch(s_p, s_n))
            }
            Supply::Voltages(_) => None,
        };
        c.law(move |e| {
            let [vps, vns] = supply.voltages(e);
            let (v_in, out, i_out) = (gain.v_in(e), e.potential(gain.out), e.current(gain.output));
            let v_out = law(e, [v_in, vps, vns]);
            e.set_branch_law(gain.output, out - v_out);
            // No current flows into the input.
            let (p_in, p_out) = (Ex::zero(), out * i_out);
            let i_s = -p_out / (vps - vns);
            if let Some(branch) = flowing {
                let current = e.current(branch);
                e.set_branch_law(branch, current - i_s);
            }
            for (name, value) in [
                ("vps", vps),
                ("vns", vns),
                ("v_in", v_in),
                ("v_out", out),
                ("p_in", p_in),
                ("p_out", p_out),
                ("p_s", -p_out),
                ("i_s", i_s),
            ] {
                e.variable(name, value);
            }
            Ok(())
        });
        Ok(gain.output)
    }
}

impl Supply {
    fn voltages(self, e: &SignalView<'_>) -> [Ex; 2] {
        match self {
            Supply::Pins(pins) => pins.map(|pin| e.potential(pin)),
            Supply::Voltages(voltages) => voltages,
        }
    }
}

/// Whether a voltage is at or beyond the upper and the lower limit. It is the voltage of the input
/// times a gain, and so are its rounding errors.
fn saturation(e: &mut VelocityView<'_>, [v, vps, vns]: [Ex; 3], gain: Ex) -> [Bool; 2] {
    let scale = (1e-3 * gain).max(1.0);
    let mut is_inside = |name, distance: Ex| e.relation(name, distance / scale).done();
    [!is_inside("satPos", vps - v), !is_inside("satNeg", v - vns)]
}

/// The voltage within its limits.
fn limited([positive, negative]: [Bool; 2], [v, vps, vns]: [Ex; 3]) -> Ex {
    select(positive, vps, select(negative, vns, v))
}

component! {
    /// Operational amplifier with limits of the output.
    ///
    /// # Equations
    /// `v_out = V0 v_in`, limited by `vps` and `vns`. No current flows into the input; the power of
    /// the output flows from `s_p` to `s_n` if they are connected.
    ///
    /// # Events
    /// The output reaches a limit, or leaves it.
    pub struct IdealizedOpAmpLimited = "Modelica.Electrical.Analog.Ideal.IdealizedOpAmpLimited" {
        ..supplied: supplied,
        ..amplifier,
    }
}

impl Component for IdealizedOpAmpLimited {
    fn contribute(p: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let gain = p.supplied.V0;
        p.supplied.amplify(c, move |e, [v_in, vps, vns]| {
            let values = [gain * v_in, vps, vns];
            limited(saturation(e, values, gain), values)
        })?;
        Ok(())
    }
}

component! {
    /// Operational amplifier with limits of the output and, optionally, with a lag.
    ///
    /// # Equations
    /// `v_int = V0 v_in` or, with `useFirstOrder`, `Tau der(v_int) = V0 v_in - v_int`. `v_out` is
    /// `v_int`, limited by `vps` and `vns`. No current flows into the input; the power of the
    /// output flows from `s_p` to `s_n` if they are connected.
    ///
    /// # Events
    /// The output reaches a limit, or leaves it.
    pub struct OpAmpLimited = "Modelica.Electrical.Analog.Ideal.OpAmpLimited" {
        ..supplied: supplied,
        /// Whether the voltage follows with a lag
        use_first_order "useFirstOrder": bool[constant] = false,
        /// Time constant of the lag
        Tau: Real["s", > 0] = 1e-5,
        /// How the voltage with a lag begins
        init_op_amp "initOpAmp": InitOpAmp = InitOpAmp::Linear,
        ..amplifier,
    }
    variables {
        /// Voltage before the limits
        v_int: Real["V"],
        /// Current into the output
        i_out: Real["A"],
        /// Whether the output is at its upper limit
        sat_pos "satPos": Boolean,
        /// Whether the output is at its lower limit
        sat_neg "satNeg": Boolean,
    }
}

impl Component for OpAmpLimited {
    fn contribute(p: OpAmpLimitedParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let OpAmpLimitedParameters { supplied, use_first_order, Tau, init_op_amp } = p;
        let gain = supplied.V0;
        let lagged = use_first_order.then(|| c.state("v_int", 0.0).unit("V").done());
        if let Some(state) = lagged {
            c.signal("v_int", move |_| Ok(state));
            let supply = supplied.supply(c)?;
            let input = ["in_p", "in_n"].map(|port| c.pin(port));
            c.initial_equation("v_int", state, move |e| {
                let [vps, vns] = supply.voltages(e);
                let v_in = e.potential(input[0]) - e.potential(input[1]);
                Ok(state
                    - match init_op_amp {
                        InitOpAmp::Linear => (gain * v_in).max(vns).min(vps),
                        InitOpAmp::UpperLimit => vps,
                        InitOpAmp::LowerLimit => vns,
                    })
            });
        }
        let output = supplied.amplify(c, move |e, [v_in, vps, vns]| {
            let v_int = lagged.unwrap_or(gain * v_in);
            let values = [v_int, vps, vns];
            let saturated = saturation(e, values, gain);
            e.variable("satPos", saturated[0]);
            e.variable("satNeg", saturated[1]);
            match lagged {
                None => drop(e.variable("v_int", v_int)),
                Some(state) => e.model().derivative(state, (gain * v_in - state) / Tau),
            }
            limited(saturated, values)
        })?;
        c.law(move |e| {
            let current = e.current(output);
            e.variable("i_out", current);
            Ok(())
        });
        Ok(())
    }
}
