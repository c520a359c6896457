//! Diodes with smooth characteristics.

use super::interfaces::{branch_law, lose, lossy, one_port, pins};
use equations::{Ex, select};
use mechanics::declaration::prelude::*;
use mechanics::statements::laws::velocity_view::VelocityView;
use mechanics::statements::motion::ends::HeatEnd;

/// The elementary charge in C divided by the constant of Boltzmann in J/K.
const CHARGE_PER_BOLTZMANN: f64 = 1.602_176_634e-19 / 1.380_649e-23;

/// The constant of gases in J/(mol K) divided by that of Faraday in C/mol: kT/q per K.
const GAS_PER_FARADAY: f64 = 1.0 / CHARGE_PER_BOLTZMANN;

/// An exponential function, continued linearly beyond the exponent `most`.
fn exponential(x: Ex, most: Ex) -> Ex {
    x.min(most).exp() * (1.0 + (x - most).max(0.0))
}

/// An exponential characteristic, `i0 exp(v / unit)`, linear beyond the exponent `most`.
#[derive(Clone, Copy)]
struct Exponential {
    i0: Ex,
    unit: Ex,
    most: Ex,
}

impl Exponential {
    /// The factor of `i0` at a voltage.
    fn at(self, v: Ex) -> Ex {
        exponential(v / self.unit, self.most)
    }

    /// The voltage at a position on the characteristic, minus the position. Up to a slope of 1 S,
    /// the position is the voltage; beyond it, the current increases with this slope, so that both
    /// are moderate functions of the position, and the search for it is short.
    fn excess(self, position: Ex) -> Ex {
        let Exponential { i0, unit, most } = self;
        let (x, steep) = (position / unit, (unit / i0).ln().min(most));
        let beyond = (x - steep).max(0.0);
        // The logarithm of the exponential function at the position, or its line.
        let logarithm = steep + (1.0 + beyond).ln();
        let line = most - 1.0 + (steep - most).exp() * (1.0 + beyond);
        let voltage = select(logarithm.gt(most), line, logarithm);
        unit * (voltage - steep - beyond)
    }
}

/// The temperature of a heat port, or `t` without one.
fn temperature(e: &mut VelocityView<'_>, heat_port: Option<HeatEnd>, t: Ex) -> Ex {
    heat_port.map_or(t, |end| e.temperature(end))
}

component! {
    /// Diode with an exponential characteristic, which may depend on temperature.
    ///
    /// # Equations
    /// `i = id + v / R` with `id = Ids (exp(v / Vt) - 1)`; beyond the exponent `Maxexp`, the
    /// exponential function continues linearly.
    ///
    /// With `useTemperatureDependency`, `Vt` is `N k T / q`, and `id` is multiplied by
    /// `(T / TNOM)^(XTI / N) exp((T / TNOM - 1) EG / (N k T / q))`.
    pub struct Diode = "Modelica.Electrical.Analog.Semiconductors.Diode" {
        /// Saturation current
        Ids: Real["A", > 0] = 1e-6,
        /// Whether the current depends on temperature
        use_temperature_dependency "useTemperatureDependency": bool[constant] = false,
        /// Voltage equivalent of temperature
        Vt: Real["V", > 0] = 0.04,
        /// Exponent beyond which the characteristic continues linearly
        Maxexp: Real["1", > 0] = 15,
        /// Parallel resistance
        R: Real["Ohm", > 0] = 1e8,
        /// Activation energy in eV
        EG: Real["1"] = 1.11,
        /// Emission coefficient
        N: Real["1", > 0] = 1,
        /// Temperature at which the parameters were measured
        TNOM: Real["K", > 0] = 300.15,
        /// Temperature exponent of the saturation current
        XTI: Real["1"] = 3,
        /// Temperature without heat port
        T: Real["K", > 0] = 293.15,
        ..pins,
        ..one_port,
        ..lossy,
    }
    variables {
        /// Voltage equivalent of the present temperature
        vt_t: Real["V"],
        /// Current of the diode, without parallel resistance
        id: Real["A"],
    }
}

impl Component for Diode {
    fn contribute(p: DiodeParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let heat_port = c.heat_port("heatPort");
        branch_law(c, move |e, v, i| {
            let t = temperature(e, heat_port, p.T);
            let vt_t = t * GAS_PER_FARADAY;
            let (equivalent, factor) = match p.use_temperature_dependency {
                false => (p.Vt, Ex::one()),
                true => {
                    let relative = t / p.TNOM;
                    let power = (relative.ln() * p.XTI / p.N).exp();
                    let activated = ((relative - 1.0) * p.EG / (p.N * vt_t)).exp();
                    (p.N * vt_t, power * activated)
                }
            };
            let id = p.Ids * (exponential(v / equivalent, p.Maxexp) - 1.0);
            e.variable("vt_t", vt_t);
            e.variable("id", id);
            lose(e, heat_port, v * i);
            Ok(i - id * factor - v / p.R)
        });
        Ok(())
    }
}

component! {
    /// Diode with breakdown, and with a resistance in series.
    ///
    /// # Equations
    /// `v = vd + Rs id`, `i = id + Gp v`. Above `-Bv / 2`, `id = Ids (exp(vd / (N Vt)) - 1)`, which
    /// continues linearly above `Vf + N Vt`; below,
    /// `id = -Ids (exp(-(vd + Bv) / (N Vt)) + 1 - 2 exp(-Bv / (2 N Vt)))`.
    ///
    /// While something is connected with the heat port, its temperature determines `Vt`.
    pub struct Diode2 = "Modelica.Electrical.Analog.Semiconductors.Diode2" {
        /// Temperature without heat port
        T: Real["K", > 0] = 293.15,
        /// Forward voltage
        Vf: Real["V", > 0] = 0.7,
        /// Reverse saturation current
        Ids: Real["A", > 0] = 1e-13,
        /// Resistance in series
        Rs: Real["Ohm", >= 0] = 16,
        /// Voltage equivalent of temperature
        Vt: Real["V", > 0] = T * GAS_PER_FARADAY,
        /// Emission coefficient
        N: Real["1", > 0] = 1,
        /// Reverse breakdown voltage
        Bv: Real["V", > 0] = 100,
        /// Parallel conductance
        Gp: Real["S", >= 0] = 1e-6,
        ..pins,
        ..one_port,
        ..lossy,
    }
    variables {
        /// Voltage of the diode, without the resistance in series
        vd: Real["V"],
        /// Current of the diode, without the parallel conductance
        id: Real["A"],
    }
}

/// An exponent that no voltage reaches.
const UNLIMITED: f64 = 700.0;

impl Diode2Parameters {
    /// Voltage and current of the diode without the resistance at a position on the characteristic,
    /// for the voltage equivalent of temperature.
    fn characteristic(&self, position: Ex, vt: Ex) -> [Ex; 2] {
        let Diode2Parameters { Vf, Ids, N, Bv, .. } = *self;
        let unit = N * vt;
        let forward = Exponential { i0: Ids, unit, most: (Vf + unit) / unit };
        let broken = Exponential { i0: Ids, unit, most: Ex::from(UNLIMITED) };
        let vd = position + forward.excess(position) - broken.excess(-(position + Bv));
        let below = -Ids * (broken.at(-(vd + Bv)) + 1.0 - 2.0 * (-Bv / (2.0 * unit)).exp());
        let above = Ids * (forward.at(vd) - 1.0);
        [vd, select(vd.lt(-Bv / 2.0), below, above)]
    }
}

impl Component for Diode2 {
    fn contribute(p: Diode2Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let heat_port = c.heat_port("heatPort");
        let position = c.circuit_unknown();
        branch_law(c, move |e, v, i| {
            let vt = heat_port.map_or(p.Vt, |end| e.temperature(end) * GAS_PER_FARADAY);
            let [vd, id] = p.characteristic(e.current(position), vt);
            let voltage = vd + p.Rs * id;
            e.variable("vd", vd);
            e.variable("id", id);
            lose(e, heat_port, v * i);
            e.set_branch_law(position, v - voltage);
            Ok(i - id - p.Gp * voltage)
        });
        Ok(())
    }
}

component! {
    /// Zener diode.
    ///
    /// # Equations
    /// `i = Ids (exp(v / Vt) - 1) - Ibv exp(-(v + Bv) / (Nbv Vt)) + v / R`; beyond the exponent
    /// `Maxexp`, the exponential functions continue linearly.
    pub struct ZDiode = "Modelica.Electrical.Analog.Semiconductors.ZDiode" {
        /// Saturation current
        Ids: Real["A", > 0] = 1e-6,
        /// Voltage equivalent of temperature
        Vt: Real["V", > 0] = 0.04,
        /// Exponent beyond which the characteristic continues linearly
        Maxexp: Real["1", > 0] = 30,
        /// Parallel resistance
        R: Real["Ohm", > 0] = 1e8,
        /// Voltage at which the diode breaks through
        Bv: Real["V"] = 5.1,
        /// Current at the knee of the breakthrough
        Ibv: Real["A", > 0] = 0.7,
        /// Emission coefficient of the breakthrough
        Nbv: Real["1", > 0] = 0.74,
        ..pins,
        ..one_port,
        ..lossy,
    }
}

impl Component for ZDiode {
    fn contribute(p: ZDiodeParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let heat_port = c.heat_port("heatPort");
        branch_law(c, move |e, v, i| {
            let forward = p.Ids * (exponential(v / p.Vt, p.Maxexp) - 1.0);
            let broken = p.Ibv * exponential(-(v + p.Bv) / (p.Nbv * p.Vt), p.Maxexp);
            lose(e, heat_port, v * i);
            Ok(i - forward + broken - v / p.R)
        });
        Ok(())
    }
}
