//! Distribution of the computations over functions and chunks of functions, and elements of the
//! work vector for the values that cross between them.
//!
//! Each stage has an `advance` function for the values that derivatives need, and a `report`
//! function for the values that are only read. Event indicators have a function of their own if
//! they need much less than the derivatives. Nonlinear blocks that neither derivatives nor events
//! need are *deferred*. `report` solves a deferred block when a dependent value is read. A separate
//! function solves all deferred blocks at accepted points, to follow their solutions along the
//! motion. The work vector holds only values that are used in more than one function, or published.

mod indicators;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use expressions::code::Code;
use expressions::graph::{Id, Leaf, Node};
use program::{Function, Stage, Subject};
use rustc_hash::FxHashMap as HashMap;

use crate::analysis::roots::{AffineRoots, Roots};
use crate::analysis::stages::Stages;

/// Maximum number of statements in one emitted function. The time to compile a function grows with
/// the square of its length, because the compiler compares each access to the work vector with all
/// others.
pub(crate) const LONGEST_FUNCTION: usize = 250;

/// Minimum number of statements in a chunk, except for the last one of a function.
const SHORTEST_CHUNK: usize = 150;

/// The place where a value is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// An element of `w`; for a factorization, the first of several.
    Work(u32),
    Derivative(u32),
    State(u32),
    Calculated(u32),
    Unknown(u32),
    Residual(u32),
    NextDiscrete(u32),
    NextState(u32),
    Terminate,
    Truth(u32),
}

/// A part of a function that is emitted as a function of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chunk {
    /// The computed nodes in order; the results of nodes with several results are not listed.
    pub nodes: Vec<Id>,
    /// The values that are stored immediately after the node at a position (`nodes.len()`: at the
    /// end).
    pub stores: BTreeMap<usize, Vec<(Target, Id)>>,
}

/// Functions in chunks, and the elements of `w` in which values are stored.
pub(crate) struct Layout {
    pub functions: BTreeMap<Function, Vec<Chunk>>,
    pub slots: BTreeMap<Id, u32>,
    pub work: u32,
    /// The stage after which the unknowns of deferred blocks can be computed, if there are any.
    pub deferred: Option<Stage>,
}

impl Layout {
    /// Computations in one evaluation of the derivatives; those inside a block count once.
    pub fn operations(&self) -> usize {
        let per_step =
            |f: &Function| matches!(f, Function::Advance(stage) if *stage >= Stage::Time);
        let functions = self.functions.iter().filter(|(function, _)| per_step(function));
        functions.flat_map(|(_, chunks)| chunks).map(|chunk| chunk.nodes.len()).sum()
    }
}

/// A function before it is cut into chunks: its computations and the results to be stored.
#[derive(Default)]
struct FunctionDraft {
    nodes: Vec<Id>,
    targets: Vec<(Target, Id)>,
}

/// Functions before they are cut into chunks.
pub(crate) struct Draft {
    functions: BTreeMap<Function, FunctionDraft>,
    advanced: BTreeSet<Id>,
    /// Values that a function must store because another one reads them.
    kept: BTreeSet<(Function, Id)>,
    /// The latest stage of an unknown of a deferred block.
    deferred: Option<Stage>,
}

impl Draft {
    pub fn new(code: &Code, roots: &Roots, stages: &Stages) -> Draft {
        let deferred = deferred_blocks(code, roots);
        let advanced = advanced(code, roots, stages, &deferred);
        let mut draft = Draft {
            functions: BTreeMap::new(),
            advanced: advanced.iter().copied().collect(),
            kept: BTreeSet::new(),
            deferred: None,
        };
        for id in advanced {
            draft.function(Function::Advance(stages.stage(id))).nodes.push(id);
        }
        let numbered = |ids: &[Id], target: fn(u32) -> Target| -> Vec<(Target, Id)> {
            ids.iter().enumerate().map(|(i, &id)| (target(i as u32), id)).collect()
        };
        let (mut apart, mut unknowns) = (Vec::new(), numbered(&roots.unknowns, Target::Unknown));
        for block in deferred.into_iter().rev() {
            apart.extend(unknowns.drain(block));
        }
        for (target, id) in unknowns {
            draft.function(Function::Advance(stages.stage(id))).targets.push((target, id));
        }
        for (target, id) in numbered(&roots.derivatives, Target::Derivative) {
            draft.function(Function::Advance(stages.stage(id))).targets.push((target, id));
        }
        let initial = [
            numbered(&roots.initial_states, Target::State),
            numbered(&roots.initial_calculated, Target::Calculated),
            numbered(&roots.initial_unknowns, Target::Unknown),
        ];
        draft.add(code, Function::Initial, initial.concat(), |_| false);
        let known = draft.advanced.clone();
        if !apart.is_empty() {
            draft.deferred = apart.iter().map(|(_, id)| stages.stage(*id)).max();
            draft.add(code, Function::Unknowns, apart, |id| known.contains(&id));
        }
        let residuals = numbered(&roots.relations, Target::Residual);
        draft.add(code, Function::Relations, residuals, |id| known.contains(&id));
        if indicators::are_cheaper_apart(code, roots, stages, &known) {
            let residuals = roots.state_relations.iter();
            let residuals = residuals.map(|&i| (Target::Residual(i), roots.relations[i as usize]));
            let lasting = indicators::lasting(stages, &known);
            draft.add(code, Function::Indicators, residuals.collect(), lasting);
        }
        let mut event = numbered(&roots.next_discretes, Target::NextDiscrete);
        event.extend(numbered(&roots.next_states, Target::NextState));
        event.push((Target::Terminate, roots.terminate));
        // A value that does not change need not be stored.
        event.retain(|(target, id)| match (target, code.node(*id)) {
            (Target::NextDiscrete(i), Node::Leaf(Leaf::Pre(j))) => i != j,
            (Target::NextState(i), Node::Leaf(Leaf::State(j))) => i != j,
            (Target::Terminate, Node::Truth(false)) => false,
            _ => true,
        });
        draft.add(code, Function::Event, event, |id| known.contains(&id));
        if !roots.assertions.is_empty() {
            let assertions = numbered(&roots.assertions, Target::Truth);
            draft.add(code, Function::Assertions, assertions, |id| known.contains(&id));
        }
        for subject in Subject::ALL {
            let all = roots.requirements.iter().enumerate();
            let own = all.filter(|(_, requirement)| requirement.0 == subject);
            let own: Vec<(Target, Id)> =
                own.map(|(i, &(_, id))| (Target::Truth(i as u32), id)).collect();
            if !own.is_empty() {
                draft.add(code, Function::Requirements(subject), own, |_| false);
            }
        }
        if !roots.first_modes.is_empty() {
            let first_modes = numbered(&roots.first_modes, Target::Truth);
            draft.add(code, Function::FirstModes, first_modes, |_| false);
        }
        draft
    }

    fn function(&mut self, function: Function) -> &mut FunctionDraft {
        self.functions.entry(function).or_default()
    }

    fn add(
        &mut self,
        code: &Code,
        function: Function,
        targets: Vec<(Target, Id)>,
        known: impl Fn(Id) -> bool,
    ) {
        let ids: Vec<Id> = targets.iter().map(|(_, id)| *id).collect();
        let nodes = code.order(&ids, &known);
        let draft = self.function(function);
        draft.nodes.extend(nodes);
        draft.targets.extend(targets);
    }

    /// Lets `report` compute `ids`, all of one stage, unless `advance` computes them.
    pub fn report(&mut self, code: &Code, stage: Stage, ids: &[Id]) {
        let known = std::mem::take(&mut self.advanced);
        let targets = ids.iter().map(|&id| (Target::Work(0), id)).collect();
        self.add(code, Function::Report(stage), targets, |id| known.contains(&id));
        self.function(Function::Report(stage)).targets.clear();
        self.advanced = known;
    }

    /// Whether `advance` computes a value.
    pub fn is_advanced(&self, code: &Code, id: Id) -> bool {
        self.advanced.contains(&code.statement_of(id))
    }

    /// Lets a function store a value in `w`.
    pub fn keep(&mut self, function: Function, id: Id) {
        self.function(function);
        self.kept.insert((function, id));
    }

    /// Cuts the functions into chunks and assigns the elements of `w`.
    pub fn layout(mut self, code: &Code) -> Layout {
        let mut functions: BTreeMap<Function, Vec<Chunk>> = BTreeMap::new();
        for (&function, draft) in &self.functions {
            let statements: Vec<Id> =
                draft.nodes.iter().copied().filter(|&id| code.statement_of(id) == id).collect();
            let mut chunks: Vec<Chunk> = cut(code, &statements)
                .map(|nodes| Chunk { nodes: nodes.to_vec(), stores: BTreeMap::new() })
                .collect();
            if chunks.is_empty() {
                chunks.push(Chunk::default());
            }
            functions.insert(function, chunks);
        }
        let locations = Locations::new(code, &self.functions, &functions);
        for (&function, draft) in &self.functions {
            for (index, chunk) in functions[&function].iter().enumerate() {
                for &node in &chunk.nodes {
                    code.for_each_operand(node, &mut |operand| {
                        if let Some(keeper) = locations.keeper(code, operand, function, index) {
                            self.kept.insert((keeper, operand));
                        }
                    });
                }
            }
            for &(_, id) in &draft.targets {
                if locations.of(code, id, function).is_none() && !code.node(id).is_given() {
                    self.kept.insert((locations.advancing(code, id), id));
                }
            }
        }
        let (slots, work) = self.assign(code, &functions);
        self.place_stores(code, &mut functions, &locations, &slots);
        functions.retain(|_, chunks| {
            chunks.retain(|chunk| !chunk.nodes.is_empty() || !chunk.stores.is_empty());
            !chunks.is_empty()
        });
        Layout { functions, slots, work, deferred: self.deferred }
    }

    /// Numbers the elements of `w` in the order in which they are computed.
    fn assign(
        &self,
        code: &Code,
        functions: &BTreeMap<Function, Vec<Chunk>>,
    ) -> (BTreeMap<Id, u32>, u32) {
        let mut slots = BTreeMap::new();
        let mut work = 0;
        let by_statement = self.by_statement(code);
        for (function, chunks) in functions {
            let own = by_statement.get(function);
            for node in chunks.iter().flat_map(|chunk| &chunk.nodes) {
                for &id in own.and_then(|own| own.get(node)).into_iter().flatten() {
                    slots.entry(id).or_insert_with(|| {
                        let first = work;
                        work += code.width(id);
                        first
                    });
                }
            }
        }
        // Published leaves and constants for which the run time has no vector.
        for (_, id) in &self.kept {
            slots.entry(*id).or_insert_with(|| {
                work += 1;
                work - 1
            });
        }
        (slots, work)
    }

    /// For each function and statement, the values to be stored.
    fn by_statement(&self, code: &Code) -> BTreeMap<Function, BTreeMap<Id, Vec<Id>>> {
        let mut all: BTreeMap<Function, BTreeMap<Id, Vec<Id>>> = BTreeMap::new();
        for &(function, id) in &self.kept {
            let own = all.entry(function).or_default();
            own.entry(code.statement_of(id)).or_default().push(id);
        }
        all
    }

    fn place_stores(
        &self,
        code: &Code,
        functions: &mut BTreeMap<Function, Vec<Chunk>>,
        locations: &Locations,
        slots: &BTreeMap<Id, u32>,
    ) {
        for (&function, chunks) in functions {
            let work = self.kept.iter().filter(|(keeper, _)| *keeper == function);
            let stores = work.map(|&(_, id)| (Target::Work(slots[&id]), id));
            let targets = self.functions[&function].targets.iter().copied();
            for (target, id) in stores.chain(targets) {
                let last = chunks.len() - 1;
                let (chunk, position) = match locations.of(code, id, function) {
                    Some((chunk, position)) => (chunk, position),
                    None => (last, chunks[last].nodes.len()),
                };
                chunks[chunk].stores.entry(position).or_default().push((target, id));
            }
        }
    }
}

/// The statements of a function in chunks: each one ends where the fewest values are needed later.
fn cut<'a>(code: &Code, statements: &'a [Id]) -> impl Iterator<Item = &'a [Id]> {
    let needed = needed_later(code, statements);
    let mut first = 0;
    std::iter::from_fn(move || {
        let rest = &statements[first..];
        let length = if rest.len() <= LONGEST_FUNCTION {
            rest.len()
        } else {
            let lengths = (SHORTEST_CHUNK..=LONGEST_FUNCTION).rev();
            lengths.min_by_key(|length| needed[first + length])?
        };
        first += length;
        (length > 0).then(|| &rest[..length])
    })
}

/// For each number of statements, how many of the values that the first ones compute are read by
/// the others.
fn needed_later(code: &Code, statements: &[Id]) -> Vec<usize> {
    let mut computed = HashMap::default();
    let mut last_use: HashMap<Id, usize> = HashMap::default();
    for (position, &statement) in statements.iter().enumerate() {
        code.for_each_operand(statement, &mut |operand| {
            if computed.contains_key(&code.statement_of(operand)) {
                last_use.insert(operand, position);
            }
        });
        computed.insert(statement, position);
    }
    let mut change = vec![0_isize; statements.len() + 2];
    for (value, last) in last_use {
        change[computed[&code.statement_of(value)] + 1] += 1;
        change[last + 1] -= 1;
    }
    let sum = |needed: &mut isize, change: isize| {
        *needed += change;
        Some(*needed as usize)
    };
    change.into_iter().scan(0, sum).collect()
}

/// The places at which values are computed.
struct Locations {
    /// The chunk and the position in it, by function and statement.
    at: HashMap<(Function, Id), (usize, usize)>,
    /// The stage in which `advance` computes a statement.
    advanced: HashMap<Id, Function>,
}

impl Locations {
    fn new(
        code: &Code,
        drafts: &BTreeMap<Function, FunctionDraft>,
        functions: &BTreeMap<Function, Vec<Chunk>>,
    ) -> Locations {
        let mut at = HashMap::default();
        for (&function, chunks) in functions {
            for (index, chunk) in chunks.iter().enumerate() {
                for (position, &node) in chunk.nodes.iter().enumerate() {
                    at.insert((function, node), (index, position));
                }
            }
        }
        let mut advanced = HashMap::default();
        for (&function, draft) in drafts {
            if matches!(function, Function::Advance(_)) {
                advanced.extend(draft.nodes.iter().map(|&id| (code.statement_of(id), function)));
            }
        }
        Locations { at, advanced }
    }

    /// The chunk of a function that computes a value, and the position in it.
    fn of(&self, code: &Code, id: Id, function: Function) -> Option<(usize, usize)> {
        self.at.get(&(function, code.statement_of(id))).copied()
    }

    /// The `advance` function that computes a value.
    fn advancing(&self, code: &Code, id: Id) -> Function {
        self.advanced[&code.statement_of(id)]
    }

    /// The function that must store a value for this chunk; `None` if the chunk itself computes the
    /// value.
    fn keeper(&self, code: &Code, id: Id, function: Function, chunk: usize) -> Option<Function> {
        if code.node(id).is_given() {
            return None;
        }
        match self.of(code, id, function) {
            Some((own, _)) if own == chunk => None,
            Some(_) => Some(function),
            None => Some(self.advancing(code, id)),
        }
    }
}

/// The results that decide on an event and follow from one.
fn event_roots(roots: &Roots) -> Vec<Id> {
    let next =
        [&roots.next_discretes[..], &roots.next_states, &[roots.terminate], &roots.assertions];
    [&roots.relations[..], &next.concat()].concat()
}

/// The parts of `roots.unknowns` whose blocks neither derivatives nor events need.
fn deferred_blocks(code: &Code, roots: &Roots) -> Vec<Range<usize>> {
    let mut needed = [&roots.derivatives[..], &event_roots(roots)].concat();
    needed.extend(roots.affine.iter().flatten().flat_map(AffineRoots::ids));
    needed.extend(&roots.delayed);
    let needed: BTreeSet<Id> = code.order(&needed, &|_| false).into_iter().collect();
    let mut end = 0;
    let blocks = roots.block_lengths.iter().map(|length| {
        end += length;
        end - length..end
    });
    let is_needed = |&id: &Id| needed.contains(&code.statement_of(id));
    blocks.filter(|block| !roots.unknowns[block.clone()].iter().any(is_needed)).collect()
}

/// The values that `advance` computes, in order: everything that derivatives and blocks need
/// (except deferred blocks), the coefficients of affine residuals, delayed signals, and all values
/// that depend on parameters only. The last ones are computed once. Indicators need factors of
/// matrices in addition: if modes alone change these, they are computed once after an event.
fn advanced(code: &Code, roots: &Roots, stages: &Stages, deferred: &[Range<usize>]) -> Vec<Id> {
    let mut wanted = roots.unknowns.clone();
    for block in deferred.iter().rev() {
        wanted.drain(block.clone());
    }
    wanted.extend(&roots.derivatives);
    wanted.extend(roots.affine.iter().flatten().flat_map(AffineRoots::ids));
    wanted.extend(roots.delayed.iter().chain(&roots.delay_times));
    wanted.extend(roots.controllers.iter().flatten());
    let others = [&event_roots(roots)[..], &roots.variables].concat();
    let constant = |id: &Id| stages.stage(*id) == Stage::Parameter;
    wanted.extend(code.order(&others, &|_| false).into_iter().filter(constant));
    let indicators: Vec<Id> =
        roots.state_relations.iter().map(|&i| roots.relations[i as usize]).collect();
    let is_factor = |id: &Id| matches!(code.node(*id), Node::Lu(..) | Node::NullSpace(..));
    let is_of_modes = |id: &Id| is_factor(id) && stages.stage(*id) == Stage::Discrete;
    wanted.extend(code.order(&indicators, &|_| false).into_iter().filter(is_of_modes));
    code.order(&wanted, &|_| false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expressions::Ex;
    use expressions::graph::with_fresh_arena;

    #[test]
    fn a_function_is_cut_where_the_fewest_values_are_needed_later() {
        with_fresh_arena(|| {
            let pair = |(a, b): (Ex, Ex)| (a * b, a + b);
            // Two values are needed throughout, but only one after each sum.
            let part = |x: Ex| {
                let (a, b) = (0..90).fold((x + 1.0, x + 2.0), |both, _| pair(both));
                a * b
            };
            let root = part(part(Ex::leaf(Leaf::State(0))));
            let (code, roots) = Code::extract(&[root.id()]);
            let statements = code.order(&roots, &|_| false);
            let lengths: Vec<usize> = cut(&code, &statements).map(<[Id]>::len).collect();
            assert_eq!(lengths, [183, 183]);
        });
    }
}
