//! Constraints on variables that would be states: some of them follow from the others.

use crate::elimination::{Elimination, Solved, StateVariable};
use crate::names::{in_a_row, names_of_laws};
use equations::{Bool, Ex, Factor, Leaf, depends_on, differentiate, leaves_of, substitute};
use language::error::Error;
use language::statements::algebra::linear_equation::{Equation, Origin, is_zero, numbers, varies};
use language::statements::laws::signal_view::SignalView;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// An equation without unknowns.
struct Constraint {
    /// What vanishes.
    rest: Ex,
    /// The factors of variables that would be states, by their numbers.
    factors: BTreeMap<usize, Ex>,
    origin: Origin,
}

impl Elimination<'_> {
    /// Whether all variables in a constraint that could follow from the others have factors that
    /// vary: then only several constraints together determine some of them.
    pub fn is_turning(&self, constraint: &Equation) -> bool {
        let Constraint { factors, .. } = self.constraint(constraint);
        !factors.is_empty() && factors.values().all(|factor| varies(*factor))
    }

    /// The derivatives of constraints on variables that would be states. As many of these follow
    /// from the others from now on.
    ///
    /// # Errors
    /// The constraints determine no variable, or one that begins at a given value.
    pub fn differentiated(
        &mut self,
        constraints: &[Equation],
        solved: &[Solved],
        e: &mut SignalView<'_>,
    ) -> Result<Vec<Equation>, Error> {
        let constraints = constraints.iter().map(|constraint| self.constraint(constraint));
        let constraints: Vec<Constraint> = constraints.filter(|of| !is_zero(of.rest)).collect();
        if let Some(of) = constraints.iter().find(|of| of.factors.is_empty()) {
            return Err(self.undetermined(&of.origin));
        }
        if constraints.is_empty() {
            return Ok(Vec::new());
        }
        let demoted = self.demoted(&constraints)?;
        for constraint in &constraints {
            self.check_rate(constraint, e)?;
        }
        let others: Vec<Ex> =
            constraints.iter().map(|constraint| self.without(constraint, &demoted)).collect();
        let values = match (&constraints[..], &demoted[..]) {
            ([constraint], [demoted]) => vec![-others[0] / constraint.factors[demoted]],
            _ => {
                let row = |of: &Constraint| demoted.iter().map(|k| of.factor(*k)).collect();
                let matrix: Vec<Vec<Ex>> = constraints.iter().map(row).collect();
                let right: Vec<Ex> = others.iter().map(|other| -*other).collect();
                Factor::general(&matrix).solve(&right)
            }
        };
        let mut derivatives = Vec::new();
        for constraint in constraints {
            let rate = self.rate(&constraint, e);
            let mut derivative = Equation::of(rate, &self.unknowns, constraint.origin);
            // The solved equations are in order: each contains only unknowns that were left then.
            for (unknown, value) in solved {
                derivative.eliminate(*unknown, value, &self.unknowns);
            }
            derivatives.push(derivative);
        }
        for (k, value) in demoted.into_iter().zip(values) {
            self.states[k].value = Some(value);
        }
        Ok(derivatives)
    }

    /// Refuses a constraint whose derivative is not known before the currents are.
    fn check_rate(&self, of: &Constraint, e: &mut SignalView<'_>) -> Result<(), Error> {
        let (given, origin) = (self.given(of), &of.origin);
        // The rate of a speed depends on the current that is to be found.
        if origin.nodes.is_empty() && self.has_flanges(origin) && accelerates(given, e) {
            return Err(self.undetermined(origin));
        }
        let factors = of.factors.values().copied();
        let varying: Vec<Ex> = factors.chain([given]).collect();
        if leaves_of(&varying).iter().any(|leaf| matches!(leaf, Leaf::Input(_))) {
            let names = names_of_laws(self.structure, origin);
            let names = in_a_row(names.iter().map(String::as_str));
            return Err(Error::Structure(format!(
                "{names} form a loop or a cut with an input of the FMU, whose derivative is not \
                 known"
            )));
        }
        Ok(())
    }

    fn constraint(&self, equation: &Equation) -> Constraint {
        let mut rest = self.in_states(equation.rest);
        let mut factors = self.factors(rest);
        // Modes may be in all factors alike, so that they say nothing.
        if let Some(factor) = factors.values().find(|factor| varies(**factor))
            && let Some(without) = without_relations(rest / *factor)
        {
            rest = without;
            factors = self.factors(rest);
        }
        Constraint { rest, factors, origin: equation.origin.clone() }
    }

    /// The factors of the variables that would be states.
    fn factors(&self, rest: Ex) -> BTreeMap<usize, Ex> {
        let factor =
            |state: &StateVariable| differentiate(&[rest], &[(state.symbol, Ex::one())])[0];
        let free = self.states.iter().enumerate().filter(|(_, state)| state.value.is_none());
        let factors = free.map(|(k, state)| (k, factor(state)));
        factors.filter(|(_, factor)| !is_zero(*factor)).collect()
    }

    /// The variables that constraints determine: those that no start value fixes, if possible.
    fn demoted(&self, constraints: &[Constraint]) -> Result<Vec<usize>, Error> {
        let factors = constraints.iter().flat_map(|of| &of.factors);
        let mut candidates: Vec<(usize, Ex)> = factors.map(|(k, factor)| (*k, *factor)).collect();
        candidates.sort_by_key(|(k, factor)| {
            let start = &self.states[*k].variable.start;
            (start.fixed, varies(*factor), start.given, Reverse(*k))
        });
        let is_of_circuit = |factor: Ex| {
            let mut states = self.states.iter().map(|state| state.symbol);
            states.any(|symbol| depends_on(&[factor], symbol))
        };
        let bent = candidates.iter().find(|(_, factor)| is_of_circuit(*factor)).copied();
        let alone = candidates[0];
        let alone = (constraints.len() == 1 && varies(alone.1)).then_some(alone);
        if let Some((k, _)) = bent.or(alone) {
            let name = &self.states[k].variable.name;
            return Err(Error::Structure(format!(
                "{name}: a factor that varies relates it to other states, which is not supported"
            )));
        }
        let mut chosen: Vec<usize> = Vec::new();
        for (k, _) in candidates {
            let mut more = chosen.clone();
            more.push(k);
            if !chosen.contains(&k) && rank(constraints, &more) == more.len() {
                chosen = more;
            }
        }
        let origin = constraints.iter().fold(Origin::default(), |mut all, of| {
            all.extend(&of.origin);
            all
        });
        if chosen.len() < constraints.len() {
            return Err(self.undetermined(&origin));
        }
        if let Some(k) = chosen.iter().find(|k| self.states[**k].variable.start.fixed) {
            let variable = &self.states[*k].variable;
            let (value, unit) = (variable.start.value, &variable.unit);
            let names = names_of_laws(self.structure, &origin);
            let what = match &names[..] {
                [alone] => format!("the connections of {alone} alone determine it"),
                _ => format!("{} determine it", in_a_row(names.iter().map(String::as_str))),
            };
            return Err(Error::Initial(format!(
                "{}: its start value {value} {unit} cannot be fixed, because {what}",
                variable.name
            )));
        }
        Ok(chosen)
    }

    /// What the states do not determine, such as the voltage of a source.
    fn given(&self, of: &Constraint) -> Ex {
        let zero = self.states.iter().map(|state| (state.symbol, Ex::zero()));
        substitute(&[of.rest], &zero.collect::<Vec<_>>())[0]
    }

    /// A constraint without the variables that follow from the others.
    fn without(&self, of: &Constraint, demoted: &[usize]) -> Ex {
        let others = of.factors.iter().filter(|(k, _)| !demoted.contains(k));
        others.fold(self.given(of), |sum, (k, factor)| sum + *factor * self.states[*k].symbol)
    }

    /// The derivative of a constraint.
    fn rate(&self, of: &Constraint, e: &mut SignalView<'_>) -> Ex {
        let given = self.given(of);
        let mut rate = if leaves_of(&[given]).is_empty() { Ex::zero() } else { e.rate(given) };
        for (k, factor) in &of.factors {
            rate += *factor * self.states[*k].rate;
            if varies(*factor) {
                rate += e.rate(*factor) * self.states[*k].symbol;
            }
        }
        rate
    }

    /// The placeholders of variables that follow from others, with their values in terms of states.
    pub fn values_of_no_states(&self) -> Vec<(Ex, Ex)> {
        let values = self.states.iter().filter_map(|state| Some((state.symbol, state.value?)));
        values.map(|(symbol, value)| (symbol, self.in_states(value))).collect()
    }

    /// An expression without the variables that are no states.
    fn in_states(&self, mut ex: Ex) -> Ex {
        let demoted = self.states.iter().filter_map(|state| Some((state.symbol, state.value?)));
        let demoted: Vec<(Ex, Ex)> = demoted.collect();
        // The value of one may contain another one, which was demoted later.
        for _ in 0..demoted.len() {
            ex = substitute(&[ex], &demoted)[0];
        }
        ex
    }
}

impl Constraint {
    fn factor(&self, state: usize) -> Ex {
        self.factors.get(&state).copied().unwrap_or_else(Ex::zero)
    }
}

/// The rank of the factors of variables in constraints, for arbitrary values of what is in them.
fn rank(constraints: &[Constraint], states: &[usize]) -> usize {
    let row = |of: &Constraint| states.iter().map(|k| of.factor(*k)).collect::<Vec<Ex>>();
    let matrix: Vec<Ex> = constraints.iter().flat_map(row).collect();
    let values = numbers(&matrix).next().unwrap_or_default();
    let matrix = nalgebra::DMatrix::from_row_slice(constraints.len(), states.len(), &values);
    matrix.rank(1e-12 * matrix.amax())
}

/// Whether an expression depends on speeds, or on what is not known yet.
fn accelerates(ex: Ex, e: &SignalView<'_>) -> bool {
    let derivatives = e.model.derivatives();
    // The derivative of a position is a speed.
    let is_position = |state: Ex| {
        let mut own = derivatives.iter().filter(|(of, _)| of.key() == state.key());
        own.any(|(_, derivative)| derivative.as_leaf().is_some())
    };
    leaves_of(&[ex]).into_iter().any(|leaf| match leaf {
        Leaf::State(_) => !is_position(Ex::leaf(leaf)),
        leaf => matches!(leaf, Leaf::Symbol(_)),
    })
}

/// An expression in which relations have fixed values, if these say nothing.
fn without_relations(ex: Ex) -> Option<Ex> {
    let leaves = leaves_of(&[ex]);
    let relations = || leaves.iter().filter(|leaf| matches!(leaf, Leaf::Relation(_)));
    relations().next()?;
    [false, true].into_iter().find_map(|truth| {
        let truth = Ex::from_id(Bool::constant(truth).id());
        let by: Vec<(Ex, Ex)> =
            relations().map(|leaf| (Ex::from_id(Bool::leaf(*leaf).id()), truth)).collect();
        let fixed = substitute(&[ex], &by)[0];
        let same =
            |values: Vec<f64>| (values[0] - values[1]).abs() <= 1e-9 * (1.0 + values[1].abs());
        numbers(&[ex, fixed]).all(same).then_some(fixed)
    })
}
