//! Small models written by hand, each with one behaviour to test.

mod events;

pub use events::*;
use fmu_runtime::kernels::{Scalar, newton};
use fmu_runtime::system::*;

/// A Real variable without limits.
const fn real(
    name: &'static str,
    causality: Causality,
    variability: Variability,
    initial: Option<Initial>,
    source: Source,
    start: Option<u32>,
) -> Variable {
    Variable {
        name,
        causality,
        variability,
        initial,
        source,
        start,
        unit: "",
        min: f64::NEG_INFINITY,
        max: f64::INFINITY,
    }
}

const fn parameter(name: &'static str, i: u32, variability: Variability) -> Variable {
    let exact = Some(Initial::Exact);
    real(name, Causality::Parameter, variability, exact, Source::Parameter(i), None)
}

const fn state(name: &'static str, i: u32, start: u32) -> Variable {
    let exact = Some(Initial::Exact);
    let (local, continuous) = (Causality::Local, Variability::Continuous);
    real(name, local, continuous, exact, Source::State(i), Some(start))
}

const fn input(name: &'static str, i: u32, variability: Variability) -> Variable {
    real(name, Causality::Input, variability, None, Source::Input(i), None)
}

const fn output(name: &'static str, variability: Variability, source: Source) -> Variable {
    real(name, Causality::Output, variability, Some(Initial::Calculated), source, None)
}

const fn continuous_state(name: &'static str, position: bool) -> State {
    State { name, nominal: 1.0, position }
}

const fn relation(name: &'static str) -> Relation {
    Relation { name, kind: RelationKind::State }
}

/// Everything empty; the models override what they have.
pub const EMPTY: Info = Info {
    name: "Test",
    guid: "{test}",
    sizes: Sizes { calculated: 0, unknowns: 0, work: 0 },
    reals: &[],
    integers: &[],
    booleans: &[],
    parameters: &[],
    inputs: &[],
    states: &[],
    discretes: &[],
    relations: &[],
    relation_stage: Stage::Velocity,
    first_modes: &[],
    blocks: &[],
    fallible: Fallible { advance: None, report: None },
    requirements: &[],
    tables: &[],
    jacobian: &[],
    solver: None,
    stop_time: 1.0,
    tolerance: 1e-8,
};

use Variability::{Continuous, Fixed, Tunable};

/// `x'' = u - c x`, with a calculated parameter and reported values of two stages.
pub struct Oscillator;

impl Oscillator {
    pub const X: u32 = 0;
    pub const V: u32 = 1;
    pub const DER_V: u32 = 2;
    pub const C: u32 = 3;
    pub const U: u32 = 4;
    pub const POWER: u32 = 5;
    pub const ENERGY: u32 = 6;
    pub const SIZE: u32 = 7;
    pub const TWICE: u32 = 8;
    pub const CONSTANT: u32 = 9;
    pub const TIME: u32 = 10;
    pub const GUESS: u32 = 11;
    pub const TOLERANCE: u32 = 12;
    pub const MAX_STEP: u32 = 13;
    pub const METHOD: u32 = 0;
}

impl System for Oscillator {
    const INFO: Info = Info {
        name: "Oscillator",
        guid: "{oscillator}",
        sizes: Sizes { calculated: 1, unknowns: 0, work: 2 },
        reals: &[
            state("x", 0, 0),
            state("v", 1, 1),
            output("der(v)", Continuous, Source::Derivative(1)),
            Variable { min: 0.0, max: 100.0, ..parameter("c", 2, Tunable) },
            input("u", 0, Continuous),
            output("power", Continuous, Source::Reported(0, Stage::Dynamics)),
            output("energy", Continuous, Source::Reported(1, Stage::Velocity)),
            Variable { min: 0.5, max: 2.0, ..parameter("size", 3, Fixed) },
            real(
                "twice",
                Causality::CalculatedParameter,
                Fixed,
                Some(Initial::Calculated),
                Source::Calculated(0),
                None,
            ),
            real(
                "constant",
                Causality::Local,
                Variability::Constant,
                Some(Initial::Exact),
                Source::Constant(42.0),
                None,
            ),
            real("time", Causality::Independent, Continuous, None, Source::Time, None),
            Variable {
                initial: Some(Initial::Approx),
                ..real("guess", Causality::Local, Fixed, None, Source::Calculated(0), Some(4))
            },
            parameter("solver.tolerance", 6, Fixed),
            parameter("solver.max_step", 7, Fixed),
        ],
        integers: &[Variable { min: 0.0, max: 2.0, ..parameter("solver.method", 5, Fixed) }],
        solver: Some(SolverParameters { method: 5, tolerance: 6, max_step: 7 }),
        booleans: &[input("brake", 1, Variability::Discrete)],
        parameters: &[1.0, 0.0, 4.0, 1.0, 7.0, 0.0, 0.0, 0.0],
        inputs: &[0.0, 0.0],
        states: &[continuous_state("x", true), continuous_state("v", false)],
        jacobian: &[&[1], &[0]],
        ..EMPTY
    };

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x.copy_from_slice(&e.p[..2]);
        e.c[0] = e.p[3] * 2.0;
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = e.x[1];
            e.dx[1] = e.u[0] - e.p[2] * e.x[0];
        }
        Ok(())
    }

    fn report<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        match stage {
            Stage::Velocity => e.w[1] = (e.x[1] * e.x[1] + e.p[2] * e.x[0] * e.x[0]) * 0.5,
            Stage::Dynamics => e.w[0] = e.u[0] * e.x[1],
            _ => {}
        }
        Ok(())
    }
}

/// A ball that falls on a floor, loses speed, and comes to rest.
pub struct Ball;

impl Ball {
    pub const H: u32 = 0;
    pub const V: u32 = 1;
    pub const E: u32 = 2;
    pub const V_MIN: u32 = 3;
    pub const RESTING: u32 = 0;
    pub const G: f64 = 9.81;
}

impl System for Ball {
    const INFO: Info = Info {
        name: "Ball",
        guid: "{ball}",
        reals: &[
            state("h", 0, 0),
            state("v", 1, 1),
            parameter("e", 2, Fixed),
            parameter("v_min", 3, Fixed),
        ],
        booleans: &[output("resting", Variability::Discrete, Source::Discrete(0))],
        parameters: &[1.0, 0.0, 0.7, 0.1],
        states: &[continuous_state("h", true), continuous_state("v", false)],
        discretes: &[Discrete { name: "resting", start: 0.0, labels: &[(0, "no"), (1, "yes")] }],
        relations: &[relation("impact")],
        relation_stage: Stage::Position,
        jacobian: &[&[], &[0]],
        ..EMPTY
    };

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x.copy_from_slice(&e.p[..2]);
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            let resting = e.m[0] != 0.0;
            e.dx[0] = if resting { S::from(0.0) } else { e.x[1] };
            e.dx[1] = S::from(if resting { 0.0 } else { -Ball::G });
        }
        Ok(())
    }

    fn relations(e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        d[0] = if e.m[0] != 0.0 { -1.0 } else { -e.x[0] };
        Ok(())
    }

    fn event(e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved {
        if e.r[0] && e.x[1] < 0.0 {
            if -e.x[1] < e.p[3] {
                next.m[0] = 1.0;
                next.x.fill(0.0);
            } else {
                next.x[1] = -e.p[2] * e.x[1];
            }
        }
        Ok(())
    }
}

/// Switches on when its input passes a level, remembers when, and then integrates the input.
pub struct Threshold;

impl Threshold {
    pub const X: u32 = 0;
    pub const U: u32 = 1;
    pub const LEVEL: u32 = 2;
    pub const SWITCHED: u32 = 3;
    pub const COUNT: u32 = 4;
    pub const Y: u32 = 5;
}

impl System for Threshold {
    const INFO: Info = Info {
        name: "Threshold",
        guid: "{threshold}",
        sizes: Sizes { calculated: 0, unknowns: 0, work: 1 },
        reals: &[
            state("x", 0, 0),
            input("u", 0, Continuous),
            parameter("level", 1, Tunable),
            output("switched", Variability::Discrete, Source::Discrete(0)),
            output("count", Variability::Discrete, Source::Discrete(1)),
            output("y", Continuous, Source::Advanced(0, Stage::Dynamics)),
        ],
        parameters: &[0.0, 0.5],
        inputs: &[0.0],
        states: &[continuous_state("x", false)],
        discretes: &[
            Discrete { name: "switched", start: -1.0, labels: &[] },
            Discrete { name: "count", start: 0.0, labels: &[] },
            Discrete { name: "above", start: 0.0, labels: &[] },
        ],
        relations: &[relation("above")],
        relation_stage: Stage::Dynamics,
        jacobian: &[&[]],
        ..EMPTY
    };

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0];
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.w[0] = e.u[0] * 2.0;
            e.dx[0] = if e.r[0] { e.u[0] } else { S::from(0.0) };
        }
        Ok(())
    }

    fn relations(e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        d[0] = e.u[0] - e.p[1];
        Ok(())
    }

    fn event(e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved {
        next.m[2] = f64::from(u8::from(e.r[0]));
        if e.r[0] && e.m[2] == 0.0 {
            next.m[0] = e.t;
            next.m[1] = e.m[1] + 1.0;
        }
        Ok(())
    }
}

/// `x' = -z` with `z + z^3 = x`, or no solution where `x` is below `limit`.
pub struct Implicit;

impl Implicit {
    pub const X: u32 = 0;
    pub const Z: u32 = 1;
    pub const LIMIT: u32 = 2;
}

impl System for Implicit {
    const INFO: Info = Info {
        name: "Implicit",
        guid: "{implicit}",
        sizes: Sizes { calculated: 0, unknowns: 2, work: 1 },
        reals: &[
            state("x", 0, 0),
            output("z", Continuous, Source::Advanced(0, Stage::Velocity)),
            parameter("limit", 1, Fixed),
        ],
        parameters: &[1.0, -1e9],
        states: &[continuous_state("x", false)],
        blocks: &[Block { name: "closure", kind: BlockKind::Equations, offset: 0, size: 1 }],
        fallible: Fallible { advance: Some(Stage::Velocity), report: None },
        jacobian: &[&[0]],
        ..EMPTY
    };

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0];
        Implicit::solve(e, [0.0], 0.0)?;
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        match stage {
            Stage::Velocity => {
                let [guess, sign] = [e.anchor[0], e.anchor[1]];
                e.w[0] = Implicit::solve(e, [guess], sign)?;
            }
            Stage::Dynamics => e.dx[0] = -e.w[0],
            _ => {}
        }
        Ok(())
    }
}

impl Implicit {
    fn solve<S: Scalar>(e: &mut Env<'_, S>, guess: [f64; 1], sign: f64) -> Result<S, Failure> {
        let x = e.x[0];
        if x.value() < e.p[1].value() {
            let kind = FailureKind::NotConverged;
            return Err(Failure { block: 0, kind, residual: 0.5 });
        }
        let (z, sign) = newton::solve(
            0,
            guess,
            sign,
            |[z]: [f64; 1]| {
                let slope = 1.0 + 3.0 * z * z;
                ([-(z + z * z * z - x.value()) / slope], slope, 0.0)
            },
            |[z]: [S; 1]| {
                let slope = z * z * 3.0 + 1.0;
                ([-(z + z * z * z - x) / slope], slope, S::from(0.0))
            },
        )?;
        e.z[0] = z[0].value();
        e.z[1] = sign;
        Ok(z[0])
    }
}

/// `x' = z` with `z = x`, but the iteration converges only from guesses that are nearer than 0.3.
pub struct Shy;

impl Shy {
    pub const X: u32 = 0;
    pub const Z: u32 = 1;
}

impl System for Shy {
    const INFO: Info = Info {
        name: "Shy",
        guid: "{shy}",
        sizes: Sizes { calculated: 0, unknowns: 1, work: 0 },
        reals: &[state("x", 0, 0), output("z", Continuous, Source::Derivative(0))],
        parameters: &[1.0],
        states: &[continuous_state("x", true)],
        blocks: &[Block { name: "closure", kind: BlockKind::Equations, offset: 0, size: 1 }],
        fallible: Fallible { advance: Some(Stage::Position), report: None },
        jacobian: &[&[0]],
        ..EMPTY
    };

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0];
        e.z[0] = e.p[0].value();
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        match stage {
            Stage::Position => {
                let residual = (e.x[0].value() - e.anchor[0]).abs();
                if residual > 0.3 {
                    return Err(Failure { block: 0, kind: FailureKind::NotConverged, residual });
                }
                e.z[0] = e.x[0].value();
            }
            Stage::Dynamics => e.dx[0] = e.x[0],
            _ => {}
        }
        Ok(())
    }
}

/// Outputs that merely are something else; `x' = parameter`.
pub struct Mirror;

impl Mirror {
    pub const X: u32 = 0;
    pub const P: u32 = 1;
    pub const TIME: u32 = 2;
    pub const OUTPUTS: [u32; 6] = [3, 4, 5, 6, 7, 8];
}

impl System for Mirror {
    const INFO: Info = Info {
        name: "Mirror",
        guid: "{mirror}",
        sizes: Sizes { calculated: 1, unknowns: 0, work: 0 },
        reals: &[
            state("x", 0, 0),
            parameter("p", 1, Tunable),
            real("time", Causality::Independent, Continuous, None, Source::Time, None),
            output("y.constant", Variability::Constant, Source::Constant(3.0)),
            output("y.parameter", Tunable, Source::Parameter(1)),
            output("y.calculated", Fixed, Source::Calculated(0)),
            output("y.discrete", Variability::Discrete, Source::Discrete(0)),
            output("y.time", Continuous, Source::Time),
            output("y.x", Continuous, Source::State(0)),
        ],
        parameters: &[0.0, 2.0],
        states: &[continuous_state("x", false)],
        discretes: &[Discrete { name: "m", start: 5.0, labels: &[] }],
        jacobian: &[&[]],
        ..EMPTY
    };

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0];
        e.c[0] = e.p[1] * 3.0;
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = e.p[1];
        }
        Ok(())
    }
}

/// `x' = root(1 - t)`: beyond one second the derivative is not a number.
pub struct Cliff;

impl System for Cliff {
    const INFO: Info = Info {
        name: "Cliff",
        guid: "{cliff}",
        reals: &[state("x", 0, 0)],
        parameters: &[0.0],
        states: &[continuous_state("x", false)],
        jacobian: &[&[]],
        ..EMPTY
    };

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0];
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = e.t.subtract_from(1.0).sqrt();
        }
        Ok(())
    }
}

/// A model with a fault of its author: it panics when its parameter is 1.
pub struct Faulty;

impl System for Faulty {
    const INFO: Info = Info {
        name: "Faulty",
        guid: "{faulty}",
        reals: &[state("x", 0, 0), parameter("fault", 1, Tunable)],
        parameters: &[0.0, 0.0],
        states: &[continuous_state("x", false)],
        jacobian: &[&[]],
        ..EMPTY
    };

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0];
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            assert!(e.p[1].value() != 1.0, "the author's mistake");
            e.dx[0] = S::from(1.0);
        }
        Ok(())
    }
}
