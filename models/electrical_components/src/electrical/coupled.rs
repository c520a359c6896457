//! Components with two pairs of pins: transformers and controlled sources.

use super::interfaces::{Pair, Stored, pair_law, two_port};
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
    ///
    /// With `M^2 = L1 L2` the currents are not independent: `L1 v2 = M v1`, and the state is
    /// `i1 + i2 M / L1`, the current that magnetizes the core.
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
        ..two_port,
    }
    variables {
        /// Current that magnetizes the core
        i_m?: Real["A"],
    }
}

impl Transformer {
    /// The laws of a transformer without stray fields.
    fn without_stray(c: &mut Contribution<'_>, p: TransformerParameters) {
        let ratio = p.M / p.L1;
        let starts = [p.i1, p.i2];
        let [fixed, given] = [starts.iter().any(|of| of.fixed), starts.iter().any(|of| of.given)];
        let magnetizing = c.named_start_variable("i_m", "A", Start { value: 0.0, fixed, given });
        let magnetizing = c.circuit_state(magnetizing);
        pair_law(c, move |e, Pair { v1, i1, v2, i2 }| {
            let current = e.circuit_state(magnetizing);
            e.define("i_m", current);
            e.set_circuit_rate(magnetizing, v1 / p.L1);
            e.set_circuit_start(magnetizing, p.i1.value + ratio * p.i2.value);
            Ok([i1 + ratio * i2 - current, v2 - ratio * v1])
        });
    }
}

impl Component for Transformer {
    fn contribute(p: TransformerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let TransformerParameters { L1, L2, M, .. } = p;
        let determinant = L1 * L2 - M.square();
        let numbers = [L1, L2, M].map(|of| c.fixed_number(of));
        if let [Some(l1), Some(l2), Some(m)] = numbers {
            let most = (l1 * l2).sqrt();
            if (m.abs() - most).abs() <= 1e-12 * most {
                Self::without_stray(c, p);
                return Ok(());
            }
            if m.abs() > most {
                let name = c.name();
                let sentence = format!("{name}: M = {m} H exceeds sqrt(L1 L2) = {most} H");
                return Err(Error::Parameter(sentence));
            }
        }
        let why = "M^2 must be less than L1 L2: the energy of the field is positive";
        c.require(&["L1", "L2", "M"], determinant.gt(0.0), why)?;
        let first = Stored::Current.branch(c, ["p1", "n1"], ["v1", "i1"], p.i1);
        let second = Stored::Current.branch(c, ["p2", "n2"], ["v2", "i2"], p.i2);
        c.law(move |e| {
            let [v1, v2] = [first, second].map(|(branch, _)| e.voltage(branch));
            e.set_circuit_rate(first.1, (L2 * v1 - M * v2) / determinant);
            e.set_circuit_rate(second.1, (L1 * v2 - M * v1) / determinant);
            Ok(())
        });
        Ok(())
    }
}

component! {
    /// Ideal transformer, with or without magnetization.
    ///
    /// # Equations
    /// `v1 = n v2`, `im1 = i1 + i2 / n`. With magnetization, `v1 = Lm1 der(im1)`, else `im1 = 0`.
    pub struct IdealTransformer = "Modelica.Electrical.Analog.Ideal.IdealTransformer" {
        /// Ratio of the primary to the secondary voltage
        n: Real["1", != 0],
        /// Whether a current magnetizes the core
        consider_magnetization "considerMagnetization": bool[constant] = false,
        /// Inductance of the core, seen from the primary side
        Lm1?: Real["H", > 0],
        ..two_port,
    }
    variables {
        /// Current that magnetizes the core, seen from the primary side
        im1?: Real["A"],
    }
}

impl Component for IdealTransformer {
    fn contribute(p: IdealTransformerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let magnetizing = match (p.consider_magnetization, p.Lm1) {
            (false, _) => None,
            (true, None) => return Err(c.refuse("Lm1", "with magnetization, it has a value")),
            (true, Some(inductance)) => {
                let current = c.named_start_variable("im1", "A", free());
                Some((c.circuit_state(current), inductance))
            }
        };
        pair_law(c, move |e, Pair { v1, i1, v2, i2 }| {
            let voltages = v1 - p.n * v2;
            let Some((state, inductance)) = magnetizing else {
                return Ok([voltages, i2 + p.n * i1]);
            };
            let current = e.circuit_state(state);
            e.define("im1", current);
            e.set_circuit_rate(state, v1 / inductance);
            Ok([voltages, i2 + p.n * (i1 - current)])
        });
        Ok(())
    }
}
