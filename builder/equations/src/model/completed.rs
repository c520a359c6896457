//! The variables that every model has: settings of the solver, derivatives of states.

use std::collections::BTreeMap;

use expressions::graph::{Id, Leaf};
use expressions::{Ex, Expression};
use program::{Causality, SolverParameters};
use rustc_hash::FxHashMap as HashMap;

use crate::model::Model;
use crate::model::variable::{
    BaseType, Booleans, START_PREFIX, StartValue, StartsAs, VariableDeclaration,
};
use crate::vocabulary::name;

/// The variables that [`complete`] has added.
#[derive(Debug)]
pub(crate) struct Completed {
    /// Elements of `p` with the solver's settings.
    pub solver: SolverParameters,
    /// For each state, its variable.
    pub states: Vec<usize>,
    /// For each state, the variable of its derivative.
    pub derivatives: Vec<usize>,
}

/// Adds these variables to a model.
pub(crate) fn complete(model: &mut Model) -> Completed {
    model.complete_clocks();
    model.complete_delays();
    model.complete_controllers();
    model.complete_left_limits();
    model.complete_reinits();
    if model.starts == StartsAs::Parameters {
        declare_starts(&mut model.variables);
    }
    gather_arrays(&mut model.variables);
    if model.booleans == Booleans::Integer {
        replace_local_booleans(&mut model.variables);
    }
    let mut of_expression = HashMap::<Id, Vec<usize>>::default();
    for (i, v) in model.variables.iter().enumerate() {
        of_expression.entry(v.expression.id()).or_default().push(i);
    }
    // Others are aliases, such as the current of a pin.
    let mut of_state = BTreeMap::<usize, usize>::new();
    for (i, v) in model.variables.iter().enumerate() {
        let Some(state) = v.state() else { continue };
        let place = of_state.entry(state).or_insert(i);
        if v.name == model.states[state].name {
            *place = i;
        }
    }
    let states: Vec<usize> = of_state.into_values().collect();
    let mut derivatives = Vec::new();
    for i in 0..model.states.len() {
        let state = &model.states[i];
        let Some(derivative) = state.derivative else { continue };
        let fits = |&i: &usize| {
            let v = &model.variables[i];
            let computed = match derivative.as_leaf() {
                None => derivative.constant_value().is_none(),
                Some(leaf) => matches!(leaf, Leaf::State(_)),
            };
            computed
                && v.base_type == BaseType::Real
                && matches!(v.causality, Causality::Local | Causality::Output)
                && !v.discrete
                && v.derivative_of.is_none()
        };
        let own = of_expression.get(&derivative.id()).into_iter().flatten().copied();
        let index = own.into_iter().find(fits).unwrap_or_else(|| {
            let expression = Expression::Real(derivative);
            let name = name::derivative_of(&state.name);
            let mut v =
                VariableDeclaration::new(&name, Causality::Local, expression, StartValue::None);
            let unit = states.get(i).and_then(|&own| model.variables[own].unit.as_deref());
            v.unit = unit.and_then(|unit| model.units.rate_of(unit));
            v.description = format!("Derivative of {}", state.name);
            model.variables.push(v);
            model.variables.len() - 1
        });
        model.variables[index].derivative_of = Some(i);
        derivatives.push(index);
    }
    Completed { solver: declare_settings(model), states, derivatives }
}

/// Declares the settings of the solver.
fn declare_settings(model: &mut Model) -> SolverParameters {
    let first = model.parameters.len() as u32;
    let _ = model.parameter("solver.method", 0.0).integer().min(0.0).max(5.0).describe(
        "Integration method of Co-Simulation: 0 explicit or implicit, whichever needs less \
         work; 1 Tsit5 (explicit); 2 Rodas5P (implicit, for stiff equations); 3 Rk4 with fixed \
         steps; 4 Euler with fixed steps; 5 Dop853 (explicit, for small tolerances)",
    );
    let _ = model.parameter("solver.tolerance", 0.0).min(0.0).describe(
        "Relative tolerance of Co-Simulation; 0: the tolerance that the importer sets, or else the \
         tolerance of the default experiment",
    );
    let _ =
        model.parameter("solver.max_step", 0.0).min(0.0).unit("s").describe(
            "Largest step of the methods with error control in Co-Simulation; 0: no limit",
        );
    let _ = model.parameter("solver.step", 0.0).min(0.0).unit("s").describe(
        "Largest step of the methods with fixed steps, which divide a communication step into \
         equal steps; 0: one step",
    );
    let _ = model
        .parameter("solver.max_iterations", 10.0)
        .integer()
        .min(1.0)
        .max(f64::from(SolverParameters::MOST_ITERATIONS))
        .describe(
            "With fixed steps, the largest number of passes of the iteration at an event, and of \
             events that are located in a communication step; further events are handled at the \
             ends of steps",
        );
    SolverParameters {
        method: first,
        tolerance: first + 1,
        max_step: first + 2,
        step: first + 3,
        max_iterations: first + 4,
    }
}

/// Moves the elements of each array to the first of them, because FMI requires that they follow
/// each other.
fn gather_arrays(variables: &mut Vec<VariableDeclaration>) {
    let mut first = BTreeMap::<String, usize>::new();
    let with_position = |(i, v): (usize, VariableDeclaration)| {
        let array = name::array_of(&v.name);
        (array.map_or(i, |array| *first.entry(array.to_owned()).or_insert(i)), v)
    };
    let mut all: Vec<_> = variables.drain(..).enumerate().map(with_position).collect();
    all.sort_by_key(|(position, _)| *position);
    variables.extend(all.into_iter().map(|(_, v)| v));
}

/// Makes parameters of the start values that are initial values of other variables.
fn declare_starts(variables: &mut Vec<VariableDeclaration>) {
    let mut parameters = Vec::new();
    for v in variables.iter_mut() {
        let StartValue::Exact(value, Some(slot)) = v.start else { continue };
        if !matches!(v.causality, Causality::Local | Causality::Output) {
            continue;
        }
        v.start = StartValue::None;
        parameters.push(VariableDeclaration {
            name: format!("{START_PREFIX}{}", v.name),
            description: format!("Start value of {}", v.name),
            causality: Causality::Parameter,
            discrete: false,
            start: StartValue::Exact(value, Some(slot)),
            expression: Expression::Real(Ex::leaf(Leaf::Parameter(slot))),
            ..v.clone()
        });
    }
    variables.extend(parameters);
}

/// Makes local Boolean variables Integers.
fn replace_local_booleans(variables: &mut [VariableDeclaration]) {
    let local = |v: &&mut VariableDeclaration| {
        v.causality == Causality::Local && v.base_type == BaseType::Boolean
    };
    for v in variables.iter_mut().filter(local) {
        v.base_type = BaseType::Integer;
        (v.min, v.max) = (Some(0.0), Some(1.0));
    }
}
