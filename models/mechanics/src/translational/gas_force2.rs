//! The force of the gas in a cylinder.

use crate::component::{Contribution, OldComponent};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::compliant::{Compliance, Compliant, RelativeStates};
use crate::ports;
use crate::start::StateSelect;
use equations::{Bool, Ex, select};
use std::f64::consts::PI;

/// Coefficients of the pressure in bar, from the fourth power of `x` down to the constant.
type Polynomial = [f64; 5];

/// The piston moves inwards: compression, and the rise of the pressure near the top.
const INWARDS: [Polynomial; 2] = [
    [177.4132, -287.2189, 151.8252, -24.9973, 2.4],
    [2_836_360.0, -10_569_296.0, 14_761_814.0, -9_158_505.0, 2_129_670.0],
];
/// The piston moves outwards: expansion, and the pressure near the top.
const OUTWARDS: [Polynomial; 2] = [
    [145.930, -131.707, 17.3438, 17.9272, 2.4],
    [-3_929_704.0, 14_748_765.0, -20_747_000.0, 12_964_477.0, -3_036_495.0],
];
/// The value of `x` up to which the first polynomial holds: inwards, outwards.
const NEAR_TOP: [f64; 2] = [0.987, 0.93];

/// Rough approximation of the gas force in the cylinder of an engine.
///
/// # Equations
/// `x = 1 - s_rel / L` with `s_rel = flange_b.s - flange_a.s`: 0 where the cylinder is largest, 1
/// at its top. `f = flange_b.f = -flange_a.f = -press pi d^2 / 4`; `press` is a polynomial of `x`:
/// one while `v_rel < 0`, another one otherwise, each with a second branch near the top.
///
/// # Variables
/// `L` and `d` in m, positive; `s_rel` in m, between 0 and `L`; `v_rel` in m/s; `x` without unit;
/// `press` in Pa; `f` in N.
///
/// # Events
/// Where the polynomial changes.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Examples.Loops.Utilities.GasForce2, without its temperature.
#[derive(Clone, Debug)]
pub struct GasForce2 {
    length: f64,
    diameter: f64,
}

ports! {
    /// Ports and variables of a [`GasForce2`].
    pub struct GasForce2Ports {
        /// The top of the cylinder.
        flange_a: translational_flange,
        /// The piston.
        flange_b: translational_flange,
        /// Distance of the flanges in m.
        s_rel: quantity,
        /// Its rate in m/s.
        v_rel: quantity,
        /// Position of the piston, without unit.
        x: quantity,
        /// Pressure in Pa.
        press: quantity,
        /// Force between the flanges in N.
        f: quantity,
    }
}

/// The polynomial that holds, at `x`.
fn branch(near_top: Bool, [below, above]: [Polynomial; 2], x: Ex) -> Ex {
    let at = |p: Polynomial| p.into_iter().fold(Ex::zero(), |sum, c| sum * x + c);
    select(near_top, at(above), at(below))
}

impl GasForce2 {
    /// In a cylinder of length `L` and diameter `d`, both in m.
    #[allow(non_snake_case, reason = "the parameter's name")]
    pub fn L_d(L: f64, d: f64) -> Self {
        GasForce2 { length: L, diameter: d }
    }
}

impl OldComponent for GasForce2 {
    type Ports = GasForce2Ports;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let length = c.positive("L", self.length, "m", "Length of the cylinder")?;
        let diameter = c.positive("d", self.diameter, "m", "Diameter of the cylinder")?;
        let nominal = self.length;
        let states = RelativeStates { select: StateSelect::Avoid, nominal, ..Default::default() };
        Compliant::new(c, &TRANSLATIONAL, states).law(c, move |e, relative| {
            let x = 1.0 - relative.q / length;
            let mut relation = |local: &str, residual: Ex| {
                let name = e.full(local);
                e.model().relation(&name, residual).done()
            };
            let inwards = relation("inwards", -relative.v);
            let near_top = ["nearTopInwards", "nearTopOutwards"];
            let [near_top_inwards, near_top_outwards] =
                [0, 1].map(|k| relation(near_top[k], x - NEAR_TOP[k]));
            let compression = branch(near_top_inwards, INWARDS, x);
            let expansion = branch(near_top_outwards, OUTWARDS, x);
            let press = 1e5 * select(inwards, compression, expansion);
            e.variable("x", x).unit("1").describe("Position of the piston, 1 at the top");
            e.variable("press", press).unit("Pa").describe("Pressure in the cylinder");
            let flow = press * diameter.square() * (-PI / 4.0);
            Compliance { flow, energy: Ex::zero(), loss_power: None }
        });
        Ok(())
    }
}
