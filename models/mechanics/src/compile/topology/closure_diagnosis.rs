//! Why a loop cannot be closed at the start, and which start values would help.

use super::closure_search::{AWAY, CLOSED, Closure, Random};
use super::loops::LoopUnknown;
use crate::compile::algebra::numeric::Numeric;
use crate::compile::motion::level::Level;
use crate::compile::topology::closure::{ClosureRow, When};
use crate::error::Error;
use equations::{Number, leaves_of};
use nalgebra::DVector;

/// How many start values a message proposes.
const MAX_NAMES: usize = 6;

/// From how many places a loop is tried to be closed.
const PLACES: usize = 12;

/// A fixed condition that may prevent a loop from closing: a coordinate that is held, or equations.
struct FixedCondition {
    name: String,
    /// The value with its unit, where it is one of a coordinate.
    value: String,
    unknown: Option<usize>,
    rows: Vec<usize>,
}

/// A search for a closed configuration.
struct Attempt<'a> {
    closure: &'a Closure<'a>,
    q: &'a DVector<f64>,
    /// Equations that have to hold.
    rows: &'a [usize],
}

impl Attempt<'_> {
    /// Whether all loops close without some of the fixed conditions, from here or from other
    /// places.
    fn closes_without(&self, numeric: &Numeric, freed: &[&FixedCondition]) -> bool {
        let is_free = |k: usize| freed.iter().any(|fixed| fixed.unknown == Some(k));
        let unknowns = self.closure.unknowns.iter().enumerate();
        let held: Vec<bool> =
            unknowns.map(|(k, u)| u.given || u.is_known(Level::Position) && !is_free(k)).collect();
        let dropped = |row: &usize| freed.iter().any(|fixed| fixed.rows.contains(row));
        let rows: Vec<usize> = self.rows.iter().copied().filter(|row| !dropped(row)).collect();
        let mut numeric = numeric.clone();
        let mut random = Random::default();
        (0..PLACES).any(|place| {
            let mut q = self.q.clone();
            for (k, unknown) in self.closure.unknowns.iter().enumerate() {
                if held[k] {
                    q[k] = unknown.start;
                } else if place > 0 {
                    q[k] += AWAY * random.next();
                }
            }
            self.closure.assemble(&mut numeric, &mut q, &rows, &held) <= CLOSED
        })
    }
}

impl Closure<'_> {
    /// The note about a loop that was closed at `q`, because it did not close from the start
    /// values.
    pub fn closed_elsewhere(&self, q: &DVector<f64>, rows: &[usize], unknowns: &[usize]) -> String {
        let mut names: Vec<&str> = rows.iter().map(|&row| self.rows[row].name.as_str()).collect();
        names.dedup();
        names.truncate(MAX_NAMES);
        let value = |&k: &usize| {
            let LoopUnknown { name, unit, .. } = &self.unknowns[k];
            format!("{name} = {:.4} {unit}", q[k])
        };
        let values: Vec<String> = unknowns.iter().take(MAX_NAMES).map(value).collect();
        let more = if unknowns.len() > MAX_NAMES { " and so on" } else { "" };
        format!(
            "{}: from its start values the loop does not close, or only with a joint turned round; \
             it begins with {}{more}: guesses of these choose another assembly",
            names.join(", "),
            values.join(", ")
        )
    }

    /// The error about a loop that cannot be closed, where `q` is the result of the search.
    pub fn cannot_close(&self, numeric: &mut Numeric, q: &DVector<f64>, rows: &[usize]) -> Error {
        let g = self.evaluate(numeric, q).0;
        let worst = rows.iter().max_by(|&&a, &&b| g[a].abs().total_cmp(&g[b].abs()));
        let worst = *worst.unwrap_or(&0);
        let (row, gap) = (&self.rows[worst], g[worst].abs());
        let remains = format!("a gap of {} {} remains", rounded(gap), row.unit);
        if let Some((with, free)) = self.contradiction(numeric, q, rows) {
            return Error::Initial(format!(
                "{}: the loop cannot be closed with {with}: {remains}; free {free}",
                row.name
            ));
        }
        let names = |which: &dyn Fn(&LoopUnknown) -> bool, what: &str| {
            let names: Vec<&str> =
                self.unknowns.iter().filter(|u| which(u)).map(|u| u.name.as_str()).collect();
            if names.is_empty() {
                String::new()
            } else {
                format!(" {what} of {}", names.join(", "))
            }
        };
        let held = names(&|u| u.fixed[0], "with the fixed start values")
            + &names(
                &|u| u.accelerated[0],
                "besides the initial accelerations that stand for those",
            );
        Error::Initial(format!(
            "{}: the loop cannot be closed from the start values{held}: {remains}{}",
            row.name,
            self.what_would_help(row)
        ))
    }

    /// The fixed start values that cannot be all at once, where this is why the loop stays open,
    /// and which of them to free.
    fn contradiction(
        &self,
        numeric: &Numeric,
        q: &DVector<f64>,
        rows: &[usize],
    ) -> Option<(String, &'static str)> {
        let fixed = self.fixed(rows);
        let attempt = Attempt { closure: self, q, rows };
        let all: Vec<&FixedCondition> = fixed.iter().collect();
        if all.is_empty() || attempt.closes_without(numeric, &[]) {
            return None;
        }
        let helps = |one: &&&FixedCondition| attempt.closes_without(numeric, &[**one]);
        let each: Vec<&FixedCondition> = all.iter().filter(helps).copied().collect();
        let some = if each.is_empty() { &all } else { &each };
        if each.is_empty() && !attempt.closes_without(numeric, &all) {
            return None;
        }
        let list: Vec<String> = some.iter().map(|f| format!("{}{}", f.name, f.value)).collect();
        let list = list.join(", ");
        if let [_] = some[..] {
            return Some((format!("the fixed start value {list}"), "it"));
        }
        let free = if each.is_empty() { "some of them" } else { "one of them" };
        Some((format!("the fixed start values {list}, which contradict each other"), free))
    }

    /// What is fixed at the start.
    fn fixed(&self, rows: &[usize]) -> Vec<FixedCondition> {
        let held = self.unknowns.iter().enumerate().filter(|(_, u)| u.fixed[0] && !u.given);
        let mut all: Vec<FixedCondition> = held
            .map(|(k, u)| {
                let value = format!(" = {} {}", u.start, u.unit);
                FixedCondition { name: u.name.clone(), value, unknown: Some(k), rows: Vec::new() }
            })
            .collect();
        for &row in rows.iter().filter(|&&row| self.rows[row].when == When::AtStart) {
            let name = &self.rows[row].name;
            match all.iter_mut().find(|fixed| fixed.name == *name) {
                Some(fixed) => fixed.rows.push(row),
                None => all.push(FixedCondition {
                    name: name.clone(),
                    value: String::new(),
                    unknown: None,
                    rows: vec![row],
                }),
            }
        }
        all
    }

    /// A proposal: start values that are not given and on which a row depends.
    fn what_would_help(&self, row: &ClosureRow) -> String {
        let leaves = leaves_of(row.residual.as_slice());
        let open = |u: &&LoopUnknown| {
            let touches = u.symbol.as_leaf().is_some_and(|leaf| leaves.contains(&leaf));
            touches && !(u.given || u.given_guess || u.is_known(Level::Position))
        };
        let joints = self.unknowns.iter().filter(open).map(|u| u.name.as_str());
        let names: Vec<&str> =
            self.guide.bodies.iter().map(String::as_str).chain(joints).take(MAX_NAMES).collect();
        if names.is_empty() {
            return "; check the lengths".to_owned();
        }
        let names = names.join(", ");
        format!("; check the lengths, or give guesses near the wanted position for {names}")
    }
}

/// A gap with three digits, for messages.
pub fn rounded(gap: f64) -> Number {
    Number(format!("{gap:.2e}").parse().unwrap_or(gap))
}
