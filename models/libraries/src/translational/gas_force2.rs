//! The force of the gas in a cylinder.

use crate::interfaces::compliant::{Compliance, Compliant};
use crate::interfaces::relative_coordinate::{RelativeCoordinate, translational::relative_motion};
use equations::{Bool, select};
use mechanics::declaration::prelude::*;
use mechanics::domain::TRANSLATIONAL;
use std::f64::consts::PI;

/// Coefficients of the pressure in bar as a polynomial in `x`, from the fourth power to the
/// constant.
type Polynomial = [f64; 5];

/// Inward motion of the piston: compression, and the pressure near the top.
const INWARDS: [Polynomial; 2] = [
    [177.4132, -287.2189, 151.8252, -24.9973, 2.4],
    [2_836_360.0, -10_569_296.0, 14_761_814.0, -9_158_505.0, 2_129_670.0],
];
/// Outward motion of the piston: expansion, and the pressure near the top.
const OUTWARDS: [Polynomial; 2] = [
    [145.930, -131.707, 17.3438, 17.9272, 2.4],
    [-3_929_704.0, 14_748_765.0, -20_747_000.0, 12_964_477.0, -3_036_495.0],
];

component! {
    /// Rough approximation of the gas force in the cylinder of an engine.
    ///
    /// It drives the piston of an engine whose combustion need not be computed.
    ///
    /// # Equations
    /// `x = 1 - s_rel / L` with `s_rel = flange_b.s - flange_a.s`: `x` is 0 where the cylinder
    /// volume is largest and 1 at the top. `f = flange_b.f = -flange_a.f = -press pi d^2 / 4`,
    /// where `press` is a polynomial in `x`. One polynomial holds while `v_rel < 0` and another one
    /// otherwise, and each is replaced by a different one near the top. The defaults of
    /// `top_inwards` and `top_outwards` are those of older releases of the Modelica Standard
    /// Library; release 4.1 has 0.986061 and 0.933.
    ///
    /// The component of the Modelica Standard Library also has a temperature, which is left out
    /// here.
    ///
    /// # Events
    /// The polynomial changes.
    pub struct GasForce2 = "Modelica.Mechanics.MultiBody.Examples.Loops.Utilities.GasForce2" {
        /// Length of the cylinder
        L: Real["m", > 0],
        /// Diameter of the cylinder
        d: Real["m", > 0],
        /// Largest value of x for the first polynomial with inward motion
        top_inwards "topInwards": Real["1", structural] = 0.987,
        /// Largest value of x for the first polynomial with outward motion
        top_outwards "topOutwards": Real["1", structural] = 0.93,
        ..relative_motion,
    }
    ports {
        /// The top of the cylinder
        flange_a: TranslationalFlange,
        /// The piston
        flange_b: TranslationalFlange,
    }
    variables {
        /// Normalized position of the piston, 1 at the top
        x: Real["1"],
        /// Pressure in the cylinder
        press: Real["Pa"],
        /// Force between the flanges
        f: Real["N"],
    }
}

/// The coefficients of one of two polynomials. They change at events only, unlike the values of the
/// polynomials.
fn select_each(first: Bool, [yes, no]: [[Ex; 5]; 2]) -> [Ex; 5] {
    std::array::from_fn(|k| select(first, yes[k], no[k]))
}

impl Component for GasForce2 {
    fn contribute(p: GasForce2Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let relative = RelativeCoordinate {
            nominal: c.magnitude(p.L),
            select: Avoid,
            ..RelativeCoordinate::default()
        };
        Compliant::new(c, &TRANSLATIONAL, relative).law(c, move |e, relative| {
            let x = 1.0 - relative.q / p.L;
            let mut relation = |local: &str, residual: Ex| {
                let name = e.full(local);
                e.model().relation(&name, residual).done()
            };
            let inwards = relation("inwards", -relative.v);
            let near_top = ["nearTopInwards", "nearTopOutwards"];
            let tops = [p.top_inwards, p.top_outwards];
            let [near_top_inwards, near_top_outwards] =
                [0, 1].map(|k| relation(near_top[k], x - tops[k]));
            let of = |near_top: Bool, [below, above]: [Polynomial; 2]| {
                select_each(near_top, [above, below].map(|polynomial| polynomial.map(Ex::from)))
            };
            let (compression, expansion) =
                (of(near_top_inwards, INWARDS), of(near_top_outwards, OUTWARDS));
            let coefficients = select_each(inwards, [compression, expansion]);
            // In bar, by Horner's scheme.
            let press = coefficients.into_iter().fold(Ex::zero(), |sum, c| sum * x + c);
            let press = 1e5 * press;
            e.variable("x", x);
            e.variable("press", press);
            let flow = press * p.d.square() * (-PI / 4.0);
            Compliance { flow, energy: Ex::zero(), loss_power: None }
        });
        Ok(())
    }
}
