//! What the texts of equations and algorithms say.

use super::symbols::{Meaning, short_text};
use super::system::{Assertion, Equation, Equations, MOST_VARIABLES, Reinit};
use crate::evaluate::Evaluator;
use crate::instance::{Scope, Type, Variable};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{self, EquationKind, Expression, ExpressionKind, Operator};
use crate::value::Value;
use equations::{Bool, Ex, select};

/// Equations of a branch of `if` or `when`.
#[derive(Default)]
struct Branch {
    pairs: Vec<Equation>,
    reinits: Vec<(usize, Ex)>,
}

impl Equations {
    /// Reads an equation that connects nothing.
    ///
    /// # Errors
    /// It is wrong, or not supported.
    pub fn equation(
        &mut self,
        evaluator: &Evaluator<'_>,
        equation: &syntax::Equation,
        scope: &Scope,
    ) -> Checked<()> {
        let result = evaluator.reading_equations(|| self.top_equation(evaluator, equation, scope));
        scope.instance.iter().for_each(|owner| self.take_assertions(evaluator, owner));
        result
    }

    /// The condition of an `if` equation: a number if it follows from parameters.
    ///
    /// # Errors
    /// It is not true or false.
    pub fn condition(
        &self,
        evaluator: &Evaluator<'_>,
        condition: &Expression,
        scope: &Scope,
    ) -> Checked<Option<bool>> {
        evaluator.reading_equations(|| {
            let truth = evaluator.condition(condition, scope)?;
            match evaluator.varies(truth) {
                true => Ok(None),
                false => evaluator.known_truth(truth, &condition.span).map(Some),
            }
        })
    }

    fn top_equation(
        &mut self,
        evaluator: &Evaluator<'_>,
        equation: &syntax::Equation,
        scope: &Scope,
    ) -> Checked<()> {
        if self.equations.len() > MOST_VARIABLES {
            let sentence = format!("the model has more than {MOST_VARIABLES} equations");
            return Err(Complaint::at(&equation.span, sentence));
        }
        match &equation.kind {
            EquationKind::When(branches) => self.when(evaluator, branches, scope),
            EquationKind::Call(call) => self.call(evaluator, call, scope, Bool::constant(true)),
            _ => {
                let mut branch = Branch::default();
                self.read(evaluator, equation, scope, &mut branch, false)?;
                self.equations.extend(branch.pairs);
                Ok(())
            }
        }
    }

    /// Reads the equations of a branch.
    fn read(
        &mut self,
        evaluator: &Evaluator<'_>,
        equation: &syntax::Equation,
        scope: &Scope,
        branch: &mut Branch,
        in_when: bool,
    ) -> Checked<()> {
        match &equation.kind {
            EquationKind::Equal(left, right) => {
                branch.pairs.extend(pairs(evaluator, (left, right), scope, &equation.span)?);
            }
            EquationKind::For(indices, body) => {
                for inner in evaluator.scopes(indices, scope)? {
                    for one in body {
                        self.read(evaluator, one, &inner, branch, in_when)?;
                    }
                }
            }
            EquationKind::If(branches, otherwise) => {
                self.choice(evaluator, (branches, otherwise), scope, branch, in_when)?;
            }
            EquationKind::Call(call) if in_when && is_call_of(call, "reinit") => {
                branch.reinits.push(reinit(self, evaluator, call, scope)?);
            }
            EquationKind::Call(call) => {
                let sentence = format!("{} is not supported in a branch", text_of(call));
                return Err(Complaint::at(&equation.span, sentence));
            }
            EquationKind::Connect(..) => {
                let sentence = "a connection cannot depend on variables";
                return Err(Complaint::at(&equation.span, sentence));
            }
            EquationKind::When(_) => {
                let sentence = "`when` inside of `if` or `when` is not supported";
                return Err(Complaint::at(&equation.span, sentence));
            }
        }
        Ok(())
    }

    fn choice(
        &mut self,
        evaluator: &Evaluator<'_>,
        (branches, otherwise): (&[(Expression, Vec<syntax::Equation>)], &[syntax::Equation]),
        scope: &Scope,
        into: &mut Branch,
        in_when: bool,
    ) -> Checked<()> {
        let Some(((condition, equations), rest)) = branches.split_first() else {
            return otherwise
                .iter()
                .try_for_each(|equation| self.read(evaluator, equation, scope, into, in_when));
        };
        let truth = evaluator.condition(condition, scope)?;
        if !evaluator.varies(truth) {
            if evaluator.known_truth(truth, &condition.span)? {
                return equations
                    .iter()
                    .try_for_each(|equation| self.read(evaluator, equation, scope, into, in_when));
            }
            return self.choice(evaluator, (rest, otherwise), scope, into, in_when);
        }
        let (mut a, mut b) = (Branch::default(), Branch::default());
        for equation in equations {
            self.read(evaluator, equation, scope, &mut a, in_when)?;
        }
        self.choice(evaluator, (rest, otherwise), scope, &mut b, in_when)?;
        for (state, value) in a.reinits {
            into.reinits.push((state, select(truth, value, self.symbols.ex(state))));
        }
        for (state, value) in b.reinits {
            into.reinits.push((state, select(truth, self.symbols.ex(state), value)));
        }
        if !in_when {
            pair_in_order(truth, &mut a.pairs, &mut b.pairs, into);
        }
        for equation in a.pairs {
            let at = b.pairs.iter().position(|other| other.left.key() == equation.left.key());
            let (right, kind) = match at {
                Some(at) => {
                    let other = b.pairs.remove(at);
                    let common = equation.kind.clone().common(other.kind);
                    (other.right, common.unwrap_or_else(|| equation.kind.clone()))
                }
                None if in_when => (self.before(&equation)?, equation.kind.clone()),
                None => return Err(self.unequal(&equation.span)),
            };
            let right = select(truth, equation.right, right);
            into.pairs.push(Equation { right, kind, ..equation });
        }
        for equation in b.pairs {
            if !in_when {
                return Err(self.unequal(&equation.span));
            }
            let right = select(truth, self.before(&equation)?, equation.right);
            into.pairs.push(Equation { right, ..equation });
        }
        Ok(())
    }

    fn unequal(&self, span: &Span) -> Complaint {
        let sentence = "each branch of an `if` must have an equation with this left side";
        Complaint::at(span, sentence)
    }

    /// The value of the variable of an equation in a `when` before the event.
    fn before(&self, equation: &Equation) -> Checked<Ex> {
        let number = self.variable_of(equation.left, &equation.span)?;
        let variable = self.symbols.get(number).variable.clone();
        let pre = self.symbols.number(Meaning::Pre(number), variable.as_ref(), &equation.span);
        Ok(self.symbols.ex(pre))
    }

    /// Refuses an equation in a `when` whose right side is of another type than the variable.
    fn check_type(&self, equation: &Equation) -> Checked<()> {
        let number = self.variable_of(equation.left, &equation.span)?;
        match &self.symbols.get(number).variable {
            Some(variable) if !variable.kind.takes(&equation.kind) => {
                let Variable { name, kind, .. } = &**variable;
                let sentence = format!("{name} is {}, not {}", kind.name(), equation.kind.name());
                Err(Complaint::at(&equation.span, sentence))
            }
            _ => Ok(()),
        }
    }

    /// The variable that an expression is.
    pub(super) fn variable_of(&self, ex: Ex, span: &Span) -> Checked<usize> {
        let number = self.symbols.number_of(ex);
        let is_variable =
            |number: &usize| matches!(self.symbols.get(*number).meaning, Meaning::Variable(_));
        number.filter(is_variable).ok_or_else(|| {
            let sentence = "the left side must be a variable here";
            Complaint::at(span, sentence)
        })
    }

    fn when(
        &mut self,
        evaluator: &Evaluator<'_>,
        branches: &[(Expression, Vec<syntax::Equation>)],
        scope: &Scope,
    ) -> Checked<()> {
        let symbols = evaluator.unknowns();
        let (mut earlier, mut all): (_, Vec<Equation>) = (Bool::constant(false), Vec::new());
        for (condition, equations) in branches {
            let Some(symbols) = symbols else { continue };
            let edge = symbols.edge(evaluator, condition, scope)?;
            let due = edge & !earlier;
            let mut branch = Branch::default();
            for equation in equations {
                match &equation.kind {
                    EquationKind::Call(call) if !is_call_of(call, "reinit") => {
                        self.call(evaluator, call, scope, due)?;
                    }
                    _ => self.read(evaluator, equation, scope, &mut branch, true)?,
                }
            }
            for (k, equation) in branch.pairs.iter().enumerate() {
                let is_same = |other: &Equation| other.left.key() == equation.left.key();
                if branch.pairs[..k].iter().any(is_same) {
                    let sentence = "this `when` determines the variable twice";
                    return Err(Complaint::at(&equation.span, sentence));
                }
            }
            for equation in branch.pairs {
                let before = self.before(&equation)?;
                self.check_type(&equation)?;
                match all.iter_mut().find(|known| known.left.key() == equation.left.key()) {
                    Some(known) => known.right = select(due, equation.right, known.right),
                    None => {
                        let right = select(due, equation.right, before);
                        all.push(Equation { right, assigns: true, at_events: true, ..equation });
                    }
                }
            }
            for (state, value) in branch.reinits {
                let Some(owner) = scope.instance.clone() else { break };
                self.reinits.push((owner, Reinit { state, when: due, value }));
            }
            earlier = earlier | edge;
        }
        self.equations.extend(all);
        Ok(())
    }

    /// `assert` and other calls.
    fn call(
        &mut self,
        evaluator: &Evaluator<'_>,
        call: &Expression,
        scope: &Scope,
        when: Bool,
    ) -> Checked<()> {
        let ExpressionKind::Call(_, arguments) = &*call.kind else { return Ok(()) };
        if is_call_of(call, "terminate") {
            let Some(owner) = scope.instance.clone() else { return Ok(()) };
            if let Some(message) = arguments.get(0, "message") {
                let text = evaluator.message(message, scope)?;
                self.notes.push(format!("the message \"{text}\" of terminate is not shown"));
            }
            self.terminations.push((owner, when));
            return Ok(());
        }
        if !is_call_of(call, "assert") {
            return evaluator.checked_call(call, scope);
        }
        let Some(condition) = arguments.get(0, "condition") else {
            return Err(Complaint::at(&call.span, "an assertion needs a condition"));
        };
        if let (Some(name), Some(instance)) = (needs_connection(condition), &scope.instance) {
            let message = arguments.get(1, "message");
            let message = message.map(|message| evaluator.message(message, scope)).transpose()?;
            let message = message.unwrap_or_else(|| text_of(condition));
            let place = condition.span.clone();
            self.connections_needed.push((instance.full(&name), message, place));
            return Ok(());
        }
        let holds = evaluator.condition(condition, scope)?;
        let is_known =
            !evaluator.varies(holds) && evaluator.parameters_in(holds.as_ex()).is_empty();
        let level =
            arguments.get(2, "level").map(|level| evaluator.value(level, scope)).transpose()?;
        let is_warning = matches!(level, Some(Value::Literal { number: 1, .. }));
        if is_known && !is_warning {
            return evaluator.checked_call(call, scope);
        }
        let message = arguments.get(1, "message");
        let message = message.map(|message| evaluator.message(message, scope)).transpose()?;
        let message = message
            .unwrap_or_else(|| format!("the assertion {} does not hold", text_of(condition)));
        let Some(owner) = scope.instance.clone() else { return Ok(()) };
        let text = text_of(condition);
        let varies = evaluator.varies(holds) || evaluator.varies(when);
        if varies && text.contains("noEvent(") {
            self.notes
                .push(format!("the assertion {text} causes no events: it is checked at others"));
        }
        let when = varies.then_some(when);
        self.assertions.push((owner, Assertion { when, condition: holds, message, is_warning }));
        Ok(())
    }

    /// Reads an initial equation: the value of a state, or a derivative that vanishes.
    ///
    /// # Errors
    /// It is wrong, or not supported.
    pub fn initial_equation(
        &mut self,
        evaluator: &Evaluator<'_>,
        equation: &syntax::Equation,
        scope: &Scope,
    ) -> Checked<()> {
        let mut branch = Branch::default();
        let result = evaluator.reading_equations(|| match &equation.kind {
            EquationKind::Call(call) => self.call(evaluator, call, scope, Bool::constant(true)),
            _ => self.read(evaluator, equation, scope, &mut branch, false),
        });
        if let Some(owner) = &scope.instance {
            self.take_initial(owner, branch.pairs);
            self.take_assertions(evaluator, owner);
        }
        result
    }
}

/// Pairs equations of two branches with other left sides in their order, if both branches have
/// equally many.
fn pair_in_order(truth: Bool, a: &mut Vec<Equation>, b: &mut Vec<Equation>, into: &mut Branch) {
    let alone = |of: &Vec<Equation>, others: &Vec<Equation>| -> Vec<usize> {
        let has = |equation: &Equation| {
            others.iter().any(|other| other.left.key() == equation.left.key())
        };
        (0..of.len()).filter(|at| !has(&of[*at])).collect()
    };
    let pairs = (alone(a, b), alone(b, a));
    let is_real = |of: &Equation| matches!(of.kind, Type::Real);
    let are_real =
        pairs.0.iter().all(|at| is_real(&a[*at])) && pairs.1.iter().all(|at| is_real(&b[*at]));
    if pairs.0.len() != pairs.1.len() || !are_real {
        return;
    }
    for (first, second) in pairs.0.into_iter().rev().zip(pairs.1.into_iter().rev()) {
        let (first, second) = (a.remove(first), b.remove(second));
        let left = select(truth, first.left, second.left);
        let right = select(truth, first.right, second.right);
        into.pairs.push(Equation { left, right, ..first });
    }
}

/// Whether an expression is a call of a function of the language.
fn is_call_of(call: &Expression, name: &str) -> bool {
    match &*call.kind {
        ExpressionKind::Call(function, _) => {
            matches!(&function.parts[..], [part] if &*part.name.text == name)
        }
        _ => false,
    }
}

/// `reinit(state, value)`.
fn reinit(
    equations: &Equations,
    evaluator: &Evaluator<'_>,
    call: &Expression,
    scope: &Scope,
) -> Checked<(usize, Ex)> {
    let ExpressionKind::Call(_, arguments) = &*call.kind else {
        return Err(Complaint::at(&call.span, "not a call"));
    };
    let [state, value] = &arguments.positional[..] else {
        return Err(Complaint::at(&call.span, "reinit needs a state and its new value"));
    };
    let real = |expression: &Expression| {
        let value = evaluator.value(expression, scope)?;
        value.real().map_err(|why| Complaint::at(&expression.span, why))
    };
    Ok((equations.variable_of(real(state)?, &state.span)?, real(value)?))
}

/// The scalar equations of `left = right`.
/// The equations between the elements of two sides.
pub(super) fn pairs(
    evaluator: &Evaluator<'_>,
    (left, right): (&Expression, &Expression),
    scope: &Scope,
    span: &Span,
) -> Checked<Vec<Equation>> {
    if let ExpressionKind::Tuple(targets) = &*left.kind {
        let results = evaluator.results_for(targets, right, scope)?;
        let mut all = Vec::new();
        for (target, result) in targets.iter().zip(results) {
            let Some(target) = target else { continue };
            all.extend(scalar_pairs(&evaluator.value(target, scope)?, &result, span)?);
        }
        return Ok(all);
    }
    let (left, right) = (evaluator.value(left, scope)?, evaluator.value(right, scope)?);
    scalar_pairs(&left, &right, span)
}

pub(super) fn scalar_pairs(left: &Value, right: &Value, span: &Span) -> Checked<Vec<Equation>> {
    if let (Value::Record(fields), Value::Record(_)) = (left, right) {
        let mut all = Vec::new();
        for (name, field) in fields.iter() {
            let other = right.field(name).ok_or_else(|| {
                Complaint::at(span, format!("the right side has no element {name}"))
            })?;
            all.extend(scalar_pairs(field, &other, span)?);
        }
        return Ok(all);
    }
    if left.sizes() != right.sizes() {
        let (a, b) = (left.sizes(), right.sizes());
        let sentence = format!("the sides have the sizes {a:?} and {b:?}");
        return Err(Complaint::at(span, sentence));
    }
    let pair = |(left, right): (&Value, &Value)| {
        let kinds = Type::of(left).zip(Type::of(right));
        let kind = kinds.and_then(|(of_left, of_right)| of_left.common(of_right));
        let kind = kind.ok_or_else(|| {
            let text = short_text(span);
            let (left, right) = (left.kind(), right.kind());
            Complaint::at(span, format!("{text}: one side is {left}, the other one {right}"))
        })?;
        let at = |why| Complaint::at(span, why);
        let sides = (left.number().map_err(at)?, right.number().map_err(at)?);
        Ok(Equation::plain(kind, sides, span))
    };
    left.scalars().iter().zip(&right.scalars()).map(pair).collect()
}

/// The connector of `cardinality(connector) > 0`.
fn needs_connection(condition: &Expression) -> Option<String> {
    let ExpressionKind::Binary(Operator::Greater, left, right) = &*condition.kind else {
        return None;
    };
    let (ExpressionKind::Call(_, arguments), ExpressionKind::Integer(0)) =
        (&*left.kind, &*right.kind)
    else {
        return None;
    };
    match arguments.positional.first().map(|of| &*of.kind) {
        Some(ExpressionKind::Reference(of)) if is_call_of(left, "cardinality") => {
            Some(of.span.text().to_owned())
        }
        _ => None,
    }
}

/// An expression in its scope, as the text of a note.
fn text_of(expression: &Expression) -> String {
    expression.span.text().split_whitespace().collect::<Vec<_>>().join(" ")
}
