//! Values that are used before they are known.
//!
//! A signal may read what follows from accelerations and torques, a prescribed motion may follow a
//! sensor. Whoever reads too early gets a placeholder. At the end each placeholder has a value,
//! which may contain others: those are put in, and where values depend on each other in a ring
//! (an algebraic loop) the ring is solved.

use super::balance::solve;
use super::graph::strongly_connected;
use super::numeric::Numeric;
use super::structure::UnknownParameter;
use crate::error::Error;
use equations::{
    Ex, Leaf, Model, depends_on, differentiate, jacobian, join_blocks, leaves_of, newton,
    substitute, unconfirmed,
};
use std::collections::BTreeMap;

/// A placeholder and its value.
struct Pair {
    name: String,
    symbol: Ex,
    value: Ex,
}

/// A placeholder of an initial value or a parameter that the initial system determines.
struct Unknown {
    name: String,
    symbol: Ex,
    guess: Ex,
}

/// Placeholders and what replaces them.
#[derive(Default)]
pub struct Late {
    pairs: Vec<Pair>,
    unknowns: Vec<Unknown>,
    /// What vanishes at the start, with a name for messages.
    gaps: Vec<(String, Ex)>,
    /// Calculated parameters with their placeholders among the unknowns.
    parameters: Vec<(Ex, Ex)>,
    rates: Vec<(String, Ex, Ex)>,
}

impl Late {
    /// A placeholder's value; `name` is for messages.
    pub fn add(&mut self, name: &str, symbol: Ex, value: Ex) {
        self.pairs.push(Pair { name: name.to_owned(), symbol, value });
    }

    /// A placeholder that is the derivative, with respect to time, of another one's value.
    pub fn add_rate(&mut self, name: &str, symbol: Ex, of: Ex) {
        self.rates.push((name.to_owned(), symbol, of));
    }

    /// A placeholder that the initial system determines.
    pub fn add_unknown(&mut self, name: &str, symbol: Ex, guess: Ex) {
        self.unknowns.push(Unknown { name: name.to_owned(), symbol, guess });
    }

    /// A parameter that the initial system determines.
    pub fn add_parameter(&mut self, unknown: &UnknownParameter) {
        self.add_unknown(&unknown.name, unknown.symbol, unknown.guess.into());
        self.parameters.push((unknown.parameter, unknown.symbol));
    }

    /// What vanishes at the start; `name` is for messages.
    pub fn add_gap(&mut self, name: &str, gap: Ex) {
        self.gaps.push((name.to_owned(), gap));
    }

    /// Replaces all placeholders in the model.
    pub fn finish(mut self, model: &mut Model) -> Result<(), Error> {
        self.differentiate(model)?;
        if self.pairs.is_empty() && self.gaps.is_empty() && self.unknowns.is_empty() {
            return Ok(());
        }
        let solved = self.solve(model)?;
        let initial = self.solve_at_start(&solved, model)?;
        model.substitute(&solved);
        model.substitute(&initial);
        Ok(())
    }

    /// The initial values that make the gaps vanish.
    fn solve_at_start(&self, solved: &[(Ex, Ex)], model: &Model) -> Result<Vec<(Ex, Ex)>, Error> {
        if let Some(unknown) = self.unknowns.get(self.gaps.len()) {
            return Err(Error::Initial(format!(
                "{}: it is unknown, but there is no initial condition that determines it",
                unknown.name
            )));
        }
        if let Some((name, _)) = self.gaps.get(self.unknowns.len()) {
            return Err(Error::Initial(format!(
                "{name}: its fixed initial acceleration is one too many: leave a start value free \
                 or make a parameter unknown"
            )));
        }
        let gaps: Vec<Ex> = self.gaps.iter().map(|g| g.1).collect();
        let symbols: Vec<Ex> = self.unknowns.iter().map(|u| u.symbol).collect();
        let guesses: Vec<Ex> = self.unknowns.iter().map(|u| u.guess).collect();
        if gaps.is_empty() {
            return Ok(Vec::new());
        }
        // Initial values contain placeholders in their turn, whose values contain states again.
        let known = |gaps: &[Ex]| {
            let gaps = substitute(&substitute(gaps, solved), &self.parameters);
            model.at_start(&gaps)
        };
        let mut gaps = known(&gaps);
        for _ in 0..solved.len() + 3 {
            let next = known(&gaps);
            if next == gaps {
                break;
            }
            gaps = next;
        }
        // The motion itself confirms angles and closed forms.
        let gaps = unconfirmed(&gaps);
        let matrix = jacobian(&gaps, &symbols);
        let nothing = |row: &Vec<Ex>| row.iter().all(|x| x.is_constant_zero());
        if let Some(k) = matrix.iter().position(nothing) {
            return Err(Error::Initial(format!(
                "{}: the initial acceleration depends on no initial value that is free",
                self.gaps[k].0
            )));
        }
        let names: Vec<&str> = self.gaps.iter().map(|g| g.0.as_str()).collect();
        let name = format!("initial accelerations by {}", names.join(", "));
        if is_singular(&matrix, &symbols, &guesses, &Numeric::new(model)) {
            return Err(Error::Initial(format!(
                "{}: the fixed initial accelerations do not determine the start values that are \
                 free: fix these, or others",
                names.join(", ")
            )));
        }
        // Positions of loops that depend on the unknowns are found together with them.
        let all = join_blocks(&gaps, &symbols, &guesses);
        let values = newton(&name, &all.unknowns, &all.residuals, &all.guesses);
        Ok(symbols.into_iter().zip(values).collect())
    }

    /// Writes derivatives with respect to time as expressions of the derivatives of the states.
    fn differentiate(&mut self, model: &mut Model) -> Result<(), Error> {
        if self.rates.is_empty() {
            return Ok(());
        }
        let mut seeds = vec![(Ex::leaf(Leaf::Time), Ex::one())];
        let mut of_states = Vec::new();
        for (state, derivative) in model.derivatives() {
            // The derivative of a position is a speed; others are known only at the end.
            if derivative.as_leaf().is_some() {
                seeds.push((state, derivative));
            } else {
                let rate = Ex::symbol();
                seeds.push((state, rate));
                of_states.push((rate, derivative));
            }
        }
        for (name, symbol, other) in std::mem::take(&mut self.rates) {
            let value = self.value_in_states(&name, other)?;
            if of_states.iter().any(|&(rate, _)| depends_on(&[value], rate)) {
                return Err(Error::Structure(format!(
                    "{name}: the motion that it prescribes follows a speed that is no state, so its \
                     acceleration is not known"
                )));
            }
            self.add(&name, symbol, differentiate(&[value], &seeds)[0]);
        }
        for (rate, derivative) in of_states {
            self.add("the derivative of a state", rate, derivative);
        }
        Ok(())
    }

    /// A placeholder's value with all placeholders replaced that have one.
    fn value_in_states(&self, name: &str, symbol: Ex) -> Result<Ex, Error> {
        let by: BTreeMap<Leaf, Ex> =
            self.pairs.iter().filter_map(|p| Some((p.symbol.as_leaf()?, p.value))).collect();
        let mut value = symbol;
        for _ in 0..=self.pairs.len() {
            let inside: Vec<(Ex, Ex)> = leaves_of(&[value])
                .into_iter()
                .filter(|leaf| matches!(leaf, Leaf::Symbol(_)))
                .filter_map(|leaf| Some((Ex::leaf(leaf), *by.get(&leaf)?)))
                .collect();
            if inside.is_empty() {
                return Ok(value);
            }
            value = substitute(&[value], &inside)[0];
        }
        Err(Error::Structure(format!("{name}: the motion that it prescribes depends on itself")))
    }

    /// All values without placeholders.
    fn solve(&self, model: &mut Model) -> Result<Vec<(Ex, Ex)>, Error> {
        let index: BTreeMap<Leaf, usize> = self
            .pairs
            .iter()
            .enumerate()
            .filter_map(|(i, p)| Some((p.symbol.as_leaf()?, i)))
            .collect();
        let uses: Vec<Vec<usize>> = self
            .pairs
            .iter()
            .map(|p| leaves_of(&[p.value]).iter().filter_map(|l| index.get(l).copied()).collect())
            .collect();
        let mut solved: Vec<(Ex, Ex)> = Vec::new();
        for ring in strongly_connected(&uses) {
            let values: Vec<Ex> = ring.iter().map(|&i| self.pairs[i].value).collect();
            let values = substitute(&values, &solved);
            let symbols: Vec<Ex> = ring.iter().map(|&i| self.pairs[i].symbol).collect();
            let alone = ring.len() == 1 && !uses[ring[0]].contains(&ring[0]);
            let values = if alone { values } else { self.close(&ring, &symbols, &values, model) };
            solved.extend(symbols.into_iter().zip(values));
        }
        Ok(solved)
    }

    /// Solves values that depend on each other.
    fn close(&self, ring: &[usize], symbols: &[Ex], values: &[Ex], model: &mut Model) -> Vec<Ex> {
        let residuals: Vec<Ex> = values.iter().zip(symbols).map(|(&v, &s)| v - s).collect();
        let mut names: Vec<&str> = ring.iter().map(|&i| self.pairs[i].name.as_str()).collect();
        names.dedup();
        let name = format!("algebraic loop through {}", names.join(", "));
        let guesses = vec![Ex::zero(); symbols.len()];
        solve(model, &name, &jacobian(&residuals, symbols), &residuals, symbols, &guesses)
    }
}

/// How far from the guesses, in the units of the unknowns, a matrix is looked at.
const NEARBY: [f64; 4] = [0.0, 0.1, -0.07, 0.23];

/// Singular values below this part of the largest element count as zero.
const ZERO: f64 = 1e-9;

/// Whether a matrix is singular at the guesses of the unknowns and near them, as far as numbers are
/// known when the FMU is generated.
fn is_singular(matrix: &[Vec<Ex>], unknowns: &[Ex], guesses: &[Ex], numeric: &Numeric) -> bool {
    let n = matrix.len();
    let mut numeric = numeric.clone();
    let near = numeric.all(guesses);
    NEARBY.into_iter().all(|away| {
        for (k, (&unknown, value)) in unknowns.iter().zip(&near).enumerate() {
            numeric.set(unknown, value + away * (1.0 + k as f64 / n as f64));
        }
        let at = nalgebra::DMatrix::from_row_slice(n, n, &numeric.all(&matrix.concat()));
        at.iter().all(|element| element.is_finite()) && at.rank(ZERO * at.amax()) < n
    })
}
