//! Truth values that agree with what they imply.
//!
//! Relations are frozen while a model is evaluated; the evaluation says what they should be. A
//! consistent set is a fixed point of that. It is searched for in three ways, each more patient
//! than the one before, and always in the same order, so that the answer is the same on every run:
//!
//! 1. All relations at once take over what was said, beginning with the past.
//! 2. One at a time, always the first that disagrees: least-index pivoting, which ends where the
//!    relations form a complementarity problem (Coulomb friction with constant bounds).
//! 3. All combinations of those that kept changing, those closest to the past first.

use std::ops::ControlFlow;

/// Most relations whose combinations are tried.
const MOST_COMBINED: usize = 14;

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
}

impl Settling {
    /// For `n` relations.
    pub fn new(n: usize) -> Self {
        let none = || vec![false; n].into_boxed_slice();
        Settling { past: none(), relations: none(), truths: none(), moved: none() }
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
        let Settling { past, relations, truths, moved } = self;
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

        let count = moved.iter().filter(|&&moved| moved).count();
        if count <= MOST_COMBINED {
            for changes in 0..=count {
                let mut combination = (1_u32 << changes) - 1;
                while combination < 1 << count {
                    let mut bits = combination;
                    for i in 0..n {
                        let flip = moved[i] && bits & 1 == 1;
                        relations[i] = past[i] != flip;
                        bits >>= u32::from(moved[i]);
                    }
                    if let ControlFlow::Break(evaluations) = agrees(relations, truths)? {
                        return Ok(evaluations);
                    }
                    if combination == 0 {
                        break;
                    }
                    combination = next_with_as_many_bits(combination);
                }
            }
        }
        Err(Unsettled::Oscillates(last))
    }
}

/// The next larger number with the same number of ones.
fn next_with_as_many_bits(x: u32) -> u32 {
    let low = x & x.wrapping_neg();
    let ripple = x + low;
    ripple | (((x ^ ripple) >> 2) / low)
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
    fn numbers_with_as_many_ones_are_counted_upwards() {
        let mut x = 0b0011;
        let mut seen = Vec::new();
        while x < 16 {
            seen.push(x);
            x = next_with_as_many_bits(x);
        }
        assert_eq!(seen, [0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100]);
    }
}
