//! Variables of our components that the components do not publish, but that the texts of their
//! classes determine: `tau_c` of a spring, `prismatic.distance` of an assembly of joints.

use super::statements::pairs;
use super::symbols::Meaning;
use super::system::Equations;
use crate::evaluate::Evaluator;
use crate::instance::{Content, Instance, Scope, Variable};
use crate::leaf::Leaf;
use crate::source::{Checked, Span};
use crate::syntax::{self, Body, EquationKind, Expression, ExpressionKind};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The joints in assemblies of joints whose variables the assembly publishes as its own.
const INNER_JOINTS: [&str; 2] = ["revolute", "prismatic"];

/// The variables of such joints.
const OF_JOINTS: [&str; 5] = ["phi", "s", "w", "v", "a"];

/// An equation `variable = expression`, in its scope.
struct Definition<'t> {
    sides: (&'t Expression, &'t Expression),
    span: &'t Span,
    scope: Scope,
}

impl Equations {
    /// Adds the equations of variables that other equations name, and of those that these name in
    /// turn. Where that does not determine a variable of a block, the text of the block is read
    /// instead in the next round; in other components it is left to the complaint about it.
    ///
    /// # Errors
    /// The value of a variable is wrong.
    pub fn read_leaf_texts(
        &mut self,
        evaluator: &Evaluator<'_>,
        root: &Rc<Instance>,
        leaves: &[(Rc<Instance>, &Leaf)],
    ) -> Checked<()> {
        let by_name: HashMap<&str, (&Rc<Instance>, &Leaf)> =
            leaves.iter().map(|(instance, leaf)| (&*instance.name, (instance, *leaf))).collect();
        let (mut number, mut taken) = (0, HashSet::new());
        // Each equation may name further variables.
        while number < self.symbols.count() {
            let symbol = self.symbols.get(number).clone();
            number += 1;
            let (Meaning::Variable(name), Some(variable)) = (&symbol.meaning, &symbol.variable)
            else {
                continue;
            };
            if self.by_name.contains_key(name) {
                continue;
            }
            let mut dots = name.match_indices('.').map(|(at, _)| at);
            let leaf = dots.find_map(|at| Some((at, by_name.get(&name[..at])?)));
            let Some((at, (instance, leaf))) = leaf else { continue };
            if !leaf.publishes(&name[at + 1..]) {
                let path: Vec<&str> = variable.name[at + 1..].split('.').collect();
                let is_read = self.read_leaf_text(
                    evaluator,
                    root,
                    (instance, leaf),
                    (variable, &path),
                    &mut taken,
                )?;
                if !is_read {
                    leaf.read_instead(evaluator, instance);
                }
            }
        }
        Ok(())
    }

    /// Adds the equation of a variable, unless it is among those that are `taken`; whether there is
    /// one.
    fn read_leaf_text(
        &mut self,
        evaluator: &Evaluator<'_>,
        root: &Rc<Instance>,
        (instance, leaf): (&Rc<Instance>, &Leaf),
        (variable, path): (&Rc<Variable>, &[&str]),
        taken: &mut HashSet<Taken>,
    ) -> Checked<bool> {
        if let [.., joint, last] = path
            && INNER_JOINTS.contains(joint)
            && OF_JOINTS.contains(last)
            && leaf.publishes(last)
        {
            self.declare(evaluator, root, variable)?;
            self.alias(&variable.name, &instance.full(last), &variable.span);
            return Ok(true);
        }
        let Some(inner) = inner_instance(evaluator, instance, path)? else { return Ok(false) };
        let Some(name) = path.last() else { return Ok(false) };
        let has_own_value = variable.modifier.value.is_some();
        let is_free = |span: &Span| !taken.contains(&key(&inner, span));
        let Some(definition) = self.definition(evaluator, &inner, name, &is_free)? else {
            if has_own_value {
                self.declare(evaluator, root, variable)?;
            }
            return Ok(has_own_value);
        };
        let Definition { sides, span, scope } = definition;
        let known = self.symbols.count();
        match evaluator.reading_equations(|| pairs(evaluator, sides, &scope, span)) {
            Ok(equations) => {
                self.declare(evaluator, root, variable)?;
                self.equations.extend(equations);
                taken.insert(key(&inner, span));
                Ok(true)
            }
            Err(_) => {
                self.symbols.forget_from(known);
                Ok(false)
            }
        }
    }

    /// The equation in the text of an instance that has a variable alone on one side, and that no
    /// other variable has taken.
    fn definition<'t>(
        &self,
        evaluator: &Evaluator<'_>,
        instance: &'t Rc<Instance>,
        name: &str,
        is_free: &dyn Fn(&Span) -> bool,
    ) -> Checked<Option<Definition<'t>>> {
        for text in &instance.members(evaluator.library)?.texts {
            let Body::Long(content) = &text.syntax.body else { continue };
            let scope =
                Scope { instance: Some(Rc::clone(instance)), class: Rc::clone(text), frame: None };
            let equations = &content.equations;
            let found = self.among((evaluator, &scope), equations, name, is_free)?;
            if let Some((sides, span)) = found {
                return Ok(Some(Definition { sides, span, scope }));
            }
        }
        Ok(None)
    }

    #[allow(clippy::type_complexity, reason = "the sides of an equation, and its place")]
    fn among<'t>(
        &self,
        (evaluator, scope): (&Evaluator<'_>, &Scope),
        equations: &'t [syntax::Equation],
        name: &str,
        is_free: &dyn Fn(&Span) -> bool,
    ) -> Checked<Option<((&'t Expression, &'t Expression), &'t Span)>> {
        for equation in equations.iter().filter(|of| is_free(&of.span)) {
            match &equation.kind {
                EquationKind::Equal(left, right) if is_variable(left, name) => {
                    return Ok(Some(((left, right), &equation.span)));
                }
                EquationKind::Equal(left, right) if is_variable(right, name) => {
                    return Ok(Some(((right, left), &equation.span)));
                }
                EquationKind::If(branches, otherwise) => {
                    let mut chosen = Some(&otherwise[..]);
                    for (condition, equations) in branches {
                        match self.condition(evaluator, condition, scope) {
                            Ok(Some(false)) => continue,
                            Ok(Some(true)) => chosen = Some(&equations[..]),
                            _ => chosen = None,
                        }
                        break;
                    }
                    let chosen = chosen.unwrap_or_default();
                    let found = self.among((evaluator, scope), chosen, name, is_free)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
                _ => {}
            }
        }
        Ok(None)
    }
}

/// An equation that determines a variable: the name of the instance, and the place in its text.
type Taken = (String, String);

fn key(instance: &Instance, span: &Span) -> Taken {
    (instance.name.clone(), span.place())
}

/// Whether an expression is a variable of the text's own class.
fn is_variable(expression: &Expression, name: &str) -> bool {
    match &*expression.kind {
        ExpressionKind::Reference(reference) => match &reference.parts[..] {
            [part] => &*part.name.text == name && part.subscripts.is_empty(),
            _ => false,
        },
        _ => false,
    }
}

/// The instance in another one in which the last name of a path is declared.
fn inner_instance(
    evaluator: &Evaluator<'_>,
    instance: &Rc<Instance>,
    path: &[&str],
) -> Checked<Option<Rc<Instance>>> {
    let mut at = Rc::clone(instance);
    for name in &path[..path.len() - 1] {
        let Some(member) = at.members(evaluator.library)?.get(name).cloned() else {
            return Ok(None);
        };
        let Content::Instance(inner) = evaluator.content(&at, &member)? else { return Ok(None) };
        at = inner;
    }
    Ok(Some(at))
}
