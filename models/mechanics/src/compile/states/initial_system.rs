//! The initial system: conditions on values that follow from start values, and the start values
//! that they determine.
//!
//! Given positions and speeds are inserted where they are known. The remaining conditions concern
//! values that follow from them: accelerations, derivatives of states, speeds that loops or signals
//! determine as well. Each condition determines one free value: an unknown parameter, the start
//! value of its own subject, or any other start value that is no initial condition. The rank of the
//! equations at the start values decides which one.

use crate::compile::states::first_modes::FirstModes;
use crate::compile::states::resting_friction::RestingFriction;
use crate::error::Error;
use crate::start::depends_on_fixed;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::algebra::pivots::{GIVEN, pivots};
use crate::statements::contributions::initial_conditions::{
    StateCondition, UnknownParameter, UnknownState,
};
use crate::statements::contributions::start_variable::StartVariable;
use crate::statements::laws::signal_view::SignalView;
use equations::{
    BlockSolutions, Ex, Model, jacobian, join_blocks, newton, substitute, unconfirmed,
};
use nalgebra::DMatrix;

/// The order in which conditions choose the values that they determine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Nothing else can determine it: a parameter.
    Parameter,
    /// It belongs to the subject of a condition, which determines it first.
    Own,
    /// A start value that is not given.
    Free,
    /// A start value that is a guess.
    Guessed,
    /// The torque of a stuck element, which only its rest determines.
    Torque,
}

/// A placeholder of a value that the initial system may determine.
#[derive(Clone, Debug)]
pub struct StartValue {
    /// Its name.
    pub name: String,
    /// The placeholder.
    pub symbol: Ex,
    /// Where the search begins, and its value if no condition determines it.
    pub guess: Ex,
    /// Whether a condition may determine it.
    pub priority: Priority,
}

/// A residual that vanishes at the start.
struct InitialResidual {
    /// The instance or variable that states it.
    name: String,
    /// The quantity that it restricts, for messages.
    what: &'static str,
    value: Ex,
    /// The placeholder of its own subject.
    own: Option<Ex>,
    /// The error if nothing that it depends on is free.
    refusal: Option<String>,
}

impl InitialResidual {
    /// Whether an unknown belongs to its own subject.
    fn is_about(&self, unknown: &StartValue) -> bool {
        self.own.is_some_and(|own| own.key() == unknown.symbol.key())
    }

    /// The error if it has no effect and does not vanish.
    fn determines_nothing(&self) -> String {
        format!("{}: {} depends on no initial value that is free", self.name, self.what)
    }
}

/// Conditions in terms of start values and placeholders.
pub struct Conditions {
    /// Values that vanish.
    pub exact: Vec<Ex>,
    /// The same without confirmation: angles and closed forms are confirmed by the motion.
    pub residuals: Vec<Ex>,
    /// Their derivatives with respect to the unknowns.
    pub matrix: Vec<Vec<Ex>>,
}

impl Conditions {
    /// Those on these values, and on these unknowns.
    pub fn new(exact: Vec<Ex>, unknowns: &[Ex]) -> Conditions {
        let residuals = unconfirmed(&exact);
        let matrix = jacobian(&residuals, unknowns);
        Conditions { exact, residuals, matrix }
    }
}

/// What the initial system determines.
pub struct InitialSolution {
    /// The values of the placeholders.
    pub values: Vec<(Ex, Ex)>,
    /// The positions of the loops that were found together with them. Closed once more from the
    /// guesses, a loop could be in another assembly mode, in which the conditions do not hold.
    pub loops: BlockSolutions,
}

/// Conditions on values that follow from start values, and the values that they determine.
#[derive(Default)]
pub struct InitialSystem {
    unknowns: Vec<StartValue>,
    residuals: Vec<InitialResidual>,
    /// Calculated parameters with their placeholders among the unknowns.
    parameters: Vec<(Ex, Ex)>,
    /// Start values that are initial conditions.
    fixed: Vec<(String, Ex)>,
    /// States that start at guesses, because no initial condition determines them.
    guessed: Vec<String>,
    /// Elements of friction, whose torques conditions on accelerations may leave open.
    pub resting: Vec<RestingFriction>,
}

impl InitialSystem {
    /// Whether there is nothing to determine.
    pub fn is_empty(&self) -> bool {
        self.unknowns.is_empty() && self.residuals.is_empty()
    }

    /// A value that may be determined.
    pub fn add_unknown(&mut self, unknown: StartValue) {
        self.unknowns.push(unknown);
    }

    /// A parameter that is determined.
    pub fn add_parameter(&mut self, unknown: &UnknownParameter) {
        let (name, symbol, guess) = (unknown.name.clone(), unknown.symbol, unknown.guess.into());
        self.unknowns.push(StartValue { name, symbol, guess, priority: Priority::Parameter });
        self.parameters.push((unknown.parameter, unknown.symbol));
    }

    /// A state of a block, with the condition on it.
    pub fn add_state(&mut self, state: UnknownState, e: &mut SignalView<'_>) -> Result<(), Error> {
        let UnknownState { name, state, symbol, guess, condition } = state;
        let own = StartValue { name: name.clone(), symbol, guess, priority: Priority::Own };
        self.add_guessed(name.clone());
        match condition {
            StateCondition::SteadyState => {}
            StateCondition::SteadyValue(rest) => {
                self.add_residual_of(&name, REST, rest(e)? - state, own);
                return Ok(());
            }
            StateCondition::Equation(residual) => {
                let residual = residual(e)?;
                self.add_residual_of(&name, "its initial equation", residual, own);
                return Ok(());
            }
            StateCondition::Open { given } => {
                let priority = if given { Priority::Guessed } else { Priority::Free };
                self.add_unknown(StartValue { priority, ..own });
                return Ok(());
            }
        }
        let derivative = e.model.derivatives().into_iter().find(|(of, _)| of.key() == state.key());
        let Some((_, derivative)) = derivative else {
            let what = "it is to start at rest, but it has no derivative";
            return Err(Error::Initial(format!("{name}: {what}")));
        };
        self.add_residual_of(&name, REST, derivative, own);
        Ok(())
    }

    /// A variable of a circuit that begins where its derivative vanishes.
    pub fn add_steady(&mut self, steady: circuits::Steady, model: &mut Model) {
        let circuits::Steady { variable: StartVariable { name, .. }, state, rate } = steady;
        let symbol = Ex::symbol();
        let Some(guess) = state.and_then(|state| model.replace_start(state, symbol)) else {
            return self.add_residual(&name, REST, rate, None);
        };
        self.add_guessed(name.clone());
        let own = StartValue { name: name.clone(), symbol, guess, priority: Priority::Own };
        self.add_residual_of(&name, REST, rate, own);
    }

    /// Lets residuals, if there are some, determine the start value of a state.
    pub fn open_state(&mut self, variable: &StartVariable, state: Ex, model: &mut Model) {
        if self.residuals.is_empty() {
            return;
        }
        let (name, symbol) = (variable.name.clone(), Ex::symbol());
        let given = variable.start.given;
        let priority = if given { Priority::Guessed } else { Priority::Free };
        if let Some(guess) = model.replace_start(state, symbol) {
            self.add_unknown(StartValue { name, symbol, guess, priority });
        }
    }

    /// A start value that is an initial condition; messages may propose to free it.
    pub fn add_fixed(&mut self, name: &str, slot: Ex) {
        self.fixed.push((name.to_owned(), slot));
    }

    /// A state that begins at its start value although this start value is no initial condition.
    pub fn add_guessed(&mut self, name: String) {
        self.guessed.push(name);
    }

    /// Notes which states have no initial condition.
    pub fn note_guessed(&self, chosen: &[usize], model: &mut Model) {
        let determined = |name: &&String| chosen.iter().any(|&k| self.unknowns[k].name == **name);
        let names: Vec<&str> =
            self.guessed.iter().filter(|n| !determined(n)).map(String::as_str).collect();
        let begin = match names[..] {
            [] => return,
            [_] => "it begins at its start value",
            _ => "they begin at their start values",
        };
        let names = shortened(&names);
        model.note(format!("no initial condition determines {names}; {begin}"));
    }

    /// Adds a residual that vanishes at the start; `refusal` is the error if it cannot.
    pub fn add_residual(
        &mut self,
        name: &str,
        what: &'static str,
        value: Ex,
        refusal: Option<String>,
    ) {
        self.residuals.push(InitialResidual {
            name: name.to_owned(),
            what,
            value,
            own: None,
            refusal,
        });
    }

    /// Does the same for a residual that determines a value of its own subject first.
    pub fn add_residual_of(&mut self, name: &str, what: &'static str, value: Ex, own: StartValue) {
        let (name, symbol) = (name.to_owned(), Some(own.symbol));
        self.residuals.push(InitialResidual { name, what, value, own: symbol, refusal: None });
        self.unknowns.push(own);
    }

    /// The values of the conditions.
    pub fn values(&self) -> Vec<Ex> {
        self.residuals.iter().map(|residual| residual.value).collect()
    }

    /// The placeholders of the unknowns.
    pub fn symbols(&self) -> Vec<Ex> {
        self.unknowns.iter().map(|unknown| unknown.symbol).collect()
    }

    /// The values of the placeholders; `solved` are the values of other placeholders.
    pub fn solve(
        &mut self,
        solved: &[(Ex, Ex)],
        model: &mut Model,
    ) -> Result<InitialSolution, Error> {
        let exact = self.at_start(self.values(), solved, model);
        let conditions = Conditions::new(exact, &self.symbols());
        let Conditions { residuals, matrix, .. } = &conditions;
        let modes = self.modes(&[&residuals[..], &matrix.concat()].concat(), solved, model);
        let mut numeric = self.numeric(model);
        modes.set_consistent(&mut numeric);
        let with_torques = self.with_torques(solved, model);
        let mut unloaded = None;
        let assigned = modes.search(&numeric, |numeric| {
            self.assign(residuals, matrix, numeric).or_else(|refusal| {
                unloaded = with_torques.as_ref().and_then(|of| of.assign(self, numeric));
                unloaded.as_ref().map(|of| of.chosen.clone()).ok_or(refusal)
            })
        });
        let chosen = match assigned {
            Ok(chosen) => chosen,
            Err(refusal) => {
                let fulfilled = self.fulfilled(residuals, matrix, &numeric);
                if fulfilled.is_empty() {
                    return Err(refusal);
                }
                self.only_check(&fulfilled, model);
                return self.solve(solved, model);
            }
        };
        let (conditions, chosen) = match with_torques.zip(unloaded) {
            Some((with_torques, unloaded)) => with_torques.reduce(unloaded, self, model),
            None => (conditions, chosen),
        };
        self.solution(&conditions, &chosen, model)
    }

    /// The values of the placeholders, of which the conditions determine those that are chosen.
    fn solution(
        &self,
        conditions: &Conditions,
        chosen: &[usize],
        model: &mut Model,
    ) -> Result<InitialSolution, Error> {
        let Conditions { exact, residuals, matrix } = conditions;
        let symbols = self.symbols();
        let rest = self.unknowns.iter().enumerate().filter(|(k, _)| !chosen.contains(k));
        let mut guesses: Vec<(Ex, Ex)> = Vec::new();
        for (_, unknown) in rest {
            if unknown.priority == Priority::Parameter {
                return Err(Error::Initial(format!(
                    "{}: it is unknown, but there is no initial condition that determines it",
                    unknown.name
                )));
            }
            // The guess of one may be the value of another.
            let guess = substitute(&[unknown.guess], &guesses)[0];
            guesses.push((unknown.symbol, guess));
        }
        if residuals.is_empty() {
            self.note_guessed(&[], model);
            return Ok(InitialSolution { values: guesses, loops: BlockSolutions::default() });
        }
        let residuals = substitute(residuals, &guesses);
        let exact = substitute(exact, &guesses);
        let mut values = given_by(&exact, matrix, chosen, &symbols);
        let known = |k: usize| values.iter().any(|(symbol, _)| symbol.key() == symbols[k].key());
        let mut loops = BlockSolutions::default();
        let left: Vec<usize> = (0..residuals.len()).filter(|&i| !known(chosen[i])).collect();
        if !left.is_empty() {
            let own: Vec<Ex> = left.iter().map(|&i| symbols[chosen[i]]).collect();
            let begin: Vec<Ex> = left.iter().map(|&i| self.unknowns[chosen[i]].guess).collect();
            let residuals: Vec<Ex> = left.iter().map(|&i| residuals[i]).collect();
            let residuals = substitute(&residuals, &values);
            // Placeholders are replaced by values that contain the block: its unknowns are others.
            let unknowns: Vec<Ex> = own.iter().map(|_| Ex::symbol()).collect();
            let bound: Vec<(Ex, Ex)> = own.iter().copied().zip(unknowns.iter().copied()).collect();
            let residuals = substitute(&residuals, &bound);
            // Positions of loops that depend on the unknowns are found together with them.
            let all = join_blocks(&residuals, &unknowns, &begin);
            let determined: Vec<&str> =
                left.iter().map(|&i| &*self.unknowns[chosen[i]].name).collect();
            let found =
                newton(&self.title(&determined), &all.unknowns, &all.residuals, &all.guesses);
            loops = all.solutions(&found);
            values.extend(own.into_iter().zip(found));
        }
        for &k in chosen {
            model.free_start(self.unknowns[k].guess);
        }
        self.note_determined(chosen, model);
        self.note_guessed(chosen, model);
        let rest = substitute(&guesses.iter().map(|g| g.1).collect::<Vec<_>>(), &values);
        values.extend(guesses.iter().map(|g| g.0).zip(rest));
        Ok(InitialSolution { values, loops })
    }

    /// Expressions in terms of start values and placeholders of the initial system.
    pub fn at_start(&self, mut values: Vec<Ex>, solved: &[(Ex, Ex)], model: &Model) -> Vec<Ex> {
        // Initial values contain placeholders in their turn, whose values contain states again.
        for _ in 0..solved.len() + 4 {
            let values_now = substitute(&substitute(&values, solved), &self.parameters);
            let next = model.at_start(&values_now);
            if next.iter().map(|ex| ex.key()).eq(values.iter().map(|ex| ex.key())) {
                break;
            }
            values = next;
        }
        values
    }

    /// The modes on which values depend.
    fn modes(&self, values: &[Ex], solved: &[(Ex, Ex)], model: &Model) -> FirstModes {
        let (leaves, truths): (Vec<_>, Vec<_>) = model.truths_at_start().into_iter().unzip();
        let truths = self.at_start(truths, solved, model);
        let all: Vec<_> = leaves.into_iter().zip(truths).collect();
        FirstModes::of(values, &all, model)
    }

    /// Numbers at the guesses.
    fn numeric(&self, model: &Model) -> Numeric {
        let mut numeric = Numeric::at_start(model);
        for unknown in &self.unknowns {
            let guess = numeric.one(unknown.guess);
            numeric.set(unknown.symbol, guess);
        }
        numeric
    }

    /// The unknown that each residual determines, in the order of the residuals.
    fn assign(
        &self,
        residuals: &[Ex],
        matrix: &[Vec<Ex>],
        numeric: &Numeric,
    ) -> Result<Vec<usize>, Error> {
        let all: Vec<usize> = (0..self.unknowns.len()).collect();
        let wanted = |k: &usize| self.unknowns[*k].priority <= Priority::Own;
        let own: Vec<usize> = all.iter().copied().filter(wanted).collect();
        // A guess is chosen only if the derivatives there show its effect; parameters and own
        // values are also tried near it, because the equations may be singular at the guess.
        let mut tries: Vec<(&Vec<usize>, f64)> = NEARBY.map(|away| (&own, away)).to_vec();
        tries.push((&all, 0.0));
        let mut best = Vec::new();
        for (columns, away) in tries {
            let numbers = self.numbers(matrix, numeric, away);
            if numbers.iter().any(|x| !x.is_finite()) {
                if columns.len() == residuals.len() {
                    return Ok(columns.clone());
                }
                continue;
            }
            let scaled = scaled(numbers);
            let rows: Vec<usize> = (0..residuals.len()).collect();
            let class = |i, k| if columns.contains(&k) { self.class(i, k) } else { GIVEN };
            let mut pairs = pivots(&scaled, &rows, class);
            pairs.sort_unstable();
            if pairs.len() == residuals.len() {
                return Ok(pairs.into_iter().map(|(_, k)| k).collect());
            }
            if pairs.len() > best.len() || best.is_empty() {
                best = pairs;
            }
        }
        let left = (0..residuals.len()).find(|&i| best.iter().all(|pair| pair.0 != i));
        Err(self.cannot_be_fulfilled(left.unwrap_or(0), residuals, matrix, numeric))
    }

    /// The class of an unknown for a condition: those of low class are determined first.
    pub fn class(&self, condition: usize, unknown: usize) -> usize {
        match self.unknowns[unknown].priority {
            Priority::Parameter => 0,
            _ if self.residuals[condition].is_about(&self.unknowns[unknown]) => 1,
            priority => 1 + priority as usize,
        }
    }

    /// The derivatives of the residuals at a distance from the guesses, in the units of the
    /// unknowns.
    fn numbers(&self, matrix: &[Vec<Ex>], numeric: &Numeric, away: f64) -> DMatrix<f64> {
        let values = self.nearby(numeric, away).all(&matrix.concat());
        DMatrix::from_row_slice(matrix.len(), self.unknowns.len(), &values)
    }

    /// Numbers at a distance from the guesses.
    pub fn nearby(&self, numeric: &Numeric, away: f64) -> Numeric {
        let n = self.unknowns.len();
        let mut numeric = numeric.clone();
        for (k, unknown) in self.unknowns.iter().enumerate() {
            let guess = numeric.one(unknown.guess);
            numeric.set(unknown.symbol, guess + away * (1.0 + k as f64 / n as f64));
        }
        numeric
    }

    /// The conditions that are fulfilled whatever the unknowns are, so that they determine none.
    fn fulfilled(&self, residuals: &[Ex], matrix: &[Vec<Ex>], numeric: &Numeric) -> Vec<usize> {
        let is_zero = |i: usize| {
            let values = [&matrix[i][..], &residuals[i..=i]].concat();
            let zero =
                |away| self.nearby(numeric, away).all(&values).iter().all(|x| x.abs() < NOTHING);
            self.residuals[i].refusal.is_none() && NEARBY.into_iter().all(zero)
        };
        (0..residuals.len()).filter(|&i| is_zero(i)).collect()
    }

    /// Removes conditions that are fulfilled; other values of parameters must fulfil them too.
    fn only_check(&mut self, fulfilled: &[usize], model: &mut Model) {
        for &i in fulfilled.iter().rev() {
            let residual = self.residuals.remove(i);
            model.note(format!(
                "{}: {} follows from what is fixed, and determines nothing",
                residual.name, residual.what
            ));
            model.require(&[], residual.value.abs().le(FULFILLED), &residual.determines_nothing());
        }
    }

    /// Requires that a condition is fulfilled at the start.
    pub fn require(&self, condition: usize, otherwise: &str, model: &mut Model) {
        let InitialResidual { name, what, value, .. } = &self.residuals[condition];
        model.require(&[], value.abs().le(FULFILLED), &format!("{name}: {what} {otherwise}"));
    }

    /// The error about a residual that nothing can make zero.
    fn cannot_be_fulfilled(
        &self,
        left: usize,
        residuals: &[Ex],
        matrix: &[Vec<Ex>],
        numeric: &Numeric,
    ) -> Error {
        let residual = &self.residuals[left];
        let row = &matrix[left..=left];
        let nothing = NEARBY.iter().all(|&away| self.numbers(row, numeric, away).amax() < NOTHING);
        if !nothing && residual.refusal.is_none() {
            let mut names: Vec<&str> =
                self.residuals.iter().map(|residual| residual.name.as_str()).collect();
            names.dedup();
            let what = match self.residuals.iter().all(|residual| residual.what == ACCELERATION) {
                true => "the fixed initial accelerations",
                false => "these initial conditions",
            };
            let unknowns: Vec<&str> = self.unknowns.iter().map(|of| of.name.as_str()).collect();
            return Error::Initial(format!(
                "{}: {what} do not determine the start values that are free, {}: fix these, or \
                 others",
                names.join(", "),
                shortened(&unknowns)
            ));
        }
        let why = residual.refusal.clone().unwrap_or_else(|| residual.determines_nothing());
        let proposal = self.could_be_free(residual, residuals[left], numeric);
        Error::Initial(why + &proposal)
    }

    /// The other fixed start values on which a residual depends, as a proposal.
    fn could_be_free(&self, own: &InitialResidual, residual: Ex, numeric: &Numeric) -> String {
        let slots: Vec<Ex> = self.fixed.iter().map(|(_, slot)| *slot).collect();
        let slopes = numeric.all(&jacobian(&[residual], &slots).concat());
        let counts = |slope: &f64| slope.is_finite() && slope.abs() > NOTHING;
        let names = self.fixed.iter().zip(&slopes).filter(|(_, slope)| counts(slope));
        let names = names.map(|((name, _), _)| name.as_str()).filter(|name| *name != own.name);
        let names: Vec<&str> = names.collect();
        depends_on_fixed(&names)
    }

    /// Notes which start values are determined although they are no initial conditions.
    fn note_determined(&self, chosen: &[usize], model: &mut Model) {
        for (residual, &k) in self.residuals.iter().zip(chosen) {
            let unknown = &self.unknowns[k];
            if unknown.priority > Priority::Own && unknown.priority < Priority::Torque {
                model.note(format!(
                    "{}: {} determines {}",
                    residual.name, residual.what, unknown.name
                ));
            }
        }
    }

    /// The name of the system in messages, with the names of what it determines.
    fn title(&self, determined: &[&str]) -> String {
        let names: Vec<&str> =
            self.residuals.iter().map(|residual| residual.name.as_str()).collect();
        let mut kinds: Vec<&str> = self.residuals.iter().map(|residual| residual.what).collect();
        kinds.dedup();
        let kind = match kinds[..] {
            [ACCELERATION] => "accelerations",
            _ => "conditions",
        };
        let (names, shown) = (names.join(", "), shortened(determined));
        format!("initial {kind} by {names}, which determine {shown}")
    }
}

/// The first names, and how many more there are.
fn shortened(names: &[&str]) -> String {
    let (shown, more) = names.split_at(names.len().min(MAX_NAMES));
    match more.len() {
        0 => shown.join(", "),
        others => format!("{} and {others} more", shown.join(", ")),
    }
}

/// How many names a note has.
const MAX_NAMES: usize = 8;

/// The name of a condition on the derivative of a state.
const REST: &str = "the steady state at the start";

/// The name of a condition on an acceleration.
pub const ACCELERATION: &str = "the initial acceleration";

/// Distances from the guesses, in the units of the unknowns, at which the rank is determined.
pub const NEARBY: [f64; 4] = [0.0, 0.1, -0.07, 0.23];

/// Values that residuals give directly: a value less the unknown, where no other unknown has a
/// part.
fn given_by(
    residuals: &[Ex],
    matrix: &[Vec<Ex>],
    chosen: &[usize],
    symbols: &[Ex],
) -> Vec<(Ex, Ex)> {
    let mut values = Vec::new();
    for ((&residual, row), &own) in residuals.iter().zip(matrix).zip(chosen) {
        let alone = chosen.iter().all(|&k| k == own || row[k].is_constant_zero());
        if alone && row[own].constant_value() == Some(-1.0) {
            values.push((symbols[own], substitute(&[residual], &[(symbols[own], Ex::zero())])[0]));
        }
    }
    values
}

/// Derivatives below this count as zero.
const NOTHING: f64 = 1e-9;

/// The largest residual of a condition that determines nothing, in its unit.
const FULFILLED: f64 = 1e-6;

/// Rows that have a largest element of one, unless they are zero.
fn scaled(mut matrix: DMatrix<f64>) -> DMatrix<f64> {
    for mut row in matrix.row_iter_mut() {
        let largest = row.amax();
        if largest > 0.0 {
            row /= largest;
        }
    }
    matrix
}
