//! Statements of algorithms: assignments, branches and loops.

use super::Evaluator;
use crate::instance::{Frame, Scope};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{Expression, ExpressionKind, ForIndex, Statement, StatementKind};
use crate::value::{Value, chosen};
use equations::Bool;
use std::collections::HashMap;
use std::rc::Rc;

/// Whether a list of statements was left before its end, which may depend on variables.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// By `break`.
    breaks: Bool,
    /// By `return`.
    returns: Bool,
}

impl Flow {
    /// The statements were run to their end.
    fn on() -> Flow {
        Flow { breaks: Bool::constant(false), returns: Bool::constant(false) }
    }

    /// Whether the statements were left.
    pub fn left(&self) -> Bool {
        self.breaks | self.returns
    }

    /// The same, if it happens under a condition.
    fn when(&self, condition: Bool) -> Flow {
        Flow { breaks: condition & self.breaks, returns: condition & self.returns }
    }

    /// Either of both.
    fn or(&self, other: &Flow) -> Flow {
        Flow { breaks: self.breaks | other.breaks, returns: self.returns | other.returns }
    }
}

/// The most iterations of a `while` loop.
const MOST_ITERATIONS: usize = 1_000_000;

impl Evaluator<'_> {
    /// Runs statements. Those behind a `break` or `return` that depends on variables take effect if
    /// it does not happen.
    pub(crate) fn statements(&self, list: &[Statement], scope: &Scope) -> Checked<Flow> {
        for (k, statement) in list.iter().enumerate() {
            let flow = self.statement(statement, scope)?;
            match flow.left().constant_value() {
                Some(false) => {}
                Some(true) => return Ok(flow),
                None => {
                    let rest = &list[k + 1..];
                    let span = &statement.span;
                    return self.unless(flow, (scope, span), || self.statements(rest, scope));
                }
            }
        }
        Ok(Flow::on())
    }

    /// Does something that takes effect unless statements were left before.
    fn unless(
        &self,
        before: Flow,
        (scope, span): (&Scope, &Span),
        work: impl FnOnce() -> Checked<Flow>,
    ) -> Checked<Flow> {
        let left = before.left();
        let contents = Frame::contents(scope);
        let after = self.used_when(!left, work)?;
        Frame::merge(left, contents, scope, span)?;
        Ok(before.or(&after.when(!left)))
    }

    fn repeated(&self, indices: &[ForIndex], body: &[Statement], scope: &Scope) -> Checked<Flow> {
        let mut flow = Flow::on();
        self.for_each(indices, scope, &mut |inner| {
            let run = || self.statements(body, inner);
            let place = (scope, &indices[0].name.span);
            flow = match flow.left().constant_value() {
                Some(true) => return Ok(()),
                Some(false) => run()?,
                None => self.unless(flow.clone(), place, run)?,
            };
            Ok(())
        })?;
        Ok(Flow { breaks: Bool::constant(false), ..flow })
    }

    fn while_true(
        &self,
        condition: &Expression,
        body: &[Statement],
        scope: &Scope,
    ) -> Checked<Flow> {
        for count in 0.. {
            let truth = self.condition(condition, scope)?;
            if self.varies(truth) {
                let sentence = "the condition of a `while` loop depends on variables, so the number \
                                of iterations is not known when the model is built";
                return Err(Complaint::at(&condition.span, sentence));
            }
            if !self.known_truth(truth, &condition.span)? {
                break;
            }
            if count >= MOST_ITERATIONS {
                let sentence = format!("more than {MOST_ITERATIONS} iterations");
                return Err(Complaint::at(&condition.span, sentence));
            }
            let flow = self.statements(body, scope)?;
            match flow.left().constant_value() {
                Some(false) => {}
                Some(true) => return Ok(Flow { breaks: Bool::constant(false), ..flow }),
                None => {
                    let sentence = "`break` and `return` in a `while` loop depend on variables, \
                                    which is not supported";
                    return Err(Complaint::at(&condition.span, sentence));
                }
            }
        }
        Ok(Flow::on())
    }

    fn statement(&self, statement: &Statement, scope: &Scope) -> Checked<Flow> {
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                let value = self.value(value, scope)?;
                self.assign(target, value, scope)?;
            }
            StatementKind::AssignSeveral(targets, call) => {
                let results = self.results_for(targets, call, scope)?;
                for (target, result) in targets.iter().zip(results) {
                    let Some(target) = target else { continue };
                    let ExpressionKind::Reference(reference) = &*target.kind else {
                        return Err(Complaint::at(&target.span, "not a variable"));
                    };
                    self.assign(reference, result, scope)?;
                }
            }
            StatementKind::Call(call) => self.checked_call(call, scope)?,
            StatementKind::If(branches, otherwise) => {
                let truth = |condition: &Expression| self.condition(condition, scope);
                return self.branches(branches, otherwise, &truth, scope);
            }
            StatementKind::For(indices, body) => return self.repeated(indices, body, scope),
            StatementKind::While(condition, body) => {
                return self.while_true(condition, body, scope);
            }
            StatementKind::When(branches) => {
                let Some(unknowns) = self.unknowns() else {
                    return Err(Complaint::at(&statement.span, "a function has no `when`"));
                };
                let edge = |condition: &Expression| unknowns.edge(self, condition, scope);
                return self.branches(branches, &[], &edge, scope);
            }
            StatementKind::Break => return Ok(Flow { breaks: Bool::constant(true), ..Flow::on() }),
            StatementKind::Return => {
                return Ok(Flow { returns: Bool::constant(true), ..Flow::on() });
            }
        }
        Ok(Flow::on())
    }

    /// The statements of the first branch whose condition is true. If this is not known when the
    /// model is built, all branches are run, and each variable gets one of their values.
    fn branches(
        &self,
        branches: &[(Expression, Vec<Statement>)],
        otherwise: &[Statement],
        truth: &dyn Fn(&Expression) -> Checked<Bool>,
        scope: &Scope,
    ) -> Checked<Flow> {
        let Some(((condition, then), rest)) = branches.split_first() else {
            return self.statements(otherwise, scope);
        };
        let holds = truth(condition)?;
        if !self.varies(holds) {
            return match self.known_truth(holds, &condition.span)? {
                true => self.statements(then, scope),
                false => self.branches(rest, otherwise, truth, scope),
            };
        }
        let before = Frame::contents(scope);
        let first = self.used_when(holds, || self.statements(then, scope))?;
        let after = Frame::contents(scope);
        Frame::restore(scope, before);
        let second = self.used_when(!holds, || self.branches(rest, otherwise, truth, scope))?;
        Frame::merge(holds, after, scope, &condition.span)?;
        Ok(first.when(holds).or(&second.when(!holds)))
    }
}

impl Frame {
    /// Gives each variable in the frames of a scope the value that it has in other contents, if a
    /// condition is true.
    fn merge(
        condition: Bool,
        contents: Vec<HashMap<Rc<str>, Value>>,
        scope: &Scope,
        span: &Span,
    ) -> Checked<()> {
        let merged = Frame::contents(scope).into_iter().zip(contents).map(|(other, one)| {
            let merged = other.into_iter().map(|(name, other)| {
                let one = one.get(&name).unwrap_or(&other);
                let value = chosen(condition, one, &other);
                Ok((name, value.map_err(|why| Complaint::at(span, why))?))
            });
            merged.collect::<Checked<_>>()
        });
        let merged = merged.collect::<Checked<Vec<_>>>()?;
        Frame::restore(scope, merged);
        Ok(())
    }
}
