//! Compilation of a model to its program: the functions that compute values, and the values stored
//! from one function to the next.

use std::collections::{BTreeMap, BTreeSet};

use expressions::NamedFailure;
use expressions::code::Code;
use expressions::graph::{Id, NewtonBlock};
use kernels::newton::{BlockKind, FailureKind};
use kernels::relations::RelationKind;
use program::controller::CompiledController;
use program::{Function, Info, Source, Tape};

use crate::analysis::dependencies::Dependencies;
use crate::analysis::facts::{self, Facts};
use crate::analysis::initial::InitialValues;
use crate::analysis::leaf_kinds::LeafKinds;
use crate::analysis::roots::Roots;
use crate::analysis::stages::Stages;
use crate::analysis::{checks, jumps};
use crate::layout::{Chunk, Draft, Layout};
use crate::model::{Model, completed};
use crate::publication::publish::{self, Publication, PublishedVariables};
use crate::publication::{affine, guid, info};
use crate::vocabulary::description::Description;
use crate::vocabulary::error::Error;
use crate::vocabulary::schematic::Schematic;
use crate::{assemble, verify};

/// A compiled model.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) code: Code,
    pub(crate) functions: BTreeMap<Function, Vec<Chunk>>,
    /// The elements of `w` in which values are stored.
    pub(crate) slots: BTreeMap<Id, u32>,
    /// Length of `w`.
    pub(crate) work: u32,
    pub(crate) facts: Facts,
    pub(crate) info: &'static Info,
    tape: Tape,
    pub(crate) published: PublishedVariables,
    pub(crate) description: Description,
    notes: Vec<String>,
    resources: Vec<(String, String)>,
    schematic: Schematic,
    /// The code of the controllers of `info`.
    pub(crate) controllers: Vec<CompiledController>,
}

impl Program {
    pub(crate) fn new(mut model: Model) -> Result<Program, Error> {
        let completed = completed::complete(&mut model);
        verify::declarations(&model)?;
        let initial = InitialValues::of(&model)?;
        let (code, roots) = Roots::extract(&model, &initial);
        let dependencies = Dependencies::of(&code);
        let kinds = LeafKinds::of(&model);
        let equations = (&initial, &code, &roots);
        let mut notes = checks::check(&model, equations, &dependencies, &kinds)?;
        notes.extend(jumps::notes(&model, &kinds));
        notes.extend(verify::notes(&model));
        notes.into_iter().for_each(|note| model.note(note));
        model.note_constant_discretes();
        let stages = Stages::of(&code, &roots);
        let mut draft = Draft::new(&code, &roots, &stages);
        let pending = publish::choose_sources(&model, &code, &roots, &stages, &mut draft);
        let affine_sources = affine::sources(&code, &roots, &stages, &mut draft);
        let delay_sources = affine::sources_of_delays(&code, &roots, &stages, &mut draft);
        let controller_sources = affine::sources_of_controllers(&code, &roots, &stages, &mut draft);
        let layout = draft.layout(&code);
        let sources: Vec<Source> = pending.iter().map(|s| s.source(&layout.slots)).collect();
        let mut facts =
            facts::facts(&model, &code, &roots, &stages, &dependencies, completed.solver);
        let residuals = affine::residuals(&roots, &affine_sources, &layout);
        for (relation, affine) in facts.relations.iter_mut().zip(residuals) {
            relation.affine = affine;
        }
        let structure = (&roots, &dependencies);
        facts.delays = affine::delays((&model, &kinds), structure, (&delay_sources, &layout));
        facts.controllers = affine::controllers(&model, &controller_sources, &layout);
        facts.requirements = facts::requirements(&model, &roots, &sources);
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
        let (notes, resources, schematic) = (model.notes, model.generated, model.schematic);
        let mut info = info::info((&code, &layout), (&facts, &published, &description));
        let Layout { functions, slots, work, .. } = layout;
        let tape = assemble::tape(&code, &functions, &slots, &facts.blocks, &info);
        let controllers: Vec<CompiledController> =
            model.controllers.into_iter().map(|of| of.code).collect();
        let guid = guid::of(&description, facts.modes_at_start, &tape, (&info, &controllers));
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
            schematic,
            controllers,
        })
    }

    /// The description for importers.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The names of the controllers that are compiled code, without which a tape is incomplete.
    pub fn controllers(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.info.controllers.iter().map(|controller| controller.name)
    }

    /// The code as a tape.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// The program in the form that the interpreter of the run time executes.
    pub fn taped(&self) -> program::Program {
        program::Program {
            info: self.info,
            modes_at_start: self.facts.modes_at_start,
            tape: self.tape.clone(),
        }
    }

    /// The names that the run time does not know, each with the first name of its value reference.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.description.variables.iter().filter_map(|variable| {
            let of = self.info.variable(variable.kind.base(), variable.value_reference);
            let first = of.expect("every reference has a variable").name;
            (variable.name != first).then_some((variable.name.as_str(), first))
        })
    }

    /// Messages that the author should know.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The text files that the model provides for the FMU's folder of resources: name and content.
    pub fn resources(&self) -> &[(String, String)] {
        &self.resources
    }

    /// The components of the model and their connections.
    pub fn schematic(&self) -> &Schematic {
        &self.schematic
    }

    /// The files that the FMU reads when it is instantiated, in the folder of resources.
    pub fn files(&self) -> Vec<&str> {
        let files = self.code.tables().iter().filter_map(|table| table.contents().file.as_deref());
        files.collect()
    }

    /// Whether initial values depend on relations that in turn depend on them. The run time then
    /// determines initial values again in the modes that follow from them, until the modes no
    /// longer change.
    pub fn modes_at_start(&self) -> bool {
        self.facts.modes_at_start
    }

    /// For each relation, what changes its truth value.
    pub fn relation_kinds(&self) -> Vec<RelationKind> {
        self.facts.relations.iter().map(|relation| relation.kind).collect()
    }

    /// The name of a relation.
    pub fn relation_name(&self, i: usize) -> &str {
        self.facts.relations.get(i).map_or("?", |relation| &relation.name)
    }

    /// A failure with the name of its block, or of its table.
    pub(crate) fn named(&self, failure: kernels::newton::Failure) -> NamedFailure {
        let kernels::newton::Failure { block, kind, residual } = failure;
        let (name, block_kind) = if matches!(kind, FailureKind::OutsideTable(_)) {
            let table = &self.code.tables()[block as usize];
            (table.contents().name.clone(), BlockKind::Equations)
        } else {
            let block = &self.facts.blocks[block as usize];
            (block.name.clone(), block.kind)
        };
        NamedFailure { block: name, block_kind, kind, residual }
    }

    /// The nonlinear blocks that are solved during the simulation: name and number of unknowns.
    pub fn blocks(&self) -> Vec<(&str, usize)> {
        let blocks = self.facts.blocks.iter().filter(|block| block.size > 0);
        blocks.map(|block| (block.name.as_str(), block.unknowns as usize)).collect()
    }

    /// The loops with a solution in closed form, which is only checked during the simulation.
    pub fn closed_forms(&self) -> BTreeSet<&str> {
        let checked = |block: &&NewtonBlock| block.unknowns.is_empty() && block.kind.is_loop();
        let blocks = self.code.blocks().map(|(_, block, _)| block);
        blocks.filter(checked).map(|block| &*block.name).collect()
    }

    /// The number of statements of each kind of function: initial (with the requirements), advance,
    /// report, relations, event (with the assertions).
    pub fn statements(&self) -> [usize; 5] {
        let mut counts = [0; 5];
        for (function, chunks) in &self.functions {
            let kind = match function {
                Function::Requirements(_) | Function::FirstModes | Function::Initial => 0,
                Function::Advance(_) => 1,
                Function::Report(_) | Function::Unknowns => 2,
                Function::Relations | Function::Indicators => 3,
                Function::Event | Function::Assertions => 4,
            };
            counts[kind] += chunks.iter().map(|chunk| chunk.nodes.len()).sum::<usize>();
        }
        counts
    }
}

impl Model {
    /// Compiles the equations to a program.
    ///
    /// # Errors
    /// The first mistake in the model, with a message that names the variable.
    pub fn compile(self) -> Result<Program, Error> {
        Program::new(self)
    }
}
