//! How blocks with states begin.

use mechanics::declaration::prelude::*;
use mechanics::declaration::{Pending, Real, choice};
use mechanics::statements::laws::signal_view::SignalView;

choice! {
    /// How a block with states begins.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Init {
        /// Start values are guesses; other initial conditions may determine the states.
        #[default]
        NoInit,
        /// The derivatives of the states are zero, and start values are guesses.
        SteadyState,
        /// The states have their start values.
        InitialState,
        /// The output has the value `y_start`; the other states are in steady state.
        InitialOutput,
    }
}

/// The start values of `count` states, of which the parameter `name` gives all or none.
pub(crate) fn starts(
    c: &Contribution<'_>,
    (name, given): (&str, Option<Vec<Ex>>),
    count: usize,
) -> Result<Vec<Option<Ex>>, Error> {
    match given {
        None => Ok(vec![None; count]),
        Some(values) if values.len() == count => Ok(values.into_iter().map(Some).collect()),
        Some(values) => {
            let given = values.len();
            Err(c.refuse(name, format!("the states are {count}, but the values {given}")))
        }
    }
}

/// Declares a state of a block. Its start value is a parameter or, without one, 0, which can be
/// set.
pub(crate) fn state(
    c: &mut Contribution<'_>,
    local: &'static str,
    start: Option<Ex>,
    nominal: f64,
) -> (&'static str, Ex) {
    let name = c.full(local);
    let state = c.model().state(&name, 0.0).nominal(nominal);
    let state = match start {
        Some(start) => state.start_expr(start).done(),
        None => state.done(),
    };
    (local, state)
}

/// States how a block with one state begins, which was declared just now; `given` says whether its
/// start value is a given guess.
pub(crate) fn begin_alone(
    c: &mut Contribution<'_>,
    init: Init,
    (local, state): (&str, Ex),
    given: bool,
) {
    match init {
        Init::NoInit => c.open_state(local, state, given),
        Init::SteadyState => c.steady_state(local, state),
        Init::InitialState | Init::InitialOutput => {}
    }
}

/// States how the states of a block begin, which were declared just now. Where the output `y` has a
/// start value, this value determines the last state.
pub(crate) fn begin(
    c: &mut Contribution<'_>,
    init: Init,
    states: &[(&'static str, Ex)],
    y_start: Pending<Real>,
    y: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
) -> Result<(), Error> {
    let Some((&(last, x), others)) = states.split_last() else { return Ok(()) };
    if init != Init::InitialOutput {
        states.iter().for_each(|&state| begin_alone(c, init, state, false));
        return Ok(());
    }
    others.iter().for_each(|&state| begin_alone(c, Init::SteadyState, state, false));
    let y_start = y_start.declare(c)?;
    c.initial_equation(last, x, move |e| Ok(y(e)? - y_start));
    Ok(())
}
