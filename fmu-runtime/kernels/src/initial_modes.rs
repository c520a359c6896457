//! The search for the first modes, with which initial values are determined.
//!
//! Initial values may depend on relations that in turn depend on them: a sticking element does not
//! accelerate, and the friction of a sliding one is known. Initial values are therefore determined
//! with fixed modes, and again with the modes that result, until the modes no longer change.
//! Whether this converges depends on the first modes: the equations of a running machine may have
//! no solution while its brake sticks. The following first modes are tried, always in this order:
//!
//! 1. The modes at the guesses of the initial values.
//! 2. All relations inverted: sticking elements slide.
//! 3. Combinations of changes of the first modes, the fewest first.

use core::fmt;

use crate::combinations::Combinations;

/// Maximum number of sets of modes that are tried, and of those that fail after a long search.
const MAX_MODES: usize = 300;
const MAX_FAILED_SEARCHES: usize = 5;

/// Why there are no initial values in certain modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infeasible<E> {
    /// The failure was found at once.
    Immediate(E),
    /// The failure was found after a long search.
    AfterSearch(E),
}

/// Maximum number of names in a message.
const MAX_NAMES: usize = 8;

/// The end of a message about initial equations without solution: the sentence says that other
/// modes of the relations with these `names` have no solution either.
pub fn in_no_modes<'a>(names: impl Iterator<Item = &'a str> + Clone) -> impl fmt::Display {
    InNoModes(names)
}

struct InNoModes<I>(I);

impl<'a, I: Iterator<Item = &'a str> + Clone> fmt::Display for InNoModes<I> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "nor is there a solution in other modes of ")?;
        for (k, name) in self.0.clone().take(MAX_NAMES).enumerate() {
            write!(f, "{}{name}", if k == 0 { "" } else { ", " })?;
        }
        match self.0.clone().skip(MAX_NAMES).count() {
            0 => Ok(()),
            others => write!(f, " and {others} more"),
        }
    }
}

/// The search for first modes, with its work space.
#[derive(Clone, Debug, Default)]
pub struct ModeSearch {
    guess: Box<[bool]>,
    truths: Box<[bool]>,
    chosen: Box<[usize]>,
}

impl ModeSearch {
    /// A search for `n` relations.
    pub fn new(n: usize) -> Self {
        let none = || vec![false; n].into_boxed_slice();
        ModeSearch { guess: none(), truths: none(), chosen: vec![0; n].into_boxed_slice() }
    }

    /// The truth values of the relations at the guesses.
    pub fn guess_mut(&mut self) -> &mut [bool] {
        &mut self.guess
    }

    /// Calls `initialize` with one set of truth values after another, until it succeeds.
    ///
    /// # Errors
    /// The error at the guesses, if it never succeeds.
    pub fn search<E>(
        &mut self,
        mut initialize: impl FnMut(&[bool]) -> Result<(), Infeasible<E>>,
    ) -> Result<(), E> {
        let ModeSearch { guess, truths, chosen } = self;
        let mut failed_searches = 0;
        let mut attempt = |truths: &[bool]| match initialize(truths) {
            Ok(()) => Ok(()),
            Err(Infeasible::Immediate(error)) => Err((error, failed_searches)),
            Err(Infeasible::AfterSearch(error)) => {
                failed_searches += 1;
                Err((error, failed_searches))
            }
        };
        let Err((first, _)) = attempt(guess) else { return Ok(()) };
        let n = guess.len();
        if n == 0 {
            return Err(first);
        }
        truths.iter_mut().zip(&**guess).for_each(|(truth, guess)| *truth = !guess);
        if attempt(truths).is_ok() {
            return Ok(());
        }
        let mut combinations = Combinations::new(chosen, n, n);
        for _ in 0..MAX_MODES {
            let Some(changed) = combinations.next() else { break };
            if changed.is_empty() || changed.len() == n {
                continue;
            }
            truths.copy_from_slice(guess);
            changed.iter().for_each(|&i| truths[i] = !guess[i]);
            match attempt(truths) {
                Ok(()) => return Ok(()),
                Err((_, failed_searches)) if failed_searches >= MAX_FAILED_SEARCHES => break,
                Err(_) => {}
            }
        }
        Err(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sets of truth values that are tried, up to and including `answer`.
    fn tried(guess: &[bool], answer: &[bool]) -> Vec<Vec<bool>> {
        let mut search = ModeSearch::new(guess.len());
        search.guess_mut().copy_from_slice(guess);
        let mut tried = Vec::new();
        let found = search.search(|truths| {
            tried.push(truths.to_vec());
            if truths == answer { Ok(()) } else { Err(Infeasible::Immediate(tried.len())) }
        });
        assert_eq!(found, if answer.is_empty() { Err(1) } else { Ok(()) });
        tried
    }

    #[test]
    fn guesses_come_first_then_the_inverse_then_few_changes() {
        assert_eq!(tried(&[true, false], &[true, false]).len(), 1);
        let all = tried(&[true, false], &[]);
        assert_eq!(all, [[true, false], [false, true], [false, false], [true, true]]);
    }

    #[test]
    fn no_modes_are_tried_twice_and_the_search_ends() {
        let mut all = tried(&[false; 5], &[]);
        assert_eq!(all.len(), 32);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 32);
        assert!(tried(&[false; 40], &[]).len() <= MAX_MODES + 2);
    }

    #[test]
    fn without_relations_there_is_one_attempt() {
        let mut count = 0;
        let found = ModeSearch::new(0).search(|_| {
            count += 1;
            Err(Infeasible::Immediate(count))
        });
        assert_eq!(found, Err(1));
    }

    #[test]
    fn failures_after_a_search_are_limited() {
        let mut count = 0;
        let found = ModeSearch::new(8).search(|_| {
            count += 1;
            Err(Infeasible::AfterSearch(count))
        });
        assert_eq!((found, count), (Err(1), MAX_FAILED_SEARCHES));
    }
}
