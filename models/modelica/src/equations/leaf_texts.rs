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
use std::collections::HashMap;
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
    /// turn. A variable that no text determines is left to the complaint about it.
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
        let mut number = 0;
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
                self.read_leaf_text(evaluator, root, (instance, leaf), (variable, &path))?;
            }
        }
        Ok(())
    }

    fn read_leaf_text(
        &mut self,
        evaluator: &Evaluator<'_>,
        root: &Rc<Instance>,
        (instance, leaf): (&Rc<Instance>, &Leaf),
        (variable, path): (&Rc<Variable>, &[&str]),
    ) -> Checked<()> {
        if let [.., joint, last] = path
            && INNER_JOINTS.contains(joint)
            && OF_JOINTS.contains(last)
            && leaf.publishes(last)
        {
            self.declare(evaluator, root, variable)?;
            self.alias(&variable.name, &instance.full(last), &variable.span);
            return Ok(());
        }
        let Some(inner) = inner_instance(evaluator, instance, path)? else { return Ok(()) };
        let Some(name) = path.last() else { return Ok(()) };
        let own_value = variable.modifier.value.is_some();
        let Some(definition) = self.definition(evaluator, &inner, name)? else {
            return if own_value { self.declare(evaluator, root, variable) } else { Ok(()) };
        };
        let Definition { sides, span, scope } = definition;
        let known = self.symbols.count();
        match evaluator.reading_equations(|| pairs(evaluator, sides, &scope, span)) {
            Ok(equations) => {
                self.declare(evaluator, root, variable)?;
                self.equations.extend(equations);
            }
            Err(_) => self.symbols.forget_from(known),
        }
        Ok(())
    }

    /// The equation in the text of an instance that has a variable alone on one side.
    fn definition<'t>(
        &self,
        evaluator: &Evaluator<'_>,
        instance: &'t Rc<Instance>,
        name: &str,
    ) -> Checked<Option<Definition<'t>>> {
        for text in &instance.members(evaluator.library)?.texts {
            let Body::Long(content) = &text.syntax.body else { continue };
            let scope =
                Scope { instance: Some(Rc::clone(instance)), class: Rc::clone(text), frame: None };
            if let Some((sides, span)) = self.among(evaluator, &content.equations, name, &scope)? {
                return Ok(Some(Definition { sides, span, scope }));
            }
        }
        Ok(None)
    }

    #[allow(clippy::type_complexity, reason = "the sides of an equation, and its place")]
    fn among<'t>(
        &self,
        evaluator: &Evaluator<'_>,
        equations: &'t [syntax::Equation],
        name: &str,
        scope: &Scope,
    ) -> Checked<Option<((&'t Expression, &'t Expression), &'t Span)>> {
        for equation in equations {
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
                    let found = self.among(evaluator, chosen.unwrap_or_default(), name, scope)?;
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
