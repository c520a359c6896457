//! What solved circuits give.

use equations::Ex;
use language::statements::contributions::start_variable::StartVariable;

/// Values of all placeholders of circuits, and the states among them.
#[derive(Default)]
pub struct Solution {
    /// The values, which may contain other placeholders.
    pub values: Vec<Value>,
    /// States whose start values are not fixed, so that other conditions may determine them.
    pub open: Vec<(StartVariable, Ex)>,
    /// Variables whose derivatives are zero at the start.
    pub steady: Vec<Steady>,
}

/// A variable whose derivative is zero at the start.
pub struct Steady {
    /// Its name and its start value.
    pub variable: StartVariable,
    /// The state, unless the circuit determines the variable.
    pub state: Option<Ex>,
    /// Its derivative.
    pub rate: Ex,
}

/// The value of a placeholder.
pub struct Value {
    /// The component or the node to which it belongs, for messages.
    pub name: String,
    /// The placeholder.
    pub symbol: Ex,
    /// What takes its place.
    pub value: Ex,
}

impl Solution {
    /// The value of a placeholder; `name` is for messages.
    pub fn add(&mut self, name: &str, symbol: Ex, value: Ex) {
        self.values.push(Value { name: name.to_owned(), symbol, value });
    }
}
