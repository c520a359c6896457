//! Incremental declarations, for generators that determine the parts of a variable one after the
//! other.

use std::collections::{HashMap, HashSet};

use expressions::graph::{Id, Leaf};
use expressions::{
    BlockSolutions, Bool, Ex, Expression, checked_sign, newton_with_sign, substitute,
    substitute_ids,
};
use kernels::newton::BlockKind;
use kernels::relations::RelationKind;
use program::Causality;

use crate::model::declared::VariableBuilder;
use crate::model::variable::{StartValue, VariableDeclaration, in_words};
use crate::model::{Model, StateEquation, anchors_from};
use crate::vocabulary::error::Error;
use crate::vocabulary::name::in_openmodelica;

/// A relation that is declared and can be used before its residual is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeclaredRelation(u32);

impl DeclaredRelation {
    /// The relation as a truth value, frozen between events.
    pub fn truth(self) -> Bool {
        Bool::leaf(Leaf::Relation(self.0))
    }
}

/// The data of a nonlinear block from the last accepted point.
#[derive(Clone, Debug)]
pub struct Anchor {
    unknowns: usize,
    /// The stored solution there.
    pub solution: Vec<Ex>,
    /// The sign of the determinant of the Jacobian there; zero while initial values are determined.
    pub sign: Ex,
    /// That determinant; zero if the point is not known.
    pub determinant: Ex,
    /// The other variables there.
    pub others: Vec<Ex>,
    /// For each other variable, the derivatives of the unknowns there.
    pub slopes: Vec<Vec<Ex>>,
}

impl Anchor {
    /// How far each unknown moves on the tangent to the solution at that point, up to the point at
    /// which the other variables have these values.
    pub fn moves(&self, others: &[Ex]) -> Vec<Ex> {
        self.moves_from(others, &vec![Ex::zero(); self.unknowns])
    }

    fn moves_from(&self, others: &[Ex], start: &[Ex]) -> Vec<Ex> {
        let moved = |unknown: usize| {
            let moves = others.iter().zip(&self.others).zip(&self.slopes);
            moves.fold(start[unknown], |sum, ((&now, &then), slopes)| {
                sum + slopes[unknown] * (now - then)
            })
        };
        (0..start.len()).map(moved).collect()
    }
}

/// A block of equations whose solution is known in closed form.
#[derive(Clone, Debug)]
pub struct ClosedFormBlock {
    /// The values that the block needs from the last accepted point to continue its motion.
    pub stored: Vec<Ex>,
    /// Whether this solution continues the motion.
    pub regular: Bool,
    /// The derivatives of the unknowns there.
    pub slopes: Slopes,
}

/// The derivatives of a nonlinear block's solution with respect to the variables on which it
/// depends.
#[derive(Clone, Debug)]
pub struct Slopes {
    /// Determinant of the Jacobian of the block.
    pub determinant: Ex,
    /// For each other variable, the derivatives of the unknowns.
    pub by_other: Vec<Vec<Ex>>,
}

impl Slopes {
    /// The values that are stored besides the solution and the sign.
    fn kept(self, others: &[Ex]) -> Vec<Ex> {
        let slopes = self.by_other.into_iter().flatten();
        [self.determinant].into_iter().chain(others.iter().copied()).chain(slopes).collect()
    }
}

/// A function that shows another one the number of each expression of some kind in a model.
type ForEach = fn(&mut Model, &mut dyn FnMut(&mut Id));

impl Model {
    /// A start value that belongs to a variable published later.
    pub fn start_slot(&mut self, value: f64) -> Ex {
        Ex::leaf(Leaf::Parameter(self.new_parameter(value)))
    }

    /// The states whose derivative is given, with this derivative.
    pub fn derivatives(&self) -> Vec<(Ex, Ex)> {
        let leaf = |i: usize| Ex::leaf(Leaf::State(i as u32));
        let all = self.states.iter().enumerate();
        all.filter_map(|(i, state)| Some((leaf(i), state.derivative?))).collect()
    }

    /// Expressions while initial values are determined: states have their initial values, and
    /// nonlinear blocks start at their initial solutions.
    pub fn at_start(&self, expressions: &[Ex]) -> Vec<Ex> {
        let leaf = |i: usize| Ex::leaf(Leaf::State(i as u32));
        let mut by: Vec<(Ex, Ex)> =
            self.states.iter().enumerate().map(|(i, state)| (leaf(i), state.start)).collect();
        by.push((Ex::from_id(self.initial().id()), Ex::from_id(Bool::constant(true).id())));
        for block in &self.blocks {
            // The values stored after the unknowns are not known, and either sign of the
            // determinant is accepted.
            let unknown = std::iter::repeat(Ex::zero());
            by.extend(block.anchors().zip(block.initial.iter().copied().chain(unknown)));
        }
        substitute(expressions, &by)
    }

    /// Expressions in which discrete variables have their start values, except for start values
    /// that can be set.
    pub fn before_events(&self, expressions: &[Ex]) -> Vec<Ex> {
        let ids: Vec<Id> = expressions.iter().map(|ex| ex.id()).collect();
        self.ids_before_events(&ids).into_iter().map(Ex::from_id).collect()
    }

    /// [`Model::before_events`] for expressions and truth values.
    pub(crate) fn ids_before_events(&self, ids: &[Id]) -> Vec<Id> {
        let settable = |pre: Id| {
            let own = self.variables.iter().find(|v| v.expression.id() == pre);
            own.is_some_and(|v| {
                matches!(v.start, StartValue::Exact(_, Some(_)) | StartValue::Approx(..))
            })
        };
        let all = self.discretes.iter().enumerate();
        let all = all.map(|(i, m)| (Ex::leaf(Leaf::Pre(i as u32)).id(), Ex::from(m.start).id()));
        let by: Vec<(Id, Id)> = all.filter(|(pre, _)| !settable(*pre)).collect();
        substitute_ids(ids, &by)
    }

    /// Start values of inputs and discrete variables.
    pub fn defaults(&self) -> Vec<(Leaf, f64)> {
        let inputs = self.inputs.iter().enumerate().map(|(i, &u)| (Leaf::Input(i as u32), u));
        let discretes = self.discretes.iter().enumerate();
        inputs.chain(discretes.map(|(i, m)| (Leaf::Pre(i as u32), m.start))).collect()
    }

    /// The relations with their values while initial values are determined, 1 for true.
    pub fn truths_at_start(&self) -> Vec<(Leaf, Ex)> {
        let truth = |r: &crate::model::RelationEquation| match r.kind {
            RelationKind::Time => self.time().ge(r.residual).as_ex(),
            RelationKind::State | RelationKind::Sampled => (r.active & r.residual.gt(0.0)).as_ex(),
        };
        let truths: Vec<Ex> = self.relations.iter().map(truth).collect();
        let leaf = |i: usize| Leaf::Relation(i as u32);
        self.at_start(&truths).into_iter().enumerate().map(|(i, ex)| (leaf(i), ex)).collect()
    }

    /// Replaces the initial value of a state by `start`, a placeholder, and returns the value
    /// before. The start value in the description does not change.
    pub fn replace_start(&mut self, state: Ex, start: Ex) -> Option<Ex> {
        let Some(Leaf::State(i)) = state.as_leaf() else { return None };
        Some(std::mem::replace(&mut self.states[i as usize].start, start))
    }

    /// Sets the start value in a slot that belongs to no variable yet.
    pub fn set_start(&mut self, slot: Ex, value: f64) {
        if let Some(Leaf::Parameter(slot)) = slot.as_leaf() {
            self.parameters[slot as usize] = value;
        }
    }

    /// Makes the start value in `slot` a guess, because other equations determine the initial
    /// value.
    pub fn free_start(&mut self, slot: Ex) {
        let Some(Leaf::Parameter(slot)) = slot.as_leaf() else { return };
        for v in self.variables.iter_mut().filter(|v| v.causality != Causality::Parameter) {
            if let StartValue::Exact(value, Some(own)) = v.start
                && own == slot
            {
                v.start = StartValue::Approx(value, slot);
            }
        }
    }

    /// Default values of all parameters and start values.
    pub fn parameter_values(&self) -> Vec<f64> {
        self.parameters.clone()
    }

    /// The parameters that can be set and have the dimension of a unit.
    pub fn parameters_measured_as(&self, unit: &str) -> Vec<Ex> {
        let exponents = |unit: &str| self.units.unit(unit).map(|unit| unit.exponents);
        let wanted = exponents(unit);
        let own = self.variables.iter().filter(|v| v.causality == Causality::Parameter);
        let own = own.filter(|v| v.unit.as_deref().and_then(exponents) == wanted);
        let slot = |v: &VariableDeclaration| match v.expression {
            Expression::Real(ex) => {
                Some(ex).filter(|ex| matches!(ex.as_leaf(), Some(Leaf::Parameter(_))))
            }
            Expression::Truth(_) => None,
        };
        own.filter_map(slot).collect()
    }

    fn slot(&mut self, leaf: Ex) -> (f64, u32) {
        if let Some(Leaf::Parameter(slot)) = leaf.as_leaf() {
            return (self.parameters[slot as usize], slot);
        }
        self.refuse(Error::Definition(format!("{leaf:?} holds no start value")));
        (0.0, 0)
    }

    /// A continuous state whose initial value is the start value in `slot`, which can be set.
    pub fn state_from_slot(&mut self, name: &str, slot: Ex) -> VariableBuilder<'_, Ex> {
        let (value, index) = self.slot(slot);
        let leaf = Ex::leaf(Leaf::State(self.states.len() as u32));
        self.states.push(StateEquation {
            name: name.to_owned(),
            start: slot,
            derivative: None,
            reinits: Vec::new(),
            nominal: 1.0,
        });
        self.declare(
            name,
            Causality::Local,
            leaf.into(),
            StartValue::Exact(value, Some(index)),
            leaf,
        )
    }

    /// Publishes a local variable that has the start value in `slot` after initialization.
    pub fn exact_from_slot(
        &mut self,
        name: &str,
        value: impl Into<Expression>,
        slot: Ex,
    ) -> VariableBuilder<'_, ()> {
        let (start, index) = self.slot(slot);
        self.declare(
            name,
            Causality::Local,
            value.into(),
            StartValue::Exact(start, Some(index)),
            (),
        )
    }

    /// Publishes a local variable whose guess of the initial value is in `slot`.
    pub fn approx_from_slot(
        &mut self,
        name: &str,
        value: impl Into<Expression>,
        slot: Ex,
    ) -> VariableBuilder<'_, ()> {
        let (guess, index) = self.slot(slot);
        self.declare(name, Causality::Local, value.into(), StartValue::Approx(guess, index), ())
    }

    /// Replaces the expression of a calculated parameter by the final one.
    pub fn define_calculated(&mut self, parameter: Ex, initial: impl Into<Ex>) {
        match parameter.as_leaf() {
            Some(Leaf::Calculated(i)) => self.calculated[i as usize].1 = initial.into(),
            _ => self
                .refuse(Error::Definition(format!("{parameter:?} is not a calculated parameter"))),
        }
    }

    /// A relation whose residual is given later by [`Model::define_relation`].
    pub fn declare_relation(&mut self, name: &str) -> DeclaredRelation {
        match self.relation(name, -1.0).done().as_leaf() {
            Some(Leaf::Relation(i)) => DeclaredRelation(i),
            _ => unreachable!("a relation is a leaf"),
        }
    }

    /// Gives the residual of a declared relation, which is true if the residual is positive and
    /// `active` is true.
    pub fn define_relation(
        &mut self,
        relation: DeclaredRelation,
        residual: impl Into<Ex>,
        active: Bool,
    ) {
        let equation = &mut self.relations[relation.0 as usize];
        equation.residual = residual.into();
        equation.active = active;
    }

    /// [`Model::newton`] for a loop whose solution moves continuously with `others`; the caller
    /// gives the solution at initialization, in terms of parameters and start values.
    ///
    /// The iteration starts on the tangent to the solution at the last accepted point. The block
    /// counts as singular if `regular`, an expression of the unknowns, is false. `slopes` returns
    /// the derivatives of a solution.
    ///
    /// # Panics
    /// If the numbers differ or an unknown is not a symbol.
    pub fn newton_along(
        &mut self,
        ((kind, name), unknowns, residuals): ((BlockKind, &str), &[Ex], &[Ex]),
        initial: &[Ex],
        others: &[Ex],
        regular: impl FnOnce(&Anchor) -> Bool,
        slopes: impl FnOnce(&[Ex]) -> Slopes,
    ) -> Vec<Ex> {
        let n = unknowns.len();
        let anchor = self.next_anchor(n, n, others.len());
        let guesses = anchor.moves_from(others, &anchor.solution);
        let block = (kind, name);
        let root =
            newton_with_sign(block, unknowns, residuals, &guesses, anchor.sign, regular(&anchor));
        let slopes = slopes(&root.solution);
        self.push_block(name, unknowns, root, initial, None, slopes.kept(others))
    }

    /// A block with a solution in closed form, which moves continuously with `others` and has a
    /// number of `unknowns`. `initial` are the stored values at initialization and the sign of the
    /// determinant there.
    ///
    /// Returns the sign of the determinant, whose computation fails where `solve` finds no solution
    /// that continues the motion. The solution itself has a value everywhere.
    pub fn closed_form_block(
        &mut self,
        (kind, name): (BlockKind, &str),
        unknowns: usize,
        initial: (&[Ex], Ex),
        others: &[Ex],
        solve: impl FnOnce(&Anchor) -> ClosedFormBlock,
    ) -> Ex {
        let (initial, initial_sign) = initial;
        let anchor = self.next_anchor(initial.len(), unknowns, others.len());
        let ClosedFormBlock { stored, regular, slopes } = solve(&anchor);
        let sign = checked_sign((kind, name), slopes.determinant, anchor.sign, regular);
        let kept = slopes.kept(others);
        self.push_solution(name, (unknowns, stored), sign, (initial, initial_sign), kept);
        sign
    }

    /// The anchor of the next loop, which has these numbers of stored values, unknowns and other
    /// variables.
    fn next_anchor(&self, stored: usize, unknowns: usize, others: usize) -> Anchor {
        let count = stored + 2 + others + unknowns * others;
        let anchors = anchors_from(self.next_offset(), count);
        let (solution, known) = anchors.split_at(stored);
        let (before, slopes) = known[2..].split_at(others);
        Anchor {
            unknowns,
            solution: solution.to_vec(),
            sign: known[0],
            determinant: known[1],
            others: before.to_vec(),
            slopes: slopes.chunks(unknowns).map(<[Ex]>::to_vec).collect(),
        }
    }

    /// The anchors of the nonlinear block declared last: its unknowns, the sign of its determinant,
    /// and the other stored values.
    pub fn last_anchors(&self) -> Vec<Ex> {
        self.blocks.last().map(|block| block.anchors().collect()).unwrap_or_default()
    }

    /// Makes a local variable an output, with its own name.
    ///
    /// # Errors
    /// If there is no variable of this name, or if it is something else, such as a parameter.
    pub fn make_output(&mut self, name: &str) -> Result<(), Error> {
        match self.variables.iter_mut().find(|v| v.name == name) {
            Some(v) if matches!(v.causality, Causality::Local | Causality::Output) => {
                v.causality = Causality::Output;
                Ok(())
            }
            Some(v) => {
                let what = in_words(v.causality);
                Err(Error::Definition(format!("{name}: it is {what}, which cannot be an output")))
            }
            None => Err(Error::Definition(format!(
                "{name}: it is to be an output, but there is no variable of this name"
            ))),
        }
    }

    /// Publishes local variables that repeat declared ones: pairs of a new and of a declared name.
    /// New names are left out if importers would confuse them with the names of variables or of
    /// components, and so are pairs whose second name is not declared.
    pub fn aliases(&mut self, pairs: impl IntoIterator<Item = (String, String)>) {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut taken: HashSet<String> = HashSet::new();
        for (at, v) in self.variables.iter().enumerate() {
            places.insert(v.name.clone(), at);
            taken.extend(components_of(&v.name).map(in_openmodelica));
            taken.insert(in_openmodelica(&v.name));
        }
        for (name, variable) in pairs {
            let Some(&at) = places.get(&variable) else { continue };
            let is_below = components_of(&name).any(|component| places.contains_key(component));
            if is_below || !taken.insert(in_openmodelica(&name)) {
                continue;
            }
            let VariableDeclaration { expression, .. } = self.variables[at];
            self.local(&name, expression);
            places.insert(name.clone(), self.variables.len() - 1);
            self.repeat(&name, &variable);
        }
    }

    /// Gives a variable the value and the type of another one that was declared meanwhile, and also
    /// unit and description where these are known.
    pub fn repeat(&mut self, own: &str, variable: &str) {
        let Some(v) = self.variables.iter().find(|v| v.name == variable).cloned() else { return };
        for own in self.variables.iter_mut().filter(|v| v.name == own) {
            own.expression = v.expression;
            own.base_type.clone_from(&v.base_type);
            own.discrete = v.discrete;
            if v.unit.is_some() {
                own.unit.clone_from(&v.unit);
                own.display_unit.clone_from(&v.display_unit);
            }
            own.nominal = v.nominal;
            if own.description.is_empty() {
                own.description.clone_from(&v.description);
            }
        }
    }

    /// Lists outputs in the order of these names; other outputs follow in the order of their
    /// declarations.
    pub fn order_outputs(&mut self, names: Vec<String>) {
        self.output_order = names;
    }

    /// Replaces leaves by expressions in everything declared so far.
    pub fn substitute(&mut self, by: &[(Ex, Ex)]) {
        self.replace(Self::for_each_expression, |all| substitute(all, by));
    }

    /// Does the same in what is evaluated in a pass of an event iteration only: new values, and the
    /// inputs of controllers.
    pub(crate) fn substitute_at_events(&mut self, by: &[(Ex, Ex)]) {
        self.replace(Self::for_each_expression_of_events, |all| substitute(all, by));
    }

    /// Replaces the solutions of nonlinear blocks in everything declared so far.
    pub fn replace_solutions(&mut self, solutions: &BlockSolutions) {
        self.replace(Self::for_each_expression, |all| solutions.replace(all));
    }

    fn replace(&mut self, for_each: ForEach, replaced: impl FnOnce(&[Ex]) -> Vec<Ex>) {
        let mut all = Vec::new();
        for_each(self, &mut |id| all.push(Ex::from_id(*id)));
        let mut replaced = replaced(&all).into_iter();
        for_each(self, &mut |id| {
            if let Some(ex) = replaced.next() {
                *id = ex.id();
            }
        });
    }

    fn for_each_expression(&mut self, f: &mut dyn FnMut(&mut Id)) {
        for v in &mut self.variables {
            match &mut v.expression {
                Expression::Real(ex) => f(ex.id_mut()),
                Expression::Truth(b) => f(b.id_mut()),
            }
        }
        for state in &mut self.states {
            f(state.start.id_mut());
            if let Some(derivative) = &mut state.derivative {
                f(derivative.id_mut());
            }
        }
        for (_, initial) in &mut self.calculated {
            f(initial.id_mut());
        }
        for relation in &mut self.relations {
            f(relation.residual.id_mut());
            f(relation.active.id_mut());
        }
        for delay in &mut self.delays {
            f(delay.time.id_mut());
            delay.signal.iter_mut().for_each(|signal| f(signal.id_mut()));
        }
        for limit in &mut self.left_limits {
            f(limit.of.id_mut());
        }
        for requirement in self.requirements.iter_mut().chain(&mut self.remarks) {
            f(requirement.condition.id_mut());
        }
        for assertion in &mut self.assertions {
            f(assertion.condition.id_mut());
        }
        for block in &mut self.blocks {
            let lists = [&mut block.solution, &mut block.initial, &mut block.kept];
            lists.into_iter().flatten().for_each(|ex| f(ex.id_mut()));
            f(block.sign.id_mut());
            f(block.initial_sign.id_mut());
        }
        self.for_each_expression_of_events(f);
    }

    fn for_each_expression_of_events(&mut self, f: &mut dyn FnMut(&mut Id)) {
        for update in self.discretes.iter_mut().filter_map(|d| d.update.as_mut()) {
            f(update.id_mut());
        }
        for (state, when, value) in &mut self.reinits {
            [state, value].into_iter().for_each(|ex| f(ex.id_mut()));
            f(when.id_mut());
        }
        for controller in &mut self.controllers {
            f(controller.tick.id_mut());
            f(controller.number.id_mut());
            controller.inputs.iter_mut().for_each(|input| f(input.id_mut()));
        }
        f(self.terminate.id_mut());
    }
}

/// The names of the components in the name of a variable, such as `a` and `a.b` in `a.b.c`.
fn components_of(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices('.').map(|(dot, _)| &name[..dot])
}
