//! Declarations in parts, for generators that learn the pieces of a variable one after the other.

use crate::declared::Declared;
use crate::diff::substitute;
use crate::error::Error;
use crate::graph::{Id, Leaf};
use crate::model::{AnchoredBlock, Model, StateEquation};
use crate::ops::{Bool, Ex};
use crate::variable::{Declaration, Quantity, Role, Start};

/// A relation that is declared and can be used before its residual is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation(u32);

impl Relation {
    /// The relation as a truth value, frozen between events.
    pub fn truth(self) -> Bool {
        Bool::leaf(Leaf::Relation(self.0))
    }
}

impl Model {
    /// A start value that belongs to a variable published later.
    pub fn start_slot(&mut self, value: f64) -> Ex {
        Ex::leaf(Leaf::Parameter(self.new_parameter(value)))
    }

    /// The states that have a derivative, with it.
    pub fn derivatives(&self) -> Vec<(Ex, Ex)> {
        let leaf = |i: usize| Ex::leaf(Leaf::State(i as u32));
        let all = self.states.iter().enumerate();
        all.filter_map(|(i, state)| Some((leaf(i), state.derivative?))).collect()
    }

    /// Expressions as they are while initial values are determined: states have their initial
    /// values, and nonlinear blocks start at theirs.
    pub fn at_start(&self, expressions: &[Ex]) -> Vec<Ex> {
        let leaf = |i: usize| Ex::leaf(Leaf::State(i as u32));
        let mut by: Vec<(Ex, Ex)> =
            self.states.iter().enumerate().map(|(i, state)| (leaf(i), state.start)).collect();
        by.push((Ex(self.initial().0), Ex(Bool::constant(true).0)));
        for block in &self.blocks {
            // After the unknowns stands the sign of the determinant: either one is right.
            by.extend(block.anchors().zip(block.initial.iter().copied().chain([Ex::zero()])));
        }
        substitute(expressions, &by)
    }

    /// Default values of all parameters and start values.
    pub fn parameter_values(&self) -> Vec<f64> {
        self.parameters.clone()
    }

    fn slot(&mut self, leaf: Ex) -> (f64, u32) {
        if let Some(Leaf::Parameter(slot)) = leaf.as_leaf() {
            return (self.parameters[slot as usize], slot);
        }
        self.refuse(Error::Definition(format!("{leaf:?} is not the place of a start value")));
        (0.0, 0)
    }

    /// A continuous state whose initial value is the start value in `slot`, which can be set.
    pub fn state_from_slot(&mut self, name: &str, slot: Ex) -> Declared<'_, Ex> {
        let (value, index) = self.slot(slot);
        let leaf = Ex::leaf(Leaf::State(self.states.len() as u32));
        self.states.push(StateEquation {
            name: name.to_owned(),
            start: slot,
            derivative: None,
            reinits: Vec::new(),
            nominal: 1.0,
        });
        self.declare(name, Role::Local, leaf.into(), Start::Exact(value, Some(index)), leaf)
    }

    /// Publishes a local variable that has the start value in `slot` after initialization.
    pub fn exact_from_slot(
        &mut self,
        name: &str,
        value: impl Into<Quantity>,
        slot: Ex,
    ) -> Declared<'_, ()> {
        let (start, index) = self.slot(slot);
        self.declare(name, Role::Local, value.into(), Start::Exact(start, Some(index)), ())
    }

    /// Publishes a local variable for whose initial value `slot` holds a guess.
    pub fn approx_from_slot(
        &mut self,
        name: &str,
        value: impl Into<Quantity>,
        slot: Ex,
    ) -> Declared<'_, ()> {
        let (guess, index) = self.slot(slot);
        self.declare(name, Role::Local, value.into(), Start::Approx(guess, index), ())
    }

    /// Gives a calculated parameter, declared with any expression, its final one.
    pub fn define_calculated(&mut self, parameter: Ex, initial: impl Into<Ex>) {
        match parameter.as_leaf() {
            Some(Leaf::Calculated(i)) => self.calculated[i as usize].1 = initial.into(),
            _ => self.refuse(Error::Definition(format!("{parameter:?} is not calculated"))),
        }
    }

    /// A relation whose residual follows by [`Model::define_relation`].
    pub fn declare_relation(&mut self, name: &str) -> Relation {
        match self.relation(name, -1.0).done().as_leaf() {
            Some(Leaf::Relation(i)) => Relation(i),
            _ => unreachable!("a relation is a leaf"),
        }
    }

    /// The residual of a declared relation: true where it is positive, false where not `active`.
    pub fn define_relation(&mut self, relation: Relation, residual: impl Into<Ex>, active: Bool) {
        let equation = &mut self.relations[relation.0 as usize];
        equation.residual = residual.into();
        equation.active = active;
    }

    /// [`Model::newton_with_initial`] for a block that counts as singular where `regular`, an
    /// expression of the unknowns, does not hold.
    ///
    /// # Panics
    /// If the numbers differ or an unknown is not a symbol.
    pub fn newton_where(
        &mut self,
        regular: Bool,
        name: &str,
        unknowns: &[Ex],
        residuals: &[Ex],
        initial: &[Ex],
    ) -> Vec<Ex> {
        self.add_block(name, unknowns, residuals, initial, None, regular)
    }

    /// The anchors of the nonlinear block declared last: its unknowns, without the sign.
    pub fn last_anchors(&self) -> Vec<Ex> {
        let anchors = |block: &AnchoredBlock| -> Vec<Ex> {
            block.anchors().take(block.symbols.len()).collect()
        };
        self.blocks.last().map(anchors).unwrap_or_default()
    }

    /// Publishes an output with the type, unit and description of the variable `like`, if there is
    /// one of that name.
    pub fn output_like(&mut self, name: &str, value: impl Into<Quantity>, like: &str) {
        let mut declaration = Declaration::new(name, Role::Output, value.into(), Start::None);
        if let Some(v) = self.variables.iter().find(|v| v.name == like) {
            declaration.description.clone_from(&v.description);
            declaration.unit.clone_from(&v.unit);
            declaration.display_unit.clone_from(&v.display_unit);
            declaration.kind = v.kind.clone();
            declaration.discrete = v.discrete;
            declaration.nominal = v.nominal;
        }
        self.variables.push(declaration);
    }

    /// Replaces leaves by expressions in everything declared so far.
    pub fn substitute(&mut self, by: &[(Ex, Ex)]) {
        let mut all = Vec::new();
        self.for_each_expression(&mut |id| all.push(Ex(*id)));
        let mut replaced = substitute(&all, by).into_iter();
        self.for_each_expression(&mut |id| {
            if let Some(ex) = replaced.next() {
                *id = ex.0;
            }
        });
    }

    fn for_each_expression(&mut self, f: &mut dyn FnMut(&mut Id)) {
        for v in &mut self.variables {
            match &mut v.quantity {
                Quantity::Real(ex) => f(&mut ex.0),
                Quantity::Truth(b) => f(&mut b.0),
            }
        }
        for state in &mut self.states {
            f(&mut state.start.0);
            if let Some(derivative) = &mut state.derivative {
                f(&mut derivative.0);
            }
            for (when, value) in &mut state.reinits {
                f(&mut when.0);
                f(&mut value.0);
            }
        }
        for (_, initial) in &mut self.calculated {
            f(&mut initial.0);
        }
        for update in self.discretes.iter_mut().filter_map(|d| d.update.as_mut()) {
            f(&mut update.0);
        }
        for relation in &mut self.relations {
            f(&mut relation.residual.0);
            f(&mut relation.active.0);
        }
        for block in &mut self.blocks {
            block.solution.iter_mut().chain(&mut block.initial).for_each(|ex| f(&mut ex.0));
            f(&mut block.sign.0);
            f(&mut block.determinant.0);
            if let Some(sign) = &mut block.initial_sign {
                f(&mut sign.0);
            }
        }
        f(&mut self.terminate.0);
    }
}
