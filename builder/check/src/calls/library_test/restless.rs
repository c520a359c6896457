//! Finds the variables that change with the time of the machine, such as counters of processor time
//! and dates: they are no results, and are not compared.

use std::collections::BTreeSet;
use std::slice::from_ref;
use std::thread;
use std::time::Duration;

use super::faults::TestFault;
use super::run_comparison;
use super::test_run::{Record, TestRun};
use super::type_test::TypeTest;
use fmus::wording::listed;

/// Time in which a counter of processor time changes.
pub(super) const MOMENT: Duration = Duration::from_millis(20);

/// Time in which a clock changes that counts seconds.
pub(super) const SECOND: Duration = Duration::from_millis(1100);

/// Adds the variables that change while nothing happens to the instance.
pub(super) fn watch(
    test: &mut TypeTest<'_>,
    run: &mut TestRun<'_>,
    wait: Duration,
) -> Result<(), TestFault> {
    let before = run.record(&test.fmu.description)?;
    thread::sleep(wait);
    let after = run.record(&test.fmu.description)?;
    let found = run_comparison::differing(test, &[before], &[after]);
    test.restless.extend(found);
    Ok(())
}

/// Adds the variables in which no run repeats the first one, while other variables, some of which
/// move, do so: they depend on the time that the machine takes.
pub(super) fn in_no_run(test: &mut TypeTest<'_>, first: &[Record], others: [&[Record]; 2]) {
    let [again, second] = others.map(|run| run_comparison::differing(test, first, run));
    let d = &test.fmu.description;
    let apart: BTreeSet<usize> = again.intersection(&second).copied().collect();
    let same_length = others.iter().all(|run| run.len() == first.len());
    if apart.is_empty() || !same_length || d.states().iter().any(|state| apart.contains(state)) {
        return;
    }
    let moves = first.first().zip(first.last()).is_some_and(|(begin, end)| {
        let moving = run_comparison::differing(test, from_ref(begin), from_ref(end));
        let is_result = |i: &usize| d.variables[*i].causality != "independent";
        moving.difference(&apart).any(is_result)
    });
    if !moves {
        return;
    }
    let Some((_, names)) = listed(apart.iter().map(|i| &*d.variables[*i].name)) else { return };
    let text = format!("in each run the values of {names} are others, as those of a clock are");
    test.note_due_to("A005 of a clock", "A005", text);
    test.restless.extend(apart);
}
