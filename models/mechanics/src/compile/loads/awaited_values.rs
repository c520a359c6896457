//! Values that are used before they are known.
//!
//! A signal may read values that follow from accelerations and torques; a prescribed motion may
//! depend on a sensor. A value that is read too early is a placeholder. At the end, each
//! placeholder has a value, which may contain other placeholders. These are replaced by their
//! values; values that depend on each other in a cycle (an algebraic loop) are solved together.

use crate::compile::states::initial_system::InitialSystem;
use crate::error::Error;
use crate::statements::algebra::equation_blocks::{is_linear, solve};
use crate::statements::algebra::graph_search::{depends_on_any, is_cyclic, strongly_connected};
use crate::statements::laws::signal_view::{SignalRate, SignalView};
use equations::{
    Ex, Expression, Factor, Leaf, Model, depends_on, differentiate, jacobian, leaves_of,
    nested_block, substitute,
};
use std::collections::BTreeMap;

/// A placeholder and its value.
struct Pair {
    name: String,
    symbol: Ex,
    value: Ex,
    /// Where a search for the value begins.
    guess: f64,
}

/// Placeholders and the values that replace them.
#[derive(Default)]
pub struct AwaitedValues {
    pairs: Vec<Pair>,
    /// The residuals that vanish at the start, and the unknowns that they determine.
    pub start: InitialSystem,
    rates: Vec<Rate>,
}

/// A placeholder that is the derivative of a value with respect to time.
struct Rate {
    name: String,
    symbol: Ex,
    of: Ex,
    /// Whether it is the derivative of a prescribed motion, on which accelerations depend.
    prescribed: bool,
}

impl AwaitedValues {
    /// A placeholder's value; `name` is for messages, with commas where it stands for a cycle.
    pub fn add(&mut self, name: &str, symbol: Ex, value: Ex) {
        self.add_guessed(name, symbol, value, 0.0);
    }

    /// A placeholder's value, for which a search begins at a guess if it belongs to a cycle.
    pub fn add_guessed(&mut self, name: &str, symbol: Ex, value: Ex, guess: f64) {
        self.pairs.push(Pair { name: name.to_owned(), symbol, value, guess });
    }

    /// A placeholder that is the derivative, with respect to time, of another one's value, where
    /// both belong to a prescribed motion.
    pub fn add_rate(&mut self, name: &str, symbol: Ex, of: Ex) {
        self.rates.push(Rate { name: name.to_owned(), symbol, of, prescribed: true });
    }

    /// Adds the values of placeholders of circuits, and the start values of their states.
    pub fn add_circuits(&mut self, solution: circuits::Solution, model: &mut Model) {
        for of in solution.values {
            self.add(&of.name, of.symbol, of.value);
        }
        for steady in solution.steady {
            self.start.add_steady(steady, model);
        }
        for (variable, state) in solution.open {
            self.start.open_state(&variable, state, model);
        }
    }

    /// Adds the values of variables that were read before they were known, and the derivatives of
    /// signals.
    pub fn add_early(&mut self, e: &SignalView<'_>) -> Result<(), Error> {
        for (&source, early) in &e.early {
            let name = e.full_of(source);
            let cycle: Vec<String> = early.cycle.iter().map(|&port| e.full_of(port)).collect();
            // Whatever is published can be read, also where no law made a signal of it.
            let value = e.quantities.get(&source).copied();
            let Some(value) = value.or_else(|| e.model.expression_of(&name)) else {
                return Err(Error::Connection(format!("{name}: {}", e.absence(source))));
            };
            let value = match value {
                Expression::Real(ex) => ex,
                Expression::Truth(b) => b.as_ex(),
            };
            self.add(&cycle.join(", "), early.symbol, value);
        }
        for &SignalRate { component, symbol, of } in &e.rates {
            let name = e.name_of(component).to_owned();
            self.rates.push(Rate { name, symbol, of, prescribed: false });
        }
        Ok(())
    }

    /// Replaces all placeholders in the model.
    pub fn finish(mut self, model: &mut Model) -> Result<(), Error> {
        self.differentiate(model)?;
        if self.pairs.is_empty() && self.start.is_empty() {
            self.start.note_guessed(&[], model);
            return Ok(());
        }
        let solved = self.solve(model)?;
        let initial = self.start.solve(&solved, model)?;
        model.substitute(&solved);
        model.replace_solutions(&initial.loops);
        model.substitute(&initial.values);
        Ok(())
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
        while let Some((rate, value)) = self.next_rate()? {
            let Rate { name, symbol, prescribed, .. } = rate;
            let value = match depends_on_any(value, &of_states) {
                true if prescribed => {
                    return Err(Error::Structure(format!(
                        "{name}: the motion that it prescribes follows a speed that is no state, \
                         so its acceleration is not known"
                    )));
                }
                true => self.value_in_states(&name, value, &of_states)?,
                false => value,
            };
            self.add(&name, symbol, differentiate(&[value], &seeds)[0]);
        }
        for (rate, derivative) in of_states {
            self.add("the derivative of a state", rate, derivative);
        }
        Ok(())
    }

    /// Takes a rate whose value contains no other rate that is unknown, and its value.
    fn next_rate(&mut self) -> Result<Option<(Rate, Ex)>, Error> {
        for k in 0..self.rates.len() {
            let Rate { name, of, .. } = &self.rates[k];
            let value = self.value_in_states(name, *of, &[])?;
            if !self.rates.iter().any(|other| depends_on(&[value], other.symbol)) {
                return Ok(Some((self.rates.remove(k), value)));
            }
        }
        match self.rates.first() {
            None => Ok(None),
            Some(Rate { name, .. }) => Err(depends_on_itself(name)),
        }
    }

    /// A value with all placeholders replaced that have a value, and with the derivatives of
    /// states.
    fn value_in_states(&self, name: &str, of: Ex, of_states: &[(Ex, Ex)]) -> Result<Ex, Error> {
        let pairs = self.pairs.iter().map(|p| (p.symbol, p.value));
        let known = pairs.chain(of_states.iter().copied());
        let by: BTreeMap<Leaf, Ex> =
            known.filter_map(|(symbol, value)| Some((symbol.as_leaf()?, value))).collect();
        let mut value = of;
        for _ in 0..=by.len() {
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
        Err(depends_on_itself(name))
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
        for cycle in strongly_connected(&uses) {
            let values: Vec<Ex> = cycle.iter().map(|&i| self.pairs[i].value).collect();
            let values = substitute(&values, &solved);
            let symbols: Vec<Ex> = cycle.iter().map(|&i| self.pairs[i].symbol).collect();
            let alone = cycle.len() == 1 && !uses[cycle[0]].contains(&cycle[0]);
            let values = if alone { values } else { self.close(&cycle, &symbols, &values, model)? };
            solved.extend(symbols.into_iter().zip(values));
        }
        Ok(solved)
    }

    /// Solves values that depend on each other.
    fn close(
        &self,
        cycle: &[usize],
        symbols: &[Ex],
        values: &[Ex],
        model: &mut Model,
    ) -> Result<Vec<Ex>, Error> {
        let residuals: Vec<Ex> = values.iter().zip(symbols).map(|(&v, &s)| v - s).collect();
        let mut names: Vec<&str> = Vec::new();
        for name in cycle.iter().flat_map(|&i| self.pairs[i].name.split(", ")) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let names = names.join(", ");
        if model.has_ticks()
            && is_cyclic(symbols, &model.after_start(values))
            && !is_cyclic(symbols, &model.between_ticks(values))
        {
            return Err(Error::Structure(format!(
                "{names}: these sampled signals depend on each other within one tick; a UnitDelay \
                 or a ZeroOrderHold between them helps"
            )));
        }
        if let Some(inner) = nested_block(symbols, &residuals) {
            return Err(Error::Structure(format!(
                "{names}: these values depend on each other and on the solution of nonlinear \
                 equations ({inner}); a state between them, such as that of a HeatCapacitor, helps"
            )));
        }
        let name = format!("algebraic loop through {names}");
        let guesses: Vec<Ex> = cycle.iter().map(|&i| self.pairs[i].guess.into()).collect();
        let matrix = jacobian(&residuals, symbols);
        if is_linear(&matrix, symbols) {
            let why = "its gain is 1, so that its signals are not determined; another gain or a \
                       block with a state in it helps";
            let regular = Factor::general(&matrix).determinant().is_true();
            model.require(&[], regular, &format!("{name}: {why}"));
        }
        Ok(solve(model, &name, &matrix, &residuals, symbols, &guesses))
    }
}

/// The error for a derivative that cannot be written as a function of the states.
fn depends_on_itself(name: &str) -> Error {
    Error::Structure(format!("{name}: the derivative of its signal depends on itself"))
}
