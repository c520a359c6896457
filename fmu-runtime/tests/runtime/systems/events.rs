//! Models that test events.

use super::*;

/// Two relations, each of which implies the opposite of the other; with `C = 1` a third one that
/// implies its own opposite.
pub struct Circle<const C: usize>;

impl<const C: usize> System for Circle<C> {
    const INFO: Info = model("Circle", "{circle}")
        .booleans(&[
            Variable::new("first", Source::Relation(0)).output(),
            Variable::new("second", Source::Relation(1)).output(),
        ])
        .relations(&[Relation::new("first"), Relation::new("second"), Relation::new("liar")])
        .relation_stage(Stage::Discrete);

    fn initial<S: Scalar>(_: &mut Env<'_, S>) -> Solved {
        Ok(())
    }

    fn advance<S: Scalar>(_: Stage, _: &mut Env<'_, S>) -> Solved {
        Ok(())
    }

    fn relations(e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        let opposite = |r: bool| if r { -1.0 } else { 1.0 };
        d[0] = opposite(e.r[1]);
        d[1] = opposite(e.r[0]);
        d[2] = if C == 1 { opposite(e.r[2]) } else { -1.0 };
        Ok(())
    }
}

/// The initial value depends on the relation `x > 1`; with `C = 1` the value is beyond 1 exactly if
/// the relation is false.
pub struct Undecided<const C: usize>;

impl<const C: usize> System for Undecided<C> {
    const INFO: Info = model("Undecided", "{undecided}")
        .reals(&[Variable::new("x", Source::State(0)).start(0)])
        .booleans(&[Variable::new("beyond", Source::Relation(0)).output()])
        .parameters(&[2.0])
        .states(&[State::new("x")])
        .relations(&[Relation::new("beyond")]);

    const MODES_AT_START: bool = true;

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        let beyond = if C == 1 { S::from(0.0) } else { e.p[0] + 1.0 };
        e.x[0] = if e.r[0] { beyond } else { e.p[0] };
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = S::from(0.0);
        }
        Ok(())
    }

    fn relations(e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        d[0] = e.x[0] - 1.0;
        Ok(())
    }
}

/// The speed that a push produces against friction; at rest the speed is zero. The search begins at
/// a guess.
pub struct Pushed;

impl System for Pushed {
    const INFO: Info = model("Pushed", "{pushed}")
        .reals(&[
            Variable::new("push", Source::Parameter(0)),
            Variable::new("guess", Source::Parameter(1)),
            Variable::new("friction", Source::Parameter(2)),
            Variable::new("v", Source::State(0)).output(),
        ])
        .parameters(&[1.0, 0.0, 0.5])
        .states(&[State::new("v")])
        .relations(&[Relation::new("other"), Relation::new("v > 0"), Relation::new("v < 0")])
        .first_modes(&[1, 2])
        .blocks(&[Block { name: "equations", kind: BlockKind::Equations, offset: 0, size: 0 }]);

    const MODES_AT_START: bool = true;

    fn first_modes(e: &mut Env<'_, f64>, truths: &mut [bool]) -> Solved {
        truths[0] = e.p[1] > 0.0;
        truths[1] = e.p[1] < 0.0;
        Ok(())
    }

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        let way = match (e.r[1], e.r[2]) {
            (true, _) => 1.0,
            (false, true) => -1.0,
            (false, false) => {
                return Err(Failure { block: 0, kind: FailureKind::Singular, residual: 1.0 });
            }
        };
        e.x[0] = e.p[0] - e.p[2] * way;
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = S::from(0.0);
        }
        Ok(())
    }

    fn relations(e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        d.copy_from_slice(&[-1.0, e.x[0], -e.x[0]]);
        Ok(())
    }
}

/// Counts half milliseconds after a start time.
pub struct Metronome;

impl Metronome {
    pub const COUNT: u32 = Self::INFO.first_reference(Base::Integer);
    pub const START: u32 = 1;
}

impl System for Metronome {
    const INFO: Info = model("Metronome", "{metronome}")
        .reals(&[
            Variable::new("x", Source::State(0)).start(0),
            Variable::new("start", Source::Parameter(1)),
        ])
        .integers(&[Variable::new("count", Source::Discrete(0)).output()])
        .parameters(&[0.0, 0.0])
        .states(&[State::new("x")])
        .discretes(&[Discrete::new("count", 0.0)])
        .relations(&[Relation::of_time("tick")])
        .relation_stage(Stage::Discrete);

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0];
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = S::from(1.0);
        }
        Ok(())
    }

    fn relations(e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        d[0] = e.p[1] + (e.m[0] + 1.0) * 5e-4;
        Ok(())
    }

    fn event(e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved {
        if e.r[0] {
            next.m[0] = e.m[0] + 1.0;
        }
        Ok(())
    }
}

/// Counts the multiples of a period; with `stop` reached it asks to end the simulation.
pub struct Clock;

impl Clock {
    pub const X: u32 = 0;
    pub const PERIOD: u32 = 1;
    pub const STOP: u32 = 2;
    pub const COUNT: u32 = Self::INFO.first_reference(Base::Integer);
}

impl System for Clock {
    const INFO: Info = model("Clock", "{clock}")
        .reals(&[
            Variable::new("x", Source::State(0)).start(0),
            Variable::new("period", Source::Parameter(1)),
            Variable::new("stop", Source::Parameter(2)),
        ])
        .integers(&[Variable::new("count", Source::Discrete(0)).output()])
        .parameters(&[0.0, 0.1, 1e9])
        .states(&[State::new("x")])
        .discretes(&[Discrete::new("count", 0.0)])
        .relations(&[Relation::of_time("tick"), Relation::of_time("end")])
        .relation_stage(Stage::Discrete);

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0];
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = S::from(e.m[0]);
        }
        Ok(())
    }

    fn relations(e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        d[0] = (e.m[0] + 1.0) * e.p[1];
        d[1] = e.p[2];
        Ok(())
    }

    fn event(e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved {
        if e.r[0] {
            next.m[0] = e.m[0] + 1.0;
        }
        next.terminate = e.r[1];
        Ok(())
    }
}

/// A state that grows with time; an event every 0.25 s tests whether it is beyond 0.3.
pub struct Sampler;

impl Sampler {
    pub const BEYOND: u32 = Self::INFO.first_reference(Base::Boolean);
}

impl System for Sampler {
    const INFO: Info = model("Sampler", "{sampler}")
        .reals(&[Variable::new("x", Source::State(0)).start(0)])
        .booleans(&[Variable::new("beyond", Source::Relation(0)).output()])
        .parameters(&[0.0])
        .states(&[State::new("x")])
        .discretes(&[Discrete::new("count", 0.0)])
        .relations(&[Relation::sampled("beyond"), Relation::of_time("tick")]);

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0];
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = S::from(1.0);
        }
        Ok(())
    }

    fn relations(e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        d[0] = e.x[0] - 0.3;
        d[1] = 0.25 * (e.m[0] + 1.0);
        Ok(())
    }

    fn event(e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved {
        if e.r[1] {
            next.m[0] = e.m[0] + 1.0;
        }
        Ok(())
    }
}

/// Each event changes a discrete variable, which causes the next event, so the iteration at one
/// instant never ends; with `TIME = 1` events follow each other after negligible times.
pub struct Restless<const TIME: usize>;

impl<const TIME: usize> System for Restless<TIME> {
    const INFO: Info = model("Restless", "{restless}")
        .reals(&[Variable::new("x", Source::State(0)).start(0)])
        .parameters(&[0.0])
        .states(&[State::new("x")])
        .discretes(&[Discrete::new("mode", 0.0)])
        .relations(&[Relation::new("due")]);

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0];
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = S::from(1.0);
        }
        Ok(())
    }

    fn relations(e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        d[0] = if TIME == 1 { e.x[0] - 0.5 - 1e-12 * e.m[0] } else { e.x[0] - 0.5 };
        Ok(())
    }

    fn event(e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved {
        if e.r[0] {
            // With `TIME = 1`, the next event is 4e-10 s later, which is beyond the hysteresis of
            // the relation.
            next.m[0] = e.m[0] + if TIME == 1 { 400.0 } else { 1.0 };
        }
        Ok(())
    }
}
