//! The registers that instructions read and write, and the assignment of registers to values.

use program::{Call, Instruction, Points, Register, Span, Tape};
use rustc_hash::FxHashMap as HashMap;

use super::function::AssemblyStep;

/// Calls `read` with each register that the call of a kernel reads.
fn for_each_of_call(tape: &mut Tape, call: u32, mut read: impl FnMut(&mut Register)) {
    let lists: [Span; 2] = match &mut tape.calls[call as usize] {
        Call::Factor { matrix, .. } | Call::NullSpace { matrix, .. } => [*matrix, Span::default()],
        Call::Solve { factor, rhs } => {
            read(factor);
            [*rhs, Span::default()]
        }
        Call::Value(points, argument) | Call::Slope(points, argument) => {
            read(argument);
            match points {
                Points::Registers(xs, ys) => [*xs, *ys],
                Points::Numbers(..) => Default::default(),
            }
        }
        Call::Count { argument: from, .. } | Call::Entry { row: from, .. } => {
            read(from);
            Default::default()
        }
        Call::Guard { argument, value, .. } => {
            [argument, value].into_iter().for_each(read);
            return;
        }
        Call::Block { guesses, sign, captures, .. } => {
            read(sign);
            [*guesses, *captures]
        }
        Call::Impulses { w, v, contacts } => {
            for contact in &mut tape.contacts[contacts.range()] {
                read(&mut contact.active);
                read(&mut contact.restitution);
                contact.friction.iter_mut().for_each(&mut read);
            }
            [*w, *v]
        }
    };
    for list in lists {
        tape.lists[list.range()].iter_mut().for_each(&mut read);
    }
}

/// The registers that a step reads.
pub(super) fn reads(tape: &mut Tape, step: &AssemblyStep) -> Vec<Register> {
    let mut found = Vec::new();
    let mut instruction = step.instruction;
    instruction.for_each_register(|from| found.push(*from), |_| {});
    if let Instruction::Call(_, call) = step.instruction {
        for_each_of_call(tape, call, |from| found.push(*from));
    }
    found
}

/// A register before values share registers: the value of which it is a part.
#[derive(Clone, Copy)]
pub(super) struct RegisterPart {
    /// The step that computes the value.
    pub step: usize,
    /// Its index among the registers of the value.
    offset: u32,
}

/// The registers that steps write.
pub(super) fn parts(steps: &[AssemblyStep]) -> HashMap<Register, RegisterPart> {
    let mut parts = HashMap::default();
    for (step, own) in steps.iter().enumerate() {
        let mut instruction = own.instruction;
        let part = |offset| RegisterPart { step, offset };
        instruction.for_each_register(
            |_| {},
            |to| parts.extend((0..own.width).map(|offset| (*to + offset, part(offset)))),
        );
    }
    parts
}

/// Puts the steps in an order and assigns the registers from `first` on to their values; registers
/// are reused when their values are no longer needed. `ends` are needed after all steps. Returns
/// the instructions and the first unused register.
pub(super) fn share(
    tape: &mut Tape,
    steps: &[AssemblyStep],
    order: &[usize],
    first: Register,
    ends: &mut [Register],
) -> (Vec<Instruction>, Register) {
    let parts = parts(steps);
    // The position at which the value of each step is read for the last time.
    let mut last = vec![0; steps.len()];
    for (position, &step) in order.iter().enumerate() {
        for part in reads(tape, &steps[step]).iter().filter_map(|from| parts.get(from)) {
            last[part.step] = position;
        }
    }
    for part in ends.iter().filter_map(|end| parts.get(end)) {
        last[part.step] = usize::MAX;
    }
    let mut places: Vec<Register> = vec![0; steps.len()];
    let (mut free, mut unused) = (Vec::new(), first);
    let mut code = Vec::with_capacity(steps.len());
    for (position, &step) in order.iter().enumerate() {
        let AssemblyStep { mut instruction, width } = steps[step];
        let mut involved = vec![step];
        // A register that no step writes is not replaced.
        let mut put = |from: &mut Register| {
            if let Some(part) = parts.get(from) {
                involved.push(part.step);
                *from = places[part.step] + part.offset;
            }
        };
        if let Instruction::Call(_, call) = instruction {
            for_each_of_call(tape, call, &mut put);
        }
        instruction.for_each_register(&mut put, |_| {});
        let shared = if width == 1 { free.pop() } else { None };
        places[step] = match shared {
            Some(register) => register,
            None => {
                unused += width;
                unused - width
            }
        };
        instruction.for_each_register(|_| {}, |to| *to = places[step]);
        code.push(instruction);
        // Registers become free after this, because an instruction that writes several registers
        // must not read them.
        involved.sort_unstable();
        involved.dedup();
        involved.retain(|&value| steps[value].width == 1 && last[value] <= position);
        free.extend(involved.iter().map(|&value| places[value]));
    }
    for end in ends {
        if let Some(part) = parts.get(end) {
            *end = places[part.step] + part.offset;
        }
    }
    (code, unused)
}
