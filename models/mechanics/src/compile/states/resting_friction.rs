//! Friction at rest in the initial system: start values that conditions leave open, because stuck
//! elements fulfil these conditions with any of them.
//!
//! A stuck element does not accelerate, so a condition on its acceleration says nothing about a
//! motor that drives it: friction balances any torque of the motor. What is meant is rest without
//! the help of friction. The torques of stuck elements are unknowns here, and their accelerations
//! are further residuals. Those residuals that follow from the conditions determine nothing, and
//! the torques of their elements are zero.

use super::initial_system::{Conditions, InitialSystem, NEARBY, Priority, StartValue};
use crate::statements::algebra::numeric::Numeric;
use crate::statements::algebra::pivots::{GIVEN, NONE, pivots};
use equations::{Bool, Ex, Model, depends_on, replace, select, substitute};
use nalgebra::DMatrix;
use std::ops::Range;

/// A friction element in the initial system.
#[derive(Clone, Debug)]
pub struct RestingFriction {
    /// Its name.
    pub name: String,
    /// Whether it is stuck.
    pub locked: Bool,
    /// Its torque.
    pub tau: Ex,
    /// Its relative acceleration, which vanishes while it is stuck.
    pub acceleration: Ex,
}

/// The initial system where torques of friction are unknowns too, the last ones.
pub struct WithTorques {
    torques: Vec<StartValue>,
    /// The conditions and, after them, the residual of each torque.
    conditions: Conditions,
}

/// Start values that conditions determine beside stuck friction.
pub struct Unloaded {
    /// The unknown of each condition.
    pub chosen: Vec<usize>,
    /// The places of elements whose accelerations determine torques, and of these torques.
    holding: Vec<(usize, usize)>,
}

impl InitialSystem {
    /// The same conditions where torques of friction are unknowns too; `None` if no condition
    /// depends on them.
    pub fn with_torques(&self, solved: &[(Ex, Ex)], model: &Model) -> Option<WithTorques> {
        let accelerations = self.resting.iter().map(|of| of.acceleration);
        let torques = self.resting.iter().map(|of| of.tau);
        let all = self.values().into_iter().chain(accelerations).chain(torques).collect();
        let all = self.at_start(all, solved, model);
        let (values, torques) = all.split_at(all.len() - self.resting.len());
        let symbols: Vec<Ex> = torques.iter().map(|_| Ex::symbol()).collect();
        let pairs: Vec<(Ex, Ex)> = torques.iter().copied().zip(symbols.iter().copied()).collect();
        let mut exact = replace(values, &pairs);
        let count = exact.len() - self.resting.len();
        if exact[..count].iter().zip(values).all(|(new, old)| new.key() == old.key()) {
            return None;
        }
        let mut unknowns = Vec::new();
        for ((of, residual), (tau, symbol)) in
            self.resting.iter().zip(&mut exact[count..]).zip(pairs)
        {
            *residual = select(of.locked, *residual, symbol - tau);
            let guess = select(of.locked, 0.0, tau);
            let (name, priority) = (of.name.clone(), Priority::Torque);
            unknowns.push(StartValue { name, symbol, guess, priority });
        }
        let symbols: Vec<Ex> = self.symbols().into_iter().chain(symbols).collect();
        Some(WithTorques { torques: unknowns, conditions: Conditions::new(exact, &symbols) })
    }
}

impl WithTorques {
    /// What the conditions of a system determine in the modes of `numeric`, if stuck elements carry
    /// torques only where their accelerations demand them.
    pub fn assign(&self, system: &InitialSystem, numeric: &Numeric) -> Option<Unloaded> {
        NEARBY.into_iter().find_map(|away| {
            let mut numeric = system.nearby(numeric, away);
            self.torques.iter().for_each(|torque| numeric.set(torque.symbol, away));
            self.assign_at(system, &numeric)
        })
    }

    fn assign_at(&self, system: &InitialSystem, numeric: &Numeric) -> Option<Unloaded> {
        let Conditions { residuals, matrix, .. } = &self.conditions;
        let (elements, columns) = (self.torques.len(), matrix.first()?.len());
        let (conditions, unknowns) = (residuals.len() - elements, columns - elements);
        let values = numeric.all(residuals);
        let derivatives = numeric.all(&matrix.concat());
        if derivatives.iter().chain(&values).any(|x| !x.is_finite()) {
            return None;
        }
        // The last column has the residuals, in units of the largest derivatives.
        let entry =
            |i: usize, k: usize| if k < columns { derivatives[i * columns + k] } else { 0.0 };
        let mut left = DMatrix::from_fn(residuals.len(), columns + 1, entry);
        for (mut row, value) in left.row_iter_mut().zip(values) {
            let largest = row.amax();
            row[columns] = value;
            row /= if largest > 0.0 { largest } else { 1.0 };
        }
        let largest = 1.0 + left.column(columns).amax();
        let class = |i: usize, k: usize| if k < unknowns { system.class(i, k) } else { GIVEN };
        let mut pairs = pivots(
            &left.columns(0, columns).into_owned(),
            &(0..conditions).collect::<Vec<_>>(),
            class,
        );
        if pairs.len() < conditions {
            return None;
        }
        pairs.iter().for_each(|&pair| eliminate(&mut left, pair));
        let mut holding = Vec::new();
        let mut open: Vec<usize> = (conditions..residuals.len()).collect();
        while let Some((i, k)) = largest_entry(&left, &open, unknowns..columns) {
            eliminate(&mut left, (i, k));
            holding.push((i, k));
            open.retain(|&other| other != i);
        }
        let is_at_rest = |&i: &usize| left[(i, columns)].abs() <= AT_REST * largest;
        pairs.sort_unstable();
        let chosen = pairs.into_iter().map(|(_, k)| k).collect();
        open.iter().all(is_at_rest).then_some(Unloaded { chosen, holding })
    }

    /// The conditions of a system where torques are zero that nothing determines, and the unknown
    /// of each of them; other torques become unknowns of the system.
    pub fn reduce(
        self,
        unloaded: Unloaded,
        system: &mut InitialSystem,
        model: &mut Model,
    ) -> (Conditions, Vec<usize>) {
        let Unloaded { mut chosen, holding } = unloaded;
        let (count, unknowns) = (chosen.len(), system.symbols().len());
        let mut exact = self.conditions.exact[..count].to_vec();
        let mut zero = Vec::new();
        for (k, torque) in self.torques.iter().enumerate() {
            let Some((row, _)) = holding.iter().find(|pair| pair.1 == unknowns + k) else {
                zero.push((torque.symbol, torque.guess));
                self.require_rest(k, system, model);
                continue;
            };
            exact.push(self.conditions.exact[*row]);
            chosen.push(system.symbols().len());
            let torque = StartValue { guess: Ex::zero(), ..torque.clone() };
            system.add_residual(&torque.name, "its rest", exact[exact.len() - 1], None);
            system.add_unknown(torque);
        }
        let conditions = Conditions::new(substitute(&exact, &zero), &system.symbols());
        (conditions, chosen)
    }

    /// Notes that the torque of an element is zero; the conditions must hold while it is stuck.
    fn require_rest(&self, element: usize, system: &InitialSystem, model: &mut Model) {
        let torque = &self.torques[element];
        let exact = &self.conditions.exact;
        let count = exact.len() - self.torques.len();
        let depends = |i: &usize| depends_on(&[exact[*i]], torque.symbol);
        let of: Vec<usize> = (0..count).filter(depends).collect();
        if of.is_empty() {
            return;
        }
        let name = &torque.name;
        model.note(format!(
            "{name} is stuck at the start, and no initial condition determines its torque; it is \
             zero"
        ));
        for i in of {
            system.require(i, &format!("cannot be fulfilled while {name} is stuck"), model);
        }
    }
}

/// The largest entry of some rows in some columns, if it counts.
fn largest_entry(
    matrix: &DMatrix<f64>,
    rows: &[usize],
    columns: Range<usize>,
) -> Option<(usize, usize)> {
    let places = rows.iter().flat_map(|&i| columns.clone().map(move |k| (i, k)));
    let largest = places.max_by(|&a, &b| matrix[a].abs().total_cmp(&matrix[b].abs()))?;
    (matrix[largest].abs() > NONE).then_some(largest)
}

/// Subtracts multiples of a row from all others such that their entries in a column vanish.
fn eliminate(matrix: &mut DMatrix<f64>, (pivot, column): (usize, usize)) {
    let row = matrix.row(pivot).into_owned();
    for (i, mut other) in matrix.row_iter_mut().enumerate() {
        if i != pivot {
            let factor = other[column] / row[column];
            other -= &row * factor;
        }
    }
}

/// The largest acceleration of a resting element at the solution of the conditions, relative to
/// their residuals.
const AT_REST: f64 = 1e-6;
