//! The interpreter of a [`Tape`]: it calls the same kernels in the same order as emitted
//! code, so it computes the same bits.
//!
//! It does not check the program: the generator writes correct programs, and files are checked when
//! they are read.

use crate::env::{Env, Solved};
use crate::tape::{Call, Instruction, Points, Register, Span, Tape};
use crate::vocabulary::Function;
use kernels::history::History;
use kernels::impact::{self, ActiveContact, Contact};
use kernels::linear::{lu_factor, lu_solve, null_space};
use kernels::newton::{self, Failure};
use kernels::rows::Rows;
use kernels::{Dual, Scalar, table};
use std::slice::Iter;

/// Executes an instruction, and those after it as long as they are of the same kind. The processor
/// then predicts the branch; a misprediction takes as long as several operations.
macro_rules! run {
    ($instruction:expr, $next:expr, { $($kind:pat => $work:expr,)* }) => {
        match *$instruction {
            $($kind => {
                $work;
                while let Some(&$kind) = $next.as_slice().first() {
                    $next.next();
                    $work;
                }
            })*
            // `step` executes loads, stores and calls. Bodies contain none, because a file with
            // such a body is refused.
            _ => unreachable!("an instruction of another kind"),
        }
    };
}

/// Work space of the interpreter; its content is not used between two runs.
#[derive(Clone, Debug)]
pub struct Workspace<S: Scalar> {
    own: Bank<S>,
    /// Registers for the iterations of nonlinear blocks, which use plain numbers.
    plain: Bank<f64>,
    /// The points of an iteration, or the vectors and matrices of a pass of impacts.
    numbers: Box<[f64]>,
    /// The solution of a nonlinear block, or the impulses of a pass.
    solution: Box<[S]>,
    contacts: Vec<Contact<S>>,
    active: Box<[ActiveContact]>,
}

#[derive(Clone, Debug, Default)]
struct Bank<S> {
    registers: Box<[S]>,
    /// Operands of calls, side by side.
    gathered: Vec<S>,
}

impl<S: Scalar> Bank<S> {
    fn new(tape: &Tape, operands: usize) -> Bank<S> {
        let mut registers = vec![S::from(0.0); tape.registers as usize].into_boxed_slice();
        for (register, &constant) in registers.iter_mut().zip(&tape.constants) {
            *register = S::from(constant);
        }
        Bank { registers, gathered: Vec::with_capacity(operands) }
    }

    #[inline(always)]
    fn at(&self, register: Register) -> S {
        self.registers[register as usize]
    }

    #[inline(always)]
    fn plain(&self, register: Register) -> f64 {
        self.at(register).value()
    }

    #[inline(always)]
    fn is_true(&self, register: Register) -> bool {
        self.plain(register) != 0.0
    }

    #[inline(always)]
    fn set(&mut self, register: Register, value: S) {
        self.registers[register as usize] = value;
    }

    #[inline(always)]
    fn set_truth(&mut self, register: Register, value: bool) {
        self.set(register, S::from(f64::from(u8::from(value))));
    }

    fn gather(&mut self, lists: &[Register]) {
        let Bank { registers, gathered } = self;
        gathered.extend(lists.iter().map(|&register| registers[register as usize]));
    }

    /// Some registers, and the `n` registers from `to` on, which must not overlap.
    fn pair(&mut self, first: usize, len: usize, to: usize, n: usize) -> (&[S], &mut [S]) {
        if first < to {
            let (left, right) = self.registers.split_at_mut(to);
            (&left[first..first + len], &mut right[..n])
        } else {
            let (left, right) = self.registers.split_at_mut(first);
            (&right[..len], &mut left[to..to + n])
        }
    }
}

/// The number of values that the iteration of a block needs: its guesses, and the work space of
/// Newton's method.
fn for_block(guesses: usize, unknowns: usize) -> usize {
    newton::path::VECTORS.saturating_mul(unknowns).saturating_add(guesses)
}

/// The number of values that the impulses of a pass need: two matrices and some vectors.
fn for_rows(n: usize) -> usize {
    n.saturating_mul(2).saturating_add(impact::VECTORS).saturating_mul(n)
}

impl<S: Scalar> Workspace<S> {
    /// Memory for a tape.
    pub fn new(tape: &Tape) -> Workspace<S> {
        let (mut operands, mut rows, mut contacts) = (0, 0, 0);
        let (mut unknowns, mut for_blocks) = (0, 0);
        let both = |a: Span, b: Span| (a.len as usize).saturating_add(b.len as usize);
        for call in &tape.calls {
            match call {
                Call::Value(Points::Registers(xs, ys), _)
                | Call::Slope(Points::Registers(xs, ys), _) => {
                    operands = operands.max(both(*xs, *ys));
                }
                Call::NullSpace { matrix, .. } => operands = operands.max(matrix.len as usize),
                Call::Impulses { w, v, contacts: span } => {
                    operands = operands.max(both(*w, *v));
                    rows = rows.max(v.len as usize);
                    contacts = contacts.max(span.len as usize);
                }
                Call::Block { body, guesses, .. } => {
                    let body = tape.bodies.get(*body as usize);
                    let n = body.map_or(0, |body| body.unknowns.len as usize);
                    unknowns = unknowns.max(n);
                    for_blocks = for_blocks.max(for_block(guesses.len as usize, n));
                }
                _ => {}
            }
        }
        let numbers = for_blocks.max(for_rows(rows));
        Workspace {
            own: Bank::new(tape, operands),
            plain: if tape.bodies.is_empty() { Bank::default() } else { Bank::new(tape, operands) },
            numbers: vec![0.0; numbers].into_boxed_slice(),
            solution: vec![S::from(0.0); unknowns.max(rows)].into_boxed_slice(),
            contacts: Vec::with_capacity(contacts),
            active: vec![ActiveContact::default(); rows].into_boxed_slice(),
        }
    }
}

/// The results that functions for plain numbers write besides the vectors of [`Env`].
#[derive(Debug, Default)]
pub struct Results<'a> {
    /// Residuals of the relations.
    pub d: &'a mut [f64],
    /// Next values of the discrete variables.
    pub m: &'a mut [f64],
    /// Next values of the states.
    pub x: &'a mut [f64],
    /// Whether the simulation is to stop.
    pub terminate: bool,
    /// Whether each requirement is met, or the truth value of each first mode.
    pub truths: &'a mut [bool],
}

impl Tape {
    /// Runs a function.
    ///
    /// # Errors
    /// If a nonlinear block has no solution, or an argument is outside a table.
    ///
    /// # Panics
    /// If the workspace belongs to another tape, or if vectors are shorter than the program needs.
    pub fn run(
        &self,
        function: Function,
        e: &mut Env<'_, f64>,
        workspace: &mut Workspace<f64>,
        results: &mut Results<'_>,
    ) -> Solved {
        self.run_in(function, e, workspace, results)
    }

    /// Runs a function with tangents.
    ///
    /// # Errors
    /// As [`Tape::run`].
    ///
    /// # Panics
    /// As [`Tape::run`], and if the function is not one of `Initial`, `Advance` and `Report`.
    pub fn run_tangent(
        &self,
        function: Function,
        e: &mut Env<'_, Dual>,
        workspace: &mut Workspace<Dual>,
    ) -> Solved {
        self.run_in(function, e, workspace, &mut Results::default())
    }

    // A private function is compiled in this package, with the optimisation level of this package
    // instead of the caller's.
    fn run_in<S: Scalar>(
        &self,
        function: Function,
        e: &mut Env<'_, S>,
        workspace: &mut Workspace<S>,
        results: &mut Results<'_>,
    ) -> Solved {
        let mut code = self.code[self.functions[function.index()].range()].iter();
        while let Some(instruction) = code.next() {
            self.step(instruction, &mut code, e, workspace, results)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn step<S: Scalar>(
        &self,
        instruction: &Instruction,
        next: &mut Iter<'_, Instruction>,
        e: &mut Env<'_, S>,
        workspace: &mut Workspace<S>,
        results: &mut Results<'_>,
    ) -> Solved {
        let own = &mut workspace.own;
        match *instruction {
            Instruction::Time(to) => own.set(to, e.t),
            Instruction::Initial(to) => own.set_truth(to, e.initial),
            Instruction::Parameter(to, i) => own.set(to, e.p[i as usize]),
            Instruction::Calculated(to, i) => own.set(to, e.c[i as usize]),
            Instruction::Discrete(to, i) => own.set(to, S::from(e.m[i as usize])),
            Instruction::Relation(to, i) => own.set_truth(to, e.r[i as usize]),
            Instruction::State(to, i) => own.set(to, e.x[i as usize]),
            Instruction::Input(to, i) => own.set(to, e.u[i as usize]),
            Instruction::Anchor(to, i) => own.set(to, S::from(e.anchor[i as usize])),
            Instruction::Delayed(to, first, n, order) => {
                let history = &e.histories[first as usize..first as usize + n as usize];
                own.set(to, History(history).delayed(e.t, order));
            }
            Instruction::Work(_, _, 1) => run!(instruction, next, {
                Instruction::Work(to, i, 1) => own.set(to, e.w[i as usize]),
            }),
            Instruction::Work(to, i, n) => {
                let (to, i, n) = (to as usize, i as usize, n as usize);
                own.registers[to..to + n].copy_from_slice(&e.w[i..i + n]);
            }
            Instruction::ToWork(_, _, 1) => run!(instruction, next, {
                Instruction::ToWork(from, i, 1) => e.w[i as usize] = own.at(from),
            }),
            Instruction::ToWork(from, i, n) => {
                let (from, i, n) = (from as usize, i as usize, n as usize);
                e.w[i..i + n].copy_from_slice(&own.registers[from..from + n]);
            }
            Instruction::ToDerivative(from, i) => e.dx[i as usize] = own.at(from),
            Instruction::ToState(from, i) => e.x[i as usize] = own.at(from),
            Instruction::ToCalculated(from, i) => e.c[i as usize] = own.at(from),
            Instruction::ToUnknown(from, i) => e.z[i as usize] = own.plain(from),
            Instruction::ToResidual(from, i) => results.d[i as usize] = own.plain(from),
            Instruction::ToNextDiscrete(from, i) => results.m[i as usize] = own.plain(from),
            Instruction::ToNextState(from, i) => results.x[i as usize] = own.plain(from),
            Instruction::ToTerminate(from) => results.terminate |= own.is_true(from),
            Instruction::ToTruth(from, i) => results.truths[i as usize] = own.is_true(from),
            Instruction::Call(to, call) => match self.calls[call as usize] {
                Call::Block { block, body, guesses, sign, captures } => {
                    let read = (e.tables, &mut *e.iterations);
                    self.solve(to, block, body, [guesses, captures], sign, read, workspace)?;
                }
                Call::Impulses { w, v, contacts } => {
                    self.impulses(to, [w, v, contacts], workspace);
                }
                ref call => self.call(to, call, e.tables, own)?,
            },
            ref instruction => operate(instruction, next, own),
        }
        Ok(())
    }

    /// Runs the body of a block.
    #[inline]
    fn iterate<S: Scalar>(&self, body: u32, tables: &[Rows], bank: &mut Bank<S>) {
        let mut code = self.code[self.bodies[body as usize].code.range()].iter();
        while let Some(instruction) = code.next() {
            match *instruction {
                // The only failure possible in a body is NaN, because a file with any other is
                // refused.
                Instruction::Call(to, call) => {
                    let failed = self.call(to, &self.calls[call as usize], tables, bank);
                    debug_assert!(failed.is_ok(), "bodies contain nothing that can fail");
                }
                ref instruction => operate(instruction, &mut code, bank),
            }
        }
    }

    // Calls are not inlined into the loop over instructions, which then has more of the processor's
    // registers.
    #[inline(never)]
    #[expect(clippy::too_many_arguments, reason = "the fields of one call")]
    fn solve<S: Scalar>(
        &self,
        to: Register,
        block: u32,
        number: u32,
        [guesses, captures]: [Span; 2],
        sign: Register,
        (tables, iterations): (&[Rows], &mut u64),
        workspace: &mut Workspace<S>,
    ) -> Solved {
        let body = &self.bodies[number as usize];
        let Workspace { own, plain, numbers, solution, .. } = workspace;
        for (k, &from) in body.captures.range().zip(&self.lists[captures.range()]) {
            let value = own.at(from);
            own.registers[k] = value;
            plain.registers[k] = value.value();
        }
        let n = body.unknowns.len as usize;
        let (guess, rest) = numbers.split_at_mut(guesses.len as usize);
        for (guess, &from) in guess.iter_mut().zip(&self.lists[guesses.range()]) {
            *guess = own.plain(from);
        }
        let step = &self.lists[body.step.range()];
        let unknowns = body.unknowns.range();
        let sign = own.plain(sign);
        let value = |z: &[f64], correction: &mut [f64]| {
            plain.registers[unknowns.clone()].copy_from_slice(z);
            self.iterate(number, tables, plain);
            for (correction, &from) in correction.iter_mut().zip(step) {
                *correction = plain.at(from);
            }
            (plain.at(body.determinant), plain.at(body.residual))
        };
        let tangent = |z: &mut [S]| {
            own.registers[unknowns.clone()].copy_from_slice(z);
            self.iterate(number, tables, own);
            for (z, &from) in z.iter_mut().zip(step) {
                *z = own.at(from);
            }
        };
        let (rest, z) = (&mut rest[..newton::path::VECTORS * n], &mut solution[..n]);
        let found = match guess.len() > n {
            true => newton::path::follow_slice(block, guess, iterations, rest, z, value, tangent)?,
            false => newton::solve_slice(
                block,
                guess,
                sign,
                body.rounding,
                iterations,
                rest,
                z,
                value,
                tangent,
            )?,
        };
        let to = to as usize;
        own.registers[to..to + n].copy_from_slice(&solution[..n]);
        own.registers[to + n] = S::from(found);
        Ok(())
    }

    #[inline(never)]
    fn impulses<S: Scalar>(
        &self,
        to: Register,
        [w, v, contacts]: [Span; 3],
        workspace: &mut Workspace<S>,
    ) {
        let Workspace { own, numbers, solution, contacts: list, active, .. } = workspace;
        let n = v.len as usize;
        list.clear();
        list.extend(self.contacts[contacts.range()].iter().map(|contact| Contact {
            active: own.is_true(contact.active),
            restitution: own.at(contact.restitution),
            friction: contact.friction.map(|friction| own.at(friction)),
        }));
        own.gathered.clear();
        own.gather(&self.lists[w.range()]);
        own.gather(&self.lists[v.range()]);
        let (w, v) = own.gathered.split_at(w.len as usize);
        // Only the part for this pass, not for the largest one of the tape, so that a small pass
        // takes little time.
        let numbers = &mut numbers[..for_rows(n)];
        numbers.fill(0.0);
        let (reduced, rest) = numbers.split_at_mut(n * n);
        let (factor, vectors) = rest.split_at_mut(n * n);
        active[..n].fill(ActiveContact::default());
        let scratch =
            impact::Scratch { matrices: [reduced, factor], vectors, active: &mut active[..n] };
        impact::impulses_slice(w, v, list, scratch, &mut solution[..n]);
        own.registers[to as usize..to as usize + n].copy_from_slice(&solution[..n]);
    }

    #[inline(never)]
    fn call<S: Scalar>(
        &self,
        to: Register,
        call: &Call,
        tables: &[Rows],
        bank: &mut Bank<S>,
    ) -> Solved {
        match *call {
            Call::Factor { n, matrix } => {
                let (n, to) = (n as usize, to as usize);
                for (k, &from) in self.lists[matrix.range()].iter().enumerate() {
                    bank.registers[to + k] = bank.at(from);
                }
                let (a, rest) = bank.registers[to..].split_at_mut(n * n);
                rest[..n].fill(S::from(0.0));
                rest[n] = lu_factor(n, a, &mut rest[..n]);
            }
            Call::Solve { factor, rhs } => {
                let (n, to) = (rhs.len as usize, to as usize);
                for (k, &from) in self.lists[rhs.range()].iter().enumerate() {
                    bank.registers[to + k] = bank.at(from);
                }
                let (lu, x) = bank.pair(factor as usize, n * n + n, to, n);
                lu_solve(n, &lu[..n * n], &lu[n * n..], x);
            }
            Call::NullSpace { rows, columns, matrix } => {
                bank.gathered.clear();
                bank.gather(&self.lists[matrix.range()]);
                let (a, basis) = (&mut bank.gathered[..], &mut bank.registers[to as usize..]);
                null_space(rows as usize, columns as usize, a, basis);
            }
            Call::Value(points, argument) => {
                let value = self.table(points, argument, bank, Reading::Value);
                bank.set(to, value);
            }
            Call::Slope(points, argument) => {
                let value = self.table(points, argument, bank, Reading::Slope);
                bank.set(to, value);
            }
            Call::Count { table, argument } => {
                let count = tables[table as usize].count(bank.plain(argument));
                bank.set(to, S::from(count));
            }
            Call::Entry { table, column, row } => {
                let entry = tables[table as usize].entry(column as usize, bank.plain(row));
                bank.set(to, S::from(entry));
            }
            Call::Guard { table, argument, value, fails } => {
                let (argument, value) = (bank.plain(argument), bank.at(value));
                let guarded = tables[table as usize].guard::<S>(table, argument, value);
                let value = match guarded {
                    Err(failure) if fails => return Err(failure),
                    Err(Failure { .. }) => S::from(f64::NAN),
                    Ok(value) => value,
                };
                bank.set(to, value);
            }
            // The generator writes no such body, and a file with one is refused.
            Call::Block { .. } | Call::Impulses { .. } => {
                unreachable!("not in the body of a block")
            }
        }
        Ok(())
    }

    fn table<S: Scalar>(
        &self,
        points: Points,
        argument: Register,
        bank: &mut Bank<S>,
        reading: Reading,
    ) -> S {
        let argument = bank.at(argument);
        match points {
            Points::Numbers(xs, ys) => {
                reading.of::<S, f64>(&self.numbers[xs.range()], &self.numbers[ys.range()], argument)
            }
            Points::Registers(xs, ys) => {
                bank.gathered.clear();
                bank.gather(&self.lists[xs.range()]);
                bank.gather(&self.lists[ys.range()]);
                let (xs, ys) = bank.gathered.split_at(xs.len as usize);
                reading.of::<S, S>(xs, ys, argument)
            }
        }
    }
}

/// The result of a lookup in a piecewise linear table.
#[derive(Clone, Copy)]
enum Reading {
    Value,
    Slope,
}

impl Reading {
    fn of<S: Scalar, T: Copy + Into<S>>(self, xs: &[T], ys: &[T], argument: S) -> S {
        match self {
            Reading::Value => table::linear::<S>(xs, ys, argument),
            Reading::Slope => table::slope::<S>(xs, ys, argument),
        }
    }
}

#[inline(always)]
fn operate<S: Scalar>(
    instruction: &Instruction,
    next: &mut Iter<'_, Instruction>,
    bank: &mut Bank<S>,
) {
    use Instruction as I;
    run!(instruction, next, {
        I::Neg(to, a) => bank.set(to, -bank.at(a)),
        I::NegPlain(to, a) => bank.set(to, S::from(-bank.plain(a))),
        I::Sqrt(to, a) => bank.set(to, bank.at(a).sqrt()),
        I::Exp(to, a) => bank.set(to, bank.at(a).exp()),
        I::Ln(to, a) => bank.set(to, bank.at(a).ln()),
        I::Abs(to, a) => bank.set(to, bank.at(a).abs()),
        I::Sign(to, a) => bank.set(to, bank.at(a).sign()),
        I::Floor(to, a) => bank.set(to, bank.at(a).floor()),
        I::SinCos(to, a) => {
            let (sine, cosine) = bank.at(a).sin_cos();
            bank.set(to, sine);
            bank.set(to + 1, cosine);
        },
        I::Add(to, a, b) => bank.set(to, bank.at(a) + bank.at(b)),
        I::AddPlain(to, a, b) => bank.set(to, bank.at(a) + bank.plain(b)),
        I::AddBothPlain(to, a, b) => bank.set(to, S::from(bank.plain(a) + bank.plain(b))),
        I::Sub(to, a, b) => bank.set(to, bank.at(a) - bank.at(b)),
        I::SubPlain(to, a, b) => bank.set(to, bank.at(a) - bank.plain(b)),
        I::SubFromPlain(to, a, b) => bank.set(to, bank.at(b).subtract_from(bank.plain(a))),
        I::SubBothPlain(to, a, b) => bank.set(to, S::from(bank.plain(a) - bank.plain(b))),
        I::Mul(to, a, b) => bank.set(to, bank.at(a) * bank.at(b)),
        I::MulPlain(to, a, b) => bank.set(to, bank.at(a) * bank.plain(b)),
        I::MulBothPlain(to, a, b) => bank.set(to, S::from(bank.plain(a) * bank.plain(b))),
        I::Div(to, a, b) => bank.set(to, bank.at(a) / bank.at(b)),
        I::DivPlain(to, a, b) => bank.set(to, bank.at(a) / bank.plain(b)),
        I::DivIntoPlain(to, a, b) => bank.set(to, bank.at(b).divide_into(bank.plain(a))),
        I::DivBothPlain(to, a, b) => bank.set(to, S::from(bank.plain(a) / bank.plain(b))),
        I::MulAdd(to, a, b, c) => bank.set(to, bank.at(a) * bank.at(b) + bank.at(c)),
        I::MulSub(to, a, b, c) => bank.set(to, bank.at(a) * bank.at(b) - bank.at(c)),
        I::SubMul(to, a, b, c) => bank.set(to, bank.at(c) - bank.at(a) * bank.at(b)),
        I::Atan2(to, a, b) => bank.set(to, bank.at(a).atan2(bank.at(b))),
        I::Pow(to, a, b) => bank.set(to, bank.at(a).pow(bank.at(b))),
        I::Min(to, a, b) => bank.set(to, bank.at(a).min(bank.at(b))),
        I::Max(to, a, b) => bank.set(to, bank.at(a).max(bank.at(b))),
        I::Less(to, a, b) => bank.set_truth(to, bank.plain(a) < bank.plain(b)),
        I::LessEqual(to, a, b) => bank.set_truth(to, bank.plain(a) <= bank.plain(b)),
        I::NotEqual(to, a, b) => bank.set_truth(to, bank.plain(a) != bank.plain(b)),
        I::Not(to, a) => bank.set_truth(to, !bank.is_true(a)),
        I::And(to, a, b) => bank.set_truth(to, bank.is_true(a) & bank.is_true(b)),
        I::Or(to, a, b) => bank.set_truth(to, bank.is_true(a) | bank.is_true(b)),
        I::Select(to, a, b, c) => bank.set(to, bank.at(if bank.is_true(a) { b } else { c })),
    });
}
