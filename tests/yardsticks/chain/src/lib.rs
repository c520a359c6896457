//! The chain of the model `chain_of_components` written by hand: a loop over arrays.
//!
//! The states are those of the model: angle and speed of the first inertia, then angle and speed of
//! each inertia relative to the one before.

use fmu_runtime::system::{Env, Info, Scalar, Solved, Source, Stage, State, System, Variable};
use yardstick_chains::{Column, info, jacobian, length};

/// The number of inertias.
const N: usize = length(10);
const STATES: usize = 2 * N;

const J: f64 = 1.0;
const STIFFNESS: f64 = 1e4;
const DAMPING: f64 = 1.0;

/// For each state, the rows of the derivatives that depend on it: a spring moves the inertias at
/// its ends, which changes three relative speeds.
const COLUMNS: [Column<4>; STATES] = {
    let mut columns = [Column::EMPTY; STATES];
    let mut state = 0;
    while state < STATES {
        let (part, is_speed) = (state / 2, state % 2 == 1);
        if is_speed {
            columns[state].push(2 * part);
        }
        let mut affected = part.saturating_sub(1);
        while part > 0 && affected < N && affected <= part + 1 {
            columns[state].push(2 * affected + 1);
            affected += 1;
        }
        state += 1;
    }
    columns
};

/// The start values: the first inertia turns with 1 rad/s, the others rest.
const START: [f64; STATES] = {
    let mut start = [0.0; STATES];
    start[1] = 1.0;
    if N > 1 {
        start[3] = -1.0;
    }
    start
};

const fn state(index: usize) -> State {
    match index {
        0 => State::new("phi").position(),
        1 => State::new("w"),
        _ if index.is_multiple_of(2) => State::new("phi_rel").nominal(1e-4).position(),
        _ => State::new("w_rel"),
    }
}

const ALL: [State; STATES] = {
    let mut all = [state(0); STATES];
    let mut index = 0;
    while index < STATES {
        all[index] = state(index);
        index += 1;
    }
    all
};

/// The equations of motion.
pub struct Chain;

impl System for Chain {
    const INFO: Info = info(
        "Chain",
        &START,
        &ALL,
        &jacobian(&COLUMNS),
        &[Variable::new("w", Source::State(1)).start(1)],
    );

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x.copy_from_slice(e.p);
        Ok(())
    }

    #[inline(always)]
    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage != Stage::Dynamics {
            return Ok(());
        }
        let (x, dx) = (&e.x[..STATES], &mut e.dx[..STATES]);
        let (mut tau_a, mut a) = (S::from(0.0), S::from(0.0));
        for i in 0..N {
            // The torque of the spring behind this inertia; the last inertia has none.
            let tau_b = match x.get(2 * i + 2..2 * i + 4) {
                Some(spring) => spring[0] * STIFFNESS + spring[1] * DAMPING,
                None => S::from(0.0),
            };
            let before = a;
            a = (tau_b - tau_a) / J;
            dx[2 * i] = x[2 * i + 1];
            dx[2 * i + 1] = a - before;
            tau_a = tau_b;
        }
        Ok(())
    }
}

fmu_runtime::export!(Chain);
