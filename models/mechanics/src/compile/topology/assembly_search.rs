//! The configuration with closed loops at the start: the search from the start values and, for each
//! loop that does not close there as its guesses say, from other places.

use super::closed_form;
use super::closure::{self, Guess, When};
use super::closure_search::{AWAY, CLOSED, Closure, Random};
use super::loop_structure::LoopUnknown;
use crate::error::Error;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::algebra::parts::MatrixPart;
use crate::statements::motion::level::Level;
use equations::Ex;
use nalgebra::DVector;
use std::collections::{BTreeMap, BTreeSet};

/// From how many other places a loop is tried to be closed.
const PLACES: usize = 24;

/// The number of places times the cube of the number of unknowns, to which the work of a place is
/// proportional, is at most this: large loops are tried less often.
const MOST_WORK: usize = 3_000_000;

/// How far away a length begins, relative to the largest gap of the loop.
const LENGTHS_AWAY: f64 = 2.0;

/// Two configurations whose guesses are missed by amounts that differ by less are equally good.
const EQUALLY_NEAR: f64 = 1e-3;

/// Loops that no coordinate joins with others.
struct IndependentLoops {
    rows: Vec<usize>,
    unknowns: Vec<usize>,
    residuals: Vec<Ex>,
    /// Positive where no joint is turned round.
    aligned: Vec<Ex>,
    guesses: Vec<Guess>,
}

impl Closure<'_> {
    /// A configuration with closed loops, near the start values, with notes about loops that do not
    /// close there.
    pub fn close(&self, numeric: &mut Numeric) -> Result<(DVector<f64>, Vec<String>), Error> {
        let initial = self.select(Level::Position, |when| when != When::AfterStart);
        let begin = DVector::from_iterator(
            self.unknowns.len(),
            self.unknowns.iter().map(|unknown| unknown.start),
        );
        let held = self.held();
        let mut q = self.close_from(numeric, begin.clone(), &initial, &held);
        let mut notes = Vec::new();
        for loops in self.independent_loops(&initial, &held) {
            let missed = self.missed(numeric, &q, &loops);
            if missed.is_some_and(|[most, _]| most <= 1.0) {
                continue;
            }
            if let Some(found) = self.close_elsewhere(numeric, (&begin, &q), missed, &loops) {
                if missed.is_none() {
                    notes.push(self.closed_elsewhere(&found, &loops.rows, &loops.unknowns));
                }
                q = found;
            } else if self.gap(numeric, &q, &loops) > CLOSED {
                return Err(self.cannot_close(numeric, &q, &initial));
            }
        }
        Ok((q, notes))
    }

    /// The unknowns that nothing moves.
    pub fn held(&self) -> Vec<bool> {
        self.unknowns.iter().map(|u| u.is_known(Level::Position) || u.given).collect()
    }

    fn independent_loops(&self, initial: &[usize], held: &[bool]) -> Vec<IndependentLoops> {
        let loops = |MatrixPart { rows, columns }| {
            let residuals = rows.iter().map(|&row| self.rows[row].gap()).collect();
            let (aligned, guesses) = Default::default();
            IndependentLoops { rows, unknowns: columns, residuals, aligned, guesses }
        };
        // Those without unknowns are equations between parts that are held.
        let mut all: Vec<IndependentLoops> =
            self.parts(initial, held).into_iter().map(loops).collect();
        let mut own = BTreeMap::new();
        for (i, loops) in all.iter().enumerate() {
            own.extend(loops.unknowns.iter().map(|&k| (k, i)));
        }
        let occurring = self.occurring(held);
        let of = |ex: Ex| -> BTreeSet<usize> {
            occurring(ex).iter().filter_map(|k| own.get(k)).copied().collect()
        };
        for &measure in &self.guide.aligned {
            of(measure).into_iter().for_each(|i| all[i].aligned.push(measure));
        }
        for guess in &self.guide.guesses {
            of(guess.gap).into_iter().for_each(|i| all[i].guesses.push(guess.clone()));
        }
        all
    }

    /// The largest residual of some loops.
    fn gap(&self, numeric: &mut Numeric, q: &DVector<f64>, loops: &IndependentLoops) -> f64 {
        self.place(numeric, q);
        let gap = DVector::from_vec(numeric.all(&loops.residuals)).amax();
        if gap.is_nan() { f64::INFINITY } else { gap }
    }

    /// By how much a configuration misses the guesses about some loops: the most and all together.
    /// `None` if they are not closed, or if a joint is turned round.
    fn missed(
        &self,
        numeric: &mut Numeric,
        q: &DVector<f64>,
        loops: &IndependentLoops,
    ) -> Option<[f64; 2]> {
        let closed = self.gap(numeric, q, loops) <= CLOSED;
        let aligned = numeric.all(&loops.aligned).into_iter().all(|measure| measure > 0.0);
        let missed = closure::missed(&loops.guesses, numeric);
        let most = missed.iter().copied().fold(0.0, f64::max);
        (closed && aligned).then(|| [most, missed.iter().sum()])
    }

    /// Searches for the configuration that misses the guesses about some loops by the least, from
    /// other places than `begin`. `None` if no configuration misses the guesses by less than
    /// `missed`. All other coordinates remain at `q`.
    fn close_elsewhere(
        &self,
        numeric: &mut Numeric,
        (begin, q): (&DVector<f64>, &DVector<f64>),
        missed: Option<[f64; 2]>,
        loops: &IndependentLoops,
    ) -> Option<DVector<f64>> {
        let mut held = vec![true; begin.len()];
        loops.unknowns.iter().for_each(|&k| held[k] = false);
        let size = self.gap(numeric, begin, loops);
        let size = if size.is_finite() && size > 0.0 { size } else { 1.0 };
        let away = |unit: &str| if unit == "m" { LENGTHS_AWAY * size } else { AWAY };
        let places = (MOST_WORK / loops.unknowns.len().pow(3).max(1)).min(PLACES);
        let mut least = missed.map(|[_, sum]| sum);
        let mut best = None;
        let mut random = Random::default();
        for place in 0..places {
            let mut other = q.clone();
            for &k in &loops.unknowns {
                let unknown: &LoopUnknown = &self.unknowns[k];
                // Guesses are given up last.
                let guessed = unknown.given_guess || unknown.approached;
                let moves = !guessed || place >= places / 2;
                other[k] = begin[k] + if moves { away(unknown.unit) * random.next() } else { 0.0 };
            }
            let other = self.close_from(numeric, other, &loops.rows, &held);
            if let Some([most, sum]) = self.missed(numeric, &other, loops)
                && least.is_none_or(|least| sum < least - EQUALLY_NEAR)
            {
                (least, best) = (Some(sum), Some(other));
                if most <= 1.0 {
                    break;
                }
            }
        }
        best
    }

    /// The configuration to which a search for some rows from a point leads.
    fn close_from(
        &self,
        numeric: &mut Numeric,
        mut q: DVector<f64>,
        rows: &[usize],
        held: &[bool],
    ) -> DVector<f64> {
        // Guesses of the text are kept until the other unknowns are found.
        let guessed = self.unknowns.iter().map(|u| u.approached || u.given_guess);
        let held_first: Vec<bool> = guessed.zip(held).map(|(g, &held)| g || held).collect();
        if held_first != held {
            self.assemble(numeric, &mut q, rows, &held_first);
        }
        // Coordinates in closed form depend on the other coordinates, which may move in between.
        for _ in 0..3 {
            let values = q.as_mut_slice();
            let again = closed_form::preset(self.rows, rows, self.unknowns, held, numeric, values);
            let error = self.assemble(numeric, &mut q, rows, held);
            if !again || error <= CLOSED {
                break;
            }
        }
        q
    }
}
