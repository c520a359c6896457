//! The search for consistent relations at an event.
//!
//! Relations are frozen while a model is evaluated; their residuals then give new truth values. A
//! consistent set of relations is a fixed point of this map. Five methods search for it, each more
//! expensive than the one before, and always in the same order, so that results are reproducible:
//!
//! 1. Fixed-point iteration of all relations together, starting from the previous ones.
//! 2. One relation at a time, always the first inconsistent one: least-index pivoting, which
//!    terminates where the relations form a complementarity problem (Coulomb friction with constant
//!    bounds).
//! 3. The same with leniency: a relation whose residual vanishes up to rounding errors may be true
//!    or false. Otherwise their signs could decide, which may be others for each set of relations.
//! 4. All combinations of the relations that kept changing, those closest to the previous first.
//! 5. A few changes of any relations, because a relation that must change may have been consistent
//!    in all earlier searches.
//!
//! The first three methods end as soon as they return to relations from which they came: they would
//! go through the same cycle again.

use crate::combinations::Combinations;
use std::ops::ControlFlow;

/// What changes the truth value of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationKind {
    /// The sign of its residual: a state event, with an event indicator.
    State,
    /// An instant that is known in advance: a time event. The residual is this instant.
    Time,
    /// Nothing between events: the sign of its residual is evaluated at events, but causes none.
    Sampled,
}

/// A time event is due if it lies within this distance, relative to its instant.
const TIME_SLACK: f64 = 4.0 * f64::EPSILON;

impl RelationKind {
    /// The truth value of a relation with this residual at time `t` in s.
    pub fn truth(self, residual: f64, t: f64) -> bool {
        match self {
            RelationKind::Time => reached(t, residual),
            RelationKind::State | RelationKind::Sampled => residual > 0.0,
        }
    }
}

/// Whether `t` has reached an instant, up to rounding.
pub fn reached(t: f64, instant: f64) -> bool {
    t >= instant - TIME_SLACK * instant.abs()
}

/// Maximum number of relations for which all combinations are tried.
const MAX_COMBINED: usize = 14;

/// Maximum number of simultaneous changes of any relations.
const MAX_CHANGES: usize = 4;

/// Maximum number of evaluations for these changes.
const MAX_EVALUATIONS: usize = 100_000;

/// Why no consistent relations were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inconsistent<E> {
    /// The evaluation failed.
    Evaluation(E),
    /// This relation keeps changing, perhaps among others.
    Oscillates(usize),
}

impl<E> From<E> for Inconsistent<E> {
    fn from(error: E) -> Self {
        Inconsistent::Evaluation(error)
    }
}

/// Detects when a search returns to relations that it had before, by Brent's method: they are
/// compared with a checkpoint, which is renewed after 1, 2, 4, ... steps.
#[derive(Clone, Debug, Default)]
struct Cycle {
    checkpoint: Box<[bool]>,
    /// The relations that have changed since the checkpoint.
    moved: Box<[bool]>,
    /// The number of steps since the checkpoint, and that after which it is renewed.
    steps: usize,
    period: usize,
}

impl Cycle {
    /// Begins with the relations from which a search starts.
    fn begin(&mut self, relations: &[bool]) {
        self.renew(relations, 1);
    }

    /// Takes a step from relations to the next ones, which differ; returns whether these are at the
    /// checkpoint.
    fn closes(&mut self, relations: &[bool], next: &[bool]) -> bool {
        for (i, moved) in self.moved.iter_mut().enumerate() {
            *moved |= relations[i] != next[i];
        }
        self.steps += 1;
        let is_closed = *self.checkpoint == *next;
        if !is_closed && self.steps == self.period {
            self.renew(next, 2 * self.period);
        }
        is_closed
    }

    fn renew(&mut self, relations: &[bool], period: usize) {
        self.checkpoint.copy_from_slice(relations);
        self.moved.fill(false);
        (self.steps, self.period) = (0, period);
    }
}

/// The search for consistent relations, with its work space.
#[derive(Clone, Debug, Default)]
pub struct RelationSearch {
    previous: Box<[bool]>,
    relations: Box<[bool]>,
    truths: Box<[bool]>,
    moved: Box<[bool]>,
    cycle: Cycle,
    candidates: Box<[usize]>,
    combination: Box<[usize]>,
}

impl RelationSearch {
    /// A search for `n` relations.
    pub fn new(n: usize) -> Self {
        let none = || vec![false; n].into_boxed_slice();
        let no_indices = || vec![0; n].into_boxed_slice();
        RelationSearch {
            previous: none(),
            relations: none(),
            truths: none(),
            moved: none(),
            cycle: Cycle { checkpoint: none(), moved: none(), ..Cycle::default() },
            candidates: no_indices(),
            combination: no_indices(),
        }
    }

    /// Sets the relations from which the search starts.
    pub fn start_from(&mut self, previous: &[bool]) {
        self.previous.copy_from_slice(previous);
    }

    /// The relations that were found last.
    pub fn relations(&self) -> &[bool] {
        &self.relations
    }

    /// The relations that kept changing in a search that found none.
    pub fn changing(&self) -> impl Iterator<Item = usize> + '_ {
        self.moved.iter().enumerate().filter(|(_, moved)| **moved).map(|(i, _)| i)
    }

    /// Finds relations for which `evaluate` gives the same truth values; returns the number of
    /// evaluations, the last of which used the relations found. The last argument of `evaluate` is
    /// true where the present value of a relation counts as its truth value if rounding errors
    /// decide about it.
    ///
    /// # Errors
    /// If an evaluation fails, or if no consistent relations are found.
    pub fn find_consistent<E>(
        &mut self,
        mut evaluate: impl FnMut(&[bool], &mut [bool], bool) -> Result<(), E>,
    ) -> Result<usize, Inconsistent<E>> {
        let RelationSearch { previous, relations, truths, moved, cycle, .. } = self;
        let n = previous.len();
        let mut evaluations = 0;
        let mut agrees = |relations: &[bool], truths: &mut [bool], lenient: bool| {
            evaluations += 1;
            evaluate(relations, truths, lenient)?;
            Ok::<_, E>(if truths == relations {
                ControlFlow::Break(evaluations)
            } else {
                ControlFlow::Continue(())
            })
        };

        moved.fill(false);
        relations.copy_from_slice(previous);
        let sweeps = n + 8;
        cycle.begin(relations);
        for sweep in 0..sweeps {
            if let ControlFlow::Break(evaluations) = agrees(relations, truths, false)? {
                return Ok(evaluations);
            }
            if cycle.closes(relations, truths) {
                moved.copy_from_slice(&cycle.moved);
                relations.copy_from_slice(truths);
                break;
            }
            // The first half may be a transient; the second half is part of a long cycle.
            for i in 0..n {
                moved[i] |= 2 * sweep > sweeps && truths[i] != relations[i];
            }
            relations.copy_from_slice(truths);
        }

        // Relations that have converged are kept; those in a cycle start again from their previous
        // values.
        for i in 0..n {
            if !moved[i] {
                previous[i] = relations[i];
            }
        }
        let mut last = 0;
        for lenient in [false, true] {
            relations.copy_from_slice(previous);
            cycle.begin(relations);
            for _ in 0..8 * n + 100 {
                if let ControlFlow::Break(evaluations) = agrees(relations, truths, lenient)? {
                    return Ok(evaluations);
                }
                last = (0..n).find(|&i| truths[i] != relations[i]).unwrap_or(last);
                moved[last] = true;
                // From here on, `truths` holds the next relations.
                truths.copy_from_slice(relations);
                truths[last] = !relations[last];
                if cycle.closes(relations, truths) {
                    break;
                }
                relations.copy_from_slice(truths);
            }
        }

        let found = self.combined(&mut agrees)?;
        found.ok_or(Inconsistent::Oscillates(last))
    }

    /// Tries combinations of changes; returns the number of all evaluations if one is consistent.
    fn combined<E>(
        &mut self,
        mut agrees: impl FnMut(&[bool], &mut [bool], bool) -> Result<ControlFlow<usize>, E>,
    ) -> Result<Option<usize>, E> {
        let RelationSearch { previous, relations, truths, moved, candidates, combination, .. } =
            self;
        let n = previous.len();
        let changing = moved.iter().filter(|&&moved| moved).count();
        let first = if changing <= MAX_COMBINED { changing } else { 0 };
        let methods = [(first, 1 << MAX_COMBINED), (MAX_CHANGES.min(n), MAX_EVALUATIONS)];
        for (method, (max, mut left)) in methods.into_iter().enumerate() {
            let mut count = 0;
            for i in (0..n).filter(|&i| method == 1 || moved[i]) {
                candidates[count] = i;
                count += 1;
            }
            let mut combinations = Combinations::new(combination, count, max);
            while let Some(chosen) = combinations.next() {
                relations.copy_from_slice(previous);
                for &k in chosen {
                    relations[candidates[k]] = !previous[candidates[k]];
                }
                if let ControlFlow::Break(evaluations) = agrees(relations, truths, false)? {
                    return Ok(Some(evaluations));
                }
                left -= 1;
                if left == 0 {
                    break;
                }
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(previous: &[bool], law: impl Fn(&[bool]) -> Vec<bool>) -> (Option<usize>, Vec<bool>) {
        let mut search = RelationSearch::new(previous.len());
        search.start_from(previous);
        let found = search.find_consistent(|relations, truths, _| {
            truths.copy_from_slice(&law(relations));
            Ok::<_, ()>(())
        });
        (found.ok(), search.relations().to_vec())
    }

    #[test]
    fn consistent_relations_need_one_evaluation() {
        assert_eq!(find(&[true, false], <[bool]>::to_vec), (Some(1), vec![true, false]));
    }

    #[test]
    fn relations_that_exclude_each_other_are_changed_one_at_a_time() {
        let (evaluations, found) = find(&[false, false], |r| vec![!r[1], !r[0]]);
        assert!(evaluations.is_some());
        assert_eq!(found, [true, false]);
    }

    #[test]
    fn combinations_closest_to_the_previous_relations_are_found() {
        // Every evaluation leads away from the two answers, one of which is three changes away.
        let answers = [[true, true, true, false], [false, false, true, true]];
        let (evaluations, found) = find(&[false; 4], |r| {
            if answers.iter().any(|a| a == r) { r.to_vec() } else { r.iter().map(|r| !r).collect() }
        });
        assert!(evaluations.is_some());
        assert_eq!(found, [false, false, true, true]);
    }

    #[test]
    fn inconsistent_relations_are_named() {
        let mut search = RelationSearch::new(3);
        let found = search.find_consistent(|relations, truths, _| {
            truths.copy_from_slice(&[!relations[2], false, relations[0]]);
            Ok::<_, ()>(())
        });
        assert!(matches!(found, Err(Inconsistent::Oscillates(0 | 2))), "{found:?}");
        assert_eq!(search.changing().collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn rounding_errors_do_not_decide_about_relations() {
        // The residual of the first relation is a rounding error, whose sign contradicts it.
        let mut search = RelationSearch::new(2);
        search.start_from(&[false, false]);
        let mut strict = 0;
        let found = search.find_consistent(|relations, truths, lenient| {
            strict += usize::from(!lenient);
            truths.copy_from_slice(&[if lenient { relations[0] } else { !relations[0] }, true]);
            Ok::<_, ()>(())
        });
        assert!(found.unwrap() - strict < 4 && search.relations() == [false, true]);
        // Both strict searches have ended when they came back to the same relations.
        assert!(strict < 10, "{strict}");
    }

    #[test]
    fn a_long_cycle_ends_when_it_is_closed_and_changes_what_moves_in_it() {
        // A transient leads to a cycle of four; the last relation moves in the transient only. The
        // one answer is not in the cycle.
        let (evaluations, found) = find(&[false; 8], |r| {
            let mut truths = r.to_vec();
            truths[7] = true;
            if !(r[0] && r[1]) {
                (truths[0], truths[1]) = match (r[0], r[1], r[2]) {
                    (false, false, _) => (true, false),
                    (true, ..) => (false, true),
                    (_, _, more) => (false, more),
                };
                truths[2] = !r[2];
            }
            truths
        });
        // Transient and cycle; the cycle one at a time, twice; and some of its changes together.
        assert_eq!(evaluations, Some(18));
        assert_eq!(found, [true, true, false, false, false, false, false, true]);
    }

    #[test]
    fn relations_that_were_never_inconsistent_are_changed_too() {
        // The first two keep changing until the last one, which is always consistent, is changed.
        let (evaluations, found) = find(&[false; 6], |r| {
            let mut truths = r.to_vec();
            if !r[5] {
                (truths[0], truths[1]) = (!r[1], r[0]);
            }
            truths
        });
        assert!(evaluations.is_some());
        assert_eq!(found, [false, false, false, false, false, true]);
    }
}
