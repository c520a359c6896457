//! Pendulum in a gravity field that depends on the height.
//!
//! Gravity is a function of the position: the normal gravity of the WGS 84 ellipsoid at the
//! equator, which decreases with the height. A body of 1000 kg swings ten metres from a joint.
//!
//! The system is the example `UserDefinedGravityField` of Modelica.Mechanics.MultiBody.

use coupler::equations::Ex;
use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational;
use coupler::vector::Vector;

/// Normal gravity of the WGS 84 ellipsoid at the equator as a function of the position in m, in
/// m/s2.
///
/// # Equations
/// With the height `h`, `g = g_e (1 - h/a (2 (1 + f + m) + 3 h/a))`, downwards. (In the usual
/// series the term `3 h^2 / a^2` has the opposite sign; at these heights it is 1e-11 of the whole.)
fn gravity(r: &Vector) -> Vector {
    let (a, b, f) = (6_378_137.0, 6_356_752.314_2, 1.0 / 298.257_223_563);
    let (ge, w, gm) = (9.780_325_335_9, 7.292_115e-5_f64, 3.986_004_418e14);
    let m = w * w * a * a * b / gm;
    let h = r[1] / a;
    let g = ge * (1.0 - h * (2.0 * (1.0 + f + m) + 3.0 * h));
    Vector::new(Ex::zero(), -g, Ex::zero())
}

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new().gravity_acceleration(gravity),
        height "fixedTranslation": FixedTranslation::new().r([0, 20, 0]),
        rev: Revolute::new().n(Z).phi(fixed(0)).w(fixed(0)),
        damper: rotational::Damper::new().d(0.1),
        body: Body::new().m(1000).r_cm([10, 0, 0]),
    }

    m.chain((world.frame_b, height, rev, body.frame_a));
    m.chain((rev.support, damper, rev.axis));

    m.output("phi", rev.phi);
    m.output("w", rev.w);
    m.stop_time(10);
    m.step_size(0.002);
    m.tolerance(1e-9);
}
