//! The four-bar linkage of the model `fourbar2` with its loop solved by hand.
//!
//! A crank turns about x with its end at `y = 0.5 cos phi - 0.1 sin phi`,
//! `z = 0.5 sin phi + 0.1 cos phi`; a massless rod of length `sqrt(1.1)` connects it to a slider at
//! `(X, 0.2, 0)`. So `X^2 = 1.1 - (0.2 - y)^2 - z^2 = 0.8 + 0.4 y`, and the equation of motion in
//! `phi` alone is `(I + m X'^2) a + m X' X'' w^2 = m_crank g z / 2`, where a prime is `d/dphi`.

use fmu_runtime::system::{Env, Info, Scalar, Solved, Source, Stage, State, System, Variable};

const DENSITY: f64 = 7700.0;
const RADIUS: f64 = 0.025;
const AREA: f64 = std::f64::consts::PI * RADIUS * RADIUS;
const GRAVITY: f64 = 9.80665;
/// Square of the crank's length in m2.
const CRANK2: f64 = 0.26;
/// The crank's mass in kg; the length is `sqrt(0.26)`.
const CRANK_MASS: f64 = DENSITY * AREA * 0.509_901_951_359_278_5;
/// The crank's moment of inertia about the bearing in kg.m2.
const INERTIA: f64 = CRANK_MASS * (CRANK2 / 3.0 + RADIUS * RADIUS / 4.0);
/// The slider's mass in kg.
const SLIDER_MASS: f64 = DENSITY * AREA * 0.2;

/// The equations of motion.
pub struct Fourbar2;

impl System for Fourbar2 {
    const INFO: Info = Info::new("Fourbar2")
        .guid("yardstick")
        .parameters(&[0.0, 5.235_987_755_983])
        .states(&[State::new("j1.phi").position(), State::new("j1.w")])
        .jacobian(&[&[1], &[0, 1]])
        .reals(&[
            Variable::new("j1.phi", Source::State(0)).start(0),
            Variable::new("j1.w", Source::State(1)).start(1),
            Variable::new("j2.s", Source::Advanced(0, Stage::Dynamics)),
            Variable::new("j1.a", Source::Derivative(1)),
        ])
        .stop_time(5.0);

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x.copy_from_slice(e.p);
        Ok(())
    }

    #[inline(always)]
    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage != Stage::Dynamics {
            return Ok(());
        }
        let ([phi, w], [phi_der, w_der]) = (&*e.x, &mut *e.dx) else { return Ok(()) };
        let (sin, cos) = phi.sin_cos();
        let y = cos * 0.5 - sin * 0.1;
        let z = sin * 0.5 + cos * 0.1;
        let x = (y * 0.4 + 0.8).sqrt();
        let inverse = x.divide_into(1.0);
        let slope = z * inverse * -0.2;
        let curvature = (y * -0.2 - slope * slope) * inverse;
        let moment = z * (0.5 * CRANK_MASS * GRAVITY) - slope * curvature * *w * *w * SLIDER_MASS;
        *phi_der = *w;
        *w_der = moment / (slope * slope * SLIDER_MASS + INERTIA);
        if let [s] = &mut *e.w {
            *s = x - 1.2;
        }
        Ok(())
    }
}

fmu_runtime::export!(Fourbar2);
