//! Constructors for the declarations of a hand-written system.
//!
//! They fill in what follows from other declarations. All functions are `const`, so that an
//! [`Info`] is a constant.

use crate::info::{
    Assertion, Block, Discrete, Fallible, Info, Relation, Requirement, Sizes, SolverParameters,
    State, Table, Variable,
};
use crate::solver_count::SolverCount;
use crate::vocabulary::{Causality, Initial, Source, Stage, Variability};
use kernels::newton::BlockKind;
use kernels::relations::RelationKind;

impl Info {
    /// An empty model with a stop time of 1 s.
    pub const fn new(name: &'static str) -> Info {
        Info {
            name,
            guid: "",
            sizes: Sizes { calculated: 0, unknowns: 0, work: 0, operations: 0 },
            reals: &[],
            integers: &[],
            booleans: &[],
            parameters: &[],
            inputs: &[],
            states: &[],
            discretes: &[],
            relations: &[],
            relation_stage: Stage::Dynamics,
            indicators_apart: false,
            deferred: None,
            first_modes: &[],
            blocks: &[],
            fallible: Fallible { advance: None, report: None },
            requirements: &[],
            assertions: &[],
            tables: &[],
            delays: &[],
            controllers: &[],
            jacobian: &[],
            lasting_columns: &[],
            time_dependent: true,
            solver: None,
            stop_time: 1.0,
            tolerance: 1e-6,
        }
    }

    /// The `guid` of its modelDescription.xml, if this file is written by hand too.
    pub const fn guid(mut self, guid: &'static str) -> Info {
        self.guid = guid;
        self
    }

    /// The Real variables, in the order of their value references. `c` and `w` become long enough
    /// for these variables.
    pub const fn reals(mut self, variables: &'static [Variable]) -> Info {
        self.reals = variables;
        self.with_places(variables)
    }

    /// The Integer variables; as [`Info::reals`].
    pub const fn integers(mut self, variables: &'static [Variable]) -> Info {
        self.integers = variables;
        self.with_places(variables)
    }

    /// The Boolean variables; as [`Info::reals`].
    pub const fn booleans(mut self, variables: &'static [Variable]) -> Info {
        self.booleans = variables;
        self.with_places(variables)
    }

    const fn with_places(mut self, variables: &[Variable]) -> Info {
        let mut i = 0;
        while i < variables.len() {
            let (calculated, work) = match variables[i].source {
                Source::Calculated(place) => (place as usize + 1, 0),
                Source::Advanced(place, _) | Source::Reported(place, _) => (0, place as usize + 1),
                _ => (0, 0),
            };
            self = self.calculated(calculated).work(work);
            i += 1;
        }
        self
    }

    /// `c` has at least this length.
    pub const fn calculated(mut self, length: usize) -> Info {
        if length > self.sizes.calculated {
            self.sizes.calculated = length;
        }
        self
    }

    /// `w` has at least this length.
    pub const fn work(mut self, length: usize) -> Info {
        if length > self.sizes.work {
            self.sizes.work = length;
        }
        self
    }

    /// The numbers of `p`: parameters, and the start values of states that can be set.
    pub const fn parameters(mut self, values: &'static [f64]) -> Info {
        self.parameters = values;
        self
    }

    /// The start values of `u`.
    pub const fn inputs(mut self, starts: &'static [f64]) -> Info {
        self.inputs = starts;
        self
    }

    /// The continuous states. Each derivative is assumed to depend on all of them, unless
    /// [`Info::jacobian`] is called.
    pub const fn states<const N: usize>(mut self, states: &'static [State; N]) -> Info {
        self.states = states;
        if self.jacobian.is_empty() {
            self.jacobian = Dense::<N>::JACOBIAN;
        }
        self
    }

    /// For each state the derivatives that depend on it, ascending.
    pub const fn jacobian(mut self, rows: &'static [&'static [u32]]) -> Info {
        self.jacobian = rows;
        self
    }

    /// The discrete variables.
    pub const fn discretes(mut self, discretes: &'static [Discrete]) -> Info {
        self.discretes = discretes;
        self
    }

    /// The relations. Their residuals are computed after all stages, unless
    /// [`Info::relation_stage`] is called.
    pub const fn relations(mut self, relations: &'static [Relation]) -> Info {
        self.relations = relations;
        self
    }

    /// The last stage that the residuals of the relations need.
    pub const fn relation_stage(mut self, stage: Stage) -> Info {
        self.relation_stage = stage;
        self
    }

    /// The relations whose truth values before the first event matter, because initial values
    /// depend on them.
    pub const fn first_modes(mut self, relations: &'static [u32]) -> Info {
        self.first_modes = relations;
        self
    }

    /// The nonlinear blocks, in the order of their parts of `z`, which becomes long enough for
    /// them. Any stage may then fail, unless [`Info::fallible`] is called afterwards.
    pub const fn blocks(mut self, blocks: &'static [Block]) -> Info {
        self.blocks = blocks;
        if let [.., last] = blocks {
            let kept = match last.kind {
                _ if last.size == 0 => 0,
                BlockKind::Loop | BlockKind::DrivenLoop => 2,
                BlockKind::Equations
                | BlockKind::Assembly
                | BlockKind::Gap
                | BlockKind::Projection => 1,
            };
            self.sizes.unknowns = last.offset as usize + last.size as usize + kept;
        }
        self.fallible(Some(Stage::Dynamics), Some(Stage::Dynamics))
    }

    /// `z` has at least this length.
    pub const fn unknowns(mut self, length: usize) -> Info {
        if length > self.sizes.unknowns {
            self.sizes.unknowns = length;
        }
        self
    }

    /// The last stages of `advance` and of `report` that can fail.
    pub const fn fallible(mut self, advance: Option<Stage>, report: Option<Stage>) -> Info {
        self.fallible = Fallible { advance, report };
        self
    }

    /// The requirements on parameters and initial values.
    pub const fn requirements(mut self, requirements: &'static [Requirement]) -> Info {
        self.requirements = requirements;
        self
    }

    /// What must hold during the simulation.
    pub const fn assertions(mut self, assertions: &'static [Assertion]) -> Info {
        self.assertions = assertions;
        self
    }

    /// The tables. Any stage may then fail, unless [`Info::fallible`] is called afterwards.
    pub const fn tables(mut self, tables: &'static [Table]) -> Info {
        self.tables = tables;
        self.fallible(Some(Stage::Dynamics), Some(Stage::Dynamics))
    }

    /// The elements of `p` that hold the settings of the solver.
    pub const fn solver(mut self, solver: SolverParameters) -> Info {
        self.solver = Some(solver);
        self
    }

    /// The stop time of the default experiment in s.
    pub const fn stop_time(mut self, seconds: f64) -> Info {
        self.stop_time = seconds;
        self
    }

    /// The relative tolerance of the default experiment.
    pub const fn tolerance(mut self, tolerance: f64) -> Info {
        self.tolerance = tolerance;
        self
    }
}

/// The structure of a dense Jacobian, for models that declare none.
struct Dense<const N: usize>;

impl<const N: usize> Dense<N> {
    const ROWS: [u32; N] = {
        let mut rows = [0; N];
        let mut i = 0;
        while i < N {
            rows[i] = i as u32;
            i += 1;
        }
        rows
    };
    const ALL: &'static [u32] = &Self::ROWS;
    const JACOBIAN: &'static [&'static [u32]] = &[Self::ALL; N];
}

impl Variable {
    /// A variable whose causality, variability and `initial` follow from its source: an element of
    /// `p` is a fixed parameter, one of `c` a calculated parameter, one of `u` a continuous input,
    /// and anything else a local variable whose start value cannot be set.
    pub const fn new(name: &'static str, source: Source) -> Variable {
        use Variability::{Continuous, Discrete, Fixed};
        let (causality, variability, initial) = match source {
            Source::Constant(_) => (Causality::Local, Fixed, Some(Initial::Calculated)),
            Source::Time => (Causality::Independent, Continuous, None),
            Source::Parameter(_) => (Causality::Parameter, Fixed, Some(Initial::Exact)),
            Source::Calculated(_) => {
                (Causality::CalculatedParameter, Fixed, Some(Initial::Calculated))
            }
            Source::Input(_) => (Causality::Input, Continuous, None),
            Source::Discrete(_) | Source::Relation(_) | Source::Solver(_) => {
                (Causality::Local, Discrete, Some(Initial::Calculated))
            }
            Source::State(_)
            | Source::Derivative(_)
            | Source::Advanced(..)
            | Source::Reported(..) => (Causality::Local, Continuous, Some(Initial::Calculated)),
        };
        Variable {
            name,
            causality,
            variability,
            initial,
            source,
            start: None,
            unit: "",
            description: "",
            min: f64::NEG_INFINITY,
            max: f64::INFINITY,
        }
    }

    /// The variable of a count of the solver's work, which is an Integer.
    pub const fn of_solver(count: SolverCount) -> Variable {
        Variable::new(count.name(), Source::Solver(count)).describe(count.description())
    }

    /// Its unit.
    pub const fn unit(mut self, unit: &'static str) -> Variable {
        self.unit = unit;
        self
    }

    /// Its description in one line.
    pub const fn describe(mut self, line: &'static str) -> Variable {
        self.description = line;
        self
    }

    /// The smallest value that may be set.
    pub const fn min(mut self, min: f64) -> Variable {
        self.min = min;
        self
    }

    /// The largest value that may be set.
    pub const fn max(mut self, max: f64) -> Variable {
        self.max = max;
        self
    }

    /// Makes it an output.
    pub const fn output(mut self) -> Variable {
        self.causality = Causality::Output;
        self.initial = match self.start {
            Some(_) => Some(Initial::Exact),
            None => Some(Initial::Calculated),
        };
        // FMI has no fixed outputs.
        if matches!(self.variability, Variability::Fixed | Variability::Tunable) {
            self.variability = Variability::Discrete;
        }
        self
    }

    /// Makes it a parameter that may change during the simulation, or a value calculated from such
    /// parameters.
    pub const fn tunable(mut self) -> Variable {
        self.variability = Variability::Tunable;
        self
    }

    /// Declares that it changes at events only.
    pub const fn discrete(mut self) -> Variable {
        self.variability = Variability::Discrete;
        self
    }

    /// Makes its start value settable: it is this element of `p`.
    pub const fn start(mut self, parameter: u32) -> Variable {
        self.start = Some(parameter);
        self.initial = Some(Initial::Exact);
        self
    }
}

impl State {
    /// A state with nominal value 1 whose derivative is not another state.
    pub const fn new(name: &'static str) -> State {
        State { name, nominal: 1.0, position: false }
    }

    /// Its nominal value, positive, in its unit.
    pub const fn nominal(mut self, nominal: f64) -> State {
        self.nominal = nominal;
        self
    }

    /// Declares that the derivative of this state is another state. Values that depend on this
    /// state are then computed from [`Stage::Position`] on.
    pub const fn position(mut self) -> State {
        self.position = true;
        self
    }
}

impl Discrete {
    /// A discrete variable with its value before the first event.
    pub const fn new(name: &'static str, start: f64) -> Discrete {
        Discrete { name, start, labels: &[] }
    }

    /// Names of its values, for the log.
    pub const fn labels(mut self, labels: &'static [(i32, &'static str)]) -> Discrete {
        self.labels = labels;
        self
    }
}

impl Relation {
    /// A relation that is true while its residual is positive.
    pub const fn new(name: &'static str) -> Relation {
        Relation { name, kind: RelationKind::State, affine: None }
    }

    /// A relation that is true from an instant on; its residual is this instant in s.
    pub const fn of_time(name: &'static str) -> Relation {
        Relation { name, kind: RelationKind::Time, affine: None }
    }

    /// A relation that is evaluated at events only.
    pub const fn sampled(name: &'static str) -> Relation {
        Relation { name, kind: RelationKind::Sampled, affine: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_follow_from_places() {
        const INFO: Info = Info::new("Test")
            .reals(&[
                Variable::new("a", Source::Reported(2, Stage::Time)),
                Variable::new("b", Source::Calculated(0)),
            ])
            .booleans(&[Variable::new("c", Source::Advanced(4, Stage::Velocity))])
            .blocks(&[
                Block { name: "first", kind: BlockKind::Equations, offset: 0, size: 1 },
                Block { name: "second", kind: BlockKind::Loop, offset: 2, size: 3 },
            ]);
        let Sizes { calculated, unknowns, work, .. } = INFO.sizes;
        assert_eq!([calculated, unknowns, work], [1, 7, 5]);
        assert_eq!(INFO.work(9).work(3).sizes.work, 9);
    }

    #[test]
    fn a_jacobian_is_dense_unless_it_is_given() {
        const STATES: &[State; 2] = &[State::new("x").position(), State::new("v")];
        const DENSE: Info = Info::new("Test").states(STATES);
        assert_eq!(DENSE.jacobian, [[0, 1], [0, 1]]);
        for given in [
            Info::new("Test").states(STATES).jacobian(&[&[1], &[0]]),
            Info::new("Test").jacobian(&[&[1], &[0]]).states(STATES),
        ] {
            assert_eq!(given.jacobian, [[1], [0]]);
        }
    }

    #[test]
    fn attributes_do_not_depend_on_the_order_in_which_they_are_set() {
        let x = Variable::new("x", Source::State(0));
        for x in [x.start(1).output(), x.output().start(1)] {
            assert_eq!((x.causality, x.start), (Causality::Output, Some(1)));
            assert_eq!((x.variability, x.initial), (Variability::Continuous, Some(Initial::Exact)));
        }
        assert_eq!(x.output().initial, Some(Initial::Calculated));
        let calculated = Variable::new("c", Source::Calculated(0));
        assert_eq!(calculated.output().variability, Variability::Discrete);
    }
}
