//! The modes in which the search for initial values begins.
//!
//! What sticks does not accelerate, what slides has a known friction: initial values may depend on
//! relations that follow from them. They are determined with the modes fixed, and again in the
//! modes that follow, until these stay. Where that begins decides whether it ends: the equations of
//! a machine that runs may have no solution while its brake sticks. These are tried, always in the
//! same order:
//!
//! 1. The modes at the guesses of the initial values.
//! 2. All relations the other way round: what rested slides.
//! 3. Changes of the first ones, the fewest first.

use core::fmt;

use crate::settle::Choices;

/// Most modes that are tried, and most of those that fail slowly.
const MOST_BEGINNINGS: usize = 300;
const MOST_SLOW: usize = 5;

/// Why there is no start in some modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unbegun<E> {
    /// That was found soon.
    Soon(E),
    /// That was found after a long search.
    Late(E),
}

/// How many names a sentence has.
const MOST_NAMES: usize = 8;

/// The end of a sentence about equations that have no solution where the search for initial values
/// begins: other modes, of relations with these `names`, do not help.
pub fn in_no_modes<'a>(names: impl Iterator<Item = &'a str> + Clone) -> impl fmt::Display {
    InNoModes(names)
}

struct InNoModes<I>(I);

impl<'a, I: Iterator<Item = &'a str> + Clone> fmt::Display for InNoModes<I> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "nor is there a solution in other modes of ")?;
        for (k, name) in self.0.clone().take(MOST_NAMES).enumerate() {
            write!(f, "{}{name}", if k == 0 { "" } else { ", " })?;
        }
        match self.0.clone().skip(MOST_NAMES).count() {
            0 => Ok(()),
            others => write!(f, " and {others} more"),
        }
    }
}

/// Work space for a number of relations.
#[derive(Clone, Debug, Default)]
pub struct Beginnings {
    guess: Box<[bool]>,
    truths: Box<[bool]>,
    chosen: Box<[usize]>,
}

impl Beginnings {
    /// For `n` relations.
    pub fn new(n: usize) -> Self {
        let none = || vec![false; n].into_boxed_slice();
        Beginnings { guess: none(), truths: none(), chosen: vec![0; n].into_boxed_slice() }
    }

    /// The truths of the relations at the guesses.
    pub fn guess_mut(&mut self) -> &mut [bool] {
        &mut self.guess
    }

    /// Tries to `begin` with one set of truths after the other, until that succeeds.
    ///
    /// # Errors
    /// What it said about the truths at the guesses, if it never succeeds.
    pub fn search<E>(
        &mut self,
        mut begin: impl FnMut(&[bool]) -> Result<(), Unbegun<E>>,
    ) -> Result<(), E> {
        let Beginnings { guess, truths, chosen } = self;
        let mut slow = 0;
        let mut begins = |truths: &[bool]| match begin(truths) {
            Ok(()) => Ok(()),
            Err(Unbegun::Soon(error)) => Err((error, slow)),
            Err(Unbegun::Late(error)) => {
                slow += 1;
                Err((error, slow))
            }
        };
        let Err((first, _)) = begins(guess) else { return Ok(()) };
        let n = guess.len();
        if n == 0 {
            return Err(first);
        }
        truths.iter_mut().zip(&**guess).for_each(|(truth, guess)| *truth = !guess);
        if begins(truths).is_ok() {
            return Ok(());
        }
        let mut choices = Choices::new(chosen, n, n);
        for _ in 0..MOST_BEGINNINGS {
            let Some(changed) = choices.next() else { break };
            if changed.is_empty() || changed.len() == n {
                continue;
            }
            truths.copy_from_slice(guess);
            changed.iter().for_each(|&i| truths[i] = !guess[i]);
            match begins(truths) {
                Ok(()) => return Ok(()),
                Err((_, slow)) if slow >= MOST_SLOW => break,
                Err(_) => {}
            }
        }
        Err(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sets of truths that are tried until `answer` is.
    fn tried(guess: &[bool], answer: &[bool]) -> Vec<Vec<bool>> {
        let mut beginnings = Beginnings::new(guess.len());
        beginnings.guess_mut().copy_from_slice(guess);
        let mut tried = Vec::new();
        let found = beginnings.search(|truths| {
            tried.push(truths.to_vec());
            if truths == answer { Ok(()) } else { Err(Unbegun::Soon(tried.len())) }
        });
        assert_eq!(found, if answer.is_empty() { Err(1) } else { Ok(()) });
        tried
    }

    #[test]
    fn guesses_come_first_then_the_opposite_then_what_is_near() {
        assert_eq!(tried(&[true, false], &[true, false]).len(), 1);
        let all = tried(&[true, false], &[]);
        assert_eq!(all, [[true, false], [false, true], [false, false], [true, true]]);
    }

    #[test]
    fn nothing_is_tried_twice_and_the_search_ends() {
        let mut all = tried(&[false; 5], &[]);
        assert_eq!(all.len(), 32);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 32);
        assert!(tried(&[false; 40], &[]).len() <= MOST_BEGINNINGS + 2);
    }

    #[test]
    fn without_relations_there_is_one_beginning() {
        let mut count = 0;
        let found = Beginnings::new(0).search(|_| {
            count += 1;
            Err(Unbegun::Soon(count))
        });
        assert_eq!(found, Err(1));
    }

    #[test]
    fn what_fails_slowly_is_not_tried_often() {
        let mut count = 0;
        let found = Beginnings::new(8).search(|_| {
            count += 1;
            Err(Unbegun::Late(count))
        });
        assert_eq!((found, count), (Err(1), MOST_SLOW));
    }
}
