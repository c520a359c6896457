//! Components with two pairs of pins: transformers, controlled sources, operational amplifiers.

use super::interfaces::{Pair, pair_law, two_port};
use mechanics::declaration::prelude::*;

component! {
    /// Voltage that a voltage controls.
    ///
    /// # Equations
    /// `v2 = gain v1`, `i1 = 0`.
    pub struct VCV = "Modelica.Electrical.Analog.Basic.VCV" {
        /// Voltage gain
        gain: Real["1"],
        ..two_port,
    }
}

impl Component for VCV {
    fn contribute(p: VCVParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        pair_law(c, move |_, Pair { v1, i1, v2, .. }| Ok([i1, v2 - p.gain * v1]));
        Ok(())
    }
}

component! {
    /// Current that a voltage controls.
    ///
    /// # Equations
    /// `i2 = transConductance v1`, `i1 = 0`.
    pub struct VCC = "Modelica.Electrical.Analog.Basic.VCC" {
        /// Transconductance
        trans_conductance "transConductance": Real["A/V"],
        ..two_port,
    }
}

impl Component for VCC {
    fn contribute(p: VCCParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        pair_law(c, move |_, Pair { v1, i1, i2, .. }| Ok([i1, i2 - p.trans_conductance * v1]));
        Ok(())
    }
}

component! {
    /// Voltage that a current controls.
    ///
    /// # Equations
    /// `v2 = transResistance i1`, `v1 = 0`.
    pub struct CCV = "Modelica.Electrical.Analog.Basic.CCV" {
        /// Transresistance
        trans_resistance "transResistance": Real["Ohm"],
        ..two_port,
    }
}

impl Component for CCV {
    fn contribute(p: CCVParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        pair_law(c, move |_, Pair { v1, i1, v2, .. }| Ok([v1, v2 - p.trans_resistance * i1]));
        Ok(())
    }
}

component! {
    /// Current that a current controls.
    ///
    /// # Equations
    /// `i2 = gain i1`, `v1 = 0`.
    pub struct CCC = "Modelica.Electrical.Analog.Basic.CCC" {
        /// Current gain
        gain: Real["1"],
        ..two_port,
    }
}

impl Component for CCC {
    fn contribute(p: CCCParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        pair_law(c, move |_, Pair { v1, i1, i2, .. }| Ok([v1, i2 - p.gain * i1]));
        Ok(())
    }
}

component! {
    /// Gyrator.
    ///
    /// # Equations
    /// `i1 = G2 v2`, `i2 = -G1 v1`.
    pub struct Gyrator = "Modelica.Electrical.Analog.Basic.Gyrator" {
        /// Gyration conductance of the first voltage
        G1: Real["A/V"],
        /// Gyration conductance of the second voltage
        G2: Real["A/V"],
        ..two_port,
    }
}

impl Component for Gyrator {
    fn contribute(p: GyratorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        pair_law(c, move |_, Pair { v1, i1, v2, i2 }| Ok([i1 - p.G2 * v2, i2 + p.G1 * v1]));
        Ok(())
    }
}

component! {
    /// Two inductors with a common flux.
    ///
    /// # Equations
    /// `v1 = L1 der(i1) + M der(i2)`, `v2 = M der(i1) + L2 der(i2)`.
    pub struct Transformer = "Modelica.Electrical.Analog.Basic.Transformer" {
        /// Primary inductance
        L1: Real["H", > 0],
        /// Secondary inductance
        L2: Real["H", > 0],
        /// Coupling inductance
        M: Real["H"],
        /// Start value of the primary current
        i1: Start["A"] = free(),
        /// Start value of the secondary current
        i2: Start["A"] = free(),
    }
    ports {
        /// Pin of the first pair at which its current enters
        p1: Pin,
        /// Pin of the first pair at which its current leaves
        n1: Pin,
        /// Pin of the second pair at which its current enters
        p2: Pin,
        /// Pin of the second pair at which its current leaves
        n2: Pin,
    }
    variables {
        /// Voltage between p1 and n1
        v1: Real["V"],
        /// Current from p1 to n1
        i1: Real["A"],
        /// Voltage between p2 and n2
        v2: Real["V"],
        /// Current from p2 to n2
        i2: Real["A"],
    }
}

impl Component for Transformer {
    fn contribute(p: TransformerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let TransformerParameters { L1, L2, M, .. } = p;
        let determinant = L1 * L2 - M.square();
        let why = "M^2 must be less than L1 L2: the energy of the field is positive";
        c.require(&["L1", "L2", "M"], determinant.gt(0.0), why)?;
        let pins = ["p1", "n1", "p2", "n2"].map(|port| c.pin(port));
        let branches = [c.branch(pins[0], pins[1]), c.branch(pins[2], pins[3])];
        let currents = [("i1", p.i1), ("i2", p.i2)];
        let states = currents.map(|(local, start)| {
            let current = c.named_start_variable(local, "A", start);
            c.circuit_state(current)
        });
        c.law(move |e| {
            let [v1, v2] = branches.map(|branch| e.voltage(branch));
            for (k, [v, i]) in [["v1", "i1"], ["v2", "i2"]].into_iter().enumerate() {
                let state = e.circuit_state(states[k]);
                e.define(i, state);
                e.variable(v, [v1, v2][k]);
                let residual = e.current(branches[k]) - state;
                e.set_branch_law(branches[k], residual);
            }
            e.set_circuit_rate(states[0], (L2 * v1 - M * v2) / determinant);
            e.set_circuit_rate(states[1], (L1 * v2 - M * v1) / determinant);
            Ok(())
        });
        Ok(())
    }
}

component! {
    /// Ideal transformer without magnetization.
    ///
    /// # Equations
    /// `v1 = n v2`, `i2 = -n i1`.
    pub struct IdealTransformer = "Modelica.Electrical.Analog.Ideal.IdealTransformer" {
        /// Ratio of the primary to the secondary voltage
        n: Real["1", != 0],
        ..two_port,
    }
}

impl Component for IdealTransformer {
    fn contribute(p: IdealTransformerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        pair_law(c, move |_, Pair { v1, i1, v2, i2 }| Ok([v1 - p.n * v2, i2 + p.n * i1]));
        Ok(())
    }
}

component! {
    /// Ideal operational amplifier whose output refers to the ground.
    ///
    /// # Equations
    /// `in_p.v = in_n.v`, `in_p.i = in_n.i = 0`. The rest of the circuit determines the output.
    pub struct IdealOpAmp3Pin = "Modelica.Electrical.Analog.Ideal.IdealOpAmp3Pin" {}
    ports {
        /// Positive pin of the input
        in_p: Pin,
        /// Negative pin of the input
        in_n: Pin,
        /// Output
        out: Pin,
    }
}

impl Component for IdealOpAmp3Pin {
    fn contribute(_: IdealOpAmp3PinParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (in_p, in_n, out) = (c.pin("in_p"), c.pin("in_n"), c.pin("out"));
        let (input, earth) = (c.branch(in_p, in_n), c.earth());
        let output = c.branch(out, earth);
        c.law(move |e| {
            let (i, v) = (e.current(input), e.voltage(input));
            e.set_branch_law(input, i);
            e.set_branch_law(output, v);
            Ok(())
        });
        Ok(())
    }
}
