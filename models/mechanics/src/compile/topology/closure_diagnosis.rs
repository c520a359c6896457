//! Why a loop cannot be closed at the start, and which start values would help.

use super::closure_search::{AWAY, CLOSED, Closure, Random};
use super::loop_structure::LoopUnknown;
use crate::compile::topology::closure::{ClosureRow, When};
use crate::error::Error;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::motion::level::Level;
use equations::leaves_of;
use nalgebra::DVector;

/// How many start values a message proposes.
const MAX_NAMES: usize = 6;

/// From how many places a loop is tried to be closed.
const PLACES: usize = 12;

/// By how much a coordinate is moved in m or rad to see whether it can move.
const LITTLE: f64 = 0.01;

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
    /// Whether all loops close without some of the fixed conditions.
    fn closes_without(&self, numeric: &Numeric, freed: &[&FixedCondition]) -> bool {
        self.closed_without(numeric, freed).is_some()
    }

    /// Where all loops close without some of the fixed conditions, from here or from other places.
    fn closed_without(&self, numeric: &Numeric, freed: &[&FixedCondition]) -> Option<DVector<f64>> {
        let held = self.held(freed);
        let rows = self.rows_without(freed);
        let mut numeric = numeric.clone();
        self.places(&held).find_map(|mut q| {
            let gap = self.closure.assemble(&mut numeric, &mut q, &rows, &held);
            (gap <= CLOSED).then_some(q)
        })
    }

    /// The equations without those of some fixed conditions.
    fn rows_without(&self, freed: &[&FixedCondition]) -> Vec<usize> {
        let dropped = |row: &usize| freed.iter().any(|fixed| fixed.rows.contains(row));
        self.rows.iter().copied().filter(|row| !dropped(row)).collect()
    }

    /// Which coordinates keep their values without some of the fixed conditions.
    fn held(&self, freed: &[&FixedCondition]) -> Vec<bool> {
        let is_free = |k: usize| freed.iter().any(|fixed| fixed.unknown == Some(k));
        let unknowns = self.closure.unknowns.iter().enumerate();
        unknowns.map(|(k, u)| u.given || u.is_known(Level::Position) && !is_free(k)).collect()
    }

    /// Places from which to search, here first; those that are held keep their start values.
    fn places<'a>(&'a self, held: &'a [bool]) -> impl Iterator<Item = DVector<f64>> + 'a {
        let mut random = Random::default();
        (0..PLACES).map(move |place| {
            let mut q = self.q.clone();
            for (k, unknown) in self.closure.unknowns.iter().enumerate() {
                if held[k] {
                    q[k] = unknown.start;
                } else if place > 0 {
                    q[k] += AWAY * random.next();
                }
            }
            q
        })
    }

    /// Whether a coordinate can move a little where the loops are closed.
    fn can_move(&self, numeric: &Numeric, freed: &FixedCondition, at: &DVector<f64>) -> bool {
        let Some(k) = freed.unknown else { return true };
        let mut held = self.held(&[freed]);
        held[k] = true;
        let mut numeric = numeric.clone();
        [LITTLE, -LITTLE].into_iter().any(|by| {
            let mut q = at.clone();
            q[k] += by;
            self.closure.assemble(&mut numeric, &mut q, self.rows, &held) <= CLOSED
        })
    }

    /// Moves the search to the least gap that is found from several places without some of the
    /// fixed conditions.
    fn least_gap(&self, numeric: &Numeric, freed: &[&FixedCondition]) -> DVector<f64> {
        let held = self.held(freed);
        let rows = self.rows_without(freed);
        let mut numeric = numeric.clone();
        let reached = self.places(&held).map(|mut q| {
            let sum = self.closure.approach(&mut numeric, &mut q, &rows, &held);
            (sum, q)
        });
        let least = reached.filter(|(sum, _)| sum.is_finite()).min_by(|a, b| a.0.total_cmp(&b.0));
        least.map_or_else(|| self.q.clone(), |(_, q)| q)
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
        if let Some(error) = self.overdriven(numeric, q) {
            return error;
        }
        let attempt = Attempt { closure: self, q, rows };
        if let Some((with, advice)) = self.contradiction(numeric, &attempt) {
            let (row, remains) = self.largest_gap(numeric, &attempt, &[]);
            return Error::Initial(format!(
                "{}: the loop cannot be closed with {with}: {remains}; {advice}",
                self.rows[row].name
            ));
        }
        let fixed = self.fixed(rows);
        let all: Vec<&FixedCondition> = fixed.iter().collect();
        // Otherwise the fixed start values alone would be a contradiction.
        let closes = attempt.closes_without(numeric, &[]);
        let (row, remains) =
            self.largest_gap(numeric, &attempt, if closes { &[] } else { &all[..] });
        let fixed = match &all[..] {
            [] => String::new(),
            _ if closes => format!(" with {}", fixed_values(&all)),
            _ => format!(", even without {}", fixed_values(&all)),
        };
        let accelerated = self.unknowns.iter().filter(|u| u.accelerated[0]);
        let accelerated: Vec<&str> = accelerated.map(|u| u.name.as_str()).collect();
        let accelerated = match &accelerated[..] {
            [] => String::new(),
            names => format!(
                " besides the initial accelerations that stand for those of {}",
                names.join(", ")
            ),
        };
        let (held, advice) = match &self.held_by_flanges(&[row])[..] {
            [] => (String::new(), self.what_would_help(&self.rows[row])),
            held => (
                format!(" with {}", held.join(" and ")),
                "; change or free what is held, or check the lengths".to_owned(),
            ),
        };
        Error::Initial(format!(
            "{}: the loop cannot be closed from the start values{held}{fixed}{accelerated}: \
             {remains}{advice}",
            self.rows[row].name
        ))
    }

    /// The row that is violated most at the least gap without some of the fixed conditions, and the
    /// gap in words.
    fn largest_gap(
        &self,
        numeric: &mut Numeric,
        attempt: &Attempt<'_>,
        freed: &[&FixedCondition],
    ) -> (usize, String) {
        let least = attempt.least_gap(numeric, freed);
        let rows = attempt.rows_without(freed);
        let g = self.evaluate(numeric, &least).0;
        let worst = rows.iter().max_by(|&&a, &&b| g[a].abs().total_cmp(&g[b].abs()));
        let worst = *worst.unwrap_or(&0);
        (worst, self.gap_in_words(numeric, worst, &rows))
    }

    /// The fixed start values that cannot be all at once, where this is why the loop stays open,
    /// and what to do.
    fn contradiction(&self, numeric: &Numeric, attempt: &Attempt<'_>) -> Option<(String, String)> {
        let fixed = self.fixed(attempt.rows);
        let all: Vec<&FixedCondition> = fixed.iter().collect();
        if all.is_empty() || attempt.closes_without(numeric, &[]) {
            return None;
        }
        let closing = |one: &&FixedCondition| attempt.closed_without(numeric, &[*one]);
        let each: Vec<(&FixedCondition, DVector<f64>)> =
            all.iter().filter_map(|one| Some((*one, closing(one)?))).collect();
        if each.is_empty() && !attempt.closes_without(numeric, &all) {
            return None;
        }
        let some = if each.is_empty() { all } else { each.iter().map(|one| one.0).collect() };
        let rigid = |(one, at): &(&FixedCondition, DVector<f64>)| {
            let value = one.unknown.map(|k| &self.unknowns[k]).zip(one.unknown.map(|k| at[k]));
            let (unknown, value) = value?;
            let stays = !attempt.can_move(numeric, one, at);
            // Rounding errors have no sign.
            let value = if value.abs() < 5e-5 { 0.0 } else { value };
            stays.then(|| format!("{} = {value:.4} {}", unknown.name, unknown.unit))
        };
        let held = self.held_by_flanges(attempt.rows);
        let advice = match (&some[..], each.first().and_then(rigid)) {
            _ if !held.is_empty() => "change or free one of them".to_owned(),
            ([_], Some(only)) => format!(
                "without it the loop closes, as at {only}, but cannot move: check the lengths and \
                 the axes of the joints"
            ),
            ([_], None) => "free it".to_owned(),
            _ if each.is_empty() => "free some of them".to_owned(),
            _ => "free one of them".to_owned(),
        };
        let list = [vec![fixed_values(&some)], held].concat();
        Some(match (&some[..], &list[..]) {
            ([_], [only]) => (only.clone(), advice),
            _ => (format!("{}, which contradict each other", list.join(" and ")), advice),
        })
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
        for &row in rows.iter().filter(|&&row| self.rows[row].when() == When::AtStart) {
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
        let leaves = leaves_of(row.residual().as_slice());
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

/// Fixed start values with their units, in words.
fn fixed_values(fixed: &[&FixedCondition]) -> String {
    let list: Vec<String> = fixed.iter().map(|f| format!("{}{}", f.name, f.value)).collect();
    let values = if let [_] = fixed { "value" } else { "values" };
    format!("the fixed start {values} {}", list.join(", "))
}
