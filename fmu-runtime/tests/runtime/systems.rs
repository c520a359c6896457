//! Small models written by hand, each with one behaviour to test.

mod events;

pub use events::*;
use fmu_runtime::kernels::newton;
use fmu_runtime::system::*;

/// An empty model.
pub const fn model(name: &'static str, guid: &'static str) -> Info {
    Info::new(name).guid(guid).tolerance(1e-8)
}

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
    pub const STEP: u32 = 14;
    pub const METHOD: u32 = Self::INFO.first_reference(Base::Integer);
    pub const BRAKE: u32 = Self::INFO.first_reference(Base::Boolean);
}

impl System for Oscillator {
    const INFO: Info = model("Oscillator", "{oscillator}")
        .reals(&[
            Variable::new("x", Source::State(0)).start(0),
            Variable::new("v", Source::State(1)).start(1),
            Variable::new("der(v)", Source::Derivative(1)).output(),
            Variable::new("c", Source::Parameter(2)).tunable().min(0.0).max(100.0),
            Variable::new("u", Source::Input(0)),
            Variable::new("power", Source::Reported(0, Stage::Dynamics)).output(),
            Variable::new("energy", Source::Reported(1, Stage::Velocity)).output(),
            Variable::new("size", Source::Parameter(3)).min(0.5).max(2.0),
            Variable::new("twice", Source::Calculated(0)),
            Variable::new("constant", Source::Constant(42.0)),
            Variable::new("time", Source::Time),
            Variable {
                causality: Causality::Local,
                initial: Some(Initial::Approx),
                ..Variable::new("guess", Source::Calculated(0)).start(4)
            },
            Variable::new("solver.tolerance", Source::Parameter(6)),
            Variable::new("solver.max_step", Source::Parameter(7)),
            Variable::new("solver.step", Source::Parameter(8)),
        ])
        .integers(&[Variable::new("solver.method", Source::Parameter(5)).min(0.0).max(5.0)])
        .solver(SolverParameters {
            method: 5,
            tolerance: 6,
            max_step: 7,
            step: 8,
            max_iterations: 9,
        })
        .booleans(&[Variable::new("brake", Source::Input(1)).discrete()])
        .parameters(&[1.0, 0.0, 4.0, 1.0, 7.0, 0.0, 0.0, 0.0, 0.0, 10.0])
        .inputs(&[0.0, 0.0])
        .states(&[State::new("x").position(), State::new("v")])
        .jacobian(&[&[1], &[0]]);

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

/// The [`Oscillator`] with the statements that its Jacobian lasts until the next event and does not
/// depend on time.
pub struct LinearOscillator;

impl System for LinearOscillator {
    const INFO: Info = Info { lasting_columns: &[0, 1], time_dependent: false, ..Oscillator::INFO };

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        Oscillator::initial(e)
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        Oscillator::advance(stage, e)
    }

    fn report<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        Oscillator::report(stage, e)
    }
}

/// A ball that falls to a floor, loses speed at impacts, and comes to rest.
pub struct Ball;

impl Ball {
    pub const H: u32 = 0;
    pub const V: u32 = 1;
    pub const E: u32 = 2;
    pub const V_MIN: u32 = 3;
    pub const RESTING: u32 = Self::INFO.first_reference(Base::Boolean);
    pub const G: f64 = 9.81;
}

impl System for Ball {
    const INFO: Info = model("Ball", "{ball}")
        .reals(&[
            Variable::new("h", Source::State(0)).start(0),
            Variable::new("v", Source::State(1)).start(1),
            Variable::new("e", Source::Parameter(2)),
            Variable::new("v_min", Source::Parameter(3)),
        ])
        .booleans(&[Variable::new("resting", Source::Discrete(0)).output()])
        .parameters(&[1.0, 0.0, 0.7, 0.1])
        .states(&[State::new("h").position(), State::new("v")])
        .discretes(&[Discrete::new("resting", 0.0).labels(&[(0, "no"), (1, "yes")])])
        .relations(&[Relation::new("impact")])
        .relation_stage(Stage::Position);

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

/// Switches on when its input passes a level, stores this instant, and then integrates the input.
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
    const INFO: Info = model("Threshold", "{threshold}")
        .reals(&[
            Variable::new("x", Source::State(0)).start(0),
            Variable::new("u", Source::Input(0)),
            Variable::new("level", Source::Parameter(1)).tunable(),
            Variable::new("switched", Source::Discrete(0)).output(),
            Variable::new("count", Source::Discrete(1)).output(),
            Variable::new("y", Source::Advanced(0, Stage::Dynamics)).output(),
        ])
        .parameters(&[0.0, 0.5])
        .inputs(&[0.0])
        .states(&[State::new("x")])
        .discretes(&[
            Discrete::new("switched", -1.0),
            Discrete::new("count", 0.0),
            Discrete::new("above", 0.0),
        ])
        .relations(&[Relation::new("above")])
        .relation_stage(Stage::Dynamics);

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

/// `x' = -z` with `z + z^3 = x`; there is no solution if `x` is below `limit`.
pub struct Implicit;

impl Implicit {
    pub const X: u32 = 0;
    pub const Z: u32 = 1;
    pub const LIMIT: u32 = 2;
}

impl System for Implicit {
    const INFO: Info = model("Implicit", "{implicit}")
        .reals(&[
            Variable::new("x", Source::State(0)).start(0),
            Variable::new("z", Source::Advanced(0, Stage::Velocity)).output(),
            Variable::new("limit", Source::Parameter(1)),
        ])
        .parameters(&[1.0, -1e9])
        .states(&[State::new("x")])
        .blocks(&[Block { name: "closure", kind: BlockKind::Equations, offset: 0, size: 1 }])
        .fallible(Some(Stage::Velocity), None);

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
            0.0,
            e.iterations,
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

/// `x' = z` with `z = x`; the iteration converges only from guesses within 0.3 of the solution.
pub struct Shy;

impl Shy {
    pub const X: u32 = 0;
    pub const Z: u32 = 1;
}

impl System for Shy {
    const INFO: Info = model("Shy", "{shy}")
        .reals(&[
            Variable::new("x", Source::State(0)).start(0),
            Variable::new("z", Source::Derivative(0)).output(),
        ])
        .parameters(&[1.0])
        .states(&[State::new("x").position()])
        .blocks(&[Block { name: "closure", kind: BlockKind::Equations, offset: 0, size: 1 }])
        .fallible(Some(Stage::Position), None);

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

/// Outputs that are equal to other quantities; `x' = parameter`.
pub struct Mirror;

impl Mirror {
    pub const X: u32 = 0;
    pub const P: u32 = 1;
    pub const TIME: u32 = 2;
    pub const OUTPUTS: [u32; 6] = [3, 4, 5, 6, 7, 8];
    /// Continuous local variables with the sources of the first outputs.
    pub const RATES: [u32; 3] = [9, 10, 11];
    pub const FIXED: u32 = 12;
    /// Integers within and beyond those of FMI.
    pub const FEW: u32 = 13;
    pub const MANY: u32 = 14;
}

const Y_CALCULATED: Variable = Variable::new("y.calculated", Source::Calculated(0)).output();

/// A local variable with any source.
const fn local(name: &'static str, source: Source, variability: Variability) -> Variable {
    Variable {
        causality: Causality::Local,
        initial: Some(Initial::Calculated),
        variability,
        ..Variable::new(name, source)
    }
}

impl System for Mirror {
    const INFO: Info = model("Mirror", "{mirror}")
        .reals(&[
            Variable::new("x", Source::State(0)).start(0),
            Variable::new("p", Source::Parameter(1)).tunable(),
            Variable::new("time", Source::Time),
            Variable::new("y.constant", Source::Constant(3.0)).output(),
            Variable::new("y.parameter", Source::Parameter(1)).output().tunable(),
            Variable { variability: Variability::Fixed, ..Y_CALCULATED },
            Variable::new("y.discrete", Source::Discrete(0)).output(),
            Variable::new("y.time", Source::Time).output(),
            Variable::new("y.x", Source::State(0)).output(),
            local("rate.parameter", Source::Parameter(1), Variability::Continuous),
            local("rate.time", Source::Time, Variability::Continuous),
            local("rate.constant", Source::Constant(3.0), Variability::Continuous),
            local("fixed", Source::Constant(3.0), Variability::Fixed),
        ])
        .parameters(&[0.0, 2.0])
        .states(&[State::new("x")])
        .integers(&[
            Variable::new("few", Source::Discrete(1)),
            Variable::new("many", Source::Discrete(2)),
        ])
        .discretes(&[
            Discrete::new("m", 5.0),
            Discrete::new("few", 2_147_483_647.0),
            Discrete::new("many", 3e9),
        ]);

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

/// `x' = sqrt(1 - t)`: after one second the derivative is NaN.
pub struct Cliff;

impl System for Cliff {
    const INFO: Info = model("Cliff", "{cliff}")
        .reals(&[Variable::new("x", Source::State(0)).start(0)])
        .parameters(&[0.0])
        .states(&[State::new("x")]);

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

/// A model with a mistake of its author: it panics if its parameter is 1.
pub struct Faulty;

impl System for Faulty {
    const INFO: Info = model("Faulty", "{faulty}")
        .reals(&[
            Variable::new("x", Source::State(0)).start(0),
            Variable::new("fault", Source::Parameter(1)).tunable(),
        ])
        .parameters(&[0.0, 0.0])
        .states(&[State::new("x")]);

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
