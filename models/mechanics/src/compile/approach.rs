//! Where the search for a closed configuration begins, where guesses say so that belong to no joint
//! of the tree: those about bodies that loops hold, and about joints that close loops.

use super::Form;
use super::closure::{Row, When};
use super::coordinates::Coordinates;
use super::loops::{Closure, Unknown};
use super::numeric::Numeric;
use super::symbols::Symbols;
use equations::{Ex, Model, jacobian};
use nalgebra::DVector;

/// Guesses that coordinates approach.
pub struct Approach<'a> {
    /// The placeholders of the coordinates.
    pub symbols: &'a Symbols,
}

impl Approach<'_> {
    /// Moves where the search for `unknowns` begins, as far as it is open, to where `guesses` and
    /// the guesses of the unknowns themselves are met as well as they can.
    pub fn to(
        &self,
        guesses: &[Ex],
        (forms, coordinates): (&[Form], &Coordinates),
        unknowns: &mut [Unknown],
        numeric: &mut Numeric,
    ) {
        let mut rows: Vec<Row> = guesses.iter().map(|&gap| row(gap)).collect();
        // Coordinates on which bodies depend and that are no part of a loop stay where they are.
        let all = self.symbols.unknowns(&rows, forms, coordinates, numeric);
        let mut q: Vec<f64> = all.iter().map(|unknown| unknown.start).collect();
        let place = |variable: usize| unknowns.iter().position(|u| u.variable == variable);
        let own: Vec<Option<usize>> = all.iter().map(|unknown| place(unknown.variable)).collect();
        let mut held = Vec::new();
        for (k, unknown) in all.iter().enumerate() {
            let Some(i) = own[k] else {
                held.push(true);
                continue;
            };
            q[k] = unknowns[i].start;
            held.push(unknowns[i].given || unknowns[i].is_known(0));
            if unknown.given_guess && !held[k] {
                rows.push(row(unknown.symbol - unknown.guess));
            }
        }
        let symbols: Vec<Ex> = all.iter().map(|unknown| unknown.symbol).collect();
        let residuals: Vec<Ex> = rows.iter().filter_map(|row| row.residual).collect();
        let jacobian = jacobian(&residuals, &symbols);
        let closure = Closure {
            rows: &rows,
            unknowns: &all,
            jacobian: &jacobian,
            speed_jacobian: &[],
            bodies: &[],
        };
        let mut q = DVector::from_vec(q);
        let active: Vec<usize> = (0..rows.len()).collect();
        closure.assemble(numeric, &mut q, &active, &held);
        for (k, i) in own.iter().enumerate() {
            if let Some(i) = i.filter(|_| !held[k] && q[k].is_finite()) {
                unknowns[i].start = q[k];
                unknowns[i].approached = true;
            }
        }
        for unknown in &*unknowns {
            numeric.set(unknown.symbol, unknown.start);
        }
    }
}

/// Lets the search begin at the configuration that was found, for everything without a start value
/// of its own.
pub fn keep(forms: &[Form], unknowns: &[Unknown], model: &mut Model, numeric: &mut Numeric) {
    if !unknowns.iter().any(|unknown| unknown.approached) {
        return;
    }
    let of = |variable: usize| unknowns.iter().find(|u| u.variable == variable);
    let found: Vec<(Ex, f64)> = forms
        .iter()
        .filter(|form| !form.spin && !form.position.start.given && !form.position.start.fixed)
        .filter_map(|form| {
            let in_loops = form.linear.terms.keys().all(|&v| of(v).is_some());
            let value = form.linear.value(|v| of(v).map_or_else(Ex::zero, |u| u.symbol));
            in_loops.then(|| (form.position.slot, numeric.one(value)))
        })
        .collect();
    for (slot, value) in found {
        model.set_start(slot, value);
        numeric.set_parameter(slot, value);
    }
}

/// A row that nobody solves: it tells a distance.
fn row(gap: Ex) -> Row {
    Row {
        residual: Some(gap),
        rate: None,
        name: String::new(),
        when: When::AtStart,
        from_start: None,
        explicit: None,
        multiplier: None,
        combines: Vec::new(),
    }
}
