//! What a text says about the start: parameters that initial equations determine, initial
//! equations and initial algorithms.

use super::{Component, Flattener};
use crate::instance::{Content, Instance, Members, Scope, Variable};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{
    Body, Equation, EquationKind, Expression, ExpressionKind, Reference, Statement, StatementKind,
    Variability,
};
use mechanics::declaration::{Parameter, Value as Setting};
use mechanics::start::Start;
use std::collections::HashMap;
use std::rc::Rc;

/// Parameters with `fixed = false` by their names.
type Open = HashMap<Rc<str>, Rc<Variable>>;

impl Component {
    /// Gives a parameter the value that an initial equation states for a variable; `start` is the
    /// parameter with the start value of the variable.
    fn begin(
        &mut self,
        start: &'static str,
        parameter: &'static str,
        value: Setting,
        span: &Span,
    ) -> Checked<()> {
        let given = self.settings.iter().find(|(name, _)| *name == start);
        let is_steady = self.settings.iter().any(|(name, _)| *name == "steady_state");
        if matches!(given, Some((_, Setting::Start(Start { fixed: true, .. })))) || is_steady {
            let sentence = "this variable has an initial value already";
            return Err(Complaint::at(span, sentence));
        }
        self.settings.retain(|(name, _)| *name != parameter);
        self.settings.push((parameter, value));
        Ok(())
    }
}

impl Flattener<'_> {
    /// The initial equations of a component, without those for parameters that are known when the
    /// model is built. Other parameters among their unknowns become variables that keep their
    /// values.
    pub(super) fn initial_equations<'i>(
        &mut self,
        instance: &'i Rc<Instance>,
    ) -> Checked<Vec<(&'i Equation, Scope)>> {
        let members = instance.members(self.evaluator.library)?;
        let open = self.open_parameters(instance, members)?;
        let mut equations = Vec::new();
        for text in &members.texts {
            let Body::Long(content) = &text.syntax.body else { continue };
            let scope =
                Scope { instance: Some(Rc::clone(instance)), class: Rc::clone(text), frame: None };
            for equation in &content.initial_equations {
                self.chosen(equation, &scope, &mut equations)?;
            }
        }
        equations.retain(|(equation, scope)| !self.gives_known_values(equation, scope, &open));
        for (name, parameter) in &open {
            let is_determined = equations.iter().any(|(of, _)| names_on_the_left(of, name))
                || algorithms(members).any(|of| assigns(of, name));
            if parameter.value.get().is_none() && is_determined {
                self.equations.determine(self.evaluator, instance, parameter)?;
            }
        }
        self.parameters_that_follow(instance, members)?;
        Ok(equations)
    }

    /// Initial equations for variables of our components are start values, `mass.v = 1`, or state
    /// that a component begins in steady state, `der(capacitor.v) = 0`.
    pub(super) fn initial_conditions(&mut self) -> Checked<()> {
        for (at, name, value, span) in self.equations.initial_values().into_iter().rev() {
            let Some((component, parameter)) = self.started_by(&name) else { continue };
            let value = self.evaluator.number(value, &span)?;
            let start = Setting::Start(Start { value, fixed: true, given: false });
            self.components[component].begin(parameter, parameter, start, &span)?;
            self.equations.forget_initial(at);
        }
        for (at, name, span) in self.equations.steady_values().into_iter().rev() {
            let Some((component, parameter)) = self.started_by(&name) else { continue };
            let of = &mut self.components[component];
            let mut parameters = of.leaf.class.declaration.parameters.iter();
            let is_steady = |of: &&Parameter| of.name == "steady_state" && of.kind == "bool";
            let Some(steady) = parameters.find(is_steady) else { continue };
            of.begin(parameter, steady.name, Setting::Boolean(true), &span)?;
            self.equations.forget_initial(at);
        }
        Ok(())
    }

    /// The component of ours with a variable, and the parameter that is its start value.
    fn started_by(&self, variable: &str) -> Option<(usize, &'static str)> {
        let (component, local) = variable.rsplit_once('.')?;
        let at = self.components.iter().position(|of| of.instance.name == component)?;
        let mut parameters = self.components[at].leaf.class.declaration.parameters.iter();
        let of_kind = parameters.find(|of| of.name == local && of.kind == "Start")?;
        (of_kind.name == of_kind.setter).then_some((at, of_kind.name))
    }

    /// The parameters with `fixed = false` of a component.
    fn open_parameters(&self, instance: &Rc<Instance>, members: &Members) -> Checked<Open> {
        let mut open = Open::new();
        for member in &members.list {
            let is_parameter = member.declaration.variability == Variability::Parameter;
            if is_parameter
                && member.modifier.elements.contains_key("fixed")
                && let Content::Variable(variable) = self.evaluator.content(instance, member)?
                && self.evaluator.is_unknown(&variable)?
            {
                open.insert(Rc::clone(&member.declaration.name.text), variable);
            }
        }
        Ok(open)
    }

    /// The equations in the branches of an `if` whose conditions are known.
    fn chosen<'i>(
        &self,
        equation: &'i Equation,
        scope: &Scope,
        into: &mut Vec<(&'i Equation, Scope)>,
    ) -> Checked<()> {
        let EquationKind::If(branches, otherwise) = &equation.kind else {
            into.push((equation, scope.clone()));
            return Ok(());
        };
        let mut body = otherwise;
        for (condition, equations) in branches {
            match self.equations.condition(self.evaluator, condition, scope)? {
                Some(false) => {}
                Some(true) => {
                    body = equations;
                    break;
                }
                None => {
                    into.push((equation, scope.clone()));
                    return Ok(());
                }
            }
        }
        body.iter().try_for_each(|one| self.chosen(one, scope, into))
    }

    /// Whether an equation gives parameters values that are known when the model is built; they
    /// have these values then.
    fn gives_known_values(&self, equation: &Equation, scope: &Scope, open: &Open) -> bool {
        let EquationKind::Equal(left, right) = &equation.kind else { return false };
        let parameter = |of: &Expression| open.get(&plain_name(of)?).cloned();
        let values = match &*left.kind {
            ExpressionKind::Tuple(targets) => {
                let all: Vec<_> = targets.iter().map(|of| parameter(of.as_ref()?)).collect();
                if targets.iter().zip(&all).any(|(target, one)| target.is_some() != one.is_some()) {
                    return false;
                }
                let results = self.evaluator.results_for(targets, right, scope);
                results.map(|results| all.into_iter().zip(results).collect())
            }
            _ => match parameter(left) {
                Some(one) => {
                    self.evaluator.value(right, scope).map(|value| vec![(Some(one), value)])
                }
                None => return false,
            },
        };
        // Without values, they are variables, and what is wrong is found there.
        let Ok(values): Checked<Vec<_>> = values else { return false };
        values.into_iter().all(|(parameter, value)| {
            let settle = |of: Rc<Variable>| self.evaluator.settle(&of, value, &right.span);
            parameter.is_none_or(|of| settle(of).is_ok())
        })
    }

    /// Makes parameters variables that follow from parameters which initial equations determine.
    fn parameters_that_follow(
        &mut self,
        instance: &Rc<Instance>,
        members: &Members,
    ) -> Checked<()> {
        let mut has_changed = self.equations.has_determined();
        while has_changed {
            has_changed = false;
            for member in &members.list {
                let is_parameter = member.declaration.variability == Variability::Parameter;
                let Some(binding) = member.modifier.value.as_ref().filter(|_| is_parameter) else {
                    continue;
                };
                let full = instance.full(&member.declaration.name.text);
                if self.equations.is_determined(&full)
                    || !self.reads_determined(&binding.expression, &binding.scope)
                {
                    continue;
                }
                if let Content::Variable(variable) = self.evaluator.content(instance, member)? {
                    self.equations.determine(self.evaluator, instance, &variable)?;
                    has_changed = true;
                }
            }
        }
        Ok(())
    }

    fn reads_determined(&self, expression: &Expression, scope: &Scope) -> bool {
        let Some(instance) = &scope.instance else { return false };
        let mut found = false;
        expression.for_each_reference(&mut |reference: &Reference| {
            let parts: Vec<&str> = reference.parts.iter().map(|part| &*part.name.text).collect();
            found |= self.equations.is_determined(&instance.full(&parts.join(".")));
        });
        found
    }
}

/// The name of a variable of the text's own class, without subscripts.
fn plain_name(expression: &Expression) -> Option<Rc<str>> {
    let ExpressionKind::Reference(reference) = &*expression.kind else { return None };
    match &reference.parts[..] {
        [part] if part.subscripts.is_empty() => Some(Rc::clone(&part.name.text)),
        _ => None,
    }
}

/// The initial algorithms in the texts of a component.
fn algorithms(members: &Members) -> impl Iterator<Item = &Statement> {
    let contents = members.texts.iter().filter_map(|text| match &text.syntax.body {
        Body::Long(content) => Some(content),
        _ => None,
    });
    contents.flat_map(|content| content.initial_algorithms.iter().flatten())
}

fn is_first(reference: &Reference, name: &str) -> bool {
    reference.parts.first().is_some_and(|part| &*part.name.text == name)
}

/// Whether a variable, or an element of it, stands alone on the left side of an equation.
fn names_on_the_left(equation: &Equation, name: &str) -> bool {
    let is_named = |side: &Expression| match &*side.kind {
        ExpressionKind::Reference(reference) => is_first(reference, name),
        ExpressionKind::Tuple(targets) => {
            let mut targets = targets.iter().flatten();
            targets.any(|of| plain_name(of).is_some_and(|of| &*of == name))
        }
        _ => false,
    };
    match &equation.kind {
        EquationKind::Equal(left, right) => is_named(left) || is_named(right),
        EquationKind::If(branches, otherwise) => {
            let all = branches.iter().flat_map(|(_, body)| body).chain(otherwise);
            all.into_iter().any(|one| names_on_the_left(one, name))
        }
        EquationKind::For(_, body) => body.iter().any(|one| names_on_the_left(one, name)),
        EquationKind::Call(_) | EquationKind::Connect(..) | EquationKind::When(_) => false,
    }
}

/// Whether a statement assigns a variable.
fn assigns(statement: &Statement, name: &str) -> bool {
    let any = |body: &[Statement]| body.iter().any(|one| assigns(one, name));
    match &statement.kind {
        StatementKind::Assign(target, _) => is_first(target, name),
        StatementKind::AssignSeveral(targets, _) => {
            targets.iter().flatten().any(|of| plain_name(of).is_some_and(|of| &*of == name))
        }
        StatementKind::If(branches, otherwise) => {
            branches.iter().any(|(_, body)| any(body)) || any(otherwise)
        }
        StatementKind::For(_, body) | StatementKind::While(_, body) => any(body),
        StatementKind::When(branches) => branches.iter().any(|(_, body)| any(body)),
        StatementKind::Call(_) | StatementKind::Break | StatementKind::Return => false,
    }
}
