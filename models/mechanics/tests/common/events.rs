//! Time events: when the next one is, and motion through them.

use super::settle;
use equations::{Interpreter, RelationKind};

/// The instant of the next time event; infinite if there is none.
pub fn next_event(model: &mut Interpreter) -> f64 {
    model.climb().unwrap();
    model.relations().unwrap();
    let ahead =
        |k: &usize| model.program().relation_kinds()[*k] == RelationKind::Time && !model.r[*k];
    (0..model.d.len()).filter(ahead).map(|k| model.d[k]).fold(f64::INFINITY, f64::min)
}

/// Runs through time events, up to a time; gives their instants.
pub fn run_to(model: &mut Interpreter, end: f64) -> Vec<f64> {
    let mut events = Vec::new();
    loop {
        let next = next_event(model);
        if next > end {
            model.t = end;
            model.climb().unwrap();
            return events;
        }
        assert!(next > model.t, "an event that is due at {next} s is not taken at {} s", model.t);
        events.push(next);
        model.t = next;
        settle(model);
    }
}
