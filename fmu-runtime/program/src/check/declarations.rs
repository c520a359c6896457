//! Checks the declarations of a program: indices, sizes, numbers and names.

use crate::bounds::{MAX_DELAYS, MAX_RELATIONS, MAX_STATES, MAX_VALUES, at_most, below};
use crate::info::{Data, Info, SolverParameters, Table, Variable};
use crate::vocabulary::Source;
use kernels::history::{LEAST_CAPACITY, MOST_CAPACITY};
use kernels::rows::Rows;

pub(super) fn check(info: &Info) -> Result<(), String> {
    if info.name.is_empty() || info.guid.is_empty() {
        return Err("the model has no name or no GUID".to_owned());
    }
    sizes(info)?;
    texts(info)?;
    numbers(info)?;
    for variable in [info.reals, info.integers, info.booleans].into_iter().flatten() {
        check_variable(info, variable)?;
    }
    for requirement in info.requirements {
        for &(name, _, of) in requirement.of {
            source(info, of, || format!("the requirement on {name} reads"))?;
        }
    }
    for relation in info.relations {
        let Some(affine) = relation.affine else { continue };
        source(info, affine.holds, || format!("{} is affine if", relation.name))?;
        for &(state, of) in affine.coefficients {
            below(state, info.states.len(), || format!("{} depends on state", relation.name))?;
            source(info, of, || format!("a coefficient of {} is", relation.name))?;
        }
    }
    for &i in info.first_modes {
        below(i, info.relations.len(), || "the first modes name relation".to_owned())?;
    }
    if let Some(solver) = info.solver {
        let SolverParameters { method, tolerance, max_step, step, max_iterations } = solver;
        for i in [method, tolerance, max_step, step, max_iterations] {
            below(i, info.parameters.len(), || "the solver reads parameter".to_owned())?;
        }
    }
    jacobian(info)?;
    blocks(info)?;
    delays(info)?;
    info.tables.iter().try_for_each(|table| {
        check_table(table).map_err(|reason| format!("table {}: {reason}", table.name))
    })
}

/// Checks the delays, the numbers of whose histories are checked by [`sizes`].
fn delays(info: &Info) -> Result<(), String> {
    for delay in info.delays {
        let (name, capacity) = (delay.name, delay.capacity);
        for of in [delay.time, delay.signal, delay.start] {
            source(info, of, || format!("the delay {name} reads"))?;
        }
        if !(LEAST_CAPACITY..=MOST_CAPACITY).contains(&capacity) {
            return Err(format!("the delay {name} has a capacity of {capacity}"));
        }
    }
    Ok(())
}

fn sizes(info: &Info) -> Result<(), String> {
    at_most(info.states.len(), MAX_STATES, "states")?;
    at_most(info.relations.len(), MAX_RELATIONS, "relations")?;
    at_most(info.delays.len(), MAX_DELAYS, "delays")?;
    for (n, what) in [
        (info.sizes.calculated, "calculated values"),
        (info.sizes.unknowns, "unknowns"),
        (info.sizes.work, "computed values"),
        (info.parameters.len(), "parameters"),
        (info.inputs.len(), "inputs"),
        (info.discretes.len(), "discrete variables"),
        (info.first_modes.len(), "first modes"),
        (info.requirements.len(), "requirements"),
        (info.assertions.len(), "assertions"),
        (info.histories(), "numbers of histories"),
    ] {
        at_most(n, MAX_VALUES, what)?;
    }
    Ok(())
}

/// Checks that no text contains NUL, which would end it early in C.
fn texts(info: &Info) -> Result<(), String> {
    let variables = [info.reals, info.integers, info.booleans].into_iter().flatten();
    let requirements = info.requirements.iter().flat_map(|requirement| {
        requirement.of.iter().flat_map(|of| [of.0, of.1]).chain([requirement.sentence])
    });
    let discretes = info.discretes.iter();
    let mut all = [info.name, info.guid]
        .into_iter()
        .chain(variables.flat_map(|variable| [variable.name, variable.unit]))
        .chain(info.states.iter().map(|state| state.name))
        .chain(discretes.clone().map(|discrete| discrete.name))
        .chain(discretes.flat_map(|discrete| discrete.labels.iter().map(|label| label.1)))
        .chain(info.relations.iter().map(|relation| relation.name))
        .chain(requirements)
        .chain(info.assertions.iter().map(|assertion| assertion.sentence))
        .chain(info.blocks.iter().map(|block| block.name))
        .chain(info.tables.iter().map(|table| table.name))
        .chain(info.delays.iter().map(|delay| delay.name));
    match all.find(|text| text.contains('\0')) {
        None => Ok(()),
        Some(text) => Err(format!("the text {text:?} contains NUL")),
    }
}

fn numbers(info: &Info) -> Result<(), String> {
    let positive = |x: f64| x > 0.0 && x.is_finite();
    let culprit = |what: &str, i: usize, value: f64| Err(format!("{what} {i} starts at {value}"));
    for (what, values) in [("parameter", info.parameters), ("input", info.inputs)] {
        if let Some(i) = values.iter().position(|value| !value.is_finite()) {
            return culprit(what, i, values[i]);
        }
    }
    if let Some(discrete) = info.discretes.iter().find(|discrete| !discrete.start.is_finite()) {
        return Err(format!("{} starts at {}", discrete.name, discrete.start));
    }
    if let Some(state) = info.states.iter().find(|state| !positive(state.nominal)) {
        return Err(format!("the nominal value of {} is {}", state.name, state.nominal));
    }
    if !positive(info.tolerance) || !info.stop_time.is_finite() {
        let (tolerance, stop_time) = (info.tolerance, info.stop_time);
        return Err(format!("the tolerance is {tolerance}, the stop time {stop_time} s"));
    }
    Ok(())
}

fn check_variable(info: &Info, variable: &Variable) -> Result<(), String> {
    let name = variable.name;
    source(info, variable.source, || format!("{name} is"))?;
    if let Some(start) = variable.start {
        below(start, info.parameters.len(), || format!("{name} starts at parameter"))?;
    }
    if variable.min.is_nan() || variable.max.is_nan() {
        return Err(format!("the limits of {name} are not numbers"));
    }
    Ok(())
}

fn source(info: &Info, source: Source, what: impl FnOnce() -> String) -> Result<(), String> {
    let (i, end, of) = match source {
        Source::Constant(_) | Source::Time | Source::Solver(_) => return Ok(()),
        Source::Parameter(i) => (i, info.parameters.len(), "parameter"),
        Source::Calculated(i) => (i, info.sizes.calculated, "calculated value"),
        Source::Discrete(i) => (i, info.discretes.len(), "discrete variable"),
        Source::Relation(i) => (i, info.relations.len(), "relation"),
        Source::State(i) => (i, info.states.len(), "state"),
        Source::Input(i) => (i, info.inputs.len(), "input"),
        Source::Derivative(i) => (i, info.states.len(), "derivative"),
        Source::Advanced(i, _) | Source::Reported(i, _) => (i, info.sizes.work, "computed value"),
    };
    below(i, end, || format!("{} {of}", what()))
}

/// Checks that each state has one ascending list of rows, and that each lasting column is listed
/// once. The lists together then have at most as many elements as the matrix.
fn jacobian(info: &Info) -> Result<(), String> {
    let n = info.states.len();
    if info.jacobian.len() != n {
        return Err(format!("the Jacobian has {} columns for {n} states", info.jacobian.len()));
    }
    for (j, rows) in info.jacobian.iter().enumerate() {
        for &row in *rows {
            below(row, n, || format!("column {j} of the Jacobian has row"))?;
        }
        if !rows.is_sorted_by(|a, b| a < b) {
            return Err(format!("the rows of column {j} of the Jacobian are not in order"));
        }
    }
    for &column in info.lasting_columns {
        below(column, n, || "lasting column of the Jacobian".to_owned())?;
    }
    if !info.lasting_columns.is_sorted_by(|a, b| a < b) {
        return Err("the lasting columns of the Jacobian are not in order".to_owned());
    }
    Ok(())
}

/// Checks that the blocks' parts of `z` follow each other, and that each is as long as the run time
/// expects.
fn blocks(info: &Info) -> Result<(), String> {
    let mut begins = 0;
    let ends = info.blocks.iter().skip(1).map(|block| u64::from(block.offset));
    for (block, end) in info.blocks.iter().zip(ends.chain([info.sizes.unknowns as u64])) {
        let kept = match (block.size, block.kind) {
            (0, _) => 0,
            (_, kind) if kind.is_loop() => 2,
            _ => 1,
        };
        let offset = u64::from(block.offset);
        if offset < begins || offset + u64::from(block.size) + kept > end {
            let (name, size) = (block.name, block.size);
            return Err(format!(
                "block {name} of {size} unknowns does not fit between elements {offset} and {end} \
                 of z"
            ));
        }
        begins = offset;
    }
    Ok(())
}

fn check_table(table: &Table) -> Result<(), String> {
    match table.data {
        Data::Rows(rows) => Rows::new(rows, &table.shape).map(|_| ()),
        Data::File(_) if table.shape.columns == 0 => Err("it has no columns".to_owned()),
        Data::File(file) => {
            let outside = |part: &str| matches!(part, "" | "." | "..");
            if file.contains(['\\', ':', '\0']) || file.split('/').any(outside) {
                return Err(format!("{file:?} is not a path inside the folder of resources"));
            }
            Ok(())
        }
    }
}
