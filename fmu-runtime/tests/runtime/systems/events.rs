//! Models of which nothing matters but their events.

use super::*;

/// Two relations of which each wants the opposite of the other; with `C = 1` a third that wants its
/// own opposite.
pub struct Circle<const C: usize>;

impl<const C: usize> System for Circle<C> {
    const INFO: Info = Info {
        name: "Circle",
        guid: "{circle}",
        booleans: &[
            output("first", Variability::Discrete, Source::Relation(0)),
            output("second", Variability::Discrete, Source::Relation(1)),
        ],
        relations: &[relation("first"), relation("second"), relation("liar")],
        relation_stage: Stage::Discrete,
        ..EMPTY
    };

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

/// The initial value depends on whether it is beyond 1; with `C = 1` it is so if it is not.
pub struct Undecided<const C: usize>;

impl<const C: usize> System for Undecided<C> {
    const INFO: Info = Info {
        name: "Undecided",
        guid: "{undecided}",
        reals: &[state("x", 0, 0)],
        booleans: &[output("beyond", Variability::Discrete, Source::Relation(0))],
        parameters: &[2.0],
        states: &[continuous_state("x", false)],
        relations: &[relation("beyond")],
        jacobian: &[&[]],
        ..EMPTY
    };

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

/// The speed that a push reaches against friction; at rest there is none. The search begins at a
/// guess.
pub struct Pushed;

impl System for Pushed {
    const INFO: Info = Info {
        name: "Pushed",
        guid: "{pushed}",
        reals: &[
            parameter("push", 0, Fixed),
            parameter("guess", 1, Fixed),
            parameter("friction", 2, Fixed),
            output("v", Variability::Continuous, Source::State(0)),
        ],
        parameters: &[1.0, 0.0, 0.5],
        states: &[continuous_state("v", false)],
        relations: &[relation("other"), relation("v > 0"), relation("v < 0")],
        first_modes: &[1, 2],
        blocks: &[Block { name: "equations", kind: BlockKind::Equations, offset: 0, size: 0 }],
        jacobian: &[&[]],
        ..EMPTY
    };

    const MODES_AT_START: bool = true;

    fn guessed(e: &mut Env<'_, f64>, truths: &mut [bool]) -> Solved {
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

/// Counts the half milliseconds after a start time.
pub struct Metronome;

impl Metronome {
    pub const START: u32 = 1;
}

impl System for Metronome {
    const INFO: Info = Info {
        name: "Metronome",
        guid: "{metronome}",
        reals: &[state("x", 0, 0), parameter("start", 1, Fixed)],
        integers: &[output("count", Variability::Discrete, Source::Discrete(0))],
        parameters: &[0.0, 0.0],
        states: &[continuous_state("x", false)],
        discretes: &[Discrete { name: "count", start: 0.0, labels: &[] }],
        relations: &[Relation { name: "tick", kind: RelationKind::Time }],
        relation_stage: Stage::Discrete,
        jacobian: &[&[]],
        ..EMPTY
    };

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
    pub const COUNT: u32 = 0;
}

impl System for Clock {
    const INFO: Info = Info {
        name: "Clock",
        guid: "{clock}",
        reals: &[state("x", 0, 0), parameter("period", 1, Fixed), parameter("stop", 2, Fixed)],
        integers: &[output("count", Variability::Discrete, Source::Discrete(0))],
        parameters: &[0.0, 0.1, 1e9],
        states: &[continuous_state("x", false)],
        discretes: &[Discrete { name: "count", start: 0.0, labels: &[] }],
        relations: &[
            Relation { name: "tick", kind: RelationKind::Time },
            Relation { name: "end", kind: RelationKind::Time },
        ],
        relation_stage: Stage::Discrete,
        jacobian: &[&[]],
        ..EMPTY
    };

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

/// A state that grows with the time; events look whether it is beyond 0.3. They come every 0.25 s.
pub struct Sampler;

impl Sampler {
    pub const BEYOND: u32 = 0;
}

impl System for Sampler {
    const INFO: Info = Info {
        name: "Sampler",
        guid: "{sampler}",
        reals: &[state("x", 0, 0)],
        booleans: &[output("beyond", Variability::Discrete, Source::Relation(0))],
        parameters: &[0.0],
        states: &[continuous_state("x", false)],
        discretes: &[Discrete { name: "count", start: 0.0, labels: &[] }],
        relations: &[
            Relation { name: "beyond", kind: RelationKind::Sampled },
            Relation { name: "tick", kind: RelationKind::Time },
        ],
        jacobian: &[&[]],
        ..EMPTY
    };

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

/// Each event changes a discrete variable, which makes the next one: it never ends at one instant;
/// with `TIME = 1` an event follows the other after a time too short to matter.
pub struct Restless<const TIME: usize>;

impl<const TIME: usize> System for Restless<TIME> {
    const INFO: Info = Info {
        name: "Restless",
        guid: "{restless}",
        reals: &[state("x", 0, 0)],
        parameters: &[0.0],
        states: &[continuous_state("x", false)],
        discretes: &[Discrete { name: "mode", start: 0.0, labels: &[] }],
        relations: &[relation("due")],
        jacobian: &[&[]],
        ..EMPTY
    };

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
            // With time: as many at once as the hysteresis of the relation covers, and one more.
            next.m[0] = e.m[0] + if TIME == 1 { 400.0 } else { 1.0 };
        }
        Ok(())
    }
}
