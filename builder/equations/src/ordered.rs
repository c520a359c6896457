//! The ordered form of a model: what is computed in which function, and what is kept in between.

use std::collections::BTreeMap;

use kernels::newton::{BlockKind, FailureKind};
use sha2::{Digest, Sha256};

use crate::assemble;
use crate::code::Code;
use crate::description::{Description, Kind};
use crate::error::Error;
use crate::evaluate::Failure;
use crate::graph::{Block, Id, Leaf, Node};
use crate::info;
use crate::initial::Initial;
use crate::layout::{Chunk, Draft, Layout};
use crate::model::Model;
use crate::publish::{self, LeafKinds, Publication, Published};
use crate::require::Requirement;
use crate::structure::Dependencies;
use crate::verify;
use kernels::relations::RelationKind;
use program::{Function, Info, Source, Stage, Subject, Tape};

/// Names of the values of a discrete variable.
pub(crate) type Labels = Vec<(i32, String)>;

/// What the run time is told about a requirement.
#[derive(Clone, Debug)]
pub(crate) struct RequirementFacts {
    pub subject: Subject,
    /// Name, unit (empty if it has none) and place of each variable that is named.
    pub of: Vec<(String, String, Source)>,
    pub sentence: String,
}

/// What the run time is told about a block.
#[derive(Clone, Debug)]
pub(crate) struct BlockFacts {
    pub name: String,
    pub kind: BlockKind,
    pub offset: u32,
    pub size: u32,
}

impl BlockFacts {
    /// Whether these are the facts about a block.
    pub fn is(&self, block: &Block) -> bool {
        self.name == *block.name && self.kind == block.kind
    }
}

/// A compiled model.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) code: Code,
    pub(crate) functions: BTreeMap<Function, Vec<Chunk>>,
    /// Elements of `w` where values are kept.
    pub(crate) slots: BTreeMap<Id, u32>,
    /// Length of `w`.
    pub(crate) work: u32,
    pub(crate) facts: Facts,
    pub(crate) info: &'static Info,
    tape: Tape,
    pub(crate) published: Published,
    pub(crate) description: Description,
    notes: Vec<String>,
    resources: Vec<(String, String)>,
}

/// What is known about the vectors of a program.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub parameters: Vec<f64>,
    pub inputs: Vec<f64>,
    pub calculated: usize,
    pub unknowns: usize,
    /// Name, nominal value, whether position-like.
    pub states: Vec<(String, f64, bool)>,
    /// Name, start value, labels.
    pub discretes: Vec<(String, f64, Labels)>,
    /// Name, what changes it.
    pub relations: Vec<(String, RelationKind)>,
    pub relation_stage: Stage,
    /// Whether initial values depend on relations that depend on them.
    pub modes_at_start: bool,
    /// Those that count before the first event.
    pub first_modes: Vec<u32>,
    pub blocks: Vec<BlockFacts>,
    pub requirements: Vec<RequirementFacts>,
    /// For each state the rows of `dx` that depend on it.
    pub jacobian: Vec<Vec<u32>>,
    /// Elements of `p`: method, tolerance, largest step.
    pub solver: [u32; 3],
}

/// Everything that has to be computed, as numbers in the code.
#[derive(Clone, Debug)]
pub(crate) struct Roots {
    pub derivatives: Vec<Id>,
    pub unknowns: Vec<Id>,
    pub relations: Vec<Id>,
    pub actives: Vec<Id>,
    pub next_discretes: Vec<Id>,
    pub next_states: Vec<Id>,
    pub terminate: Id,
    /// With what each requirement is about.
    pub requirements: Vec<(Subject, Id)>,
    pub initial_states: Vec<Id>,
    pub initial_calculated: Vec<Id>,
    pub initial_unknowns: Vec<Id>,
    /// Truths of the first modes at the guesses.
    pub guessed: Vec<Id>,
    pub variables: Vec<Id>,
}

impl Roots {
    fn extract(model: &Model, initial: &Initial) -> (Code, Roots) {
        let derivatives = model.states.iter().map(|s| s.derivative.map_or(0, |ex| ex.0));
        let unknowns = model
            .blocks
            .iter()
            .flat_map(|b| b.solution.iter().chain([&b.sign]).chain(&b.kept))
            .map(|e| e.0);
        let ids = |list: &[crate::ops::Ex]| list.iter().map(|ex| ex.0).collect::<Vec<Id>>();
        let lists: Vec<Vec<Id>> = vec![
            derivatives.collect(),
            unknowns.collect(),
            ids(&model.residuals()),
            model.relations.iter().map(|r| r.active.0).collect(),
            ids(&model.updates()),
            ids(&model.next_states()),
            vec![model.terminate.0],
            model.requirements.iter().map(|r| r.condition.0).collect(),
            ids(&initial.states),
            ids(&initial.calculated),
            ids(&initial.unknowns),
            initial.first.iter().map(|(_, truth)| truth.0).collect(),
            model.variables.iter().map(|v| v.quantity.id()).collect(),
        ];
        let (code, all) = Code::extract(&lists.concat());
        let mut rest = &all[..];
        let mut parts = lists.iter().map(|list| {
            let (part, after) = rest.split_at(list.len());
            rest = after;
            part.to_vec()
        });
        let mut next = || parts.next().expect("as many parts as lists");
        let roots = Roots {
            derivatives: next(),
            unknowns: next(),
            relations: next(),
            actives: next(),
            next_discretes: next(),
            next_states: next(),
            terminate: next()[0],
            requirements: {
                let subjects = model.requirements.iter().map(Requirement::subject);
                subjects.zip(next()).collect()
            },
            initial_states: next(),
            initial_calculated: next(),
            initial_unknowns: next(),
            guessed: next(),
            variables: next(),
        };
        (code, roots)
    }
}

impl Program {
    pub(crate) fn new(mut model: Model) -> Result<Program, Error> {
        let completed = publish::complete(&mut model);
        verify::declarations(&model)?;
        let initial = Initial::of(&model)?;
        let (code, roots) = Roots::extract(&model, &initial);
        let dependencies = Dependencies::of(&code);
        let kinds = LeafKinds::of(&model);
        verify::structure(&model, &code, &roots, &dependencies, &kinds)?;
        verify::requirements(&model, &initial)?;
        verify::remarks(&model, &initial)?.into_iter().for_each(|remark| model.note(remark));
        let stages = Stages::of(&code, &roots);
        let mut draft = Draft::new(&code, &roots, &stages);
        let places = publish::place(&model, &code, &roots, &stages, &mut draft);
        let layout = draft.layout(&code);
        let sources: Vec<Source> = places.iter().map(|place| place.source(&layout.slots)).collect();
        let mut facts = facts(&model, &code, &roots, &stages, &dependencies, completed.solver);
        facts.requirements = requirements(&model, &roots, &sources);
        facts.modes_at_start = !initial.modes.is_empty();
        facts.first_modes = initial.first.iter().map(|(i, _)| *i).collect();
        let publication = Publication {
            model: &model,
            roots: &roots,
            code: &code,
            dependencies: &dependencies,
            completed: &completed,
            kinds: &kinds,
            sources: &sources,
        };
        let (published, mut description) = publication.publish();
        let (notes, resources) = (model.notes, model.generated);
        let mut info = info::info((&code, &layout), (&facts, &published, &description));
        let Layout { functions, slots, work } = layout;
        let tape = assemble::tape(&code, &functions, &slots, &facts.blocks);
        let guid = identity(&description, facts.modes_at_start, &tape, &info);
        info.guid = String::leak(guid.clone());
        description.guid = guid;
        let info = &*Box::leak(Box::new(info));
        Ok(Program {
            code,
            functions,
            slots,
            work,
            facts,
            info,
            tape,
            published,
            description,
            notes,
            resources,
        })
    }

    /// What an importer is told.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The code as a tape.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// The program as the run time executes it without a compiler.
    pub fn taped(&self) -> program::Program {
        program::Program {
            info: self.info,
            modes_at_start: self.facts.modes_at_start,
            tape: self.tape.clone(),
        }
    }

    /// The names that the run time does not know: each with the first name of its value reference.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.description.variables.iter().filter_map(|variable| {
            let entries = match variable.kind {
                Kind::Real { .. } => &self.published.reals,
                Kind::Integer { .. } | Kind::Enumeration { .. } => &self.published.integers,
                Kind::Boolean { .. } => &self.published.booleans,
            };
            let first = entries[variable.value_reference as usize].name.as_str();
            (variable.name != first).then_some((variable.name.as_str(), first))
        })
    }

    /// What the author should know about the model, in sentences.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The text files that the model makes for the FMU's folder of resources: name and content.
    pub fn resources(&self) -> &[(String, String)] {
        &self.resources
    }

    /// The files that the FMU reads when it is instantiated, in the folder of resources.
    pub fn files(&self) -> Vec<&str> {
        let files = self.code.tables().iter().filter_map(|table| table.contents().file.as_deref());
        files.collect()
    }

    /// Whether initial values depend on relations that depend on them: then they are determined
    /// again, in the modes that follow from them, until these stay.
    pub fn modes_at_start(&self) -> bool {
        self.facts.modes_at_start
    }

    /// For each relation what changes it.
    pub fn relation_kinds(&self) -> Vec<RelationKind> {
        self.facts.relations.iter().map(|(_, kind)| *kind).collect()
    }

    /// The name of a relation.
    pub fn relation_name(&self, i: usize) -> &str {
        self.facts.relations.get(i).map_or("?", |(name, _)| name)
    }

    /// A failure with the name of its block, or of its table.
    pub(crate) fn named(&self, failure: kernels::newton::Failure) -> Failure {
        let kernels::newton::Failure { block, kind, residual } = failure;
        let (name, block_kind) = if kind == FailureKind::OutsideTable {
            let table = &self.code.tables()[block as usize];
            (table.contents().name.clone(), BlockKind::Equations)
        } else {
            let block = &self.facts.blocks[block as usize];
            (block.name.clone(), block.kind)
        };
        Failure { block: name, block_kind, kind, residual }
    }

    /// The nonlinear blocks that are solved during the simulation: name and number of unknowns.
    pub fn blocks(&self) -> Vec<(&str, usize)> {
        let blocks = self.facts.blocks.iter().filter(|block| block.size > 0);
        blocks.map(|block| (block.name.as_str(), block.size as usize)).collect()
    }

    /// The number of statements of each kind of function: initial (with what is required),
    /// advance, report, relations, event.
    pub fn statements(&self) -> [usize; 5] {
        let mut counts = [0; 5];
        for (function, chunks) in &self.functions {
            let kind = match function {
                Function::Requirements(_) | Function::FirstModes | Function::Initial => 0,
                Function::Advance(_) => 1,
                Function::Report(_) => 2,
                Function::Relations => 3,
                Function::Event => 4,
            };
            counts[kind] += chunks.iter().map(|chunk| chunk.nodes.len()).sum::<usize>();
        }
        counts
    }
}

/// Identity of a program that has none yet: a hash over its description and its tape.
fn identity(description: &Description, modes_at_start: bool, tape: &Tape, info: &Info) -> String {
    let mut hash = Sha256::new();
    hash.update(serde_json::to_vec(description).expect("a description is plain data"));
    hash.update(program::to_bytes(modes_at_start, tape, info));
    guid(hash)
}

/// A GUID out of what identifies a model.
pub(crate) fn guid(hash: Sha256) -> String {
    let digest = hash.finalize();
    let hex: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let [a, b, c, d] = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20]];
    format!("{{{a}-{b}-{c}-{d}-{}}}", &hex[20..])
}

/// The stage of every node.
#[derive(Debug)]
pub(crate) struct Stages {
    of: Vec<Stage>,
    /// For each state whether it is position-like.
    pub position: Vec<bool>,
}

impl Stages {
    fn of(code: &Code, roots: &Roots) -> Stages {
        let is_state = |&id: &Id| matches!(code.node(id), Node::Leaf(Leaf::State(_)));
        let position: Vec<bool> = roots.derivatives.iter().map(is_state).collect();
        let mut of: Vec<Stage> = Vec::with_capacity(code.len());
        for id in 0..code.len() as Id {
            let stage = match code.node(id) {
                Node::Leaf(Leaf::Time) => Stage::Time,
                Node::Leaf(Leaf::Input(_)) => Stage::Dynamics,
                Node::Leaf(Leaf::State(i)) if position[*i as usize] => Stage::Position,
                Node::Leaf(Leaf::State(_)) => Stage::Velocity,
                Node::Leaf(Leaf::Pre(_) | Leaf::Relation(_) | Leaf::Initial) => Stage::Discrete,
                // Where an iteration starts, and what it is about, does not decide when it runs.
                _ => Stage::Parameter,
            };
            let mut highest = stage;
            code.for_each_operand(id, |child| highest = highest.max(of[child as usize]));
            // What is computed from the last accepted point is out of date when that moves on.
            let mut anchored = false;
            code.for_each_operand(id, |child| {
                anchored |= matches!(code.node(child), Node::Leaf(Leaf::Anchor(_)));
            });
            if anchored && !matches!(code.node(id), Node::Newton(_)) {
                highest = highest.max(Stage::Time);
            }
            of.push(highest);
        }
        Stages { of, position }
    }

    pub fn stage(&self, id: Id) -> Stage {
        self.of[id as usize]
    }
}

fn facts(
    model: &Model,
    code: &Code,
    roots: &Roots,
    stages: &Stages,
    dependencies: &Dependencies,
    solver: [u32; 3],
) -> Facts {
    let mut jacobian = vec![Vec::new(); model.states.len()];
    for (row, &id) in roots.derivatives.iter().enumerate() {
        for leaf in dependencies.leaves(id) {
            if let Leaf::State(column) = leaf {
                jacobian[column as usize].push(row as u32);
            }
        }
    }
    let mut blocks: Vec<BlockFacts> = Vec::new();
    for block in &model.blocks {
        let (name, size) = (block.name.clone(), block.symbols.len() as u32);
        let kind = match block.kept[..] {
            [] => BlockKind::Equations,
            _ => BlockKind::Loop,
        };
        blocks.push(BlockFacts { name, kind, offset: block.offset, size });
    }
    // Blocks that only initialization solves keep nothing between evaluations.
    let end = roots.unknowns.len() as u32;
    for (_, block, _) in code.blocks() {
        if blocks.iter().all(|known| !known.is(block)) {
            let (name, kind) = (block.name.to_string(), block.kind);
            blocks.push(BlockFacts { name, kind, offset: end, size: 0 });
        }
    }
    let state = |(i, s): (usize, &crate::model::StateEquation)| {
        (s.name.clone(), s.nominal, stages.position[i])
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
            .map(|d| (d.name.clone(), d.start, d.labels.clone()))
            .collect(),
        relations: model.relations.iter().map(|r| (r.name.clone(), r.kind)).collect(),
        relation_stage: roots
            .relations
            .iter()
            .map(|&id| stages.stage(id))
            .max()
            .unwrap_or(Stage::Parameter),
        modes_at_start: false,
        first_modes: Vec::new(),
        blocks,
        requirements: Vec::new(),
        jacobian,
        solver,
    }
}

fn requirements(model: &Model, roots: &Roots, sources: &[Source]) -> Vec<RequirementFacts> {
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
            sentence: requirement.sentence.clone(),
        })
        .collect()
}
