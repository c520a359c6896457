//! A vehicle on a straight road.

use super::road::Road;
use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::{ROTATIONAL, TRANSLATIONAL};
use crate::error::Error;
use crate::interfaces::InputOr;
use crate::interfaces::regularization::Regularization;
use crate::start::{Start, StateSelect};
use crate::{ports, setters};
use equations::{Ex, select};

/// Simple vehicle: a mass on ideally rolling wheels, with drag, rolling resistance and grade.
///
/// # Equations
/// `s = flangeT.s = R flangeR.phi`, `v = der(s)`, `a = der(v)`, `(m + J / R^2) a = flangeT.f +
/// flangeR.tau / R - f_drag - f_roll - f_grade` with `f_drag = Cd A rho / 2 (v - vWind) |v -
/// vWind|`, `f_roll = Cr m g cos(atan(inclination)) sign(v)`, the sign a straight line while `|v| <
/// vReg`, and `f_grade = m g sin(atan(inclination))`.
///
/// # Variables
/// `m` in kg, `J` in kg.m2, `R` in m (not zero; fixed because initial values hang on it), `A` in
/// m2, `Cd` without unit, `rho` in kg/m3, `g` in m/s2, `vReg` in m/s, positive. `vWind` in m/s,
/// `Cr` and `inclination` (the tangent of the angle) without unit are inputs or, where nothing is
/// connected, the parameters `vWindConstant`, `CrConstant`, `inclinationConstant`. The published
/// vehicle passes the wind through a filter of 50 Hz; here it acts at once. `s` in m, `v` in m/s,
/// `a` in m/s2.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.Vehicle.
#[derive(Clone, Debug)]
pub struct Vehicle {
    body: VehicleBody,
    rho: f64,
    g: f64,
    cr_constant: f64,
    inclination_constant: f64,
    v_wind_constant: f64,
    v_reg: f64,
    s: Start,
    v: Start,
    states: StateSelect,
}

ports! {
    /// Ports and variables of a [`Vehicle`].
    pub struct VehiclePorts {
        /// The driven axle.
        flange_r: flange = "flangeR",
        /// Where something may be towed.
        flange_t: translational_flange = "flangeT",
        /// Rolling resistance coefficient.
        cr: input,
        /// Tangent of the inclination angle.
        inclination: input,
        /// Velocity of the wind along the road in m/s; positive from behind.
        v_wind: input = "vWind",
        /// Position in m.
        s: quantity,
        /// Velocity in m/s.
        v: quantity,
        /// Acceleration in m/s2.
        a: quantity,
    }
}

/// What a [`Vehicle`] cannot do without.
#[derive(Clone, Copy, Debug)]
#[allow(non_snake_case, reason = "the names in the Modelica Standard Library")]
pub struct VehicleBody {
    /// Total mass in kg.
    pub m: f64,
    /// Moment of inertia of the drive train in kg.m2, at the wheels.
    pub J: f64,
    /// Radius of the wheels in m.
    pub R: f64,
    /// Cross section in m2.
    pub A: f64,
    /// Drag coefficient.
    pub Cd: f64,
}

impl Vehicle {
    /// With the mass, wheels and shape given; `rho` 1.2 kg/m3, `CrConstant` 0.015, on a level road
    /// without wind.
    pub fn body(body: VehicleBody) -> Self {
        Vehicle {
            body,
            rho: 1.2,
            g: 9.80665,
            cr_constant: 0.015,
            inclination_constant: 0.0,
            v_wind_constant: 0.0,
            v_reg: 1e-3,
            s: Start::default(),
            v: Start::default(),
            states: StateSelect::Default,
        }
    }
}

setters! {
    impl Vehicle {
        /// Density of the air in kg/m3.
        rho: f64,
        /// Acceleration of gravity in m/s2.
        g: f64,
        /// Rolling resistance coefficient if the input is not connected.
        cr_constant: f64,
        /// Tangent of the inclination angle if the input is not connected.
        inclination_constant: f64,
        /// Velocity of the wind in m/s if the input is not connected.
        v_wind_constant: f64,
        /// Velocity in m/s below which the rolling resistance falls to zero.
        v_reg: f64,
        /// Start value of the position in m.
        s: Start,
        /// Start value of the velocity in m/s.
        v: Start,
        /// Preference of `s` and `v` as states.
        states: StateSelect,
    }
}

impl OldComponent for Vehicle {
    type Ports = VehiclePorts;

    #[allow(non_snake_case, reason = "the names in the Modelica Standard Library")]
    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let VehicleBody { m, J, R, A, Cd } = self.body;
        let mass = c.amount("m", m, "kg", "Total mass of the vehicle")?;
        let inertia = c.amount("J", J, "kg.m2", "Inertia of the drive train at the wheels")?;
        let area = c.amount("A", A, "m2", "Cross section of the vehicle")?;
        let cd = c.amount("Cd", Cd, "1", "Drag resistance coefficient")?;
        let rho = c.amount("rho", self.rho, "kg/m3", "Density of the air")?;
        let g = c.value("g", self.g, "m/s2", "Acceleration of gravity")?;
        let radius = c.non_zero("R", R, "m", "Radius of the wheels")?;
        let text = "Velocity below which the rolling resistance falls to zero";
        let v_reg = c.positive("vReg", self.v_reg, "m/s", text)?;
        let road = Road::declare(c, self.cr_constant, self.inclination_constant)?;
        let constant = ("vWindConstant", self.v_wind_constant, "m/s");
        let wind = InputOr::declare(c, "vWind", constant, "Velocity of the wind")?;

        let (axle, body) = (c.flange(&ROTATIONAL, "flangeR"), c.flange(&TRANSLATIONAL, "flangeT"));
        c.linear(&[(axle, radius), (body, -Ex::one())], Ex::zero());
        c.inertia(axle, inertia);
        c.inertia(body, mass);
        let starts = Starts { position: self.s, speed: self.v };
        c.position(&TRANSLATIONAL, body, starts, self.states);
        c.law(move |e| {
            let v = e.flange(body).v;
            let slope = road.read(e)?;
            let against_air = v - wind.read(e)?;
            let drag = cd * area * rho * 0.5 * against_air.square();
            let drag = select(against_air.ge(0.0), drag, -drag);
            let rolling = slope.rolling(mass * g) * Regularization::Linear.sign(v, v_reg);
            let grade = slope.grade(mass * g);
            e.set_flow(body, drag + rolling + grade);
            for (local, force, text) in [
                ("f_drag", drag, "Drag of the air"),
                ("f_roll", rolling, "Rolling resistance"),
                ("f_grade", grade, "Part of the weight that pulls downhill"),
            ] {
                e.variable(local, force).unit("N").describe(text);
            }
            Ok(())
        });
        Ok(())
    }
}
