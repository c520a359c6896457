//! Truth values that agree with what they imply.
//!
//! Relations are frozen while a model is evaluated; the evaluation says what they should be. A
//! consistent set is a fixed point of that. It is searched for in four ways, each more patient
//! than the one before, and always in the same order, so that the answer is the same on every run:
//!
//! 1. All relations at once take over what was said, beginning with the past.
//! 2. One at a time, always the first that disagrees: least-index pivoting, which ends where the
//!    relations form a complementarity problem (Coulomb friction with constant bounds).
//! 3. All combinations of those that kept changing, those closest to the past first.
//! 4. A few changes of any relations: one that must change need not be among those that disagreed
//!    on the way, where another answer was closer but is none.

use std::ops::ControlFlow;

/// What changes a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationKind {
    /// The sign of its residual: a state event, with an event indicator.
    State,
    /// An instant that is known in advance, which is its residual: a time event.
    Time,
    /// Nothing between events: events look at the sign of its residual and cause none.
    Sampled,
}

/// A time event within this many units of rounding is due.
const TIME_SLACK: f64 = 4.0 * f64::EPSILON;

impl RelationKind {
    /// The truth of a relation with this residual at time `t` in s.
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

/// Most relations all combinations of which are tried.
const MOST_COMBINED: usize = 14;

/// Most changes of any relations that are tried.
const MOST_CHANGES: usize = 4;

/// Most evaluations for these changes.
const MOST_EVALUATIONS: usize = 100_000;

/// Why no consistent truth values were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsettled<E> {
    /// The evaluation failed.
    Evaluation(E),
    /// This relation, among others, keeps changing.
    Oscillates(usize),
}

impl<E> From<E> for Unsettled<E> {
    fn from(error: E) -> Self {
        Unsettled::Evaluation(error)
    }
}

/// Work space for a number of relations.
#[derive(Clone, Debug, Default)]
pub struct Settling {
    past: Box<[bool]>,
    relations: Box<[bool]>,
    truths: Box<[bool]>,
    moved: Box<[bool]>,
    candidates: Box<[usize]>,
    combination: Box<[usize]>,
}

impl Settling {
    /// For `n` relations.
    pub fn new(n: usize) -> Self {
        let none = || vec![false; n].into_boxed_slice();
        let no_indices = || vec![0; n].into_boxed_slice();
        Settling {
            past: none(),
            relations: none(),
            truths: none(),
            moved: none(),
            candidates: no_indices(),
            combination: no_indices(),
        }
    }

    /// Sets the relations with which the search begins.
    pub fn begin_at(&mut self, past: &[bool]) {
        self.past.copy_from_slice(past);
    }

    /// The answer that was found last.
    pub fn relations(&self) -> &[bool] {
        &self.relations
    }

    /// Finds relations for which `evaluate` gives the same truth values; gives the number of
    /// evaluations. The last evaluation was that of the answer.
    ///
    /// # Errors
    /// If an evaluation fails, or if there is no answer.
    pub fn settle<E>(
        &mut self,
        mut evaluate: impl FnMut(&[bool], &mut [bool]) -> Result<(), E>,
    ) -> Result<usize, Unsettled<E>> {
        let Settling { past, relations, truths, moved, candidates, combination } = self;
        let n = past.len();
        let mut evaluations = 0;
        let mut agrees = |relations: &[bool], truths: &mut [bool]| {
            evaluations += 1;
            evaluate(relations, truths)?;
            Ok::<_, E>(if truths == relations {
                ControlFlow::Break(evaluations)
            } else {
                ControlFlow::Continue(())
            })
        };

        moved.fill(false);
        relations.copy_from_slice(past);
        let sweeps = n + 8;
        for sweep in 0..sweeps {
            if let ControlFlow::Break(evaluations) = agrees(relations, truths)? {
                return Ok(evaluations);
            }
            // The first half is on the way, the second in the circle.
            for i in 0..n {
                moved[i] |= 2 * sweep > sweeps && truths[i] != relations[i];
            }
            relations.copy_from_slice(truths);
        }

        // What came to rest elsewhere stays there; what circles begins again at the past.
        for i in 0..n {
            if !moved[i] {
                past[i] = relations[i];
            }
        }
        relations.copy_from_slice(past);
        let mut last = 0;
        for _ in 0..8 * n + 100 {
            if let ControlFlow::Break(evaluations) = agrees(relations, truths)? {
                return Ok(evaluations);
            }
            last = (0..n).find(|&i| truths[i] != relations[i]).unwrap_or(last);
            relations[last] = !relations[last];
            moved[last] = true;
        }

        let changing = moved.iter().filter(|&&moved| moved).count();
        let first = if changing <= MOST_COMBINED { changing } else { 0 };
        let searches = [(first, 1 << MOST_COMBINED), (MOST_CHANGES.min(n), MOST_EVALUATIONS)];
        for (search, (most, mut left)) in searches.into_iter().enumerate() {
            let mut count = 0;
            for i in (0..n).filter(|&i| search == 1 || moved[i]) {
                candidates[count] = i;
                count += 1;
            }
            let mut choices = Choices::new(combination, count, most);
            while let Some(chosen) = choices.next() {
                relations.copy_from_slice(past);
                for &k in chosen {
                    relations[candidates[k]] = !past[candidates[k]];
                }
                if let ControlFlow::Break(evaluations) = agrees(relations, truths)? {
                    return Ok(evaluations);
                }
                left -= 1;
                if left == 0 {
                    break;
                }
            }
        }
        Err(Unsettled::Oscillates(last))
    }
}

/// Choices of up to `most` of the numbers below `end`, the fewest first, those of as many in the
/// order of the largest that differs.
pub(crate) struct Choices<'a> {
    chosen: &'a mut [usize],
    end: usize,
    most: usize,
    /// How many the next choice has; none before the first one.
    next: Option<usize>,
}

impl<'a> Choices<'a> {
    /// `chosen` is work space for `most` numbers.
    pub fn new(chosen: &'a mut [usize], end: usize, most: usize) -> Self {
        Choices { chosen, end, most: most.min(end), next: None }
    }

    /// The next one.
    pub fn next(&mut self) -> Option<&[usize]> {
        let size = match self.next {
            None => 0,
            Some(size) if advance(&mut self.chosen[..size], self.end) => size,
            Some(size) if size < self.most => {
                (0..=size).for_each(|k| self.chosen[k] = k);
                size + 1
            }
            Some(_) => return None,
        };
        self.next = Some(size);
        Some(&self.chosen[..size])
    }
}

/// The next choice of as many numbers below `end`, in the order of the largest that differs.
fn advance(chosen: &mut [usize], end: usize) -> bool {
    let limit = |k: usize| chosen.get(k + 1).copied().unwrap_or(end);
    let Some(next) = (0..chosen.len()).find(|&k| chosen[k] + 1 < limit(k)) else {
        return false;
    };
    chosen[next] += 1;
    (0..next).for_each(|k| chosen[k] = k);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settle(past: &[bool], law: impl Fn(&[bool]) -> Vec<bool>) -> (Option<usize>, Vec<bool>) {
        let mut settling = Settling::new(past.len());
        settling.begin_at(past);
        let found = settling.settle(|relations, truths| {
            truths.copy_from_slice(&law(relations));
            Ok::<_, ()>(())
        });
        (found.ok(), settling.relations().to_vec())
    }

    #[test]
    fn what_agrees_is_found_by_one_evaluation() {
        assert_eq!(settle(&[true, false], <[bool]>::to_vec), (Some(1), vec![true, false]));
    }

    #[test]
    fn two_that_want_to_be_unlike_are_settled_one_at_a_time() {
        let (evaluations, found) = settle(&[false, false], |r| vec![!r[1], !r[0]]);
        assert!(evaluations.is_some());
        assert_eq!(found, [true, false]);
    }

    #[test]
    fn what_only_a_search_finds_is_found_nearest_to_the_past() {
        // Everything points away from the two answers, of which one is three changes away.
        let answers = [[true, true, true, false], [false, false, true, true]];
        let (evaluations, found) = settle(&[false; 4], |r| {
            if answers.iter().any(|a| a == r) { r.to_vec() } else { r.iter().map(|r| !r).collect() }
        });
        assert!(evaluations.is_some());
        assert_eq!(found, [false, false, true, true]);
    }

    #[test]
    fn what_contradicts_itself_is_named() {
        let mut settling = Settling::new(2);
        let found = settling.settle(|relations, truths| {
            truths.copy_from_slice(&[false, !relations[1]]);
            Ok::<_, ()>(())
        });
        assert_eq!(found, Err(Unsettled::Oscillates(1)));
    }

    #[test]
    fn what_never_disagreed_is_changed_too() {
        // The first two turn round and round until the last one, which always agrees, is changed.
        let (evaluations, found) = settle(&[false; 6], |r| {
            let mut truths = r.to_vec();
            if !r[5] {
                (truths[0], truths[1]) = (!r[1], r[0]);
            }
            truths
        });
        assert!(evaluations.is_some());
        assert_eq!(found, [false, false, false, false, false, true]);
    }

    #[test]
    fn choices_follow_each_other_in_the_order_of_the_largest_that_differs() {
        let mut chosen = [0, 1];
        let mut seen = vec![chosen];
        while advance(&mut chosen, 4) {
            seen.push(chosen);
        }
        assert_eq!(seen, [[0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3]]);
    }
}
