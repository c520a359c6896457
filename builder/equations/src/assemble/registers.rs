//! Which registers instructions read and write, and which values share one.

use program::{Call, Instruction, Points, Register, Span, Tape};
use rustc_hash::FxHashMap as HashMap;

use super::piece::Step;

/// Gives the registers of an instruction to a function, the one that it writes last.
pub(super) fn for_each(
    instruction: &mut Instruction,
    mut read: impl FnMut(&mut Register),
    write: impl FnOnce(&mut Register),
) {
    use Instruction as I;
    match instruction {
        I::Time(to)
        | I::Initial(to)
        | I::Parameter(to, _)
        | I::Calculated(to, _)
        | I::Discrete(to, _)
        | I::Relation(to, _)
        | I::State(to, _)
        | I::Input(to, _)
        | I::Anchor(to, _)
        | I::Work(to, ..)
        | I::Call(to, _) => write(to),
        I::Neg(to, a)
        | I::NegPlain(to, a)
        | I::Sqrt(to, a)
        | I::Exp(to, a)
        | I::Ln(to, a)
        | I::Abs(to, a)
        | I::Sign(to, a)
        | I::Floor(to, a)
        | I::Not(to, a)
        | I::SinCos(to, a) => {
            read(a);
            write(to);
        }
        I::Add(to, a, b)
        | I::AddPlain(to, a, b)
        | I::AddBothPlain(to, a, b)
        | I::Sub(to, a, b)
        | I::SubPlain(to, a, b)
        | I::SubFromPlain(to, a, b)
        | I::SubBothPlain(to, a, b)
        | I::Mul(to, a, b)
        | I::MulPlain(to, a, b)
        | I::MulBothPlain(to, a, b)
        | I::Div(to, a, b)
        | I::DivPlain(to, a, b)
        | I::DivIntoPlain(to, a, b)
        | I::DivBothPlain(to, a, b)
        | I::Atan2(to, a, b)
        | I::Pow(to, a, b)
        | I::Min(to, a, b)
        | I::Max(to, a, b)
        | I::Less(to, a, b)
        | I::LessEqual(to, a, b)
        | I::NotEqual(to, a, b)
        | I::And(to, a, b)
        | I::Or(to, a, b) => {
            [a, b].into_iter().for_each(read);
            write(to);
        }
        I::MulAdd(to, a, b, c)
        | I::MulSub(to, a, b, c)
        | I::SubMul(to, a, b, c)
        | I::Select(to, a, b, c) => {
            [a, b, c].into_iter().for_each(read);
            write(to);
        }
        I::ToWork(from, ..)
        | I::ToDerivative(from, _)
        | I::ToState(from, _)
        | I::ToCalculated(from, _)
        | I::ToUnknown(from, _)
        | I::ToResidual(from, _)
        | I::ToNextDiscrete(from, _)
        | I::ToNextState(from, _)
        | I::ToTerminate(from)
        | I::ToAnswer(from, _) => read(from),
    }
}

/// Gives the registers that a call reads to a function.
pub(super) fn for_each_of_call(tape: &mut Tape, call: u32, mut read: impl FnMut(&mut Register)) {
    let lists: [Span; 2] = match &mut tape.calls[call as usize] {
        Call::Factor { matrix, .. } => [*matrix, Span::default()],
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
                read(&mut contact.struck);
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
pub(super) fn reads(tape: &mut Tape, step: &Step) -> Vec<Register> {
    let mut found = Vec::new();
    let mut instruction = step.instruction;
    for_each(&mut instruction, |from| found.push(*from), |_| {});
    if let Instruction::Call(_, call) = step.instruction {
        for_each_of_call(tape, call, |from| found.push(*from));
    }
    found
}

/// A register before it is known which values share one: of which value it is a part.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// The step that computes the value.
    pub step: usize,
    /// Its place among the registers of the value.
    offset: u32,
}

/// The registers that steps write.
pub(super) fn parts(steps: &[Step]) -> HashMap<Register, Part> {
    let mut parts = HashMap::default();
    for (step, own) in steps.iter().enumerate() {
        let mut instruction = own.instruction;
        for_each(
            &mut instruction,
            |_| {},
            |to| {
                parts.extend((0..own.width).map(|offset| (*to + offset, Part { step, offset })));
            },
        );
    }
    parts
}

/// The steps in an order, with values in the registers from `first` on that are free again; `ends`
/// are needed after all of them. Gives the first register that is not used.
pub(super) fn share(
    tape: &mut Tape,
    steps: &[Step],
    order: &[usize],
    first: Register,
    ends: &mut [Register],
) -> (Vec<Instruction>, Register) {
    let parts = parts(steps);
    // Where the value of each step is needed for the last time.
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
        let Step { mut instruction, width } = steps[step];
        let mut involved = vec![step];
        // What no step writes stays where it is.
        let mut put = |from: &mut Register| {
            if let Some(part) = parts.get(from) {
                involved.push(part.step);
                *from = places[part.step] + part.offset;
            }
        };
        if let Instruction::Call(_, call) = instruction {
            for_each_of_call(tape, call, &mut put);
        }
        for_each(&mut instruction, &mut put, |_| {});
        let shared = if width == 1 { free.pop() } else { None };
        places[step] = match shared {
            Some(register) => register,
            None => {
                unused += width;
                unused - width
            }
        };
        for_each(&mut instruction, |_| {}, |to| *to = places[step]);
        code.push(instruction);
        // Only now, since what writes several registers must not read them.
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
