//! Facts about the vectors of a program, for the run time.

use expressions::code::Code;
use expressions::graph::{Id, Leaf, NewtonBlock};
use kernels::newton::BlockKind;
use kernels::relations::RelationKind;
use program::{AffineResidual, Controller, Delay, SolverParameters, Source, Stage, Subject};

use crate::analysis::dependencies::Dependencies;
use crate::analysis::partial_derivatives::PartialDerivatives;
use crate::analysis::roots::Roots;
use crate::analysis::stages::Stages;
use crate::model::{Assertion, Model, StateEquation};

/// Names of the values of a discrete variable.
pub(crate) type Labels = Vec<(i32, String)>;

/// A requirement, for the run time.
#[derive(Clone, Debug)]
pub(crate) struct RequirementFacts {
    pub subject: Subject,
    /// Name, unit (empty if it has none) and source of each variable that the message names.
    pub of: Vec<(String, String, Source)>,
    pub sentence: String,
}

/// An assertion, for the run time.
#[derive(Clone, Debug)]
pub(crate) struct AssertionFacts {
    pub sentence: String,
    pub in_passes: bool,
    pub is_warning: bool,
}

impl AssertionFacts {
    fn of(assertion: &Assertion) -> AssertionFacts {
        let Assertion { sentence, in_passes, is_warning, .. } = assertion;
        let (sentence, in_passes, is_warning) = (sentence.clone(), *in_passes, *is_warning);
        AssertionFacts { sentence, in_passes, is_warning }
    }
}

/// A nonlinear block, for the run time.
#[derive(Clone, Debug)]
pub(crate) struct BlockFacts {
    pub name: String,
    pub kind: BlockKind,
    pub offset: u32,
    /// The number of values of its stored solution.
    pub size: u32,
    pub unknowns: u32,
}

impl BlockFacts {
    /// Whether these are the facts about a block.
    pub fn describes(&self, block: &NewtonBlock) -> bool {
        self.name == *block.name && self.kind == block.kind
    }
}

/// A state.
#[derive(Clone, Debug)]
pub(crate) struct StateFacts {
    pub name: String,
    pub nominal: f64,
    /// Whether its derivative is a state too.
    pub position: bool,
}

/// A discrete variable.
#[derive(Clone, Debug)]
pub(crate) struct DiscreteFacts {
    pub name: String,
    pub start: f64,
    pub labels: Labels,
}

/// A relation.
#[derive(Clone, Debug)]
pub(crate) struct RelationFacts {
    pub name: String,
    /// What changes its truth value.
    pub kind: RelationKind,
    /// Its residual as an affine function of the states; known when values have places in `w`.
    pub affine: Option<AffineResidual>,
}

/// The vectors of a program, for the run time.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub parameters: Vec<f64>,
    pub inputs: Vec<f64>,
    pub calculated: usize,
    pub unknowns: usize,
    pub states: Vec<StateFacts>,
    pub discretes: Vec<DiscreteFacts>,
    pub relations: Vec<RelationFacts>,
    pub relation_stage: Stage,
    /// Whether initial values depend on relations that in turn depend on them.
    pub modes_at_start: bool,
    /// The relations on which initial values depend before the first event.
    pub first_modes: Vec<u32>,
    pub blocks: Vec<BlockFacts>,
    pub requirements: Vec<RequirementFacts>,
    pub assertions: Vec<AssertionFacts>,
    /// The delayed signals, known when values have places in `w`.
    pub delays: Vec<Delay>,
    /// The controllers that are compiled code, known when values have places in `w`.
    pub controllers: Vec<Controller>,
    /// For each state, the rows of `dx` that depend on it.
    pub jacobian: Vec<Vec<u32>>,
    /// The states whose columns of the Jacobian last until the next event.
    pub lasting_columns: Vec<u32>,
    /// Whether derivatives depend on time, other than through states and inputs.
    pub time_dependent: bool,
    /// The elements of `p` with the settings of the solver.
    pub solver: SolverParameters,
}

/// The facts that follow from the equations; [`requirements`] come later.
pub(crate) fn facts(
    model: &Model,
    code: &Code,
    roots: &Roots,
    stages: &Stages,
    dependencies: &Dependencies,
    solver: SolverParameters,
) -> Facts {
    let DerivativeDependencies { jacobian, lasting_columns, time_dependent } =
        DerivativeDependencies::of(model, code, roots, dependencies);
    let state = |(i, s): (usize, &StateEquation)| StateFacts {
        name: s.name.clone(),
        nominal: s.nominal,
        position: stages.position[i],
    };
    Facts {
        parameters: model.parameters.clone(),
        inputs: model.inputs.clone(),
        calculated: model.calculated.len(),
        unknowns: roots.unknowns.len(),
        states: model.states.iter().enumerate().map(state).collect(),
        discretes: model
            .discretes
            .iter()
            .map(|d| DiscreteFacts {
                name: d.name.clone(),
                start: d.start,
                labels: d.labels.clone(),
            })
            .collect(),
        relations: model
            .relations
            .iter()
            .map(|r| RelationFacts { name: r.name.clone(), kind: r.kind, affine: None })
            .collect(),
        relation_stage: stages.of_relations(roots),
        modes_at_start: false,
        first_modes: Vec::new(),
        blocks: blocks(model, code, roots),
        requirements: Vec::new(),
        assertions: model.assertions.iter().map(AssertionFacts::of).collect(),
        delays: Vec::new(),
        controllers: Vec::new(),
        jacobian,
        lasting_columns,
        time_dependent,
        solver,
    }
}

/// On what the derivatives depend.
struct DerivativeDependencies {
    /// For each state, the rows that depend on it.
    jacobian: Vec<Vec<u32>>,
    /// The states whose columns of the Jacobian last until the next event.
    lasting_columns: Vec<u32>,
    time_dependent: bool,
}

impl DerivativeDependencies {
    fn of(model: &Model, code: &Code, roots: &Roots, dependencies: &Dependencies) -> Self {
        let mut jacobian = vec![Vec::new(); model.states.len()];
        let mut lasting = vec![true; model.states.len()];
        let mut time_dependent = false;
        let partial = PartialDerivatives::of(code, dependencies);
        for (row, &id) in roots.derivatives.iter().enumerate() {
            for leaf in dependencies.leaves(id) {
                match leaf {
                    Leaf::State(column) => jacobian[column as usize].push(row as u32),
                    Leaf::Time | Leaf::Delayed(..) => time_dependent = true,
                    _ => {}
                }
            }
            for leaf in partial.varying(id) {
                if let Leaf::State(column) = leaf {
                    lasting[column as usize] = false;
                }
            }
        }
        let lasting = (0..).zip(lasting).filter(|(_, lasts)| *lasts);
        let lasting_columns = lasting.map(|(column, _)| column).collect();
        DerivativeDependencies { jacobian, lasting_columns, time_dependent }
    }
}

/// The blocks of the model, then those that only initialization solves, which store nothing between
/// evaluations.
fn blocks(model: &Model, code: &Code, roots: &Roots) -> Vec<BlockFacts> {
    let mut blocks: Vec<BlockFacts> = Vec::new();
    for block in &model.blocks {
        let (name, size) = (block.name.clone(), block.solution.len() as u32);
        let unknowns = block.unknowns as u32;
        let own = |(_, other, _): (Id, &NewtonBlock, _)| {
            (*other.name == *name && other.kind.is_loop()).then_some(other.kind)
        };
        let kind = match block.kept[..] {
            [] => BlockKind::Equations,
            _ => code.blocks().find_map(own).unwrap_or(BlockKind::Loop),
        };
        blocks.push(BlockFacts { name, kind, offset: block.offset, size, unknowns });
    }
    let end = roots.unknowns.len() as u32;
    for (_, block, _) in code.blocks() {
        if blocks.iter().all(|known| !known.describes(block)) {
            let (name, kind) = (block.name.to_string(), block.kind);
            blocks.push(BlockFacts { name, kind, offset: end, size: 0, unknowns: 0 });
        }
    }
    blocks
}

/// The requirements, with the sources of the variables that they name.
pub(crate) fn requirements(
    model: &Model,
    roots: &Roots,
    sources: &[Source],
) -> Vec<RequirementFacts> {
    let named = |name: &String| {
        let index = model.variables.iter().position(|v| v.name == *name)?;
        let unit = model.variables[index].unit.clone().unwrap_or_default();
        Some((name.clone(), unit, sources[index]))
    };
    let facts = model.requirements.iter().zip(&roots.requirements);
    facts
        .map(|(requirement, &(subject, _))| RequirementFacts {
            subject,
            of: requirement.of.iter().filter_map(named).collect(),
            sentence: model.sentence(requirement),
        })
        .collect()
}
