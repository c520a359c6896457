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
    let within = x.min(most).exp();
    within * (1.0 + (x - most).max(0.0))
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

impl Diode2Parameters {
    /// The current of the diode without the resistance, for the voltage equivalent of temperature.
    fn current(&self, vd: Ex, vt: Ex) -> Ex {
        let Diode2Parameters { Vf, Ids, N, Bv, .. } = *self;
        let unit = N * vt;
        let broken = -Ids * ((-(vd + Bv) / unit).exp() + 1.0 - 2.0 * (-Bv / (2.0 * unit)).exp());
        let highest = (Vf + unit) / unit;
        let forward = Ids * (exponential(vd / unit, highest) - 1.0);
        select(vd.lt(-Bv / 2.0), broken, forward)
    }
}

impl Component for Diode2 {
    fn contribute(p: Diode2Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let heat_port = c.heat_port("heatPort");
        let inner = c.circuit_unknown();
        branch_law(c, move |e, v, i| {
            let vt = heat_port.map_or(p.Vt, |end| e.temperature(end) * GAS_PER_FARADAY);
            let vd = e.current(inner);
            let id = p.current(vd, vt);
            e.variable("vd", vd);
            e.variable("id", id);
            lose(e, heat_port, v * i);
            e.set_branch_law(inner, v - vd - p.Rs * id);
            Ok(i - id - p.Gp * v)
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
