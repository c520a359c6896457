//! An operational amplifier with the properties of its data sheet.

use equations::{Ex, select};
use mechanics::component::{BranchId, CircuitStateId};
use mechanics::declaration::prelude::*;
use mechanics::statements::laws::velocity_view::VelocityView;
use mechanics::statements::motion::ends::PinEnd;
use std::f64::consts::PI;

component! {
    /// Operational amplifier with the properties of a data sheet.
    ///
    /// # Equations
    /// Input: `i_3 = Ib + Ios / 2 + v_3 / Rcm`, `i_4 = Ib - Ios / 2 + v_4 / Rcm`,
    /// `i_r2 = v_in / Rdm` and `i_c3 = Cin der(v_in)` with `v_3 = p.v - Vos`, `v_4 = m.v`,
    /// `v_in = v_3 - v_4`.
    ///
    /// Frequency response: a lag with `fp2`, a lag with `fp3` and a lead with `fz`, a lag with
    /// `fp4`, from `v_in` to `q_fr3`. Gain: `q_sum = A q_fr3 + Ac (v_3 + v_4)` with
    /// `A = 10^(Avd0 / 20)` and `Ac = 10^((Avd0 - CMRR) / 20) / 2`; `q_sum_help` is this, limited
    /// by the supply, and `q_fp1` follows with a lag with `fp1`.
    ///
    /// Slew rate: `der(x) = (q_fp1 - v_source) / Ts`, and `der(v_source)` is `der(x)`, limited by
    /// `sr_p` and `sr_m`. Output: `i_out = (v_out - v_source) / Rout`, limited by `Imaxsi` and
    /// `Imaxso`.
    ///
    /// # Events
    /// The gain reaches the voltage of the supply, or the output its highest current.
    pub struct OpAmpDetailed = "Modelica.Electrical.Analog.Basic.OpAmpDetailed" {
        /// Input resistance in differential mode
        Rdm: Real["Ohm", > 0] = 2e6,
        /// Input resistance in common mode
        Rcm: Real["Ohm", > 0] = 2e9,
        /// Input capacitance
        Cin: Real["F", > 0] = 1.4e-12,
        /// Input offset voltage
        Vos: Real["V"] = 1e-3,
        /// Input bias current
        Ib: Real["A"] = 80e-9,
        /// Input offset current
        Ios: Real["A"] = 20e-9,
        /// Distance from the positive supply at which the gain is limited
        vcp: Real["V"] = 0,
        /// Distance from the negative supply at which the gain is limited
        vcm: Real["V"] = 0,
        /// Differential gain in dB
        Avd0: Real["1"] = 106,
        /// Common-mode rejection in dB
        CMRR: Real["1"] = 90,
        /// Dominant pole
        fp1: Real["Hz", > 0] = 5,
        /// Frequency of the first pole of the input
        fp2: Real["Hz", > 0] = 2e6,
        /// Frequency of the second pole of the input
        fp3: Real["Hz", > 0] = 20e6,
        /// Frequency of the third pole of the input
        fp4: Real["Hz", > 0] = 100e6,
        /// Frequency of the zero of the input
        fz: Real["Hz", > 0] = 5e6,
        /// Highest rate of an increasing output
        sr_p: Real["V/s"] = 0.5e6,
        /// Highest rate of a decreasing output
        sr_m: Real["V/s"] = 0.5e6,
        /// Output resistance
        Rout: Real["Ohm", > 0] = 75,
        /// Highest current from the output
        Imaxso: Real["A"] = 25e-3,
        /// Highest current into the output
        Imaxsi: Real["A"] = 25e-3,
        /// Time constant of the limit of rates
        Ts: Real["s", > 0] = 1.2e-6,
    }
    ports {
        /// Positive pin of the input
        p: Pin,
        /// Negative pin of the input
        m: Pin,
        /// Output
        outp: Pin,
        /// Positive pin of the supply
        p_supply: Pin,
        /// Negative pin of the supply
        m_supply: Pin,
    }
    variables {
        /// Positive voltage of the supply
        v_pos: Real["V"],
        /// Negative voltage of the supply
        v_neg: Real["V"],
        /// Voltage of the offset
        v_vos: Real["V"],
        /// Potential of the positive pin without the offset
        v_3: Real["V"],
        /// Voltage of the input without the offset
        v_in: Real["V"],
        /// Potential of the negative pin
        v_4: Real["V"],
        /// Current into the positive pin
        i_vos: Real["A"],
        /// Common-mode and bias current of the positive pin
        i_3: Real["A"],
        /// Current of the differential resistance
        i_r2: Real["A"],
        /// Current of the input capacitance
        i_c3: Real["A"],
        /// Common-mode and bias current of the negative pin
        i_4: Real["A"],
        /// Input behind its first pole
        q_fr1: Real["V"],
        /// Input behind its second pole and its zero
        q_fr2: Real["V"],
        /// Input behind its third pole
        q_fr3: Real["V"],
        /// Amplified voltage
        q_sum: Real["V"],
        /// Amplified voltage, limited by the supply
        q_sum_help: Real["V"],
        /// Amplified voltage behind the dominant pole
        q_fp1: Real["V"],
        /// Voltage of the output without load
        v_source: Real["V"],
        /// What follows without limit of the rate
        x: Real["V"],
        /// Potential of the output
        v_out: Real["V"],
        /// Current into the output
        i_out: Real["A"],
    }
}

/// The states behind the input: what follows with lags.
#[derive(Clone, Copy)]
struct Lags {
    q_fr1: Ex,
    q_fr2: Ex,
    q_fr3: Ex,
    q_fp1: Ex,
    x: Ex,
    v_source: Ex,
}

impl Lags {
    fn new(c: &mut Contribution<'_>) -> Lags {
        let [q_fr1, q_fr2, q_fr3, q_fp1, x] =
            ["q_fr1", "q_fr2", "q_fr3", "q_fp1", "x"].map(|name| c.state(name, 0.0).done());
        let v_source = c.state("v_source", 0.0).start_expr(q_fp1).done();
        for (name, state) in [
            ("q_fr1", q_fr1),
            ("q_fr2", q_fr2),
            ("q_fr3", q_fr3),
            ("q_fp1", q_fp1),
            ("x", x),
            ("v_source", v_source),
        ] {
            c.signal(name, move |_| Ok(state));
        }
        Lags { q_fr1, q_fr2, q_fr3, q_fp1, x, v_source }
    }
}

impl OpAmpDetailedParameters {
    /// The laws of the input, between both pins; returns its voltage and the sum of the potentials
    /// behind the offset.
    fn input(
        &self,
        e: &mut VelocityView<'_>,
        [plus, minus]: [PinEnd; 2],
        ([of_plus, of_minus, between], state): ([BranchId; 3], CircuitStateId),
    ) -> [Ex; 2] {
        let (v_3, v_4) = (e.potential(plus) - self.Vos, e.potential(minus));
        let v_in = e.circuit_state(state);
        e.define("v_in", v_in);
        let i_r2 = v_in / self.Rdm;
        let i_c3 = e.current(between) - i_r2;
        let i_3 = self.Ib + self.Ios / 2.0 + v_3 / self.Rcm;
        let i_4 = self.Ib - self.Ios / 2.0 + v_4 / self.Rcm;
        e.set_circuit_rate(state, i_c3 / self.Cin);
        let voltage = e.voltage(between);
        e.set_branch_law(between, voltage - self.Vos - v_in);
        for (branch, given) in [(of_plus, i_3), (of_minus, i_4)] {
            let current = e.current(branch);
            e.set_branch_law(branch, current - given);
        }
        let variables = [
            ("v_vos", self.Vos),
            ("v_3", v_3),
            ("v_4", v_4),
            ("i_vos", i_3 + i_r2 + i_c3),
            ("i_3", i_3),
            ("i_r2", i_r2),
            ("i_c3", i_c3),
            ("i_4", i_4),
        ];
        for (name, value) in variables {
            e.variable(name, value);
        }
        [v_in, v_3 + v_4]
    }

    /// The derivatives of the states, for the voltage of the input, the sum of its potentials and
    /// the voltages of the supply.
    fn follow(
        &self,
        e: &mut VelocityView<'_>,
        lags: Lags,
        [v_in, sum]: [Ex; 2],
        [v_pos, v_neg]: [Ex; 2],
    ) {
        let Lags { q_fr1, q_fr2, q_fr3, q_fp1, x, v_source } = lags;
        let gain = decibels(self.Avd0);
        let q_sum = gain * q_fr3 + decibels(self.Avd0 - self.CMRR) / 2.0 * sum;
        let [highest, lowest] = [v_pos - self.vcp.abs(), v_neg + self.vcm.abs()];
        let mut beyond = |[of_sum, of_lag]: [&str; 2], [excess, lag]: [Ex; 2]| {
            let is_above = e.relation(of_sum, excess / gain.max(1.0)).done();
            is_above & !e.relation(of_lag, -lag).done()
        };
        let above = beyond(["above", "below_upper"], [q_sum - highest, q_fp1 - highest]);
        let below = beyond(["below", "above_lower"], [lowest - q_sum, lowest - q_fp1]);
        let q_sum_help = select(above, highest, select(below, lowest, q_sum));
        let variables =
            [("v_pos", v_pos), ("v_neg", v_neg), ("q_sum", q_sum), ("q_sum_help", q_sum_help)];
        for (name, value) in variables {
            e.variable(name, value);
        }

        let rate = |f: Ex, difference: Ex| 2.0 * PI * f * difference;
        let first = rate(self.fp2, v_in - q_fr1);
        let without_limit = (q_fp1 - v_source) / self.Ts;
        let limited = without_limit.min(self.sr_p.abs()).max(-self.sr_m.abs());
        let model = e.model();
        model.derivative(q_fr1, first);
        model.derivative(q_fr2, rate(self.fp3, q_fr1 + first / (2.0 * PI * self.fz) - q_fr2));
        model.derivative(q_fr3, rate(self.fp4, q_fr2 - q_fr3));
        model.derivative(q_fp1, rate(self.fp1, q_sum_help - q_fp1));
        model.derivative(x, without_limit);
        model.derivative(v_source, limited);
    }

    /// The law of the output, for its voltage without load.
    fn feed(&self, e: &mut VelocityView<'_>, out: PinEnd, output: BranchId, v_source: Ex) {
        let (v_out, i_out) = (e.potential(out), e.current(output));
        let [most_in, most_out] = [self.Imaxsi.abs(), self.Imaxso.abs()];
        let through = (v_out - v_source) / self.Rout;
        let sinks = e.relation("sinks", through - most_in).done();
        let feeds = e.relation("feeds", -most_out - through).done();
        e.set_branch_law(output, i_out - select(sinks, most_in, select(feeds, -most_out, through)));
        e.variable("v_out", v_out);
        e.variable("i_out", i_out);
    }
}

impl Component for OpAmpDetailed {
    fn contribute(p: OpAmpDetailedParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let [plus, minus, out] = ["p", "m", "outp"].map(|port| c.pin(port));
        let supply = ["p_supply", "m_supply"].map(|port| c.pin(port));
        let earth = c.earth();
        let [of_plus, of_minus, output] = [plus, minus, out].map(|pin| c.branch(pin, earth));
        let between = c.branch(plus, minus);
        let variable = c.named_start_variable("v_in", "V", free());
        let v_in = c.circuit_state(variable);
        let lags = Lags::new(c);
        c.law(move |e| {
            let input = p.input(e, [plus, minus], ([of_plus, of_minus, between], v_in));
            let voltages = supply.map(|pin| e.potential(pin));
            p.follow(e, lags, input, voltages);
            p.feed(e, out, output, lags.v_source);
            Ok(())
        });
        Ok(())
    }
}

/// The factor of a gain in decibels.
fn decibels(gain: Ex) -> Ex {
    (gain * (10.0_f64.ln() / 20.0)).exp()
}
