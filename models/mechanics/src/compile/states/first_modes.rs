//! The modes in which initial conditions are assigned to the start values that they determine.

use crate::statements::algebra::numeric::Numeric;
use equations::{Ex, Infeasible, Leaf, ModeSearch, Model, RelationSearch, leaves_of};
use std::collections::BTreeSet;

/// Most evaluations of relations until they agree.
const MAX_EVALUATIONS: usize = 100;

/// Relations on which derivatives of the conditions depend, with their truth values at the start.
pub struct FirstModes {
    leaves: Vec<Leaf>,
    truths: Vec<Ex>,
    /// The relations that count before the first event, as places in `leaves`.
    first: Vec<usize>,
}

impl FirstModes {
    /// Those on which `values` depend, directly or by others of them; `all` are the relations of
    /// the model with their truths at the start.
    pub fn of(values: &[Ex], all: &[(Leaf, Ex)], model: &Model) -> FirstModes {
        let mut found = BTreeSet::new();
        let mut open = leaves_of(values);
        while let Some(leaf) = open.pop_first() {
            let truth = all.iter().find(|(known, _)| *known == leaf);
            if let Some((leaf, truth)) = truth.filter(|(leaf, _)| found.insert(*leaf)) {
                open.extend(leaves_of(&[*truth]).into_iter().filter(|other| other != leaf));
            }
        }
        let (leaves, truths): (Vec<Leaf>, Vec<Ex>) =
            all.iter().filter(|(leaf, _)| found.contains(leaf)).copied().unzip();
        let count = leaves_of(&model.before_events(values));
        let first = (0..leaves.len()).filter(|&i| count.contains(&leaves[i])).collect();
        FirstModes { leaves, truths, first }
    }

    /// Sets the relations to consistent truth values, if there are any.
    pub fn set_consistent(&self, numeric: &mut Numeric) {
        let mut search = RelationSearch::new(self.leaves.len());
        let mut left = MAX_EVALUATIONS;
        let agreed = search.find_consistent(|relations, truths, _| {
            left = left.checked_sub(1).ok_or(())?;
            self.set(numeric, relations);
            let values = numeric.all(&self.truths);
            truths.iter_mut().zip(values).for_each(|(truth, value)| *truth = value > 0.0);
            Ok::<_, ()>(())
        });
        if agreed.is_err() {
            self.set(numeric, search.relations());
        }
    }

    /// Tries `initialize` in these modes, and then in other modes, in the same order as the start
    /// of a simulation.
    pub fn search<T, E>(
        &self,
        numeric: &Numeric,
        mut initialize: impl FnMut(&Numeric) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut modes = ModeSearch::new(self.first.len());
        for (truth, &i) in modes.guess_mut().iter_mut().zip(&self.first) {
            *truth = numeric.get(self.leaves[i]) > 0.0;
        }
        let mut found = None;
        modes.search(|truths| {
            let mut numeric = numeric.clone();
            for (&truth, &i) in truths.iter().zip(&self.first) {
                numeric.set_leaf(self.leaves[i], f64::from(u8::from(truth)));
            }
            found = Some(initialize(&numeric).map_err(Infeasible::Immediate)?);
            Ok(())
        })?;
        Ok(found.expect("the search has ended with something"))
    }

    fn set(&self, numeric: &mut Numeric, relations: &[bool]) {
        for (&leaf, &truth) in self.leaves.iter().zip(relations) {
            numeric.set_leaf(leaf, f64::from(u8::from(truth)));
        }
    }
}
