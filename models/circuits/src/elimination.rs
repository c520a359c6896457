//! The elimination of unknowns, until small systems of equations remain.

use crate::names::{in_a_row, names_of_laws};
use crate::solution::{Solution, Steady};
use equations::{Bool, Ex, Factor, jacobian};
use language::error::Error;
use language::ids::{BranchId, Id};
use language::statements::algebra::equation_blocks::{EquationBlock, blocks, is_linear};
use language::statements::algebra::linear_equation::{
    Equation, Origin, Symbols, Unknown, is_zero, numbers, varies,
};
use language::statements::contributions::Structure;
use language::statements::contributions::start_variable::StartVariable;
use language::statements::laws::signal_view::SignalView;
use std::collections::BTreeSet;

/// A variable that is a state unless an equation determines it.
#[derive(Clone, Debug)]
pub struct StateVariable {
    /// Its placeholder.
    pub symbol: Ex,
    /// Its name and its start value.
    pub variable: StartVariable,
    /// Its start value, if that follows from others.
    pub start: Option<Ex>,
    /// Whether its derivative is zero at the start.
    pub is_steady: bool,
    /// Its derivative, in terms of unknowns.
    pub rate: Ex,
    /// Its value if it is no state.
    pub value: Option<Ex>,
}

/// Equations, and the unknowns that they determine.
pub struct Elimination<'a> {
    /// What components contributed.
    pub structure: &'a Structure,
    /// The unknowns.
    pub unknowns: Symbols,
    /// Their names, for messages.
    pub names: Vec<String>,
    /// Where the search for them begins.
    pub guesses: Vec<Ex>,
    /// The branches whose laws do not contain their own voltages and currents: outputs of
    /// amplifiers.
    pub amplifiers: BTreeSet<usize>,
    /// Equations from which no unknown has been eliminated yet.
    pub equations: Vec<Equation>,
    /// Variables that may be states.
    pub states: Vec<StateVariable>,
    /// Constraints that determine variables together only; see [`Elimination::is_turning`].
    pub turning: Vec<Equation>,
}

/// An unknown with the equation that is solved for it.
pub type Solved = (Unknown, Equation);

impl Elimination<'_> {
    /// Gives a value to each unknown and to each variable that is no state; returns the variables.
    pub fn finish(
        mut self,
        e: &mut SignalView<'_>,
        solution: &mut Solution,
    ) -> Result<Vec<StateVariable>, Error> {
        let mut solved: Vec<Solved> = Vec::new();
        loop {
            self.eliminate(&mut solved, e)?;
            if self.eliminate_in_singular_block(&mut solved, e) {
                continue;
            }
            let turning = std::mem::take(&mut self.turning);
            if turning.is_empty() {
                break;
            }
            let derivatives = self.differentiated(&turning, &solved, e)?;
            self.equations.extend(derivatives);
        }
        self.check_determined(&solved)?;
        for (placeholder, value) in self.values_of_no_states() {
            let solved = solved.iter_mut().map(|(_, equation)| equation);
            let all = self.equations.iter_mut().chain(solved);
            all.for_each(|equation| equation.simplify(placeholder, value));
        }
        self.solve_blocks(e, solution);
        for (unknown, equation) in &solved {
            let value = equation.residual(&self.unknowns);
            solution.add(&self.names[*unknown], self.unknowns.all[*unknown], value);
        }
        for StateVariable { symbol, variable, start, is_steady, rate, value } in &self.states {
            let unit = if variable.unit.is_empty() { "1" } else { variable.unit };
            let is_state = value.is_none();
            let value = match *value {
                Some(value) => {
                    e.model.local(&variable.name, value).unit(unit);
                    value
                }
                None => {
                    let state = e.model.state_from_slot(&variable.name, variable.slot);
                    let state = state.unit(unit).nominal(variable.nominal).done();
                    e.model.derivative(state, *rate);
                    if let Some(start) = start {
                        e.model.start_expr(state, *start);
                    } else if !variable.start.fixed && !is_steady {
                        solution.open.push((variable.clone(), state));
                    }
                    state
                }
            };
            if *is_steady {
                let (variable, state) = (variable.clone(), is_state.then_some(value));
                solution.steady.push(Steady { variable, state, rate: *rate });
            }
            solution.add(&variable.name, *symbol, value);
        }
        Ok(self.states)
    }

    /// Eliminates unknowns with constant factors, and takes the derivatives of constraints.
    fn eliminate(&mut self, solved: &mut Vec<Solved>, e: &mut SignalView<'_>) -> Result<(), Error> {
        loop {
            while let Some(k) = self.equations.iter().position(Equation::is_constraint) {
                let constraint = self.equations.swap_remove(k);
                if is_zero(constraint.rest) {
                    continue;
                }
                if self.is_turning(&constraint) {
                    self.turning.push(constraint);
                    continue;
                }
                let derivatives = self.differentiated(&[constraint], solved, e)?;
                self.equations.extend(derivatives);
            }
            let candidates = self.equations.iter().enumerate();
            let candidates =
                candidates.filter_map(|(k, of)| Some((of.unknowns().len(), k, of.pivot()?)));
            let Some((_, k, unknown)) = candidates.min() else { return Ok(()) };
            self.eliminate_with(k, unknown, solved);
        }
    }

    /// Solves an equation for an unknown, and eliminates it from the others.
    fn eliminate_with(&mut self, equation: usize, unknown: Unknown, solved: &mut Vec<Solved>) {
        let value = self.equations.swap_remove(equation).solved_for(unknown);
        for other in &mut self.equations {
            other.eliminate(unknown, &value, &self.unknowns);
        }
        solved.push((unknown, value));
    }

    /// The remaining equations, in parts that belong together.
    fn blocks(&self) -> (Vec<Unknown>, Vec<EquationBlock>) {
        let unknowns: BTreeSet<Unknown> =
            self.equations.iter().flat_map(Equation::unknowns).collect();
        let unknowns: Vec<Unknown> = unknowns.into_iter().collect();
        // A matrix of the structure is square; missing rows and columns are empty.
        let residuals: Vec<Ex> =
            self.equations.iter().map(|of| of.residual(&self.unknowns)).collect();
        let symbols: Vec<Ex> = unknowns.iter().map(|&u| self.unknowns.all[u]).collect();
        let n = residuals.len().max(symbols.len());
        let mut matrix = jacobian(&residuals, &symbols);
        matrix.iter_mut().for_each(|row| row.resize(n, Ex::zero()));
        matrix.resize(n, vec![Ex::zero(); n]);
        let (rows, columns) = (residuals.len(), symbols.len());
        let mut found = blocks(&matrix);
        for block in &mut found {
            let kept: Vec<usize> =
                (0..block.columns.len()).filter(|&k| block.columns[k] < columns).collect();
            let of_row = |row: &Vec<Ex>| kept.iter().map(|&k| row[k]).collect();
            let in_rows = block.rows.iter().zip(&block.matrix).filter(|(row, _)| **row < rows);
            block.matrix = in_rows.map(|(_, row)| of_row(row)).collect();
            block.rows.retain(|row| *row < rows);
            block.columns.retain(|column| *column < columns);
        }
        found.retain(|block| !block.rows.is_empty() || !block.columns.is_empty());
        (unknowns, found)
    }

    /// Eliminates one unknown of a block whose equations depend on each other, so that a constraint
    /// appears; `false` if there is no such block.
    fn eliminate_in_singular_block(
        &mut self,
        solved: &mut Vec<Solved>,
        e: &mut SignalView<'_>,
    ) -> bool {
        let (unknowns, blocks) = self.blocks();
        for block in blocks.iter().filter(|block| is_singular(block)) {
            // Any factor that does not vanish will do, best one that is the same in all modes.
            let factors = block.rows.iter().zip(&block.matrix);
            let found = factors.flat_map(|(row, factors)| {
                let of = block
                    .columns
                    .iter()
                    .zip(factors)
                    .map(|(column, factor)| (*row, *column, *factor));
                of.collect::<Vec<_>>()
            });
            let pivot = found.filter(|(row, column, factor)| {
                let (equation, unknown) = (&self.equations[*row], unknowns[*column]);
                let is_linear = !equation.nonlinear.contains(&unknown);
                is_linear && equation.factors.contains_key(&unknown) && !is_zero(*factor)
            });
            let cost = |(row, _, factor): &(usize, usize, Ex)| {
                (varies(*factor), self.equations[*row].unknowns().len())
            };
            if let Some((row, column, factor)) = pivot.min_by_key(cost) {
                let title = title(&self.names[unknowns[column]]);
                e.model.require(&[], !factor.equals(0.0), &format!("{title}: {UNDETERMINED}"));
                self.eliminate_with(row, unknowns[column], solved);
                return true;
            }
        }
        false
    }

    /// Refuses unknowns that no equation determines.
    fn check_determined(&self, solved: &[Solved]) -> Result<(), Error> {
        let mut known: BTreeSet<Unknown> = solved.iter().map(|(unknown, _)| *unknown).collect();
        known.extend(self.equations.iter().flat_map(Equation::unknowns));
        let open = (0..self.unknowns.all.len()).find(|unknown| !known.contains(unknown));
        if let Some(unknown) = open {
            let all = |of: &&Solved| of.1.unknowns().contains(&unknown);
            let origin = solved.iter().find(all).map(|(_, of)| of.origin.clone());
            return Err(self.open(unknown, &origin.unwrap_or_default()));
        }
        let (unknowns, blocks) = self.blocks();
        for block in blocks {
            if block.rows.len() != block.columns.len() {
                return Err(match block.columns.first() {
                    Some(column) => self.open(unknowns[*column], &Origin::default()),
                    None => self.undetermined(&self.equations[block.rows[0]].origin),
                });
            }
        }
        Ok(())
    }

    /// Solves the systems that remain.
    fn solve_blocks(&self, e: &mut SignalView<'_>, solution: &mut Solution) {
        let (unknowns, blocks) = self.blocks();
        let symbols: Vec<Ex> = unknowns.iter().map(|&u| self.unknowns.all[u]).collect();
        let residuals: Vec<Ex> =
            self.equations.iter().map(|of| of.residual(&self.unknowns)).collect();
        let guesses: Vec<Ex> = unknowns.iter().map(|&u| self.guesses[u]).collect();
        for block in blocks {
            let name = block.columns.first().map_or("", |column| &self.names[unknowns[*column]]);
            let title = title(name);
            let own: Vec<Ex> = block.columns.iter().map(|&column| symbols[column]).collect();
            let values = if is_linear(&block.matrix, &own) {
                let why = format!("{title}: {UNDETERMINED}");
                e.model.require(&[], is_regular(&block.matrix), &why);
                block.solve_with(&factor(&block.matrix), &residuals, &symbols)
            } else {
                block.solve(e.model, &title, &residuals, &symbols, &guesses)
            };
            for (symbol, value) in values {
                solution.add(name, symbol, value);
            }
        }
    }

    /// The error for equations that contradict each other.
    pub fn undetermined(&self, origin: &Origin) -> Error {
        let names = names_of_laws(self.structure, origin);
        let names = in_a_row(names.iter().map(String::as_str));
        if let Some(amplifier) = self.amplifier_in(origin) {
            return Error::Structure(format!(
                "the input voltage of {amplifier} does not depend on its output"
            ));
        }
        let nodes: Vec<&str> = origin.nodes.iter().map(|node| &*self.names[*node]).collect();
        Error::Structure(match nodes[..] {
            [] if self.has_flanges(origin) => format!(
                "{names} form a loop without resistance or inductance: the voltage would fix the \
                 speed"
            ),
            [] => {
                format!("{names} form a loop of voltage sources: their currents are undetermined")
            }
            [node] => format!("only {names} connect node {node}: its potential is undetermined"),
            _ => {
                let nodes = in_a_row(nodes.into_iter());
                format!("only {names} connect {nodes}: their potentials are undetermined")
            }
        })
    }

    /// An amplifier among the components whose laws an equation contains: the law of its output is
    /// about its input.
    fn amplifier_in(&self, origin: &Origin) -> Option<&str> {
        let branch = origin.laws.iter().find(|branch| self.amplifiers.contains(branch))?;
        let component = self.structure.circuits.branches[BranchId::at(*branch)].component;
        Some(&self.structure.names[component])
    }

    /// Whether a component whose laws an equation contains has a flange.
    pub fn has_flanges(&self, origin: &Origin) -> bool {
        let branches = &self.structure.circuits.branches;
        let mut components =
            origin.laws.iter().map(|branch| branches[BranchId::at(*branch)].component);
        let ends = &self.structure.flanges.ends;
        components.any(|component| ends.iter().any(|end| end.port.component == component))
    }

    /// The error for an unknown that nothing determines.
    fn open(&self, unknown: Unknown, origin: &Origin) -> Error {
        let names = names_of_laws(self.structure, origin);
        let name = &self.names[unknown];
        Error::Structure(match names.is_empty() {
            true => format!("{name}: nothing determines its potential or its current"),
            false => {
                let names = in_a_row(names.iter().map(String::as_str));
                format!("{name}: nothing determines its potential or its current ({names})")
            }
        })
    }
}

/// Why a system is refused whose equations are singular with the values of parameters.
const UNDETERMINED: &str = "its parameters leave potentials or currents undetermined";

/// The name of a system in messages.
fn title(name: &str) -> String {
    format!("the circuit at {name}")
}

/// The factor of a matrix whose elements may differ by many orders of magnitude.
fn factor(matrix: &[Vec<Ex>]) -> Factor {
    if matrix.len() == 1 { Factor::general(matrix) } else { Factor::pivoted(matrix) }
}

/// Below this distance from a singular matrix, relative to the largest element of each row and
/// column, rounding errors decide about a solution.
const ROUNDING: f64 = 1e-14;

/// Whether the equations with a matrix have a solution that is more than a rounding error. Where
/// modes decide about factors, these may differ so much that magnitudes tell nothing.
///
/// A determinant is not compared with a bound: that of a large regular matrix may be as small as
/// that of a small singular one. A singular matrix amplifies any right-hand side without limit.
fn is_regular(matrix: &[Vec<Ex>]) -> Bool {
    if matrix.iter().flatten().any(|factor| varies(*factor)) {
        return factor(matrix).determinant().is_true();
    }
    let largest =
        |of: &mut dyn Iterator<Item = Ex>| of.fold(Ex::zero(), |most, of| most.max(of.abs()));
    let scaled = |row: &Vec<Ex>| {
        let largest = largest(&mut row.iter().copied());
        row.iter().map(|&of| of / largest).collect()
    };
    let scaled: Vec<Vec<Ex>> = matrix.iter().map(scaled).collect();
    // Elements between 1/2 and 3/2 without a pattern, which no singular matrix has as its image.
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let right: Vec<Ex> =
        (1..=matrix.len()).map(|k| Ex::from(0.5 + (k as f64 * golden).fract())).collect();
    let solution = factor(&scaled).solve(&right).into_iter().enumerate();
    // Unknowns are measured in units of their own: volts and amperes may differ by any factor.
    let unit = |k: usize| largest(&mut scaled.iter().map(|row| row[k]));
    let bounded = solution.map(|(k, x)| (x * unit(k)).abs().lt(1.0 / ROUNDING));
    bounded.fold(Bool::constant(true), |all, bounded| all & bounded)
}

/// Whether a system has no solution or many, whatever the values in it are.
fn is_singular(block: &EquationBlock) -> bool {
    let (rows, columns) = (block.rows.len(), block.columns.len());
    if rows != columns {
        return rows > 0;
    }
    numbers(&block.matrix.concat()).all(|values| {
        // Where a factor is not defined, nothing is known.
        values.iter().all(|value| value.is_finite()) && {
            let matrix = nalgebra::DMatrix::from_row_slice(rows, columns, &values);
            matrix.rank(1e-12 * matrix.amax()) < rows
        }
    })
}
