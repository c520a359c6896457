//! Checks the tape of a program: registers, read and written elements, lists, and the number of
//! operations.

use crate::bounds::{MAX_OPERATIONS, MAX_VALUES, at_most, below};
use crate::info::Info;
use crate::tape::{Body, Call, Instruction, Points, Register, Span, Tape};
use crate::vocabulary::Function;

/// Upper bound of the number of evaluations of a nonlinear block's equations in one iteration.
const ITERATIONS: u64 = 200;

/// The same for a block that follows a path and then searches for another solution.
const PATH_ITERATIONS: u64 = 2 * kernels::newton::path::MAX_EVALUATIONS + ITERATIONS;

/// Upper bound of the work to compute the impulses of a pass, in factorizations of its matrix.
const FACTORIZATIONS: u64 = 100;

pub(super) fn check(info: &Info, tape: &Tape) -> Result<(), String> {
    let registers = tape.registers as usize;
    at_most(registers, MAX_VALUES, "registers")?;
    at_most(tape.constants.len(), registers, "constants")?;
    for (n, what) in [
        (tape.code.len(), "instructions"),
        (tape.calls.len(), "calls"),
        (tape.lists.len(), "elements of the lists"),
        (tape.numbers.len(), "numbers of tables"),
        (tape.contacts.len(), "contacts"),
        (tape.bodies.len(), "bodies"),
    ] {
        at_most(n, MAX_VALUES, what)?;
    }
    // Lists are checked once, however many calls share them.
    for (i, &register) in tape.lists.iter().enumerate() {
        below(register, registers, || format!("element {i} of the lists is register"))?;
    }
    for (i, contact) in tape.contacts.iter().enumerate() {
        let all = [Some(contact.active), Some(contact.restitution), contact.friction];
        for register in all.into_iter().flatten() {
            below(register, registers, || format!("contact {i} reads register"))?;
        }
    }
    codes_are_disjoint(tape)?;
    let mut bodies = Vec::new();
    for (i, body) in tape.bodies.iter().enumerate() {
        let checker = Checker { info, tape, function: None, bodies: &[] };
        bodies.push(checker.body(body).map_err(|why| format!("body {i}: {why}"))?);
    }
    for function in Function::all() {
        let checker = Checker { info, tape, function: Some(function), bodies: &bodies };
        let code = tape.functions[function.index()];
        checker.code(code).map_err(|why| format!("function {function:?}: {why}"))?;
    }
    calls_are_made_once(tape)
}

/// Checks that exactly one instruction makes each call: a call is checked where an instruction
/// makes it, but an instance has memory for all calls.
fn calls_are_made_once(tape: &Tape) -> Result<(), String> {
    let mut made = vec![false; tape.calls.len()];
    let bodies = tape.bodies.iter().map(|body| body.code);
    for code in tape.functions.iter().copied().chain(bodies) {
        for instruction in &tape.code[code.range()] {
            if let Instruction::Call(_, call) = *instruction
                && std::mem::replace(&mut made[call as usize], true)
            {
                return Err(format!("two instructions make call {call}"));
            }
        }
    }
    match made.iter().position(|made| !made) {
        None => Ok(()),
        Some(call) => Err(format!("no instruction makes call {call}")),
    }
}

/// Checks that no instruction belongs to two functions or bodies. All functions and bodies together
/// are then at most as long as the code.
fn codes_are_disjoint(tape: &Tape) -> Result<(), String> {
    let bodies = tape.bodies.iter().map(|body| body.code);
    let mut all: Vec<Span> = tape.functions.iter().copied().chain(bodies).collect();
    let end = tape.code.len();
    for &Span { first, len } in &all {
        span(first, len as usize, end)
            .map_err(|last| format!("a function or body has instruction {last} of {end}"))?;
    }
    all.retain(|span| span.len > 0);
    all.sort_by_key(|span| span.first);
    let shared = |pair: &[Span]| pair[0].range().end > pair[1].range().start;
    match all.windows(2).find(|pair| shared(pair)) {
        None => Ok(()),
        Some(pair) => Err(format!("two functions or bodies share instruction {}", pair[1].first)),
    }
}

/// The kind of code that is checked: a function, or the body of a block.
#[derive(Clone, Copy)]
struct Checker<'a> {
    info: &'a Info,
    tape: &'a Tape,
    function: Option<Function>,
    /// For functions, the number of operations of each body.
    bodies: &'a [u64],
}

impl Checker<'_> {
    /// Checks a piece of code and returns its number of operations.
    fn code(self, code: Span) -> Result<u64, String> {
        let mut operations: u64 = 0;
        for (i, instruction) in self.tape.code[code.range()].iter().enumerate() {
            let own = self.instruction(instruction);
            let own = own.map_err(|why| format!("instruction {i} {why}"))?;
            operations = operations.saturating_add(own);
            // This is tested in the loop, so that checking takes no longer than execution.
            if operations > MAX_OPERATIONS {
                return Err(format!(
                    "{operations} operations are more than the maximum, {MAX_OPERATIONS}"
                ));
            }
        }
        Ok(operations)
    }

    fn body(self, body: &Body) -> Result<u64, String> {
        let Body { code, captures, unknowns, step, determinant, residual, rounding: _ } = *body;
        self.writes(captures.first, captures.len as usize)?;
        self.writes(unknowns.first, unknowns.len as usize)?;
        self.list(step)?;
        if step.len != unknowns.len {
            return Err(format!("{} unknowns have {} steps", unknowns.len, step.len));
        }
        self.reads(&[determinant, residual])?;
        self.code(code)
    }

    /// Refuses registers that do not exist.
    fn reads(self, registers: &[Register]) -> Result<(), String> {
        let end = self.tape.registers as usize;
        registers.iter().try_for_each(|&from| below(from, end, || "reads register".to_owned()))
    }

    /// Refuses registers that do not exist, and constants.
    fn writes(self, first: Register, n: usize) -> Result<(), String> {
        let end = self.tape.registers as usize;
        if (first as usize) < self.tape.constants.len() && n > 0 {
            return Err(format!("writes register {first}, which is a constant"));
        }
        span(first, n, end).map_err(|last| format!("writes register {last} of {end}"))
    }

    /// Checks a load from one or more elements of a vector to registers.
    fn load(self, to: Register, what: &str, i: u32, n: u32, end: usize) -> Result<u64, String> {
        let n = n as usize;
        self.outside_of_bodies()?;
        span(i, n, end).map_err(|last| format!("reads {what} {last} of {end}"))?;
        self.writes(to, n)?;
        Ok(n as u64)
    }

    /// Checks a store from registers to one or more elements of a vector, in functions that may
    /// write it.
    fn store(
        self,
        from: Register,
        [what, functions]: [&str; 2],
        [i, n]: [u32; 2],
        end: usize,
        has: impl FnOnce(Function) -> bool,
    ) -> Result<u64, String> {
        let (n, registers) = (n as usize, self.tape.registers as usize);
        self.outside_of_bodies()?;
        if !self.function.is_some_and(has) {
            return Err(format!("writes {what}, as only {functions} may"));
        }
        span(i, n, end).map_err(|last| format!("writes {what} {last} of {end}"))?;
        span(from, n, registers).map_err(|last| format!("reads register {last} of {registers}"))?;
        Ok(n as u64)
    }

    /// Refuses instructions in bodies, which may access registers only.
    fn outside_of_bodies(self) -> Result<(), String> {
        match self.function {
            Some(_) => Ok(()),
            None => Err("reads or writes more than registers".to_owned()),
        }
    }

    fn operation(self, to: Register, operands: &[Register]) -> Result<u64, String> {
        self.reads(operands)?;
        self.writes(to, 1)?;
        Ok(1)
    }

    /// Checks an instruction and returns its number of operations.
    fn instruction(self, instruction: &Instruction) -> Result<u64, String> {
        use Instruction as I;
        let (info, sizes) = (self.info, self.info.sizes);
        match *instruction {
            I::Time(to) | I::Initial(to) => self.load(to, "it", 0, 1, 1),
            I::Parameter(to, i) => self.load(to, "parameter", i, 1, info.parameters.len()),
            I::Calculated(to, i) => self.load(to, "calculated value", i, 1, sizes.calculated),
            I::Discrete(to, i) => self.load(to, "discrete variable", i, 1, info.discretes.len()),
            I::Relation(to, i) => self.load(to, "relation", i, 1, info.relations.len()),
            I::State(to, i) => self.load(to, "state", i, 1, info.states.len()),
            I::Input(to, i) => self.load(to, "input", i, 1, info.inputs.len()),
            I::Anchor(to, i) => self.load(to, "unknown", i, 1, sizes.unknowns),
            I::Delayed(to, first, n, _) => {
                let history = first as usize..first as usize + n as usize;
                let delays = 0..info.delays.len();
                if !delays.into_iter().any(|delay| info.history(delay) == history) {
                    return Err(format!("reads numbers from {first} on, which are no history"));
                }
                // The search for a record takes some steps.
                self.load(to, "it", 0, 1, 1).map(|_| 32)
            }
            I::Work(to, i, n) => self.load(to, "computed value", i, n, sizes.work),
            I::SinCos(to, _) => {
                self.writes(to, 2)?;
                self.operation_of(instruction)
            }
            I::Call(to, call) => {
                below(call, self.tape.calls.len(), || "makes call".to_owned())?;
                self.call(to, &self.tape.calls[call as usize])
            }
            ref store => self.store_of(store),
        }
    }

    /// Checks a store: a function may write an element only if the run time provides memory for it
    /// there.
    fn store_of(self, instruction: &Instruction) -> Result<u64, String> {
        use Instruction as I;
        let (info, sizes) = (self.info, self.info.sizes);
        let relations = |function| matches!(function, Function::Relations | Function::Indicators);
        let event = |function| function == Function::Event;
        let initial = |function| function == Function::Initial;
        match *instruction {
            I::ToWork(from, i, n) => {
                self.store(from, ["computed value", "functions"], [i, n], sizes.work, |_| true)
            }
            I::ToDerivative(from, i) => {
                let advance = |function| matches!(function, Function::Advance(_));
                self.store(from, ["derivative", "Advance"], [i, 1], info.states.len(), advance)
            }
            I::ToState(from, i) => {
                self.store(from, ["state", "Initial"], [i, 1], info.states.len(), initial)
            }
            I::ToCalculated(from, i) => {
                let what = ["calculated value", "Initial"];
                self.store(from, what, [i, 1], sizes.calculated, initial)
            }
            I::ToUnknown(from, i) => {
                let solves = |function| {
                    matches!(function, Function::Advance(_) | Function::Unknowns)
                        || initial(function)
                };
                let what = ["unknown", "Initial, Advance and Unknowns"];
                self.store(from, what, [i, 1], sizes.unknowns, solves)
            }
            I::ToResidual(from, i) => {
                let what = ["residual", "Relations"];
                self.store(from, what, [i, 1], info.relations.len(), relations)
            }
            I::ToNextDiscrete(from, i) => {
                let what = ["next value of discrete variable", "Event"];
                self.store(from, what, [i, 1], info.discretes.len(), event)
            }
            I::ToNextState(from, i) => {
                let what = ["next value of state", "Event"];
                self.store(from, what, [i, 1], info.states.len(), event)
            }
            I::ToTerminate(from) => self.store(from, ["the end", "Event"], [0, 1], 1, event),
            I::ToTruth(from, i) => {
                let truths = match self.function {
                    Some(Function::Requirements(_)) => info.requirements.len(),
                    Some(Function::Assertions) => info.assertions.len(),
                    _ => info.first_modes.len(),
                };
                let tests = |function| {
                    use Function::{Assertions, FirstModes, Requirements};
                    matches!(function, Requirements(_) | FirstModes | Assertions)
                };
                self.store(
                    from,
                    ["truth value", "Requirements, FirstModes and Assertions"],
                    [i, 1],
                    truths,
                    tests,
                )
            }
            _ => self.operation_of(instruction),
        }
    }

    /// Checks an operation on registers.
    fn operation_of(self, instruction: &Instruction) -> Result<u64, String> {
        let (mut operands, mut to) = (Vec::new(), None);
        let mut own = *instruction;
        own.for_each_register(|from| operands.push(*from), |written| to = Some(*written));
        match to {
            Some(to) if !operands.is_empty() => self.operation(to, &operands),
            _ => Err(format!("is {instruction:?}")),
        }
    }

    /// Checks a part of the lists.
    fn list(self, list: Span) -> Result<(), String> {
        let Span { first, len } = list;
        let end = self.tape.lists.len();
        span(first, len as usize, end)
            .map_err(|last| format!("reads element {last} of {end} of the lists"))
    }

    /// Checks a call and returns its number of operations.
    fn call(self, to: Register, call: &Call) -> Result<u64, String> {
        let registers = self.tape.registers as usize;
        match *call {
            Call::Factor { n, matrix } => {
                let rows = n as usize;
                self.list(matrix)?;
                if n == 0 || rows.checked_mul(rows) != Some(matrix.len as usize) {
                    return Err(format!("factorizes {} numbers in {n} rows", matrix.len));
                }
                self.writes(to, rows * rows + rows + 1)?;
                Ok(cube(n) / 3 + 1)
            }
            Call::Solve { factor, rhs } => {
                let n = rhs.len as usize;
                self.list(rhs)?;
                let width = n.saturating_mul(n).saturating_add(n);
                self.writes(to, n)?;
                span(factor, width, registers)
                    .map_err(|last| format!("reads register {last} of {registers}"))?;
                let (first, to) = (factor as usize, to as usize);
                if n == 0 || (first < to + n && to < first + width) {
                    return Err(format!("solves {n} equations in registers {to} and {first}"));
                }
                Ok(u64::from(rhs.len) * u64::from(rhs.len))
            }
            Call::NullSpace { rows, columns, matrix } => {
                self.list(matrix)?;
                let (m, n) = (rows as usize, columns as usize);
                if m == 0 || m >= n || m.checked_mul(n) != Some(matrix.len as usize) {
                    let entries = matrix.len;
                    return Err(format!(
                        "has {entries} numbers in {m} rows and {n} columns for a null space"
                    ));
                }
                self.writes(to, n.saturating_mul(n - m))?;
                let [m, n] = [rows, columns].map(u64::from);
                Ok((m * n).saturating_mul(m).saturating_add(n * (n - m)))
            }
            Call::Value(points, argument) | Call::Slope(points, argument) => {
                let n = self.points(points)?;
                self.operation(to, &[argument])?;
                Ok(n)
            }
            Call::Count { table, argument } => {
                self.table(table)?;
                self.operation(to, &[argument])
            }
            Call::Entry { table, column, row } => {
                let columns = self.table(table)?;
                below(column, columns, || format!("reads table {table}, column"))?;
                self.operation(to, &[row])
            }
            Call::Guard { table, argument, value, fails } => {
                self.table(table)?;
                if fails && self.function.is_none() {
                    return Err("can fail".to_owned());
                }
                self.operation(to, &[argument, value])
            }
            Call::Block { .. } | Call::Impulses { .. } if self.function.is_none() => {
                Err("solves equations inside others".to_owned())
            }
            Call::Block { block, body, guesses, sign, captures } => {
                self.block(to, [block, body], [guesses, captures], sign)
            }
            Call::Impulses { w, v, contacts } => self.impulses(to, [w, v, contacts]),
        }
    }

    /// The number of columns of a table, whose existence is checked.
    fn table(self, table: u32) -> Result<usize, String> {
        let tables = self.info.tables;
        below(table, tables.len(), || "reads table".to_owned())?;
        Ok(tables[table as usize].shape.columns)
    }

    fn points(self, points: Points) -> Result<u64, String> {
        let (xs, ys) = match points {
            Points::Registers(xs, ys) => {
                self.list(xs)?;
                self.list(ys)?;
                (xs, ys)
            }
            Points::Numbers(xs, ys) => {
                let end = self.tape.numbers.len();
                for Span { first, len } in [xs, ys] {
                    span(first, len as usize, end)
                        .map_err(|last| format!("reads number {last} of {end}"))?;
                }
                (xs, ys)
            }
        };
        if xs.len == 0 || xs.len != ys.len {
            return Err(format!("has {} abscissae and {} ordinates", xs.len, ys.len));
        }
        Ok(u64::from(xs.len))
    }

    fn block(
        self,
        to: Register,
        [block, body]: [u32; 2],
        [guesses, captures]: [Span; 2],
        sign: Register,
    ) -> Result<u64, String> {
        let (blocks, bodies) = (self.info.blocks, &self.tape.bodies);
        below(block, blocks.len(), || "solves block".to_owned())?;
        below(body, bodies.len(), || "solves body".to_owned())?;
        let operations = self.bodies.get(body as usize).copied().unwrap_or_default();
        let (block, body) = (&blocks[block as usize], &bodies[body as usize]);
        self.list(guesses)?;
        self.list(captures)?;
        let unknowns = body.unknowns.len;
        // A block without unknowns checks a solution that is stored, but not searched.
        let searched = block.size != 0 && unknowns != 0;
        let follows_path = guesses.len > unknowns;
        let wishes = if follows_path { u64::from(unknowns).saturating_sub(1) } else { 0 };
        if u64::from(guesses.len) != u64::from(unknowns) + wishes
            || (searched && block.size != unknowns)
        {
            return Err(format!(
                "solves block {} of {} unknowns with a body of {unknowns} and {} guesses",
                block.name, block.size, guesses.len
            ));
        }
        if captures.len != body.captures.len {
            let (given, wanted) = (captures.len, body.captures.len);
            return Err(format!("gives {given} values to a body that reads {wanted}"));
        }
        self.reads(&[sign])?;
        self.writes(to, unknowns as usize + 1)?;
        let around = u64::from(captures.len) + u64::from(unknowns);
        let iterations = if follows_path { PATH_ITERATIONS } else { ITERATIONS };
        Ok(operations.saturating_add(around).saturating_mul(iterations))
    }

    fn impulses(self, to: Register, [w, v, contacts]: [Span; 3]) -> Result<u64, String> {
        self.list(w)?;
        self.list(v)?;
        let all = &self.tape.contacts;
        span(contacts.first, contacts.len as usize, all.len())
            .map_err(|last| format!("reads contact {last} of {}", all.len()))?;
        // At most as many contacts as rows are counted, so that checking many calls with few rows
        // stays fast.
        let own = all[contacts.range()].iter().take(v.len as usize + 1);
        let rows: usize = own.map(|contact| if contact.friction.is_some() { 3 } else { 1 }).sum();
        let n = v.len as usize;
        if n == 0 || rows != n || n.checked_mul(n) != Some(w.len as usize) {
            let (entries, contacts) = (w.len, contacts.len);
            return Err(format!("has {entries} numbers and {contacts} contacts for {n} rows"));
        }
        self.writes(to, n)?;
        Ok(cube(v.len).saturating_mul(FACTORIZATIONS))
    }
}

/// Checks that `n` elements from the first on are below `end`; the error is an index that is not.
fn span(first: u32, n: usize, end: usize) -> Result<(), usize> {
    let after = (first as usize).saturating_add(n);
    if after <= end { Ok(()) } else { Err(after.saturating_sub(1)) }
}

fn cube(n: u32) -> u64 {
    u64::from(n).saturating_pow(3)
}
