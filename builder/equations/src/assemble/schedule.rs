//! The order of instructions: those of one kind follow each other as far as their operands allow,
//! because the interpreter is fastest if successive instructions have the same kind.

use std::mem::{Discriminant, discriminant};
use std::ops::Range;

use program::{Call, Instruction, Tape};
use rustc_hash::FxHashMap as HashMap;

use super::function::AssemblyStep;
use super::registers::{parts, reads};

/// An order of the steps in which every value is computed before it is read. A step that can fail
/// keeps its place among the writes to memory: as in the given order, the same writes come before
/// and after the step.
pub(super) fn order(tape: &mut Tape, steps: &[AssemblyStep]) -> Vec<usize> {
    let mut waiting = vec![0_usize; steps.len()];
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
    for (step, before) in dependencies(tape, steps).into_iter().enumerate() {
        waiting[step] = before.len();
        before.into_iter().for_each(|earlier| users[earlier].push(step));
    }
    let mut ready = Ready::default();
    let first = (0..steps.len()).filter(|&step| waiting[step] == 0);
    first.for_each(|step| ready.push(steps, step));
    let mut order = Vec::with_capacity(steps.len());
    while let Some(step) = ready.pop() {
        order.push(step);
        for &user in &users[step] {
            waiting[user] -= 1;
            if waiting[user] == 0 {
                ready.push(steps, user);
            }
        }
    }
    order
}

/// For each step, the steps that must come before it, each once.
fn dependencies(tape: &mut Tape, steps: &[AssemblyStep]) -> Vec<Vec<usize>> {
    let parts = parts(steps);
    let mut memory = MemoryAccess::default();
    let mut all = Vec::with_capacity(steps.len());
    for (step, own) in steps.iter().enumerate() {
        let values = reads(tape, own).into_iter().filter_map(|from| parts.get(&from));
        let mut before: Vec<usize> = values.map(|part| part.step).collect();
        match Effect::of(tape, &own.instruction) {
            Effect::None => {}
            Effect::Load(vector, i, n) => memory.load(step, vector, i..i + n, &mut before),
            Effect::Store(vector, i, n) => memory.store(step, vector, i..i + n, &mut before),
            Effect::Failure => memory.fail(step, &mut before),
        }
        before.sort_unstable();
        before.dedup();
        all.push(before);
    }
    all
}

/// The effect of a step, besides the computation of a value.
enum Effect {
    None,
    /// It reads elements of a vector that functions also write.
    Load(MemoryVector, u32, u32),
    Store(MemoryVector, u32, u32),
    /// It can end the evaluation.
    Failure,
}

/// A vector of the run time's memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum MemoryVector {
    Work,
    State,
    Calculated,
    /// A vector that no step reads.
    Result,
}

impl Effect {
    fn of(tape: &Tape, instruction: &Instruction) -> Effect {
        use Instruction as I;
        match *instruction {
            I::Work(_, i, n) => Effect::Load(MemoryVector::Work, i, n),
            I::State(_, i) => Effect::Load(MemoryVector::State, i, 1),
            I::Calculated(_, i) => Effect::Load(MemoryVector::Calculated, i, 1),
            I::ToWork(_, i, n) => Effect::Store(MemoryVector::Work, i, n),
            I::ToState(_, i) => Effect::Store(MemoryVector::State, i, 1),
            I::ToCalculated(_, i) => Effect::Store(MemoryVector::Calculated, i, 1),
            I::ToDerivative(..)
            | I::ToUnknown(..)
            | I::ToResidual(..)
            | I::ToNextDiscrete(..)
            | I::ToNextState(..)
            | I::ToTerminate(_)
            | I::ToTruth(..) => Effect::Store(MemoryVector::Result, 0, 0),
            I::Call(_, call) => match tape.calls[call as usize] {
                Call::Block { .. } | Call::Guard { fails: true, .. } => Effect::Failure,
                _ => Effect::None,
            },
            _ => Effect::None,
        }
    }
}

/// The steps that have accessed memory: loads and stores of an element keep their order, and stores
/// are not moved across a step that can fail.
#[derive(Default)]
struct MemoryAccess {
    loads: HashMap<(MemoryVector, u32), Vec<usize>>,
    stores: HashMap<(MemoryVector, u32), Vec<usize>>,
    /// Stores since the last step that can fail.
    stored: Vec<usize>,
    failure: Option<usize>,
}

impl MemoryAccess {
    fn load(
        &mut self,
        step: usize,
        vector: MemoryVector,
        elements: Range<u32>,
        before: &mut Vec<usize>,
    ) {
        for i in elements {
            before.extend(self.stores.get(&(vector, i)).into_iter().flatten());
            self.loads.entry((vector, i)).or_default().push(step);
        }
    }

    fn store(
        &mut self,
        step: usize,
        vector: MemoryVector,
        elements: Range<u32>,
        before: &mut Vec<usize>,
    ) {
        for i in elements {
            before.extend(self.loads.get(&(vector, i)).into_iter().flatten());
            let stores = self.stores.entry((vector, i)).or_default();
            before.extend(stores.iter());
            stores.push(step);
        }
        before.extend(self.failure);
        self.stored.push(step);
    }

    fn fail(&mut self, step: usize, before: &mut Vec<usize>) {
        before.append(&mut self.stored);
        before.extend(self.failure);
        self.failure = Some(step);
    }
}

/// The steps whose operands have been computed, by kind of instruction.
#[derive(Default)]
struct Ready {
    kinds: HashMap<Discriminant<Instruction>, ReadySteps>,
    /// The kind of the last step.
    present: Option<Discriminant<Instruction>>,
}

/// The steps of one kind of instruction. Kinds are numbered by their first occurrence, so that the
/// schedule does not depend on hashes.
struct ReadySteps {
    number: usize,
    steps: Vec<usize>,
}

impl Ready {
    fn push(&mut self, steps: &[AssemblyStep], step: usize) {
        let number = self.kinds.len();
        let kind = self.kinds.entry(discriminant(&steps[step].instruction));
        kind.or_insert(ReadySteps { number, steps: Vec::new() }).steps.push(step);
    }

    /// The next step: one of the same kind as the last step, or else of the kind with the most
    /// steps.
    fn pop(&mut self) -> Option<usize> {
        let is_there = |kind: &&Discriminant<Instruction>| !self.kinds[*kind].steps.is_empty();
        let same = self.present.as_ref().filter(is_there).copied();
        let most = || {
            let (kind, _) = self
                .kinds
                .iter()
                .filter(|(_, kind)| !kind.steps.is_empty())
                .max_by_key(|(_, kind)| (kind.steps.len(), usize::MAX - kind.number))?;
            Some(*kind)
        };
        let kind = same.or_else(most)?;
        self.present = Some(kind);
        self.kinds.get_mut(&kind)?.steps.pop()
    }
}
