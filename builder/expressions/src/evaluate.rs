//! Values of expressions while a model is built, computed by the same kernels and in the same order
//! of operations as in its program.

use std::fmt;

use kernels::impact;
use kernels::linear::{lu_factor, lu_solve, null_space};
use kernels::newton::{self, BlockKind, FailureKind};

use crate::code::Code;
use crate::diff::leaves_of_ids;
use crate::fold::{apply_binary, apply_comparison, apply_lookup, apply_table, apply_unary};
use crate::graph::{Id, Leaf, Node, Pass};
use crate::ops::{Bool, Ex};

/// A nonlinear block that could not be solved, or an argument outside a table.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedFailure {
    /// Name of the block or of the table.
    pub block: String,
    /// The kind of its equations.
    pub block_kind: BlockKind,
    /// What went wrong.
    pub kind: FailureKind,
    /// The largest residual at the best point of the iteration, or the argument.
    pub residual: f64,
}

impl fmt::Display for NamedFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.block, self.block_kind.describe(self.kind, self.residual))
    }
}

impl std::error::Error for NamedFailure {}

/// Values of the nodes of a [`Code`]; truth values are 0 and 1.
#[derive(Clone, Debug)]
struct Evaluator {
    values: Vec<f64>,
    /// The results of nodes with several results.
    several: Vec<Vec<f64>>,
}

impl Evaluator {
    fn new(code: &Code) -> Evaluator {
        let mut evaluator = Evaluator {
            values: vec![f64::NAN; code.node_count()],
            several: vec![Vec::new(); code.node_count()],
        };
        for id in 0..code.node_count() {
            match code.node(id as Id) {
                Node::Constant(bits) => evaluator.values[id] = f64::from_bits(*bits),
                Node::Truth(value) => evaluator.values[id] = f64::from(u8::from(*value)),
                _ => {}
            }
        }
        evaluator
    }

    fn at(&self, id: Id) -> f64 {
        self.values[id as usize]
    }

    fn all(&self, ids: &[Id]) -> Vec<f64> {
        ids.iter().map(|&id| self.at(id)).collect()
    }

    fn is_true(&self, id: Id) -> bool {
        self.at(id) != 0.0
    }

    /// Computes a node whose operands are known.
    fn compute(&mut self, code: &Code, id: Id) -> Result<(), NamedFailure> {
        let truth = |value: bool| f64::from(u8::from(value));
        let value = match code.node(id) {
            Node::Constant(_) | Node::Truth(_) | Node::Leaf(_) => return Ok(()),
            Node::Unary(op, a) => apply_unary(*op, self.at(*a)),
            Node::Binary(op, a, b) => apply_binary(*op, self.at(*a), self.at(*b)),
            Node::Compare(op, a, b) => truth(apply_comparison(*op, self.at(*a), self.at(*b))),
            Node::Not(a) => truth(!self.is_true(*a)),
            Node::And(a, b) => truth(self.is_true(*a) && self.is_true(*b)),
            Node::Or(a, b) => truth(self.is_true(*a) || self.is_true(*b)),
            Node::Select(c, a, b) => self.at(if self.is_true(*c) { *a } else { *b }),
            Node::Output(call, k) => self.several[*call as usize][*k as usize],
            Node::Table(reading, xs, ys, arg) => {
                apply_table(*reading, &self.all(xs), &self.all(ys), self.at(*arg))
            }
            Node::Lookup(lookup, table, arg) => apply_lookup(*lookup, table, self.at(*arg)),
            Node::Guard(table, arg, value) => {
                let contents = table.contents();
                let guarded = contents.rows.guard(0, self.at(*arg), self.at(*value));
                guarded.map_err(|failure| NamedFailure {
                    block: contents.name.clone(),
                    block_kind: BlockKind::Equations,
                    kind: failure.kind,
                    residual: failure.residual,
                })?
            }
            Node::LuDeterminant(lu) => {
                *self.several[*lu as usize].last().expect("the determinant comes last")
            }
            Node::SinCos(a) => {
                let (sine, cosine) = kernels::Scalar::sin_cos(self.at(*a));
                self.several[id as usize] = vec![sine, cosine];
                return Ok(());
            }
            Node::Lu(matrix, n) => {
                let n = *n as usize;
                let mut results = self.all(matrix);
                results.resize(n * n + n + 1, 0.0);
                let (a, rest) = results.split_at_mut(n * n);
                rest[n] = lu_factor(n, a, &mut rest[..n]);
                self.several[id as usize] = results;
                return Ok(());
            }
            Node::LuSolve(lu, rhs) => {
                let n = rhs.len();
                let mut x = self.all(rhs);
                let (a, rest) = self.several[*lu as usize].split_at(n * n);
                lu_solve(n, a, &rest[..n], &mut x);
                self.several[id as usize] = x;
                return Ok(());
            }
            Node::NullSpace(matrix, m, n) => {
                let (m, n) = (*m as usize, *n as usize);
                let mut basis = vec![0.0; n * (n - m)];
                null_space(m, n, &mut self.all(matrix), &mut basis);
                self.several[id as usize] = basis;
                return Ok(());
            }
            Node::Newton(_) => return self.newton(code, id),
            Node::Impulses(pass) => {
                self.several[id as usize] = self.impulses(pass);
                return Ok(());
            }
        };
        self.values[id as usize] = value;
        Ok(())
    }

    fn impulses(&self, pass: &Pass) -> Vec<f64> {
        let contacts: Vec<impact::Contact<f64>> = pass
            .contacts
            .iter()
            .map(|contact| impact::Contact {
                active: self.is_true(contact.active),
                restitution: self.at(contact.restitution),
                friction: contact.friction.map(|friction| self.at(friction)),
            })
            .collect();
        let n = pass.v.len();
        let (mut reduced, mut factor) = (vec![0.0; n * n], vec![0.0; n * n]);
        let mut vectors = vec![0.0; impact::VECTORS * n];
        let mut active = vec![impact::ActiveContact::default(); n];
        let mut p = vec![0.0; n];
        let scratch = impact::Scratch {
            matrices: [&mut reduced, &mut factor],
            vectors: &mut vectors,
            active: &mut active,
        };
        impact::impulses_slice(&self.all(&pass.w), &self.all(&pass.v), &contacts, scratch, &mut p);
        p
    }

    fn newton(&mut self, code: &Code, id: Id) -> Result<(), NamedFailure> {
        let Node::Newton(block) = code.node(id) else { unreachable!("a block") };
        let body = code.body_of(id);
        let n = block.unknowns.len();
        let guess = self.all(&block.guesses);
        let sign = self.at(block.sign);
        let mut scratch = vec![0.0; newton::path::VECTORS * n];
        let mut solution = vec![0.0; n + 1];
        let mut inner = None;
        let value = |z: &[f64], step: &mut [f64]| {
            for (&unknown, &value) in block.unknowns.iter().zip(z) {
                self.values[unknown as usize] = value;
            }
            for &node in &body.order {
                if let Err(failure) = self.compute(code, node) {
                    inner = Some(failure);
                    return (f64::NAN, f64::NAN);
                }
            }
            for (step, &node) in step.iter_mut().zip(block.step.iter()) {
                *step = self.at(node);
            }
            (self.at(block.determinant), self.at(block.residual))
        };
        let tangent = |_: &mut [f64]| unreachable!("plain numbers have no tangent");
        let (scratch, unknowns) = (&mut scratch[..], &mut solution[..n]);
        let found = match block.follows_path() {
            true => {
                newton::path::follow_slice(0, &guess, &mut 0, scratch, unknowns, value, tangent)
            }
            false => newton::solve_slice(
                0,
                &guess,
                sign,
                block.kind.rounding(),
                &mut 0,
                scratch,
                unknowns,
                value,
                tangent,
            ),
        };
        if let Some(failure) = inner {
            return Err(failure);
        }
        solution[n] = found.map_err(|failure| NamedFailure {
            block: block.name.to_string(),
            block_kind: block.kind,
            kind: failure.kind,
            residual: failure.residual,
        })?;
        self.several[id as usize] = solution;
        Ok(())
    }
}

/// Values of expressions for given values of their leaves (truth values as 0 and 1).
///
/// # Errors
/// If a nonlinear block could not be solved.
pub fn evaluate(roots: &[Ex], leaf: &mut dyn FnMut(Leaf) -> f64) -> Result<Vec<f64>, NamedFailure> {
    let ids: Vec<Id> = roots.iter().map(|ex| ex.0).collect();
    evaluate_ids(&ids, leaf)
}

/// [`evaluate`] for a truth value.
///
/// # Errors
/// If a nonlinear block could not be solved.
pub fn evaluate_bool(root: Bool, leaf: &mut dyn FnMut(Leaf) -> f64) -> Result<bool, NamedFailure> {
    Ok(evaluate_ids(&[root.0], leaf)?[0] != 0.0)
}

/// [`evaluate`] for expressions and truth values alike.
///
/// # Errors
/// If a nonlinear block could not be solved.
pub fn evaluate_ids(
    ids: &[Id],
    leaf: &mut dyn FnMut(Leaf) -> f64,
) -> Result<Vec<f64>, NamedFailure> {
    Evaluation::of_ids(ids).values(leaf)
}

/// Expressions that are evaluated many times; only the first time needs their analysis.
#[derive(Clone, Debug)]
pub struct Evaluation {
    code: Code,
    roots: Vec<Id>,
    leaves: Vec<(Id, Leaf)>,
    order: Vec<Id>,
    evaluator: Evaluator,
}

impl Evaluation {
    /// That of expressions.
    pub fn new(roots: &[Ex]) -> Evaluation {
        let ids: Vec<Id> = roots.iter().map(|ex| ex.0).collect();
        Evaluation::of_ids(&ids)
    }

    fn of_ids(ids: &[Id]) -> Evaluation {
        let free = leaves_of_ids(ids);
        let (code, roots) = Code::extract(ids);
        let leaves = code.leaves().filter(|(_, name)| free.contains(name)).collect();
        let order = code.order(&roots, &|_| false);
        let evaluator = Evaluator::new(&code);
        Evaluation { code, roots, leaves, order, evaluator }
    }

    /// The number of expressions.
    pub fn roots(&self) -> usize {
        self.roots.len()
    }

    /// The number of operations.
    pub fn operations(&self) -> usize {
        self.order.len()
    }

    /// Values for given values of the leaves (truth values as 0 and 1).
    ///
    /// # Errors
    /// If a nonlinear block could not be solved.
    pub fn values(&mut self, leaf: &mut dyn FnMut(Leaf) -> f64) -> Result<Vec<f64>, NamedFailure> {
        for &(id, name) in &self.leaves {
            self.evaluator.values[id as usize] = leaf(name);
        }
        for &id in &self.order {
            self.evaluator.compute(&self.code, id)?;
        }
        Ok(self.evaluator.all(&self.roots))
    }
}
