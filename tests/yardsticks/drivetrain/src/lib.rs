//! The drive train of the model `drivetrain` with its modes and torques written by hand.
//!
//! A motor drives a gear through a clutch, and the gear drives a load through an elastic shaft.
//! Both inertias of the gear are combined on its output side. The states are those of the model:
//! angle and speed of the motor, of the clutch (output minus motor) and of the shaft (load minus
//! output).

use fmu_runtime::system::{
    Discrete, Env, Info, Relation, Scalar, Solved, Source, Stage, State, System, Update, Variable,
};

const MOTOR: f64 = 0.1;
const RATIO: f64 = 3.0;
/// Inertia of gear input and output on the output's side in kg.m2.
const GEAR: f64 = 0.2 + RATIO * RATIO * 0.02;
const LOAD: f64 = 2.0;
const STIFFNESS: f64 = 2000.0;
const DAMPING: f64 = 5.0;
/// Largest normal force of the clutch in N.
const FORCE: f64 = 200.0;
/// Coefficient of friction at rest, and its decrease per rad/s.
const FRICTION: f64 = 0.5;
const FALLING: f64 = 0.002;
/// Ratio of static and sliding friction at rest.
const PEAK: f64 = 1.1;

const FREE: f64 = 2.0;
const STUCK: f64 = 0.0;

/// The equations of motion.
pub struct Drivetrain;

impl System for Drivetrain {
    const INFO: Info = Info::new("Drivetrain")
        .guid("yardstick")
        .parameters(&[0.0; 6])
        .inputs(&[0.0; 2])
        .states(&[
            State::new("motor.phi").position(),
            State::new("motor.w"),
            State::new("clutch.phi_rel").position(),
            State::new("clutch.w_rel"),
            State::new("shaft.phi_rel").position(),
            State::new("shaft.w_rel"),
        ])
        .jacobian(&[&[], &[0], &[], &[1, 2, 3, 5], &[1, 3, 5], &[1, 3, 4, 5]])
        .discretes(&[Discrete::new("clutch.mode", FREE)])
        .relations(&[Relation::new("pressed"), Relation::new("reversed"), Relation::new("slips")])
        .work(1)
        .reals(&[
            Variable::new("motor.phi", Source::State(0)).start(0),
            Variable::new("motor.w", Source::State(1)).start(1),
            Variable::new("tau", Source::Input(0)),
            Variable::new("engage", Source::Input(1)),
        ])
        .stop_time(5.0);

    /// The initial speed of the clutch is that of the output, which is zero, minus that of the
    /// motor.
    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x.copy_from_slice(e.p);
        e.x[3] = -e.p[1];
        Ok(())
    }

    #[inline(always)]
    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage != Stage::Dynamics {
            return Ok(());
        }
        let ([_, w, _, w_rel, shaft_phi, shaft_w], [tau, engage]) = (&*e.x, e.u) else {
            return Ok(());
        };
        let mode = e.m[0];
        let shaft = *shaft_phi * STIFFNESS + *shaft_w * DAMPING;
        let clutch = if mode == FREE {
            S::from(0.0)
        } else if mode == STUCK {
            (shaft * (RATIO / GEAR) - *tau / MOTOR) / (1.0 / MOTOR + RATIO * RATIO / GEAR)
        } else {
            ((*w_rel * mode) * -FALLING + FRICTION) * *engage * (FORCE * mode)
        };
        let motor_a = (*tau + clutch) / MOTOR;
        let output_a = (shaft - clutch * RATIO) / GEAR;
        let derivatives =
            [*w, motor_a, *w_rel, output_a * RATIO - motor_a, *shaft_w, shaft / -LOAD - output_a];
        e.dx.copy_from_slice(&derivatives);
        e.w[0] = clutch;
        Ok(())
    }

    fn relations(e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        let mode = e.m[0];
        let sliding = mode != FREE && mode != STUCK;
        d[0] = e.u[1];
        d[1] = if sliding { -mode * e.x[3] } else { -1.0 };
        let limit = PEAK * FRICTION * FORCE * e.u[1];
        d[2] = if mode == STUCK { e.w[0].abs() - limit } else { -1.0 };
        Ok(())
    }

    fn event(e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved {
        let (mode, w_rel) = (e.m[0], e.x[3]);
        let direction = |value: f64| if value == 0.0 { STUCK } else { value.signum() };
        next.m[0] = if !e.r[0] {
            FREE
        } else if mode == FREE {
            direction(w_rel)
        } else if mode == STUCK {
            if e.r[2] { direction(e.w[0]) } else { STUCK }
        } else if e.r[1] {
            next.x[3] = 0.0;
            STUCK
        } else {
            mode
        };
        Ok(())
    }
}

fmu_runtime::export!(Drivetrain);
