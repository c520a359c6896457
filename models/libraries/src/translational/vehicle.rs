//! A vehicle on a straight road.

use super::road::Road;
use crate::interfaces::regularization::Regularization;
use equations::select;
use mechanics::component::Starts;
use mechanics::declaration::prelude::*;
use mechanics::domain::{ROTATIONAL, TRANSLATIONAL};

component! {
    /// Simple vehicle: a mass on ideally rolling wheels, with drag, rolling resistance and grade.
    ///
    /// It is the load of a drive train in a driving cycle.
    ///
    /// # Equations
    /// `s = flangeT.s = R flangeR.phi`, `v = der(s)`, `a = der(v)`, and `(m + J / R^2) a =
    /// flangeT.f + flangeR.tau / R - f_drag - f_roll - f_grade` with `f_drag = Cd A rho / 2 (v -
    /// vWind) |v - vWind|`, `f_roll = Cr m g cos(atan(inclination))
    /// sign(v)`, where the sign is replaced by `v / vReg` while `|v| < vReg`, and `f_grade = m g
    /// sin(atan(inclination))`.
    ///
    /// `vWind`, `Cr` and `inclination` are inputs. Where nothing is connected, they are the
    /// parameters `vWindConstant`, `CrConstant` and `inclinationConstant`. In the Modelica Standard
    /// Library the wind passes through a filter of 50 Hz; here it acts at once. `R` is fixed
    /// because initial values depend on it.
    pub struct Vehicle = "Modelica.Mechanics.Translational.Components.Vehicle" {
        /// Total mass of the vehicle
        m: Real["kg", >= 0, structural zero],
        /// Inertia of the drive train at the wheels
        J: Real["kg.m2", >= 0, structural zero],
        /// Cross-sectional area of the vehicle
        A: Real["m2", >= 0, structural zero],
        /// Drag coefficient
        Cd: Real["1", >= 0, structural zero],
        /// Density of the air
        rho: Real["kg/m3", >= 0, structural zero] = 1.2,
        /// Acceleration of gravity
        g: Real["m/s2"] = 9.80665,
        /// Radius of the wheels
        R: Real["m", != 0, fixed],
        /// Velocity below which the rolling resistance is regularized
        v_reg "vReg": Real["m/s", > 0] = 1e-3,
        /// Rolling resistance coefficient
        cr_constant "CrConstant": Real["1", for cr] = 0.015,
        /// Tangent of the inclination angle
        inclination_constant "inclinationConstant": Real["1", for inclination] = 0,
        /// Velocity of the wind
        v_wind_constant "vWindConstant": Real["m/s", for vWind] = 0,
        /// Start value of the position
        s: Start["m"] = free(),
        /// Start value of the velocity
        v: Start["m/s"] = free(),
        /// Preference of `s` and `v` as states
        states: StateSelect = StateSelect::Default,
    }
    ports {
        /// Driven axle
        flange_r "flangeR": Flange,
        /// Flange of the body, to which a trailer can be connected
        flange_t "flangeT": TranslationalFlange,
        /// Rolling resistance coefficient
        cr: Input["1"],
        /// Tangent of the inclination angle
        inclination: Input["1"],
        /// Velocity of the wind along the road; positive from behind
        v_wind "vWind": Input["m/s"],
    }
    variables {
        /// Absolute position
        s: Real["m"],
        /// Absolute velocity
        v: Real["m/s"],
        /// Absolute acceleration
        a: Real["m/s2"],
        /// Aerodynamic drag
        f_drag: Real["N"],
        /// Rolling resistance
        f_roll: Real["N"],
        /// Downhill component of the weight
        f_grade: Real["N"],
    }
}

impl Component for Vehicle {
    fn contribute(p: VehicleParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let road = Road { cr: p.cr_constant, inclination: p.inclination_constant };
        let (axle, body) = (c.flange(&ROTATIONAL, "flangeR"), c.flange(&TRANSLATIONAL, "flangeT"));
        c.linear(&[(axle, p.R), (body, -Ex::one())], Ex::zero());
        c.inertia(axle, p.J);
        c.inertia(body, p.m);
        c.position(&TRANSLATIONAL, body, Starts { position: p.s, speed: p.v }, p.states);
        c.law(move |e| {
            let v = e.flange(body).v;
            let slope = road.read(e)?;
            let against_air = v - p.v_wind_constant.read(e)?;
            let drag = p.Cd * p.A * p.rho * 0.5 * against_air.square();
            let f_drag = select(against_air.ge(0.0), drag, -drag);
            let f_roll = slope.rolling(p.m * p.g) * Regularization::Linear.sign(v, p.v_reg);
            let f_grade = slope.grade(p.m * p.g);
            e.set_flow(body, f_drag + f_roll + f_grade);
            e.variable("f_drag", f_drag);
            e.variable("f_roll", f_roll);
            e.variable("f_grade", f_grade);
            Ok(())
        });
        Ok(())
    }
}
