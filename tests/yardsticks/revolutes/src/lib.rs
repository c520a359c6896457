//! The chain of the model `chain_of_revolutes` written by hand: the articulated-body recursion as
//! loops over arrays.
//!
//! Each body is described in its own axes about its joint. Velocities and accelerations of the
//! joints are computed outwards, inertias and bias forces with all bodies behind are computed
//! inwards.

mod vector;

use fmu_runtime::system::{Env, Info, Scalar, Solved, Source, Stage, State, System, Variable};
use vector::{
    Matrix, Vector, add, add_scaled, cross, cross_constant, dot, rotation, times, transposed_times,
    turned, turned_symmetric,
};
use yardstick_chains::{Column, info, jacobian, length};

/// The number of joints.
const N: usize = length(6);
const STATES: usize = 2 * N;

const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// Axes of the joints, which repeat periodically.
const AXES: [[f64; 3]; 3] = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [HALF, HALF, 0.0]];
/// Vector from one joint to the next, in m.
const ARM: [f64; 3] = [0.3, 0.05, 0.1];
const CENTRE: [f64; 3] = [0.1, 0.02, 0.05];
const MASS: f64 = 2.0;
const GRAVITY: f64 = 9.80665;
/// Mass times centre of mass in kg.m.
const MOMENT: [f64; 3] = [MASS * CENTRE[0], MASS * CENTRE[1], MASS * CENTRE[2]];
/// Inertia about the joint in kg.m2: diagonal, then xy, xz, yz.
const INERTIA: [f64; 6] = [
    0.03 + MASS * (CENTRE[1] * CENTRE[1] + CENTRE[2] * CENTRE[2]),
    0.05 + MASS * (CENTRE[0] * CENTRE[0] + CENTRE[2] * CENTRE[2]),
    0.04 + MASS * (CENTRE[0] * CENTRE[0] + CENTRE[1] * CENTRE[1]),
    0.002 - MASS * CENTRE[0] * CENTRE[1],
    -0.003 - MASS * CENTRE[0] * CENTRE[2],
    0.004 - MASS * CENTRE[1] * CENTRE[2],
];

/// Rows of the derivatives that depend on a state: all accelerations, and the angle of a speed.
const COLUMNS: [Column<{ N + 1 }>; STATES] = {
    let mut columns = [Column::EMPTY; STATES];
    let mut state = 0;
    while state < STATES {
        let mut row = 0;
        while row < STATES {
            if row % 2 == 1 || row + 1 == state {
                columns[state].push(row);
            }
            row += 1;
        }
        state += 1;
    }
    columns
};

const START: [f64; STATES] = {
    let mut start = [0.0; STATES];
    let mut joint = 0;
    while joint < N {
        start[2 * joint] = 0.2;
        joint += 1;
    }
    start
};

const ALL: [State; STATES] = {
    let mut all = [State::new("phi").position(); STATES];
    let mut joint = 0;
    while joint < N {
        all[2 * joint + 1] = State::new("w");
        joint += 1;
    }
    all
};

/// The data of a body during the recursion.
#[derive(Clone, Copy)]
struct Body<S> {
    /// Transforms coordinates of the previous body to those of this one.
    t: Matrix<S>,
    w: Vector<S>,
    /// Acceleration of the joint and of the axes due to speeds alone, without that of the previous
    /// body.
    bias: [Vector<S>; 2],
    /// Inertia with all bodies behind: moments of angular and of translational accelerations,
    /// forces of translational ones.
    inertia: [Matrix<S>; 3],
    /// Moment and force that keep it at zero acceleration.
    wrench: [Vector<S>; 2],
    /// Moment and force of a unit acceleration in the joint.
    along: [Vector<S>; 2],
    /// The reciprocal of the inertia about the joint's axis, and the remaining moment about it.
    inverse: S,
    moment: S,
}

fn constant<S: Scalar>(v: [f64; 3]) -> Vector<S> {
    v.map(S::from)
}

impl<S: Scalar> Body<S> {
    fn alone(e: [f64; 3], phi: S, speed: S, before: Vector<S>, arm: [f64; 3]) -> Self {
        let t = rotation(e, phi);
        let carried = times(&t, before);
        let own = e.map(|c| speed * c);
        let w = add(carried, own);
        let inward = cross(before, cross(before, constant(arm)));
        let [xx, yy, zz, xy, xz, yz] = INERTIA.map(S::from);
        let tensor = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
        let [x, y, z] = MOMENT.map(S::from);
        let (mass, zero) = (S::from(MASS), S::from(0.0));
        let coupling = [[zero, -z, y], [z, zero, -x], [-y, x, zero]];
        let diagonal = [[mass, zero, zero], [zero, mass, zero], [zero, zero, mass]];
        Body {
            t,
            w,
            bias: [cross(carried, own), times(&t, inward)],
            inertia: [tensor, coupling, diagonal],
            wrench: [cross(w, times(&tensor, w)), cross(w, cross(w, [x, y, z]))],
            along: [[zero; 3]; 2],
            inverse: zero,
            moment: zero,
        }
    }

    /// Eliminates the joint; the remaining inertia and force act on the previous body.
    fn eliminate(&mut self, e: [f64; 3]) {
        let [turning, coupling, mass] = &mut self.inertia;
        let e = constant(e);
        let (uw, uv) = (times(turning, e), transposed_times(coupling, e));
        self.along = [uw, uv];
        self.inverse = dot(e, uw).divide_into(1.0);
        self.moment = -dot(e, self.wrench[0]);
        let (gw, gv) = (uw.map(|c| c * self.inverse), uv.map(|c| c * self.inverse));
        for i in 0..3 {
            for j in 0..3 {
                turning[i][j] = turning[i][j] - gw[i] * uw[j];
                coupling[i][j] = coupling[i][j] - gw[i] * uv[j];
                mass[i][j] = mass[i][j] - gv[i] * uv[j];
            }
        }
        let [w, v] = self.bias;
        let force = add(transposed_times(coupling, w), times(mass, v));
        let moment = add(times(turning, w), times(coupling, v));
        self.wrench = [
            add_scaled(add(self.wrench[0], moment), gw, self.moment),
            add_scaled(add(self.wrench[1], force), gv, self.moment),
        ];
    }

    /// Adds the inertia and force of the body behind, whose joint was eliminated.
    fn carry(&mut self, behind: &Body<S>) {
        let t = &behind.t;
        let mass = turned_symmetric(t, &behind.inertia[2]);
        let plain = turned(t, &behind.inertia[1]);
        let tensor = turned_symmetric(t, &behind.inertia[0]);
        let mut coupling = plain;
        for j in 0..3 {
            let column = cross_constant(ARM, [mass[0][j], mass[1][j], mass[2][j]]);
            (0..3).for_each(|i| coupling[i][j] = coupling[i][j] + column[i]);
        }
        for i in 0..3 {
            // The rows of a matrix times skew(ARM) are cross products with its rows.
            let (first, second) = (cross_constant(ARM, coupling[i]), cross_constant(ARM, plain[i]));
            for j in 0..3 {
                self.inertia[0][i][j] = self.inertia[0][i][j] + tensor[i][j] + first[j];
                self.inertia[0][j][i] = self.inertia[0][j][i] + second[j];
                self.inertia[1][i][j] = self.inertia[1][i][j] + coupling[i][j];
                self.inertia[2][i][j] = self.inertia[2][i][j] + mass[i][j];
            }
        }
        let force = transposed_times(t, behind.wrench[1]);
        let moment = add(transposed_times(t, behind.wrench[0]), cross_constant(ARM, force));
        self.wrench = [add(self.wrench[0], moment), add(self.wrench[1], force)];
    }
}

/// The equations of motion.
pub struct Revolutes;

impl System for Revolutes {
    const INFO: Info = info(
        "Revolutes",
        &START,
        &ALL,
        &jacobian(&COLUMNS),
        &[Variable::new("phi", Source::State(0)).start(0)],
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
        let zero = S::from(0.0);
        let mut before = [zero; 3];
        let mut bodies: [Body<S>; N] = std::array::from_fn(|i| {
            let arm = if i == 0 { [0.0; 3] } else { ARM };
            let body = Body::alone(AXES[i % 3], x[2 * i], x[2 * i + 1], before, arm);
            before = body.w;
            body
        });
        for i in (0..N).rev() {
            bodies[i].eliminate(AXES[i % 3]);
            let (inner, outer) = bodies.split_at_mut(i);
            if let (Some(carrier), Some(body)) = (inner.last_mut(), outer.first()) {
                carrier.carry(body);
            }
        }
        let (mut z, mut a) = ([zero; 3], constant([0.0, GRAVITY, 0.0]));
        for (i, body) in bodies.iter().enumerate() {
            let arm = if i == 0 { [0.0; 3] } else { ARM };
            let moved = add(a, cross_constant(arm.map(|c| -c), z));
            z = add(times(&body.t, z), body.bias[0]);
            a = add(times(&body.t, moved), body.bias[1]);
            let left = body.moment - dot(body.along[0], z) - dot(body.along[1], a);
            let acceleration = left * body.inverse;
            z = add_scaled(z, constant(AXES[i % 3]), acceleration);
            dx[2 * i] = x[2 * i + 1];
            dx[2 * i + 1] = acceleration;
        }
        Ok(())
    }
}

fmu_runtime::export!(Revolutes);
